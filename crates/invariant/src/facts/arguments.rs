//! Facts about the arguments: their values, texts, and how much there is of what.

use std::borrow::Cow;
use std::fmt::Write;

use portcullis_datalog::{PredicateId, Value};
use serde_json::Value as Json;

use crate::interest::Interest;
use crate::names;
use crate::schema::Ids;

/// The longest text that may be a choice among few.
const LONGEST_CHOICE: usize = 48;
/// So many values are looked at.
const MOST_VALUES: usize = 4096;
/// So many bytes the words of a usual call have.
const USUAL_WORDS: usize = 256;

/// The arguments, taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments<'c> {
    /// Names as words, and short values as words, one behind the other.
    words: String,
    /// Words of names of arguments that are given.
    given: Vec<Piece>,
    /// Names as words, and values that are no texts of several words.
    choices: Vec<(Piece, Piece)>,
    /// Names as words, and texts.
    texts: Vec<(Piece, &'c str)>,
    /// Names as words, and texts that are replaced by others.
    replaced: Vec<(Piece, &'c str)>,
    numbers: Vec<(Piece, i64)>,
    /// Names as words, and how many there are.
    lists: Vec<(Piece, i64)>,
    /// Paths of names with dots, and values as text.
    values: Vec<(Piece, Cow<'c, str>)>,
    seen: usize,
    /// Whether there is more than was looked at: then anything may be among it.
    pub(crate) is_cut: bool,
    wants_values: bool,
    /// Whether names have to be told by all that stands in front of them.
    wants_paths: bool,
}

/// A piece of [`Arguments::words`], from where to where.
#[derive(Clone, Copy, Debug, Default)]
struct Piece(usize, usize);

impl<'c> Arguments<'c> {
    pub(super) fn of(arguments: &'c Json, interest: &Interest) -> Arguments<'c> {
        let mut found = Arguments {
            wants_values: interest.arguments || interest.same,
            wants_paths: interest.arguments || interest.numbers || interest.same,
            words: String::with_capacity(USUAL_WORDS),
            ..Arguments::default()
        };
        found.walk(arguments, Piece::default(), "");
        found
    }

    /// Words of names of arguments that are given.
    pub(crate) fn given(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(|word| self.piece(*word))
    }

    /// Names as words, and values that are no texts of several words.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (&str, &str)> {
        self.choices.iter().map(|(name, value)| (self.piece(*name), self.piece(*value)))
    }

    /// Names as words, and texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &'c str)> {
        self.texts.iter().map(|(name, text)| (self.piece(*name), *text))
    }

    /// Names as words, and texts that are replaced by others.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = (&str, &'c str)> {
        self.replaced.iter().map(|(name, text)| (self.piece(*name), *text))
    }

    /// Names as words, and numbers.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (&str, i64)> {
        self.numbers.iter().map(|(name, number)| (self.piece(*name), *number))
    }

    /// Names as words, and how many there are.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&str, i64)> {
        self.lists.iter().map(|(name, length)| (self.piece(*name), *length))
    }

    /// Paths of names with dots, and values as text, where they are asked for one by one.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(path, value)| (self.piece(*path), &**value))
    }

    fn piece(&self, piece: Piece) -> &str {
        self.words.get(piece.0..piece.1).unwrap_or_default()
    }

    /// Puts something behind the words.
    fn put(&mut self, put: impl FnOnce(&mut String)) -> Piece {
        let from = self.words.len();
        put(&mut self.words);
        Piece(from, self.words.len())
    }

    fn walk(&mut self, value: &'c Json, name: Piece, path: &str) {
        self.seen += 1;
        if self.seen >= MOST_VALUES {
            self.is_cut = true;
            return;
        }
        match value {
            Json::Object(entries) => {
                for (key, inner) in entries {
                    let words = self.put(|words| names::append(key, words));
                    if is_given(inner) && !self.is_id(words, inner) && !key.contains(char::is_whitespace) {
                        self.give(words);
                    }
                    let path = match path.is_empty() || !self.wants_paths {
                        true => Cow::Borrowed(key.as_str()),
                        false => Cow::Owned(format!("{path}.{key}")),
                    };
                    self.walk(inner, words, &path);
                }
            }
            Json::Array(items) => {
                self.lists.push((name, i64::try_from(items.len()).unwrap_or(i64::MAX)));
                items.iter().for_each(|item| self.walk(item, name, path));
            }
            Json::String(text) => self.take_text(text, name, path),
            Json::Number(number) => {
                let whole = number.as_i64().or_else(|| number.as_f64().map(ceiling));
                self.numbers.extend(whole.map(|number| (name, number)));
                // `properties.Price.number`: what it is the number of stands in front.
                if let Some(whole) = whole.filter(|_| path.contains('.')) {
                    self.count(path, whole);
                }
                self.keep(path, || Cow::Owned(number.to_string()));
                // Writing to a text never fails.
                let digits = self.put(|words| _ = write!(words, "{number}"));
                self.choices.push((name, digits));
            }
            Json::Bool(is) => {
                self.keep(path, || Cow::Owned(is.to_string()));
                let truth = self.put(|words| words.push_str(if *is { "true" } else { "false" }));
                self.choices.push((name, truth));
                if *is {
                    // `force: true` chooses what its name says.
                    self.choices.push((name, name));
                }
            }
            Json::Null => {}
        }
    }

    fn take_text(&mut self, text: &'c str, name: Piece, path: &str) {
        self.keep(path, || Cow::Borrowed(text));
        // What is replaced is not written.
        if names::has(self.piece(name), &["old"]) {
            self.replaced.push((name, text));
        } else if !names::has(self.piece(name), &["path", "directory", "folder", "dir"]) {
            self.texts.push((name, text));
        }
        if text.len() <= LONGEST_CHOICE && text.split_whitespace().nth(3).is_none() {
            let value = self.put(|words| names::append(text, words));
            self.choices.push((name, value));
        }
        if let Ok(number) = text.parse() {
            self.numbers.push((name, number));
        }
    }

    /// Adds what something else than an argument says.
    pub(super) fn say(&mut self, name: &str, text: &'c str) {
        let is_given = self.given().any(|own| own == name);
        let piece = self.put(|words| words.push_str(name));
        if !is_given {
            self.given.push(piece);
        }
        self.texts.push((piece, text));
        self.keep(name, || Cow::Borrowed(text));
    }

    /// Adds a number by the path of what it is the number of.
    pub(super) fn count(&mut self, path: &str, number: i64) {
        let name = self.put(|words| words.push_str(path));
        self.numbers.push((name, number));
    }

    /// Whether a name is that of an id, such as `parent id`, which gives nothing.
    fn is_id(&self, words: Piece, value: &Json) -> bool {
        value.is_string() && self.piece(words).ends_with(" id")
    }

    fn give(&mut self, name: Piece) {
        let mut from = name.0;
        for word in names::split(self.words.get(name.0..name.1).unwrap_or_default()) {
            let piece = Piece(from, from + word.len());
            from = piece.1 + 1;
            let is_known = |own: &Piece| self.words.get(own.0..own.1) == Some(word);
            if !self.given.iter().any(is_known) {
                self.given.push(piece);
            }
        }
    }

    /// Keeps a value, where values are asked for one by one.
    pub(super) fn keep(&mut self, path: &str, value: impl FnOnce() -> Cow<'c, str>) {
        if self.wants_values {
            let path = self.put(|words| words.push_str(path));
            self.values.push((path, value()));
        }
    }

    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        for word in self.given() {
            add(ids.given, &[Value::Text(word)]);
        }
        for (name, value) in self.choices() {
            add(ids.choice, &[Value::Text(name), Value::Text(value)]);
        }
        for (name, text) in self.texts() {
            add(ids.text, &[Value::Text(name), Value::Text(text)]);
        }
        for (name, number) in self.numbers() {
            add(ids.number, &[Value::Text(name), Value::Number(number)]);
        }
        for (path, value) in self.values() {
            add(ids.argument, &[Value::Text(path), Value::Text(value)]);
        }
    }
}

/// Whether an argument of this name is a command line.
pub(super) fn is_command(name: &str) -> bool {
    names::has(name, &["command", "cmd", "script", "shell"])
}

/// A number as a whole one, no less than it was.
pub(super) fn ceiling(number: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float too large becomes the largest number, which is what a limit needs"
    )]
    let whole = number.ceil() as i64;
    whole
}

fn is_given(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty(),
        Json::Array(items) => !items.is_empty(),
        Json::Object(entries) => !entries.is_empty(),
        Json::Bool(true) | Json::Number(_) => true,
    }
}
