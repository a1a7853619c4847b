//! Rules made ready to decide in one session.

use alloc::vec::Vec;

use jiff::Timestamp;

use crate::flow::{Flow, Server};
use crate::index::Index;
use crate::rule::{Action, Lifetime};
use crate::ruleset::{Entry, RuleId, Ruleset};
use crate::topology::Topology;

/// The rules that can hold in a session, indexed. It does not change: a grant, a revocation or another
/// topology makes a new one.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) entries: Vec<Entry>,
    pub(crate) allows: Index,
    pub(crate) denies: Index,
    /// Whether some allow is for one call only.
    pub(crate) has_single_use: bool,
    topology: Topology,
}

/// One flow of a call, put to a policy at a time.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'q> {
    pub(crate) policy: &'q Policy,
    pub(crate) flow: &'q Flow,
    pub(crate) server: &'q Server,
    pub(crate) now: Timestamp,
}

impl Policy {
    /// Indexes the rules for the session called `session`. Rules of other sessions are left out.
    pub fn compile(rules: &Ruleset, topology: &Topology, session: &str) -> Policy {
        let is_here = |entry: &&Entry| entry.rule.is_for(session);
        Policy::index(rules.entries().iter().filter(is_here).cloned().collect(), topology)
    }

    /// These rules, all of which hold in this policy's session, in place of its own.
    pub(crate) fn like_this(&self, rules: &Ruleset) -> Policy {
        Policy::index(rules.entries().to_vec(), &self.topology)
    }

    fn index(entries: Vec<Entry>, topology: &Topology) -> Policy {
        let of = |action| {
            let numbered = entries.iter().zip(0..).map(|(entry, position)| (position, &entry.rule));
            Index::build(numbered.filter(move |(_, rule)| rule.action == action), topology)
        };
        let (allows, denies) = (of(Action::Allow), of(Action::Deny));
        let has_single_use = entries.iter().any(|entry| entry.rule.lifetime == Lifetime::Once);
        Policy { entries, allows, denies, has_single_use, topology: topology.clone() }
    }

    /// The session's layout that the rules were indexed for.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The rules that can hold here, in their order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The rule of this name.
    pub fn entry(&self, id: RuleId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}
