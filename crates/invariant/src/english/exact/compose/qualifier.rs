//! What is said of something that is done: where, when, with what, how much of it.

use super::plain;
use crate::english::amount::{self, Compare};
use crate::english::coverage;
use crate::english::exact::Exact;
use crate::english::exact::rules::{Polarity, bond, broken};
use crate::english::exact::scope::Scope;
use crate::english::exact::words::{items, stems, strip};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Test};

/// What leads to something that is said of the thing before.
const RELATIVE: &[&str] = &[
    "that is",
    "that are",
    "which is",
    "which are",
    "who is",
    "who are",
    "that were",
    "being",
    "that go",
    "that goes",
];
const LACKING: &[&str] = &[
    "without",
    "with no",
    "lacking",
    "that has no",
    "that have no",
    "that lack",
    "that lacks",
    "not having",
    "missing",
    "that do not have",
    "that don't have",
    "without any",
    "that doesn't have",
    "which have no",
    "which has no",
];
const HAVING: &[&str] = &[
    "with",
    "having",
    "containing",
    "that contain",
    "that contains",
    "that has",
    "that have",
    "including",
    "mentioning",
    "that mention",
    "that mentions",
    "which contain",
    "which have",
    "which has",
    "which contains",
    "that include",
    "that includes",
    "using",
    "that use",
    "that uses",
    "carrying",
    "by using",
];
/// Words that make another rule.
const RULING: &[&str] = &[
    "no", "never", "not", "only", "don't", "dont", "instead", "must", "nothing", "nobody", "unless", "but",
    "nowhere", "other", "others", "another", "else", "rest", "stay", "stays", "remain", "remains", "please",
];
/// Acts whose places are branches.
const BRANCHED: &[&str] = &[
    "push",
    "force push",
    "commit",
    "merge",
    "checkout",
    "check out",
    "rebase",
    "branch",
    "create branch",
    "switch branch",
    "pull request",
    "delete branch",
    "reset",
];

/// Words between what is done and a branch.
const BETWEEN: &[&str] = &[
    "to",
    "into",
    "on",
    "onto",
    "against",
    "of",
    "at",
    "in",
    "directly to",
    "straight to",
    "directly on",
    "directly into",
];

/// Whether it is the time of a meeting that counts.
pub(in crate::english::exact) fn schedules(doings: &[Doing]) -> bool {
    doings
        .iter()
        .any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "schedule" | "invite" | "make event" | "create an event")))
}

