//! One thing of a sort that a plain sentence names, or several of them: a name, a number, an id, a program, a text.

mod amounts;
mod commands;
mod ids;

use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};
use amounts::{milliseconds, number};
use commands::commands;
use ids::{bracketed, is_id};

/// Words of which one says that something is ruled: no name and no remark has them.
pub(super) const RULING: &[&str] = &[
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
    "every",
    "each",
    "ours",
    "mine",
    "yours",
    "theirs",
    "anywhere",
    "somewhere",
    "nowhere",
    "everywhere",
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

/// How many of the tokens in front only join the items of a list.
pub(super) fn joints(tokens: &[Token]) -> usize {
    let joins = |token: &&Token| matches!(token.low.as_str(), "," | "and" | "or" | "nor" | "&" | "neither");
    let length = tokens.iter().take_while(joins).count();
    // "not in mails, not in Notion"
    let is_listed = tokens.iter().take(length).any(|token| token.low != ",");
    let again = |token: &&Token| match token.low.as_str() {
        "not" | "in" | "into" | "to" | "on" | "by" | "from" => true,
        "no" => is_listed,
        _ => false,
    };
    match length {
        0 => 0,
        length => length + tokens.iter().skip(length).take(2).take_while(again).count(),
    }
}

/// "programs" is several of "program", "people" of "person".
pub(super) fn one_of(sort: &str) -> String {
    match sort {
        "people" => "person".to_owned(),
        sort => sort.strip_suffix('s').unwrap_or(sort).to_owned(),
    }
}

/// The ways to read a list of one sort: the longest first.
pub(super) fn several(one: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Vec<String>)> {
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
pub(super) fn single(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<(usize, String)>> {
    let points = tokens
        .first()
        .is_some_and(|token| token.shape == Shape::Word && POINTING.contains(&token.low.as_str()));
    let is_name = matches!(sort, "word" | "name" | "phrase" | "label" | "topic");
    if points && is_name && sort != "topic" {
        return Some(Vec::new());
    }
    // "Book nothing on Sundays" is about no subject of that name.
    let of_days = if is_name { days_in_front(tokens, exact.year) } else { 0 };
    let mut ways = filled(sort, tokens, exact)?;
    ways.retain(|(length, _)| *length > of_days);
    Some(ways)
}

/// How many words name days of the week here: "Sundays", "any weekend", "Saturday or Sunday".
fn days_in_front(tokens: &[Token], year: i16) -> usize {
    let is_day = |token: &Token| {
        token.shape == Shape::Word
            && (matches!(token.text.as_str(), "weekend" | "weekends" | "weekday" | "weekdays" | "workdays")
                || crate::english::when::is_day(&token.low))
    };
    let is_led = |token: &Token| matches!(token.low.as_str(), "a" | "any" | "the");
    let names_day = tokens.iter().find(|token| !is_led(token)).is_some_and(is_day);
    let time = names_day.then(|| crate::english::when::read(tokens, year)).flatten();
    time.map_or(0, |(_, length)| length)
}

fn filled(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<(usize, String)>> {
    let first = |is_it: &dyn Fn(&Token) -> bool| {
        let found = tokens.first().filter(|token| is_it(token));
        found.map(|token| (1, token.text.clone())).into_iter().collect()
    };
    Some(match sort {
        "n" => number(tokens).into_iter().collect(),
        "ms" => milliseconds(tokens).into_iter().collect(),
        "tail" => written(tokens),
        "label" => labels(tokens),
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
        "host" => {
            let found = tokens.first().filter(|token| matches!(token.shape, Shape::Host | Shape::Url));
            found.map(|token| (1, token.text.trim_start_matches('@').to_owned())).into_iter().collect()
        }
        "path" => first(&|token| token.shape == Shape::Path),
        "folder" => {
            let found = tokens.first().filter(|token| token.shape == Shape::Path);
            found.map(|token| (1, token.text.trim_end_matches('/').to_owned())).into_iter().collect()
        }
        sort => return described(sort, tokens, exact),
    })
}

/// Whether a time begins here: "after 18:00", "on Fridays"; "lunch" alone is a word like others.
fn opens_time(tokens: &[Token], year: i16) -> bool {
    const OPENING: &[&str] =
        &["after", "before", "until", "till", "on", "at", "during", "between", "from", "since"];
    let opens = |token: &Token| token.shape == Shape::Number || OPENING.contains(&token.low.as_str());
    tokens.first().is_some_and(opens) && crate::english::when::read(tokens, year).is_some()
}

/// The same for what has words around it, and for the classes of the tables.
fn described(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Option<Vec<(usize, String)>> {
    let first = |is_it: &dyn Fn(&Token) -> bool| {
        let found = tokens.first().filter(|token| is_it(token));
        found.map(|token| (1, token.text.clone())).into_iter().collect()
    };
    let is_time = |at: usize| opens_time(tokens.get(at..).unwrap_or_default(), exact.year);
    Some(match sort {
        "table" => beside(tokens, &["table", "tables", "the table", "the tables"]),
        "column" => beside(tokens, &["column", "columns", "the column", "the columns", "field", "fields"]),
        "repo" => repositories(tokens),
        "project" => project(tokens),
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
                && token.text.contains(char::is_alphanumeric)
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
        // Neither swallows a time, which would count for nothing then.
        "remark" if is_time(0) => Vec::new(),
        "remark" => remarks(tokens),
        "any" => {
            let until = (0..4).find(|at| is_time(*at)).unwrap_or(tokens.len());
            words_that_name(tokens.get(..until).unwrap_or_default(), 4)
        }
        "topic" => words_that_name(tokens, 3),
        "phrase" => phrases(tokens),
        "id" => bracketed(tokens, &is_id),
        "person" => bracketed(tokens, &|token| token.shape == Shape::Address),
        "command" => commands(tokens),
        "line" if tokens.first().is_some_and(|token| token.shape == Shape::Quoted) => commands(tokens),
        "line" => Vec::new(),
        // A day is a time and no name.
        "name" if crate::english::when::read(tokens, exact.year).is_some() => Vec::new(),
        "name" => first(&is_name),
        sort => {
            if let Some(terms) = super::terms(sort, tokens, exact) {
                return Some(terms);
            }
            of_class(sort, tokens)?
        }
    })
}

/// A word of a class. Programs in their own spelling: "Docker" is `docker`. Files are called as they are written.
fn of_class(sort: &str, tokens: &[Token]) -> Option<Vec<(usize, String)>> {
    let class = super::class(sort)?;
    let known = tokens.first().filter(|token| token.shape != Shape::Quoted && class.contains(&token.low));
    let text = |token: &Token| if sort == "program" { token.low.clone() } else { token.text.clone() };
    Some(known.map(|token| (1, text(token))).into_iter().collect())
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
    let mut ways = words_that_name(tokens, 3);
    // "the sheet Budget 2025"
    if let Some((length, name)) = ways.first().cloned()
        && let Some(number) = tokens.get(length).filter(|next| next.shape == Shape::Number)
    {
        ways.insert(0, (length + 1, format!("{name} {}", number.text)));
    }
    ways
}

/// `owner/name`, or a name beside the word.
fn repositories(tokens: &[Token]) -> Vec<(usize, String)> {
    const SORTS: &[&str] = &["repo", "repos", "repository", "repositories", "the repo", "the repository"];
    let is_owned = |token: &Token| {
        token.text.matches('/').count() == 1
            && !token.text.ends_with('/')
            && !token.text.starts_with(['/', '.', '~'])
    };
    let counts = |length: usize| length > 1 || tokens.first().is_some_and(is_owned);
    beside(tokens, SORTS).into_iter().filter(|(length, _)| counts(*length)).collect()
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
        "query",
        "result",
        "results",
        "output",
        "select",
        "selects",
        "statement",
        "statements",
        "sql",
        "may",
        "where",
        "join",
        "joins",
    ];
    let front = sorts.iter().filter_map(|sort| words::begins(tokens, sort)).max().unwrap_or(0);
    let rest = tokens.get(front..).unwrap_or_default();
    let is_it = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Quoted | Shape::Path)
            && !token.text.contains('*')
            && !token.text.ends_with('/')
            && is_name(token)
            && !NO_THINGS.contains(&token.low.as_str())
    };
    let Some(name) = rest.first().filter(is_it) else { return Vec::new() };
    let behind = rest.get(1..).unwrap_or_default();
    let more = sorts.iter().filter_map(|sort| words::begins(behind, sort)).max().filter(|_| front == 0);
    let length = front + 1 + more.unwrap_or(0);
    vec![(length, name.text.clone())]
}

/// Words that name nothing to speak of.
const NO_TOPICS: &[&str] = &[
    "goes", "gets", "leaves", "stays", "her", "him", "them", "anything", "called", "named", "outside",
    "beyond", "besides",
];

/// Words that stand for what was told before, which no name does.
const POINTING: &[&str] =
    &["him", "her", "them", "it", "that", "those", "these", "he", "she", "they", "there"];

/// One word up to so many that rule nothing: the longest first.
fn words_that_name(tokens: &[Token], most: usize) -> Vec<(usize, String)> {
    let is_plain = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier)
            && !RULING.contains(&token.low.as_str())
            && !NO_TOPICS.contains(&token.low.as_str())
    };
    let light = tokens.len() - bare(tokens).len();
    let named = tokens.get(light..).unwrap_or_default();
    // "of subscribers" names nothing by itself.
    if named.first().is_some_and(|first| first.low == "of") {
        return Vec::new();
    }
    let length = named.iter().take(most).take_while(is_plain).count();
    let each = |length: usize| (light + length, words::text(named.get(..length).unwrap_or_default()));
    (1..=length).rev().map(each).collect()
}

