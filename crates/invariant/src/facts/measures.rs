//! How much there is of what.

use super::{CallFacts, Called, Circumstances};
use crate::interest::Interest;
use crate::names::{self, has};

/// Words of arguments that say how many results are wanted.
const LIMITS: &[&str] =
    &["limit", "max", "maximum", "count", "num", "top", "size", "per", "first", "maxresult", "number"];
const MONEY: &[&str] = &["amount", "price", "total", "cost", "budget", "sum", "value", "charge"];
/// What limits are about.
const LIMITED: [&str; 4] = ["page", "result", "row", "item"];

/// A line of what is read, as opposed to one that is written.
const READ_LINE: &str = "read line";

/// How much there is of something; unknown where nobody can say.
pub(super) type Measure = (String, Option<i64>);

/// Measures in the units that somebody asks for; the others are not even made.
pub(super) struct Measures<'i> {
    interest: &'i Interest,
    found: Vec<Measure>,
}

impl Measures<'_> {
    pub(super) fn add(&mut self, unit: &str, amount: Option<i64>) {
        if self.interest.asks_in(unit) {
            self.found.push((unit.to_owned(), amount));
        }
    }

    pub(super) fn asks_in(&self, unit: &str) -> bool {
        self.interest.asks_in(unit)
    }
}

/// Finds out how much there is of what.
pub(super) fn add(facts: &mut CallFacts<'_>, call: &Circumstances<'_>, called: &Called) {
    let mut measures = Measures { interest: call.interest, found: Vec::new() };
    things(facts, &mut measures);
    for (name, length) in facts.arguments.lists() {
        let units = list_units(name)
            .iter()
            .copied()
            .chain(name.split(' '))
            .chain(facts.about.iter().map(String::as_str))
            .chain(names::split(called.tool()));
        units.for_each(|unit| measures.add(unit, Some(length)));
    }
    if call.interest.sizes {
        for (name, text) in facts.arguments.texts().filter(|(name, _)| is_content(name)) {
            sizes(name, text, &mut measures);
        }
        subjects(facts, &mut measures);
    }
    for (name, number) in facts.arguments.numbers() {
        numbers(name, number, &facts.about, &mut measures);
    }
    read_lines(facts, call, &mut measures);
    super::jobs::add(call, &mut measures);
    // A limit that the tool knows and the call leaves out may be anything.
    let is_asked = LIMITED.iter().any(|unit| measures.asks_in(unit));
    let knows = is_asked && call.known.iter().any(|known| is_limit(&names::joined(known)));
    if knows && !facts.arguments.numbers().any(|(name, _)| is_limit(name)) {
        LIMITED.iter().for_each(|unit| measures.add(unit, None));
    }
    if measures.asks_in("minute") {
        let is_spent = |name: &str| has(name, &["time", "spent", "duration", "estimate"]);
        let texts = facts.arguments.texts().filter(|(name, _)| is_spent(name)).map(|(_, text)| text);
        texts.filter_map(minutes).for_each(|minutes| measures.add("minute", Some(minutes)));
        let events = facts.events.iter().map(super::times::Event::minutes).filter(|minutes| *minutes > 0);
        events.for_each(|minutes| measures.add("minute", Some(minutes)));
    }
    super::marks::sql_measures(facts, &mut measures);
    facts.measures = measures.found;
}

