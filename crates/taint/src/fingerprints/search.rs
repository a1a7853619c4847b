//! Looking through an argument and its decodings. The work is bounded by bytes: every text is looked through once, and
//! all texts together are no longer than the limit.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use hashbrown::HashSet;

use super::decode::{Encoding, decodings};
use super::found::{Found, Match};
use super::normal::Normal;
use super::table::Spot;
use super::{Fingerprints, SHORTEST, WINDOW};

/// Encodings inside encodings.
const MOST_LAYERS: usize = 4;
/// Intervals are put together when there are so many.
const MANY_INTERVALS: usize = 1024;

/// A text to look through: the argument, or a decoding of a part of it.
struct Reading {
    text: String,
    /// The part of the argument that says it.
    range: Range<usize>,
    encodings: Vec<Encoding>,
}

/// What was found of one source.
#[derive(Default)]
struct Tally {
    /// Characters of the source.
    intervals: Vec<Range<u32>>,
    /// The reading that shows the most of it: how many characters, where, and how.
    best: Option<(usize, Range<usize>, Vec<Encoding>)>,
}

impl Fingerprints {
    /// Finds remembered texts in an argument, as it stands and through its encodings.
    pub fn find(&self, argument: &str) -> Found {
        if self.table.is_empty() {
            return Found { matches: Vec::new(), is_complete: true };
        }
        let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
        let mut budget = self.limits.bytes;
        let kept = argument.get(..argument.floor_char_boundary(budget)).unwrap_or_default();
        let mut is_complete = kept.len() == argument.len();
        let whole = Reading { text: kept.to_owned(), range: 0..kept.len(), encodings: Vec::new() };
        // Encodings can be taken off in any order, and what says the same is looked at once.
        let mut seen: HashSet<u64, foldhash::fast::FixedState> = HashSet::default();
        let mut open = VecDeque::from([whole]);
        while let Some(reading) = open.pop_front() {
            if !seen.insert(self.hash(reading.text.as_bytes())) {
                continue;
            }
            let Some(left) = budget.checked_sub(reading.text.len()) else {
                is_complete = false;
                continue;
            };
            budget = left;
            self.look_through(&reading, &mut tallies);
            if reading.encodings.len() < MOST_LAYERS {
                open.extend(inside(&reading));
            }
        }
        let mut matches: Vec<Match> =
            tallies.into_iter().filter_map(|(source, tally)| self.told(source, tally)).collect();
        matches.sort_by(|left, right| {
            right
                .characters
                .cmp(&left.characters)
                .then_with(|| (left.step, &left.name).cmp(&(right.step, &right.name)))
        });
        Found { matches, is_complete }
    }

    fn look_through(&self, reading: &Reading, tallies: &mut BTreeMap<u32, Tally>) {
        let normal = Normal::of(&reading.text);
        let mut here: BTreeMap<u32, (Vec<Range<u32>>, Range<usize>)> = BTreeMap::new();
        let mut hit = |spot: &Spot, range: Range<usize>| {
            let (intervals, span) = here.entry(spot.source).or_insert_with(|| (Vec::new(), range.clone()));
            *span = span.start.min(range.start)..span.end.max(range.end);
            add(intervals, spot.start..spot.start + spot.count);
        };
        for (at, beginning) in normal.bytes.windows(SHORTEST).enumerate() {
            if self.beginnings.passes(beginning) {
                for secret in self.table.secrets(self.hash(beginning)) {
                    let range = at..at + secret.length;
                    let bytes = normal.bytes.get(range.clone());
                    if bytes.is_some_and(|bytes| self.hash(bytes) == secret.whole) {
                        hit(&secret.spot, range);
                    }
                }
            }
        }
        for (at, window) in normal.bytes.windows(WINDOW).enumerate() {
            if self.whole_windows.passes(window) {
                self.table.windows(self.hash(window)).iter().for_each(|spot| hit(spot, at..at + WINDOW));
            }
        }
        for (source, (intervals, span)) in here {
            let tally = tallies.entry(source).or_default();
            let characters = covered(&intervals);
            if tally.best.as_ref().is_none_or(|(best, _, _)| *best < characters) {
                let is_plain = reading.encodings.is_empty();
                let range = if is_plain { normal.place(&span) } else { reading.range.clone() };
                tally.best = Some((characters, range, reading.encodings.clone()));
            }
            intervals.into_iter().for_each(|interval| add(&mut tally.intervals, interval));
        }
    }

    fn told(&self, source: u32, tally: Tally) -> Option<Match> {
        let source = self.sources.get(source as usize)?;
        let (_, range, encodings) = tally.best?;
        Some(Match {
            step: source.step,
            name: source.name.clone(),
            taint: source.taint,
            characters: covered(&tally.intervals),
            range,
            encodings,
        })
    }
}

fn inside(reading: &Reading) -> impl Iterator<Item = Reading> + '_ {
    let is_plain = reading.encodings.is_empty();
    decodings(&reading.text).into_iter().map(move |decoded| Reading {
        text: decoded.text,
        range: if is_plain { decoded.range } else { reading.range.clone() },
        encodings: reading.encodings.iter().copied().chain([decoded.encoding]).collect(),
    })
}

/// Adds an interval, most often one that goes on where the last one ended.
fn add(intervals: &mut Vec<Range<u32>>, interval: Range<u32>) {
    match intervals.last_mut() {
        Some(last) if last.start <= interval.start && interval.start <= last.end => {
            last.end = last.end.max(interval.end);
        }
        _ => intervals.push(interval),
    }
    if intervals.len() > MANY_INTERVALS && intervals.len().is_power_of_two() {
        *intervals = united(intervals);
    }
}

fn united(intervals: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut sorted = intervals.to_vec();
    sorted.sort_by_key(|interval| (interval.start, interval.end));
    let mut united: Vec<Range<u32>> = Vec::with_capacity(sorted.len());
    for interval in sorted {
        match united.last_mut() {
            Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
            _ => united.push(interval),
        }
    }
    united
}

/// How many characters the intervals cover.
fn covered(intervals: &[Range<u32>]) -> usize {
    united(intervals).iter().map(|interval| (interval.end - interval.start) as usize).sum()
}
