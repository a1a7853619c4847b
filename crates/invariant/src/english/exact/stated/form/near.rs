//! Forms that a sentence nearly has: a word more or less that only joins others, where no form fits as it is.

use std::cell::Cell;
use std::sync::Arc;

use super::{Form, Hole, Item, Part, Phrases};
use crate::english::exact::stated::holes::{Holes, sort_of};
use crate::english::exact::stated::sight::Sight;
use crate::english::token::{Shape, Token};

/// What it costs to pass over a joining word of a sentence.
const PASSED: u8 = 1;

/// What it costs that a joining word of a form is not said.
const UNSAID: u8 = 2;

/// How much is tried for one form.
const FUEL: u32 = 2000;

/// Words that join others and that people put in or leave out as they like. None of them denies, limits, excepts, compares,
/// sets a time or names a side that matters alone.
const JOINING: &[&str] = &[
    "a",
    "also",
    "always",
    "an",
    "any",
    "anything",
    "anywhere",
    "are",
    "at",
    "be",
    "been",
    "being",
    "by",
    "do",
    "does",
    "each",
    "ever",
    "every",
    "for",
    "get",
    "gets",
    "has",
    "have",
    "here",
    "i",
    "i'm",
    "in",
    "inside",
    "into",
    "is",
    "it's",
    "its",
    "kind",
    "me",
    "must",
    "my",
    "myself",
    "now",
    "of",
    "on",
    "ones",
    "onto",
    "our",
    "please",
    "really",
    "right",
    "shall",
    "should",
    "simply",
    "so",
    "some",
    "something",
    "somewhere",
    "sort",
    "still",
    "stuff",
    "such",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "through",
    "to",
    "too",
    "us",
    "via",
    "was",
    "we",
    "we're",
    "were",
    "whatever",
    "which",
    "who",
    "will",
    "within",
    "would",
    "yet",
    "you",
    "your",
    "yourself",
    "again",
    "about",
];

/// Holes that take whatever stands there: before them no word is taken for unsaid.
const OPEN_HOLES: &[&str] = &[
    "any", "tail", "topic", "topics", "name", "names", "word", "words", "phrase", "phrases", "label",
    "remark",
];

/// Whether a part of a form may be left unsaid: it is one joining word, whichever it is.
pub(super) fn may_be_unsaid(item: &Item, text: &str, phrases: &Phrases) -> bool {
    let Item::Any { holes, is_needed: true, .. } = item else { return false };
    let is_joining = |word: &str| JOINING.contains(&word) || matches!(word, "," | ";" | ":" | "-");
    let of_name = |word: &str| word.strip_prefix('@').and_then(|name| phrases.get(name)).cloned();
    holes.is_empty()
        && text.split('|').all(|word| {
            let all = of_name(word).unwrap_or_else(|| word.to_owned());
            all.split('|').flat_map(|phrase| phrase.split('_')).all(is_joining)
        })
}

/// Whether a part has a hole that takes whatever stands there.
pub(super) fn takes_all(item: &Item) -> bool {
    let is_open = |hole: &Hole| OPEN_HOLES.contains(&sort_of(&hole.name));
    matches!(item, Item::Any { holes, .. } if holes.iter().any(is_open))
}

/// Whether a word may be passed over in a sentence.
pub(in crate::english::exact::stated) fn may_be_passed(token: &Token) -> bool {
    match token.shape {
        Shape::Mark(mark) => matches!(mark, ',' | ';'),
        Shape::Word => JOINING.contains(&token.low.as_str()),
        _ => false,
    }
}

impl Form {
    /// What fills its holes, if the words have this form but for a few that join others.
    pub(in crate::english::exact::stated) fn near(&self, sight: &Sight<'_>, most: u8) -> Option<Holes> {
        Search { sight, fuel: Cell::new(FUEL) }.near(&self.parts, 0, Holes::default(), most)
    }
}

/// The search for a way to fit a form.
struct Search<'s> {
    sight: &'s Sight<'s>,
    fuel: Cell<u32>,
}

impl Search<'_> {
    fn near(&self, parts: &[Arc<Part>], at: usize, holes: Holes, left: u8) -> Option<Holes> {
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let Some((part, rest)) = parts.split_first() else {
            if at == self.sight.len() {
                return Some(holes);
            }
            return self.passed(parts, at, holes, left);
        };
        let mut found = super::fitting(part, self.sight, at, &holes, &|length, holes| {
            self.near(rest, at + length, holes, left)
        });
        if found.is_none() && self.sight.is_light(at) {
            found = self.near(parts, at + 1, holes.clone(), left);
        }
        found
            .or_else(|| self.unsaid(part, rest, at, &holes, left))
            .or_else(|| self.passed(parts, at, holes, left))
    }

    /// The same without the word that stands here.
    fn passed(&self, parts: &[Arc<Part>], at: usize, holes: Holes, left: u8) -> Option<Holes> {
        self.sight.may_be_passed(at).then_some(())?;
        self.near(parts, at + 1, holes, left.checked_sub(PASSED)?)
    }

    /// The same as if a part had been said.
    fn unsaid(&self, part: &Part, rest: &[Arc<Part>], at: usize, holes: &Holes, left: u8) -> Option<Holes> {
        (part.may_be_unsaid && !rest.first().is_some_and(|next| next.takes_all())).then_some(())?;
        self.near(rest, at, holes.clone(), left.checked_sub(UNSAID)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::exact::stated::form::NEVER;
    use crate::english::token::tokens;

    #[test]
    fn no_word_that_denies_limits_or_sets_a_time_is_passed_over() {
        let turning = "no not never nothing nobody none only except unless but other than outside without before after until if ask";
        let passed: Vec<Token> = tokens(turning).into_iter().filter(may_be_passed).collect();
        assert_eq!(passed, Vec::new());
        let denying = NEVER.iter().filter(|phrase| tokens(phrase).iter().all(may_be_passed));
        assert_eq!(denying.count(), 0);
    }

    #[test]
    fn nothing_that_is_named_is_passed_over() {
        let named = tokens("docs/ acme.com ann@acme.com #general 500 \"Nightjar\" --force C07LEGALQ1");
        assert!(named.iter().all(|token| !may_be_passed(token)), "{named:?}");
    }
}
