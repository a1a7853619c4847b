//! What a run found, told in four ways: a table for people, JSON for scripts, a page for papers, and the mistakes one by
//! one.

pub mod html;
pub mod json;
pub mod mistakes;
mod numbers;
pub mod table;

use core::time::Duration;

use portcullis_lattice::Decision;

use crate::baseline::Baseline;
use crate::replay::Replayed;
use crate::score::{Figures, Group, Measured, Times, score, share};
use crate::trace::Trace;

/// Everything that is reported about a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The product's figures.
    pub figures: Figures,
    /// The figures of each baseline on the same traces, in the order of tables.
    pub baselines: Vec<(Baseline, Figures)>,
    /// Steps that were permitted only through a rule for the product's own flows which the trace's grants do not contain.
    pub overgranted: usize,
    /// How long each decision took, the shortest first.
    pub times: Vec<Duration>,
    /// Rules that users stated in plain English.
    pub invariants: usize,
    /// Those of them that were not understood, and so were not enforced.
    pub unread: usize,
    /// Traces that could not be read or replayed, and are in no figure.
    pub malformed: usize,
}

impl Report {
    /// The report of traces and what came out of each. How many more could not be replayed is told with it, for figures
    /// that leave something out must say so.
    pub fn of(runs: &[(Trace, Replayed)], malformed: usize) -> Report {
        let decisions = runs.iter().map(|(trace, replayed)| (trace, decisions(replayed)));
        let steps = || runs.iter().flat_map(|(_, replayed)| &replayed.steps);
        let mut times: Vec<Duration> = steps().map(|step| step.took).collect();
        times.sort_unstable();
        Report {
            figures: figures(&decisions.collect::<Vec<_>>()),
            baselines: Baseline::ALL.map(|baseline| (baseline, replayed_by(baseline, runs))).into(),
            overgranted: steps().filter(|step| step.is_overgranted).count(),
            times,
            invariants: runs.iter().map(|(trace, _)| trace.invariants.len()).sum(),
            unread: runs.iter().map(|(_, replayed)| replayed.unread.len()).sum(),
            malformed,
        }
    }

    /// The share of steps that were permitted beyond what the trace's user granted.
    pub fn overgrant(&self) -> Option<f64> {
        share(self.overgranted, self.figures.all.steps)
    }

    /// How long decisions took.
    pub fn decision_time(&self) -> Times {
        Times::of(self.times.clone())
    }

    /// What a reader has to know before quoting the figures.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.unread > 0 {
            notes.push(format!(
                "not understood, so that nothing enforced them: {} of {}",
                numbers::count(self.unread),
                numbers::counted(self.invariants, "rule in plain English", "rules in plain English"),
            ));
        }
        if self.malformed > 0 {
            notes.push(format!(
                "{} could not be replayed, so that the figures are not those of all traces",
                numbers::counted(self.malformed, "line or file", "lines or files")
            ));
        }
        notes
    }

    /// The product and the baselines, with the short names of columns.
    fn systems(&self) -> Vec<(&'static str, &Figures)> {
        let baselines = self.baselines.iter().map(|(baseline, figures)| (short(*baseline), figures));
        std::iter::once(("Portcullis", &self.figures)).chain(baselines).collect()
    }
}

fn decisions(replayed: &Replayed) -> Vec<Decision> {
    replayed.steps.iter().map(|step| step.decision).collect()
}

fn replayed_by(baseline: Baseline, runs: &[(Trace, Replayed)]) -> Figures {
    let decided = runs.iter().map(|(trace, _)| (trace, baseline.replay(trace)));
    figures(&decided.collect::<Vec<_>>())
}

fn figures(decided: &[(&Trace, Vec<Decision>)]) -> Figures {
    score(decided.iter().map(|(trace, decisions)| Measured { trace, decisions }))
}

fn short(baseline: Baseline) -> &'static str {
    match baseline {
        Baseline::Tool => "by tool",
        Baseline::Server => "by server",
        Baseline::EveryCall => "every call",
    }
}

/// What the short names mean.
const BASELINES: &str = "by tool, by server: the user is asked once for each, and it is always allowed from then on; \
                         every call: the user is asked each time";

/// A share of a group of steps, as tables call it.
type Measure = (&'static str, fn(&Group) -> Option<f64>);

/// The shares that the paper reports, in its order.
const MEASURES: [Measure; 8] = [
    ("step accuracy", Group::step_accuracy),
    ("trace accuracy", Group::trace_accuracy),
    ("precision", Group::precision),
    ("recall", Group::recall),
    ("F1", Group::f1),
    ("benign calls permitted unasked", Group::benign_auto_permit),
    ("bound escalations caught", Group::bound_recall),
    ("invariant violations denied", Group::invariant_recall),
];

/// The shares of a category or a dimension, with the short names of columns.
const COLUMNS: [Measure; 6] = [
    ("step", Group::step_accuracy),
    ("trace", Group::trace_accuracy),
    ("F1", Group::f1),
    ("benign", Group::benign_auto_permit),
    ("bound", Group::bound_recall),
    ("invar.", Group::invariant_recall),
];

/// What the short names of the shares mean.
const LEGEND: &str = "n: traces; then in per cent: step accuracy, trace accuracy, F1, benign calls permitted unasked, \
                      bound escalations caught, invariant violations denied";

/// What traces can cross: the four dimensions of a boundary and the resources in it, a stated rule, or nothing.
const DIMENSIONS: [(&str, &str); 7] = [
    ("input", "input"),
    ("output", "output"),
    ("taint", "taint"),
    ("effect", "effect"),
    ("refined", "refined (other resources)"),
    ("invariant", "invariant (a stated rule)"),
    ("none", "none (benign)"),
];

/// The groups of traces by what they cross, in the order above and with names for people. Others come last.
fn dimensions(figures: &Figures) -> Vec<(&str, &str, &Group)> {
    let known = |name: &str| DIMENSIONS.iter().position(|(known, _)| *known == name);
    let mut found: Vec<(&str, &str, &Group)> = Vec::new();
    for (name, group) in &figures.by_dimension {
        let words = known(name).and_then(|at| DIMENSIONS.get(at)).map_or(name.as_str(), |(_, words)| words);
        found.push((name, words, group));
    }
    found.sort_by_key(|(name, _, _)| known(name).unwrap_or(DIMENSIONS.len()));
    found
}
