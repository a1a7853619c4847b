//! REFINE: from a question to a rule.
//!
//! The ladder is a short list of answers to "may it?", built from the call itself: this resource, its folder
//! or domain, the workspace or organisation, the realm. Input and output are bound together; effects are
//! exactly those used, taint exactly as found. A rung is offered only if its rules would let the call pass.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use jiff::Timestamp;

use crate::flags::Taint;
use crate::flow::{Call, Flow, Server};
use crate::judgement::{Decision, Ground, Judgement, PairJudgement};
use crate::order::maximal;
use crate::policy::Policy;
use crate::region::Region;
use crate::resource::Resource;
use crate::rule::{Binding, Boundary, Lifetime, Rule};
use crate::ruleset::{RuleId, Ruleset};
use crate::scope::Scope;
use crate::topology::Topology;
use crate::words;

mod steps;

pub(crate) use steps::common;
use steps::{Chain, Rise, Width};

/// The most rungs that a person is shown.
pub const MOST_RUNGS: usize = 7;

/// The answers that are offered for a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ladder {
    /// The options: one that is narrower than another comes before it.
    pub rungs: Vec<Rung>,
    /// Denies that no option can get past. With them there may be no rungs: the deny has to be revoked first.
    pub blocked_by: Vec<RuleId>,
}

/// One option: what would be allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rung {
    /// The boundaries that would be granted, one for each flow that asks.
    pub boundaries: Vec<Boundary>,
    /// What would be allowed, in words.
    pub covers: String,
    /// What that is more than the call itself, in words; nothing for a rung that allows no more.
    pub beyond: Option<String>,
}

/// What goes with the choice of a rung to make it a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// How long it shall hold.
    pub lifetime: Lifetime,
    /// Who says so.
    pub grantor: Box<str>,
    /// Why, in their words; may be empty.
    pub reason: Box<str>,
}

impl Rung {
    /// The rules that the choice of this rung for a call through `server` becomes, one for each flow that
    /// asked.
    pub fn grant(&self, server: &Server, grant: &Grant) -> Vec<Rule> {
        let rule = |boundary: &Boundary| Rule {
            lifetime: grant.lifetime.clone(),
            binding: Binding::granted_through(server),
            grantor: grant.grantor.clone(),
            reason: grant.reason.clone(),
            ..Rule::allow(boundary.clone())
        };
        self.boundaries.iter().map(rule).collect()
    }

    fn contains(&self, inner: &Rung, topology: &Topology) -> bool {
        let held = |inner: &Boundary| self.boundaries.iter().any(|outer| outer.contains(inner, topology));
        inner.boundaries.iter().all(held)
    }
}

impl Policy {
    /// The options for a call that was judged. There are none if nothing is asked, or if it is refused.
    pub fn ladder(&self, call: &Call, judgement: &Judgement, now: Timestamp) -> Ladder {
        let asking = asking(call, judgement);
        let rungs = match judgement.decision {
            Decision::Ask if !asking.is_empty() => self.rungs(call, &asking, now),
            Decision::Ask | Decision::Permit | Decision::Deny => Vec::new(),
        };
        let blocked_by = if rungs.is_empty() { denies(judgement) } else { Vec::new() };
        Ladder { rungs, blocked_by }
    }

