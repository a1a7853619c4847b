//! Commands and all that they do, as data.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test tells all that is wrong, then panics")]

use std::collections::BTreeSet;

use portcullis_lattice::{Reach, Realms, Resource};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::shell::{Setting, analyse, known_programs, tables_error};
use portcullis_perceive::{Deed, Use};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    run: String,
    deeds: Vec<String>,
    why: String,
}

fn setting() -> Setting {
    Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }
}

#[test]
fn commands_do_what_the_cases_say() {
    let cases: Cases = toml::from_str(include_str!("cases/shell.toml")).unwrap();
    assert!(cases.case.len() >= 150, "{} cases", cases.case.len());
    let mut wrong = 0;
    for case in &cases.case {
        let finding = analyse(&case.run, &setting(), &NoLinks);
        let found: BTreeSet<String> = finding.deeds.iter().map(told).collect();
        let wanted: BTreeSet<String> = case.deeds.iter().map(|deed| sorted(deed)).collect();
        if found != wanted {
            wrong += 1;
            println!(
                "`{}` ({})\n  wanted {wanted:?}\n  found  {found:?} {:?}",
                case.run, case.why, finding.doubts
            );
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.case.len());
}

#[test]
fn the_tables_are_read_and_large() {
    assert_eq!(tables_error(), None);
    assert!(known_programs() >= 150, "{}", known_programs());
}

fn told(deed: &Deed) -> String {
    let side = |uses: &[Use]| {
        let names: BTreeSet<String> = uses.iter().map(name).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    };
    format!("{} -> {} : {}", side(&deed.inputs), side(&deed.outputs), deed.effects)
}

fn name(used: &Use) -> String {
    assert!(Resource::new(&used.name, used.reach, Realms::NETWORK).is_ok(), "{used:?} is no canonical name");
    let short = match used.name.strip_prefix("/home/u/p") {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => format!(".{rest}"),
        _ => match used.name.strip_prefix("/home/u/") {
            Some(rest) if !rest.starts_with('q') => format!("~/{rest}"),
            _ => used.name.clone(),
        },
    };
    match used.reach {
        Reach::One => short,
        Reach::Names => format!("{short}~"),
        Reach::Subtree => format!("{short}+"),
    }
}

/// A deed as a case writes it, with its sides in order.
fn sorted(deed: &str) -> String {
    let (inputs, rest) = deed.split_once(" -> ").unwrap();
    let (outputs, effects) = rest.split_once(" : ").unwrap();
    let side =
        |side: &str| side.split(", ").collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ");
    format!("{} -> {} : {effects}", side(inputs), side(outputs))
}
