//! Calls that the audit log tells of, decided anew.

use std::collections::BTreeMap;

use jiff::Timestamp;
use portcullis_gateway::{RecordedCall, RecordedLayout, kind};
use portcullis_lattice::words::shown;
use portcullis_lattice::{Decision, Policy, Recorded, Ruleset, Topology};
use portcullis_store::{EntryFilter, Order, Store};

use super::super::audit::deeds;
use crate::failure::Failure;

/// So many calls are looked at, the newest.
const MOST_CALLS: u32 = 5_000;

/// Calls of the past.
pub(super) struct History {
    pub(super) calls: Vec<Past>,
    /// So many do not tell enough to be decided again.
    pub(super) untold: usize,
}

/// A call of the past.
pub(super) struct Past {
    pub(super) recorded: Recorded,
    /// What it did, in words.
    pub(super) told: String,
    layout: String,
}

/// A call that other rules decide otherwise.
pub(super) struct Turned<'h> {
    pub(super) past: &'h Past,
    pub(super) before: Decision,
    pub(super) after: Decision,
}

impl History {
    /// Reads the log, the oldest call first.
    pub(super) fn read(store: &dyn Store) -> Result<History, Failure> {
        let of_kind = |kind: &str| EntryFilter { kind: Some(kind.to_owned()), ..EntryFilter::default() };
        let layouts: BTreeMap<String, Topology> = store
            .entries(&of_kind(kind::OPENED))?
            .iter()
            .filter_map(|entry| serde_json::from_str::<RecordedLayout>(&entry.body).ok())
            .filter_map(|opened| Some((opened.layout, opened.session.topology().ok()?)))
            .collect();
        let newest = EntryFilter { order: Order::NewestFirst, limit: MOST_CALLS, ..of_kind(kind::VERDICT) };
        let mut history = History { calls: Vec::new(), untold: 0 };
        for entry in store.entries(&newest)?.into_iter().rev() {
            let past = RecordedCall::read(&entry.body).and_then(|call| {
                let layout = call.layout.clone()?;
                let recorded = Recorded {
                    call: call.call()?,
                    at: entry.time,
                    session: entry.session?.to_string().into(),
                    topology: layouts.get(&layout)?.clone(),
                };
                let deeds: Vec<String> = call.flows.iter().flat_map(deeds).collect();
                let told = format!("{}.{}: {}", shown(&call.server), shown(&call.tool), deeds.join("; "));
                Some(Past { recorded, told, layout })
            });
            match past {
                Some(past) => history.calls.push(past),
                None => history.untold += 1,
            }
        }
        Ok(history)
    }

    /// The calls that would be decided otherwise now, by rules alone. Equal ones are told once.
    pub(super) fn turned(&self, before: &Ruleset, after: &Ruleset, now: Timestamp) -> Vec<Turned<'_>> {
        let mut policies: BTreeMap<(&str, &str), [Policy; 2]> = BTreeMap::new();
        let mut turned: Vec<Turned<'_>> = Vec::new();
        for past in &self.calls {
            let Recorded { call, session, topology, .. } = &past.recorded;
            let [old, new] = policies
                .entry((&past.layout, session))
                .or_insert_with(|| [before, after].map(|rules| Policy::compile(rules, topology, session)));
            let [before, after] = [&*old, &*new].map(|policy| policy.decide(call, now).decision);
            let is_told = || turned.iter().any(|one| one.past.told == past.told && one.after == after);
            if before != after && !is_told() {
                turned.push(Turned { past, before, after });
            }
        }
        turned
    }
}