    fn rungs(&self, call: &Call, asking: &[Asking<'_>], now: Timestamp) -> Vec<Rung> {
        let about = self.about(call, now);
        let chains: Vec<(Chain, Chain)> = asking.iter().map(|flow| flow.chains(self.topology())).collect();
        let mut rungs: Vec<Rung> = Vec::new();
        for rise in rises(asking) {
            let boundaries = boundaries(asking, &chains, rise, self.topology());
            let is_new = rungs.iter().all(|rung| rung.boundaries != boundaries);
            if is_new && self.would_permit(&about, &boundaries, call, now) {
                let covers = words::list(boundaries.iter().map(words::boundary).collect());
                let beyond = self.more_than(asking, &boundaries);
                let rung = Rung { boundaries, covers, beyond };
                let place = rungs.iter().position(|wider| wider.contains(&rung, self.topology()));
                rungs.insert(place.unwrap_or(rungs.len()), rung);
            }
        }
        while rungs.len() > MOST_RUNGS {
            // The narrow ones are what most answers should be, the widest is the end of the ladder.
            rungs.remove(rungs.len() - 2);
        }
        rungs
    }

    fn would_permit(&self, about: &Ruleset, boundaries: &[Boundary], call: &Call, now: Timestamp) -> bool {
        let mut rules = about.clone();
        for boundary in boundaries {
            rules.add(Rule::allow(boundary.clone()));
        }
        // The rules about a call hold in this session, or they would not be in this policy.
        self.like_this(&rules).decide(call, now).decision == Decision::Permit
    }

    /// The scopes of a rung that hold more than the resources asked about on their side.
    fn more_than(&self, asking: &[Asking<'_>], boundaries: &[Boundary]) -> Option<String> {
        let inputs: Vec<&Resource> = asking.iter().flat_map(|flow| flow.inputs.iter().copied()).collect();
        let outputs: Vec<&Resource> = asking.iter().flat_map(|flow| flow.outputs.iter().copied()).collect();
        let is_asked = |scope: &Scope, used: &[&Resource]| {
            let region = Region::resolve(scope, self.topology());
            used.iter().any(|resource| Chain::exact(resource, self.topology()).contains(&region))
        };
        let sides = boundaries
            .iter()
            .flat_map(|boundary| [(&boundary.inputs, &inputs), (&boundary.outputs, &outputs)]);
        let scopes =
            sides.flat_map(|(scopes, used)| scopes.iter().filter(move |scope| !is_asked(scope, used)));
        let mut more: Vec<String> = Vec::new();
        for word in scopes.map(words::scope) {
            if !more.contains(&word) {
                more.push(word);
            }
        }
        (!more.is_empty()).then(|| format!("not only this, but {}", words::list(more)))
    }

    /// The rules that refuse a call like this one from now on: "never again". What was not asked about is not denied.
    /// A deny cannot hold once: refusing one call needs no rule.
    pub fn never_again(&self, call: &Call, judgement: &Judgement, grant: &Grant) -> Vec<Rule> {
        if grant.lifetime == Lifetime::Once {
            return Vec::new();
        }
        let exact = |resources: &[&Resource]| {
            Chain::build(resources, Width::Itself, self.topology()).at(Rise::Steps(0))
        };
        let mut rules = Vec::new();
        for (number, flow) in call.flows.iter().enumerate() {
            for (position, input) in flow.inputs().iter().enumerate() {
                let is_open = |pair: &&PairJudgement| {
                    (pair.flow, pair.input) == (number, position) && pair.ground.decision() == Decision::Ask
                };
                let open = judgement.pairs.iter().filter(is_open);
                let outputs: Vec<&Resource> =
                    open.filter_map(|pair| flow.outputs().get(pair.output)).collect();
                if !outputs.is_empty() {
                    let (inputs, outputs) = (exact(&[input]), exact(&outputs));
                    let boundary = Boundary { inputs, outputs, taint: Taint::EMPTY, effects: flow.effects() };
                    rules.push(Rule {
                        lifetime: grant.lifetime.clone(),
                        grantor: grant.grantor.clone(),
                        reason: grant.reason.clone(),
                        ..Rule::deny(boundary)
                    });
                }
            }
        }
        rules
    }
}

/// The part of a flow that is asked about.
struct Asking<'c> {
    flow: &'c Flow,
    inputs: Vec<&'c Resource>,
    outputs: Vec<&'c Resource>,
}

impl Asking<'_> {
    /// The ways up of both sides. Data that carries labels is not offered a whole realm: nobody should give that
    /// away in passing.
    fn chains(&self, topology: &Topology) -> (Chain, Chain) {
        let widest = if self.flow.taint().is_empty() { Width::Realm } else { Width::Group };
        let chain = |resources| Chain::build(resources, widest, topology);
        (chain(&self.inputs), chain(&self.outputs))
    }

    /// Whether the flow ends where it begins, as deleting does; then its sides rise together.
    fn stays_in_place(&self) -> bool {
        self.inputs == self.outputs
    }
}

fn asking<'c>(call: &'c Call, judgement: &Judgement) -> Vec<Asking<'c>> {
    let mut asking: Vec<Asking<'c>> = Vec::new();
    for (number, flow) in call.flows.iter().enumerate() {
        let pairs = judgement.pairs.iter().filter(|pair| pair.flow == number);
        let open: Vec<_> = pairs.filter(|pair| pair.ground.decision() == Decision::Ask).collect();
        let named = |resources: &'c [Resource], asked: &dyn Fn(usize) -> bool| -> Vec<&'c Resource> {
            resources
                .iter()
                .enumerate()
                .filter(|(number, _)| asked(*number))
                .map(|(_, resource)| resource)
                .collect()
        };
        let inputs = named(flow.inputs(), &|number| open.iter().any(|pair| pair.input == number));
        let outputs = named(flow.outputs(), &|number| open.iter().any(|pair| pair.output == number));
        if !open.is_empty() {
            asking.push(Asking { flow, inputs, outputs });
        }
    }
    asking
}

fn denies(judgement: &Judgement) -> Vec<RuleId> {
    let deny = |ground: &Ground| match ground {
        Ground::Caught(deny) | Ground::Conflict { deny, .. } => Some(*deny),
        Ground::Covered(_) | Ground::Uncovered(_) => None,
    };
    let mut denies: Vec<RuleId> = judgement.pairs.iter().filter_map(|pair| deny(&pair.ground)).collect();
    denies.sort_unstable();
    denies.dedup();
    denies
}

/// How far up input and output go, rung by rung. Where one flow asks that goes from one place to another, each side
/// first takes a step by itself; then all sides rise together, none growing wider than the others may.
fn rises(asking: &[Asking<'_>]) -> Vec<(Rise, Rise)> {
    let one_way = matches!(asking, [flow] if !flow.stays_in_place());
    let steps: &[(usize, usize)] = if one_way { &[(0, 0), (1, 0), (0, 1), (1, 1)] } else { &[] };
    let steps = steps.iter().map(|(input, output)| (Rise::Steps(*input), Rise::Steps(*output)));
    steps.chain(Width::ALL.into_iter().map(|width| (Rise::UpTo(width), Rise::UpTo(width)))).collect()
}

fn boundaries(
    asking: &[Asking<'_>],
    chains: &[(Chain, Chain)],
    (input, output): (Rise, Rise),
    topology: &Topology,
) -> Vec<Boundary> {
    let boundary = |(flow, (inputs, outputs)): (&Asking<'_>, &(Chain, Chain))| Boundary {
        inputs: inputs.at(input),
        outputs: outputs.at(output),
        taint: flow.flow.taint(),
        effects: flow.flow.effects(),
    };
    let all = asking.iter().zip(chains).map(boundary).collect();
    maximal(all, |outer: &Boundary, inner: &Boundary| outer.contains(inner, topology))
}