impl Exact<'_> {
    /// One after the other, all that is said.
    pub(super) fn qualifiers(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        if tokens.is_empty() {
            return None;
        }
        if let Some(tests) = self.qualifier(tokens, event) {
            return Some(tests);
        }
        (1..tokens.len()).find_map(|at| {
            let mut tests = self.qualifier(tokens.get(..at)?, event)?;
            tests.extend(self.qualifiers(tokens.get(at..)?, event)?);
            Some(tests)
        })
    }

    /// What is said in one piece.
    pub(super) fn qualifier(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        let tokens = strip(tokens, RELATIVE).unwrap_or(tokens);
        let rules = |token: &Token| RULING.contains(&token.low.as_str()) && token.shape == Shape::Word;
        if tokens.is_empty() || tokens.iter().any(rules) || !super::event::is_list(tokens) {
            return None;
        }
        if let Some(time) = self.when_only(tokens, event) {
            return Some(vec![time]);
        }
        if let Some(rest) = strip(tokens, LACKING) {
            return self.lacks(rest, event);
        }
        if let Some(rest) = strip(tokens, HAVING)
            && let Some(tests) = self.attribute(rest, event)
        {
            return Some(tests);
        }
        if let Some(rest) = strip(tokens, &["as"]) {
            let (names, value) = self.flag(rest)?;
            let check = Check::Forms(vec![Form::Is(value)]);
            return Some(vec![Test::Value { names, check, presence: Presence::One }]);
        }
        if let Some(rest) = strip(tokens, &["whose", "with a", "with an", "with the"])
            && let Some(tests) = self.whose_is_so(rest, event)
        {
            return Some(tests);
        }
        self.measure(tokens, event).or_else(|| self.branches(tokens, event)).or_else(|| self.place(tokens))
    }

    /// A time, and nothing else.
    pub(super) fn when_only(&self, tokens: &[Token], event: &Scope) -> Option<Test> {
        let spans = self.spans(tokens)?;
        let of_event = schedules(&event.doings);
        Some(Test::Time { spans, is: true, of_event })
    }

    /// What something has: an argument, perhaps with its value, something in its text, or so many of something.
    pub(super) fn attribute(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        if let Some(tests) = self.measure(tokens, event) {
            return Some(tests);
        }
        if let Some(test) = self.had(tokens, event, Polarity::Never) {
            return Some(vec![test]);
        }
        let what = self.sayings(tokens)?;
        Some(vec![Test::Says { what, parameter: None, is: true }])
    }

    fn lacks(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        if let Some(test) = self.had(tokens, event, Polarity::Must) {
            return Some(vec![test]);
        }
        let what = self.sayings(tokens)?;
        Some(vec![Test::Says { what, parameter: None, is: false }])
    }

    /// "whose title starts with WIP"
    fn whose_is_so(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        (1..tokens.len()).find_map(|at| {
            let names = self.ground(&stems(tokens.get(..at)?), &event.nouns)?;
            let rest = strip(tokens.get(at..)?, &["that", "which"]).unwrap_or(tokens.get(at..)?);
            let (polarity, bond, rest) = bond(rest)?;
            let predicate = self.said(bond, rest, &names)?;
            let opposite = match polarity {
                Polarity::Must => Polarity::Never,
                Polarity::Never => Polarity::Must,
            };
            broken(&names, &predicate, opposite)
        })
    }

    /// "more than 5 results", "longer than 30 minutes", "at most 3 recipients".
    fn measure(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        let (amount, _) = amount::read(tokens)?;
        let (most, unit) = self.limit(tokens)?;
        let unit = self.unit_of(unit, event)?;
        let is = match amount.compare {
            Compare::Above => true,
            Compare::AtMost | Compare::Below => false,
            Compare::AtLeast | Compare::Equal => return None,
        };
        Some(vec![Test::Measure { unit, above: most, is }])
    }

    /// Branches, where what is done is done to them.
    fn branches(&self, tokens: &[Token], event: &Scope) -> Option<Vec<Test>> {
        let on_branches = event
            .doings
            .iter()
            .any(|doing| matches!(doing, Doing::Did(name) if BRANCHED.contains(&name.as_str())));
        if !on_branches {
            return None;
        }
        let rest = strip(tokens, BETWEEN).unwrap_or(tokens);
        let rest = strip(
            plain(rest),
            &[
                "branch",
                "branches",
                "the branch",
                "a branch named",
                "branches like",
                "branches named",
                "branches called",
            ],
        )
        .unwrap_or(plain(rest));
        let rest = crate::english::exact::words::strip_end(rest, &["branch", "branches"]).unwrap_or(rest);
        let mut patterns = Vec::new();
        for item in items(rest) {
            let [one] = plain(item) else { return None };
            let is_name = match one.shape {
                Shape::Path | Shape::Identifier | Shape::Quoted => true,
                Shape::Word => {
                    matches!(
                        one.low.as_str(),
                        "main"
                            | "master"
                            | "develop"
                            | "dev"
                            | "release"
                            | "production"
                            | "staging"
                            | "trunk"
                            | "prod"
                            | "stable"
                            | "gh-pages"
                            | "live"
                            | "next"
                    ) || (one.text.contains('-') && !self.lexicon.knows(one))
                }
                _ => false,
            };
            is_name.then_some(())?;
            let text = one.text.trim_end_matches('/');
            patterns.push(if one.text.ends_with('/') { format!("{text}/*") } else { text.to_owned() });
        }
        (!patterns.is_empty()).then(|| vec![Test::Branch { patterns, is: true }])
    }

    /// A place with its preposition, as the looser reader has it, if every word is in that.
    fn place(&self, tokens: &[Token]) -> Option<Vec<Test>> {
        let first = tokens.first()?;
        let is_between = matches!(
            first.low.as_str(),
            "to" | "into"
                | "onto"
                | "in"
                | "inside"
                | "within"
                | "under"
                | "below"
                | "on"
                | "at"
                | "from"
                | "outside"
                | "for"
                | "of"
        );
        if !is_between || tokens.len() < 2 {
            return None;
        }
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let lead = ["send", "anything"].map(crate::english::exact::told::turned::word);
        let said: Vec<Token> = lead.into_iter().chain(tokens.iter().cloned()).collect();
        let (doings, tests) = self.loosely(&said)?;
        let is_place = |test: &Test| matches!(test, Test::Place { .. } | Test::Branch { .. });
        if tests.is_empty() || !tests.iter().all(is_place) {
            return None;
        }
        let case = Case { doings: vec![Doing::Deed(Deed::Sends)], tests: tests.clone(), ..Case::default() };
        let lost = coverage::lost(tokens, &case, self.lexicon, self.hand, self.year);
        drop(doings);
        (lost.is_none() && !self.guesses(&case, tokens)).then_some(tests)
    }
}
