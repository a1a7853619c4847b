//! The short secrets of a text: what is remembered as a whole, for it is shorter than a window.

use std::collections::BTreeMap;
use std::ops::Range;

use portcullis_perceive::secrets::Finding;

use super::{SHORTEST, WINDOW};

/// A word that is no value of a setting has to be this long.
const SHORTEST_WORD: usize = 12;
/// So many of one text are kept.
const MOST_SECRETS: usize = 256;
/// A word longer than this is found by its windows.
const LONGEST_WORD: usize = 256;
/// Bits a character that a random text has and words of a language have not.
const RANDOM: f64 = 2.75;

/// The bytes of every credential, of every value that a machine seems to have made, and of the text as a whole if it
/// is one short word.
pub(super) fn secrets(text: &str, credentials: &[Finding]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = credentials.iter().map(|finding| finding.range.clone()).collect();
    let trimmed = text.trim();
    if (SHORTEST..WINDOW).contains(&trimmed.len()) && is_chosen(trimmed) {
        let start = text.len() - text.trim_start().len();
        found.push(start..start + trimmed.len());
    }
    found.extend(words(text).filter(|word| is_secret(text, word)));
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup();
    found.truncate(MOST_SECRETS);
    found
}

/// Whether a text that is one word is no word of a language: with a digit, or of three kinds of characters.
fn is_chosen(text: &str) -> bool {
    let has = |wanted: u8| text.bytes().any(|byte| kind(byte) == wanted);
    let kinds = (0..4).filter(|kind| has(*kind)).count();
    !text.contains(char::is_whitespace) && kinds > 1 && (has(2) || kinds > 2)
}

/// What stands between characters that no token has.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ends = text.match_indices(separates).map(|(at, matched)| (at, at + matched.len()));
    ends.chain([(text.len(), text.len())]).map(move |(end, next)| {
        let word = start..end;
        start = next;
        word
    })
}

fn separates(letter: char) -> bool {
    letter.is_whitespace() || "\"'`<>(){}[]=,;:|&?#@".contains(letter)
}

fn is_secret(text: &str, range: &Range<usize>) -> bool {
    let Some(word) = text.get(range.clone()) else { return false };
    // `KEY=value`, `key: value`, `"key": "value"`.
    let before = text.get(..range.start).unwrap_or_default().trim_end_matches([' ', '\t', '"', '\'']);
    let is_value = before.ends_with(['=', ':']);
    let shortest = if is_value { SHORTEST } else { SHORTEST_WORD };
    (shortest..=LONGEST_WORD).contains(&word.len()) && looks_random(word)
}

/// Letters and digits that change places often, as in keys, and seldom in names, versions, dates and paths.
fn looks_random(word: &str) -> bool {
    let is_place = word.starts_with(['/', '.', '~']) || word.contains("//");
    let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
    let kinds = word.bytes().map(kind);
    let changes = kinds.clone().zip(kinds.skip(1)).filter(|(one, next)| one != next).count();
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    !is_place && is_mixed && changes * 4 >= word.len() && longest_run(word) >= 6 && entropy(word) >= RANDOM
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

/// The longest run of letters and digits: names of hosts and versions have short ones.
fn longest_run(word: &str) -> usize {
    word.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

fn entropy(word: &str) -> f64 {
    let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
    word.bytes().for_each(|byte| *counts.entry(byte).or_default() += 1);
    let total = f64::from(counts.values().sum::<u32>());
    let shares = counts.values().map(|count| f64::from(*count) / total);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}
