//! What a plain sentence names: places, numbers, names, texts, options of commands, and what is done.

use std::collections::BTreeMap;

use super::Rules;
use crate::english::exact::{Exact, words};
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::{Place, Span};

/// What holes hold, by their names.
#[derive(Clone, Default)]
pub(super) struct Holes {
    texts: BTreeMap<String, Vec<String>>,
    places: BTreeMap<String, Vec<Place>>,
    times: BTreeMap<String, Span>,
    rules: Rules,
    asks: bool,
}

/// Words of which one says that something is ruled: no name and no remark has them.
const RULING: &[&str] = &[
    "never", "no", "not", "don't", "dont", "only", "must", "mustn't", "can't", "cannot", "nothing", "nobody",
    "none", "unless", "except", "without", "but", "and", "or", "nor", "before", "after", "until", "if",
    "when", "while", "you", "is", "are", "be", "may", "can", "should", "always", "every", "each", "at", "in",
    "on", "to", "from", "into", "with", "for", "than", "most", "least", "more", "less", "which", "that",
    "who", "first",
];

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

    /// The places of a hole.
    pub(super) fn places(&self, name: &str) -> &[Place] {
        self.places.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The time of a hole.
    pub(super) fn time(&self, name: &str) -> Option<&Span> {
        self.times.get(name)
    }

    /// Whether the sentence asks where others forbid.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// The same in a sentence that asks.
    pub(super) fn asking(&self) -> Holes {
        Holes { asks: true, ..self.clone() }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The ways to fill a hole with words at the beginning of these, with how many it takes.
    pub(super) fn filled(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let sort = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match sort {
            "places" | "things" => return self.placed(name, tokens, exact),
            "act" => return self.done(tokens, exact),
            "when" => return self.timed(name, tokens, exact),
            _ => {}
        }
        let with = |texts: Vec<String>| {
            let mut holes = self.clone();
            holes.texts.entry(name.to_owned()).or_default().extend(texts);
            holes
        };
        if let Some(ways) = super::offered::ways(sort, tokens, exact) {
            let number = name.get(sort.len()..).unwrap_or_default();
            let each = |(length, filled): super::offered::Way| {
                let mut holes = self.clone();
                for (hole, texts) in filled {
                    holes.texts.entry(format!("{hole}{number}")).or_default().extend(texts);
                }
                (length, holes)
            };
            return ways.into_iter().map(each).collect();
        }
        if let Some(ways) = single(sort, tokens, exact) {
            return ways.into_iter().map(|(length, text)| (length, with(vec![text]))).collect();
        }
        let one = one_of(sort);
        let ways = several(&one, tokens, exact);
        // What holds of several is told by the name of one.
        let number = name.get(sort.len()..).unwrap_or_default();
        let also = |(length, texts): (usize, Vec<String>)| {
            let mut holes = with(texts.clone());
            holes.texts.entry(format!("{one}{number}")).or_default().extend(texts);
            (length, holes)
        };
        ways.into_iter().map(also).collect()
    }

    /// A time.
    fn timed(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let Some((span, length)) = crate::english::when::read(tokens, exact.year) else { return Vec::new() };
        let mut holes = self.clone();
        holes.times.insert(name.to_owned(), span);
        vec![(length, holes)]
    }

    /// A list of places: what stands for itself, or what a noun with all that belongs to it names.
    fn placed(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let with = |(length, places): (usize, Vec<Place>)| {
            let mut holes = self.clone();
            holes.places.entry(name.to_owned()).or_default().extend(places);
            (length, holes)
        };
        let mut found: Vec<Place> = Vec::new();
        let (mut at, mut end) = (0, 0);
        while let Some(token) = tokens.get(at) {
            let places = places(token, exact);
            if places.is_empty() {
                break;
            }
            found.extend(places);
            end = at + 1;
            at = end + joints(tokens.get(end..).unwrap_or_default());
            if at == end {
                break;
            }
        }
        let literal = (end > 0).then_some((end, found));
        let guesses = name.starts_with("things");
        literal.into_iter().chain(described(tokens, end, guesses, exact)).map(with).collect()
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

/// Places that a noun names with all that belongs to it, "the NAS (/mnt/nas)", "the drafts folder", "PDFs": the longest
/// first. Where guesses count, words that nothing else explains may name something too.
fn described(tokens: &[Token], literal: usize, guesses: bool, exact: &Exact<'_>) -> Vec<(usize, Vec<Place>)> {
    const BETWEEN: &[&str] =
        &["in", "of", "and", "or", "under", "below", "inside", "within", "with", "from", "on", "at"];
    let is_plain = |token: &&Token| {
        let low = token.low.as_str();
        token.shape != Shape::Word || !RULING.contains(&low) || BETWEEN.contains(&low)
    };
    let most = tokens.iter().take(10).take_while(is_plain).count();
    let ends = |token: &Token| {
        !BETWEEN.contains(&token.low.as_str()) && !matches!(token.shape, Shape::Mark(',' | ':' | ';' | '('))
    };
    let is_certain = |place: &Place| !matches!(place, Place::Word(_) | Place::HostLike(_));
    let each = |length: usize| {
        let said = tokens.get(..length).filter(|said| said.last().is_some_and(ends))?;
        let places = exact.places_named(said)?;
        (guesses || places.iter().all(is_certain)).then_some((length, places))
    };
    (1..=most).rev().filter(|length| *length != literal).filter_map(each).collect()
}

/// How many of the tokens in front only join the items of a list.
fn joints(tokens: &[Token]) -> usize {
    let joins = |token: &&Token| matches!(token.low.as_str(), "," | "and" | "or" | "nor" | "&" | "neither");
    let length = tokens.iter().take_while(joins).count();
    // "not in mails, not in Notion"
    let again =
        |token: &&Token| matches!(token.low.as_str(), "not" | "in" | "into" | "to" | "on" | "by" | "from");
    match length {
        0 => 0,
        length => length + tokens.iter().skip(length).take(2).take_while(again).count(),
    }
}

/// "programs" is several of "program", "people" of "person".
fn one_of(sort: &str) -> String {
    match sort {
        "people" => "person".to_owned(),
        sort => sort.strip_suffix('s').unwrap_or(sort).to_owned(),
    }
}

/// The ways to read a list of one sort: the longest first.
fn several(one: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Vec<String>)> {
    let mut ways: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut at, mut texts) = (0, Vec::new());
    while let Some((length, text)) = tokens.get(at..).and_then(|rest| {
        single(one, bare(rest), exact)
            .and_then(|ways| ways.into_iter().next())
            .map(|way| (way.0 + rest.len() - bare(rest).len(), way.1))
    }) {
        texts.push(text);
        at += length;
        ways.push((at, texts.clone()));
        let joints = joints(tokens.get(at..).unwrap_or_default());
        if joints == 0 {
            break;
        }
        at += joints;
    }
    ways.reverse();
    ways
}

/// Without articles.
fn bare(tokens: &[Token]) -> &[Token] {
    let is_light =
        |token: &&Token| matches!(token.low.as_str(), "the" | "a" | "an" | "my" | "our" | "to" | "from");
    let light = tokens.iter().take_while(is_light).count();
    tokens.get(light..).unwrap_or_default()
}

/// The ways to read one thing of a sort; none where there is no such sort.
fn single(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<(usize, String)>> {
    let first = |is_it: &dyn Fn(&Token) -> bool| {
        let found = tokens.first().filter(|token| is_it(token));
        found.map(|token| (1, token.text.clone())).into_iter().collect()
    };
    Some(match sort {
        "n" => match crate::english::amount::read_number(tokens) {
            Some((number, length)) => vec![(length, number.to_string())],
            None => Vec::new(),
        },
        "kind" => {
            let fits = |said: &&str| words::begins(tokens, said);
            let known = KINDS
                .iter()
                .filter_map(|(kind, said)| Some((said.iter().filter_map(fits).max()?, (*kind).to_owned())));
            known.collect()
        }
        "field" => first(&|token| FIELDS.contains(&token.low.as_str())),
        "text" => first(&|token| token.shape == Shape::Quoted),
        "flag" => first(&|token| token.text.starts_with('-') && token.text.len() > 1),
        "host" => first(&|token| matches!(token.shape, Shape::Host | Shape::Url)),
        "path" => first(&|token| token.shape == Shape::Path),
        "folder" => {
            let found = tokens.first().filter(|token| token.shape == Shape::Path);
            found.map(|token| (1, token.text.trim_end_matches('/').to_owned())).into_iter().collect()
        }
        "table" => beside(tokens, &["table", "tables", "the table", "the tables"]),
        "column" => beside(tokens, &["column", "columns", "the column", "the columns", "field", "fields"]),
        "repo" => {
            let owned = |token: &Token| {
                token.text.matches('/').count() == 1
                    && !token.text.ends_with('/')
                    && !token.text.starts_with(['/', '.', '~'])
            };
            let around = beside(
                tokens,
                &["repo", "repos", "repository", "repositories", "the repo", "the repository"],
            );
            around
                .into_iter()
                .filter(|(length, _)| *length > 1 || tokens.first().is_some_and(owned))
                .collect()
        }
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
        "word" => first(&|token| {
            matches!(token.shape, Shape::Word | Shape::Quoted | Shape::Identifier)
                && !RULING.contains(&token.low.as_str())
                && !NO_NAMES.contains(&token.low.as_str())
        }),
        "emoji" => {
            let found = tokens.first().filter(|token| token.shape == Shape::Emoji || is_name(token));
            found.map(|token| (1, token.text.trim_matches(':').to_owned())).into_iter().collect()
        }
        "value" => values(tokens),
        "sample" => first(&|token| {
            token.text.chars().any(|letter| letter.is_ascii_digit())
                && token.text.chars().any(|letter| letter.is_alphabetic() || letter == '#')
        }),
        "any" | "topic" => words_that_name(tokens, if sort == "any" { 4 } else { 3 }),
        "id" => bracketed(tokens, &is_id),
        "person" => bracketed(tokens, &|token| token.shape == Shape::Address),
        "command" => commands(tokens),
        // A day is a time and no name.
        "name" if crate::english::when::read(tokens, exact.year).is_some() => Vec::new(),
        "name" => first(&is_name),
        sort => {
            if let Some(terms) = super::terms(sort, tokens) {
                return Some(terms);
            }
            let class = super::class(sort)?;
            first(&|token| token.shape != Shape::Quoted && class.contains(&token.low))
        }
    })
}

/// What somebody would put as the value of an argument: the longest first.
fn values(tokens: &[Token]) -> Vec<(usize, String)> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let ids = bracketed(tokens, &is_id);
    if !ids.is_empty() {
        return ids;
    }
    if !matches!(first.shape, Shape::Word | Shape::Mark(_)) {
        return vec![(1, first.text.clone())];
    }
    words_that_name(tokens, 3)
}

/// A name, perhaps with what it is in front of it or behind it: "the table visits", "visits".
fn beside(tokens: &[Token], sorts: &[&str]) -> Vec<(usize, String)> {
    const NO_THINGS: &[&str] = &[
        "rows",
        "row",
        "data",
        "anything",
        "database",
        "databases",
        "columns",
        "queries",
        "records",
        "values",
        "new",
        "whole",
    ];
    let front = sorts.iter().filter_map(|sort| words::begins(tokens, sort)).max().unwrap_or(0);
    let rest = tokens.get(front..).unwrap_or_default();
    let is_it = |token: &&Token| is_name(token) && !NO_THINGS.contains(&token.low.as_str());
    let Some(name) = rest.first().filter(is_it) else { return Vec::new() };
    let behind = rest.get(1..).unwrap_or_default();
    let more = sorts.iter().filter_map(|sort| words::begins(behind, sort)).max().filter(|_| front == 0);
    let length = front + 1 + more.unwrap_or(0);
    vec![(length, name.text.clone())]
}

/// One word up to so many that rule nothing: the longest first.
fn words_that_name(tokens: &[Token], most: usize) -> Vec<(usize, String)> {
    let is_plain = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier) && !RULING.contains(&token.low.as_str())
    };
    let length = tokens.iter().take(most).take_while(is_plain).count();
    (1..=length).rev().map(|length| (length, words::text(tokens.get(..length).unwrap_or_default()))).collect()
}

