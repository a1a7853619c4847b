//! What may stand around a plain rule: a time, a reason behind it, a remark before it.

use super::Rules;
use super::leave::beside_leave;
use super::remarks::{is_leave, is_remark, is_verb_of_telling, tells};
use crate::english::exact::compose::schedules;
use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::Test;

impl Exact<'_> {
    /// What is stated without what stands around it.
    pub(super) fn peeled(&self, tokens: &[Token], late: bool, depth: usize) -> Option<Rules> {
        let again = |tokens: &[Token]| {
            let tokens = words::core(tokens);
            if tokens.len() < 2 {
                return None;
            }
            self.stated_whole(tokens, late)
                .or_else(|| if depth > 1 { self.several(tokens, late, 4) } else { None })
                .or_else(|| if depth > 1 { self.peeled(tokens, late, depth - 1) } else { None })
                .or_else(|| self.spliced(tokens, late))
        };
        self.beside_remark(tokens, &again)
            .or_else(|| beside_leave(tokens).and_then(|tokens| again(&tokens)))
            .or_else(|| self.under_heading(tokens).and_then(again))
            .or_else(|| self.beside_time(tokens, &again))
    }

    /// Several rules in one sentence, each of which is stated by itself. A time at its beginning or at its end counts for all
    /// of them.
    pub(super) fn joined(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let together =
            |tokens: &[Token]| self.several(tokens, late, 4).or_else(|| self.under_one_head(tokens, late));
        let timed = |at: usize| {
            let (span, length) = when::read(tokens.get(at..)?, self.year)?;
            let is_outer = at == 0 || at + length == tokens.len();
            is_outer.then_some((span, at, length))
        };
        let outer = || {
            let (span, at, length) = (0..tokens.len()).find_map(timed)?;
            let rest = if at == 0 { tokens.get(length..)? } else { tokens.get(..at)? };
            let mut rules = together(words::core(words::strip(rest, &[",", ":"]).unwrap_or(rest)))?;
            let is_timed = |test: &Test| matches!(test, Test::Time { .. });
            for (_, case) in &mut rules {
                if !case.tests.iter().any(is_timed) {
                    let of_event = schedules(&case.doings);
                    case.tests.push(Test::Time { spans: vec![span.clone()], is: true, of_event });
                }
            }
            Some(rules)
        };
        // "No meeting longer than an hour, no meeting before 9": the time belongs to what it stands with.
        let comma = tokens.iter().rposition(|token| token.shape == Shape::Mark(','));
        let is_apart = comma.is_some_and(|comma| {
            comma > 3
                && tokens
                    .get(comma + 1)
                    .is_some_and(|next| matches!(next.low.as_str(), "no" | "never" | "nothing"))
        });
        if is_apart { together(tokens).or_else(outer) } else { outer().or_else(|| together(tokens)) }
    }

    /// "Ask me before you answer an invitation or write to my sister": what forbids or asks counts for both.
    fn under_one_head(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let head = super::form::head(tokens)?;
        (head + 1..tokens.len().saturating_sub(1)).find_map(|at| {
            let joint = tokens.get(at)?.low.as_str();
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            // "Do not delete events, move them" is no list: what is forbidden besides has an "or" before the last of it.
            let goes_on = |token: &Token| matches!(token.low.as_str(), "or" | "and" | "nor");
            let is_joint =
                matches!(joint, "or" | "and" | "nor") || (joint == "," && behind.iter().any(goes_on));
            if !is_joint || !is_closed(front) || super::form::head(behind).is_some() {
                return None;
            }
            // "Never restart or delete anything in x": both verbs have the same object.
            if at == head + 1 && joint != "," && behind.len() > 2 {
                return None;
            }
            let behind = words::strip(behind, &["or", "and", "nor"]).unwrap_or(behind);
            let other: Vec<Token> = tokens.get(..head)?.iter().chain(behind).cloned().collect();
            let mut rules = self.stated_whole(words::core(front), late)?;
            let more = self.stated_whole(&other, late).or_else(|| self.under_one_head(&other, late));
            rules.extend(more?);
            Some(rules)
        })
    }

    pub(super) fn several(&self, tokens: &[Token], late: bool, parts: usize) -> Option<Rules> {
        if let Some(each) = super::spliced::shared(tokens) {
            return self.several(&each, late, parts.max(4));
        }
        let alone = |tokens: &[Token]| {
            let tokens = words::core(tokens);
            (tokens.len() > 1)
                .then(|| self.stated_whole(tokens, late).or_else(|| self.peeled(tokens, late, 1)))?
        };
        (2..tokens.len().saturating_sub(2)).find_map(|at| {
            let token = tokens.get(at)?;
            let cuts = matches!(token.shape, Shape::Mark(',' | ';' | '.' | '!'))
                || matches!(token.low.as_str(), "and" | "but");
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            // What stands before a colon leads to all that a comma parts behind it.
            let is_led = !matches!(token.shape, Shape::Mark(';' | '.' | '!'))
                && front.iter().any(|token| token.shape == Shape::Mark(':'));
            if !cuts || is_led || !is_closed(front) {
                return None;
            }
            let behind = words::strip(behind, &["and", "but"]).unwrap_or(behind);
            let mut rules = alone(front)?;
            let more = alone(behind)
                .or_else(|| if parts > 2 { self.several(behind, late, parts - 1) } else { None })?;
            rules.extend(more);
            Some(rules)
        })
    }

    /// The rule under a heading: "Exam week: …", "No newspapers with a paywall: …". What names a service, a place or a time says
    /// what the rule is about.
    fn under_heading<'t>(&self, tokens: &'t [Token]) -> Option<&'t [Token]> {
        let at = tokens.iter().position(|token| token.shape == Shape::Mark(':'))?;
        let (heading, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let is_scope = |token: &Token| {
            self.hand.has_server(&token.low)
                || self.hand.has_tool_word(&token.low)
                || self.hand.has_argument_word(&token.low)
                || matches!(
                    token.low.as_str(),
                    "only" | "may" | "can" | "unless" | "except" | "must" | "always"
                )
                || matches!(
                    token.low.as_str(),
                    "no" | "nothing" | "never" | "not" | "don't" | "nobody" | "keep" | "leave"
                )
        };
        let has_time =
            || (0..at).any(|at| tokens.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some()));
        let is_heading = (2..=8).contains(&at)
            && heading.iter().all(|token| token.shape == Shape::Word)
            && !heading.iter().any(is_scope)
            && !has_time();
        is_heading.then_some(rule)
    }

    /// A time at the end, at the beginning, or between.
    fn beside_time(&self, tokens: &[Token], again: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        (0..tokens.len()).find_map(|at| {
            let (span, length) = when::read(tokens.get(at..)?, self.year)?;
            let mut behind = tokens.get(at + length..)?;
            if at == 0 && behind.first().is_some_and(|token| matches!(token.shape, Shape::Mark(',' | ':'))) {
                behind = behind.get(1..)?;
            }
            let rest: Vec<Token> = tokens.get(..at)?.iter().chain(behind).cloned().collect();
            // "only at weekends" is not "only, at weekends"; "at weekends use only rsync" is.
            let is_only = |token: &Token| matches!(token.low.as_str(), "only" | "just");
            let is_in_front = at == 0 && behind.len() > 3 && !behind.first().is_some_and(is_only);
            if !is_in_front && rest.iter().any(is_only) {
                return None;
            }
            let mut rules = again(&rest)?;
            // "On Sundays nobody gets an invitation": when it is sent.
            let is_sent = rest.iter().any(|token| {
                matches!(
                    token.low.as_str(),
                    "get" | "gets" | "send" | "sent" | "goes" | "receives" | "receive"
                )
            });
            for (_, case) in &mut rules {
                let of_event = schedules(&case.doings) && !is_sent;
                case.tests.push(Test::Time { spans: vec![span.clone()], is: true, of_event });
            }
            Some(rules)
        })
    }

    /// A remark behind the rule, in brackets at its end, or before it.
    fn beside_remark(&self, tokens: &[Token], again: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        if let Some((rule, inner)) = words::bracketed(tokens)
            && (is_remark(inner) || is_leave(inner))
            && let Some(rules) = again(rule)
        {
            return Some(rules);
        }
        let cuts = (2..tokens.len()).filter(|at| {
            let parts = tokens.get(*at).is_some_and(|token| {
                matches!(token.shape, Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—' | '-'))
                    || matches!(token.low.as_str(), "because" | "since" | "otherwise" | "-" | "–" | "—")
            });
            parts && is_closed(tokens.get(..*at).unwrap_or_default())
        });
        let cuts: Vec<usize> = cuts.collect();
        // The longest rule counts: what stands behind a later mark is less.
        let behind = cuts.iter().rev().find_map(|at| {
            let is_word =
                tokens.get(*at).is_some_and(|token| token.shape == Shape::Word && token.low.len() > 1);
            let remark = tokens.get(*at + usize::from(!is_word)..)?;
            // What stands behind a full stop and denies something is a rule of its own.
            let is_apart =
                tokens.get(*at).is_some_and(|token| matches!(token.shape, Shape::Mark('.' | '!' | ';')));
            let denies = |token: &Token| {
                matches!(
                    token.low.as_str(),
                    "don't" | "not" | "no" | "nobody" | "nothing" | "never" | "only" | "none" | "dont"
                )
            };
            if is_apart && remark.iter().any(denies) {
                return None;
            }
            is_remark(remark).then(|| again(tokens.get(..*at)?)).flatten()
        });
        behind.or_else(|| {
            cuts.iter().find_map(|at| {
                let (told, rule) = (tokens.get(..*at)?, tokens.get(*at + 1..)?);
                let follows =
                    words::strip(rule, &["so", "therefore", "hence", "thus", "that's why", "so please"]);
                let denies = |token: &Token| {
                    matches!(token.low.as_str(), "no" | "not" | "don't" | "nothing" | "never" | "nobody")
                };
                let is_told =
                    (told.iter().any(is_verb_of_telling) || follows.is_some()) && !told.iter().any(denies);
                (is_told && tells(told)).then(|| again(follows.unwrap_or(rule))).flatten()
            })
        })
    }
}

/// Whether no bracket is open.
pub(super) fn is_closed(tokens: &[Token]) -> bool {
    let count = |mark: char| tokens.iter().filter(|token| token.shape == Shape::Mark(mark)).count();
    count('(') == count(')')
}
