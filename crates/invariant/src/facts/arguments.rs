//! Facts about the arguments: their values, texts, and how much there is of what.

use std::borrow::Cow;

use portcullis_datalog::{PredicateId, Value};
use serde_json::Value as Json;

use super::{CallFacts, Circumstances};
use crate::interest::Interest;
use crate::names;
use crate::schema::Ids;

/// The longest text that may be a choice among few.
const LONGEST_CHOICE: usize = 48;
/// So many values are looked at.
const MOST_VALUES: usize = 4096;

/// The arguments, taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments<'c> {
    /// Words of names of arguments that are given.
    pub(crate) given: Vec<String>,
    /// Names as words, and values that are no texts of several words.
    pub(crate) choices: Vec<(String, String)>,
    /// Names as words, and texts.
    pub(crate) texts: Vec<(String, &'c str)>,
    pub(crate) numbers: Vec<(String, i64)>,
    /// Names as words, and how many there are.
    pub(crate) lists: Vec<(String, i64)>,
    /// Paths of names with dots, and values as text.
    pub(crate) values: Vec<(String, Cow<'c, str>)>,
    seen: usize,
    /// Whether there is more than was looked at: then anything may be among it.
    pub(crate) is_cut: bool,
    wants_values: bool,
}

impl<'c> Arguments<'c> {
    pub(super) fn of(arguments: &'c Json, interest: &Interest) -> Arguments<'c> {
        let mut found = Arguments { wants_values: interest.arguments, ..Arguments::default() };
        found.walk(arguments, "", "");
        found
    }

    fn walk(&mut self, value: &'c Json, name: &str, path: &str) {
        self.seen += 1;
        if self.seen >= MOST_VALUES {
            self.is_cut = true;
            return;
        }
        match value {
            Json::Object(entries) => {
                for (key, inner) in entries {
                    let words = names::words(key);
                    let is_id =
                        words.last().is_some_and(|word| word == "id") && words.len() > 1 && inner.is_string();
                    let joined = words.join(" ");
                    if is_given(inner) && !is_id && !key.contains(char::is_whitespace) {
                        for word in words {
                            if !self.given.contains(&word) {
                                self.given.push(word);
                            }
                        }
                    }
                    let path = match path.is_empty() || !self.wants_values {
                        true => Cow::Borrowed(key.as_str()),
                        false => Cow::Owned(format!("{path}.{key}")),
                    };
                    self.walk(inner, &joined, &path);
                }
            }
            Json::Array(items) => {
                self.lists.push((name.to_owned(), i64::try_from(items.len()).unwrap_or(i64::MAX)));
                items.iter().for_each(|item| self.walk(item, name, path));
            }
            Json::String(text) => {
                self.keep(path, Cow::Borrowed(text));
                // What is replaced is not written.
                if !has(name, &["old", "path", "directory", "folder", "dir"]) {
                    self.texts.push((name.to_owned(), text));
                }
                if text.len() <= LONGEST_CHOICE && text.split_whitespace().count() <= 3 {
                    self.choices.push((name.to_owned(), names::words(text).join(" ")));
                }
                if let Ok(number) = text.parse() {
                    self.numbers.push((name.to_owned(), number));
                }
            }
            Json::Number(number) => {
                let whole = number.as_i64().or_else(|| number.as_f64().map(ceiling));
                self.numbers.extend(whole.map(|number| (name.to_owned(), number)));
                self.keep(path, Cow::Owned(number.to_string()));
                self.choices.push((name.to_owned(), number.to_string()));
            }
            Json::Bool(is) => {
                self.keep(path, Cow::Owned(is.to_string()));
                self.choices.push((name.to_owned(), is.to_string()));
                if *is {
                    // `force: true` chooses what its name says.
                    self.choices.push((name.to_owned(), name.to_owned()));
                }
            }
            Json::Null => {}
        }
    }

    fn keep(&mut self, path: &str, value: Cow<'c, str>) {
        if self.wants_values {
            self.values.push((path.to_owned(), value));
        }
    }

    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        for word in &self.given {
            add(ids.given, &[Value::Text(word)]);
        }
        for (name, value) in &self.choices {
            add(ids.choice, &[Value::Text(name), Value::Text(value)]);
        }
        for (name, text) in &self.texts {
            add(ids.text, &[Value::Text(name), Value::Text(text)]);
        }
        for (name, number) in &self.numbers {
            add(ids.number, &[Value::Text(name), Value::Number(*number)]);
        }
        for (path, value) in &self.values {
            add(ids.argument, &[Value::Text(path), Value::Text(value)]);
        }
    }
}

/// Whether an argument of this name is a command line.
pub(super) fn is_command(name: &str) -> bool {
    has(name, &["command", "cmd", "script", "shell"])
}

/// A number as a whole one, no less than it was.
fn ceiling(number: f64) -> i64 {
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

/// Words of arguments that say how many results are wanted.
const LIMITS: &[&str] =
    &["limit", "max", "maximum", "count", "num", "top", "size", "per", "first", "maxresult", "number"];
const MONEY: &[&str] = &["amount", "price", "total", "cost", "budget", "sum", "value", "charge"];

/// A line of what is read, as opposed to one that is written.
pub(crate) const READ_LINE: &str = "read line";

/// How much there is of something; unknown where nobody can say.
type Measure = (String, Option<i64>);

/// How much there is of what.
pub(super) fn measures(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    let mut measures: Vec<Measure> = Vec::new();
    things(facts, &mut measures);
    let tool = names::words(call.tool);
    for (name, length) in &facts.arguments.lists {
        let units = list_units(name)
            .iter()
            .copied()
            .chain(name.split(' '))
            .chain(facts.about.iter().map(String::as_str))
            .chain(tool.iter().map(String::as_str));
        let asked = units.filter(|unit| call.interest.asks_in(unit));
        measures.extend(asked.map(|unit| (unit.to_owned(), Some(*length))));
    }
    for (name, text) in facts.arguments.texts.iter().filter(|(name, _)| is_content(name)) {
        texts(name, text, &mut measures);
    }
    for (name, number) in &facts.arguments.numbers {
        numbers(name, *number, &facts.about, &mut measures);
    }
    // So many lines of what is read; all of them where the call does not say.
    let is_lines = |name: &str| has(name, &["head", "tail", "line", "length"]);
    let is_writing = facts.flows.iter().any(super::resources::FlowFacts::is_writing);
    if call.interest.asks_in(READ_LINE)
        && !is_writing
        && call.known.iter().any(|known| is_lines(&names::words(known).join(" ")))
    {
        let lines: Vec<Measure> = facts
            .arguments
            .numbers
            .iter()
            .filter(|(name, _)| is_lines(name))
            .map(|(_, number)| (READ_LINE.to_owned(), Some(*number)))
            .collect();
        let none = lines.is_empty().then(|| (READ_LINE.to_owned(), None));
        measures.extend(lines.into_iter().chain(none));
    }
    // A limit that the tool knows and the call leaves out may be anything.
    const LIMITED: [&str; 4] = ["page", "result", "row", "item"];
    let is_asked = LIMITED.iter().any(|unit| call.interest.asks_in(unit));
    let knows = is_asked && call.known.iter().any(|known| is_limit(&names::words(known).join(" ")));
    let sets = facts.arguments.numbers.iter().any(|(name, _)| is_limit(name));
    if knows && !sets {
        measures.extend(LIMITED.map(|unit| (unit.to_owned(), None)));
    }
    let spent = facts
        .arguments
        .texts
        .iter()
        .filter(|(name, _)| has(name, &["time", "spent", "duration", "estimate"]));
    measures.extend(
        spent.filter_map(|(_, text)| minutes(text)).map(|minutes| ("minute".to_owned(), Some(minutes))),
    );
    measures.extend(
        facts
            .events
            .iter()
            .filter(|event| event.minutes() > 0)
            .map(|event| ("minute".to_owned(), Some(event.minutes()))),
    );
    measures.extend(super::marks::sql_measures(facts, call.interest));
    measures.retain(|(unit, _)| call.interest.asks_in(unit));
    facts.measures = measures;
}

/// How long `2h 30m` is.
fn minutes(text: &str) -> Option<i64> {
    let mut total = 0i64;
    for part in text.split_whitespace() {
        let end = part.find(|letter: char| !letter.is_ascii_digit())?;
        let (digits, unit) = part.split_at(end);
        let factor = match unit {
            "m" | "min" => 1,
            "h" => 60,
            "d" => 8 * 60,
            "w" => 40 * 60,
            _ => return None,
        };
        total = total.checked_add(digits.parse::<i64>().ok()?.checked_mul(factor)?)?;
    }
    (total > 0).then_some(total)
}

fn count(number: usize) -> Option<i64> {
    Some(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Files and people that the call is about.
fn things(facts: &CallFacts<'_>, measures: &mut Vec<Measure>) {
    let files = facts.things.iter().filter(|thing| thing.kind == "file").count();
    let people = facts.things.iter().filter(|thing| matches!(thing.kind, "person" | "direct")).count();
    let lists = facts.arguments.lists.iter().filter(|(name, _)| name.contains("attendee"));
    let attendees = lists.map(|(_, count)| *count).max();
    measures.push(("file".to_owned(), count(files)));
    // A folder that goes with all that is in it is nobody knows how many.
    let whole = facts.flows.iter().flat_map(super::resources::FlowFacts::deeds_to);
    if whole
        .into_iter()
        .any(|(deed, name)| matches!(deed, "deletes" | "moves") && name.ends_with(crate::filters::BELOW))
    {
        measures.push(("file".to_owned(), None));
    }
    measures.push(("recipient".to_owned(), count(people).max(attendees)));
}

/// How long a text is.
fn texts(name: &str, text: &str, measures: &mut Vec<Measure>) {
    let sizes = [
        ("line", text.lines().count()),
        ("character", text.chars().count()),
        ("word", text.split_whitespace().count()),
        ("byte", text.len()),
    ];
    for (unit, size) in sizes {
        measures.push((unit.to_owned(), count(size)));
        measures.extend(name.split(' ').map(|word| (format!("{unit} of {word}"), count(size))));
    }
}

/// What a number among the arguments counts.
fn numbers(name: &str, number: i64, about: &[String], measures: &mut Vec<Measure>) {
    let mut units: Vec<&str> = name.split(' ').collect();
    if is_limit(name) {
        units.extend(about.iter().map(String::as_str));
        units.extend(["page", "result", "row", "item"]);
    }
    if has(name, &["length", "char", "character"]) {
        units.push("character");
    }
    if has(name, &["minute", "min", "duration"]) {
        units.push("minute");
    }
    measures.extend(units.into_iter().map(|unit| (unit.to_owned(), Some(number))));
    if has(name, MONEY) {
        // Cents are counted up to the next whole.
        let in_cents = has(name, &["cent", "minor", "pence"]);
        let amount =
            if in_cents { number.div_euclid(100) + i64::from(number.rem_euclid(100) > 0) } else { number };
        measures.push(("amount".to_owned(), Some(amount)));
    }
    if has(name, &["timeout"]) && has(name, &["ms"]) {
        measures.push(("minute".to_owned(), Some(number.saturating_add(59_999) / 60_000)));
    }
}

fn has(name: &str, words: &[&str]) -> bool {
    name.split(' ').any(|word| words.contains(&word))
}

fn is_limit(name: &str) -> bool {
    has(name, LIMITS) && !has(name, &["depth", "token", "char", "character", "breadth", "timeout", "amount"])
}

/// What a list of this name counts.
fn list_units(name: &str) -> &'static [&'static str] {
    match name.rsplit(' ').next().unwrap_or(name) {
        "url" | "page" | "link" | "site" => &["page", "item"],
        "path" | "file" => &["file", "item"],
        "to" | "cc" | "bcc" | "recipient" | "attendee" => &["item"],
        _ => &["item", "result", "row"],
    }
}

/// Texts that are written, as opposed to names and addresses.
fn is_content(name: &str) -> bool {
    !has(name, &["path", "file", "url", "id", "command", "cwd", "dir", "directory", "folder"])
        || has(name, &["content", "text", "body"])
}
