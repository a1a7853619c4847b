//! Counts and sizes in sentences: "more than 3 files", "60 minutes or less", "over €100".

use super::token::{Shape, Token};

/// How something compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compare {
    /// More than it.
    Above,
    /// It or more.
    AtLeast,
    /// Less than it.
    Below,
    /// It or less.
    AtMost,
    /// Exactly it.
    Equal,
}

/// A number, how to compare with it, and what it counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Amount {
    pub(crate) compare: Compare,
    pub(crate) number: i64,
    /// What is counted, where the words themselves say it: `minute`, `byte`, `amount`.
    pub(crate) unit: Option<&'static str>,
}

fn low(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.low.as_str())
}

/// An amount with a comparison at the beginning of these words, and how many of them it takes. The unit, where it is a
/// word of its own, is not taken.
pub(crate) fn read(tokens: &[Token]) -> Option<(Amount, usize)> {
    let (compare, mut at) = comparison(tokens).unwrap_or((Compare::Equal, 0));
    let begins = at;
    while matches!(low(tokens, at), "a" | "an" | "the" | "of" | "total" | "limit" | "than")
        && at < begins + 2
        && number(tokens, at).is_none()
    {
        at += 1;
    }
    let (value, unit, length) = number(tokens, at)?;
    at += length;
    if let Some((compare, more)) = trailing(tokens, at) {
        return Some((Amount { compare, number: value, unit }, at + more));
    }
    if compare == Compare::Equal && begins == 0 {
        // "five mails per session" is a limit by itself.
        let is_limit = (at..at + 4).any(|next| {
            matches!(low(tokens, next), "per" | "a")
                && matches!(low(tokens, next + 1), "session" | "day" | "call" | "go" | "query")
        });
        let is_enough = (at..at + 8).any(|next| {
            matches!(
                (low(tokens, next), low(tokens, next + 1)),
                ("is" | "are", "enough" | "plenty")
                    | ("not" | "no" | "and", "more")
                    | ("not", "one")
                    | ("per", "person")
                    | ("then", "stop")
            )
        });
        if is_limit || is_enough {
            return Some((Amount { compare: Compare::AtMost, number: value, unit }, at));
        }
        // A bare number counts only with a unit behind it, and "or less" may follow that.
        // What follows the unit is taken later as a filler.
        let (compare, _) = (1..7)
            .take_while(|next| {
                !tokens.get(at + next).is_some_and(|token| matches!(token.shape, Shape::Mark(_)))
            })
            .find_map(|next| trailing(tokens, at + next))?;
        return Some((Amount { compare, number: value, unit }, at));
    }
    Some((Amount { compare, number: value, unit }, at))
}

/// How people compare, the longer ways first.
const COMPARISONS: &[(&str, Compare)] = &[
    ("not be more than", Compare::AtMost),
    ("no more than", Compare::AtMost),
    ("not more than", Compare::AtMost),
    ("no longer than", Compare::AtMost),
    ("not longer than", Compare::AtMost),
    ("no larger than", Compare::AtMost),
    ("no bigger than", Compare::AtMost),
    ("no greater than", Compare::AtMost),
    ("not larger than", Compare::AtMost),
    ("not bigger than", Compare::AtMost),
    ("not exceed", Compare::AtMost),
    ("at most", Compare::AtMost),
    ("at the most", Compare::AtMost),
    ("a maximum of", Compare::AtMost),
    ("maximum of", Compare::AtMost),
    ("max of", Compare::AtMost),
    ("maximum", Compare::AtMost),
    ("max", Compare::AtMost),
    ("max.", Compare::AtMost),
    ("up to", Compare::AtMost),
    ("not over", Compare::AtMost),
    ("not above", Compare::AtMost),
    ("nothing over", Compare::AtMost),
    ("nothing above", Compare::AtMost),
    ("nothing longer than", Compare::AtMost),
    ("nothing larger than", Compare::AtMost),
    ("nothing bigger than", Compare::AtMost),
    ("capped at", Compare::AtMost),
    ("limited to", Compare::AtMost),
    ("only up to", Compare::AtMost),
    ("limit of", Compare::AtMost),
    ("cap of", Compare::AtMost),
    ("within", Compare::AtMost),
    ("no fewer than", Compare::AtLeast),
    ("no less than", Compare::AtLeast),
    ("at least", Compare::AtLeast),
    ("a minimum of", Compare::AtLeast),
    ("minimum of", Compare::AtLeast),
    ("more than", Compare::Above),
    ("longer than", Compare::Above),
    ("larger than", Compare::Above),
    ("bigger than", Compare::Above),
    ("greater than", Compare::Above),
    ("higher than", Compare::Above),
    ("deeper than", Compare::Above),
    ("warmer than", Compare::Above),
    ("hotter than", Compare::Above),
    ("wider than", Compare::Above),
    ("heavier than", Compare::Above),
    ("more expensive than", Compare::Above),
    ("lower than", Compare::Below),
    ("colder than", Compare::Below),
    ("no higher than", Compare::AtMost),
    ("not higher than", Compare::AtMost),
    ("no deeper than", Compare::AtMost),
    ("not deeper than", Compare::AtMost),
    ("bigger than", Compare::Above),
    ("costs more than", Compare::Above),
    ("exceeding", Compare::Above),
    ("exceeds", Compare::Above),
    ("exceed", Compare::Above),
    ("in excess of", Compare::Above),
    ("over", Compare::Above),
    ("above", Compare::Above),
    ("beyond", Compare::Above),
    ("upwards of", Compare::AtLeast),
    ("less than", Compare::Below),
    ("fewer than", Compare::Below),
    ("shorter than", Compare::Below),
    ("smaller than", Compare::Below),
    ("under", Compare::Below),
    ("below", Compare::Below),
    ("cheaper than", Compare::Below),
    (">", Compare::Above),
    ("<", Compare::Below),
];

