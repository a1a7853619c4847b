//! Times in sentences: hours of the day, days of the week, dates.

use jiff::civil::Date;

use super::token::{Shape, Token};
use crate::meaning::Span as When;

const DAY: i64 = 24 * 60;

fn on_days(days: &[u8]) -> When {
    When { days: days.to_vec(), ..When::default() }
}

fn at_hours(from: i64, to: i64) -> When {
    // A stretch over midnight is two.
    let hours = if from <= to { vec![(from, to)] } else { vec![(from, DAY), (0, to)] };
    When { hours, ..When::default() }
}

/// A time at the beginning of these words, and how many of them it takes.
pub(crate) fn read(tokens: &[Token], year: i16) -> Option<(When, usize)> {
    dates(tokens, year)
        .or_else(|| month_days(tokens))
        .or_else(|| daytime(tokens))
        .or_else(|| phrase(tokens))
        .or_else(|| days(tokens))
        .or_else(|| clock(tokens))
}

fn low(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.low.as_str())
}

/// "after the 5th of the month", "in the first week of the month", "on the 1st of every month".
fn month_days(tokens: &[Token]) -> Option<(When, usize)> {
    let day = |at: usize| {
        let text = low(tokens, at);
        let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        number.parse::<i8>().ok().filter(|day| (1..=31).contains(day) && number.len() < text.len())
    };
    let opening = low(tokens, 0);
    let at = 1 + usize::from(low(tokens, 1) == "the");
    let number = day(at)?;
    // "from the 25th until the end of the month", "from the 10th to the 15th"
    if matches!(opening, "from" | "between")
        && matches!(low(tokens, at + 1), "until" | "till" | "to" | "through" | "and")
    {
        let next = at + 2 + usize::from(low(tokens, at + 2) == "the");
        let ends = ["end", "of"].iter().enumerate().all(|(more, word)| low(tokens, next + more) == *word);
        let month = matches!(low(tokens, next + 2), "the" | "a" | "each" | "every" | "any")
            && low(tokens, next + 3) == "month";
        if ends && month {
            return Some((When { month_days: Some((number, 31)), ..When::default() }, next + 4));
        }
        let to = day(next)?;
        let month = low(tokens, next + 1) == "of"
            && matches!(low(tokens, next + 2), "the" | "a" | "each" | "every" | "any")
            && low(tokens, next + 3) == "month";
        let length = if month { next + 4 } else { next + 1 };
        return (number <= to).then(|| (When { month_days: Some((number, to)), ..When::default() }, length));
    }
    let is_month = low(tokens, at + 1) == "of"
        && matches!(low(tokens, at + 2), "the" | "a" | "each" | "every" | "any")
        && low(tokens, at + 3) == "month";
    let length = if is_month { at + 4 } else { return None };
    let days = match opening {
        "after" => (number.saturating_add(1).min(31), 31),
        "from" | "since" => (number, 31),
        "before" => (1, number.saturating_sub(1).max(1)),
        "until" | "till" => (1, number),
        "on" => (number, number),
        _ => return None,
    };
    let length = length + usize::from(low(tokens, length) == "on" && opening == "from");
    Some((When { month_days: Some(days), ..When::default() }, length))
}

/// "during the day (9:00 to 17:00)", "9:00 to 17:00", "from 8 to 18".
fn daytime(tokens: &[Token]) -> Option<(When, usize)> {
    let mut at = 0;
    let says_day = matches!(low(tokens, 0), "during" | "by" | "in")
        && low(tokens, 1) == "the"
        && low(tokens, 2) == "day";
    let says_day = says_day || (low(tokens, 0) == "during" && low(tokens, 1) == "daytime");
    if says_day {
        at = if low(tokens, 1) == "daytime" { 2 } else { 3 };
    }
    let opens = low(tokens, at) == "(";
    let from_at = at + usize::from(opens) + usize::from(low(tokens, at + usize::from(opens)) == "from");
    let range = range(tokens, from_at, from_at > at + usize::from(opens));
    match range {
        Some((from, to, length)) if says_day || from_at > 0 || length > 0 => {
            let end = from_at + length;
            Some((at_hours(from, to), end + usize::from(opens && low(tokens, end) == ")")))
        }
        _ if says_day => Some((at_hours(8 * 60, 18 * 60), at)),
        _ => None,
    }
}

