//! The engine against the naive evaluator, on a hundred thousand generated calls and more.

use std::cell::RefCell;
use std::collections::BTreeMap;

use portcullis_lattice::{Action, Call, Decision, Ground, Judgement, Policy, RuleId, Ruleset};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestError, TestRunner};

use crate::generators::{SESSION, config, crossing_plan, crossing_rule, layout, now, plan, report, rule};
use crate::language::Languages;
use crate::naive::{Naive, Pair, Places, Tagged, Verdict};

const POLICIES: u32 = 2_500;
const CALLS: usize = 40;

#[test]
fn the_engine_agrees_with_the_naive_evaluator() {
    let languages = RefCell::new(Languages::default());
    let tally = RefCell::new(BTreeMap::<Verdict, usize>::new());
    let sessions = prop_oneof![
        2 => (vec(rule(), 0..20), vec(plan(), CALLS)),
        1 => (vec(crossing_rule(), 0..8), vec(crossing_plan(), CALLS)),
    ];
    let outcome = TestRunner::new(config(POLICIES)).run(&(layout(), sessions), |(layout, (rules, plans))| {
        let topology = layout.topology();
        let mut ruleset = Ruleset::new();
        for rule in rules {
            ruleset.add(rule);
        }
        let policy = Policy::compile(&ruleset, &topology, SESSION);
        let languages = &mut *languages.borrow_mut();
        let mut naive = Naive::new(ruleset.entries(), Places::new(languages, &layout));
        for plan in plans {
            let call = plan.call(&topology);
            let judgement = policy.decide(&call, now());
            check_call(&mut naive, &call, &judgement, &mut tally.borrow_mut()).map_err(|error| {
                TestCaseError::fail(format!(
                    "{error}\nin {layout:?} under\n{ruleset}{call:#?}\n{judgement:#?}"
                ))
            })?;
        }
        Ok(())
    });
    match outcome {
        // The reason says it shorter than the generated values, among which are forty calls.
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(aborted) => panic!("{aborted}"),
        Ok(()) => {}
    }
    let tally = tally.into_inner();
    let judged: usize = tally.values().sum();
    assert!(judged >= config(POLICIES).cases as usize * CALLS, "only {judged} pairs were judged");
    for verdict in [Verdict::Permit, Verdict::Deny, Verdict::Conflict, Verdict::Uncovered] {
        let share = tally.get(&verdict).copied().unwrap_or(0) * 100;
        assert!(share >= 2 * judged, "{verdict:?} is too rare among {judged} pairs: {tally:?}");
    }
    report(&format!("{judged} pairs judged: {tally:?}"));
}

fn check_call(
    naive: &mut Naive<'_>,
    call: &Call,
    judgement: &Judgement,
    tally: &mut BTreeMap<Verdict, usize>,
) -> TestCaseResult {
    let pairs = pairs(call);
    prop_assert_eq!(judgement.pairs.len(), pairs.len());
    let mut strictest = Decision::Permit;
    for (((flow, input, output), pair), judged) in pairs.iter().zip(&judgement.pairs) {
        prop_assert_eq!((judged.flow, judged.input, judged.output), (*flow, *input, *output));
        let about = naive.about(pair);
        let verdict = naive.verdict(&about);
        *tally.entry(verdict).or_default() += 1;
        prop_assert_eq!(
            verdict_of(&judged.ground),
            verdict,
            "pair {} to {} of {:?}",
            pair.input,
            pair.output,
            call
        );
        check_ground(naive, pair, &about, &judged.ground)?;
        strictest = strictest.max(judged.ground.decision());
    }
    prop_assert_eq!(judgement.decision, strictest);
    check_consumed(naive, &pairs, judgement)
}

type Numbered<'c> = ((usize, usize, usize), Pair<'c>);

/// Every pair of a call, with the numbers of its flow, input and output.
fn pairs(call: &Call) -> Vec<Numbered<'_>> {
    let mut pairs = Vec::new();
    for (number, flow) in call.flows.iter().enumerate() {
        for (i, input) in flow.inputs().iter().enumerate() {
            for (o, output) in flow.outputs().iter().enumerate() {
                let pair = Pair {
                    input,
                    output,
                    taint: flow.taint(),
                    effects: flow.effects(),
                    server: &call.server,
                };
                pairs.push(((number, i, o), pair));
            }
        }
    }
    pairs
}

