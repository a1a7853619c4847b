//! Text of tainted results, found again in what an agent sends.
//!
//! Of a text are kept keyed hashes of its windows ([`WINDOW`] characters without white space) and of its short
//! secrets as a whole: never the text. An argument is looked through at every position, as it stands and in every
//! decoding of it; so a window that was kept is found wherever it stands. A match proves that the text is there; that
//! there is none proves nothing.

mod decode;
mod found;
mod normal;
mod search;
mod sieve;
mod snapshot;
mod table;
mod token;

use std::ops::Range;
use std::sync::Arc;

use hashbrown::HashSet;
use portcullis_lattice::Taint;
use portcullis_perceive::secrets::Finding;

pub use decode::Encoding;
pub use found::{Found, Match};
pub use snapshot::{FingerprintsError, FingerprintsSnapshot};

use normal::Normal;
use sieve::Sieve;
use table::{Spot, Table};

/// How many characters without white space two texts share at least, if they are to count as one. Shorter runs are
/// shared by accident.
pub(crate) const WINDOW: usize = 24;
/// The shortest secret that is remembered as a whole.
pub(crate) const SHORTEST: usize = 8;
/// Of one text so many windows are kept; of a longer one every second, every fourth and so on.
const WINDOWS_OF_ONE_TEXT: usize = 4096;
/// Of one long credential so many windows are kept without gaps.
const WINDOWS_OF_ONE_SECRET: usize = 256;
/// A longer text is remembered by its beginning.
const LONGEST_TEXT: usize = 4 << 20;
/// A window with fewer different bytes is a ruler, a padding or a counter.
const FEWEST_BYTES: usize = 8;
/// What unrelated texts share, one passage a line: licences, heads of key files, names of settings.
const BOILERPLATE: &str = include_str!("../data/boilerplate.txt");

/// The key of all hashes. With it and the hashes, guesses about a text can be tested; so it is kept apart from where
/// the hashes are kept.
#[derive(Clone, Copy)]
pub struct Key([u8; 16]);

impl Key {
    /// A key of sixteen bytes that nobody can guess.
    pub fn new(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }
}

/// Shows nothing of it.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// How much is remembered, and how far is looked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Hashes in all. Over it every second window is forgotten, short secrets stay.
    pub hashes: usize,
    /// Texts in all; more are not remembered.
    pub texts: usize,
    /// Bytes that one search looks at, decodings included.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { hashes: 1 << 18, texts: 4096, bytes: 4 << 20 }
    }
}

/// Where a remembered text came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Source {
    step: u64,
    name: Arc<str>,
    taint: Taint,
    /// A hash of all of it, so that what is read twice is kept once.
    whole: u64,
}

/// Texts that are remembered by their hashes.
#[derive(Clone)]
pub struct Fingerprints {
    key: Key,
    limits: Limits,
    sources: Vec<Source>,
    table: Table,
    common: HashSet<u64, foldhash::fast::FixedState>,
    /// Passes the beginnings of short secrets, and windows.
    beginnings: Sieve,
    whole_windows: Sieve,
    /// Only windows that begin at a multiple of this are kept.
    stride: u32,
    left_out: u64,
}

impl Fingerprints {
    /// Nothing remembered.
    pub fn new(key: Key, limits: Limits) -> Fingerprints {
        let mut fingerprints = Fingerprints {
            key,
            limits,
            sources: Vec::new(),
            table: Table::default(),
            common: HashSet::default(),
            beginnings: Sieve::new(key),
            whole_windows: Sieve::new(key),
            stride: 1,
            left_out: 0,
        };
        BOILERPLATE.lines().for_each(|passage| fingerprints.overlook(passage));
        fingerprints
    }

    /// Marks a text as one that is found in many places and proves nothing: from now on none of its windows is
    /// remembered. For what is public anyway, as the definitions of tools are.
    pub fn overlook(&mut self, text: &str) {
        let normal = Normal::of(text);
        for window in normal.bytes.windows(WINDOW) {
            let hash = self.hash(window);
            self.common.insert(hash);
        }
    }

