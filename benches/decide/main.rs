//! How long one decision takes, by what it says and by the number of rules; and how long Cedar takes for the
//! same.
#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark prints, and its sizes are fixed in the line above"
)]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion};

use crate::baseline::{BASELINE_SIZE, Baseline};
use crate::workload::{Case, Failure, SIZES, Scene};

mod baseline;
#[path = "../measure.rs"]
mod measure;
mod summary;
mod workload;

fn main() -> Result<(), Failure> {
    let mut cases = Vec::new();
    for case in Case::ALL {
        let scenes = SIZES.iter().map(|&size| Scene::new(case, size)).collect::<Result<Vec<_>, _>>()?;
        cases.push((case, scenes, Baseline::new(case)?));
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    for (case, scenes, baseline) in &cases {
        let mut group = criterion.benchmark_group(case.name());
        for (size, scene) in SIZES.iter().zip(scenes) {
            let id = BenchmarkId::new("portcullis", size);
            group.bench_function(id, |bencher| bencher.iter(|| black_box(scene).decide()));
        }
        if let Some(baseline) = baseline {
            let id = BenchmarkId::new("cedar", BASELINE_SIZE);
            group.bench_function(id, |bencher| bencher.iter(|| black_box(baseline).allows()));
        }
    }
    criterion.final_summary();
    // Cargo says `--bench` when it is about measuring; `--test` is about whether it runs at all.
    let is_given = |option: &str| std::env::args().any(|argument| argument == option);
    if is_given("--bench") && !is_given("--test") && !is_given("--list") {
        summary::print(&cases);
        summary::print_compilation()?;
    }
    Ok(())
}
