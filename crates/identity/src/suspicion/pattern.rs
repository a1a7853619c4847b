//! Patterns of words in a sentence.
//!
//! A pattern is a line of steps: `a|b` is one of these words, `$name` a word of a group, `?a|b` the same or nothing,
//! `..4` up to four words of any kind, `^` the beginning of the sentence.

use super::lexicon;

/// A step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Start,
    Word(Vec<&'static str>, Need),
    Place,
    Address,
    Gap(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Must,
    May,
}

/// A pattern, ready to be looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    steps: Vec<Step>,
}

impl Pattern {
    /// Reads a pattern. What names no group is a pattern that a test refuses.
    pub(super) fn new(line: &'static str) -> Option<Pattern> {
        line.split_whitespace().map(step).collect::<Option<Vec<_>>>().map(|steps| Pattern { steps })
    }

    /// Whether the words have it somewhere.
    pub(super) fn is_in(&self, words: &[String]) -> bool {
        (0..words.len()).any(|start| matches(&self.steps, words, start))
    }
}

fn step(text: &'static str) -> Option<Step> {
    if text == "^" {
        return Some(Step::Start);
    }
    if let Some(length) = text.strip_prefix("..") {
        return length.parse().ok().map(Step::Gap);
    }
    match text {
        "$place" => return Some(Step::Place),
        "$address" => return Some(Step::Address),
        _ => {}
    }
    let (need, text) = match text.strip_prefix('?') {
        Some(rest) => (Need::May, rest),
        None => (Need::Must, text),
    };
    let mut words = Vec::new();
    for part in text.split('|') {
        match part.strip_prefix('$') {
            Some(group) => words.extend_from_slice(lexicon::group(group)?),
            None => words.push(part),
        }
    }
    Some(Step::Word(words, need))
}

/// A pattern has few steps and short gaps, so that trying all ways is cheap.
fn matches(steps: &[Step], words: &[String], at: usize) -> bool {
    let Some((step, rest)) = steps.split_first() else { return true };
    let word = words.get(at).map(String::as_str);
    match step {
        Step::Start => at == 0 && matches(rest, words, at),
        Step::Gap(most) => (0..=*most)
            .take_while(|skip| at + skip <= words.len())
            .any(|skip| matches(rest, words, at + skip)),
        Step::Place => word.is_some_and(lexicon::is_place) && matches(rest, words, at + 1),
        Step::Address => word.is_some_and(lexicon::is_address) && matches(rest, words, at + 1),
        Step::Word(any, need) => {
            let is_here = word.is_some_and(|word| any.contains(&word));
            is_here && matches(rest, words, at + 1) || *need == Need::May && matches(rest, words, at)
        }
    }
}
