//! DECIDE: what the rules say about a call.
//!
//! The frontier of a pair is made of the rules about it with the most specific locations. Written as in the paper it has
//! to be found by comparing all rules with each other. Two questions give the same answer:
//!
//! - does an allow *speak*: one with no deny at its locations or inside them?
//! - does a deny *speak*: one with no speaking allow strictly inside its locations?
//!
//! Only allows: permit. Only denies: deny. Both: they are incomparable, ask. Neither: no rule is about it, ask.
//!
//! A deny can leave one side open (`deny del from anywhere to /p/journal.md`). That side does not matter to it, and the
//! other alone is compared. A deny that leaves both open is wider than every allow.

use alloc::boxed::Box;
use alloc::vec::Vec;

use jiff::Timestamp;
use smallvec::SmallVec;

use crate::flow::Call;
use crate::index::{Endurance, Index, Matches, Place, Places, ScopeId};
use crate::judgement::{Decision, Ground, Judgement, PairJudgement};
use crate::nearest::Nearest;
use crate::policy::{Asked, Policy};
use crate::resource::Resource;
use crate::rule::Lifetime;
use crate::ruleset::{RuleId, Ruleset};

impl Policy {
    /// Decides a call at a time.
    pub fn decide(&self, call: &Call, now: Timestamp) -> Judgement {
        let lasting = self.judge(call, now, &[]);
        if lasting.decision == Decision::Permit || !self.has_single_use {
            return lasting;
        }
        let mut usable = self.single_use(call, now);
        let judgement = self.judge(call, now, &usable);
        if judgement.decision != Decision::Permit {
            return judgement;
        }
        for spared in usable.clone() {
            let rest: RuleIds = usable.iter().copied().filter(|rule| *rule != spared).collect();
            if self.judge(call, now, &rest).decision == Decision::Permit {
                usable = rest;
            }
        }
        Judgement { consumed: usable.clone(), ..self.judge(call, now, &usable) }
    }

    /// Decides a call by the lasting rules and these single-use ones.
    fn judge(&self, call: &Call, now: Timestamp, usable: &[RuleId]) -> Judgement {
        let pairs = call.flows.iter().map(|flow| flow.inputs().len() * flow.outputs().len()).sum();
        let mut judgement = Judgement {
            decision: if call.flows.is_empty() { Decision::Ask } else { Decision::Permit },
            pairs: SmallVec::with_capacity(pairs),
            consumed: SmallVec::new(),
        };
        for (number, flow) in call.flows.iter().enumerate() {
            let asked = Asked { policy: self, flow, server: &call.server, now };
            Question { asked, usable }.judge(number, &mut judgement);
        }
        judgement
    }

    /// The single-use allows about a call.
    fn single_use(&self, call: &Call, now: Timestamp) -> RuleIds {
        let about = self.about(call, now);
        let single = about.entries().iter().filter(|entry| entry.rule.lifetime == Lifetime::Once);
        single.map(|entry| entry.id).collect()
    }

