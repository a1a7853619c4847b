//! The one form of a value, by RFC 8785: the same for every order of keys, spacing and spelling, so that it can be hashed
//! and signed.
//!
//! ```
//! use portcullis_wire::json::{Document, Limits, canonical, canonical_without};
//!
//! let tool = br#"{ "name": "\u0061dd", "_meta": {"org.example/seal": 1}, "max": 1e2 }"#;
//! let tool = Document::parse(*tool, &Limits::default()).unwrap();
//! let whole = canonical(tool.root()).unwrap();
//! assert_eq!(whole, br#"{"_meta":{"org.example/seal":1},"max":100,"name":"add"}"#);
//! let rest = canonical_without(tool.root(), &["_meta", "org.example/seal"]).unwrap();
//! assert_eq!(rest, br#"{"max":100,"name":"add"}"#);
//! ```
//!
//! The RFC reads every number as a double and would give two integers one form. So numbers are taken only as follows:
//!
//! * up to 2^53 in magnitude, in any spelling. Fractions are rounded to the nearest double, as nearly every reader does;
//! * beyond it only from 10^21 on, written with an exponent, and only if the form says exactly the same number (`1e30`).
//!   Below that the form would be an integer that readers take for different numbers;
//! * nothing beyond all doubles (`1e400`), and nothing but zero that a double rounds to zero (`1e-400`).
//!
//! So no two integers have the same form, and the form of a form is itself.

mod number;

use std::borrow::Cow;
use std::fmt::Write;

use super::{Kind, Node};

/// Why a value has no canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// A number that would get the form of another.
    #[error(
        "the number at byte {at} is beyond 2^53, where readers of JSON see different numbers; write it smaller or as a \
         string"
    )]
    Inexact {
        /// Where it stands in the document.
        at: usize,
    },
    /// A number beyond all doubles.
    #[error("the number at byte {at} is too large for a double; write it smaller or as a string")]
    TooLarge {
        /// Where it stands in the document.
        at: usize,
    },
    /// A number that is not zero and would become it.
    #[error("the number at byte {at} is too close to zero for a double; write 0 or a string")]
    TooSmall {
        /// Where it stands in the document.
        at: usize,
    },
}

/// The canonical form of a value.
///
/// # Errors
/// If there is a number in it that would get the form of another.
pub fn canonical(node: Node<'_>) -> Result<Vec<u8>, CanonicalError> {
    canonical_without(node, &[])
}

/// The canonical form of an object without one member, found by the keys that lead to it.
///
/// An object on the way to it that is empty without the member is left out as well, whether it had the member or not. So
/// the form is the same before the member is put in, with it, and after somebody has taken it out and left an empty object
/// behind. What is no object is not gone into, and stays.
///
/// # Errors
/// If there is a number in what stays that would get the form of another.
pub fn canonical_without(node: Node<'_>, path: &[&str]) -> Result<Vec<u8>, CanonicalError> {
    let mut form = String::with_capacity(node.span().len());
    write(node, path, &mut form)?;
    Ok(form.into_bytes())
}

/// It recurses no deeper than a document may be.
fn write(node: Node<'_>, without: &[&str], form: &mut String) -> Result<(), CanonicalError> {
    match node.kind() {
        Kind::Null | Kind::Bool => form.push_str(node.raw_text()),
        Kind::Number => number::write(node, form)?,
        Kind::String => write_string(&node.as_str().unwrap_or_default(), form),
        Kind::Array => {
            form.push('[');
            for (count, item) in node.items().enumerate() {
                form.push_str(if count == 0 { "" } else { "," });
                write(item, &[], form)?;
            }
            form.push(']');
        }
        Kind::Object => write_object(node, without, form)?,
    }
    Ok(())
}

fn write_object(node: Node<'_>, without: &[&str], form: &mut String) -> Result<(), CanonicalError> {
    let mut members: Vec<(Cow<'_, str>, Node<'_>)> =
        node.members().filter(|(key, value)| !is_left_out(key, *value, without)).collect();
    members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    form.push('{');
    for (count, (key, value)) in members.iter().enumerate() {
        form.push_str(if count == 0 { "" } else { "," });
        write_string(key, form);
        form.push(':');
        let deeper = match without {
            [first, rest @ ..] if key == first => rest,
            _ => &[],
        };
        write(*value, deeper, form)?;
    }
    form.push('}');
    Ok(())
}

/// Whether a member is the one to be left out, or holds nothing without it.
fn is_left_out(key: &str, value: Node<'_>, without: &[&str]) -> bool {
    match without {
        [] => false,
        [last] => key == *last,
        [first, rest @ ..] => {
            key == *first
                && value.is_object()
                && value.members().all(|(key, value)| is_left_out(&key, value, rest))
        }
    }
}

fn write_string(text: &str, form: &mut String) {
    form.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| matches!(letter, '"' | '\\' | '\0'..='\x1f')) {
        let (plain, special) = rest.split_at(at);
        form.push_str(plain);
        let mut letters = special.chars();
        match letters.next() {
            Some('"') => form.push_str("\\\""),
            Some('\\') => form.push_str("\\\\"),
            Some('\x08') => form.push_str("\\b"),
            Some('\t') => form.push_str("\\t"),
            Some('\n') => form.push_str("\\n"),
            Some('\x0c') => form.push_str("\\f"),
            Some('\r') => form.push_str("\\r"),
            // Writing to a string cannot fail.
            Some(letter) => drop(write!(form, "\\u{:04x}", letter as u32)),
            None => {}
        }
        rest = letters.as_str();
    }
    form.push_str(rest);
    form.push('"');
}
