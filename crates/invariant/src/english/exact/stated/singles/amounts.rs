//! Numbers that a plain sentence names: in words or digits, with a sign of money, of an issue, or of how long.

use crate::english::amount::read_number;
use crate::english::token::Token;

/// A number, however it is written.
pub(super) fn number(tokens: &[Token]) -> Option<(usize, String)> {
    match read_number(tokens) {
        Some((number, length)) => Some((length, number.to_string())),
        None => signed(tokens).or_else(|| numbered(tokens)),
    }
}

/// The number of an issue or a pull request: "#12".
fn numbered(tokens: &[Token]) -> Option<(usize, String)> {
    let digits = tokens.first()?.text.strip_prefix('#')?;
    let is_number = !digits.is_empty() && digits.chars().all(|letter| letter.is_ascii_digit());
    is_number.then(|| (1, digits.to_owned()))
}

/// A number with a sign of money or a percent sign at it: "€50", "20%".
fn signed(tokens: &[Token]) -> Option<(usize, String)> {
    let text = tokens.first()?.text.trim_matches(['€', '$', '£', '%']);
    let (number, more) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1000),
        None => (text, 1),
    };
    let number: i64 = number.replace(',', "").parse().ok()?;
    Some((1, number.checked_mul(more)?.to_string()))
}

/// "60 seconds", "two minutes": as timeouts count.
pub(super) fn milliseconds(tokens: &[Token]) -> Option<(usize, String)> {
    let (number, length) = read_number(tokens)?;
    let unit = match tokens.get(length)?.low.as_str() {
        "ms" | "millisecond" | "milliseconds" => 1,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000,
        "min" | "mins" | "minute" | "minutes" => 60_000,
        "h" | "hour" | "hours" => 3_600_000,
        _ => return None,
    };
    Some((length + 1, number.checked_mul(unit)?.to_string()))
}
