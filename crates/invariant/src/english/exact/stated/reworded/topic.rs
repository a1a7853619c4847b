//! What "it", "them" and "there" stand for: what a statement, a heading or leave before the rule names.

use crate::english::exact::told::turned::word;
use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};

/// Verbs that say something of what stands before them.
const TELLING: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "holds", "hold", "contains", "contain", "belongs",
    "belong", "comes", "come", "lives", "live", "gets", "get", "goes", "go", "runs", "run", "can", "may",
    "needs", "need", "feeds", "feed", "shows", "show", "costs", "cost", "reads", "read", "uses", "use",
    "stays", "stay", "will", "does", "do", "wants", "want", "says", "say", "keeps", "keep", "lists", "list",
    "serves",
];

/// Words with which no thing begins that something is told of.
const NO_THING: &[&str] = &[
    "never", "no", "don't", "dont", "do", "only", "nothing", "nobody", "please", "always", "if", "when",
    "whenever", "once", "after", "before", "keep", "leave", "stay", "i", "we", "you", "it", "they", "this",
    "that", "there", "he", "she", "ask", "check", "every", "each", "in", "on", "from", "until", "at",
    "today", "i'm", "we're", "during", "while", "not", "none",
];

/// Words that make a rule of what is told, so that it is kept.
const RULING: &[&str] = &[
    "never",
    "not",
    "no",
    "only",
    "must",
    "don't",
    "always",
    "nothing",
    "cannot",
    "ask",
    "except",
    "unless",
    "isn't",
    "aren't",
    "off",
    "read-only",
    "none",
    "nobody",
];

/// Leave in front of what is named.
const LEAVE: &[&str] = &[
    "you may read",
    "you can read",
    "you may look at",
    "you can look at",
    "you may use",
    "you can use",
    "look at",
    "read",
    "use",
    "you may open",
    "you can open",
    "you may look into",
    "you can look into",
    "feel free to read",
    "feel free to look at",
    "you may search",
    "you can search",
    "you may list",
    "you may write to",
    "you can write to",
    "you may post in",
    "you can post in",
    "you may edit",
    "you can edit",
    "you may look around in",
    "you can look around in",
    "you may browse",
    "you can browse",
];

/// How leave ends.
const AT_WILL: &[&str] = &[
    "as much as you like",
    "as much as you want",
    "as often as you like",
    "as you like",
    "all you want",
    "all you like",
    "if you must",
    "if you like",
    "if you want",
    "if you need to",
    "if needed",
    "freely",
];

/// What stands for a thing.
const IT: &[&str] = &[
    "that folder",
    "this folder",
    "the folder",
    "that file",
    "this file",
    "that channel",
    "this channel",
    "that page",
    "this page",
    "that branch",
    "this branch",
    "that table",
    "this table",
    "that repo",
    "this repo",
    "that repository",
    "this repository",
    "that calendar",
    "this calendar",
    "that database",
    "this database",
    "that site",
    "this site",
    "that directory",
    "this directory",
    "that address",
    "this address",
    "that project",
    "this project",
    "these files",
    "those files",
    "these folders",
    "those folders",
    "these channels",
    "those channels",
    "those people",
    "these people",
    "any of them",
    "any of those",
    "any of these",
    "either of them",
    "one of them",
    "all of them",
    "all of it",
    "any of it",
    "anything of it",
    "either",
    "it",
    "them",
    "they",
    "those",
    "these",
    "him",
    "her",
    "that one",
    "this one",
    "any",
];

/// What stands for a place.
const THERE: &[&str] = &["in there", "there", "over there"];

impl Exact<'_> {
    /// The rules behind what was told, about what it names.
    pub(super) fn with_what_was_told(&self, tokens: &[Token]) -> Vec<Vec<Token>> {
        let mut ways = Vec::new();
        for (at, token) in tokens.iter().enumerate().skip(1) {
            let parts = matches!(token.shape, Shape::Mark(',' | ';' | ':' | '.' | '!' | '–' | '—' | '-'))
                || matches!(token.low.as_str(), "but" | "so");
            let (Some(told), Some(rule)) = (tokens.get(..at), tokens.get(at + 1..)) else { continue };
            if !parts || rule.len() < 2 || !super::super::peeled::is_closed(told) {
                continue;
            }
            let rule = words::strip(
                rule,
                &["so", "and", "but", "please", "therefore", "then", "but please", "so please"],
            )
            .unwrap_or(rule);
            let rules = |token: &Token| token.shape == Shape::Word && RULING.contains(&token.low.as_str());
            if super::super::leave::is_of_it(told, rule) {
                continue;
            }
            ways.extend(self.referred(told, rule));
            let is_ruled = told.iter().any(rules);
            for plain in subjects(told).filter_map(|subject| replaced(rule, &self.inner(subject))) {
                // What is told may be a rule by itself.
                if is_ruled || self.stated_by_table(told, false).is_some() {
                    ways.push([told, std::slice::from_ref(token), &plain].concat());
                } else {
                    ways.push(plain);
                }
            }
        }
        ways
    }
}

/// What may be meant by "it": what something is told of, if it names something, or else what is named.
fn subjects(told: &[Token]) -> impl Iterator<Item = &[Token]> {
    let names = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark(_));
    let subject = subject(told);
    let is_named = subject.is_some_and(|subject| subject.iter().any(names));
    let named = told.iter().position(names).filter(|_| !is_named);
    let named = named.and_then(|at| told.get(at..=at));
    named.into_iter().chain(subject)
}

/// What something is told of, what a heading names, or what leave names.
fn subject(told: &[Token]) -> Option<&[Token]> {
    if let Some(named) = words::strip(told, LEAVE) {
        let named = words::strip_end(words::core(named), AT_WILL).unwrap_or(named);
        return (1..=8).contains(&named.len()).then_some(named);
    }
    let first = told.first()?;
    if first.shape == Shape::Word && NO_THING.contains(&first.low.as_str()) {
        return None;
    }
    let verb =
        told.iter().position(|token| token.shape == Shape::Word && TELLING.contains(&token.low.as_str()));
    let subject = told.get(..verb.unwrap_or(told.len()))?;
    let is_plain =
        |token: &Token| !matches!(token.shape, Shape::Mark(mark) if !matches!(mark, '(' | ')' | ',' | '#'));
    ((1..=10).contains(&subject.len()) && subject.iter().all(is_plain)).then_some(subject)
}

/// The rule with what it is about in the places of the words that stand for it.
fn replaced(rule: &[Token], subject: &[Token]) -> Option<Vec<Token>> {
    let (mut plain, mut refers) = (Vec::new(), false);
    let mut rest = rule;
    while let Some((first, after)) = rest.split_first() {
        let is_bare = first.shape == Shape::Word;
        if let Some(behind) = words::strip(rest, THERE).filter(|_| is_bare && !plain.is_empty()) {
            plain.push(word("in"));
            plain.extend(subject.iter().cloned());
            (refers, rest) = (true, behind);
        } else if let Some(behind) = words::strip(rest, IT).filter(|_| is_bare) {
            plain.extend(subject.iter().cloned());
            (refers, rest) = (true, behind);
        } else {
            plain.push(first.clone());
            rest = after;
        }
    }
    refers.then_some(plain)
}
