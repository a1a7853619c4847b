//! One file under `scenarios/` is one test: rules, a session, and the calls it makes, each with the decision
//! that is expected and the reason for it. Answers to questions become rules, as they would for a user.

use std::path::Path;

use jiff::Timestamp;
use portcullis::described::{DescribedCall, DescribedFlow, DescribedServer, DescribedSession, Understood};
use portcullis_lattice::{Call, Grant, Judgement, Lifetime, Policy, Rule, Ruleset};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    /// What it shows.
    about: String,
    /// The rules at the beginning, one a line, called by their line.
    #[serde(default)]
    rules: String,
    #[serde(default)]
    session: DescribedSession,
    #[serde(default)]
    server: DescribedServer,
    call: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    flows: Vec<DescribedFlow>,
    server: Option<DescribedServer>,
    now: Option<String>,
    expect: String,
    /// A part of the reason given, for every pair that was decided like the call.
    because: Vec<String>,
    /// The sentences that say in what the call leaves the nearest rule.
    #[serde(default)]
    leaves: Vec<String>,
    /// The rungs of the ladder in words, where the scenario is about them.
    ladder: Option<Vec<String>>,
    /// The rules that the call uses up.
    #[serde(default)]
    consumed: Vec<u64>,
    /// The user's answer.
    answer: Option<Answer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    /// The rung that is chosen, counted from 1; none is "never again".
    rung: Option<usize>,
    #[serde(default)]
    once: bool,
}

fn run(path: &Path) -> datatest_stable::Result<()> {
    let scenario: Scenario = toml::from_str(&std::fs::read_to_string(path)?)?;
    if scenario.about.is_empty() || scenario.call.is_empty() {
        return Err("a scenario says what it is about, and makes a call".into());
    }
    let mut rules = Ruleset::parse(&scenario.rules)?;
    for (step, number) in scenario.call.iter().zip(1..) {
        let described = DescribedCall {
            session: scenario.session.clone(),
            server: step.server.clone().unwrap_or_else(|| scenario.server.clone()),
            now: step.now.clone(),
            flows: step.flows.clone(),
        };
        judge(&mut rules, step, &described.understand()?)
            .map_err(|problem| format!("call {number}: {problem}"))?;
    }
    Ok(())
}

fn judge(rules: &mut Ruleset, step: &Step, understood: &Understood) -> Result<(), String> {
    let Understood { call, topology, session, now } = understood;
    let now = now.unwrap_or(Timestamp::UNIX_EPOCH);
    let policy = Policy::compile(rules, topology, session);
    let judgement = policy.decide(call, now);
    compare(step, &policy, call, &judgement)?;
    let ladder = policy.ladder(call, &judgement, now);
    if let Some(expected) = &step.ladder {
        same("ladder", expected, &ladder.rungs.iter().map(|rung| rung.covers.clone()).collect())?;
    }
    for used in &judgement.consumed {
        rules.revoke(*used);
    }
    for rule in answer(step, &policy, call, &judgement, now)? {
        rules.absorb(rule);
    }
    Ok(())
}

fn compare(step: &Step, policy: &Policy, call: &Call, judgement: &Judgement) -> Result<(), String> {
    let explained = judgement.explain(policy, call);
    same("decision", &step.expect, &judgement.decision.name().to_string())
        .map_err(|problem| format!("{problem}\n{explained:#?}"))?;
    let reasons = judgement.pairs.iter().zip(&explained);
    let reasons = reasons.filter(|(pair, _)| pair.ground.decision() == judgement.decision);
    let reasons: Vec<&String> = reasons.map(|(_, explanation)| &explanation.because).collect();
    if reasons.len() != step.because.len() {
        return Err(format!("{} reasons expected, given: {reasons:#?}", step.because.len()));
    }
    for (expected, given) in step.because.iter().zip(reasons) {
        if !given.contains(expected) {
            return Err(format!("the reason should say `{expected}`, but is `{given}`"));
        }
    }
    let leaves = explained.iter().flat_map(|explanation| explanation.leaves.clone()).collect();
    same("leaves", &step.leaves, &leaves)?;
    same("consumed", &step.consumed, &judgement.consumed.iter().map(|rule| rule.0).collect())
}

fn answer(
    step: &Step,
    policy: &Policy,
    call: &Call,
    judgement: &Judgement,
    now: Timestamp,
) -> Result<Vec<Rule>, String> {
    let Some(answer) = &step.answer else { return Ok(Vec::new()) };
    let lifetime = if answer.once { Lifetime::Once } else { Lifetime::Always };
    let grant = Grant { lifetime, grantor: "user".into(), reason: "".into() };
    let Some(number) = answer.rung else { return Ok(policy.never_again(call, judgement, &grant)) };
    let ladder = policy.ladder(call, judgement, now);
    let rung =
        ladder.rungs.get(number.saturating_sub(1)).ok_or_else(|| format!("there is no rung {number}"))?;
    Ok(rung.grant(&call.server, &grant))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, given: &T) -> Result<(), String> {
    if expected == given { Ok(()) } else { Err(format!("{what}: expected {expected:#?}, got {given:#?}")) }
}

datatest_stable::harness! {
    { test = run, root = "../../scenarios", pattern = r"\.toml$" },
}
