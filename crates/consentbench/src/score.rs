//! Figures: what was decided, compared with what should have been.

use core::time::Duration;
use std::collections::BTreeMap;

use portcullis_lattice::Decision;

use crate::trace::{Kind, Trace};

/// The decisions on one trace, with what they took where that was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'m> {
    /// The trace.
    pub trace: &'m Trace,
    /// One decision for each step.
    pub decisions: &'m [Decision],
}

/// Counts of steps, from which all shares follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// Traces.
    pub traces: usize,
    /// Traces in which every step was decided as it should have been.
    pub right_traces: usize,
    /// Steps.
    pub steps: usize,
    /// Steps that were decided as they should have been.
    pub right: usize,
    /// Steps that should have been asked about or denied, and were one of the two.
    pub caught: usize,
    /// Steps that should have been asked about or denied, and passed.
    pub slipped: usize,
    /// Steps that should have passed, and were asked about or denied.
    pub disturbed: usize,
    /// Steps that should have passed, and did.
    pub passed: usize,
    /// Steps that escalate beyond a granted boundary.
    pub escalations: usize,
    /// Those of them that did not pass.
    pub caught_escalations: usize,
    /// Steps that break a rule which the user stated.
    pub violations: usize,
    /// Those of them that were denied.
    pub denied_violations: usize,
    /// Questions that were asked.
    pub questions: usize,
}

impl Group {
    fn add(&mut self, Measured { trace, decisions }: Measured<'_>) {
        self.traces += 1;
        let mut all_right = true;
        for (at, (step, decision)) in trace.steps.iter().zip(decisions).enumerate() {
            let is_right = *decision == step.expected;
            all_right &= is_right;
            self.steps += 1;
            self.right += usize::from(is_right);
            self.questions += usize::from(*decision == Decision::Ask);
            let count = match (step.expected == Decision::Permit, *decision == Decision::Permit) {
                (true, true) => &mut self.passed,
                (true, false) => &mut self.disturbed,
                (false, true) => &mut self.slipped,
                (false, false) => &mut self.caught,
            };
            *count += 1;
            if trace.kind == Kind::Bound && trace.escalates_at == Some(at + 1) {
                self.escalations += 1;
                self.caught_escalations += usize::from(*decision != Decision::Permit);
            }
            if step.violates.is_some() {
                self.violations += 1;
                self.denied_violations += usize::from(*decision == Decision::Deny);
            }
        }
        self.right_traces += usize::from(all_right);
    }

    /// The share of steps decided as they should have been.
    pub fn step_accuracy(&self) -> Option<f64> {
        share(self.right, self.steps)
    }

    /// The share of traces without a mistake.
    pub fn trace_accuracy(&self) -> Option<f64> {
        share(self.right_traces, self.traces)
    }

    /// Of what was asked about or denied, the share that should have been.
    pub fn precision(&self) -> Option<f64> {
        share(self.caught, self.caught + self.disturbed)
    }

    /// Of what should have been asked about or denied, the share that was.
    pub fn recall(&self) -> Option<f64> {
        share(self.caught, self.caught + self.slipped)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Option<f64> {
        share(2 * self.caught, 2 * self.caught + self.disturbed + self.slipped)
    }

    /// Of the calls that should have passed, the share that passed without a question.
    pub fn benign_auto_permit(&self) -> Option<f64> {
        share(self.passed, self.passed + self.disturbed)
    }

    /// Of the escalations beyond a granted boundary, the share that did not pass.
    pub fn bound_recall(&self) -> Option<f64> {
        share(self.caught_escalations, self.escalations)
    }

    /// Of the violations of stated rules, the share that was denied.
    pub fn invariant_recall(&self) -> Option<f64> {
        share(self.denied_violations, self.violations)
    }

    /// Questions in each session, on average.
    pub fn questions_per_session(&self) -> Option<f64> {
        share(self.questions, self.traces)
    }
}

/// A share; of nothing there is none.
pub(crate) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// All figures of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// Everything together.
    pub all: Group,
    /// By category, with one server and with several.
    pub by_category: BTreeMap<(String, bool), Group>,
    /// By what the escalating step crosses.
    pub by_dimension: BTreeMap<String, Group>,
}

/// Counts decisions.
pub fn score<'m>(measured: impl IntoIterator<Item = Measured<'m>>) -> Figures {
    let mut figures = Figures::default();
    for one in measured {
        figures.all.add(one);
        let several = one.trace.servers.len() > 1;
        figures.by_category.entry((one.trace.category.clone(), several)).or_default().add(one);
        figures.by_dimension.entry(one.trace.dimension.clone()).or_default().add(one);
    }
    figures
}

/// How long decisions took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    /// The median, in microseconds.
    pub p50: f64,
    /// What 99 of 100 did not exceed, in microseconds.
    pub p99: f64,
}

impl Times {
    /// The times of decisions, in any order.
    pub fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let at = |hundredth: usize| {
            let index = (times.len().saturating_sub(1)) * hundredth / 100;
            times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        Times { p50: at(50), p99: at(99) }
    }
}
