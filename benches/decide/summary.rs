//! A table of what was measured, made in the same run; the batches of all that is compared take turns.

use std::hint::black_box;

use portcullis_lattice::Policy;

use crate::baseline::{BASELINE_SIZE, Baseline};
use crate::measure::{median, time};
use crate::workload::{Case, Failure, SESSION, SIZES, Scene, topology};

/// How many batches a median is taken of.
const BATCHES: usize = 2_000;
/// How many decisions a batch has, so that reading the clock does not count.
const DECISIONS: u32 = 20;
/// Cedar takes some thousand times as long, and so makes do with fewer.
const BASELINE_BATCHES: usize = 100;
/// How often rules are made ready; the best counts, as this is long enough to be interrupted each time.
const COMPILATIONS: usize = 5;

/// Measures and prints all cases.
pub(crate) fn print(cases: &[(Case, Vec<Scene>, Option<Baseline>)]) {
    println!("\nNanoseconds for one decision (medians)\n");
    print!("{:<15}", "case");
    for size in SIZES {
        print!("{size:>10} rules");
    }
    println!("{:>10}{:>14}{:>10}", "growth", format!("Cedar {BASELINE_SIZE}"), "ratio");
    for (case, scenes, baseline) in cases {
        let medians = decisions(scenes);
        print!("{:<15}", case.name());
        for median in &medians {
            print!("{median:>16.0}");
        }
        print!("{:>9.2}×", medians[2] / medians[0]);
        match baseline {
            Some(baseline) => {
                let (time, ratio) = compare(baseline, &scenes[1], medians[1]);
                println!("{time:>14.0}{ratio:>9.0}×");
            }
            None => println!("{:>14}{:>10}", "-", "-"),
        }
    }
    println!("\ngrowth: from {} rules to {}.", SIZES[0], SIZES[2]);
    println!("ratio: Cedar to Portcullis at {BASELINE_SIZE} rules, in turns of equal length.");
}

/// The median for each scene.
fn decisions(scenes: &[Scene]) -> Vec<f64> {
    let mut times = vec![Vec::with_capacity(BATCHES); scenes.len()];
    for _ in 0..BATCHES {
        for (scene, times) in scenes.iter().zip(&mut times) {
            times.push(time(DECISIONS, || black_box(scene).decide()));
        }
    }
    times.into_iter().map(median).collect()
}

/// The median for Cedar, and how many times as long it takes.
///
/// A decision of Cedar is long enough to be interrupted by other programs, a batch of Portcullis is not. So
/// for the ratio Portcullis decides again and again for as long as Cedar does once, and is interrupted as
/// often.
fn compare(baseline: &Baseline, scene: &Scene, decision: f64) -> (f64, f64) {
    let once = time(1, || black_box(baseline).allows());
    let repetitions = (once / decision).ceil() as u32;
    let (mut times, mut own_times) = (Vec::new(), Vec::new());
    for _ in 0..BASELINE_BATCHES {
        times.push(time(1, || black_box(baseline).allows()));
        own_times.push(time(repetitions, || black_box(scene).decide()));
    }
    let time = median(times);
    (time, time / median(own_times))
}

/// Measures and prints how long it takes to make rules ready.
pub(crate) fn print_compilation() -> Result<(), Failure> {
    let topology = topology()?;
    for case in [Case::Permit, Case::Globs] {
        let rules = case.rules(SIZES[2])?;
        let times = (0..COMPILATIONS).map(|_| time(1, || Policy::compile(&rules, &topology, SESSION)));
        let best = times.fold(f64::INFINITY, f64::min) / 1e6;
        println!("making {} rules ready for `{}`: {best:.0} ms", SIZES[2], case.name());
    }
    Ok(())
}