/// So many lines of what is read; all of them where the call does not say.
fn read_lines(facts: &CallFacts<'_>, call: &Circumstances<'_>, measures: &mut Measures<'_>) {
    let is_lines = |name: &str| has(name, &["head", "tail", "line", "length"]);
    if !measures.asks_in(READ_LINE)
        || facts.flows.iter().any(super::resources::FlowFacts::is_writing)
        || !call.known.iter().any(|known| is_lines(&names::joined(known)))
    {
        return;
    }
    let mut is_said = false;
    for (_, number) in facts.arguments.numbers().filter(|(name, _)| is_lines(name)) {
        is_said = true;
        measures.add(READ_LINE, Some(number));
    }
    if !is_said {
        measures.add(READ_LINE, None);
    }
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
fn things(facts: &CallFacts<'_>, measures: &mut Measures<'_>) {
    if measures.asks_in("file") {
        let files = facts.things.iter().filter(|thing| thing.kind == "file").count();
        measures.add("file", count(files));
        // A folder that goes with all that is in it is nobody knows how many.
        let is_whole = |(deed, name): (&str, &str)| {
            matches!(deed, "deletes" | "moves") && name.ends_with(crate::filters::BELOW)
        };
        if facts.flows.iter().flat_map(super::resources::FlowFacts::deeds_to).any(is_whole) {
            measures.add("file", None);
        }
    }
    if measures.asks_in("recipient") {
        let people = facts.things.iter().filter(|thing| matches!(thing.kind, "person" | "direct")).count();
        let lists = facts.arguments.lists().filter(|(name, _)| name.contains("attendee"));
        let attendees = lists.map(|(_, count)| count).max();
        measures.add("recipient", count(people).max(attendees));
    }
}

/// How long a text is.
fn sizes(name: &str, text: &str, measures: &mut Measures<'_>) {
    let sizes = [
        ("line", text.lines().count()),
        ("character", text.chars().count()),
        ("word", text.split_whitespace().count()),
        ("byte", text.len()),
        ("sentence", sentences(text)),
    ];
    for (unit, size) in sizes {
        measures.add(unit, count(size));
        name.split(' ').for_each(|word| measures.add(&format!("{unit} of {word}"), count(size)));
    }
}

/// How many sentences a text has: what ends with a mark before white space, and what is left.
fn sentences(text: &str) -> usize {
    let ends = |word: &&str| word.trim_end_matches(['"', '\'', ')', '”']).ends_with(['.', '!', '?', '…']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let open = words.last().is_some_and(|last| !ends(last));
    words.iter().filter(|word| ends(word)).count() + usize::from(open)
}

/// The first line of a message is its subject, where nothing else is.
fn subjects(facts: &CallFacts<'_>, measures: &mut Measures<'_>) {
    const SUBJECTS: [&str; 2] = ["subject", "title"];
    if facts.arguments.texts().any(|(name, _)| has(name, &SUBJECTS)) {
        return;
    }
    for (_, text) in facts.arguments.texts().filter(|(name, _)| has(name, &["message"])) {
        let first = text.trim_start().lines().next().unwrap_or_default();
        let sizes = [("character", first.chars().count()), ("word", first.split_whitespace().count())];
        for (unit, size) in sizes {
            SUBJECTS.iter().for_each(|word| measures.add(&format!("{unit} of {word}"), count(size)));
        }
    }
}

/// What a number among the arguments counts.
fn numbers(name: &str, number: i64, about: &[String], measures: &mut Measures<'_>) {
    name.split(' ').for_each(|unit| measures.add(unit, Some(number)));
    if is_limit(name) {
        about.iter().for_each(|unit| measures.add(unit, Some(number)));
        LIMITED.iter().for_each(|unit| measures.add(unit, Some(number)));
    }
    if has(name, &["length", "char", "character"]) {
        measures.add("character", Some(number));
    }
    if has(name, &["minute", "min", "duration"]) {
        measures.add("minute", Some(number));
    }
    if has(name, MONEY) {
        // Cents are counted up to the next whole.
        let in_cents = has(name, &["cent", "minor", "pence"]);
        let amount =
            if in_cents { number.div_euclid(100) + i64::from(number.rem_euclid(100) > 0) } else { number };
        measures.add("amount", Some(amount));
    }
    if has(name, &["timeout"]) && has(name, &["ms"]) {
        measures.add("minute", Some(number.saturating_add(59_999) / 60_000));
    }
}

fn is_limit(name: &str) -> bool {
    has(name, LIMITS)
        && !has(name, &["batch", "depth", "token", "char", "character", "breadth", "timeout", "amount"])
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

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn sentences_end_with_a_mark_and_what_is_left_is_one() {
        let texts =
            [("", 0), ("Done", 1), ("Done.", 1), ("Done. See 1.5 there", 2), ("(Really?) \"Yes!\" Good.", 3)];
        for (text, count) in texts {
            assert_eq!(sentences(text), count, "{text:?}");
        }
    }
}
