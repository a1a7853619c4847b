//! Leaving out what is said already: a rule inside a broader one of the same kind.
//!
//! Rules outlive sessions, so what counts is whether one is inside the other however a session is laid out. And not
//! every such rule is superfluous. A narrow allow may be what survives a deny, so it is left out only where no deny is
//! about the same flows, or where the broader one stands at the very same places; then no decision on any call changes.
//! A deny that comes later may find less to yield to, which is the safe side. A narrow deny may be what will stop an
//! allow, still to come, that the broad deny yields to. So a deny is left out only where another stands at the very
//! same places.

use alloc::vec::Vec;

use crate::rule::{Action, Lifetime, Rule};
use crate::ruleset::{Entry, RuleId, Ruleset};
use crate::scope::Scope;

/// What became of a rule that was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Absorbed {
    /// It is new; these were said by it too and are gone.
    Added {
        /// What the new rule is called.
        id: RuleId,
        /// The rules that it made superfluous.
        replaced: Vec<Entry>,
    },
    /// This rule said it already.
    Covered(RuleId),
}

impl Ruleset {
    /// Adds a rule, unless it is said already, and takes out what it makes superfluous.
    pub fn absorb(&mut self, rule: Rule) -> Absorbed {
        if let Some(entry) = self.entries().iter().find(|entry| self.says(&entry.rule, &rule)) {
            return Absorbed::Covered(entry.id);
        }
        let superfluous =
            self.entries().iter().filter(|entry| self.says(&rule, &entry.rule)).map(|entry| entry.id);
        let superfluous: Vec<RuleId> = superfluous.collect();
        let taken = superfluous.into_iter().filter_map(|id| Some(Entry { id, rule: self.revoke(id)? }));
        let replaced = taken.collect();
        Absorbed::Added { id: self.add(rule), replaced }
    }

    /// The rules that another one makes superfluous; of two equal rules the younger. To take one out may make another
    /// needed.
    pub fn superfluous(&self) -> impl Iterator<Item = &Entry> {
        let is_said = |number: usize, entry: &Entry| {
            let mut others = self.entries().iter().enumerate().filter(|(other, _)| *other != number);
            // Of rules that say the same the first stays.
            others.any(|(other, outer)| {
                self.says(&outer.rule, &entry.rule)
                    && (other < number || !self.says(&entry.rule, &outer.rule))
            })
        };
        self.entries()
            .iter()
            .enumerate()
            .filter(move |(number, entry)| is_said(*number, entry))
            .map(|(_, entry)| entry)
    }

    /// Whether no decision changes without `inner`, beside `outer` and the rules of this set.
    fn says(&self, outer: &Rule, inner: &Rule) -> bool {
        let mut denies = self.entries().iter().filter(|entry| entry.rule.action == Action::Deny);
        says_all_of(outer, inner)
            && (stands_where(outer, inner)
                || (outer.action == Action::Allow && !denies.any(|deny| may_contradict(&deny.rule, inner))))
    }
}

/// Whether one of two rules allows and the other denies, and some flow could be about both.
pub(crate) fn may_contradict(left: &Rule, right: &Rule) -> bool {
    let meet = |left: &[Scope], right: &[Scope]| {
        left.iter().any(|left| right.iter().any(|right| left.may_meet(right)))
    };
    left.action != right.action
        && left.boundary.effects.overlaps(right.boundary.effects)
        && meet(&left.boundary.inputs, &right.boundary.inputs)
        && meet(&left.boundary.outputs, &right.boundary.outputs)
}

fn says_all_of(outer: &Rule, inner: &Rule) -> bool {
    let (wide, narrow) = (&outer.boundary, &inner.boundary);
    let taint = match outer.action {
        Action::Allow => narrow.taint.is_subset(wide.taint),
        // For a deny, no labels are all labels.
        Action::Deny => {
            wide.taint.is_empty() || (!narrow.taint.is_empty() && narrow.taint.is_subset(wide.taint))
        }
    };
    let holds = |wide: &[Scope], narrow: &[Scope]| {
        narrow.iter().all(|inner| wide.iter().any(|outer| outer.always_contains(inner)))
    };
    outer.action == inner.action
        && taint
        && narrow.effects.is_subset(wide.effects)
        && holds(&wide.inputs, &narrow.inputs)
        && holds(&wide.outputs, &narrow.outputs)
        && outer.binding.contains(&inner.binding)
        && outlives(&outer.lifetime, &inner.lifetime)
}

/// The same scopes, so that each rule is as specific as the other in every case.
fn stands_where(outer: &Rule, inner: &Rule) -> bool {
    let (wide, narrow) = (&outer.boundary, &inner.boundary);
    narrow.inputs.iter().all(|scope| wide.inputs.contains(scope))
        && narrow.outputs.iter().all(|scope| wide.outputs.contains(scope))
}

/// Whether a rule with the first lifetime holds whenever one with the second does, for as many calls.
fn outlives(outer: &Lifetime, inner: &Lifetime) -> bool {
    match (outer, inner) {
        (Lifetime::Always, _) => true,
        (Lifetime::Until(outer), Lifetime::Until(inner)) => outer >= inner,
        (Lifetime::Session(outer), Lifetime::Session(inner)) => outer == inner,
        // Two single-use rules are good for two calls.
        (Lifetime::Once | Lifetime::Until(_) | Lifetime::Session(_), _) => false,
    }
}
