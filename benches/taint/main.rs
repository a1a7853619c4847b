//! What labels cost: how long it takes to say what a call carries, by the number of labelled names; and to look for
//! remembered texts in an argument. The baseline is one look at a name by the patterns of sensitive places, which every
//! call needs anyway.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use portcullis_taint::{Evidence, Labels};

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

impl<'w> Subject<'w> {
    fn new<T>(name: &'static str, repetitions: u32, work: impl Fn() -> T + 'w) -> Subject<'w> {
        let work = Box::new(move || {
            black_box(work());
        });
        Subject { name, repetitions, work }
    }
}

/// The first is what the others are compared with.
fn subjects(workload: &Workload) -> Vec<Subject<'_>> {
    let Workload { places, few, many, file, folder, act, nothing, texts, argument, encoded, long } = workload;
    let carried = move |labels: &Labels| labels.carried(9, black_box(act), places, &Evidence::none());
    vec![
        Subject::new("baseline: one name by its patterns", REPETITIONS, || {
            places.holds_secrets(black_box(file))
        }),
        Subject::new("carried, 10 names", REPETITIONS, move || carried(few)),
        Subject::new("carried, 10,000 names", REPETITIONS, move || carried(many)),
        Subject::new("labels of a file, 10 names", REPETITIONS, || few.attached(black_box(file))),
        Subject::new("labels of a file, 10,000 names", REPETITIONS, || many.attached(black_box(file))),
        Subject::new("labels in a folder of 100, of 10,000", REPETITIONS, || {
            many.attached(black_box(folder))
        }),
        Subject::new("find in 2 kB, nothing remembered", REPETITIONS, || nothing.find(black_box(argument))),
        Subject::new("find in 2 kB, 100 texts", 1, || texts.find(black_box(argument))),
        Subject::new("find in 2 kB of base64, 100 texts", 1, || texts.find(black_box(encoded))),
        Subject::new("find in 1 MB, 100 texts", 1, || texts.find(black_box(long))),
    ]
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
