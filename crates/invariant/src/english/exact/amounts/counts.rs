//! How often something may be done in one place: "no more than two posts in #ops".

use crate::english::amount::{self, Compare};
use crate::english::exact::Exact;
use crate::english::exact::words::{around, strip, strip_end};
use crate::english::token::Token;
use crate::meaning::{Case, Test, Verdict};

const PER: &[&str] = &[
    "a day",
    "per day",
    "each day",
    "every day",
    "a session",
    "per session",
    "an hour",
    "per hour",
    "today",
    "in total",
];

impl Exact<'_> {
    /// A limit to how often something is done somewhere.
    pub(in crate::english::exact) fn counted(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        let (amount, length) = amount::read(tokens)?;
        let least = match amount.compare {
            Compare::AtMost => amount.number,
            Compare::Below => amount.number.checked_sub(1)?,
            Compare::Above | Compare::AtLeast | Compare::Equal => return None,
        };
        if amount.unit.is_some() || least < 1 {
            return None;
        }
        let rest = tokens.get(length..)?;
        let rest = strip(rest, &["new"]).unwrap_or(rest);
        let (what, place) = match around(rest, PER) {
            Some((what, _, place)) => (what, place),
            None => (strip_end(rest, PER).unwrap_or(rest), rest.get(rest.len()..)?),
        };
        let said: Vec<Token> = what.iter().chain(place).cloned().collect();
        let is_placed =
            said.iter().any(|token| matches!(token.low.as_str(), "in" | "to" | "into" | "on" | "at"));
        let is_each = said.iter().any(|token| {
            matches!(
                token.low.as_str(),
                "same" | "each" | "every" | "per" | "person" | "one" | "once" | "time"
            )
        });
        if !is_placed || is_each {
            return None;
        }
        let scope = self.scope(&said)?;
        let case = Case { doings: scope.doings, tests: scope.tests, unless: Vec::new() };
        let often = Test::Often { what: Box::new(case.clone()), least };
        Some(vec![(Verdict::Deny, case.and(often))])
    }
}
