//! The report for scripts. Shares are between 0 and 1; where there was nothing to measure, there is `null`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Report;
use crate::score::{Figures, Group};

/// The whole report.
#[derive(Serialize, Debug)]
pub struct JsonReport {
    /// The product's figures on all traces.
    #[serde(flatten)]
    pub all: Shares,
    /// The share of steps that were permitted only through a rule for the product's own flows.
    pub overgrant: Option<f64>,
    /// How long decisions took.
    pub decision_us: DecisionTimes,
    /// By category, then `single` or `multi` for the number of servers.
    pub by_category: ByCategory,
    /// By what the escalating step crosses.
    pub by_dimension: BTreeMap<String, Shares>,
    /// Each baseline on the same traces.
    pub baselines: BTreeMap<&'static str, BaselineReport>,
    /// Traces that could not be replayed.
    pub malformed: usize,
    /// What a reader has to know before quoting the figures.
    pub notes: Vec<String>,
}

/// Figures by category, then by `single` or `multi`.
type ByCategory = BTreeMap<String, BTreeMap<&'static str, Shares>>;

/// The figures of one group of traces.
#[derive(Serialize, Debug)]
pub struct Shares {
    /// How many traces.
    pub traces: usize,
    /// How many steps.
    pub steps: usize,
    /// Steps decided right.
    pub step_accuracy: Option<f64>,
    /// Traces decided right from the first step to the last.
    pub trace_accuracy: Option<f64>,
    /// Of what was asked about or denied, the share that should have been.
    pub precision: Option<f64>,
    /// Of what should have been asked about or denied, the share that was.
    pub recall: Option<f64>,
    /// The harmonic mean of the two.
    pub f1: Option<f64>,
    /// Of what should have been permitted, the share that was.
    pub benign_auto_permit: Option<f64>,
    /// Of the escalations beyond a granted boundary, the share that was asked about or denied.
    pub bound_recall: Option<f64>,
    /// Of the violations of stated rules, the share that was denied.
    pub invariant_recall: Option<f64>,
    /// Questions in each trace, on average.
    pub prompts_per_session: Option<f64>,
}

/// Times of decisions in microseconds.
#[derive(Serialize, Debug)]
pub struct DecisionTimes {
    /// The median.
    pub p50: f64,
    /// What 99 of 100 did not exceed.
    pub p99: f64,
}

/// A baseline's figures.
#[derive(Serialize, Debug)]
pub struct BaselineReport {
    /// What it is called.
    pub name: &'static str,
    /// On all traces.
    #[serde(flatten)]
    pub all: Shares,
    /// By category, as above.
    pub by_category: ByCategory,
    /// By dimension, as above.
    pub by_dimension: BTreeMap<String, Shares>,
}

/// The report for scripts.
pub fn report(report: &Report) -> JsonReport {
    let time = report.decision_time();
    let baseline = |(baseline, figures): &(crate::Baseline, Figures)| {
        let told = BaselineReport {
            name: baseline.name(),
            all: shares(&figures.all),
            by_category: by_category(figures),
            by_dimension: by_dimension(figures),
        };
        (baseline.key(), told)
    };
    JsonReport {
        all: shares(&report.figures.all),
        overgrant: report.overgrant(),
        decision_us: DecisionTimes { p50: time.p50, p99: time.p99 },
        by_category: by_category(&report.figures),
        by_dimension: by_dimension(&report.figures),
        baselines: report.baselines.iter().map(baseline).collect(),
        malformed: report.malformed,
        notes: report.notes(),
    }
}

fn shares(group: &Group) -> Shares {
    Shares {
        traces: group.traces,
        steps: group.steps,
        step_accuracy: group.step_accuracy(),
        trace_accuracy: group.trace_accuracy(),
        precision: group.precision(),
        recall: group.recall(),
        f1: group.f1(),
        benign_auto_permit: group.benign_auto_permit(),
        bound_recall: group.bound_recall(),
        invariant_recall: group.invariant_recall(),
        prompts_per_session: group.questions_per_session(),
    }
}

fn by_category(figures: &Figures) -> ByCategory {
    let mut categories = ByCategory::new();
    for ((category, several), group) in &figures.by_category {
        let servers = if *several { "multi" } else { "single" };
        categories.entry(category.clone()).or_default().insert(servers, shares(group));
    }
    categories
}

fn by_dimension(figures: &Figures) -> BTreeMap<String, Shares> {
    figures.by_dimension.iter().map(|(name, group)| (name.clone(), shares(group))).collect()
}