/// A repository, by its whole name or by one that no plain word is: "field-corpus".
fn project(tokens: &[Token]) -> Vec<(usize, String)> {
    let is_sign = |letter: char| matches!(letter, '-' | '_') || letter.is_ascii_digit();
    let is_name = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier)
            && token.text.contains(is_sign)
            && token.text.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && !token.text.contains('.')
    };
    let own = tokens.first().filter(is_name).map(|token| (1, token.text.clone()));
    own.into_iter().chain(repositories(tokens)).collect()
}

/// All that is left, as it is written: "begins with the line STATUS: draft".
fn written(tokens: &[Token]) -> Vec<(usize, String)> {
    // Whatever is written does not go on into the next sentence, nor into a reason, nor is only a part of it quoted.
    let goes_on = |at: usize| match tokens.get(at).map(|token| &token.shape) {
        Some(Shape::Mark('.' | '!' | ';')) => tokens.len() > at + 1,
        Some(Shape::Mark(',')) => tokens.len() > at + 3,
        Some(Shape::Quoted) => tokens.len() > 1,
        _ => false,
    };
    if (0..tokens.len()).any(goes_on) {
        return Vec::new();
    }
    let mut text = String::new();
    for token in tokens {
        let is_close = matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.' | ')' | '!' | '?'));
        if !text.is_empty() && !is_close && !text.ends_with('(') {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    if text.is_empty() { Vec::new() } else { vec![(tokens.len(), text)] }
}

/// What is plainly a name: with signs or digits in it, in quotation marks, or in capitals inside the sentence, perhaps with a
/// number behind it. The longest first.
fn labels(tokens: &[Token]) -> Vec<(usize, String)> {
    let Some(first) = tokens.first() else { return Vec::new() };
    let is_sign = |letter: char| matches!(letter, '-' | '_' | '.' | '/') || letter.is_ascii_digit();
    let has_sign = first.text.contains(is_sign) && first.text.chars().any(char::is_alphabetic);
    if first.shape == Shape::Quoted || (has_sign && !matches!(first.shape, Shape::Mark(_) | Shape::Number)) {
        return vec![(1, first.text.clone())];
    }
    let is_capital = |token: &&Token| {
        token.shape == Shape::Word
            && token.is_capital()
            && token.at > 0
            && !RULING.contains(&token.low.as_str())
    };
    let names = tokens.iter().take(3).take_while(is_capital).count();
    let is_number = |token: &Token| token.shape == Shape::Number;
    let more = usize::from(names > 0 && tokens.get(names).is_some_and(is_number));
    // What is "of Grandma Rosa's" is hers.
    let each = |length: usize| {
        let text = words::text(tokens.get(..length).unwrap_or_default());
        (length, text.trim_end_matches("'s").trim_end_matches("’s").to_owned())
    };
    (1..=names + more).rev().filter(|_| names > 0).map(each).collect()
}

/// Words up to the next mark that rule nothing: the longest first.
fn remarks(tokens: &[Token]) -> Vec<(usize, String)> {
    const STOPS: &[&str] = &[
        "never", "only", "must", "not", "may", "don't", "no", "nothing", "unless", "except", "but", "so",
        "outside",
    ];
    let is_part = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Number | Shape::Identifier)
            && !STOPS.contains(&token.low.as_str())
    };
    let length = tokens.iter().take(14).take_while(is_part).count();
    (1..=length).rev().map(|length| (length, words::text(tokens.get(..length).unwrap_or_default()))).collect()
}

