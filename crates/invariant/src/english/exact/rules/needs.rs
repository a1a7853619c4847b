//! What something needs: "every issue carries the label needs-triage", "open pull requests as drafts".

use super::{Bond, Polarity, Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::scope::Scope;
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{around, bare, stems, strip, strip_end};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Form, Presence, Test};

const DENYING: &[&str] =
    &["never", "don't", "do not", "dont", "you must not", "you may not", "must not", "you must never"];

impl Exact<'_> {
    /// "Every issue must have a label": what is made, and what it needs.
    pub(super) fn needed(
        &self,
        subject: &[Token],
        polarity: Polarity,
        bond: Bond,
        rest: &[Token],
    ) -> Option<Rules> {
        let scope = self.scope(subject)?;
        match bond {
            Bond::Have => {
                let test = self.had(rest, &scope, polarity)?;
                Some(self.lacking(&scope, test, polarity))
            }
            Bond::Be if strip(rest, &["limited to", "restricted to"]).is_some() => {
                let rest = strip(rest, &["limited to", "restricted to"])?;
                let (names, check) = self.recent(rest, &scope)?;
                let test = Test::Value { names, check, presence: Presence::Missing };
                Some(self.lacking(&scope, test, polarity))
            }
            Bond::Be => {
                let (names, value) = self.flag(strip_end(rest, &["only"]).unwrap_or(rest))?;
                let check = Check::Forms(vec![Form::Is(value)]);
                let presence = if polarity == Polarity::Must { Presence::Missing } else { Presence::One };
                Some(self.lacking(&scope, Test::Value { names, check, presence }, polarity))
            }
            // "every query on readings has to filter on taken_at"
            Bond::Filter if polarity == Polarity::Must => {
                let [column] = bare(rest) else { return None };
                let names = self.ground(&["sql".to_owned()], &[])?;
                let check = Check::Forms(vec![Form::Names(column.text.clone())]);
                let test = Test::Value { names, check, presence: Presence::Missing };
                Some(refused(scope.doings.clone(), scope.tests.clone(), vec![test]))
            }
            Bond::Start | Bond::End | Bond::Exceed | Bond::Filter => None,
        }
    }

    /// "the past month or less": how far back a search may go, by the argument that says so.
    fn recent(&self, tokens: &[Token], scope: &Scope) -> Option<(Vec<String>, Check)> {
        let (said, names) = match crate::english::exact::words::bracketed(tokens) {
            Some((said, inner)) => (said, self.ground(&stems(inner), &scope.nouns)?),
            None => (tokens, self.ground(&["time".to_owned(), "range".to_owned()], &scope.nouns)?),
        };
        let said = strip_end(bare(said), &["or less", "at most", "or newer", "only"]).unwrap_or(bare(said));
        let [when, unit] = said else { return None };
        const UNITS: &[(&str, &[&str])] = &[
            ("day", &["day", "d", "pd"]),
            ("week", &["week", "w", "pw"]),
            ("month", &["month", "m", "pm"]),
            ("year", &["year", "y", "py"]),
        ];
        let at = UNITS.iter().position(|(name, _)| *name == unit.low)?;
        let forms = UNITS.iter().take(at + 1).flat_map(|(_, own)| own.iter());
        let forms = forms.map(|value| Form::Is((*value).to_owned())).collect();
        matches!(when.low.as_str(), "past" | "last" | "latest").then_some((names, Check::Forms(forms)))
    }

    fn lacking(&self, scope: &Scope, test: Test, polarity: Polarity) -> Rules {
        let (doings, tests) = if polarity == Polarity::Must { scope.made() } else { scope.written() };
        refused(doings, tests, vec![test])
    }

    /// An argument, perhaps with its value: "a label", "the label needs-triage", "label bug or docs", "a due date".
    pub(in crate::english::exact) fn had(
        &self,
        tokens: &[Token],
        scope: &Scope,
        polarity: Polarity,
    ) -> Option<Test> {
        let presence = if polarity == Polarity::Must { Presence::Missing } else { Presence::One };
        let tokens = bare(
            strip(tokens, &["at least one", "at least a", "one", "one of the", "its own"]).unwrap_or(tokens),
        );
        (1..=tokens.len()).rev().find_map(|at| {
            let (front, behind) = (tokens.get(..at)?, tokens.get(at..)?);
            let names = self.ground(&stems(bare(front)), &scope.nouns)?;
            if behind.is_empty() {
                return Some(Test::Value { names, check: Check::Anything, presence });
            }
            let behind = strip(behind, &["set to", "of", ":"]).unwrap_or(behind);
            let check = match self.predicate(behind, &names)? {
                Predicate::So(check) => check,
                _ => return None,
            };
            Some(Test::Value { names, check, presence })
        })
    }

    /// "open pull requests as drafts", "never mark anything as done".
    pub(super) fn as_flag(&self, tokens: &[Token]) -> Option<Rules> {
        let (wish, is_denied) = match strip(tokens, DENYING) {
            Some(rest) => (rest, true),
            None => (strip(tokens, &["always", "only"]).unwrap_or(tokens), false),
        };
        // "draft PRs only", "only private repositories"
        let alone = strip_end(tokens, &["only"]).or_else(|| strip(tokens, &["only"]));
        if let Some([flag, object @ ..]) = alone
            && let Some((names, value)) = self.flag(std::slice::from_ref(flag))
            && let Some(scope) = self.scope(object)
        {
            let (doings, tests) = scope.made();
            let check = Check::Forms(vec![Form::Is(value)]);
            return Some(refused(
                doings,
                tests,
                vec![Test::Value { names, check, presence: Presence::Missing }],
            ));
        }
        let (before, _, flag) = around(wish, &["only as", "as"])?;
        let (names, value) = self.flag(strip_end(flag, &["only"]).unwrap_or(flag))?;
        let check = Check::Forms(vec![Form::Is(value)]);
        let object = self.behind_verb(before)?;
        let is_open = object.is_empty()
            || strip(object, &["anything", "things", "something", "it", "them", "any"])
                .is_some_and(|rest| strip(rest, &["off", "up", "down"]).unwrap_or(rest).is_empty());
        match (is_denied, is_open) {
            (true, true) => {
                let doings = self.doings_of(&names);
                let test = Test::Value { names, check, presence: Presence::One };
                Some(refused(doings, Vec::new(), vec![test]))
            }
            (true, false) => {
                let (doings, tests) = self.scope(object)?.written();
                Some(refused(doings, tests, vec![Test::Value { names, check, presence: Presence::One }]))
            }
            (false, true) => None,
            (false, false) => {
                let (doings, tests) = self.scope(object)?.made();
                Some(refused(doings, tests, vec![Test::Value { names, check, presence: Presence::Missing }]))
            }
        }
    }

    /// "never follow links to other sites (allow_external)", "guests get no mails (sendUpdates: none)": what stands in
    /// brackets says exactly what is meant.
    pub(super) fn in_brackets(&self, tokens: &[Token]) -> Option<Rules> {
        let (before, inner) = crate::english::exact::words::bracketed(tokens)?;
        let denies = |token: &Token| matches!(token.low.as_str(), "no" | "never" | "don't" | "not" | "dont");
        if !before.iter().any(denies) {
            return None;
        }
        let is_name = |token: &Token| token.shape == Shape::Identifier;
        let exactly = |token: &Token| -> Option<Vec<String>> {
            let name = crate::names::words(&token.text).join(" ");
            self.hand.arguments_of(&[]).contains(name.as_str()).then(|| vec![name])
        };
        match inner {
            [one] if is_name(one) => {
                let names = exactly(one)?;
                let check = Check::Forms(vec![Form::Is("true".to_owned())]);
                Some(refused(
                    Vec::new(),
                    Vec::new(),
                    vec![Test::Value { names, check, presence: Presence::One }],
                ))
            }
            [one, mark, value] if is_name(one) && matches!(mark.low.as_str(), ":" | "=" | "is") => {
                let names = exactly(one)?;
                let check = Check::Forms(vec![Form::Is(value.text.clone())]);
                Some(refused(
                    Vec::new(),
                    Vec::new(),
                    vec![Test::Value { names, check, presence: Presence::Other }],
                ))
            }
            _ => None,
        }
    }

    /// What stands behind the verb that words begin with; all of them where they begin with a noun.
    pub(super) fn behind_verb<'t>(&self, tokens: &'t [Token]) -> Option<&'t [Token]> {
        let verbs =
            self.lexicon.phrases(tokens).into_iter().filter(|phrase| matches!(phrase.entry, Entry::Verb(_)));
        let longest = verbs.map(|phrase| phrase.length).max();
        const VERBS: &[&str] =
            &["mark", "tick", "flag", "check", "set", "file", "label", "treat", "count", "tick off"];
        match longest {
            Some(length) => tokens.get(length..),
            None => strip(tokens, VERBS).or(Some(tokens)),
        }
    }

    /// An argument that is on or off, or a value of one: "drafts", "private", "completed".
    pub(in crate::english::exact) fn flag(&self, tokens: &[Token]) -> Option<(Vec<String>, String)> {
        let [one] = bare(tokens) else { return None };
        let word = crate::names::stem(&one.low);
        let arguments = self.hand.arguments_of(&[]);
        let named = |word: &str| -> Vec<String> {
            let own = [word.to_owned(), format!("is {word}"), format!("mark {word}")];
            own.into_iter().filter(|name| arguments.contains(name.as_str())).collect()
        };
        // Mail programs keep as labels what people call marks.
        if arguments.contains("add label ids") {
            let (name, label) = match word.as_str() {
                "read" | "seen" => ("remove label ids", "UNREAD"),
                "unread" => ("add label ids", "UNREAD"),
                "important" => ("add label ids", "IMPORTANT"),
                "starred" => ("add label ids", "STARRED"),
                "spam" | "junk" => ("add label ids", "SPAM"),
                _ => ("", ""),
            };
            if !name.is_empty() {
                return Some((vec![name.to_owned()], label.to_owned()));
            }
        }
        let own = named(&word);
        if !own.is_empty() {
            return Some((own, "true".to_owned()));
        }
        let opposite = match word.as_str() {
            "public" => "private",
            "private" => "public",
            _ => "",
        };
        let other = named(opposite);
        if !opposite.is_empty() && !other.is_empty() {
            return Some((other, "false".to_owned()));
        }
        // "done" is what some call completed.
        if matches!(word.as_str(), "done" | "finished" | "complete") && !named("completed").is_empty() {
            return Some((named("completed"), "true".to_owned()));
        }
        let names = self.hand.choice(&one.low)?;
        let names = names.iter().map(|name| crate::names::words(name).join(" ")).collect();
        Some((names, one.low.clone()))
    }
}