/// Two times of day with "to" between them. Bare hours only where a word says that they are times, and no unit follows.
fn range(tokens: &[Token], at: usize, bare: bool) -> Option<(i64, i64, usize)> {
    let (from, length) = time(tokens, at, bare)?;
    let next = at + length;
    if !matches!(low(tokens, next), "to" | "-" | "–" | "until" | "till") {
        return None;
    }
    let (to, more) = time(tokens, next + 1, bare)?;
    let end = next + 1 + more;
    let (from, to) = if bare { halves(tokens, from, at, to, next + 1) } else { (from, to) };
    let is_clear = !bare || low(tokens, at).contains(':') || ends_time(low(tokens, end));
    is_clear.then_some((from, to, end - at))
}

/// What may follow a bare hour.
fn ends_time(next: &str) -> bool {
    next.is_empty()
        || [
            ",", ".", "and", "or", "on", "please", "!", "at", ";", ")", "unless", "except", "only", "every",
            "each", "it",
        ]
        .contains(&next)
}

fn phrase(tokens: &[Token]) -> Option<(When, usize)> {
    let mut at = 0;
    let is_outside = match low(tokens, at) {
        "outside" => {
            at += if low(tokens, at + 1) == "of" { 2 } else { 1 };
            true
        }
        // "nothing goes out on weekends" is about the weekends.
        "out" if low(tokens, at + 1) == "of" => {
            at += 2;
            true
        }
        "after" if matches!(low(tokens, 1), "office" | "business" | "working" | "work" | "hours") => {
            at += 1;
            true
        }
        _ => false,
    };
    while matches!(
        low(tokens, at),
        "during" | "in" | "on" | "at" | "the" | "a" | "over" | "my" | "our" | "normal" | "regular" | "usual"
    ) {
        at += 1;
    }
    let two = format!("{} {}", low(tokens, at), low(tokens, at + 1));
    let (when, length) = match two.as_str() {
        "office hours" | "business hours" | "working hours" | "work hours" => {
            (When { days: vec![0, 1, 2, 3, 4], ..at_hours(9 * 60, 17 * 60) }, 2)
        }
        "working days" | "business days" | "work days" => (on_days(&[0, 1, 2, 3, 4]), 2),
        "lunch time" | "lunch break" | "lunch hour" => (at_hours(12 * 60, 13 * 60), 2),
        _ => match low(tokens, at) {
            "hours" if is_outside => (When { days: vec![0, 1, 2, 3, 4], ..at_hours(9 * 60, 17 * 60) }, 1),
            "weekend" | "weekends" => (on_days(&[5, 6]), 1),
            "weekday" | "weekdays" | "workdays" | "workday" => (on_days(&[0, 1, 2, 3, 4]), 1),
            "night" | "nights" | "overnight" | "nighttime" => (at_hours(22 * 60, 6 * 60), 1),
            "morning" | "mornings" => (at_hours(0, 12 * 60), 1),
            "afternoon" | "afternoons" => (at_hours(12 * 60, 18 * 60), 1),
            "evening" | "evenings" => (at_hours(18 * 60, DAY), 1),
            "lunch" | "lunchtime" => (at_hours(12 * 60, 13 * 60), 1),
            _ => return None,
        },
    };
    Some((When { is_outside, ..when }, at + length))
}

/// Whether a word in lower case is a day of the week.
pub(crate) fn is_day(word: &str) -> bool {
    day(word).is_some()
}

fn day(word: &str) -> Option<u8> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let word = word.strip_suffix('s').filter(|stem| stem.ends_with("day")).unwrap_or(word);
    Some(match word {
        "monday" | "mon" | "mondays" => 0,
        "tuesday" | "tue" | "tues" => 1,
        "wednesday" | "wed" => 2,
        "thursday" | "thu" | "thur" | "thurs" => 3,
        "friday" | "fri" => 4,
        "saturday" | "sat" => 5,
        "sunday" | "sun" => 6,
        _ => return None,
    })
}

