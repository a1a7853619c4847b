//! Times of day and days of the week as people write them, put as the readers know them: "before nine", "17h30", "6pm-8am",
//! "Mon-Fri", "Monday to Saturday, 8:00 to 19:00", "I leave at 17:00, so book nothing later".

use super::token::{Shape, Token};

/// The words with times written plainly.
pub(super) fn told(tokens: Vec<Token>) -> Vec<Token> {
    let tokens = without_commas(on_days(apart(in_digits(tokens))));
    earlier_or_later(led_plainly(tokens))
}

fn low(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.low.as_str())
}

fn before(tokens: &[Token], at: usize, back: usize) -> &str {
    at.checked_sub(back).map_or("", |at| low(tokens, at))
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}

fn clock(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Number, at: at.at }
}

/// "before nine", "after five pm", "17h30".
fn in_digits(tokens: Vec<Token>) -> Vec<Token> {
    let digits =
        |(at, token): (usize, &Token)| match spelled(&tokens, at).or_else(|| with_minutes(&token.low)) {
            Some(text) => clock(&text, token),
            None => token.clone(),
        };
    tokens.iter().enumerate().map(digits).collect()
}

/// The number that is written as a word here, if it is an hour.
fn spelled(tokens: &[Token], at: usize) -> Option<String> {
    const HOURS: &[&str] =
        &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let hour = HOURS.iter().position(|hour| *hour == low(tokens, at))? + 1;
    let is_led = match before(tokens, at, 1) {
        "before" | "after" | "until" | "till" | "past" | "between" | "from" => true,
        "and" => before(tokens, at, 3) == "between" || before(tokens, at, 4) == "between",
        "to" => before(tokens, at, 3) == "from" || before(tokens, at, 4) == "from",
        "than" => matches!(before(tokens, at, 2), "earlier" | "later"),
        _ => false,
    };
    let next = tokens.get(at + 1);
    let is_behind = next.is_none_or(|next| match next.low.as_str() {
        "am" | "pm" | "a.m" | "p.m" | "o'clock" | "oclock" | "and" | "or" | "to" | "until" | "till"
        | "on" | "please" => true,
        "in" => low(tokens, at + 2) == "the",
        "at" => low(tokens, at + 2) == "night",
        _ => matches!(next.shape, Shape::Mark(',' | '.' | ';' | '!' | ':' | ')')),
    });
    // "from one and the same site" is about no hour.
    let is_clear = hour > 1
        || before(tokens, at, 1) == "and"
        || matches!(low(tokens, at + 1), "am" | "pm" | "a.m" | "p.m" | "o'clock" | "oclock");
    (is_led && is_behind && is_clear).then(|| hour.to_string())
}

/// "17h30" as "17:30".
fn with_minutes(text: &str) -> Option<String> {
    let (hour, minute) = text.split_once('h')?;
    let is_number = |text: &str, most: u8| {
        (1..=2).contains(&text.len()) && text.parse::<u8>().is_ok_and(|number| number <= most)
    };
    (is_number(hour, 24) && minute.len() == 2 && is_number(minute, 59)).then(|| format!("{hour}:{minute}"))
}

/// What is joined by a stroke as two, with "to" between them: "9:00-17:00", "6pm-8am", "Mon-Fri".
fn apart(tokens: Vec<Token>) -> Vec<Token> {
    let mut told: Vec<Token> = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let parts = token.low.split_once(['-', '–']).filter(|_| token.shape != Shape::Quoted);
        match parts {
            Some((from, to)) if is_time(from) && is_time(to) && is_free(&tokens, at) => {
                // "outside of 9:00-17:00" and "from 9:00-17:00" lead themselves.
                let is_led =
                    matches!(before(&tokens, at, 1), "from" | "outside" | "of" | "to" | "at" | "between");
                told.extend((!is_led).then(|| word("from", token)));
                let to = if before(&tokens, at, 1) == "between" {
                    [word("and", token), clock(to, token)]
                } else {
                    [word("to", token), clock(to, token)]
                };
                told.push(clock(from, token));
                told.extend(to);
            }
            Some((from, to)) if is_day(from) && is_day(to) => {
                told.extend([word(from, token), word("to", token), word(to, token)]);
            }
            _ => told.push(token.clone()),
        }
    }
    told
}

/// Whether hours here have no reader of their own: those in front of a sentence, behind meetings or in brackets have one.
fn is_free(tokens: &[Token], at: usize) -> bool {
    const READ: &[&str] =
        &["", "(", "keep", "leave", "hold", "block", "hours", "hour", "time", "times", "rest"];
    let is_bare =
        low(tokens, at).chars().all(|letter| letter.is_ascii_digit() || matches!(letter, ':' | '-' | '–'));
    !is_bare || !READ.contains(&before(tokens, at, 1))
}

/// "9:00", "6pm", "17h": not a bare number.
fn is_time(text: &str) -> bool {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let is_number =
        |text: &str| (1..=2).contains(&text.len()) && text.chars().all(|letter| letter.is_ascii_digit());
    match digits.split_once(':') {
        Some((hour, minute)) => is_number(hour) && minute.len() == 2 && is_number(minute),
        None => is_number(digits) && matches!(text.get(digits.len()..), Some("am" | "pm" | "h")),
    }
}

fn is_day(text: &str) -> bool {
    const DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let full = text
        .strip_suffix("day")
        .is_some_and(|stem| matches!(stem, "mon" | "tues" | "wednes" | "thurs" | "fri" | "satur" | "sun"));
    full || DAYS.contains(&text)
}

