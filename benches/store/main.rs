//! What it costs to write a verdict down before it takes effect: a commit with 400 bytes, beside appending as many to a
//! plain file, with and without waiting for the disk; and many writers at once, who share that wait.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use portcullis_store::Durability;

use crate::workload::{Appended, Failure, Verdict, Written, report};

mod workload;

/// How many batches a median is taken of.
const BATCHES: usize = 200;
/// How many repetitions a batch of one writer has.
const REPETITIONS: usize = 10;
/// How many commits a batch of many writers has.
const COMMITS: usize = 640;
/// How many writers there are at once.
const WRITERS: [usize; 3] = [1, 8, 64];

/// Something that is measured, and the number of commits in one turn of it.
struct Subject<'w> {
    name: String,
    baseline: &'static str,
    commits: usize,
    turns: usize,
    work: Box<dyn Fn() + 'w>,
}

/// Stores and files of both kinds.
struct Kind {
    name: &'static str,
    baseline: &'static str,
    one: Written,
    many: Vec<Written>,
    file: Appended,
}

fn main() -> Result<(), Failure> {
    let kinds = [
        Kind::new("process", "append", Durability::Process)?,
        Kind::new("power", "append + fdatasync", Durability::Power)?,
    ];
    let subjects: Vec<_> = kinds.iter().flat_map(Kind::subjects).collect();
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
        .sample_size(10)
        .configure_from_args();
    for subject in &subjects {
        criterion.bench_function(&subject.name, |bencher| bencher.iter(|| (subject.work)()));
    }
    criterion.final_summary();
    // Cargo says `--bench` when it is about measuring; `--test` is about whether it runs at all.
    let is_given = |option: &str| std::env::args().any(|argument| argument == option);
    if is_given("--bench") && !is_given("--test") && !is_given("--list") {
        summary(&subjects);
    }
    Ok(())
}

impl Kind {
    fn new(name: &'static str, baseline: &'static str, durability: Durability) -> Result<Kind, Failure> {
        let many = WRITERS.iter().map(|writers| Written::new(durability, *writers));
        Ok(Kind {
            name,
            baseline,
            one: Written::new(durability, 1)?,
            many: many.collect::<Result<_, _>>()?,
            file: Appended::new(durability)?,
        })
    }

    /// The first is what the others are compared with.
    fn subjects<'w>(&'w self) -> Vec<Subject<'w>> {
        let subject = |name: String, work: Box<dyn Fn() + 'w>| Subject {
            name,
            baseline: self.baseline,
            commits: 1,
            turns: REPETITIONS,
            work,
        };
        let name = self.name;
        let mut subjects = vec![
            subject(self.baseline.to_owned(), Box::new(|| report(self.file.append()))),
            subject(format!("{name}: a verdict"), Box::new(|| report(self.one.commit(0, Verdict::Plain)))),
            subject(
                format!("{name}: a verdict with 2 kB of state"),
                Box::new(|| report(self.one.commit(0, Verdict::WithState))),
            ),
            subject(
                format!("{name}: has anything changed?"),
                Box::new(|| report(black_box(self.one.mark()))),
            ),
            subject(format!("{name}: which versions?"), Box::new(|| report(black_box(self.one.versions())))),
        ];
        subjects.extend(WRITERS.iter().zip(&self.many).map(|(writers, written)| Subject {
            name: format!("{name}: a verdict of {writers} writers"),
            baseline: self.baseline,
            commits: COMMITS,
            turns: 1,
            work: Box::new(move || written.commit_by_all(COMMITS / writers)),
        }));
        subjects
    }
}

/// Medians of batches that take turns, so that all meet the same conditions.
fn summary(subjects: &[Subject<'_>]) {
    let mut times = vec![Vec::with_capacity(BATCHES); subjects.len()];
    for batch in 0..BATCHES {
        for (subject, times) in subjects.iter().zip(&mut times) {
            // Many commits in one turn make do with fewer turns.
            if subject.commits > 1 && batch % 20 != 0 {
                continue;
            }
            let start = Instant::now();
            (0..subject.turns).for_each(|_| (subject.work)());
            times.push(start.elapsed().as_nanos() as f64 / (subject.turns * subject.commits) as f64);
        }
    }
    let medians: Vec<f64> = times.into_iter().map(median).collect();
    println!("\n{:<40}{:>14}{:>14}  to", "what", "microseconds", "ratio");
    for (subject, median) in subjects.iter().zip(&medians) {
        let same = subjects.iter().position(|other| other.name == subject.baseline);
        let baseline = same.and_then(|place| medians.get(place)).copied().unwrap_or(f64::NAN);
        println!(
            "{:<40}{:>14.1}{:>13.2}×  {}",
            subject.name,
            median / 1e3,
            median / baseline,
            subject.baseline
        );
    }
    println!(
        "\nratio: to the baseline, in turns of the same run. Of many writers: elapsed time for each verdict."
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
