//! Sentences that no form fits as they are, put otherwise until one does: `data/reworded` lists wordings and what says the
//! same more plainly, and "it" and "them" are what was told of before. What is said anew counts only if the tables state all of
//! it, so that a wrong turn ends in nothing.

mod gloss;
mod phrases;
mod topic;
mod wording;
mod wordings;

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};

use super::{BUILT_IN, Rules, leave};
use crate::english::exact::{Exact, guard, words};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Deed, Doing};
use wording::{Ear, Reach, Wording};

/// How often a sentence is put otherwise, one time after the other.
const DEEPEST: usize = 3;

/// How many sentences are tried for one.
const MOST_TRIED: usize = 30;

/// How often a wording is tried at a place.
const FUEL: usize = 100_000;

/// How many more clauses may be looked up for all of them.
const MORE_CLAUSES: usize = 250;

impl Exact<'_> {
    /// What a sentence states by the tables once it is put otherwise.
    pub(crate) fn reworded(&self, tokens: &[Token]) -> Option<Rules> {
        self.clauses_left.set(MORE_CLAUSES);
        self.put_otherwise(tokens, &|anew| {
            let rules = self.stated_by_table(anew, false)?;
            let is_broad = rules.iter().any(|(_, case)| is_broad(case));
            (!is_broad && !guard::is_turned(anew, &rules)).then_some(rules)
        })
    }

    /// What is read first of all that says the same.
    fn put_otherwise(&self, tokens: &[Token], read: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        let tokens = match tokens.split_last() {
            Some((last, rest)) if matches!(last.shape, Shape::Mark('.' | '!' | ';')) => rest,
            _ => tokens,
        };
        let tokens = words::core(tokens);
        // What is said of a tool by its name has readers of its own.
        let is_tool = |token: &Token| token.text.contains('_') && self.hand.tool(&token.text).is_some();
        if tokens.len() < 3 || tokens.len() > 40 || tokens.iter().any(is_tool) {
            return None;
        }
        let fuel = Cell::new(FUEL);
        let mut seen = BTreeSet::from([said(tokens)]);
        let mut waiting = VecDeque::from([(tokens.to_vec(), 0)]);
        while let Some((tokens, depth)) = waiting.pop_front() {
            for anew in self.ways_to_say(&tokens, &fuel) {
                if anew.len() < 2 || seen.len() > MOST_TRIED || !seen.insert(said(&anew)) {
                    continue;
                }
                let found = if refers(&anew) { None } else { read(&anew) };
                if found.is_some() {
                    return found;
                }
                if depth + 1 < DEEPEST {
                    waiting.push_back((anew, depth + 1));
                }
            }
        }
        None
    }

    /// All that says the same and is one step away.
    fn ways_to_say(&self, tokens: &[Token], fuel: &Cell<usize>) -> Vec<Vec<Token>> {
        let is_verb = |base: &str| self.is_verb(base);
        let ear = Ear { is_verb: &is_verb, year: self.year, fuel };
        let numbers = wordings::numbers(tokens);
        let segments = self.segments(tokens);
        let mut ways = Vec::new();
        for wording in wordings::likely(&numbers) {
            match wording.reach {
                Reach::Sentence => ways.extend(wording.put(tokens, &numbers, &ear)),
                Reach::Clause => ways.extend(of_clauses(wording, (tokens, &numbers), &segments, &ear)),
                Reach::Words => ways.extend(of_words(wording, (tokens, &numbers), &ear)),
            }
        }
        // No turn of words loses what is named, nor that some of what it forbids is allowed.
        let adds = |token: &Token| matches!(token.low.as_str(), "add" | "adding" | "append" | "appending");
        let may_add = tokens.iter().any(adds);
        ways.retain(|anew| {
            let is_kept = tokens.iter().filter(|token| names(token)).all(|token| anew.contains(token));
            is_kept && !(may_add && leave::is_of_it(tokens, anew) && !anew.iter().any(adds))
        });
        ways.extend(self.with_what_was_told(tokens));
        ways.extend(leave::beside_leave(tokens));
        ways.extend(gloss::glossed(tokens));
        ways
    }

    fn is_verb(&self, base: &str) -> bool {
        if NO_VERBS.contains(&base) {
            return false;
        }
        let token = crate::english::exact::told::turned::word(base);
        let phrases = self.lexicon.phrases(std::slice::from_ref(&token));
        let acts = phrases
            .iter()
            .any(|phrase| matches!(phrase.entry, Entry::Verb(_) | Entry::Act(_)) && phrase.length == 1);
        acts || BUILT_IN.vocabulary.number(base).is_some()
    }

    /// Whether a list of what is done goes on behind a mark or a word: "scaled, patched or deleted".
    fn goes_on(&self, tokens: &[Token], at: usize) -> bool {
        let is_done = |token: Option<&Token>| {
            token.is_some_and(|token| wording::is_done(token, &|base: &str| self.is_verb(base)))
        };
        is_done(at.checked_sub(1).and_then(|before| tokens.get(before))) && is_done(tokens.get(at + 1))
    }

    /// The stretches of a sentence that may be clauses of their own.
    fn segments(&self, tokens: &[Token]) -> Vec<(usize, usize)> {
        let (mut starts, mut ends) = (BTreeSet::from([0]), BTreeSet::from([tokens.len()]));
        let mut depth = 0usize;
        for (at, token) in tokens.iter().enumerate() {
            match token.shape {
                Shape::Mark('(') => depth += 1,
                Shape::Mark(')') => depth = depth.saturating_sub(1),
                Shape::Mark(',') if self.goes_on(tokens, at) => {}
                Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—' | '-') if depth == 0 => {
                    ends.insert(at);
                    starts.insert(at + 1);
                }
                Shape::Word
                    if depth == 0 && JOINTS.contains(&token.low.as_str()) && !self.goes_on(tokens, at) =>
                {
                    ends.insert(at);
                    starts.insert(at + 1);
                }
                _ => {}
            }
        }
        // A time in front of a clause or behind it is none of it.
        for at in starts.clone() {
            let behind = tokens.get(at..).and_then(|rest| when::read(rest, self.year));
            if let Some((_, length)) = behind {
                starts.insert(at + length);
            }
        }
        for at in 1..tokens.len() {
            let timed = tokens.get(at..).and_then(|rest| when::read(rest, self.year));
            if timed.is_some_and(|(_, length)| ends.contains(&(at + length))) {
                ends.insert(at);
            }
        }
        let from = |start: usize| ends.iter().rev().map(move |end| (start, *end));
        starts.iter().flat_map(|start| from(*start)).filter(|(start, end)| start + 1 < *end).collect()
    }
}

