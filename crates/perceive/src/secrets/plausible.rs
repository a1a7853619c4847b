//! Whether a text that stands where a credential could stand is one.

use std::collections::BTreeMap;

/// Bits per character that a random text of some length has and words, counters and paths do not.
const RANDOM: f64 = 3.5;

/// What people write where a credential will stand.
const PLACEHOLDERS: &[&str] = &[
    "example",
    "changeme",
    "change_me",
    "placeholder",
    "your",
    "xxxx",
    "****",
    "....",
    "redacted",
    "password",
    "passwort",
    "secret",
    "token",
    "null",
    "none",
    "undefined",
    "true",
    "false",
    "required",
    "optional",
    "string",
    "dummy",
    "process",
    "getenv",
    "environ",
    "config",
    "todo",
    "hidden",
    "masked",
    "value",
    "input",
    "field",
    "hash",
    "reset",
    "empty",
];

/// Whether a machine seems to have made it: letters of more than one kind, and many different ones.
pub(super) fn is_random(text: &str) -> bool {
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    has_digit && has_letter && is_chosen(text) && entropy(text) >= RANDOM && !is_identifier(text)
}

/// Whether it is a password that somebody set, and not a word of code or a placeholder.
pub(super) fn is_chosen(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_placeholder = PLACEHOLDERS.iter().any(|word| lower.contains(word));
    let is_reference = text.starts_with(['$', '<', '{', '(', '[', '%', '@', '/', '.', '~', '*', '#'])
        || text.contains(['(', ')', '{', '}', '<', '>'])
        || text.contains("::");
    let kinds = [
        text.bytes().any(|byte| byte.is_ascii_lowercase()),
        text.bytes().any(|byte| byte.is_ascii_uppercase()),
        text.bytes().any(|byte| byte.is_ascii_digit()),
        text.bytes().any(|byte| byte.is_ascii_punctuation()),
    ];
    let is_mixed = kinds.iter().filter(|kind| **kind).count() > 1;
    !is_placeholder && !is_reference && is_mixed && entropy(text) >= 2.0
}

/// Hashes of commits and files, and identifiers of things, are no secrets.
fn is_identifier(text: &str) -> bool {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal && [32, 40, 64].contains(&digits.len())
}

/// Whether the first of three parts says what a web token says.
pub(super) fn is_web_token(text: &str) -> bool {
    let header = text.split('.').next().and_then(decoded).unwrap_or_default();
    header.starts_with(b"{") && header.windows(5).any(|window| window == b"\"alg\"")
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = ((bits << 6) | u32::from(value)) & 0xFFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from((bits >> count) & 0xFF).ok()?);
        }
    }
    Some(bytes)
}

/// Shannon's measure in bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts: BTreeMap<char, u32> = BTreeMap::new();
    text.chars().for_each(|letter| *counts.entry(letter).or_default() += 1);
    let total = f64::from(counts.values().sum::<u32>());
    let shares = counts.values().map(|count| f64::from(*count) / total);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}
