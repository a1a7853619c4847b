//! The stretches of a text between its marks: which of them rule, and which only tell or allow something.

use crate::english::exact::told::bag::is_word_of;
use crate::english::exact::words::{self, strip, strip_end};
use crate::english::token::{Shape, Token};

/// A stretch, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'t> {
    pub(super) from: usize,
    pub(super) tokens: &'t [Token],
    pub(super) kind: Kind,
}

/// What a stretch does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It rules something, or belongs to what rules.
    Rule,
    /// It says what may be looked at, which is what the rule is about.
    Looking,
    /// It says what is allowed or how things are.
    Told,
}

/// Words that deny.
pub(super) const DENYING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "nothing",
    "nobody",
    "none",
    "cannot",
    "can't",
    "mustn't",
    "without",
    "neither",
    "nor",
    "nowhere",
    "shouldn't",
    "isn't",
    "aren't",
    "won't",
    "doesn't",
    "forbidden",
    "banned",
    "taboo",
    "prohibited",
    "noone",
    "avoid",
    "stop",
    "refrain",
    "leave",
    "off-limits",
    "over",
    "strip",
    "omit",
];

/// Words that keep something where it is, or out of something.
pub(super) const KEEPING: &[&str] = &[
    "keep", "keeps", "kept", "stay", "stays", "stayed", "remain", "remains", "belong", "belongs", "leave",
    "leaves", "left",
];

const ONLY: &[&str] = &["only", "alone", "exclusively", "sole", "solely", "else", "except", "but", "limited"];

const LEAVES: &[&str] = &[
    "you may",
    "you can",
    "feel free to",
    "you are free to",
    "you're free to",
    "you are welcome to",
    "go ahead and",
    "you're allowed to",
    "you are allowed to",
];

const FINE: &[&str] = &[
    "fine",
    "ok",
    "okay",
    "allowed",
    "all right",
    "alright",
    "no problem",
    "permitted",
    "welcome",
    "not affected",
    "free",
    "good",
    "possible",
    "fine by me",
    "ok with me",
];

const LOOKING: &[&str] = &[
    "read", "look", "see", "query", "open", "work", "fetch", "use", "consult", "search", "come", "find",
    "browse",
];

/// Whether one of these words is there.
pub(super) fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| token.shape == Shape::Word && words.contains(&token.low.as_str()))
}

/// Whether a word of such a list is there.
pub(super) fn has_of(tokens: &[Token], kind: &str) -> bool {
    let is_name = |at: usize, token: &Token| at > 0 && token.is_capital();
    tokens
        .iter()
        .enumerate()
        .any(|(at, token)| token.shape == Shape::Word && !is_name(at, token) && is_word_of(kind, &token.low))
}

/// The stretches of a text. Brackets hold together.
pub(super) fn stretches(tokens: &[Token]) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.shape {
            Shape::Mark('(') => depth += 1,
            Shape::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_but = token.low == "but"
            && token.shape == Shape::Word
            && tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Word)
            && !before_names_nobody(tokens.get(..at).unwrap_or_default());
        let ends = matches!(token.shape, Shape::Mark('.' | ';' | ':' | '!' | ',' | '–' | '-')) || is_but;
        if depth == 0 && ends {
            push(&mut found, tokens, from, at);
            from = at + 1;
        }
    }
    push(&mut found, tokens, from, tokens.len());
    found
}

/// "anyone but", "any channel but": an exception, not another clause.
fn before_names_nobody(before: &[Token]) -> bool {
    let near = before.get(before.len().saturating_sub(3)..).unwrap_or_default();
    near.iter().any(|token| {
        matches!(
            token.low.as_str(),
            "anyone"
                | "anybody"
                | "anywhere"
                | "any"
                | "no"
                | "nobody"
                | "nothing"
                | "anything"
                | "nowhere"
                | "everyone"
                | "all"
        )
    })
}

fn push<'t>(found: &mut Vec<Stretch<'t>>, tokens: &'t [Token], from: usize, to: usize) {
    let Some(own) = tokens.get(from..to).filter(|own| !own.is_empty()) else { return };
    found.push(Stretch { from, tokens: own, kind: kind(own) });
}

fn kind(tokens: &[Token]) -> Kind {
    let core = words::core(tokens);
    let denies = has(core, DENYING);
    if !denies && let Some(behind) = strip(core, LEAVES) {
        let is_only = has(core, ONLY);
        return match is_only {
            true => Kind::Rule,
            false if behind.first().is_some_and(|first| LOOKING.contains(&first.low.as_str())) => {
                Kind::Looking
            }
            false => Kind::Told,
        };
    }
    let fine = strip_end(core, FINE)
        .and_then(|front| strip_end(front, &["is", "are", "are all", "is all", "is quite"]));
    if fine.is_some() && !denies {
        return Kind::Told;
    }
    // "Notes can be written at any hour".
    let may = core
        .windows(2)
        .any(|pair| matches!(pair, [may, be] if matches!(may.low.as_str(), "can" | "may") && be.low == "be"));
    if may && !denies && !has(core, ONLY) && core.iter().all(|token| token.shape == Shape::Word) {
        return Kind::Told;
    }
    Kind::Rule
}
