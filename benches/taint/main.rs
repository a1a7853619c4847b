//! What labels cost: how long it takes to say what a call carries, by the number of labelled names; and to look for
//! remembered texts in an argument. The baseline is one look at a name by the patterns of sensitive places, which every
//! call needs anyway.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use portcullis_lattice::Taint;
use portcullis_perceive::Use;
use portcullis_taint::{Evidence, Found, Labels};

use crate::workload::{Failure, Workload};

mod workload;

/// How many batches a median is taken of.
const BATCHES: usize = 500;
/// How many repetitions a batch of something short has, so that reading the clock does not count.
const REPETITIONS: u32 = 20;

/// Something that is measured.
struct Subject<'w> {
    name: &'static str,
    repetitions: u32,
    work: Box<dyn Fn() + 'w>,
}

fn main() -> Result<(), Failure> {
    let workload = Workload::new()?;
    let subjects = subjects(&workload);
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .configure_from_args();
    for subject in &subjects {
        criterion.bench_function(subject.name, |bencher| bencher.iter(|| (subject.work)()));
    }
    criterion.final_summary();
    // Cargo says `--bench` when it is about measuring; `--test` is about whether it runs at all.
    let is_given = |option: &str| std::env::args().any(|argument| argument == option);
    if is_given("--bench") && !is_given("--test") && !is_given("--list") {
        summary(&subjects);
    }
    Ok(())
}

/// The first is what the others are compared with.
fn subjects(workload: &Workload) -> Vec<Subject<'_>> {
    let places = &workload.places;
    let carried = move |labels: &Labels| -> Taint {
        labels.carried(9, black_box(&workload.act), places, &Evidence::none()).taint
    };
    let attached = |labels: &Labels, used: &Use| -> Taint { labels.attached(black_box(used)).taint };
    let subject = |name, repetitions, work: Box<dyn Fn() + '_>| Subject { name, repetitions, work };
    vec![
        subject(
            "baseline: one name by its patterns",
            REPETITIONS,
            Box::new(|| drop(black_box(places.holds_secrets(black_box(&workload.file))))),
        ),
        subject("carried, 10 names", REPETITIONS, Box::new(move || drop(black_box(carried(&workload.few))))),
        subject(
            "carried, 10,000 names",
            REPETITIONS,
            Box::new(move || drop(black_box(carried(&workload.many)))),
        ),
        subject(
            "labels of a file, 10,000 names",
            REPETITIONS,
            Box::new(move || drop(black_box(attached(&workload.many, &workload.file)))),
        ),
        subject(
            "labels of a folder of 100, 10,000 names",
            REPETITIONS,
            Box::new(move || drop(black_box(attached(&workload.many, &workload.folder)))),
        ),
        subject(
            "find in 2 kB, nothing remembered",
            REPETITIONS,
            Box::new(|| find(workload.nothing.find(&workload.argument))),
        ),
        subject("find in 2 kB, 100 texts", 1, Box::new(|| find(workload.texts.find(&workload.argument)))),
        subject(
            "find in 2 kB of base64, 100 texts",
            1,
            Box::new(|| find(workload.texts.find(&workload.encoded))),
        ),
        subject("find in 1 MB, 100 texts", 1, Box::new(|| find(workload.texts.find(&workload.long)))),
    ]
}

fn find(found: Found) {
    drop(black_box(found));
}

/// Medians of batches that take turns, so that all meet the same conditions.
fn summary(subjects: &[Subject<'_>]) {
    let mut times = vec![Vec::with_capacity(BATCHES); subjects.len()];
    for batch in 0..BATCHES {
        for (subject, times) in subjects.iter().zip(&mut times) {
            // What takes milliseconds makes do with fewer.
            if subject.name.contains("1 MB") && batch % 50 != 0 {
                continue;
            }
            let start = Instant::now();
            (0..subject.repetitions).for_each(|_| (subject.work)());
            times.push(start.elapsed().as_nanos() as f64 / f64::from(subject.repetitions));
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    let baseline = medians.first().copied().unwrap_or(1.0);
    println!("\n{:<45}{:>14}{:>12}", "what", "nanoseconds", "ratio");
    for (subject, median) in subjects.iter().zip(&medians) {
        println!("{:<45}{median:>14.0}{:>11.2}×", subject.name, median / baseline);
    }
    println!("\nratio: to the baseline, in turns of the same run.");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
