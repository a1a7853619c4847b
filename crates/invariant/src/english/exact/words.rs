//! Words in a row, and what they begin and end with.

use crate::english::lexicon::bases;
use crate::english::token::{Shape, Token};

/// Words in front of a noun that say nothing of it.
const DETERMINERS: &[&str] = &[
    "the", "a", "an", "any", "all", "every", "each", "my", "our", "your", "its", "their", "his", "her",
    "this", "these", "those", "some", "new", "single", "of", "whatever",
];

/// Words in front of a rule that only lead to it.
const OPENINGS: &[&str] = &[
    "please make sure that",
    "make sure that",
    "please make sure",
    "make sure",
    "ensure that",
    "ensure",
    "see to it that",
    "remember that",
    "remember",
    "note that",
    "one more thing",
    "also",
    "and",
    "please",
    "pls",
    "so",
    "then",
    "i want",
    "from now on",
    "in this session",
];

/// Words behind a rule that only strengthen it.
const CLOSINGS: &[&str] = &[
    "please",
    "pls",
    "ever",
    "at all",
    "thanks",
    "thank you",
    "many thanks",
    "thx",
    "ta",
    "cheers",
    "no exceptions",
    "without exception",
    "every time",
    "every single time",
    "each time",
    "either",
    "any more",
    "anymore",
    "in any case",
    "from now on",
    "for now",
    "in this session",
    "this session",
    "from here",
    "whatsoever",
    "full stop",
    "though",
    "no matter what",
    "in any form",
    "today",
    "for today",
    "right now",
    "at the moment",
    ", not yours",
    ", not you",
    ", not by you",
    ", not for you",
    "and not yours",
    "and not you",
    ", never you",
];

/// How many tokens a phrase takes at the beginning of these, if they begin with it.
pub(super) fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    let mut rest = phrase;
    for (at, token) in tokens.iter().enumerate() {
        // Letter by letter instead of word by word: nearly all phrases are told by their first.
        let behind = rest.strip_prefix(token.low.as_str())?;
        if token.shape == Shape::Quoted || token.low.contains(' ') {
            return None;
        }
        if behind.is_empty() {
            return Some(at + 1);
        }
        rest = behind.strip_prefix(' ')?;
    }
    None
}

/// What is left behind the longest of these phrases, if the words begin with one.
pub(super) fn strip<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    let length = phrases.iter().filter_map(|phrase| begins(tokens, phrase)).max()?;
    tokens.get(length..)
}

/// What is left before the longest of these phrases, if the words end with one.
pub(super) fn strip_end<'t>(tokens: &'t [Token], phrases: &[&str]) -> Option<&'t [Token]> {
    let last = tokens.last()?;
    let ends = |phrase: &&str| {
        if !phrase.ends_with(last.low.as_str()) {
            return None;
        }
        let length = phrase.bytes().filter(|letter| *letter == b' ').count() + 1;
        let at = tokens.len().checked_sub(length)?;
        begins(tokens.get(at..)?, phrase)
    };
    let length = phrases.iter().filter_map(ends).max()?;
    tokens.get(..tokens.len() - length)
}

/// The words before and behind the first of these phrases, of several at one place the longest.
pub(super) fn around<'t, 'p>(
    tokens: &'t [Token],
    phrases: &[&'p str],
) -> Option<(&'t [Token], &'p str, &'t [Token])> {
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        let found = phrases.iter().filter_map(|phrase| Some((begins(rest, phrase)?, *phrase)));
        let (length, phrase) = found.max_by_key(|(length, _)| *length)?;
        Some((tokens.get(..at)?, phrase, rest.get(length..)?))
    })
}

/// The words without what stands in front of a noun.
pub(super) fn bare(mut tokens: &[Token]) -> &[Token] {
    while let Some((first, rest)) = tokens.split_first() {
        let is_light = DETERMINERS.contains(&first.low.as_str()) && first.shape == Shape::Word;
        if !is_light || rest.is_empty() {
            break;
        }
        tokens = rest;
    }
    tokens
}

/// The words without what only leads to a rule or strengthens it.
pub(super) fn core(mut tokens: &[Token]) -> &[Token] {
    while let Some(rest) = strip(tokens, OPENINGS).filter(|rest| !rest.is_empty()) {
        tokens = rest;
    }
    loop {
        let shorter = strip_end(tokens, CLOSINGS).or_else(|| strip_end(tokens, &[","]));
        match shorter.filter(|rest| !rest.is_empty()) {
            Some(rest) => tokens = rest,
            None => return tokens,
        }
    }
}

/// The items of a list: what commas, "and", "or" and "nor" part.
pub(super) fn items(tokens: &[Token]) -> Vec<&[Token]> {
    let parts = |token: &Token| {
        token.shape == Shape::Mark(',')
            || token.shape == Shape::Mark('&')
            || (token.shape == Shape::Word && matches!(token.low.as_str(), "or" | "and" | "nor"))
    };
    tokens.split(parts).filter(|item| !item.is_empty()).collect()
}

/// The words as one text.
pub(super) fn text(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The words in lower case as one text, the last of them in each of its base forms.
pub(super) fn in_bases(tokens: &[Token]) -> Vec<String> {
    let Some((last, front)) = tokens.split_last() else { return Vec::new() };
    let front: String = front.iter().flat_map(|token| [token.low.as_str(), " "]).collect();
    bases(last).iter().map(|base| format!("{front}{base}")).collect()
}

/// The words in lower case, each without the ending of a plural, as names are cut.
pub(super) fn stems(tokens: &[Token]) -> Vec<String> {
    tokens.iter().flat_map(|token| crate::names::words(&token.low)).collect()
}

/// What stands in brackets at the end, and what stands before it.
pub(super) fn bracketed(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let open = tokens.iter().position(|token| token.shape == Shape::Mark('('))?;
    let close = tokens.iter().rposition(|token| token.shape == Shape::Mark(')'))?;
    let inner = tokens.get(open + 1..close)?;
    (close + 1 == tokens.len() && !inner.is_empty()).then_some((tokens.get(..open)?, inner))
}
