//! DECIDE: what the rules say about a call.
//!
//! The frontier of a pair is made of the rules about it with the most specific locations. Written as in the paper
//! it has to be found by comparing all rules with each other. Two questions give the same answer:
//!
//! - does an allow *speak*: one with no deny at its locations or inside them?
//! - does a deny *speak*: one with no allow strictly inside its locations?
//!
//! Only allows: permit. Only denies: deny. Both: they are incomparable, ask. Neither: no rule is about it, ask.
//!
//! A deny can leave one side open (`deny del from anywhere to /p/journal.md`): that side does not matter to it. Unless
//! an allow is strictly inside it as it stands, such a deny is compared as if it had the allow's own scope there.

use alloc::boxed::Box;
use alloc::vec::Vec;

use jiff::Timestamp;
use smallvec::SmallVec;

use crate::flow::{Call, Flow, Server};
use crate::index::{Cell, Endurance, Index, Matches, Place, ScopeId};
use crate::nearest::Nearest;
use crate::policy::Policy;
use crate::resource::Resource;
use crate::ruleset::{RuleId, Ruleset};

/// What to do with a call; the later is the stricter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// The rules let it pass.
    Permit,
    /// The user has to be asked.
    Ask,
    /// The rules refuse it.
    Deny,
}

impl Decision {
    /// The word users read.
    pub const fn name(self) -> &'static str {
        match self {
            Decision::Permit => "permit",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }
}

/// The decision on a call, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The strictest over all pairs; a call without flows is asked about.
    pub decision: Decision,
    /// The decision on every pair of input and output, flow by flow.
    pub pairs: SmallVec<[PairJudgement; 2]>,
    /// The single-use rules that the call uses up if it goes ahead. Empty unless it is permitted.
    pub consumed: SmallVec<[RuleId; 2]>,
}

/// The decision on one input and one output of a flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairJudgement {
    /// The number of the flow in the call.
    pub flow: usize,
    /// The number of the input in the flow.
    pub input: usize,
    /// The number of the output in the flow.
    pub output: usize,
    /// Why it was decided so.
    pub ground: Ground,
}

/// Why a pair was decided as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// This allow covers it, and every deny about it is wider.
    Covered(RuleId),
    /// This deny catches it, and no allow is narrower.
    Caught(RuleId),
    /// An allow covers it and a deny catches it, and neither is the narrower.
    Conflict {
        /// What would let it pass.
        allow: RuleId,
        /// What would refuse it.
        deny: RuleId,
    },
    /// No rule is about it. The nearest allow, if there is any.
    Uncovered(Option<Box<Nearest>>),
}

impl Ground {
    /// What follows from it.
    pub fn decision(&self) -> Decision {
        match self {
            Ground::Covered(_) => Decision::Permit,
            Ground::Caught(_) => Decision::Deny,
            Ground::Conflict { .. } | Ground::Uncovered(_) => Decision::Ask,
        }
    }

    /// The rules that decided.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        let (first, second) = match self {
            Ground::Covered(rule) | Ground::Caught(rule) => (Some(*rule), None),
            Ground::Conflict { allow, deny } => (Some(*allow), Some(*deny)),
            Ground::Uncovered(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

impl Policy {
    /// Decides a call at a time.
    pub fn decide(&self, call: &Call, now: Timestamp) -> Judgement {
        let mut judgement = self.judge(call, now, None);
        if judgement.consumed.len() > 1 {
            // Every pair chose for itself. What another pair needs anyway may make that choice needless.
            for spared in judgement.consumed.clone() {
                let rest: SmallVec<[RuleId; 2]> =
                    judgement.consumed.iter().copied().filter(|rule| *rule != spared).collect();
                let again = self.judge(call, now, Some(&rest));
                if again.decision == Decision::Permit {
                    judgement = again;
                }
            }
        }
        judgement
    }

    /// Decides a call with these single-use rules alone, or with all of them.
    fn judge(&self, call: &Call, now: Timestamp, single: Option<&[RuleId]>) -> Judgement {
        let pairs = call.flows.iter().map(|flow| flow.inputs().len() * flow.outputs().len()).sum();
        let mut judgement = Judgement {
            decision: Decision::Permit,
            pairs: SmallVec::with_capacity(pairs),
            consumed: SmallVec::new(),
        };
        for (number, flow) in call.flows.iter().enumerate() {
            Question { policy: self, flow, server: &call.server, now, single }.judge(number, &mut judgement);
        }
        if call.flows.is_empty() {
            judgement.decision = Decision::Ask;
        }
        if judgement.decision != Decision::Permit {
            judgement.consumed.clear();
        }
        judgement
    }

    /// The rules that are about some pair of a call by location. No other rule has a say in deciding it.
    pub fn about(&self, call: &Call, now: Timestamp) -> Ruleset {
        let mut positions: Vec<u32> = Vec::new();
        for flow in &call.flows {
            let question = Question { policy: self, flow, server: &call.server, now, single: None };
            for input in flow.inputs().iter().map(|input| question.around(input, Side::Input)) {
                for output in flow.outputs().iter().map(|output| question.around(output, Side::Output)) {
                    let allows = self.allows.around(&input.covering, &output.covering);
                    let denies = self.denies.around(&input.catching, &output.catching);
                    positions.extend(allows.chain(denies).map(|(_, _, cell)| cell.position));
                }
            }
        }
        positions.sort_unstable();
        positions.dedup();
        positions.iter().filter_map(|position| self.entries.get(*position as usize)).cloned().collect()
    }
}

/// One flow of a call, put to a policy.
pub(crate) struct Question<'q> {
    pub(crate) policy: &'q Policy,
    pub(crate) flow: &'q Flow,
    pub(crate) server: &'q Server,
    pub(crate) now: Timestamp,
    /// The single-use rules that may be used, if not all.
    single: Option<&'q [RuleId]>,
}

/// The scopes around one resource.
struct Around<'q> {
    resource: &'q Resource,
    covering: Matches,
    catching: Matches,
}

