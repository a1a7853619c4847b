//! Facts about time: now, and when something is scheduled.

use jiff::civil::{Date, DateTime};
use portcullis_datalog::{PredicateId, Value};
use serde_json::Value as Json;

use crate::interest::Interest;
use crate::names;
use crate::schema::Ids;

const DAY: i64 = 24 * 60;
/// So many days of something that goes on are looked at.
const MOST_DAYS: usize = 62;
/// How deep arguments are looked into.
const DEEPEST: usize = 64;

/// Something that is scheduled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    date: i64,
    weekday: i64,
    from: i64,
    to: i64,
    minutes: i64,
}

impl Event {
    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let values = [self.date, self.weekday, self.from, self.to].map(Value::Number);
        add(ids.event, &values);
    }

    /// The day, as a number.
    pub(super) fn date(&self) -> i64 {
        self.date
    }

    /// How long it lasts.
    pub(crate) fn minutes(&self) -> i64 {
        self.minutes
    }
}

/// A moment as its date, its day of the week (Monday is 0) and its minute.
pub(super) fn moment(at: DateTime) -> (i64, i64, i64) {
    (date_number(at.date()), weekday(at.date()), i64::from(at.hour()) * 60 + i64::from(at.minute()))
}

fn date_number(date: Date) -> i64 {
    i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
}

fn weekday(date: Date) -> i64 {
    i64::from(date.weekday().to_monday_zero_offset())
}

/// What arguments schedule, wherever something starts, if anybody asks; and whether all of them could be looked at.
pub(super) fn events(arguments: &Json, interest: &Interest) -> (Vec<Event>, bool) {
    let mut events = Vec::new();
    let is_whole = match interest.events {
        true => walk(arguments, DEEPEST, &mut events),
        false => is_shallow(arguments, DEEPEST),
    };
    (events, is_whole)
}

/// Whether arguments are no deeper than is looked.
fn is_shallow(value: &Json, depth: usize) -> bool {
    if depth == 0 {
        return !(value.is_object() || value.is_array());
    }
    match value {
        Json::Object(entries) => entries.values().all(|value| is_shallow(value, depth - 1)),
        Json::Array(items) => items.iter().all(|item| is_shallow(item, depth - 1)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => true,
    }
}

/// Whether a name may begin with one of the words by which starts and ends are called. Most do not, which is cheap to see.
fn may_tell_time(name: &str) -> bool {
    const FRONTS: &[&str] = &["start", "begin", "due", "deadline", "schedule", "end", "until"];
    let name = name.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let is_front =
        |front: &str| name.get(..front.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(front));
    !name.is_ascii() || FRONTS.iter().any(|front| is_front(front))
}

fn walk(value: &Json, depth: usize, events: &mut Vec<Event>) -> bool {
    if depth == 0 {
        return !(value.is_object() || value.is_array());
    }
    match value {
        Json::Object(entries) => {
            let find = |words: &[&str]| {
                entries.iter().filter(|(key, _)| may_tell_time(key)).find_map(|(key, value)| {
                    let name = names::words(key);
                    name.first()
                        .filter(|first| words.contains(&first.as_str()) && name.len() <= 3)
                        .and_then(|_| time(value))
                })
            };
            if let Some((from, is_whole_day)) =
                find(&["start", "begin", "begins", "starts", "due", "deadline", "scheduled", "schedule"])
            {
                let to = find(&["end", "ends", "until"]).or_else(|| lasting(from, entries));
                events.push(event(from, to, is_whole_day));
                events.extend(later_days(from, to));
            }
            entries.values().all(|value| walk(value, depth - 1, events))
        }
        Json::Array(items) => items.iter().all(|item| walk(item, depth - 1, events)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => true,
    }
}

/// The days after the first that something goes on, as far as anybody asks.
fn later_days(from: DateTime, to: Option<(DateTime, bool)>) -> Vec<Event> {
    let mut days = Vec::new();
    let Some((to, _)) = to else { return days };
    let mut date = from.date();
    while days.len() < MOST_DAYS {
        let Ok(next) = date.tomorrow() else { break };
        date = next;
        let begins = date.at(0, 0, 0, 0);
        if begins >= to {
            break;
        }
        let until = if to.date() == date { moment(to).2 } else { DAY };
        let (date, weekday, _) = moment(begins);
        days.push(Event { date, weekday, from: 0, to: until, minutes: 0 });
    }
    days
}

/// When something ends of which only the duration is said.
fn lasting(from: DateTime, entries: &serde_json::Map<String, Json>) -> Option<(DateTime, bool)> {
    let minutes = entries.iter().find_map(|(key, value)| {
        let words = names::words(key);
        let is_duration = words.iter().any(|word| matches!(word.as_str(), "duration" | "length"));
        let factor = if words.iter().any(|word| word == "hour") { 60 } else { 1 };
        value.as_i64().filter(|_| is_duration && words.len() <= 3).map(|number| number.saturating_mul(factor))
    })?;
    let span = jiff::SignedDuration::from_mins(minutes.clamp(0, 7 * DAY));
    Some((from.checked_add(span).ok()?, false))
}

fn event(from: DateTime, to: Option<(DateTime, bool)>, is_whole_day: bool) -> Event {
    let (date, weekday, start) = moment(from);
    if is_whole_day {
        return Event { date, weekday, from: 0, to: DAY, minutes: DAY };
    }
    let minutes = to.map_or(0, |(to, _)| from.duration_until(to).as_secs() / 60).max(0);
    Event { date, weekday, from: start, to: (start + minutes).min(DAY), minutes }
}

/// A time, and whether a whole day is meant.
fn time(value: &Json) -> Option<(DateTime, bool)> {
    let text = match value {
        Json::String(text) => text.as_str(),
        Json::Object(entries) => {
            let inner = entries.get("dateTime").or_else(|| entries.get("date"))?;
            return time(inner);
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) => return None,
    };
    if let Ok(date) = text.parse::<Date>()
        && text.len() <= 10
    {
        return Some((date.at(0, 0, 0, 0), true));
    }
    // The clock on the wall counts, whatever the zone.
    let wall = text.get(..19).or_else(|| text.get(..16)).unwrap_or(text).trim_end_matches('Z');
    wall.parse::<DateTime>().ok().map(|at| (at, false))
}