fn days(tokens: &[Token]) -> Option<(When, usize)> {
    let mut at = 0;
    while matches!(low(tokens, at), "on" | "a" | "any" | "the" | "every" | "each") {
        at += 1;
    }
    let first = day(low(tokens, at))?;
    let mut days = vec![first];
    at += 1;
    if matches!(low(tokens, at), "to" | "through" | "till" | "until" | "-" | "–")
        && let Some(last) = day(low(tokens, at + 1))
    {
        let mut next = first;
        while next != last {
            next = (next + 1) % 7;
            days.push(next);
        }
        return Some((on_days(&days), at + 2));
    }
    loop {
        let mut next = at;
        while matches!(low(tokens, next), "," | "and" | "or" | "on" | "a" | "&") {
            next += 1;
        }
        match day(low(tokens, next)).filter(|_| next > at) {
            Some(day) => {
                days.push(day);
                at = next + 1;
            }
            None => return Some((on_days(&days), at)),
        }
    }
}

/// A time of day: `9:30`, `4pm`, `6 p.m.`, `18h`, `noon`. A bare number only where `bare` is.
fn time(tokens: &[Token], at: usize, bare: bool) -> Option<(i64, usize)> {
    let token = tokens.get(at)?;
    match token.low.as_str() {
        "noon" | "midday" => return Some((12 * 60, 1)),
        "midnight" => return Some((0, 1)),
        _ => {}
    }
    if token.shape != Shape::Number {
        return None;
    }
    let text = token.low.as_str();
    let half = |text: &str| match text.trim_end_matches('.').replace('.', "").as_str() {
        "am" => Some(0),
        "pm" => Some(12 * 60),
        _ => None,
    };
    let digits_end = text
        .find(|letter: char| !letter.is_ascii_digit() && letter != ':' && letter != '.')
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let (hour, minute) = match digits.split_once([':', '.']) {
        Some((hour, minute)) if minute.len() == 2 => (hour.parse::<i64>().ok()?, minute.parse::<i64>().ok()?),
        Some(_) => return None,
        None => (digits.parse::<i64>().ok()?, 0),
    };
    if hour > 24 || minute > 59 {
        return None;
    }
    let has_minutes = digits.contains(':');
    let of = |half: i64| (hour % 12) * 60 + minute + half;
    if let Some(half) = half(unit) {
        return Some((of(half), 1));
    }
    if unit == "h" || (unit.is_empty() && has_minutes) {
        let next = low(tokens, at + 1);
        if let Some(half) = half(next) {
            return Some((of(half), 2));
        }
        return Some((hour * 60 + minute, 1));
    }
    if !unit.is_empty() {
        return None;
    }
    match low(tokens, at + 1) {
        next if half(next).is_some() => Some((of(half(next).unwrap_or(0)), 2)),
        "o'clock" | "oclock" | "h" | "hours" if hour <= 24 && low(tokens, at + 1) != "hours" => {
            Some((hour * 60, 2))
        }
        "at" if low(tokens, at + 2) == "night" => {
            Some((of(if hour < 6 || hour == 12 { 0 } else { 12 * 60 }), 3))
        }
        "in" if low(tokens, at + 2) == "the" => match low(tokens, at + 3) {
            "morning" => Some((hour * 60, 4)),
            "afternoon" | "evening" => Some((of(12 * 60), 4)),
            _ => None,
        },
        _ if bare => Some((hour * 60, 1)),
        _ => None,
    }
}

/// "Nothing after 5" is about the afternoon.
fn in_the_afternoon(tokens: &[Token], at: usize, length: usize, from: i64) -> i64 {
    let is_short = low(tokens, at).len() == 1 && length == 1 && (60..=6 * 60).contains(&from);
    let is_after = matches!(low(tokens, 0), "after" | "past" | "later");
    if is_short && is_after { from + 12 * 60 } else { from }
}

