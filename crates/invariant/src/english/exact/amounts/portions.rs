//! How much one call may take: "max 5 mails per delete", "one edit at a time", "six invitees per meeting at most",
//! "delete 3 mails at once at most".

use crate::english::amount::{self, Compare};
use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, in_bases, stems, strip, strip_end};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Doing, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Behind an amount, that it is the most.
const MOST: &[&str] = &[
    "at most",
    "at the most",
    "at the very most",
    "max",
    "max.",
    "maximum",
    "tops",
    "or less",
    "or fewer",
    ", no more",
    ", not more",
    "and no more",
    "and not more",
    "no more",
    "not more",
    ", max",
    ", at most",
    ", maximum",
    ", tops",
    ", never more",
    "and never more",
    "is the limit",
    "is the maximum",
    "is the most",
    ", that's the limit",
    "is enough",
    "are enough",
    "is plenty",
    "are plenty",
];

/// Between what is counted and what it is counted in.
const PER: &[&str] = &[
    "per",
    "in one",
    "in a single",
    "in the same",
    "in each",
    "in every",
    "for each",
    "for every",
    "for one",
    "with one",
    "with a single",
    "with each",
    "with every",
    "by one",
    "to each",
    "to an",
    "to one",
    "on one",
    "on each",
    "on an",
    "at one",
    "in any one",
    "in any single",
];

/// That it is counted in one call, at the end.
const AT_ONCE: &[&str] = &[
    "at once",
    "at a time",
    "at one time",
    "at the same time",
    "in one go",
    "in a go",
    "in one call",
    "in a call",
    "in a single call",
    "in one request",
    "in a single request",
    "in one step",
    "in a single step",
    "in one operation",
    "in one shot",
    "in a row at once",
    "together",
    "simultaneously",
    "per call",
    "per request",
    "per go",
    "per step",
    "per tool call",
    "each time",
    "every time",
    "all at once",
    "in one sweep",
    "in one swoop",
    "in bulk",
];

/// What a call is called.
const CALLS: &[&str] = &[
    "call",
    "calls",
    "request",
    "requests",
    "go",
    "step",
    "tool call",
    "operation",
    "run",
    "time",
    "shot",
    "action",
    "page",
    "api call",
    "turn",
    "round",
    "response",
    "page of results",
];

/// What lasts longer than a call.
const LASTING: &[&str] = &["session", "this session", "day", "hour", "minute", "week", "month", "year"];

/// What is counted, by what people call it in the singular; of several those that a call shows.
const UNITS: &[(&[&str], &str)] = &[
    (&["recipient", "person", "people", "addressee", "receiver", "address", "mail address"], "recipient"),
    (&["guest", "attendee", "invitee", "participant", "invited person"], "attendee"),
    (&["attachment", "attached file"], "attachment"),
    (&["label", "tag"], "label"),
    (&["assignee"], "assignee"),
    (&["reviewer"], "reviewer"),
    (&["file", "document", "path"], "file"),
    (
        &[
            "result",
            "hit",
            "entry",
            "search result",
            "item",
            "record",
            "match",
            "mail",
            "email",
            "e-mail",
            "message",
            "thread",
            "issue",
            "commit",
            "pull request",
            "channel",
            "user",
            "member",
            "event",
            "post",
            "ticket",
            "object",
            "repo",
            "repository",
            "search hit",
            "finding",
            "comment",
            "reply",
        ],
        "result",
    ),
    (&["page", "url", "site", "web page", "address", "link", "website"], "page"),
    (&["row", "line of the table"], "row"),
    (&["statement", "sql statement"], "statement"),
    (&["join"], "join"),
    (
        &[
            "edit",
            "replacement",
            "change",
            "substitution",
            "hunk",
            "modification",
            "text replacement",
            "search and replace",
            "find and replace",
            "correction",
        ],
        "edit",
    ),
    (&["block"], "child"),
    (&["reaction", "emoji"], "reaction"),
    (&["option", "field", "form field"], "field"),
];

