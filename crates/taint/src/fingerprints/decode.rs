//! What else a text says: its decodings.
//!
//! Encoded runs are looked for inside other text, in whatever way they are lined up with it. Most of what comes out is
//! noise; only stretches of readable text are kept of it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::SHORTEST;

/// A way to write a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Base64, in either alphabet.
    Base64,
    /// Hexadecimal digits, with or without separators.
    Hex,
    /// Percent signs, and perhaps `+` for a space.
    Percent,
    /// Backslashes, as in JSON and most languages.
    Escapes,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Base64 => "base64",
            Encoding::Hex => "hexadecimal digits",
            Encoding::Percent => "URL encoding",
            Encoding::Escapes => "backslash escapes",
        })
    }
}

/// A text that another one says, and where in that one.
pub(super) struct Decoded {
    pub(super) encoding: Encoding,
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// Every text that this one says in one of the encodings.
pub(super) fn decodings(text: &str) -> Vec<Decoded> {
    let mut found = Vec::new();
    for run in runs(text.as_bytes(), Digits::Base64) {
        (0..4).for_each(|skipped| {
            readable(Encoding::Base64, &base64(&run.digits, skipped), &run.range, &mut found)
        });
    }
    for run in runs(text.as_bytes(), Digits::Hex) {
        (0..2)
            .for_each(|skipped| readable(Encoding::Hex, &hex(&run.digits, skipped), &run.range, &mut found));
    }
    let mut all = |encoding, bytes: &[u8]| readable(encoding, bytes, &(0..text.len()), &mut found);
    if text.contains('%') {
        all(Encoding::Percent, &percent(text.as_bytes()));
    }
    if text.contains('+') {
        all(Encoding::Percent, &percent(text.replace('+', " ").as_bytes()));
    }
    if text.contains('\\') {
        all(Encoding::Escapes, unescaped(text).as_bytes());
    }
    found
}

/// Keeps the stretches that are text, and long enough to hold a secret. Written out, for most of what comes here is
/// noise, of which a general reader makes many small pieces.
fn readable(encoding: Encoding, bytes: &[u8], range: &Range<usize>, found: &mut Vec<Decoded>) {
    let (mut start, mut at) = (0, 0);
    while at <= bytes.len() {
        let length = character(bytes.get(at..).unwrap_or_default());
        if length > 0 {
            at += length;
            continue;
        }
        let stretch = bytes.get(start..at).unwrap_or_default();
        if stretch.len() >= SHORTEST {
            let text = String::from_utf8_lossy(stretch).into_owned();
            found.push(Decoded { encoding, text, range: range.clone() });
        }
        at += 1;
        start = at;
    }
}

/// The length of the character that the bytes begin with; 0 if it is none, or one that nobody reads.
fn character(bytes: &[u8]) -> usize {
    match bytes {
        [b' '..=b'~' | b'\t' | b'\n' | b'\r', ..] => 1,
        [0xC2..=0xDF, 0x80..=0xBF, ..] => 2,
        [0xE0..=0xEF, 0x80..=0xBF, 0x80..=0xBF, ..] => 3,
        [0xF0..=0xF4, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF, ..] => 4,
        _ => 0,
    }
}

/// What digits are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    Base64,
    Hex,
}

/// Digits that stand together, as their values.
struct Run {
    digits: Vec<u8>,
    range: Range<usize>,
}

impl Digits {
    fn value(self, byte: u8) -> Option<u8> {
        match (self, byte) {
            (Digits::Hex, b'0'..=b'9') => Some(byte - b'0'),
            (Digits::Hex, b'a'..=b'f') => Some(byte - b'a' + 10),
            (Digits::Hex, b'A'..=b'F') => Some(byte - b'A' + 10),
            (Digits::Base64, b'A'..=b'Z') => Some(byte - b'A'),
            (Digits::Base64, b'a'..=b'z') => Some(byte - b'a' + 26),
            (Digits::Base64, b'0'..=b'9') => Some(byte - b'0' + 52),
            (Digits::Base64, b'+' | b'-') => Some(62),
            (Digits::Base64, b'/' | b'_') => Some(63),
            _ => None,
        }
    }

    /// How many digits the shortest secret takes, one less for a missing end.
    fn fewest(self) -> usize {
        match self {
            Digits::Base64 => SHORTEST * 4 / 3,
            Digits::Hex => SHORTEST * 2,
        }
    }

    /// How many bytes between two digits say nothing, if the stretch so far lets the run go on after them.
    fn gap(self, rest: &[u8], stretch: usize, first_stretch: Option<usize>) -> usize {
        let space = rest.iter().take(MOST_SPACE).take_while(|byte| byte.is_ascii_whitespace()).count();
        match self {
            // Words are no lines: only long stretches and such of equal length go on.
            Digits::Base64 => {
                let is_line = stretch >= SHORTEST_LINE
                    || (stretch >= 4 && first_stretch.is_none_or(|first| first == stretch));
                if is_line { space } else { 0 }
            }
            Digits::Hex => {
                let marks = rest.iter().skip(space).take(2).take_while(|byte| b":,;-".contains(byte)).count();
                let more = rest.iter().skip(space + marks).take(MOST_SPACE);
                let more = more.take_while(|byte| byte.is_ascii_whitespace()).count();
                let between = space + marks + more;
                between + hex_prefix(rest.get(between..).unwrap_or_default())
            }
        }
    }
}

