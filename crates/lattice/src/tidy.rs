//! Tidying: a smaller rule set that decides a recorded history alike.
//!
//! Rules become fewer in these ways, tried in this order until none can be. Rules whose time is over go, and rules that
//! another says anyway. Allows that no recorded call needs are dropped, scope by scope. Rules that differ in one side
//! only become one with both scopes there, which changes nothing for any call. Scopes beside each other are lifted to
//! what they have in common (two files to their folder), but never beyond a ceiling that the caller states, and not
//! where a deny is about the same. Nothing is done by which a recorded call would be decided otherwise. The result is a
//! proposal: nothing here applies it.
//!
//! Two kinds of rules are left alone. A deny goes only if another stands at the very same places: that nothing was
//! caught yet does not show that it is not needed. A single-use allow is an answer that waits for its call; the
//! history is decided alike with those and without them, since each is good for one call only.

use alloc::boxed::Box;
use alloc::vec::Vec;

use jiff::Timestamp;

use crate::absorb::may_contradict;
use crate::flow::Call;
use crate::judgement::Decision;
use crate::policy::Policy;
use crate::region::Region;
use crate::rule::{Action, Lifetime, Rule};
use crate::ruleset::{Entry, RuleId, Ruleset};
use crate::scope::Scope;
use crate::topology::Topology;

mod changes;

use changes::{lifted, narrowed, united};

/// A call that was decided once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The call.
    pub call: Call,
    /// When it was decided.
    pub at: Timestamp,
    /// In which session.
    pub session: Box<str>,
    /// How that session was laid out.
    pub topology: Topology,
}

/// A smaller rule set, and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The rules that would remain.
    pub rules: Ruleset,
    /// What was done, in order.
    pub steps: Vec<Step>,
}

/// One thing that made the rules fewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Its time is over.
    Expired(Entry),
    /// Another rule says it for every call.
    Superfluous(Entry),
    /// No recorded call needs it.
    Unused(Entry),
    /// No recorded call needs one of its scopes.
    Narrowed {
        /// The rule before.
        from: Entry,
        /// The rule after.
        into: Entry,
    },
    /// Two rules became one that says the same.
    United {
        /// The rules before.
        from: [Entry; 2],
        /// The rule after.
        into: Entry,
    },
    /// Scopes of a rule became one that holds them.
    Lifted {
        /// The rule before.
        from: Entry,
        /// The rule after.
        into: Entry,
        /// The scope that is new in it.
        scope: Scope,
    },
}

/// Proposes a smaller rule set for the session laid out by `topology`, at `now`. `ceiling` states how wide a
/// lifted scope may be; without one, nothing is lifted.
pub fn tidy(
    rules: &Ruleset,
    history: &[Recorded],
    ceiling: &[Scope],
    topology: &Topology,
    now: Timestamp,
) -> Proposal {
    let ceiling = Region::resolve_all(ceiling, topology);
    let history = history.iter().map(|recorded| Remembered::new(recorded, rules)).collect();
    let mut tidying = Tidying { rules: rules.clone(), history, ceiling, topology, now };
    let mut steps: Vec<Step> = Vec::new();
    while let Some((step, change)) = tidying.next() {
        tidying.apply(&change);
        steps.push(step);
    }
    Proposal { rules: tidying.rules, steps }
}

/// A recorded call, how the rules as they were decide it, and which of the present ones are about it.
struct Remembered<'h> {
    recorded: &'h Recorded,
    decisions: Decisions,
    about: Vec<RuleId>,
}

/// How a call is decided with the single-use rules, and by the lasting ones alone.
type Decisions = [Decision; 2];

fn decide(rules: &Ruleset, recorded: &Recorded) -> Decisions {
    let Recorded { call, at, session, topology } = recorded;
    let lasting =
        rules.entries().iter().filter(|entry| entry.rule.lifetime != Lifetime::Once).cloned().collect();
    [rules, &lasting].map(|rules| Policy::compile(rules, topology, session).decide(call, *at).decision)
}

impl<'h> Remembered<'h> {
    fn new(recorded: &'h Recorded, rules: &Ruleset) -> Remembered<'h> {
        let policy = Policy::compile(rules, &recorded.topology, &recorded.session);
        let about = ids(&policy.about(&recorded.call, recorded.at));
        Remembered { recorded, decisions: decide(rules, recorded), about }
    }

    /// Whether an entry, once it is in force, is about this call.
    fn concerns(&self, entry: &Entry) -> bool {
        let alone = Ruleset::from_iter([entry.clone()]);
        let policy = Policy::compile(&alone, &self.recorded.topology, &self.recorded.session);
        !policy.about(&self.recorded.call, self.recorded.at).entries().is_empty()
    }
}

fn ids(rules: &Ruleset) -> Vec<RuleId> {
    rules.entries().iter().map(|entry| entry.id).collect()
}

/// Rules to take out, and perhaps one to put in place of the one with its id.
struct Change {
    out: Vec<RuleId>,
    into: Option<Entry>,
}

impl Change {
    fn without(entry: &Entry) -> Change {
        Change { out: Vec::from([entry.id]), into: None }
    }

    fn of(entry: &Entry) -> Change {
        Change { out: Vec::new(), into: Some(entry.clone()) }
    }

    /// The rules after the change, of those that `keep` lets through.
    fn made_to(&self, rules: &Ruleset, keep: impl Fn(RuleId) -> bool) -> Ruleset {
        let stays = |entry: &&Entry| !self.out.contains(&entry.id) && keep(entry.id);
        let changed = |entry: &Entry| match &self.into {
            Some(into) if into.id == entry.id => into.clone(),
            _ => entry.clone(),
        };
        rules.entries().iter().filter(stays).map(changed).collect()
    }

