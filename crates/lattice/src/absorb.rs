//! Leaving out what is said already: a rule inside a broader one of the same kind.
//!
//! Not every such rule is superfluous. A narrow allow may be what survives a deny, so it is left out only
//! where no deny is about the same flows, or where the broader one stands at the very same places; then no
//! decision on any call changes. A deny that comes later may find less to yield to, which is the safe side. A
//! narrow deny may be what will stop an allow, still to come, that the broad deny yields to. So a deny is
//! left out only where another stands at the very same places.

use alloc::vec::Vec;

use crate::region::Region;
use crate::rule::{Action, Lifetime, Locations, Rule};
use crate::ruleset::{Entry, RuleId, Ruleset};
use crate::topology::Topology;

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
    pub fn absorb(&mut self, rule: Rule, topology: &Topology) -> Absorbed {
        let new = Placed::new(&rule, topology);
        let placed: Vec<Placed<'_>> =
            self.entries().iter().map(|entry| Placed::new(&entry.rule, topology)).collect();
        let everyone = || placed.iter();
        let said_by = everyone().zip(self.entries()).find(|(old, _)| old.makes_superfluous(&new, everyone()));
        if let Some((_, entry)) = said_by {
            return Absorbed::Covered(entry.id);
        }
        let pairs = everyone().zip(self.entries());
        let superfluous =
            pairs.filter(|(old, _)| new.makes_superfluous(old, everyone())).map(|(_, entry)| entry.id);
        let superfluous: Vec<RuleId> = superfluous.collect();
        let taken = superfluous.into_iter().filter_map(|id| Some(Entry { id, rule: self.revoke(id)? }));
        let replaced = taken.collect();
        Absorbed::Added { id: self.add(rule), replaced }
    }

    /// A rule that another makes superfluous, if there is one; of two equal rules the younger.
    pub fn superfluous(&self, topology: &Topology) -> Option<&Entry> {
        let placed: Vec<Placed<'_>> =
            self.entries().iter().map(|entry| Placed::new(&entry.rule, topology)).collect();
        let is_superfluous = |number: usize, rule: &Placed<'_>| {
            let mut others = placed.iter().enumerate().filter(|(other, _)| *other != number);
            others.any(|(_, other)| other.makes_superfluous(rule, placed.iter()))
        };
        let number = (0..placed.len())
            .rev()
            .find(|number| placed.get(*number).is_some_and(|rule| is_superfluous(*number, rule)))?;
        self.entries().get(number)
    }
}

/// Whether one of two rules allows and the other denies, and some flow could be about both.
pub(crate) fn may_contradict(left: &Rule, right: &Rule, topology: &Topology) -> bool {
    left.action != right.action
        && Placed::new(left, topology).may_be_about_flows_of(&Placed::new(right, topology))
}

/// A rule and where it lies in a session.
struct Placed<'r> {
    rule: &'r Rule,
    locations: Locations,
}

impl<'r> Placed<'r> {
    fn new(rule: &'r Rule, topology: &Topology) -> Placed<'r> {
        Placed { rule, locations: rule.boundary.locations(topology) }
    }

    /// Whether every decision stays the same without `inner`, as long as this rule is there.
    fn makes_superfluous<'a>(&self, inner: &Placed<'_>, all: impl Iterator<Item = &'a Placed<'a>>) -> bool
    where
        'r: 'a,
    {
        self.rule.action == inner.rule.action
            && self.says_all_of(inner)
            && match self.rule.action {
                Action::Deny => self.stands_where(inner),
                Action::Allow => {
                    let mut denies = all.filter(|other| other.rule.action == Action::Deny);
                    self.stands_where(inner) || !denies.any(|deny| deny.may_be_about_flows_of(inner))
                }
            }
    }

    fn says_all_of(&self, inner: &Placed<'_>) -> bool {
        let (outer, rule) = (&self.rule.boundary, &inner.rule.boundary);
        let taint = match self.rule.action {
            Action::Allow => rule.taint.is_subset(outer.taint),
            // For a deny, no labels are all labels.
            Action::Deny => {
                outer.taint.is_empty() || (!rule.taint.is_empty() && rule.taint.is_subset(outer.taint))
            }
        };
        taint
            && rule.effects.is_subset(outer.effects)
            && self.locations.contain(&inner.locations)
            && self.rule.binding.contains(&inner.rule.binding)
            && outlives(&self.rule.lifetime, &inner.rule.lifetime)
    }

    /// The same scopes, so that each is as specific as the other in every case.
    fn stands_where(&self, other: &Placed<'_>) -> bool {
        let (mine, theirs) = (&self.rule.boundary, &other.rule.boundary);
        theirs.inputs.iter().all(|scope| mine.inputs.contains(scope))
            && theirs.outputs.iter().all(|scope| mine.outputs.contains(scope))
    }

    fn may_be_about_flows_of(&self, other: &Placed<'_>) -> bool {
        self.rule.boundary.effects.overlaps(other.rule.boundary.effects)
            && may_meet(&self.locations.input, &other.locations.input)
            && may_meet(&self.locations.output, &other.locations.output)
    }
}

/// Whether a use of one resource could be about both regions. Denies catch by name whatever the realm, so
/// realms are left out of it.
fn may_meet(left: &Region, right: &Region) -> bool {
    let names = |region: &Region| region.parts().iter().map(|part| part.names.clone()).collect::<Vec<_>>();
    names(left).iter().any(|left| {
        names(right).iter().any(|right| match (left, right) {
            (Some(left), Some(right)) => left.overlaps(right),
            (Some(names), None) | (None, Some(names)) => names.head().is_network(),
            (None, None) => true,
        })
    })
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