fn comparison(tokens: &[Token]) -> Option<(Compare, usize)> {
    let first = low(tokens, 0);
    let begins = |phrase: &str| {
        if !phrase.starts_with(first) {
            return None;
        }
        let words: Vec<&str> = phrase.split(' ').collect();
        let fits = words.iter().enumerate().all(|(at, word)| low(tokens, at) == *word);
        fits.then_some(words.len())
    };
    COMPARISONS.iter().find_map(|(phrase, compare)| begins(phrase).map(|length| (*compare, length)))
}

/// "or less", "max", "or more" behind a number or its unit.
pub(crate) fn trailing(tokens: &[Token], at: usize) -> Option<(Compare, usize)> {
    match (low(tokens, at), low(tokens, at + 1)) {
        ("or", "less" | "fewer" | "under" | "shorter" | "below" | "smaller") => Some((Compare::AtMost, 2)),
        ("or", "more" | "above" | "over" | "longer" | "larger" | "bigger") => Some((Compare::AtLeast, 2)),
        ("max" | "maximum" | "tops" | "max.", _) => Some((Compare::AtMost, 1)),
        ("at", "most") => Some((Compare::AtMost, 2)),
        ("at", "the") if low(tokens, at + 2) == "most" => Some((Compare::AtMost, 3)),
        ("at", "the") if low(tokens, at + 3) == "most" => Some((Compare::AtMost, 4)),
        _ => None,
    }
}

/// A bare number at the beginning of these words, and how many of them it takes.
pub(crate) fn read_number(tokens: &[Token]) -> Option<(i64, usize)> {
    number(tokens, 0).map(|(value, _, length)| (value, length))
}

/// A number, in digits or as a word.
fn number(tokens: &[Token], at: usize) -> Option<(i64, Option<&'static str>, usize)> {
    let token = tokens.get(at)?;
    if token.shape == Shape::Number {
        let (value, unit) = digits(&token.low)?;
        // "10 000" and "100 k" are rare enough to be left out.
        return Some((value, unit, 1));
    }
    let value = match token.low.as_str() {
        "one" | "single" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "twelve" | "dozen" => 12,
        "fifteen" => 15,
        "twenty" => 20,
        "thirty" => 30,
        "forty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "ninety" => 90,
        "hundred" => 100,
        "thousand" => 1000,
        "half" if low(tokens, at + 1) == "an" && low(tokens, at + 2) == "hour" => {
            return Some((30, Some("minute"), 3));
        }
        "hour" => return Some((60, Some("minute"), 1)),
        _ => return None,
    };
    match low(tokens, at + 1) {
        "hundred" => Some((value * 100, None, 2)),
        "thousand" => Some((value * 1000, None, 2)),
        _ => Some((value, None, 1)),
    }
}

/// `500`, `1,000`, `10MB`, `€50`, `40k`.
fn digits(text: &str) -> Option<(i64, Option<&'static str>)> {
    let money = text.starts_with(['€', '$', '£']) || text.ends_with(['€', '$', '£']);
    let text = text.trim_matches(['€', '$', '£']);
    let end = text
        .find(|letter: char| !letter.is_ascii_digit() && letter != ',' && letter != '.')
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if digits.contains(':') || digits.is_empty() {
        return None;
    }
    // A comma or point before three digits groups them; any other ends the whole part.
    let mut whole = String::new();
    let mut parts = digits.split([',', '.']);
    whole.push_str(parts.next()?);
    for part in parts {
        if part.len() != 3 {
            break;
        }
        whole.push_str(part);
    }
    let value: i64 = whole.parse().ok()?;
    let (factor, unit) = match unit {
        "" => (1, money.then_some("amount")),
        "k" => (1000, money.then_some("amount")),
        "kb" => (1024, Some("byte")),
        "mb" => (1024 * 1024, Some("byte")),
        "gb" => (1024 * 1024 * 1024, Some("byte")),
        "min" | "mins" | "m" => (1, Some("minute")),
        "h" => (60, Some("minute")),
        "b" => (1, Some("byte")),
        _ => return None,
    };
    Some((value.checked_mul(factor)?, unit))
}