    fn touches(&self, about: &[RuleId]) -> bool {
        let changed = self.into.as_ref().map(|entry| entry.id);
        self.out.iter().chain(&changed).any(|id| about.contains(id))
    }
}

struct Tidying<'t> {
    rules: Ruleset,
    history: Vec<Remembered<'t>>,
    ceiling: Region,
    topology: &'t Topology,
    now: Timestamp,
}

impl Tidying<'_> {
    /// The first thing that can be done, the surest first.
    fn next(&self) -> Option<(Step, Change)> {
        self.expired()
            .or_else(|| self.superfluous())
            .or_else(|| self.unused())
            .or_else(|| self.unite())
            .or_else(|| self.lift())
    }

    fn expired(&self) -> Option<(Step, Change)> {
        let mut candidates = self.rules.entries().iter().filter(|entry| entry.rule.is_over(self.now));
        let entry = candidates.find(|entry| self.decides_alike(&Change::without(entry)))?;
        Some((Step::Expired(entry.clone()), Change::without(entry)))
    }

    fn superfluous(&self) -> Option<(Step, Change)> {
        let mut candidates = self.rules.superfluous();
        let entry = candidates.find(|entry| self.decides_alike(&Change::without(entry)))?;
        Some((Step::Superfluous(entry.clone()), Change::without(entry)))
    }

    /// An allow, or a scope of one, that no recorded call needs. What another allow holds goes first, so that
    /// of two rules the one said more broadly stays.
    fn unused(&self) -> Option<(Step, Change)> {
        let held = |entry: &Entry| self.allows().any(|other| self.contains(other, entry));
        let (inner, outer): (Vec<&Entry>, Vec<&Entry>) = self.allows().partition(|entry| held(entry));
        let whole = |entry: &&&Entry| self.decides_alike(&Change::without(entry));
        if let Some(entry) = inner.iter().chain(&outer).find(whole) {
            return Some((Step::Unused((*entry).clone()), Change::without(entry)));
        }
        let narrower =
            self.allows().flat_map(|entry| narrowed(entry).into_iter().map(move |into| (entry, into)));
        let (from, into) = { narrower }.find(|(_, into)| self.decides_alike(&Change::of(into)))?;
        let change = Change::of(&into);
        Some((Step::Narrowed { from: from.clone(), into }, change))
    }

    fn contains(&self, outer: &Entry, inner: &Entry) -> bool {
        outer.id != inner.id && outer.rule.boundary.contains(&inner.rule.boundary, self.topology)
    }

    fn unite(&self) -> Option<(Step, Change)> {
        let entries = self.rules.entries();
        let pairs = entries.iter().enumerate().flat_map(|(number, first)| {
            entries
                .iter()
                .skip(number + 1)
                .filter_map(move |second| Some((first, second, united(first, second)?)))
        });
        let (first, second, into) = { pairs }.next()?;
        let change = Change { out: Vec::from([second.id]), into: Some(into.clone()) };
        Some((Step::United { from: [first.clone(), second.clone()], into }, change))
    }

    fn lift(&self) -> Option<(Step, Change)> {
        let liftable =
            self.allows().flat_map(|entry| lifted(entry).into_iter().map(move |lift| (entry, lift)));
        let stays_below = |scope: &Scope| self.ceiling.contains(&Region::resolve(scope, self.topology));
        let is_sound = |scope: &Scope, into: &Entry| {
            stays_below(scope) && !self.meets_a_deny(into) && self.decides_alike(&Change::of(into))
        };
        let (from, (scope, into)) = { liftable }.find(|(_, (scope, into))| is_sound(scope, into))?;
        let change = Change::of(&into);
        Some((Step::Lifted { from: from.clone(), into, scope }, change))
    }

    /// A lifted allow can be narrower than a deny, and would then let through what the deny stops today.
    fn meets_a_deny(&self, into: &Entry) -> bool {
        self.rules.entries().iter().any(|entry| may_contradict(&entry.rule, &into.rule))
    }

    /// The rules that tidying may drop or lift.
    fn allows(&self) -> impl Iterator<Item = &Entry> {
        let is_lasting = |rule: &Rule| rule.action == Action::Allow && rule.lifetime != Lifetime::Once;
        self.rules.entries().iter().filter(move |entry| is_lasting(&entry.rule))
    }

    /// Whether every recorded call is decided as before. Only rules about a call have a say in it, so only
    /// those are looked at.
    fn decides_alike(&self, change: &Change) -> bool {
        self.history.iter().all(|remembered| {
            let added = change.into.as_ref().filter(|entry| remembered.concerns(entry)).map(|entry| entry.id);
            if added.is_none() && !change.touches(&remembered.about) {
                return true;
            }
            let keep = |id: RuleId| remembered.about.contains(&id) || added == Some(id);
            decide(&change.made_to(&self.rules, keep), remembered.recorded) == remembered.decisions
        })
    }

    fn apply(&mut self, change: &Change) {
        for remembered in &mut self.history {
            let added = change.into.as_ref().filter(|entry| remembered.concerns(entry)).map(|entry| entry.id);
            let gone = |id: &RuleId| {
                change.out.contains(id) || change.into.as_ref().is_some_and(|into| into.id == *id)
            };
            remembered.about.retain(|id| !gone(id));
            remembered.about.extend(added);
        }
        self.rules = change.made_to(&self.rules, |_| true);
    }
}
