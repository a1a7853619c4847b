//! What a plain sentence names: places, numbers, names, texts, options of commands, and what is done.

use std::collections::BTreeMap;

use super::Rules;
use crate::english::exact::{Exact, words};
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::Place;

/// What holes hold, by their names.
#[derive(Clone, Default)]
pub(super) struct Holes {
    texts: BTreeMap<String, Vec<String>>,
    places: Vec<Place>,
    rules: Rules,
}

/// Words that stand for nothing by themselves and are no names.
const NO_NAMES: &[&str] = &[
    "the",
    "a",
    "an",
    "any",
    "my",
    "our",
    "it",
    "them",
    "anything",
    "everything",
    "something",
    "nothing",
    "file",
    "files",
    "folder",
    "folders",
    "to",
    "in",
    "of",
    "on",
    "at",
    "and",
    "or",
    "not",
    "all",
    "other",
    "that",
    "this",
    "with",
    "from",
    "for",
    "there",
    "you",
    "only",
    "else",
    "one",
    "ones",
    "more",
    "than",
];

/// Kinds of data that can be found in a text, by what people call them.
const KINDS: &[(&str, &[&str])] = &[
    (
        "mail address",
        &[
            "e-mail address",
            "email address",
            "mail address",
            "e-mail addresses",
            "email addresses",
            "mail addresses",
        ],
    ),
    ("phone number", &["phone number", "phone numbers", "telephone number", "telephone numbers"]),
    ("card number", &["card number", "card numbers", "credit card number", "credit card numbers"]),
    ("bank account", &["iban", "ibans", "bank account", "bank accounts", "account numbers", "bank details"]),
];

/// Fields of files that describe a project.
const FIELDS: &[&str] = &[
    "version",
    "name",
    "license",
    "author",
    "authors",
    "dependencies",
    "devdependencies",
    "scripts",
    "engines",
    "main",
    "repository",
    "description",
    "keywords",
    "edition",
    "homepage",
];

impl Holes {
    /// The texts of a hole.
    pub(super) fn texts(&self, name: &str) -> &[String] {
        self.texts.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ways to fill a hole with words at the beginning of these, with how many it takes.
    pub(super) fn filled(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let with = |text: String| {
            let mut holes = self.clone();
            holes.texts.entry(name.to_owned()).or_default().push(text);
            holes
        };
        let first = |is_it: &dyn Fn(&Token) -> bool| {
            let found = tokens.first().filter(|token| is_it(token));
            found.map(|token| (1, with(token.text.clone()))).into_iter().collect()
        };
        match name {
            "places" => self.placed(tokens, exact),
            "act" => self.done(tokens, exact),
            "n" => match crate::english::amount::read_number(tokens) {
                Some((number, length)) => vec![(length, with(number.to_string()))],
                None => Vec::new(),
            },
            "kind" => {
                let fits = |said: &&str| words::begins(tokens, said);
                let known = KINDS.iter().filter_map(|(kind, said)| {
                    Some((said.iter().filter_map(fits).max()?, with((*kind).to_owned())))
                });
                known.collect()
            }
            "field" => first(&|token| FIELDS.contains(&token.low.as_str())),
            "text" => first(&|token| token.shape == Shape::Quoted),
            "flag" => first(&|token| token.text.starts_with('-') && token.text.len() > 1),
            "host" => first(&|token| matches!(token.shape, Shape::Host | Shape::Url)),
            "path" => first(&|token| token.shape == Shape::Path),
            "mark" => first(&|token| {
                token.shape == Shape::Quoted
                    || (token.text.len() > 1
                        && token.text.chars().all(|letter| letter.is_uppercase() || letter == '_'))
            }),
            "key" => first(&|token| {
                let has_small = token.text.starts_with(|letter: char| letter.is_lowercase());
                matches!(token.shape, Shape::Identifier | Shape::Word)
                    && has_small
                    && token.text.chars().any(char::is_uppercase)
            }),
            // A day is a time and no name.
            _ if crate::english::when::read(tokens, exact.year).is_some() => Vec::new(),
            _ => first(&is_name),
        }
    }

    /// A list of places.
    fn placed(&self, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let mut holes = self.clone();
        let (mut at, mut end) = (0, 0);
        while let Some(token) = tokens.get(at) {
            let places = places(token, exact);
            if places.is_empty() {
                break;
            }
            holes.places.extend(places);
            end = at + 1;
            let is_joint = |token: &Token| matches!(token.low.as_str(), "," | "and" | "or" | "nor");
            at = end;
            while tokens.get(at).is_some_and(is_joint) {
                at += 1;
            }
            if at == end {
                break;
            }
        }
        if end == 0 { Vec::new() } else { vec![(end, holes)] }
    }

    /// What is done, in words of its own.
    fn done(&self, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let never = crate::english::exact::told::turned::word("never");
        let each = |length: usize| {
            let said = tokens.get(..length)?;
            said.iter().all(|token| token.shape == Shape::Word).then_some(())?;
            let denied: Vec<Token> = std::iter::once(never.clone()).chain(said.iter().cloned()).collect();
            let rules = exact.acts(&denied)?;
            Some((length, Holes { rules, ..self.clone() }))
        };
        (1..=tokens.len().min(5)).rev().filter_map(each).collect()
    }
}

/// What stands for a place: a path, a host, an address.
fn places(token: &Token, exact: &Exact<'_>) -> Vec<Place> {
    match token.shape {
        Shape::Path => path_places(&token.text, exact.hand),
        Shape::Host => {
            vec![Place::Domain(token.low.trim_start_matches("*.").trim_end_matches('/').to_owned())]
        }
        Shape::Url => vec![Place::Page(token.text.trim_end_matches('/').to_owned())],
        Shape::Address => vec![Place::Address(token.text.clone())],
        // "node_modules"
        Shape::Identifier if token.text.contains('_') && exact.hand.tool(&token.text).is_none() => {
            vec![Place::Folder(token.text.clone())]
        }
        _ => Vec::new(),
    }
}

fn is_name(token: &Token) -> bool {
    matches!(
        token.shape,
        Shape::Word | Shape::Identifier | Shape::Quoted | Shape::Path | Shape::Number | Shape::Host
    ) && !NO_NAMES.contains(&token.low.as_str())
}
