//! A table of what was measured, made in the same run.
//!
//! Criterion's own measurements follow each other, so that on a machine with other things to do two of them may
//! have met different conditions. Here the batches of all that is compared take turns.

use std::hint::black_box;
use std::time::Instant;

use crate::baseline::{BASELINE_SIZE, Baseline};
use crate::workload::{Case, SIZES, Scene};

/// How many batches a median is taken of.
const BATCHES: usize = 2_000;
/// How many decisions a batch has, so that reading the clock does not count.
const DECISIONS: u32 = 20;
/// Cedar takes about a thousand times as long, and so makes do with fewer.
const BASELINE_BATCHES: usize = 200;

/// Measures and prints all cases.
pub(crate) fn print(cases: &[(Case, Vec<Scene>, Option<Baseline>)]) {
    println!("\nNanoseconds for one decision (medians)\n");
    print!("{:<15}", "case");
    for size in SIZES {
        print!("{size:>10} rules");
    }
    println!("{:>10}{:>18}{:>10}", "growth", format!("Cedar, {BASELINE_SIZE}"), "ratio");
    for (case, scenes, baseline) in cases {
        print_row(*case, scenes, baseline.as_ref());
    }
    println!(
        "\ngrowth: from {} to {} rules. ratio: Cedar to Portcullis at {BASELINE_SIZE} rules.",
        SIZES[0], SIZES[2]
    );
}

fn print_row(case: Case, scenes: &[Scene], baseline: Option<&Baseline>) {
    let mut times = vec![Vec::with_capacity(BATCHES); scenes.len()];
    let mut baseline_times = Vec::with_capacity(BASELINE_BATCHES);
    for batch in 0..BATCHES {
        for (scene, times) in scenes.iter().zip(&mut times) {
            times.push(time(DECISIONS, || black_box(black_box(scene).decide())));
        }
        if let Some(baseline) = baseline.filter(|_| batch % (BATCHES / BASELINE_BATCHES) == 0) {
            baseline_times.push(time(1, || black_box(black_box(baseline).allows())));
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    print!("{:<15}", case.name());
    for median in &medians {
        print!("{median:>16.0}");
    }
    print!("{:>9.2}×", medians[2] / medians[0]);
    match baseline {
        Some(_) => {
            let baseline = median(baseline_times);
            println!("{baseline:>18.0}{:>9.0}×", baseline / medians[1]);
        }
        None => println!("{:>18}{:>10}", "—", "—"),
    }
}

/// The nanoseconds that each of `repetitions` took.
fn time<T>(repetitions: u32, mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..repetitions {
        work();
    }
    start.elapsed().as_nanos() as f64 / f64::from(repetitions)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
