//! Cases beside what reads the same: both measured, and a table of the ratios.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;

use crate::measure;

/// How many batches a median is taken of.
const BATCHES: usize = 400;
/// How long a batch is meant to take, so that reading the clock does not count, in nanoseconds.
const BATCH: f64 = 50_000.0;

/// Something that is measured, and something well known beside it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// Microseconds that it may take.
    pub(crate) budget: Option<f64>,
    pub(crate) analyse: Box<dyn Fn()>,
    pub(crate) baseline_name: &'static str,
    pub(crate) baseline: Box<dyn Fn()>,
}

/// Runs all cases as the command line says, and prints the table of `what` if it is about measuring.
pub(crate) fn run(what: &str, cases: &[Case]) {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for case in cases {
        let mut group = criterion.benchmark_group(case.name);
        group.bench_function("portcullis", |bencher| bencher.iter(|| (black_box(case).analyse)()));
        group.bench_function(case.baseline_name, |bencher| bencher.iter(|| (black_box(case).baseline)()));
    }
    criterion.final_summary();
    // Cargo says `--bench` when it is about measuring; `--test` is about whether it runs at all.
    let is_given = |option: &str| std::env::args().any(|argument| argument == option);
    if is_given("--bench") && !is_given("--test") && !is_given("--list") {
        print(what, cases);
    }
}

/// Measures and prints all cases; the batches of a case and of its baseline take turns.
fn print(what: &str, cases: &[Case]) {
    println!("\nMicroseconds for {what} (medians)\n");
    println!("{:<38}{:>10}{:>10}  {:<34}{:>8}{:>8}", "case", "time", "budget", "baseline", "time", "ratio");
    for case in cases {
        let repetitions =
            |work: &dyn Fn()| (BATCH / measure::time(10, work)).ceil().clamp(1.0, 10_000.0) as u32;
        let (own, other) = (repetitions(&case.analyse), repetitions(&case.baseline));
        let (mut times, mut baseline_times) = (Vec::new(), Vec::new());
        for _ in 0..BATCHES {
            times.push(measure::time(own, &case.analyse));
            baseline_times.push(measure::time(other, &case.baseline));
        }
        let (time, baseline) = (measure::median(times) / 1e3, measure::median(baseline_times) / 1e3);
        let budget = case.budget.map_or_else(|| "-".to_owned(), |budget| format!("{budget:.1}"));
        println!(
            "{:<38}{time:>10.2}{budget:>10}  {:<34}{baseline:>8.2}{:>7.2}×",
            case.name,
            case.baseline_name,
            time / baseline
        );
    }
    println!("\nratio: the time of the case to its baseline's, in turns of equal length.");
}