/// Up to five words, names and numbers, or what is in quotation marks or in brackets behind a noun: the longest first.
fn phrases(tokens: &[Token]) -> Vec<(usize, String)> {
    let is_part = |token: &&Token| {
        !matches!(token.shape, Shape::Quoted | Shape::Mark(_)) && !RULING.contains(&token.low.as_str())
    };
    let length = tokens.iter().take(5).take_while(is_part).count();
    if let Some(token) = tokens.get(length) {
        let close = tokens.iter().skip(length).take(8).position(|token| token.shape == Shape::Mark(')'));
        match (&token.shape, close) {
            (Shape::Quoted, _) => return vec![(length + 1, token.text.clone())],
            (Shape::Mark('('), Some(close)) => {
                let inner = tokens.get(length + 1..length + close).unwrap_or_default();
                return vec![(length + close + 1, words::text(inner))];
            }
            _ => {}
        }
    }
    (1..=length).rev().map(|length| (length, words::text(tokens.get(..length).unwrap_or_default()))).collect()
}

fn is_name(token: &Token) -> bool {
    matches!(
        token.shape,
        Shape::Word | Shape::Identifier | Shape::Quoted | Shape::Path | Shape::Number | Shape::Host
    ) && !NO_NAMES.contains(&token.low.as_str())
}