fn verdict_of(ground: &Ground) -> Verdict {
    match ground {
        Ground::Covered(_) => Verdict::Permit,
        Ground::Caught(_) => Verdict::Deny,
        Ground::Conflict { .. } => Verdict::Conflict,
        Ground::Uncovered(_) => Verdict::Uncovered,
    }
}

/// The rules that a ground names are those that decided.
fn check_ground(naive: &mut Naive<'_>, pair: &Pair<'_>, about: &[usize], ground: &Ground) -> TestCaseResult {
    match ground {
        Ground::Covered(allow) => check_allow(naive, about, *allow)?,
        Ground::Caught(deny) => check_deny(naive, about, *deny)?,
        Ground::Conflict { allow, deny } => {
            check_allow(naive, about, *allow)?;
            check_deny(naive, about, *deny)?;
        }
        Ground::Uncovered(nearest) => {
            let departures = naive.departures(pair);
            prop_assert_eq!(nearest.is_some(), !departures.is_empty());
            if let Some(nearest) = nearest {
                prop_assert!(departures.contains(&(nearest.rule, nearest.leaves)), "{:?} is untrue", nearest);
                let fewest = departures.iter().map(|(_, departure)| departure.count()).min().unwrap_or(0);
                prop_assert_eq!(
                    nearest.leaves.count(),
                    fewest,
                    "{:?} is not the nearest: {:?}",
                    nearest,
                    departures
                );
            }
        }
    }
    Ok(())
}

/// A lasting allow is on the frontier of the lasting rules. One for a single use stands against every deny;
/// which of several is taken depends on what the call uses up anyway.
fn check_allow(naive: &mut Naive<'_>, about: &[usize], allow: RuleId) -> TestCaseResult {
    let is_deny = |rule: &Tagged| rule.action == Action::Deny;
    let mut considered = about.to_vec();
    considered.retain(|rule| !naive.rules[*rule].once);
    if !is_on_frontier(naive, &considered, allow, Action::Allow) {
        considered = about.to_vec();
        considered.retain(|rule| {
            let rule = &naive.rules[*rule];
            is_deny(rule) || (rule.once && rule.rule == allow)
        });
        prop_assert!(
            is_on_frontier(naive, &considered, allow, Action::Allow),
            "allow {} did not decide",
            allow
        );
    }
    Ok(())
}

/// A deny is on the frontier. Names with and without `within` can lie in the same place and yet catch
/// differently; then it is enough that no allow is narrower.
fn check_deny(naive: &mut Naive<'_>, about: &[usize], deny: RuleId) -> TestCaseResult {
    let decided = if naive.rules.iter().any(|rule| rule.input.is_within() || rule.output.is_within()) {
        let (_, denies) = naive.speaking(about);
        denies.iter().any(|position| naive.rules[*position].rule == deny)
    } else {
        is_on_frontier(naive, about, deny, Action::Deny)
    };
    prop_assert!(decided, "deny {} did not decide", deny);
    Ok(())
}

/// Whether a rule with this action is on the frontier of the rules at `considered`.
fn is_on_frontier(naive: &mut Naive<'_>, considered: &[usize], rule: RuleId, action: Action) -> bool {
    let frontier = naive.frontier(considered);
    frontier
        .iter()
        .any(|position| naive.rules[*position].rule == rule && naive.rules[*position].action == action)
}

/// As few single-use rules as possible are used up, and none unless the call goes ahead.
fn check_consumed(naive: &mut Naive<'_>, pairs: &[Numbered<'_>], judgement: &Judgement) -> TestCaseResult {
    let consumed = &judgement.consumed;
    if judgement.decision != Decision::Permit {
        prop_assert!(consumed.is_empty());
        return Ok(());
    }
    let mut suffices = |usable: &[RuleId]| {
        pairs.iter().all(|(_, pair)| {
            let mut about = naive.about(pair);
            about.retain(|rule| !naive.rules[*rule].once || usable.contains(&naive.rules[*rule].rule));
            naive.verdict(&about) == Verdict::Permit
        })
    };
    prop_assert!(suffices(consumed), "{:?} do not suffice", consumed);
    for spared in consumed {
        let rest: Vec<RuleId> = consumed.iter().copied().filter(|rule| rule != spared).collect();
        prop_assert!(!suffices(&rest), "{} of {:?} need not be used up", spared, consumed);
    }
    Ok(())
}
