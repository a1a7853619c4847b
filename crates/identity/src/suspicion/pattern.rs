//! Patterns of words in a sentence.
//!
//! A pattern is a line of steps: `a|b` is one of these words, `$name` a word of a group, `?a|b` the same or nothing,
//! `..4` up to four words of any kind, `^` the beginning of the sentence. Words of patterns have numbers, so that a
//! sentence is looked up once and most patterns are ruled out by the words that it does not have.

use std::collections::HashMap;

use super::lexicon;

/// A set of numbers of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Numbers(Vec<u64>);

impl Numbers {
    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }

    fn meets(&self, other: &Numbers) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }
}

/// A step of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Start,
    Word(Numbers, Need),
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

/// The words of all patterns.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<&'static str, usize>,
}

/// A sentence as patterns see it.
pub(super) struct Looked {
    words: Vec<Word>,
    all: Numbers,
    has_place: bool,
    has_address: bool,
}

#[derive(Clone, Copy)]
struct Word {
    number: Option<usize>,
    is_place: bool,
    is_address: bool,
}

impl Vocabulary {
    /// Reads a pattern. What names no group is a pattern that a test refuses.
    pub(super) fn pattern(&mut self, line: &'static str) -> Option<Pattern> {
        let steps = line.split_whitespace().map(|step| self.step(step));
        steps.collect::<Option<Vec<_>>>().map(|steps| Pattern { steps })
    }

    /// Looks a sentence up.
    pub(super) fn look<'w>(&self, sentence: impl Iterator<Item = &'w str>) -> Looked {
        let word = |word: &str| Word {
            number: self.numbers.get(word).copied(),
            is_place: lexicon::is_place(word),
            is_address: lexicon::is_address(word),
        };
        let words: Vec<Word> = sentence.map(word).collect();
        let mut all = Numbers::default();
        words.iter().filter_map(|word| word.number).for_each(|number| all.insert(number));
        let has_place = words.iter().any(|word| word.is_place);
        let has_address = words.iter().any(|word| word.is_address);
        Looked { words, all, has_place, has_address }
    }

    fn step(&mut self, text: &'static str) -> Option<Step> {
        if let Some(length) = text.strip_prefix("..") {
            return length.parse().ok().map(Step::Gap);
        }
        match text {
            "^" => return Some(Step::Start),
            "$place" => return Some(Step::Place),
            "$address" => return Some(Step::Address),
            _ => {}
        }
        let (need, text) = match text.strip_prefix('?') {
            Some(rest) => (Need::May, rest),
            None => (Need::Must, text),
        };
        let mut numbers = Numbers::default();
        for part in text.split('|') {
            match part.strip_prefix('$') {
                Some(group) => {
                    lexicon::group(group)?.iter().for_each(|word| numbers.insert(self.number(word)))
                }
                None => numbers.insert(self.number(part)),
            }
        }
        Some(Step::Word(numbers, need))
    }

    fn number(&mut self, word: &'static str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(word).or_insert(next)
    }
}

impl Pattern {
    /// Whether the sentence has it somewhere.
    pub(super) fn is_in(&self, looked: &Looked) -> bool {
        let may_be = self.steps.iter().all(|step| match step {
            Step::Word(numbers, Need::Must) => numbers.meets(&looked.all),
            Step::Place => looked.has_place,
            Step::Address => looked.has_address,
            Step::Start | Step::Gap(_) | Step::Word(_, Need::May) => true,
        });
        may_be && (0..looked.words.len()).any(|start| matches(&self.steps, &looked.words, start))
    }
}

/// A pattern has few steps and short gaps, so that trying all ways is cheap.
fn matches(steps: &[Step], words: &[Word], at: usize) -> bool {
    let Some((step, rest)) = steps.split_first() else { return true };
    let word = words.get(at);
    match step {
        Step::Start => at == 0 && matches(rest, words, at),
        Step::Gap(most) => {
            let last = words.len().min(at + most);
            (at..=last).any(|next| matches(rest, words, next))
        }
        Step::Place => word.is_some_and(|word| word.is_place) && matches(rest, words, at + 1),
        Step::Address => word.is_some_and(|word| word.is_address) && matches(rest, words, at + 1),
        Step::Word(any, need) => {
            let is_here = word.and_then(|word| word.number).is_some_and(|number| any.contains(number));
            is_here && matches(rest, words, at + 1) || *need == Need::May && matches(rest, words, at)
        }
    }
}