/// Bare hours behind days: "weekdays 7 to 17".
fn on_days(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_hour = |at: usize| {
        let text = low(&tokens, at);
        text.len() < 3 && text.parse::<u8>().is_ok_and(|hour| hour <= 24)
    };
    let found = (1..tokens.len()).find(|at| {
        let days = before(&tokens, *at, 1);
        let are_days = matches!(days, "weekdays" | "workdays" | "weekends" | "daily")
            || is_day(days.trim_end_matches('s'));
        are_days
            && is_hour(*at)
            && matches!(low(&tokens, at + 1), "to" | "until" | "till" | "-" | "–")
            && is_hour(at + 2)
    });
    let Some(at) = found else { return tokens };
    let hour = |at: usize| tokens.get(at).map(|token| clock(&format!("{}:00", token.low), token));
    if let (Some(from), Some(to)) = (hour(at), hour(at + 2)) {
        let told = [word("from", &from), from.clone(), word("to", &from), to];
        tokens.splice(at..at + 3, told);
    }
    tokens
}

/// Days and hours as one time: "Monday to Saturday, 8:00 to 19:00".
fn without_commas(tokens: Vec<Token>) -> Vec<Token> {
    let is_hour = |at: usize| {
        let at = at + usize::from(matches!(low(&tokens, at), "from" | "between"));
        is_time(low(&tokens, at))
            && matches!(low(&tokens, at + 1), "to" | "and" | "until" | "till" | "-" | "–")
    };
    let is_between = |at: usize| {
        let is_comma = tokens.get(at).is_some_and(|token| token.shape == Shape::Mark(','));
        is_comma && is_day(before(&tokens, at, 1).trim_end_matches('s')) && is_hour(at + 1)
    };
    let kept = tokens.iter().enumerate().filter(|(at, _)| !is_between(*at));
    kept.map(|(_, token)| token.clone()).collect()
}

/// "as of 18:00" as "from 18:00 on", "ahead of 9:00" as "before 9:00".
fn led_plainly(tokens: Vec<Token>) -> Vec<Token> {
    let Some(at) = (0..tokens.len()).find(|at| low(&tokens, at + 1) == "of" && is_time(low(&tokens, at + 2)))
    else {
        return tokens;
    };
    let (Some(lead), Some(time)) = (tokens.get(at), tokens.get(at + 2)) else { return tokens };
    let told = match lead.low.as_str() {
        "as" => vec![word("from", lead), time.clone(), word("on", lead)],
        "ahead" | "in" => vec![word("before", lead), time.clone()],
        _ => return tokens,
    };
    tokens.iter().take(at).cloned().chain(told).chain(tokens.iter().skip(at + 3).cloned()).collect()
}

/// "I leave at 17:00, so book nothing later": nothing after 17:00.
fn earlier_or_later(mut tokens: Vec<Token>) -> Vec<Token> {
    const DENYING: &[&str] = &["nothing", "no", "not", "none", "never", "don't", "nobody"];
    let found = (0..tokens.len()).find_map(|at| {
        let bound = match low(&tokens, at) {
            "earlier" => "before",
            "later" => "after",
            _ => return None,
        };
        let ends = tokens.get(at + 1).is_none_or(|next| matches!(next.shape, Shape::Mark(_)));
        let time = (0..at).rev().find(|at| is_time(low(&tokens, *at)))?;
        let denies = (time..at).any(|at| DENYING.contains(&low(&tokens, at)));
        (ends && denies).then_some((at, bound, time))
    });
    if let Some((at, bound, time)) = found
        && let (Some(token), Some(time)) = (tokens.get(at).cloned(), tokens.get(time).cloned())
    {
        tokens.splice(at..=at, [word(bound, &token), time]);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    fn put(sentence: &str) -> String {
        let words: Vec<String> = told(tokens(sentence)).into_iter().map(|token| token.text).collect();
        words.join(" ")
    }

    #[test]
    fn hours_are_written_in_digits_where_hours_are_meant() {
        assert_eq!(put("no mails before nine"), "no mails before 9");
        assert_eq!(put("between ten and six, please"), "between 10 and 6 , please");
        assert_eq!(put("nothing after 17h30"), "nothing after 17:30");
        assert_eq!(put("not before two people agree"), "not before two people agree");
        assert_eq!(put("no more than six"), "no more than six");
    }

    #[test]
    fn what_a_stroke_joins_is_two_times() {
        assert_eq!(put("no posts 6pm-8am"), "no posts from 6pm to 8am");
        assert_eq!(put("nothing outside of 9:00-17:00"), "nothing outside of 9:00 to 17:00");
        assert_eq!(put("open Mon-Fri"), "open mon to fri");
        assert_eq!(put("pages 3-5"), "pages 3-5");
    }

    #[test]
    fn days_and_hours_are_one_time() {
        assert_eq!(put("Monday to Saturday, 8:00 to 19:00"), "Monday to Saturday 8:00 to 19:00");
        assert_eq!(put("on Monday, no posts"), "on Monday , no posts");
        assert_eq!(put("weekdays 7 to 17 only"), "weekdays from 7:00 to 17:00 only");
    }

    #[test]
    fn what_is_earlier_or_later_is_so_than_the_time_before_it() {
        assert_eq!(
            put("I leave at 17:00, so book nothing later"),
            "I leave at 17:00 , so book nothing after 17:00"
        );
        assert_eq!(
            put("My day starts at 9:30, nothing earlier!"),
            "My day starts at 9:30 , nothing before 9:30 !"
        );
        assert_eq!(put("nothing later than 17:00"), "nothing later than 17:00");
        assert_eq!(put("no posts as of 18:00"), "no posts from 18:00 on");
    }
}