/// "C0CREW1234", "#crew (C0CREW1234)", "the travel page (6b1f…)", "my sister lena@northpost.example".
fn bracketed(tokens: &[Token], is_it: &dyn Fn(&Token) -> bool) -> Vec<(usize, String)> {
    let is_plain = |token: &Token| {
        matches!(
            token.shape,
            Shape::Word | Shape::Channel | Shape::Quoted | Shape::Identifier | Shape::Number
        ) && !RULING.contains(&token.low.as_str())
    };
    let names = tokens.iter().take(6).take_while(|token| !is_it(token) && is_plain(token)).count();
    let Some(token) = tokens.get(names) else { return Vec::new() };
    if is_it(token) {
        return vec![(names + 1, token.text.clone())];
    }
    let inner = tokens.get(names + 1).filter(|inner| token.shape == Shape::Mark('(') && is_it(inner));
    let closes = tokens.get(names + 2).is_some_and(|token| token.shape == Shape::Mark(')'));
    match inner.filter(|_| closes) {
        Some(inner) => vec![(names + 3, inner.text.clone())],
        None => Vec::new(),
    }
}

fn is_id(token: &Token) -> bool {
    let has_digit = token.text.chars().any(|letter| letter.is_ascii_digit());
    let is_moment = token.shape == Shape::Number
        && token.text.len() > 12
        && token.text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    (token.shape == Shape::Identifier && has_digit)
        || is_moment
        || (token.shape == Shape::Number
            && token.text.len() > 4
            && token.text.chars().all(|letter| letter.is_ascii_digit()))
        || (token.text.len() > 7
            && has_digit
            && token.text.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()))
}

/// A program with words behind it, or a command line in quotation marks: the longest first.
fn commands(tokens: &[Token]) -> Vec<(usize, String)> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let is_program = |word: &str| {
        let known = super::class("program").is_some_and(|programs| programs.contains(&word.to_lowercase()));
        known || word.starts_with("./") || [".sh", ".py", ".js", ".rb"].iter().any(|end| word.ends_with(end))
    };
    if first.shape == Shape::Quoted {
        let runs = first.text.split(' ').next().is_some_and(is_program);
        return if runs { vec![(1, first.text.clone())] } else { Vec::new() };
    }
    if !is_program(&first.low) {
        return Vec::new();
    }
    let is_part = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Flag | Shape::Number)
            && !RULING.contains(&token.low.as_str())
    };
    let more = tokens.iter().skip(1).take(3).take_while(is_part).count();
    (2..=more + 1)
        .rev()
        .map(|length| (length, words::text(tokens.get(..length).unwrap_or_default())))
        .collect()
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
