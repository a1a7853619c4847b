//! Why a call was decided as it was, in sentences.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::flow::{Call, Flow};
use crate::judgement::{Ground, Judgement, PairJudgement};
use crate::nearest::{Departure, Nearest, Outside};
use crate::policy::Policy;
use crate::resource::Resource;
use crate::rule::{Binding, Rule};
use crate::ruleset::RuleId;
use crate::words;

/// The explanation of one pair of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What would be done: "send /home/u/a.pdf to ann@acme.com".
    pub deed: String,
    /// Why it is decided so, in one sentence.
    pub because: String,
    /// For a question: in what the pair leaves the nearest rule, one sentence a dimension.
    pub leaves: Vec<String>,
}

impl Judgement {
    /// Explains every pair, in the order of [`Judgement::pairs`]. `policy` and `call` are those that were
    /// judged.
    pub fn explain(&self, policy: &Policy, call: &Call) -> Vec<Explanation> {
        self.pairs.iter().filter_map(|pair| explain(pair, policy, call)).collect()
    }
}

fn explain(pair: &PairJudgement, policy: &Policy, call: &Call) -> Option<Explanation> {
    let flow = call.flows.get(pair.flow)?;
    let (input, output) = (flow.inputs().get(pair.input)?, flow.outputs().get(pair.output)?);
    let deed = words::flow(flow, input, output);
    Some(Explanation {
        deed,
        because: because(&pair.ground, policy),
        leaves: leaves(&pair.ground, policy, flow, (input, output), call),
    })
}

fn because(ground: &Ground, policy: &Policy) -> String {
    match ground {
        Ground::Covered(rule) => format!("{} covers it", cite(policy, *rule)),
        Ground::Caught(rule) => format!("{} forbids it", cite(policy, *rule)),
        Ground::Conflict { allow, deny } => {
            format!(
                "{} covers it, {} forbids it, and neither is narrower",
                cite(policy, *allow),
                cite(policy, *deny)
            )
        }
        Ground::Uncovered(None) => "no rule in force allows anything".into(),
        Ground::Uncovered(Some(nearest)) => {
            format!("no rule covers it; nearest is {}", cite(policy, nearest.rule))
        }
    }
}

fn cite(policy: &Policy, id: RuleId) -> String {
    policy.entry(id).map_or_else(|| format!("rule {id}"), |entry| format!("rule {id} (`{}`)", entry.rule))
}

fn leaves(
    ground: &Ground,
    policy: &Policy,
    flow: &Flow,
    pair: (&Resource, &Resource),
    call: &Call,
) -> Vec<String> {
    let Ground::Uncovered(Some(nearest)) = ground else { return Vec::new() };
    policy
        .entry(nearest.rule)
        .map_or_else(Vec::new, |entry| departures(nearest, &entry.rule, flow, pair, call))
}

/// One sentence for each dimension: "the output: you allowed people at acme.com, this goes to
/// ann@vendor.net".
fn departures(
    nearest: &Nearest,
    rule: &Rule,
    flow: &Flow,
    pair: (&Resource, &Resource),
    call: &Call,
) -> Vec<String> {
    let Departure { input, output, effects, taint, server } = nearest.leaves;
    let boundary = &rule.boundary;
    let mut sentences = Vec::new();
    if input == Outside::Yes {
        let (allowed, used) = (words::scopes(&boundary.inputs), words::resource(pair.0));
        sentences.push(format!("the input: you allowed {allowed}, this comes from {used}"));
    }
    if output == Outside::Yes {
        let (allowed, used) = (words::scopes(&boundary.outputs), words::resource(pair.1));
        sentences.push(format!("the output: you allowed {allowed}, this goes to {used}"));
    }
    if !effects.is_empty() {
        let (allowed, used) = (words::any_effect(boundary.effects), words::effects(flow.effects()));
        sentences.push(format!("the effect: you allowed to {allowed}, this would {used}"));
    }
    if !taint.is_empty() {
        let (allowed, used) = (words::taint(boundary.taint), words::taint(flow.taint()));
        sentences.push(format!("the taint: you allowed {allowed}, this carries {used}"));
    }
    if server == Outside::Yes {
        let granted = match &rule.binding {
            Binding::Unbound => "any server",
            Binding::Known(name) | Binding::Own(name) => name,
        };
        let (granted, used) = (words::shown(granted), words::shown(&call.server.name));
        sentences.push(format!("the server: you allowed it through {granted}, this goes through {used}"));
    }
    sentences
}
