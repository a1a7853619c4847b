//! One way to write each path of a URL.

use std::fmt::Write;

use super::{Note, add};

/// Whether a byte stands for itself in a canonical path. Escaping these too makes no other place in practice
/// (`%40scope` and `@scope` are the same package), whatever the standard says of reserved characters.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'"' | b'#' | b'<' | b'>' | b'?' | b'`' | b'{' | b'}' | b'|' | b'^' | b'\\' | b'%' | b'/'
        )
}

/// Segments as the path of a name, with a `/` before each and escapes where they are needed.
pub(crate) fn escaped_path<S: AsRef<[u8]>>(segments: impl IntoIterator<Item = S>) -> String {
    let mut path = String::new();
    for segment in segments {
        path.push('/');
        for &byte in segment.as_ref() {
            if is_plain(byte) {
                path.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
    path
}

/// The bytes that a segment stands for.
pub(super) fn unescaped(segment: &str, notes: &mut Vec<Note>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, escape(after)) {
            (b'%', Some((decoded, after))) => {
                bytes.push(decoded);
                if decoded == b'%' && hexadecimal(after).is_some() {
                    add(notes, Note::DoubleEscape);
                }
                rest = after;
            }
            (b'%', None) => {
                add(notes, Note::StrayPercent);
                bytes.push(byte);
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

/// Whether some servers climb here and others do not: `..;x` has a parameter for some, `..%00` ends early, and an
/// ill-formed byte after the dots has been decoded to a slash.
pub(crate) fn climbs_for_some(segment: &[u8]) -> bool {
    let cut = |byte: u8| !byte.is_ascii_graphic() || matches!(byte, b';' | b'?' | b'#' | b'%');
    match segment.strip_prefix(b"..") {
        Some(rest) => rest.first().is_some_and(|byte| cut(*byte)),
        None => segment.starts_with(b".;"),
    }
}

fn escape(after_percent: &[u8]) -> Option<(u8, &[u8])> {
    Some((hexadecimal(after_percent)?, after_percent.get(2..)?))
}

/// The byte that two hexadecimal digits at the beginning make.
fn hexadecimal(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}
