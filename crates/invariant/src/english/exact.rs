//! Sentences of a known build, read word by word. Nothing may be left over: what is not understood as a whole is left to
//! the looser reading, or refused.

mod acts;
mod addresses;
mod alone;
mod aside;
mod columns;
mod contents;
mod counts;
mod duty;
pub(super) mod guard;
mod kinds;
mod measures;
mod names;
mod pairs;
mod parameter;
mod predicate;
mod programs;
mod refer;
mod rules;
mod scope;
mod shell;
mod tables;
mod texts;
mod turn;
mod turned;
mod words;

use std::cell::{Cell, RefCell};

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
    /// How often the clause was put more plainly.
    depth: Cell<usize>,
    /// Whether the clause before said where branches come from.
    branches: Cell<bool>,
}

impl<'e> Exact<'e> {
    pub(crate) fn new(lexicon: &'e Lexicon, hand: &'e Hand, year: i16) -> Exact<'e> {
        Exact {
            lexicon,
            hand,
            year,
            last: RefCell::new(None),
            half: RefCell::new(None),
            depth: Cell::new(0),
            branches: Cell::new(false),
        }
    }

    /// What was understood in part only: a looser reading would make something else of it.
    pub(crate) fn half(&self) -> Option<String> {
        self.half.borrow_mut().take()
    }

    fn chunker(&self) -> Chunker<'e> {
        Chunker { lexicon: self.lexicon, hand: self.hand, year: self.year }
    }

    /// The parts of a sentence, if each of them is understood, perhaps once it is clear what "it" stands for.
    pub(crate) fn sentence(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        self.parts(tokens, has_rules).or_else(|| {
            joints(tokens).into_iter().find_map(|at| self.after(tokens.get(..at)?, tokens.get(at + 1..)?))
        })
    }

    /// A sentence without what stands behind its rule and only says why, and these reasons.
    pub(crate) fn without_reasons<'t>(&self, tokens: &'t [Token]) -> (&'t [Token], Vec<String>) {
        let mut reasons = Vec::new();
        let mut rest = tokens;
        loop {
            let comma = rest.iter().rposition(|token| matches!(token.shape, Shape::Mark(',')));
            let Some(at) = comma.filter(|at| *at > 1) else { return (rest, reasons) };
            let (Some(before), Some(behind)) = (rest.get(..at), rest.get(at + 1..)) else {
                return (rest, reasons);
            };
            let is_open = before.iter().filter(|token| token.shape == Shape::Mark('(')).count()
                > before.iter().filter(|token| token.shape == Shape::Mark(')')).count();
            if is_open || behind.is_empty() || !self.tells(behind) {
                return (rest, reasons);
            }
            reasons.push(words::text(behind));
            rest = before;
        }
    }

    /// A rule behind a statement that says what it is about.
    pub(crate) fn after(&self, told: &[Token], rule: &[Token]) -> Option<Vec<Part>> {
        let rule = self.referred(told, rule)?;
        let mut parts = match self.parts(&rule, false) {
            Some(parts) => parts,
            None => vec![Part::Rules(self.freely(&rule)?)],
        };
        parts.push(Part::Aside(words::text(told)));
        Some(parts)
    }

    /// Several sentences that fit a form as one: "You may add lines to a.log; what is in there stays as it is."
    pub(crate) fn as_one(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let tokens = match tokens.split_last() {
            Some((last, rest)) if matches!(last.shape, Shape::Mark('.' | '!' | ';')) => rest,
            _ => tokens,
        };
        let parts = |token: &Token| matches!(token.shape, Shape::Mark('.' | ';' | '!'));
        if tokens.iter().filter(|token| parts(token)).count() != 1 {
            return None;
        }
        let comma = |token: &Token| match parts(token) {
            true => {
                Token { text: ",".to_owned(), low: ",".to_owned(), shape: Shape::Mark(','), at: token.at }
            }
            false => token.clone(),
        };
        let joined: Vec<Token> = tokens.iter().map(comma).collect();
        self.turned(words::core(&joined)).map(|rules| vec![Part::Rules(rules)])
    }

    /// The parts of a sentence, if each of them is understood. Rules stand before it or not.
    fn parts(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        let mut rest = tokens;
        if let Some((allowed, denied)) = but_never(tokens) {
            parts.push(Part::Aside(words::text(allowed)));
            rest = denied;
        }
        while !rest.is_empty() {
            let has_rules = has_rules || parts.iter().any(|part| matches!(part, Part::Rules(_)));
            let (part, length) = self.longest(rest, has_rules)?;
            parts.push(part);
            rest = rest.get(length..)?;
            while rest.first().is_some_and(is_joint) {
                rest = rest.get(1..)?;
            }
        }
        // A time that leads counts for everything behind it, which parts do not know of each other.
        let stating = parts.iter().filter(|part| matches!(part, Part::Rules(_))).count();
        if stating > 1 && crate::english::when::read(tokens, self.year).is_some() {
            return None;
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
            .or_else(|| self.duties(tokens))
            .or_else(|| self.arguments(tokens))
            .or_else(|| self.contents(tokens))
            .or_else(|| self.texts(tokens))
            .or_else(|| self.told_programs(tokens))
            .or_else(|| self.chosen(tokens))
            .or_else(|| self.sql_words(tokens))
            .or_else(|| self.tables(tokens))
            .or_else(|| self.pairs(tokens))
            .or_else(|| self.addresses(tokens))
            .or_else(|| self.measured(tokens))
            .or_else(|| self.turned(tokens))
    }
}

/// "Fill the basket, but never press Order": what is allowed, and what stands behind it.
fn but_never(tokens: &[Token]) -> Option<(&[Token], &[Token])> {
    let at = tokens.iter().position(|token| token.shape == Shape::Word && token.low == "but")?;
    let (before, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
    let is_denied = words::strip(
        behind,
        &["never", "don't", "do not", "you never", "you don't", "you do not", "not", "no"],
    )
    .is_some();
    let rules = |token: &Token| {
        matches!(
            token.low.as_str(),
            "never"
                | "no"
                | "not"
                | "don't"
                | "only"
                | "must"
                | "nothing"
                | "nobody"
                | "ask"
                | "anything"
                | "everything"
                | "anyone"
                | "anybody"
                | "all"
        )
    };
    let is_plain = before.iter().all(|token| matches!(token.shape, Shape::Word | Shape::Mark(',')));
    (is_denied && is_plain && at > 1 && !before.iter().any(rules)).then_some((before, behind))
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