fn clock(tokens: &[Token]) -> Option<(When, usize)> {
    // A bare number is an hour only where no unit follows that would make it a count.
    let is_bare = |at: usize| {
        let next = low(tokens, at + 1);
        next.is_empty()
            || [
                ",", ".", "and", "or", "to", "on", "please", "!", "at", ";", "-", "–", "unless", "except",
                "is", "are", "a", "it", "only", "stays", "belongs",
            ]
            .contains(&next)
    };
    match low(tokens, 0) {
        "before" | "earlier" | "until" | "till" | "prior" => {
            let at = if matches!(low(tokens, 1), "than" | "to") { 2 } else { 1 };
            let (minutes, length) = time(tokens, at, is_bare(at))?;
            // The day ends at midnight.
            let minutes = if minutes == 0 { DAY } else { minutes };
            Some((at_hours(0, minutes), at + length))
        }
        // The small hours.
        "after" | "past" if low(tokens, 1) == "midnight" => Some((at_hours(0, 6 * 60), 2)),
        "after" | "later" | "past" | "from" | "since" => {
            let at = if low(tokens, 1) == "than" { 2 } else { 1 };
            let (from, length) = time(tokens, at, is_bare(at) && low(tokens, 0) != "from")?;
            let next = at + length;
            let from = in_the_afternoon(tokens, at, length, from);
            if low(tokens, 0) == "from"
                && matches!(low(tokens, next), "to" | "until" | "till" | "-" | "–")
                && let Some((to, more)) = time(tokens, next + 1, true)
            {
                let (from, to) = halves(tokens, from, at, to, next + 1);
                return Some((at_hours(from, to), next + 1 + more));
            }
            let next =
                next + usize::from(low(tokens, 0) == "from" && matches!(low(tokens, next), "on" | "onwards"));
            // "before 9 or after 17" and "after 18:00 or before 8:00" are two stretches, read one by one.
            Some((at_hours(from, DAY), next))
        }
        "between" => {
            let (from, length) = time(tokens, 1, true)?;
            let next = 1 + length;
            if !matches!(low(tokens, next), "and" | "to" | "-" | "–") {
                return None;
            }
            let (to, more) = time(tokens, next + 1, true)?;
            let (from, to) = halves(tokens, from, next - length, to, next + 1);
            Some((at_hours(from, to), next + 1 + more))
        }
        "outside" => {
            let at = if low(tokens, 1) == "of" { 2 } else { 1 };
            let (from, length) = time(tokens, at, true)?;
            let next = at + length;
            if !matches!(low(tokens, next), "to" | "and" | "-" | "–" | "until") {
                return None;
            }
            let (to, more) = time(tokens, next + 1, true)?;
            Some((When { is_outside: true, ..at_hours(from, to) }, next + 1 + more))
        }
        "at" => {
            let (from, length) = time(tokens, 1, false)?;
            Some((at_hours(from, from + 1), 1 + length))
        }
        _ => None,
    }
}

/// "between 12 and 1" is over noon, "between 1 and 2 pm" after it: a bare hour takes the half that makes sense.
fn halves(tokens: &[Token], from: i64, from_at: usize, to: i64, to_at: usize) -> (i64, i64) {
    let is_bare = |at: usize| low(tokens, at).chars().all(|letter| letter.is_ascii_digit());
    let is_half = |at: usize| matches!(low(tokens, at + 1).replace('.', "").as_str(), "am" | "pm");
    let half = 12 * 60;
    if is_bare(to_at) && !is_half(to_at) && to <= from && to + half > from && to < half {
        return (from, to + half);
    }
    if is_bare(from_at) && !is_half(from_at) && to > half && from + half < to {
        return (from + half, to);
    }
    (from, to)
}

fn month(word: &str) -> Option<i8> {
    let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let full = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let at = full
        .iter()
        .position(|name| *name == word)
        .or_else(|| months.iter().position(|name| *name == word))?;
    i8::try_from(at + 1).ok()
}

