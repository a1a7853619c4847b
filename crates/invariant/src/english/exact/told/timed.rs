//! Rules that hold at some times only: "don't restart any service between 8:00 and 18:00", "after 6 pm no renaming".

use crate::english::exact::Exact;
use crate::english::exact::words::{core, strip};
use crate::english::token::Token;
use crate::english::when;
use crate::meaning::{Case, Span, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// A rule with the time that it holds at, in front or behind.
    pub(in crate::english::exact) fn at_times(&self, tokens: &[Token]) -> Option<Rules> {
        // When an event is, other readers know.
        if self.hand.has_calendar() {
            return None;
        }
        let (rule, spans) = self.time_behind(tokens).or_else(|| self.time_before(tokens))?;
        let rule = core(rule);
        let mut rules = self.acts(rule).or_else(|| self.kinds(rule)).or_else(|| self.unsaid(rule))?;
        for (_, case) in &mut rules {
            case.tests.push(Test::Time { spans: spans.clone(), is: true, of_event: false });
        }
        Some(rules)
    }

    fn time_behind<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], Vec<Span>)> {
        (2..tokens.len()).find_map(|at| Some((tokens.get(..at)?, self.spans(tokens.get(at..)?)?)))
    }

    fn time_before<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], Vec<Span>)> {
        let (span, length) = when::read(tokens, self.year)?;
        let rest = tokens.get(length..)?;
        let rest = strip(rest, &[",", ":"]).unwrap_or(rest);
        (rest.len() > 1).then(|| (rest, vec![span]))
    }
}
