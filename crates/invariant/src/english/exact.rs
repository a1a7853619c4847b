//! Sentences of a known build, read word by word. Nothing may be left over: what is not understood as a whole is left to
//! the looser reading, or refused.

mod acts;
mod addresses;
mod aside;
mod columns;
mod contents;
mod counts;
mod kinds;
mod measures;
mod names;
mod pairs;
mod parameter;
mod predicate;
mod programs;
mod rules;
mod scope;
mod shell;
mod tables;
mod texts;
mod words;

use std::cell::RefCell;

use super::chunk::Chunker;
use super::lexicon::Lexicon;
use super::token::{Shape, Token};
use crate::hand::Hand;
use crate::meaning::{Case, Test, Verdict};
use parameter::Parameter;

/// A part of a sentence that was understood.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Part {
    /// It states this.
    Rules(Vec<(Verdict, Case)>),
    /// What of the rules before it is allowed nevertheless; none where it only says what no rule forbids.
    Permission(Vec<Vec<Test>>),
    /// It changes nothing.
    Aside(String),
}

/// Reads sentences of known builds.
pub(crate) struct Exact<'e> {
    pub(crate) lexicon: &'e Lexicon,
    pub(crate) hand: &'e Hand,
    /// The year that dates without one belong to.
    pub(crate) year: i16,
    /// The argument that the clause before spoke of.
    last: RefCell<Option<Parameter>>,
    /// An argument of which something is said that is not understood.
    half: RefCell<Option<String>>,
}

impl<'e> Exact<'e> {
    pub(crate) fn new(lexicon: &'e Lexicon, hand: &'e Hand, year: i16) -> Exact<'e> {
        Exact { lexicon, hand, year, last: RefCell::new(None), half: RefCell::new(None) }
    }

    /// What was understood in part only: a looser reading would make something else of it.
    pub(crate) fn half(&self) -> Option<String> {
        self.half.borrow_mut().take()
    }

    fn chunker(&self) -> Chunker<'e> {
        Chunker { lexicon: self.lexicon, hand: self.hand, year: self.year }
    }

    /// The parts of a sentence, if each of them is understood. Rules stand before it or not.
    pub(crate) fn sentence(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = tokens;
        while !rest.is_empty() {
            let has_rules = has_rules || parts.iter().any(|part| matches!(part, Part::Rules(_)));
            let (part, length) = self.longest(rest, has_rules)?;
            parts.push(part);
            rest = rest.get(length..)?;
            while rest.first().is_some_and(is_joint) {
                rest = rest.get(1..)?;
            }
        }
        let states = has_rules || parts.iter().any(|part| matches!(part, Part::Rules(_)));
        states.then_some(parts)
    }

    /// The longest stretch from the beginning that is understood, up to a joint.
    fn longest(&self, tokens: &[Token], has_rules: bool) -> Option<(Part, usize)> {
        let joints = joints(tokens);
        let stretch = |end: usize| tokens.get(..end);
        let rules = joints.iter().rev().find_map(|end| {
            let rules = self.clause(words::core(stretch(*end)?))?;
            Some((Part::Rules(rules), *end))
        });
        if rules.is_some() {
            return rules;
        }
        let permission = joints.iter().rev().find_map(|end| {
            let exceptions = self.permission(words::core(stretch(*end)?))?;
            (has_rules || exceptions.is_empty()).then_some((Part::Permission(exceptions), *end))
        });
        permission.or_else(|| {
            let end = joints
                .iter()
                .find(|end| stretch(**end).is_some_and(|part| self.is_aside(part, has_rules)))?;
            Some((Part::Aside(words::text(stretch(*end)?)), *end))
        })
    }

    /// What a clause states.
    fn clause(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        self.acts(tokens)
            .or_else(|| self.kinds(tokens))
            .or_else(|| self.signs(tokens))
            .or_else(|| self.counted(tokens))
            .or_else(|| self.columns(tokens))
            .or_else(|| self.name_forms(tokens))
            .or_else(|| self.arguments(tokens))
            .or_else(|| self.contents(tokens))
            .or_else(|| self.texts(tokens))
            .or_else(|| self.programs(tokens))
            .or_else(|| self.chosen(tokens))
            .or_else(|| self.sql_words(tokens))
            .or_else(|| self.tables(tokens))
            .or_else(|| self.pairs(tokens))
            .or_else(|| self.addresses(tokens))
            .or_else(|| self.measured(tokens))
    }
}

/// Where a stretch may end: at commas, colons and "but", and where something new begins behind "and"; at the end.
fn joints(tokens: &[Token]) -> Vec<usize> {
    let mut depth = 0usize;
    let mut joints = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.shape {
            Shape::Mark('(') => depth += 1,
            Shape::Mark(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = tokens.get(at + 1).map_or("", |next| next.low.as_str());
        let begins = token.low == "and"
            && matches!(
                next,
                "never"
                    | "no"
                    | "don't"
                    | "do"
                    | "only"
                    | "always"
                    | "must"
                    | "not"
                    | "keep"
                    | "nothing"
                    | "you"
                    | "they"
            );
        let reason = aside::REASONS.contains(&token.low.as_str());
        if at > 0 && depth == 0 && (is_joint(token) || begins || reason) {
            joints.push(at);
        }
    }
    joints.push(tokens.len());
    joints
}

fn is_joint(token: &Token) -> bool {
    matches!(token.shape, Shape::Mark(',' | ':')) || (token.shape == Shape::Word && token.low == "but")
}