/// A date: `2026-04-01`, `1 April`, `April 1st 2026`, `the 1st of April`.
fn date(tokens: &[Token], at: usize, year: i16) -> Option<(Date, usize)> {
    let mut next = at;
    if low(tokens, next) == "the" {
        next += 1;
    }
    if let Ok(date) = low(tokens, next).parse::<Date>() {
        return Some((date, next + 1 - at));
    }
    let number =
        |at: usize| low(tokens, at).trim_end_matches(['t', 'h', 's', 'n', 'd', 'r']).parse::<i8>().ok();
    let (day, month, after) = match (number(next), month(low(tokens, next))) {
        (Some(day), _) => {
            let of = usize::from(low(tokens, next + 1) == "of");
            (day, month(low(tokens, next + 1 + of))?, next + 2 + of)
        }
        (None, Some(month)) => (number(next + 1)?, month, next + 2),
        (None, None) => return None,
    };
    let stated = low(tokens, after).parse::<i16>().ok().filter(|year| (2000..2200).contains(year));
    let date = Date::new(stated.unwrap_or(year), month, day).ok()?;
    Some((date, after + usize::from(stated.is_some()) - at))
}

/// "3 to 7 August": the first day, the last, and how many words that takes.
fn from_day(tokens: &[Token], at: usize, year: i16) -> Option<(Date, Date, usize)> {
    let first = low(tokens, at);
    let joins = matches!(low(tokens, at + 1), "to" | "until" | "-" | "–" | "through")
        || (at > 0 && low(tokens, at + 1) == "and");
    if first.len() > 4 || !joins || date(tokens, at, year).is_some() {
        return None;
    }
    let (to, length) = date(tokens, at + 2, year)?;
    let day = first.trim_end_matches(['t', 'h', 's', 'n', 'd', 'r']).parse::<i8>().ok()?;
    Some((Date::new(to.year(), to.month(), day).ok()?, to, 2 + length))
}

fn dates(tokens: &[Token], year: i16) -> Option<(When, usize)> {
    let range = |from, to| When { dates: Some((from, to)), ..When::default() };
    let (bound, at) = match (low(tokens, 0), low(tokens, 1)) {
        ("before", _) => ("before", 1),
        ("earlier", "than") => ("before", 2),
        ("after" | "past" | "beyond", _) => ("after", 1),
        ("later", "than") => ("after", 2),
        _ => ("", 0),
    };
    if at > 0 {
        let (day, length) = date(tokens, at, year)?;
        let (from, to) =
            if bound == "before" { (None, day.yesterday().ok()) } else { (day.tomorrow().ok(), None) };
        return Some((range(from, to), at + length));
    }
    match low(tokens, 0) {
        "until" | "till" => {
            let (to, length) = date(tokens, 1, year)?;
            Some((range(None, Some(to)), 1 + length))
        }
        "from" | "between" if from_day(tokens, 1, year).is_some() => {
            let (from, to, length) = from_day(tokens, 1, year)?;
            Some((range(Some(from), Some(to)), 1 + length))
        }
        "from" | "since" | "between" | "as" => {
            let at = if low(tokens, 0) == "as" { 2 } else { 1 };
            let (from, length) = date(tokens, at, year)?;
            let next = at + length;
            let joins = match low(tokens, next) {
                "to" | "until" | "till" | "-" | "–" | "through" => true,
                // "from 1 May and 14 May" are two days.
                "and" => low(tokens, 0) == "between",
                _ => false,
            };
            if joins && let Some((to, more)) = date(tokens, next + 1, year) {
                // "18 December to 6 January" ends in the next year.
                let to = if to < from { Date::new(to.year() + 1, to.month(), to.day()).ok()? } else { to };
                return Some((range(Some(from), Some(to)), next + 1 + more));
            }
            let next = next + if low(tokens, next) == "on" { 1 } else { 0 };
            Some((range(Some(from), None), next))
        }
        "on" => {
            let (day, length) = date(tokens, 1, year)?;
            Some((range(Some(day), Some(day)), 1 + length))
        }
        "in" | "during" => {
            let month = month(low(tokens, 1))?;
            Some((When { months: vec![month], ..When::default() }, 2))
        }
        // "3 to 7 August", "25 December"
        _ => {
            if let Some((from, to, length)) = from_day(tokens, 0, year) {
                return Some((range(Some(from), Some(to)), length));
            }
            let month_at =
                tokens.get(1).filter(|token| token.is_capital()).and_then(|token| month(&token.low));
            month_at?;
            let (day, length) = date(tokens, 0, year)?;
            Some((range(Some(day), Some(day)), length))
        }
    }
}