    /// The rules that are about some pair of a call by location. No other rule has a say in deciding it.
    pub fn about(&self, call: &Call, now: Timestamp) -> Ruleset {
        let mut positions: Vec<u32> = Vec::new();
        for flow in &call.flows {
            let question =
                Question { asked: Asked { policy: self, flow, server: &call.server, now }, usable: &[] };
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

type RuleIds = SmallVec<[RuleId; 2]>;

/// One flow of a call, put to a policy, and the single-use rules that may be used for it.
struct Question<'q> {
    asked: Asked<'q>,
    usable: &'q [RuleId],
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
            self.asked.flow.outputs().iter().map(|output| self.around(output, Side::Output)).collect();
        for (input, resource) in self.asked.flow.inputs().iter().enumerate() {
            let inputs = self.around(resource, Side::Input);
            for (output, outputs) in outputs.iter().enumerate() {
                let ground = self.pair(&inputs, outputs);
                judgement.decision = judgement.decision.max(ground.decision());
                judgement.pairs.push(PairJudgement { flow, input, output, ground });
            }
        }
    }

    fn around<'r>(&self, resource: &'r Resource, side: Side) -> Around<'r> {
        let (allows, denies) = (&self.asked.policy.allows, &self.asked.policy.denies);
        let catching = match denies.is_empty() {
            true => Matches::new(),
            false => side.of(denies).catching(resource, self.asked.flow.effects()),
        };
        Around { resource, covering: side.of(allows).covering(resource), catching }
    }

    fn pair(&self, input: &Around<'_>, output: &Around<'_>) -> Ground {
        // Mostly nothing is denied and something is allowed; then nothing needs to be compared.
        let denied = self.denies(input, output).next().is_some();
        if !denied && let Some(allow) = self.allows(input, output).next() {
            return Ground::Covered(allow.rule);
        }
        match self.weigh(input, output) {
            Ground::Uncovered(_) => {
                let (places, scopes) =
                    ((input.resource, output.resource), (&*input.covering, &*output.covering));
                Ground::Uncovered(Nearest::find(&self.asked, places, scopes).map(Box::new))
            }
            ground @ (Ground::Covered(_) | Ground::Caught(_) | Ground::Conflict { .. }) => ground,
        }
    }

    /// Which rules about a pair speak.
    fn weigh(&self, input: &Around<'_>, output: &Around<'_>) -> Ground {
        let mut speaking: SmallVec<[Candidate<'_>; 8]> = self.allows(input, output).collect();
        for deny in self.denies(input, output) {
            speaking.retain(|allow| !deny.silences(allow));
            if speaking.is_empty() {
                break;
            }
        }
        let speaks = |deny: &Candidate<'_>| !speaking.iter().any(|allow| deny.yields_to(allow));
        let deny = self.denies(input, output).find(speaks).map(|deny| deny.rule);
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
        let index = &self.asked.policy.allows;
        index.around(&input.covering, &output.covering).filter_map(move |(inputs, outputs, cell)| {
            let entry = self.asked.policy.entries.get(cell.position as usize)?;
            let covers = self.asked.flow.effects().is_subset(cell.effects)
                && self.asked.flow.taint().is_subset(cell.taint)
                && cell.holds(self.asked.now)
                && entry.rule.binding.admits(self.asked.server)
                && (cell.endurance != Endurance::Single || self.usable.contains(&entry.id));
            covers.then(|| Candidate::of(index, inputs, outputs, entry.id)).flatten()
        })
    }

    /// The denies that catch a pair, the narrowest first.
    fn denies<'a>(
        &'a self,
        input: &'a Around<'_>,
        output: &'a Around<'_>,
    ) -> impl Iterator<Item = Candidate<'a>> {
        let index = &self.asked.policy.denies;
        index.around(&input.catching, &output.catching).filter_map(move |(inputs, outputs, cell)| {
            let catches = self.asked.flow.effects().overlaps(cell.effects)
                && (cell.taint.is_empty() || cell.taint.overlaps(self.asked.flow.taint()))
                && cell.holds(self.asked.now);
            let entry = catches.then(|| self.asked.policy.entries.get(cell.position as usize)).flatten()?;
            Candidate::of(index, inputs, outputs, entry.id)
        })
    }
}

#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

impl Side {
    fn of(self, index: &Index) -> &Places {
        match self {
            Side::Input => &index.inputs,
            Side::Output => &index.outputs,
        }
    }
}

/// A rule about a pair, at the locations by which it is about it.
#[derive(Clone, Copy)]
struct Candidate<'p> {
    rule: RuleId,
    input: &'p Place,
    output: &'p Place,
}

impl<'p> Candidate<'p> {
    fn of(index: &'p Index, input: ScopeId, output: ScopeId, rule: RuleId) -> Option<Candidate<'p>> {
        Some(Candidate { rule, input: index.inputs.place(input)?, output: index.outputs.place(output)? })
    }

    /// Whether this deny leaves an allow nothing to say: where it cares, it is at the same places or inside them.
    fn silences(&self, allow: &Candidate<'_>) -> bool {
        let inside = |mine: &Place, other: &Place| mine.is_anywhere || other.region.contains(&mine.region);
        let cares = !(self.input.is_anywhere && self.output.is_anywhere);
        cares && inside(self.input, allow.input) && inside(self.output, allow.output)
    }

    /// Whether an allow is strictly narrower than this deny, where the deny cares.
    fn yields_to(&self, allow: &Candidate<'_>) -> bool {
        let around = |mine: &Place, other: &Place| mine.is_anywhere || mine.region.contains(&other.region);
        around(self.input, allow.input) && around(self.output, allow.output) && !self.silences(allow)
    }
}