/// Words that are no verbs, though tables have them.
const NO_VERBS: &[&str] = &[
    "a",
    "all",
    "also",
    "an",
    "and",
    "any",
    "anybody",
    "anyone",
    "anything",
    "as",
    "at",
    "be",
    "because",
    "but",
    "by",
    "do",
    "each",
    "even",
    "every",
    "everything",
    "except",
    "for",
    "from",
    "has",
    "have",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "just",
    "may",
    "me",
    "must",
    "my",
    "never",
    "no",
    "nobody",
    "not",
    "nothing",
    "of",
    "off",
    "on",
    "only",
    "or",
    "other",
    "our",
    "out",
    "please",
    "so",
    "some",
    "than",
    "that",
    "the",
    "them",
    "then",
    "there",
    "they",
    "this",
    "to",
    "under",
    "unless",
    "until",
    "was",
    "we",
    "were",
    "when",
    "with",
    "without",
    "you",
    "your",
    "are",
    "can",
    "should",
    "new",
    "more",
    "most",
    "less",
    "first",
    "last",
    "one",
    "two",
    "what",
    "which",
    "who",
    "whose",
    "where",
    "while",
];

/// Words between clauses.
const JOINTS: &[&str] = &[
    "and", "but", "so", "because", "then", "please", "since", "unless", "except", "if", "when", "while",
    "also",
];

/// Whether a rule speaks of what was told before.
pub(super) fn refers(tokens: &[Token]) -> bool {
    const RULING: &[&str] = &[
        "never", "no", "not", "don't", "nothing", "nobody", "only", "none", "ask", "neither", "nor", "must",
    ];
    const THINGS: &[&str] = &[
        "folder",
        "file",
        "channel",
        "page",
        "branch",
        "table",
        "repo",
        "repository",
        "calendar",
        "database",
        "site",
        "directory",
        "address",
        "project",
        "files",
        "folders",
        "channels",
        "people",
        "one",
        "list",
        "mailbox",
        "label",
        "ones",
    ];
    let has = |clause: &[Token], any: &[&str]| {
        clause.iter().any(|token| token.shape == Shape::Word && any.contains(&token.low.as_str()))
    };
    let clauses =
        tokens.split(|token| matches!(token.shape, Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—')));
    clauses.filter(|clause| has(clause, RULING)).any(|clause| {
        let points = clause.windows(2).any(|pair| match pair {
            [one, other] => {
                matches!(one.low.as_str(), "that" | "this" | "these" | "those")
                    && THINGS.contains(&other.low.as_str())
            }
            _ => false,
        });
        points || has(clause, &["it", "them", "him", "her", "there", "she", "he", "they"])
    })
}

/// Whether nearly every call would be concerned, which is hardly what a turn of words means.
pub(super) fn is_broad(case: &Case) -> bool {
    let is_broad = |doing: &Doing| matches!(doing, Doing::Deed(deed) if *deed != Deed::Deletes);
    case.tests.is_empty() && case.unless.is_empty() && case.doings.iter().all(is_broad)
}

/// Whether a word stands for itself.
pub(super) fn names(token: &Token) -> bool {
    !matches!(token.shape, Shape::Word | Shape::Mark(_))
}

/// A sentence as the words that it is told by.
fn said(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(|token| token.text.clone()).collect()
}

fn of_clauses(
    wording: &Wording,
    (tokens, numbers): (&[Token], &[u32]),
    segments: &[(usize, usize)],
    ear: &Ear<'_>,
) -> Vec<Vec<Token>> {
    let put = |(start, end): &(usize, usize)| {
        let anew = wording.put(tokens.get(*start..*end)?, numbers.get(*start..*end)?, ear)?;
        Some([tokens.get(..*start)?, &anew, tokens.get(*end..)?].concat())
    };
    segments.iter().filter_map(put).collect()
}

fn of_words(wording: &Wording, (tokens, numbers): (&[Token], &[u32]), ear: &Ear<'_>) -> Vec<Vec<Token>> {
    let put = |at: usize| {
        let (anew, length) = wording.put_first(tokens.get(at..)?, numbers.get(at..)?, ear)?;
        Some([tokens.get(..at)?, &anew, tokens.get(at + length..)?].concat())
    };
    (0..tokens.len()).filter_map(put).collect()
}