/// White space between two lines of an encoding.
const MOST_SPACE: usize = 16;
/// A line of base64 that is not as long as the others has at least so many digits.
const SHORTEST_LINE: usize = 16;

/// `\x41`, `0x41`, `\u0041`.
fn hex_prefix(rest: &[u8]) -> usize {
    // Nearly every byte of nearly every text begins none.
    if !matches!(rest.first(), Some(b'\\' | b'0' | b'%')) {
        return 0;
    }
    let prefixes: [&[u8]; 5] = [b"\\x", b"0x", b"0X", b"\\u00", b"%"];
    let is_prefix = |prefix: &&&[u8]| {
        let digits = rest.get(prefix.len()..prefix.len() + 2).unwrap_or_default();
        rest.starts_with(prefix) && digits.len() == 2 && digits.iter().all(u8::is_ascii_hexdigit)
    };
    prefixes.iter().find(is_prefix).map_or(0, |prefix| prefix.len())
}

/// Every run of digits that is long enough.
fn runs(text: &[u8], kind: Digits) -> Vec<Run> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at) {
        if kind.value(*first).is_none() && !matches!(first, b'\\' | b'%') {
            at += 1;
            continue;
        }
        let run = run(text, at, kind);
        at = run.range.end.max(at + 1);
        if run.digits.len() >= kind.fewest() {
            found.push(run);
        }
    }
    found
}

/// The run that begins here; perhaps an empty one.
fn run(text: &[u8], start: usize, kind: Digits) -> Run {
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let mut run = Run { digits: Vec::new(), range: start..start };
    let mut at = start + if kind == Digits::Hex { hex_prefix(rest(start)) } else { 0 };
    let (mut stretch, mut first_stretch) = (0, None);
    loop {
        // `0x` is looked for before the digit, for it begins with one.
        let prefix = if kind == Digits::Hex { hex_prefix(rest(at)) } else { 0 };
        let value = if prefix == 0 { text.get(at).and_then(|byte| kind.value(*byte)) } else { None };
        if let Some(value) = value {
            run.digits.push(value);
            at += 1;
            stretch += 1;
            run.range.end = at;
            continue;
        }
        let may_go_on =
            text.get(at).is_some_and(|byte| byte.is_ascii_whitespace() || b":,;-\\0%".contains(byte));
        if !may_go_on {
            return run;
        }
        let gap = kind.gap(rest(at), stretch, first_stretch);
        let goes_on = text.get(at + gap).is_some_and(|byte| kind.value(*byte).is_some());
        if gap == 0 || !goes_on || stretch == 0 {
            return run;
        }
        first_stretch = first_stretch.or(Some(stretch));
        (at, stretch) = (at + gap, 0);
    }
}

fn base64(digits: &[u8], skipped: usize) -> Vec<u8> {
    let digits = digits.get(skipped..).unwrap_or_default();
    let (groups, rest) = digits.as_chunks::<4>();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4 + 3);
    for [first, second, third, fourth] in groups {
        bytes.extend([first << 2 | second >> 4, second << 4 | third >> 2, third << 6 | fourth]);
    }
    match rest {
        [first, second] => bytes.push(first << 2 | second >> 4),
        [first, second, third] => bytes.extend([first << 2 | second >> 4, second << 4 | third >> 2]),
        _ => {}
    }
    bytes
}

fn hex(digits: &[u8], skipped: usize) -> Vec<u8> {
    let digits = digits.get(skipped..).unwrap_or_default();
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(high << 4 | low),
        _ => None,
    };
    digits.chunks(2).filter_map(byte).collect()
}

fn percent(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => Digits::Hex.value(*high).zip(Digits::Hex.value(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

/// A text with its backslash escapes read as JSON, and most languages, read them. Others stay as they are.
fn unescaped(text: &str) -> Cow<'_, str> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let (letter, length) = escape(after);
        plain.push(letter);
        rest = after.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// What stands after a backslash, and how long it is.
fn escape(after: &str) -> (char, usize) {
    let code = |from: usize, digits: usize| {
        let digits =
            after.get(from..from + digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
    };
    let coded = |number: Option<u32>, length: usize| match number.and_then(char::from_u32) {
        Some(letter) => (letter, length),
        None => ('\\', 0),
    };
    match after.as_bytes().first() {
        Some(b'n') => ('\n', 1),
        Some(b't') => ('\t', 1),
        Some(b'r') => ('\r', 1),
        Some(letter @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$')) => (char::from(*letter), 1),
        Some(b'x') => coded(code(1, 2), 3),
        Some(b'u') => match (code(1, 4), after.get(5..7), code(7, 4)) {
            // Two halves of one character.
            (Some(high @ 0xD800..=0xDBFF), Some("\\u"), Some(low @ 0xDC00..=0xDFFF)) => {
                coded(Some(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 11)
            }
            (number, _, _) => coded(number, 5),
        },
        _ => ('\\', 0),
    }
}
