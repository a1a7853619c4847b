//! Values of this call that earlier calls had as well, wherever they had them.

use std::collections::BTreeSet;

use portcullis_datalog::{PredicateId, Value};

use super::{CallFacts, Circumstances};
use crate::history::same;
use crate::schema::Ids;

/// So many values of one call are remembered.
const MOST_KEPT: usize = 32;
/// So many of the call at hand are compared with those of earlier ones.
const MOST_COMPARED: usize = 256;

/// What the values of a call have to do with those of earlier calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct SameFacts {
    /// What an earlier call did that had a value of this argument.
    same: BTreeSet<(String, String)>,
    /// What no earlier call did, as far as anybody remembers, that had some value of this argument.
    other: BTreeSet<(String, String)>,
    /// What earlier calls did of whose values some were forgotten.
    pub(super) lost: Vec<String>,
    /// What later calls have to know of this one.
    pub(super) kept: Vec<String>,
    /// Whether the call has more values than were compared.
    pub(super) is_cut: bool,
}

/// Compares the values of a call with those of earlier ones, where a rule asks.
pub(super) fn add(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    if !call.interest.same {
        return;
    }
    let mut values = facts.arguments.values().filter(|(_, value)| tells(value));
    let own: Vec<(&str, String)> =
        values.by_ref().take(MOST_COMPARED).map(|(path, value)| (path, same::digest(value.trim()))).collect();
    let is_cut = facts.is_cut || values.next().is_some();
    let mut found = SameFacts { is_cut, ..SameFacts::default() };
    let asked: BTreeSet<&str> = match call.interest.same_acts() {
        Some(asked) => asked.collect(),
        // What nobody ever did stands for all that nobody did.
        None => call.history.acts_with_values().into_iter().chain([""]).collect(),
    };
    for act in asked {
        for (path, digest) in &own {
            let had = call.history.had(act, digest);
            let told = if had { &mut found.same } else { &mut found.other };
            told.insert((act.to_owned(), (*path).to_owned()));
        }
        found.lost.extend(call.history.has_lost_values(act).then(|| act.to_owned()));
    }
    found.kept = kept(facts, call, &own, is_cut);
    facts.same = found;
}

/// What later calls have to know of this one.
fn kept(
    facts: &CallFacts<'_>,
    call: &Circumstances<'_>,
    own: &[(&str, String)],
    is_cut: bool,
) -> Vec<String> {
    let mut known = BTreeSet::new();
    let digests: Vec<&str> =
        own.iter().map(|(_, digest)| digest.as_str()).filter(|digest| known.insert(*digest)).collect();
    let mut shown: BTreeSet<&str> = facts.did.iter().map(String::as_str).collect();
    for deed in facts.flows.iter().flat_map(|flow| flow.deeds()) {
        shown.insert(deed);
    }
    let mut kept = Vec::new();
    for act in shown.into_iter().filter(|act| call.interest.asks_same(act)) {
        kept.extend(digests.iter().take(MOST_KEPT).map(|digest| same::had(act, digest)));
        kept.extend((is_cut || digests.len() > MOST_KEPT).then(|| same::lost(act)));
    }
    kept
}

/// Whether a value tells which thing is meant: that two calls both say `true` does not.
fn tells(value: &str) -> bool {
    !matches!(value.trim(), "" | "true" | "false")
}

impl SameFacts {
    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        for (act, path) in &self.same {
            add(ids.earlier_same, &[Value::Text(act), Value::Text(path)]);
        }
        for (act, path) in &self.other {
            add(ids.earlier_other, &[Value::Text(act), Value::Text(path)]);
        }
        // What was forgotten may have been a value of any argument.
        for act in &self.lost {
            let act = if act.is_empty() { Value::Unknown } else { Value::Text(act) };
            add(ids.earlier_same, &[act, Value::Unknown]);
        }
    }
}
