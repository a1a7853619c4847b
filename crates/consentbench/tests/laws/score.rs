//! Laws of figures.

use portcullis_consentbench::{Group, Kind, Measured, Times, Trace, score};
use portcullis_lattice::Decision::{self, Ask, Deny, Permit};
use proptest::prelude::*;
use std::time::Duration;

use crate::made_up::{line, read, reads};

/// A session with what was decided in it.
#[derive(Clone, Debug)]
struct Decided {
    trace: Trace,
    decisions: Vec<Decision>,
}

fn decision() -> impl Strategy<Value = Decision> {
    prop_oneof![Just(Permit), Just(Ask), Just(Deny)]
}

fn decided() -> impl Strategy<Value = Decided> {
    let steps = prop::collection::vec((decision(), decision(), any::<bool>()), 1..6);
    let dimension = prop::sample::select(vec!["input", "output", "none"]);
    let category = prop::sample::select(vec!["Files", "Mail"]);
    let kind = prop::sample::select(vec![Kind::Benign, Kind::Bound, Kind::Invariant]);
    (steps, dimension, category, any::<bool>(), kind, 1_usize..6).prop_map(
        |(steps, dimension, category, several, kind, escalates)| {
            let calls: Vec<_> = steps.iter().map(|_| reads("/home/u/p/a", "parent", "Allow")).collect();
            let mut trace = read(&line("benign", dimension, None, &calls));
            category.clone_into(&mut trace.category);
            trace.servers.extend(several.then(|| "gmail".to_owned()));
            trace.kind = kind;
            trace.escalates_at = Some(escalates.min(steps.len()));
            for (step, (expected, _, violates)) in trace.steps.iter_mut().zip(&steps) {
                step.expected = *expected;
                // Who breaks a stated rule is denied.
                step.violates = (*violates && *expected == Deny).then(|| "no".to_owned());
            }
            // An escalation is a call that should not pass.
            if kind == Kind::Bound {
                let escalating = &mut trace.steps[escalates.min(steps.len()) - 1];
                (escalating.expected, escalating.violates) = (Ask, None);
            }
            Decided { trace, decisions: steps.iter().map(|(_, decided, _)| *decided).collect() }
        },
    )
}

fn measured(all: &[Decided]) -> impl Iterator<Item = Measured<'_>> {
    all.iter().map(|Decided { trace, decisions }| Measured { trace, decisions })
}

/// Field by field; taken apart so that a new field is not forgotten here.
fn sum<'g>(groups: impl IntoIterator<Item = &'g Group>) -> Group {
    let mut all = Group::default();
    for Group {
        traces,
        right_traces,
        steps,
        right,
        caught,
        slipped,
        disturbed,
        passed,
        escalations,
        caught_escalations,
        violations,
        denied_violations,
        questions,
    } in groups
    {
        all.traces += traces;
        all.right_traces += right_traces;
        all.steps += steps;
        all.right += right;
        all.caught += caught;
        all.slipped += slipped;
        all.disturbed += disturbed;
        all.passed += passed;
        all.escalations += escalations;
        all.caught_escalations += caught_escalations;
        all.violations += violations;
        all.denied_violations += denied_violations;
        all.questions += questions;
    }
    all
}

fn shares(group: &Group) -> [Option<f64>; 8] {
    [
        group.step_accuracy(),
        group.trace_accuracy(),
        group.precision(),
        group.recall(),
        group.f1(),
        group.benign_auto_permit(),
        group.bound_recall(),
        group.invariant_recall(),
    ]
}

proptest! {
    #[test]
    fn figures_of_parts_sum_up(all in prop::collection::vec(decided(), 0..8), cut in 0_usize..8) {
        let figures = score(measured(&all));
        prop_assert_eq!(sum(figures.by_category.values()), figures.all);
        prop_assert_eq!(sum(figures.by_dimension.values()), figures.all);
        let (one, other) = all.split_at(cut.min(all.len()));
        prop_assert_eq!(sum([&score(measured(one)).all, &score(measured(other)).all]), figures.all);
    }

    #[test]
    fn every_step_is_counted_once(all in prop::collection::vec(decided(), 0..8)) {
        let group = score(measured(&all)).all;
        prop_assert_eq!(group.caught + group.slipped + group.disturbed + group.passed, group.steps);
        prop_assert_eq!(group.steps, all.iter().map(|one| one.decisions.len()).sum::<usize>());
    }

    #[test]
    fn a_perfect_run_scores_one(mut all in prop::collection::vec(decided(), 1..8)) {
        for one in &mut all {
            one.decisions = one.trace.steps.iter().map(|step| step.expected).collect();
        }
        for share in shares(&score(measured(&all)).all).into_iter().flatten() {
            prop_assert_eq!(share, 1.0);
        }
    }

    #[test]
    fn shares_are_shares(all in prop::collection::vec(decided(), 0..8)) {
        for share in shares(&score(measured(&all)).all).into_iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&share));
        }
    }

    #[test]
    fn f1_is_the_harmonic_mean(all in prop::collection::vec(decided(), 1..8)) {
        let group = score(measured(&all)).all;
        if let (Some(precision), Some(recall)) = (group.precision(), group.recall())
            && precision + recall > 0.0
        {
            let mean = 2.0 * precision * recall / (precision + recall);
            prop_assert!((group.f1().unwrap() - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn one_more_mistake_costs_one_step(mut all in prop::collection::vec(decided(), 1..8), at in any::<prop::sample::Index>()) {
        let before = score(measured(&all)).all;
        let changed = at.get_mut(&mut all);
        let expected = changed.trace.steps[0].expected;
        if changed.decisions[0] == expected {
            changed.decisions[0] = if expected == Deny { Permit } else { Deny };
            let after = score(measured(&all)).all;
            prop_assert_eq!(after.right + 1, before.right);
            prop_assert!(after.right_traces <= before.right_traces);
        }
    }
}

#[test]
fn of_nothing_there_is_no_share() {
    let group = Group::default();
    assert_eq!(shares(&group), [None; 8]);
    assert_eq!(group.questions_per_session(), None);
}

#[test]
fn the_median_is_in_the_middle_and_p99_leaves_one_of_a_hundred_above() {
    // 1, 2 … 101 microseconds, the largest first: 50 lie below 51 and 50 above, one above 100.
    let times = Times::of((1..=101).rev().map(Duration::from_micros).collect());
    assert!((times.p50 - 51.0).abs() < 1e-6, "{times:?}");
    assert!((times.p99 - 100.0).abs() < 1e-6, "{times:?}");
    assert_eq!(Times::of(Vec::new()), Times::default());
}
