//! Phrases of wordings, looked up by the words that they begin with.

use crate::english::exact::stated::form::Vocabulary;
use crate::english::exact::words::begins;
use crate::english::token::Token;

/// Phrases, and the words that they begin with, by their numbers, in order.
#[derive(Clone, Debug)]
pub(super) struct Phrases {
    any: Vec<String>,
    pub(super) firsts: Vec<(u32, usize)>,
}

/// The numbers of words, as a vocabulary has them.
pub(super) fn numbers(vocabulary: &Vocabulary, tokens: &[Token]) -> Vec<u32> {
    tokens.iter().map(|token| vocabulary.number(&token.low).unwrap_or(UNKNOWN)).collect()
}

/// The number of a word that no phrase begins with.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Words, and the number of each.
#[derive(Clone, Copy)]
pub(super) struct Said<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) numbers: &'t [u32],
}

impl<'t> Said<'t> {
    /// All from a word on.
    pub(super) fn from(self, at: usize) -> Option<Said<'t>> {
        Some(Said { tokens: self.tokens.get(at..)?, numbers: self.numbers.get(at..)? })
    }
}

impl Phrases {
    /// Of these.
    pub(super) fn of(any: Vec<String>, vocabulary: &mut Vocabulary) -> Phrases {
        let first = |(at, phrase): (usize, &String)| Some((vocabulary.add(phrase.split(' ').next()?), at));
        let mut firsts: Vec<(u32, usize)> = any.iter().enumerate().filter_map(first).collect();
        firsts.sort_unstable();
        Phrases { any, firsts }
    }

    /// How many words they take at the beginning, the most first.
    pub(super) fn lengths(&self, said: Said<'_>) -> Vec<usize> {
        let Some(number) = said.numbers.first() else { return Vec::new() };
        let from = self.firsts.partition_point(|(first, _)| first < number);
        let alike = self.firsts.iter().skip(from).take_while(|(first, _)| first == number);
        let phrases = alike.filter_map(|(_, phrase)| self.any.get(*phrase));
        let mut lengths: Vec<usize> = phrases.filter_map(|phrase| begins(said.tokens, phrase)).collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        lengths.dedup();
        lengths
    }
}
