//! Commands that a plain sentence names: a program with words behind it.

use super::{NO_NAMES, RULING};
use crate::english::exact::words;
use crate::english::token::{Shape, Token};

/// A program with words behind it, or a command line in quotation marks: the longest first.
pub(super) fn commands(tokens: &[Token]) -> Vec<(usize, String)> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let is_program = |word: &str| {
        let known = crate::english::exact::stated::class("program")
            .is_some_and(|programs| programs.contains(&word.to_lowercase()));
        known || word.starts_with("./") || [".sh", ".py", ".js", ".rb"].iter().any(|end| word.ends_with(end))
    };
    if first.shape == Shape::Quoted {
        let runs = first.text.split(' ').next().is_some_and(is_program);
        return if runs { vec![(1, first.text.clone())] } else { Vec::new() };
    }
    if !is_program(&first.low) {
        return Vec::new();
    }
    let is_part = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Flag | Shape::Number)
            && !RULING.contains(&token.low.as_str())
    };
    const ENDING: &[&str] = &[
        "has",
        "have",
        "had",
        "was",
        "were",
        "ran",
        "passed",
        "passes",
        "succeeded",
        "finished",
        "went",
        "it",
        "again",
        "there",
        "please",
        "ever",
        "commands",
        "command",
        "calls",
        "call",
        "things",
        "stuff",
        "anything",
        "something",
        "everything",
        "files",
        "yourself",
    ];
    let is_part = |token: &&Token| {
        let low = token.low.as_str();
        is_part(token) && !ENDING.contains(&low) && !NO_NAMES.contains(&low)
    };
    let more = tokens.iter().skip(1).take(3).take_while(is_part).count();
    (2..=more + 1)
        .rev()
        .map(|length| (length, words::text(tokens.get(..length).unwrap_or_default())))
        .collect()
}
