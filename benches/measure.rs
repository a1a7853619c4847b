//! Times of things that are compared: batches that take turns, and the median of each.
//!
//! Criterion's own measurements follow each other, so that on a machine with other things to do two of them
//! may have met different conditions.

use std::hint::black_box;
use std::time::Instant;

/// The nanoseconds that each of `repetitions` took.
pub(crate) fn time<T>(repetitions: u32, mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..repetitions {
        black_box(work());
    }
    start.elapsed().as_nanos() as f64 / f64::from(repetitions)
}

/// The middle one.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
