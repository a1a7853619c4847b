//! Strings: where one ends, whether it is well formed, and what it says.

use std::borrow::Cow;
use std::str::Chars;

use super::error::Problem;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A string whose opening quote has been read.
pub(super) struct Scanned {
    /// How many bytes it has, the closing quote not counted.
    pub(super) length: usize,
    pub(super) escaped: bool,
}

/// Finds the end of a string in UTF-8 text that begins behind its opening quote.
///
/// # Errors
/// With the offset at which it is not well formed.
pub(super) fn scan(bytes: &[u8]) -> Result<Scanned, (usize, Problem)> {
    let mut at = 0;
    let mut escaped = false;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        at += plain(rest);
        match bytes.get(at) {
            Some(b'"') => return Ok(Scanned { length: at, escaped }),
            Some(b'\\') => {
                escaped = true;
                let rest = bytes.get(at + 1..).unwrap_or_default();
                at += 1 + escape(rest).map_err(|(offset, problem)| (at + offset, problem))?;
            }
            Some(_) => return Err((at, Problem::ControlCharacter)),
            None => return Err((at, Problem::Ends)),
        }
    }
}

/// How many bytes come before the next quote, backslash or control character.
fn plain(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (count, word) in words.iter().enumerate() {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return count * 8 + marks.trailing_zeros() as usize / 8;
        }
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    words.len() * 8 + rest.iter().take_while(is_plain).count()
}

/// The high bit of each byte that ends a plain run. Bits above the lowest one may be wrong, since a subtraction
/// borrows from the byte above; the lowest is right.
fn marks(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let below = |word: u64, least: u64| word.wrapping_sub(ONES * least) & !word;
    (below(quote, 1) | below(backslash, 1) | below(word, 0x20)) & HIGHS
}

/// The length of the escape behind a backslash.
fn escape(bytes: &[u8]) -> Result<usize, (usize, Problem)> {
    match bytes.first() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(1),
        Some(b'u') => {
            let unit = unit(bytes, 1)?;
            match unit {
                0xD800..=0xDBFF => match (bytes.get(5), bytes.get(6)) {
                    (Some(b'\\'), Some(b'u')) => match self::unit(bytes, 7)? {
                        0xDC00..=0xDFFF => Ok(11),
                        _ => Err((0, Problem::LoneSurrogate)),
                    },
                    (None, _) | (Some(b'\\'), None) => Err((bytes.len() + 1, Problem::Ends)),
                    _ => Err((0, Problem::LoneSurrogate)),
                },
                0xDC00..=0xDFFF => Err((0, Problem::LoneSurrogate)),
                _ => Ok(5),
            }
        }
        Some(_) => Err((0, Problem::BadEscape)),
        None => Err((1, Problem::Ends)),
    }
}

/// Four hexadecimal digits as a number.
fn unit(bytes: &[u8], at: usize) -> Result<u32, (usize, Problem)> {
    let mut unit = 0;
    for offset in at..at + 4 {
        let byte = bytes.get(offset).ok_or((offset + 1, Problem::Ends))?;
        let digit = (*byte as char).to_digit(16).ok_or((0, Problem::BadEscape))?;
        unit = unit << 4 | digit;
    }
    Ok(unit)
}

/// What a well-formed string says, given what stands between its quotes.
pub(super) fn unescaped(raw: &str, escaped: bool) -> Cow<'_, str> {
    match escaped {
        false => Cow::Borrowed(raw),
        true => {
            let mut text = String::with_capacity(raw.len());
            unescape_into(raw, &mut text);
            Cow::Owned(text)
        }
    }
}

/// Appends what a well-formed string says.
pub(super) fn unescape_into(raw: &str, text: &mut String) {
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut letters = escape.chars();
        let letter = match letters.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => hexadecimal(&mut letters),
            Some(letter) => letter,
            None => break,
        };
        text.push(letter);
        rest = letters.as_str();
    }
    text.push_str(rest);
}

/// The character of one `\u` escape or of two that belong together; the first `\u` has been read.
fn hexadecimal(letters: &mut Chars<'_>) -> char {
    let code = match four_digits(letters) {
        high @ 0xD800..=0xDBFF => {
            letters.nth(1);
            0x10000 + ((high & 0x3FF) << 10 | four_digits(letters) & 0x3FF)
        }
        code => code,
    };
    // The scan has refused everything that is no character.
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn four_digits(letters: &mut Chars<'_>) -> u32 {
    let digits = letters.by_ref().take(4).filter_map(|letter| letter.to_digit(16));
    digits.fold(0, |unit, digit| unit << 4 | digit)
}
