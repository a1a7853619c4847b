//! A small world: few names, so that acts meet, and every kind of them.

use std::sync::{Arc, LazyLock};

use portcullis_lattice::{Effect, Effects, Label, Reach, Taint};
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Deed, Use};
use portcullis_taint::{Evidence, Labels, Match};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

pub(crate) static PLACES: LazyLock<Places> = LazyLock::new(|| Places::built_in().unwrap());

/// One event of a session.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) act: Act,
    pub(crate) credential: bool,
    /// Labels of a text that was found again in the arguments.
    pub(crate) found: Taint,
    /// Whether the call was permitted, and whether its result says that it succeeded.
    pub(crate) permitted: bool,
    pub(crate) succeeded: bool,
}

impl Event {
    pub(crate) fn matches(&self) -> Vec<Match> {
        if self.found.is_empty() {
            return Vec::new();
        }
        let name: Arc<str> = "/found/again".into();
        vec![Match { step: 0, name, taint: self.found, characters: 30, range: 0..30, encodings: Vec::new() }]
    }

    /// What a monitor does with the call.
    pub(crate) fn happen(&self, step: u64, labels: &mut Labels) -> Taint {
        let matches = self.matches();
        let credentials: &[&str] = if self.credential { &["github-token"] } else { &[] };
        let evidence = Evidence { credentials, matches: &matches };
        let carried = labels.carried(step, &self.act, &PLACES, &evidence);
        if self.permitted {
            labels.permit(step, &self.act, &carried);
            if self.succeeded {
                labels.deleted(&self.act, &PLACES);
            }
        }
        carried.taint
    }
}

/// Names without wildcards: files, tables, pages; some of them sensitive.
pub(crate) fn name() -> impl Strategy<Value = String> {
    let segment = || select(vec!["a", "b", "ab", "c.txt", ".env"]);
    let below = |head: &'static str| {
        vec(segment(), 1..4).prop_map(move |segments| format!("{head}{}", segments.join("/")))
    };
    prop_oneof![4 => below("/"), 1 => below("db:"), 1 => below("https://h/"), 1 => below("notion:")]
}

pub(crate) fn any_use() -> impl Strategy<Value = Use> {
    let named = (name(), select(Reach::ALL.to_vec())).prop_map(|(name, reach)| Use::new(name, reach));
    let wholes = (select(vec!["/", "db:*", "https://*"]), select(vec![Reach::Names, Reach::Subtree]))
        .prop_map(|(name, reach)| Use::new(name, reach));
    prop_oneof![8 => named, 1 => wholes]
}

fn input() -> impl Strategy<Value = Use> {
    prop_oneof![3 => any_use(), 2 => Just(Use::context())]
}

fn output() -> impl Strategy<Value = Use> {
    let changed = any_use().prop_map(|used| match used.reach {
        Reach::Names => Use { reach: Reach::Subtree, ..used },
        Reach::One | Reach::Subtree => used,
    });
    prop_oneof![3 => changed, 2 => Just(Use::context())]
}

pub(crate) fn effects() -> impl Strategy<Value = Effects> {
    subsequence(Effect::ALL.to_vec(), 1..3).prop_map(|effects| effects.into_iter().collect())
}

pub(crate) fn act() -> impl Strategy<Value = Act> {
    let parts = (vec(input(), 1..3), vec(output(), 1..3), effects(), any::<bool>());
    parts.prop_map(|(inputs, outputs, effects, payload)| Act {
        deed: Deed { inputs, outputs, effects },
        payload,
    })
}

pub(crate) fn event() -> impl Strategy<Value = Event> {
    let found =
        prop_oneof![8 => Just(Taint::EMPTY), 1 => Just(Taint::only(Label::Untrusted)), 1 => Just(Taint::ALL)];
    let answers = (proptest::bool::weighted(0.8), proptest::bool::weighted(0.7));
    (act(), proptest::bool::weighted(0.1), found, answers).prop_map(
        |(act, credential, found, (permitted, succeeded))| Event {
            act,
            credential,
            found,
            permitted,
            succeeded,
        },
    )
}

pub(crate) fn session() -> impl Strategy<Value = Vec<Event>> {
    vec(event(), 0..25)
}

/// An act with one input and one output.
pub(crate) fn simple(input: Use, output: Use, effects: impl Into<Effects>) -> Act {
    Act { deed: Deed { inputs: vec![input], outputs: vec![output], effects: effects.into() }, payload: false }
}

pub(crate) fn one(name: &str) -> Use {
    Use::new(name, Reach::One)
}

pub(crate) fn tree(name: &str) -> Use {
    Use::new(name, Reach::Subtree)
}

/// Labels after these events.
pub(crate) fn after(events: &[Event], mut labels: Labels) -> Labels {
    for (step, event) in events.iter().enumerate() {
        event.happen(step as u64, &mut labels);
    }
    labels
}

/// Makes a name secret, alone or with all below it.
pub(crate) fn label(labels: &mut Labels, step: u64, used: Use) {
    let act = simple(one("/w/.env"), used, Effect::Write);
    let carried = labels.carried(step, &act, &PLACES, &Evidence::none());
    labels.permit(step, &act, &carried);
}

/// What reading this carries.
pub(crate) fn read(labels: &Labels, used: Use) -> Taint {
    let act = simple(used, Use::context(), Effect::Read);
    labels.carried(99, &act, &PLACES, &Evidence::none()).taint
}
