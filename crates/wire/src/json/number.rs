//! Numbers: where one ends, by the grammar.

use super::error::Problem;

/// The length of the number at the beginning of a text; the first byte is a minus or a digit.
///
/// # Errors
/// With the offset at which it is not written as JSON writes numbers.
pub(super) fn scan(bytes: &[u8]) -> Result<usize, (usize, Problem)> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    match bytes.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at += digits(bytes, at),
        _ => return Err(wanting(bytes, at, "a digit behind the minus")),
    }
    if matches!(bytes.get(at), Some(b'0'..=b'9')) {
        return Err((at, Problem::BadNumber { expected: "no more digits behind a leading zero" }));
    }
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        at += some_digits(bytes, at, "a digit behind the point")?;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        at += some_digits(bytes, at, "a digit in the exponent")?;
    }
    Ok(at)
}

fn some_digits(bytes: &[u8], at: usize, expected: &'static str) -> Result<usize, (usize, Problem)> {
    match digits(bytes, at) {
        0 => Err(wanting(bytes, at, expected)),
        count => Ok(count),
    }
}

fn digits(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn wanting(bytes: &[u8], at: usize, expected: &'static str) -> (usize, Problem) {
    match bytes.get(at) {
        Some(_) => (at, Problem::BadNumber { expected }),
        None => (at, Problem::Ends),
    }
}
