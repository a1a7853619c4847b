//! Times that stand apart from what is not done in them, and how long something takes: "the shop is open 9 to 18, no
//! restarts during that time", "no rehearsals during the school holidays (30 March to 12 April)", "a talk lasts 25 or 50
//! minutes".

use super::{Rules, refused};
use crate::english::amount;
use crate::english::exact::Exact;
use crate::english::exact::told::turned::word;
use crate::english::exact::words::{around, core};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Doing, Span, Test, Verdict};

/// What stands for a time that was told before.
const THEN: &[&str] = &[
    "in that time",
    "during that time",
    "at that time",
    "in those hours",
    "during those hours",
    "in these hours",
    "during these hours",
    "in those days",
    "on those days",
    "in that period",
    "during that period",
    "in this time",
    "during this time",
    "in the meantime",
    "on that day",
    "on these days",
    "then",
    "in that week",
    "that week",
    "while they do",
    "while it is open",
    "during those days",
    "at those times",
    "within that time",
    "in that window",
];

impl Exact<'_> {
    /// A time that is told, and what is not done then.
    pub(super) fn told_time(&self, tokens: &[Token]) -> Option<Rules> {
        let is_joint = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'));
        let (at, _) = tokens.iter().enumerate().find(|(at, token)| *at > 1 && is_joint(token))?;
        let (told, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let rules = |token: &Token| {
            matches!(
                token.low.as_str(),
                "never"
                    | "no"
                    | "not"
                    | "don't"
                    | "only"
                    | "nothing"
                    | "must"
                    | "ask"
                    | "nobody"
                    | "without"
                    | "unless"
            )
        };
        let is_else =
            rule.iter().any(|token| matches!(token.low.as_str(), "other" | "else" | "earlier" | "later"));
        if rule.len() < 2
            || is_else
            || told.iter().any(rules)
            || !rule.iter().any(rules)
            || self.lexicon.is_wish(told)
        {
            return None;
        }
        let (start, length, lead) = self.time_in(told)?;
        let has_then = around(rule, THEN);
        let plain: Vec<Token> = match &has_then {
            Some((before, _, behind)) => before.iter().chain(*behind).cloned().collect(),
            None => rule.to_vec(),
        };
        let is_counted = told
            .iter()
            .enumerate()
            .any(|(at, token)| token.shape == Shape::Number && !(start..start + length).contains(&at));
        if is_counted || rule.len() < 3 && has_then.is_none() && !self.is_short_ban(rule) {
            return None;
        }
        let only_time =
            start < 3 && !told.iter().any(|token| !matches!(token.shape, Shape::Word | Shape::Number));
        if (has_then.is_none() && !only_time) || self.span_in(&plain).is_some() {
            return None;
        }
        let is_there =
            told.iter().any(|token| matches!(token.shape, Shape::Path | Shape::Host | Shape::Identifier));
        let refers = |token: &Token| matches!(token.low.as_str(), "it" | "them" | "there" | "one");
        if is_there || plain.iter().any(refers) {
            return None;
        }
        let time = lead.into_iter().chain(told.get(start..start + length)?.iter().cloned());
        let plain: Vec<Token> = core(&plain).iter().cloned().chain(time).collect();
        let rules = self.plainly(&plain)?;
        let is_timed =
            |(_, case): &(Verdict, Case)| case.tests.iter().any(|test| matches!(test, Test::Time { .. }));
        rules.iter().all(is_timed).then_some(rules)
    }

    /// "no appointments": two words that are a rule.
    fn is_short_ban(&self, rule: &[Token]) -> bool {
        matches!(rule, [first, noun] if first.low == "no" && self.lexicon.knows(noun) && noun.low != "more")
    }

    /// Where a time stands, how long it is, and a word that it lacks: "open 9 to 18".
    fn time_in(&self, told: &[Token]) -> Option<(usize, usize, Option<Token>)> {
        if let Some((_, at, length)) = self.span_in(told) {
            return Some((at, length, None));
        }
        (0..told.len()).find_map(|at| {
            let with: Vec<Token> =
                std::iter::once(word("from")).chain(told.get(at..)?.iter().cloned()).collect();
            let (_, length) = when::read(&with, self.year).filter(|(_, length)| *length > 3)?;
            Some((at, length - 1, Some(word("from"))))
        })
    }

    /// "Nothing during the school holidays (30 March to 12 April)": a stretch of days that stays free.
    pub(super) fn days_kept_free(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_calendar() {
            return None;
        }
        let (span, at, length) = self.dated_span(tokens)?;
        let rest: Vec<&Token> = tokens.iter().take(at).chain(tokens.get(at + length..)?).collect();
        let is_plain = |token: &&&Token| {
            matches!(token.shape, Shape::Word | Shape::Mark(',' | '(' | ')' | ':' | '.' | ';'))
        };
        let has = |words: &[&str]| rest.iter().any(|token| words.contains(&token.low.as_str()));
        let is_away = has(&[
            "holiday",
            "holidays",
            "vacation",
            "leave",
            "away",
            "off",
            "free",
            "closed",
            "break",
            "abroad",
            "travelling",
            "traveling",
            "empty",
            "fair",
            "conference",
            "trip",
            "retreat",
            "shut",
            "honeymoon",
        ]);
        let denies = has(&[
            "no", "nothing", "never", "don't", "not", "nobody", "none", "keep", "keeps", "stay", "stays",
        ]);
        let is_other = has(&[
            "push", "merge", "deploy", "mail", "mails", "email", "emails", "send", "post", "posts", "commit",
            "edit", "delete", "restart", "restarts", "deploys", "release", "releases", "merged", "pushed",
            "deployed", "files", "except", "unless", "only", "change", "changes", "write", "run", "message",
            "messages", "code",
        ]);
        // "no rehearsals from 30 March to 12 April": what nobody knows is an event of the calendar.
        let is_event = matches!(rest.as_slice(), [no, noun] if no.low == "no" && !self.lexicon.knows(noun));
        let is_meant = is_event || (is_away && denies);
        if !rest.iter().all(|token| is_plain(&token)) || !is_meant || is_other {
            return None;
        }
        let test = Test::Time { spans: vec![span], is: true, of_event: true };
        Some(refused(vec![Doing::Did("schedule".to_owned())], vec![test]))
    }

    /// A time with dates in it.
    fn dated_span(&self, tokens: &[Token]) -> Option<(Span, usize, usize)> {
        (0..tokens.len()).find_map(|at| {
            let rest = tokens.get(at..)?;
            let plain = when::read(rest, self.year).filter(|(span, _)| span.dates.is_some());
            let led = || {
                let with: Vec<Token> = std::iter::once(word("from")).chain(rest.iter().cloned()).collect();
                let (span, length) = when::read(&with, self.year)?;
                span.dates.is_some().then_some((span, length.checked_sub(1)?))
            };
            let is_range = |span: &Span| matches!(span.dates, Some((Some(from), Some(to))) if from < to);
            let (span, length) = led().filter(|(span, _)| is_range(span)).or(plain)?;
            is_range(&span).then_some((span, at, length))
        })
    }

    /// "A talk lasts 25 or 50 minutes, no other length."
    pub(super) fn lengths(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_calendar() {
            return None;
        }
        let at =
            tokens.iter().position(|token| matches!(token.low.as_str(), "minutes" | "minute" | "min"))?;
        let front = tokens.get(..at)?;
        let numbers: Vec<(usize, i64)> = front
            .iter()
            .enumerate()
            .filter(|(_, token)| token.shape == Shape::Number)
            .filter_map(|(at, token)| Some((at, amount::read_number(std::slice::from_ref(token))?.0)))
            .collect();
        let ([(first, _), .., (last, _)], true) = (numbers.as_slice(), last_is_before(&numbers, at)) else {
            return None;
        };
        let joined = front
            .get(*first..=*last)?
            .iter()
            .all(|token| token.shape == Shape::Number || matches!(token.low.as_str(), "or" | "," | "and"));
        let is_or = front.get(*first..*last)?.iter().any(|token| token.low == "or");
        let allowed = |token: &Token| {
            token.shape == Shape::Number
                || matches!(token.shape, Shape::Mark(',' | ':' | '.' | ';'))
                || (token.shape == Shape::Word
                    && !matches!(token.low.as_str(), "before" | "after" | "apart" | "buffer" | "break"))
        };
        if !joined || !is_or || !tokens.iter().all(allowed) {
            return None;
        }
        let mut lengths: Vec<i64> = numbers.iter().map(|(_, number)| *number).collect();
        lengths.sort_unstable();
        let unit = || "minute".to_owned();
        let mut ways =
            vec![vec![Test::Measure { unit: unit(), above: lengths.first()?.checked_sub(1)?, is: false }]];
        for pair in lengths.windows(2) {
            let [from, to] = pair else { return None };
            ways.push(vec![
                Test::Measure { unit: unit(), above: *from, is: true },
                Test::Measure { unit: unit(), above: to.checked_sub(1)?, is: false },
            ]);
        }
        ways.push(vec![Test::Measure { unit: unit(), above: *lengths.last()?, is: true }]);
        Some(refused(vec![Doing::Did("schedule".to_owned())], vec![Test::Any(ways)]))
    }
}

fn last_is_before(numbers: &[(usize, i64)], at: usize) -> bool {
    numbers.last().is_some_and(|(last, _)| *last + 1 == at)
}