    /// Remembers a text that a step got from a place, with the labels it carries and the credentials that were found
    /// in it (by `portcullis_perceive::secrets`).
    pub fn remember(&mut self, step: u64, name: &str, taint: Taint, text: &str, credentials: &[Finding]) {
        let text = text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or_default();
        let normal = Normal::of(text);
        let whole = self.hash(&normal.bytes);
        let known =
            |source: &Source| source.whole == whole && &*source.name == name && taint.is_subset(source.taint);
        if normal.bytes.len() < SHORTEST || taint.is_empty() || self.sources.iter().any(known) {
            return;
        }
        let number = match u32::try_from(self.sources.len()) {
            Ok(number) if self.sources.len() < self.limits.texts => number,
            _ => {
                self.left_out += 1;
                return;
            }
        };
        self.sources.push(Source { step, name: name.into(), taint, whole });
        for secret in token::secrets(text, credentials) {
            self.remember_secret(number, &normal, normal.range(&secret));
        }
        self.remember_windows(number, &normal);
        self.thin();
    }

    /// The key of the hashes.
    pub fn key(&self) -> Key {
        self.key
    }

    /// How much is remembered at most.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// How many texts could not be remembered because there were too many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How many texts are remembered.
    pub fn texts(&self) -> usize {
        self.sources.len()
    }

    /// A short secret is kept as a whole, a long one by all of its windows.
    fn remember_secret(&mut self, source: u32, normal: &Normal, range: Range<usize>) {
        let Some(bytes) = normal.bytes.get(range.clone()) else { return };
        if bytes.len() < SHORTEST {
            return;
        }
        if bytes.len() < WINDOW {
            let beginning = bytes.get(..SHORTEST).unwrap_or(bytes);
            let (prefix, whole) = (self.hash(beginning), self.hash(bytes));
            let spot = Spot::new(source, normal.character(range.start), normal.count(&range)).pinned();
            self.beginnings.add(beginning);
            self.table.add_secret(prefix, whole, bytes.len(), spot);
            return;
        }
        for start in (range.start..=range.end - WINDOW).take(WINDOWS_OF_ONE_SECRET) {
            self.remember_window(source, normal, start, true);
        }
    }

    fn remember_windows(&mut self, source: u32, normal: &Normal) {
        let windows = normal.bytes.len().saturating_sub(WINDOW - 1);
        let crowded = windows.div_ceil(WINDOWS_OF_ONE_TEXT).next_power_of_two();
        let stride = self.stride.max(u32::try_from(crowded).unwrap_or(u32::MAX));
        for start in 0..windows {
            if normal.begins_character(start) && normal.character(start).is_multiple_of(stride) {
                self.remember_window(source, normal, start, false);
            }
        }
    }

    fn remember_window(&mut self, source: u32, normal: &Normal, start: usize, pinned: bool) {
        let range = start..start + WINDOW;
        let Some(bytes) = normal.bytes.get(range.clone()) else { return };
        let hash = self.hash(bytes);
        if says_nothing(bytes) || self.common.contains(&hash) {
            return;
        }
        let spot = Spot::new(source, normal.character(start), normal.count(&range));
        self.whole_windows.add(bytes);
        self.table.add_window(hash, if pinned { spot.pinned() } else { spot }, &self.sources);
    }

    /// Keeps to the bound.
    fn thin(&mut self) {
        while self.table.len() > self.limits.hashes && self.stride < 1 << 20 {
            self.stride *= 2;
            self.table.thin(self.stride);
        }
    }

    fn hash(&self, bytes: &[u8]) -> u64 {
        use std::hash::Hasher;
        let mut hasher = siphasher::sip::SipHasher13::new_with_key(&self.key.0);
        hasher.write(bytes);
        hasher.finish()
    }
}

impl std::fmt::Debug for Fingerprints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fingerprints({} texts, {} hashes)", self.sources.len(), self.table.len())
    }
}

/// Rulers and paddings, and names of settings in capital letters: found in many texts.
fn says_nothing(window: &[u8]) -> bool {
    let mut seen = [0_u64; 4];
    for byte in window {
        if let Some(word) = seen.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }
    let different: u32 = seen.iter().map(|word| word.count_ones()).sum();
    let is_name = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'_' | b'=' | b':');
    (different as usize) < FEWEST_BYTES || window.iter().all(is_name)
}