impl Exact<'_> {
    /// A limit to how much one call takes.
    pub(in crate::english::exact) fn portions(&self, tokens: &[Token]) -> Option<Rules> {
        let (tokens, is_bounded) = match strip_end(tokens, MOST) {
            Some(front) => (front, true),
            None => (tokens, false),
        };
        let denied = strip(
            tokens,
            &["never", "don't", "do not", "dont", "you must not", "you may not", "must not", "please don't"],
        );
        let tokens =
            denied.or_else(|| strip(tokens, &["only", "just", "you may", "you can"])).unwrap_or(tokens);
        let is_denied = denied.is_some();
        if let Some(front) = strip_end(tokens, AT_ONCE)
            && let Some((doings, amount)) = self.done(front)
            && let Some((most, unit)) = self.portion(amount, is_denied, is_bounded, true)
            && (!doings.is_empty() || self.has_unit(&unit))
        {
            return Some(limited(doings, Vec::new(), most, unit));
        }
        let (amount, _, inside) = around(tokens, PER)?;
        let (done, amount) = self.done(amount)?;
        let (most, unit) = self.portion(amount, is_denied, is_bounded, true)?;
        // "at most 3 messages per channel": as many calls, each of which posts one.
        let is_channel =
            strip(bare(inside), &["channel", "thread", "conversation"]).is_some_and(<[Token]>::is_empty);
        if is_channel && done.is_empty() && unit == "result" && self.hand.has_tool_word("post") {
            return Some(limited(
                vec![Doing::Did("post".to_owned())],
                Vec::new(),
                most,
                "each post".to_owned(),
            ));
        }
        let (doings, tests) = self.container(bare(inside), &unit)?;
        let doings = if doings.is_empty() && tests.is_empty() { done } else { doings };
        Some(limited(doings, tests, most, unit))
    }

    /// What is done in front of an amount, where a verb stands there, and the amount.
    fn done<'t>(&self, tokens: &'t [Token]) -> Option<(Vec<Doing>, &'t [Token])> {
        let number = strip(tokens, &["a", "just", "only"]).unwrap_or(tokens);
        if amount::read_number(number).is_some() || amount::read(tokens).is_some() {
            return Some((Vec::new(), tokens));
        }
        let (doing, length) = self.verb(tokens)?;
        Some((vec![doing], tokens.get(length..)?))
    }

    fn verb(&self, tokens: &[Token]) -> Option<(Doing, usize)> {
        self.lexicon.phrases(tokens).into_iter().find_map(|phrase| match phrase.entry {
            Entry::Verb(number) => {
                let action = self.lexicon.action(number)?;
                let doing = crate::english::interpret::doing(&action.name, &action.deed)?;
                Some((doing, phrase.length))
            }
            _ => None,
        })
    }

    /// "more than 5 mails", "at most 5 mails", "one mail": the most, and of what.
    fn portion(
        &self,
        tokens: &[Token],
        is_denied: bool,
        is_bounded: bool,
        is_limit: bool,
    ) -> Option<(i64, String)> {
        let tokens = strip(tokens, &["a", "just", "only"])
            .filter(|rest| amount::read_number(rest).is_some())
            .unwrap_or(tokens);
        let plain = amount::read_number(tokens);
        let (most, length) = match (plain, amount::read(tokens)) {
            (Some((number, length)), _) if (is_bounded || is_limit) && !is_denied => (number, length),
            (None, Some((found, length))) if found.unit.is_none() => {
                let most = match found.compare {
                    Compare::AtMost => found.number,
                    Compare::Above if is_denied => found.number,
                    Compare::Below if !is_denied => found.number.checked_sub(1)?,
                    Compare::AtLeast if is_denied => found.number.checked_sub(1)?,
                    _ => return None,
                };
                (most, length)
            }
            _ => return None,
        };
        let said = bare(tokens.get(length..)?);
        let said = strip_end(said, MOST).unwrap_or(said);
        Some((most, self.unit(said)?))
    }

    fn unit(&self, said: &[Token]) -> Option<String> {
        if said.is_empty() || !said.iter().all(|token| token.shape == Shape::Word) {
            return None;
        }
        let forms = in_bases(said);
        let is_it = |people: &[&str]| forms.iter().any(|said| people.contains(&said.as_str()));
        if let Some((_, unit)) = UNITS.iter().find(|(people, _)| is_it(people)) {
            return Some((*unit).to_owned());
        }
        // What no table knows is a list among the arguments.
        let nouns = stems(said);
        let name = nouns.last().filter(|_| nouns.len() == 1)?;
        self.hand.has_parameter(name).then(|| name.clone())
    }

    /// Whether a call at hand can show how much there is of this.
    fn has_unit(&self, unit: &str) -> bool {
        match unit {
            "result" => true,
            "file" => self.hand.has_files(),
            unit => self.hand.has_parameter(unit),
        }
    }

    /// What it is counted in: any call, one tool, or what is done.
    fn container(&self, tokens: &[Token], unit: &str) -> Option<(Vec<Doing>, Vec<Test>)> {
        // What is counted from call to call is no part of one, even where tools are about sessions or days.
        if strip(tokens, LASTING).is_some_and(<[Token]>::is_empty) {
            return None;
        }
        if let [first, rest @ ..] = tokens
            && let Some(tool) = self.hand.tool(&first.text)
            && (rest.is_empty() || strip(rest, CALLS).is_some_and(<[Token]>::is_empty))
        {
            return Some((Vec::new(), vec![Test::Tool { names: vec![tool], is: true }]));
        }
        if strip(tokens, CALLS).is_some_and(<[Token]>::is_empty) {
            return self.has_unit(unit).then(|| (Vec::new(), Vec::new()));
        }
        let search = match self.hand.has_parameter("sql") {
            true => "query",
            false => "search",
        };
        const NAMED: &[(&str, &str)] =
            &[("batch", "bulk"), ("bulk", "bulk"), ("query", ""), ("search query", "")];
        let named = NAMED.iter().find(|(own, _)| strip(tokens, &[own]).is_some_and(<[Token]>::is_empty));
        if let Some((_, action)) = named {
            let action = if action.is_empty() { search } else { action };
            return Some((vec![Doing::Did(action.to_owned())], Vec::new()));
        }
        let plain = strip_end(tokens, &["call", "calls", "request", "operation", "action", "run"])
            .filter(|rest| !rest.is_empty())
            .unwrap_or(tokens);
        let whole = |phrase: &crate::english::lexicon::Phrase| phrase.length == plain.len();
        let phrases = self.lexicon.phrases(plain);
        let found = phrases.iter().filter(|phrase| whole(phrase)).find_map(|phrase| match phrase.entry {
            Entry::Verb(number) | Entry::Act(number) => {
                let action = self.lexicon.action(number)?;
                crate::english::interpret::doing(&action.name, &action.deed)
            }
            _ => None,
        });
        if let Some(doing) = found {
            return Some((vec![doing], Vec::new()));
        }
        let scope = self.scope(plain)?;
        Some((scope.doings, scope.tests))
    }
}

fn limited(doings: Vec<Doing>, mut tests: Vec<Test>, most: i64, unit: String) -> Rules {
    tests.push(Test::Measure { unit, above: most, is: true });
    vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_told_by_words_of_its_own() {
        for (at, (people, unit)) in UNITS.iter().enumerate() {
            assert!(!people.is_empty() && !unit.is_empty());
            let others = UNITS.iter().skip(at + 1).filter(|(_, other)| *other != "page");
            for (other, _) in others {
                assert!(people.iter().all(|word| !other.contains(word)), "{unit}");
            }
        }
    }
}