impl<'q> Question<'q> {
    fn judge(&self, flow: usize, judgement: &mut Judgement) {
        let outputs: SmallVec<[Around<'_>; 2]> =
            self.flow.outputs().iter().map(|output| self.around(output, Side::Output)).collect();
        for (input, resource) in self.flow.inputs().iter().enumerate() {
            let inputs = self.around(resource, Side::Input);
            for (output, outputs) in outputs.iter().enumerate() {
                let ground = self.pair(&inputs, outputs, &mut judgement.consumed);
                judgement.decision = judgement.decision.max(ground.decision());
                judgement.pairs.push(PairJudgement { flow, input, output, ground });
            }
        }
    }

    fn around<'r>(&self, resource: &'r Resource, side: Side) -> Around<'r> {
        let (allows, denies) = (&self.policy.allows, &self.policy.denies);
        let catching = match denies.is_empty() {
            true => Matches::new(),
            false => side.of(denies).catching(resource, self.flow.effects()),
        };
        Around { resource, covering: side.of(allows).covering(resource), catching }
    }

    fn pair(&self, input: &Around<'_>, output: &Around<'_>, consumed: &mut SmallVec<[RuleId; 2]>) -> Ground {
        let denied = self.denies(input, output).next().is_some();
        if !denied && let Some(allow) = self.allows(input, output).find(|allow| !allow.single) {
            return Ground::Covered(allow.rule);
        }
        let lasting: Candidates<'_> = self.allows(input, output).filter(|allow| !allow.single).collect();
        let ground = self.weigh(&lasting, input, output);
        // A single-use allow can be narrower than a deny, just as a lasting one can.
        if ground.decision() == Decision::Permit {
            return ground;
        }
        self.with_single(lasting, input, output, consumed)
    }

    /// Adds as few single-use rules as make the pair permitted, those first that the call uses up already.
    fn with_single(
        &self,
        lasting: Candidates<'_>,
        input: &Around<'_>,
        output: &Around<'_>,
        consumed: &mut SmallVec<[RuleId; 2]>,
    ) -> Ground {
        let mut single: Candidates<'_> = self.allows(input, output).filter(|allow| allow.single).collect();
        single.sort_by_key(|allow| !consumed.contains(&allow.rule));
        let weigh = |single: &[Candidate<'_>]| {
            let all: Candidates<'_> = lasting.iter().chain(single).copied().collect();
            self.weigh(&all, input, output)
        };
        let mut ground = weigh(&single);
        if ground.decision() != Decision::Permit {
            return self.explained(ground, input, output);
        }
        // Dropping from the end keeps those that are used up anyway.
        for position in (0..single.len()).rev() {
            let dropped = single.remove(position);
            match weigh(&single) {
                shorter if shorter.decision() == Decision::Permit => ground = shorter,
                _ => single.insert(position, dropped),
            }
        }
        for allow in single {
            if !consumed.contains(&allow.rule) {
                consumed.push(allow.rule);
            }
        }
        ground
    }

    /// Adds the nearest rule to a pair that no rule is about.
    fn explained(&self, ground: Ground, input: &Around<'_>, output: &Around<'_>) -> Ground {
        if ground != Ground::Uncovered(None) {
            return ground;
        }
        let places = (input.resource, output.resource);
        Ground::Uncovered(Nearest::find(self, places, (&input.covering, &output.covering)).map(Box::new))
    }

    /// Which rules about a pair speak, given the allows that count.
    fn weigh(&self, allows: &[Candidate<'_>], input: &Around<'_>, output: &Around<'_>) -> Ground {
        let mut speaking: SmallVec<[&Candidate<'_>; 8]> = allows.iter().collect();
        let mut deny = None;
        for candidate in self.denies(input, output) {
            speaking.retain(|allow| !candidate.silences(allow));
            if deny.is_none() && !allows.iter().any(|allow| allow.is_strictly_inside(&candidate)) {
                deny = Some(candidate.rule);
            }
            if deny.is_some() && speaking.is_empty() {
                break;
            }
        }
        match (speaking.first().map(|allow| allow.rule), deny) {
            (Some(allow), None) => Ground::Covered(allow),
            (None, Some(deny)) => Ground::Caught(deny),
            (Some(allow), Some(deny)) => Ground::Conflict { allow, deny },
            (None, None) => Ground::Uncovered(None),
        }
    }

    /// The allows that cover a pair in all four dimensions, the narrowest first.
    fn allows<'a>(
        &'a self,
        input: &'a Around<'_>,
        output: &'a Around<'_>,
    ) -> impl Iterator<Item = Candidate<'a>> {
        let index = &self.policy.allows;
        index.around(&input.covering, &output.covering).filter_map(move |(inputs, outputs, cell)| {
            let entry = self.policy.entries.get(cell.position as usize)?;
            let covers = self.flow.effects().is_subset(cell.effects)
                && self.flow.taint().is_subset(cell.taint)
                && cell.holds(self.now)
                && entry.rule.binding.admits(self.server)
                && (cell.endurance != Endurance::Single
                    || self.single.is_none_or(|usable| usable.contains(&entry.id)));
            covers.then(|| Candidate::of(index, inputs, outputs, cell, entry.id)).flatten()
        })
    }

    /// The denies that catch a pair, the narrowest first.
    fn denies<'a>(
        &'a self,
        input: &'a Around<'_>,
        output: &'a Around<'_>,
    ) -> impl Iterator<Item = Candidate<'a>> {
        let index = &self.policy.denies;
        index.around(&input.catching, &output.catching).filter_map(move |(inputs, outputs, cell)| {
            let catches = self.flow.effects().overlaps(cell.effects)
                && (cell.taint.is_empty() || cell.taint.overlaps(self.flow.taint()))
                && cell.holds(self.now);
            let entry = catches.then(|| self.policy.entries.get(cell.position as usize)).flatten()?;
            Candidate::of(index, inputs, outputs, cell, entry.id)
        })
    }
}

