//! Calls of tools, perceived in one session.

use std::sync::LazyLock;

use portcullis_lattice::Taint;
use portcullis_perceive::layout::{Ground, Layout};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Doubt, Memory, Perceiver, Perception};
use serde_json::Value;

static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().expect("the built-in formats load"));
static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let layout = Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into(), "github:acme/**".into()],
        ..Layout::default()
    };
    layout.ground().expect("the layout is one")
});

/// What a call does.
pub fn perceive<'p>(
    profile: &Profile,
    arguments: &Value,
    tools: &'p dyn Fn(&str) -> Option<&'p Profile>,
) -> Perception {
    let perceiver = Perceiver { ground: &GROUND, formats: &FORMATS, resolver: &NoLinks, tools };
    perceiver.call(profile, arguments, &Memory::default())
}

/// What holds of every call: its acts are flows, and what nothing is known of is doubted.
///
/// # Panics
/// Where it does not hold.
pub fn check(profile: &Profile, arguments: &Value, seen: &Perception) {
    for act in &seen.acts {
        if let Err(error) = GROUND.flow(act, Taint::EMPTY) {
            panic!("{act}: {error}");
        }
    }
    let lists_nothing = profile.basis.as_ref().is_some_and(|basis| basis.definition.lists_nothing());
    let names = arguments.as_object().into_iter().flat_map(|entries| entries.keys());
    for name in names.filter(|name| !lists_nothing && !profile.knows(name)) {
        assert!(seen.doubts.contains(&Doubt::UnknownArgument(name.clone())), "`{name}` is not doubted");
    }
}
