//! Any JSON as the definition of a tool, and any JSON as the arguments of a call of it: the call has flows, the same ones
//! each time, and what the tool claims of itself takes nothing away.
//!
//! The first line of the input is the definition, the rest the arguments.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::calls::{check, perceive};
use portcullis_lattice::Effects;
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::profile::{Profile, What};
use portcullis_perceive::{Profiles, ServerIdentity};
use serde_json::Value;

static EMPTY: LazyLock<Catalogue> = LazyLock::new(Catalogue::default);

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (first, rest) = text.split_once('\n').unwrap_or((&text, "{}"));
    let Ok(definition) = serde_json::from_str::<Value>(first) else { return };
    let arguments = serde_json::from_str::<Value>(rest).unwrap_or_default();
    let server = ServerIdentity { name: "desk", catalogued: None };
    let Ok(profile) = Profiles::new(&EMPTY).profile(server, &definition, None) else { return };
    let seen = perceive(&profile, &arguments, &|_| None);
    assert_eq!(seen, perceive(&profile, &arguments, &|_| None), "the same call is perceived alike");
    check(&profile, &arguments, &seen);
    let lists_nothing = profile.basis.as_ref().is_none_or(|basis| basis.definition.lists_nothing());
    if let Some(entries) = arguments.as_object().filter(|_| !lists_nothing) {
        let mut listed = entries.clone();
        listed.retain(|name, _| profile.knows(name));
        let without = perceive(&profile, &listed.into(), &|_| None);
        let hidden = without.acts.iter().find(|act| !seen.acts.contains(act));
        assert!(hidden.is_none(), "hidden by an unlisted argument: {hidden:?}");
    }
    let mut silent = definition.clone();
    if silent.as_object_mut().is_some_and(|entries| entries.remove("annotations").is_some()) {
        let silent = Definition::read(&silent).expect("annotations are no part of a definition's form");
        assert!(
            effects(&derive("desk", &silent)).is_subset(effects(&profile)),
            "annotations lower the effects"
        );
    }
});

/// Everything that a call may do; what needs a command line or SQL to be told counts as all.
fn effects(profile: &Profile) -> Effects {
    let of = |what: &What| match what {
        What::Flow(flow) => flow.effects,
        What::Shell { .. } | What::Sql { .. } => Effects::ALL,
    };
    profile.deeds.iter().fold(Effects::EMPTY, |all, deed| all.join(of(&deed.what)))
}
