//! Phrases that may stand in a hole, and what they come to there.

use std::collections::{BTreeMap, HashMap};

use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};

/// The phrases of one sort.
#[derive(Default)]
pub(super) struct Terms {
    /// What they come to, in the order of the tables.
    meant: Vec<String>,
    /// The words behind the first one, by that one, and the number of what they come to.
    by_word: HashMap<String, Vec<(Vec<String>, usize)>>,
    /// Phrases of several words, as they are when they are written as one.
    joined: HashMap<String, Vec<usize>>,
}

impl Terms {
    /// With phrases, parted by `|`, that come to something.
    pub(super) fn add(&mut self, meant: String, phrases: &str) {
        let number = self.meant.len();
        self.meant.push(meant);
        for phrase in phrases.split('|') {
            let mut words = phrase.split(['_', ' ']).map(str::to_owned);
            let Some(first) = words.next() else { continue };
            let rest: Vec<String> = words.collect();
            if !rest.is_empty() {
                self.joined.entry(phrase.replace(' ', "_")).or_default().push(number);
            }
            self.by_word.entry(first).or_default().push((rest, number));
        }
    }

    /// What the phrases come to with which tokens begin: the longest first.
    pub(super) fn beginning(&self, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, String)> {
        let Some((first, rest)) = tokens.split_first() else { return Vec::new() };
        let mut longest: BTreeMap<usize, usize> = BTreeMap::new();
        let mut add = |number: usize, length: usize| {
            let known = longest.entry(number).or_default();
            *known = length.max(*known);
        };
        // `exclude_domains` is one word where it is written so.
        if first.low.contains('_') {
            self.joined.get(&first.low).into_iter().flatten().for_each(|number| add(*number, 1));
        }
        if first.shape != Shape::Quoted {
            for base in exact.bases_of(&first.low).iter() {
                for (words, number) in self.by_word.get(base).into_iter().flatten() {
                    if follows(words, rest, exact) {
                        add(*number, words.len() + 1);
                    }
                }
            }
        }
        let known = |(number, length): (usize, usize)| Some((length, self.meant.get(number)?.clone()));
        let mut found: Vec<(usize, String)> = longest.into_iter().filter_map(known).collect();
        found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
        found
    }
}

/// Whether tokens begin with these words, in whatever form.
fn follows(words: &[String], tokens: &[Token], exact: &Exact<'_>) -> bool {
    words.len() <= tokens.len()
        && words.iter().zip(tokens).all(|(word, token)| {
            token.shape != Shape::Quoted && (token.low == *word || exact.bases_of(&token.low).contains(word))
        })
}
