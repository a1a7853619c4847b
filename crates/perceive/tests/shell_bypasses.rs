//! Known ways past guards that look at the front of a command: each is seen for what it does.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use portcullis_lattice::Effect;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::shell::{Setting, analyse};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    bypass: Vec<Bypass>,
    plain: Vec<Plain>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bypass {
    run: String,
    sees: Vec<String>,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    run: String,
    only: Vec<String>,
    why: String,
}

fn cases() -> Cases {
    toml::from_str(include_str!("cases/bypasses.toml")).unwrap()
}

fn setting() -> Setting {
    Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }
}

#[test]
fn what_hides_behind_a_harmless_front_is_seen() {
    for case in cases().bypass {
        let finding = analyse(&case.run, &setting(), &NoLinks);
        for wanted in &case.sees {
            let (effect, place) = wanted.split_once(' ').unwrap();
            let effect = Effect::from_name(effect).unwrap();
            let place = full(place);
            let seen = finding.deeds.iter().any(|deed| {
                let mut uses = deed.inputs.iter().chain(&deed.outputs);
                deed.effects.contains(effect) && uses.any(|used| used.name == place)
            });
            assert!(seen, "`{}` ({}): no {wanted} in {finding:?}", case.run, case.why);
        }
    }
}

#[test]
fn harmless_commands_are_not_taken_for_more() {
    for case in cases().plain {
        let finding = analyse(&case.run, &setting(), &NoLinks);
        let found: BTreeSet<&str> =
            finding.deeds.iter().flat_map(|deed| deed.effects.iter()).map(Effect::name).collect();
        let wanted: BTreeSet<&str> = case.only.iter().map(String::as_str).collect();
        assert_eq!(found, wanted, "`{}` ({}): {finding:?}", case.run, case.why);
    }
}

fn full(place: &str) -> String {
    match place.split_at(1) {
        (".", rest) => format!("/home/u/p{rest}"),
        ("~", rest) => format!("/home/u{rest}"),
        _ => place.to_owned(),
    }
}
