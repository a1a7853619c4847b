//! Values of arguments, as rules speak of them.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::Span;

/// How the values of an argument stand to what a rule says of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Presence {
    /// One is so.
    One,
    /// One is given and is otherwise.
    Other,
    /// None is so, perhaps for none is given.
    Missing,
}

/// What a value may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// Whatever it is, if it is not empty.
    Anything,
    /// It has one of these forms.
    Forms(Vec<Form>),
    /// It is a date or a time in one of these.
    During(Vec<Span>),
    /// It is a number above this.
    Above(i64),
    /// It is a number below this.
    Below(i64),
}

/// A form that a text can have. Capital letters count for nothing, except where they are what is meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Form {
    /// It is this; a `*` stands for any text.
    Is(String),
    /// It begins so.
    Starts(String),
    /// It begins with something like this one: `OPS-123` with other digits.
    StartsLike(String),
    /// It ends so.
    Ends(String),
    /// It has something like this one: `OPS-123` with other digits.
    Like(String),
    /// It has these words, not inside others.
    Has(String),
    /// It names this, as code and SQL name things.
    Names(String),
    /// It has this year in it.
    Year(i16),
    /// It has this year or one before it in it.
    YearUntil(i16),
    /// Something of this sort is in it: `capital letters`, `blanks`.
    Sort(String),
    /// A regular expression finds something in it.
    Fits {
        /// What that is, as it is said back: `filters on “day”`.
        said: String,
        /// The expression.
        pattern: String,
    },
}

/// Sorts of signs that a text can have, by what people call them, with a regular expression for each.
const SORTS: &[(&str, &str)] = &[
    ("capital letters", r"\p{Lu}"),
    ("small letters", r"\p{Ll}"),
    ("blanks", r"\s"),
    ("digits", r"[0-9]"),
    ("underscores", "_"),
    ("hyphens", "-"),
    ("dots", r"\."),
    ("slashes", "/"),
    ("exclamation marks", "!"),
    ("question marks", r"\?"),
    ("hashtags", r"#[\p{L}0-9_]"),
    ("line breaks", r"\n"),
    ("tabs", r"\t"),
    ("links", r"(?i)https?://|www\."),
    ("emoji", r"[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}]|:[a-z0-9_+-]+:"),
    ("accents and other special letters", r"[^\x00-\x7F]"),
];

impl Form {
    /// The form as a regular expression.
    pub(crate) fn pattern(&self) -> String {
        match self {
            // A star alone stands for itself: nobody asks whether a value is anything.
            Form::Is(text) if text == "*" => "^\\*$".to_owned(),
            Form::Is(text) => format!("(?is)^{}$", globbed(text)),
            Form::Starts(text) => format!("(?is)^\\s*{}", escaped(text)),
            Form::StartsLike(sample) => format!("(?i)^\\s*{}", sampled(sample)),
            Form::Like(sample) => format!("(^|[^A-Za-z0-9]){}([^A-Za-z0-9]|$)", sampled(sample)),
            Form::Ends(text) => format!("(?is){}\\s*$", escaped(text)),
            Form::Has(text) => {
                format!("(?i){}{}{}", bound(text.chars().next(), "^"), escaped(text), after(text))
            }
            Form::Names(name) => {
                format!("(?i)(^|[^A-Za-z0-9_]){}([^A-Za-z0-9_]|$)", escaped(name))
            }
            Form::Fits { pattern, .. } => pattern.clone(),
            Form::Year(year) => format!("(^|[^0-9]){year}([^0-9]|$)"),
            Form::YearUntil(year) => format!("(^|[^0-9])({})([^0-9]|$)", until(*year)),
            Form::Sort(sort) => {
                let known = SORTS.iter().find(|(name, _)| name == sort);
                known.map_or_else(|| escaped(sort), |(_, pattern)| (*pattern).to_owned())
            }
        }
    }
}

/// The sorts of signs that are in a text.
pub(crate) fn sorts_in(text: &str) -> Vec<&'static str> {
    static BUILT: LazyLock<Vec<(&str, Option<Regex>)>> =
        LazyLock::new(|| SORTS.iter().map(|(name, pattern)| (*name, Regex::new(pattern).ok())).collect());
    // An expression that cannot be built finds whatever there is.
    let is_in = |regex: &Option<Regex>| regex.as_ref().is_none_or(|regex| regex.is_match(text));
    BUILT.iter().filter(|(_, regex)| is_in(regex)).map(|(name, _)| *name).collect()
}

/// The sort of signs that a regular expression looks for.
pub(crate) fn sort_of(pattern: &str) -> Option<&'static str> {
    SORTS.iter().find(|(_, own)| *own == pattern).map(|(name, _)| *name)
}

/// The years from 1900 to this one.
fn until(year: i16) -> String {
    let (century, rest) = (year / 100, year % 100);
    let (ten, one) = (rest / 10, rest % 10);
    let earlier = (19..century).map(|century| format!("{century}[0-9]{{2}}"));
    let tens = (ten > 0).then(|| format!("{century}[0-{}][0-9]", ten - 1));
    let ones = format!("{century}{ten}[0-{one}]");
    earlier.chain(tens).chain([ones]).collect::<Vec<_>>().join("|")
}

/// A word begins or ends here, where the text does so with a letter. A plural is the same word.
fn bound(letter: Option<char>, edge: &str) -> String {
    match letter.is_some_and(char::is_alphanumeric) {
        true => format!("({edge}|[^\\p{{L}}0-9])"),
        false => String::new(),
    }
}

fn after(text: &str) -> String {
    let last = text.chars().next_back();
    match last.is_some_and(char::is_alphanumeric) {
        true => "s?([^\\p{L}0-9]|$)".to_owned(),
        false => String::new(),
    }
}

/// A text as a regular expression that finds it.
pub(crate) fn escaped(text: &str) -> String {
    // Numbers of accounts are written with and without gaps.
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_plain =
        |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase() || letter.is_whitespace();
    let gap = if digits >= 8 && text.chars().all(is_plain) { "\\s*" } else { "\\s+" };
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            letter if letter.is_whitespace() => escaped.push_str(gap),
            // Behind a `\` they would be the beginning and the end of a word.
            '<' | '>' => escaped.push(letter),
            letter if letter.is_alphanumeric() || !letter.is_ascii() => escaped.push(letter),
            letter => {
                escaped.push('\\');
                escaped.push(letter);
            }
        }
    }
    escaped
}

fn globbed(text: &str) -> String {
    text.split('*').map(escaped).collect::<Vec<_>>().join(".*")
}

/// A sample, in which any digits stand for its digits, and as many as there are zeros for zeros.
fn sampled(sample: &str) -> String {
    let mut pattern = String::new();
    let mut rest = sample;
    while let Some(letter) = rest.chars().next() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        match digits.is_empty() {
            true => {
                pattern.push_str(&escaped(&letter.to_string()));
                rest = after.get(letter.len_utf8()..).unwrap_or_default();
                continue;
            }
            // So many zeros are so many digits, and no more.
            false if digits.chars().all(|digit| digit == '0') => {
                pattern.push_str(&format!("[0-9]{{{}}}", digits.len()));
                pattern.push_str(if after.is_empty() { "([^0-9]|$)" } else { "" });
            }
            false => pattern.push_str("[0-9]+"),
        }
        rest = after;
    }
    pattern
}