#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn of(self, index: &Index) -> &crate::index::Places {
        match self {
            Side::Input => &index.inputs,
            Side::Output => &index.outputs,
        }
    }
}

type Candidates<'p> = SmallVec<[Candidate<'p>; 8]>;

/// A rule about a pair, at the locations by which it is about it.
#[derive(Clone, Copy)]
struct Candidate<'p> {
    rule: RuleId,
    input: &'p Place,
    output: &'p Place,
    single: bool,
}

impl<'p> Candidate<'p> {
    fn of(
        index: &'p Index,
        input: ScopeId,
        output: ScopeId,
        cell: &Cell,
        rule: RuleId,
    ) -> Option<Candidate<'p>> {
        Some(Candidate {
            rule,
            input: index.inputs.place(input)?,
            output: index.outputs.place(output)?,
            single: cell.endurance == Endurance::Single,
        })
    }

    fn contains(&self, inner: &Candidate<'_>) -> bool {
        self.input.region.contains(&inner.input.region) && self.output.region.contains(&inner.output.region)
    }

    /// Whether this deny leaves an allow nothing to say: it is at the same locations or inside them.
    fn silences(&self, allow: &Candidate<'_>) -> bool {
        let inside = |mine: &Place, other: &Place| mine.is_anywhere || other.region.contains(&mine.region);
        inside(self.input, allow.input)
            && inside(self.output, allow.output)
            && !allow.is_strictly_inside(self)
    }

    fn is_strictly_inside(&self, outer: &Candidate<'_>) -> bool {
        outer.contains(self) && !self.contains(outer)
    }
}
