//! Programs, and what they are told.

use super::Chunker;
use super::pieces::{is_git_subcommand, is_subcommand};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};

impl Chunker<'_> {
    /// "make, cargo and git": one of several programs.
    fn lists_programs(&self, tokens: &[Token]) -> bool {
        let [_, between, next, ..] = tokens else { return false };
        matches!(between.low.as_str(), "," | "and" | "or")
            && self.hand.has_program(&next.low)
            && (!self.lexicon.knows(next) || next.low == "git")
    }

    /// "rm with -r": a program and an option that it has.
    pub(super) fn with_flag(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let [program, with, flag, ..] = tokens else { return None };
        let is_filler = self
            .lexicon
            .phrases(std::slice::from_ref(program))
            .iter()
            .any(|phrase| matches!(phrase.entry, Entry::Filler));
        let is_it = self.hand.has_program(&program.low)
            && !is_filler
            && matches!(with.low.as_str(), "with" | "using")
            && flag.shape == Shape::Flag;
        is_it.then(|| vec![program.low.clone(), flag.text.clone()])
    }

    /// A program by its name, with its subcommand and options: "terraform apply", "rm -rf".
    pub(super) fn command(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let first = tokens.first()?;
        let is_program =
            matches!(first.shape, Shape::Word | Shape::Identifier) && self.hand.has_program(&first.low);
        let next = tokens.get(1);
        let takes_flag = next.is_some_and(|next| matches!(next.shape, Shape::Flag | Shape::Number))
            || is_target(next)
            || self.lists_programs(tokens);
        // "the git history" is English.
        let is_english = |next: &Token| {
            next.shape == Shape::Word && is_subcommand(&next.low) && !is_git_subcommand(&next.low)
        };
        let is_git = first.low == "git" && next.is_some_and(is_english);
        if !is_program || is_git || (self.lexicon.knows(first) && !takes_flag && first.low != "git") {
            return None;
        }
        let mut words = vec![first.low.clone()];
        for token in tokens.iter().skip(1).take(3) {
            let is_word = token.shape == Shape::Word
                && token.text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            let is_told = token.shape == Shape::Flag
                || token.shape == Shape::Number
                || (is_word
                    && words.len() < 2
                    && is_subcommand(&token.low)
                    && (first.low != "git" || is_git_subcommand(&token.low)));
            if !is_told {
                break;
            }
            words.push(token.low.clone());
        }
        Some(words)
    }
}

/// What programs that run others are told: "make test".
fn is_target(next: Option<&Token>) -> bool {
    const TARGETS: &[&str] =
        &["test", "tests", "build", "deploy", "lint", "check", "clean", "install", "release", "fmt"];
    next.is_some_and(|next| TARGETS.contains(&next.low.as_str()))
}
