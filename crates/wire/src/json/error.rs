//! Why a text was refused, told without its content.

use std::fmt::Write;

/// A text that is not JSON as we take it, and where that shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct JsonError {
    /// The byte at which it shows, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// More bytes than a document may have.
    #[error("the text is longer than {limit} bytes")]
    TooLong {
        /// How many it may have.
        limit: usize,
    },
    /// More arrays and objects inside each other than a document may have.
    #[error("arrays and objects are more than {limit} deep")]
    TooDeep {
        /// How many it may have.
        limit: usize,
    },
    /// More values and keys than a document may have.
    #[error("there are more than {limit} values and keys")]
    TooManyNodes {
        /// How many it may have.
        limit: usize,
    },
    /// Bytes that are no UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A byte order mark, which some readers skip and some do not.
    #[error("the text begins with a byte order mark")]
    ByteOrderMark,
    /// The text ends inside a value, or there is none.
    #[error("the text ends too early")]
    Ends,
    /// Something else than what has to come here.
    #[error("expected {expected}")]
    Expected {
        /// What has to come.
        expected: &'static str,
    },
    /// More text behind the value.
    #[error("there is more text behind the value")]
    TrailingText,
    /// A key that the object has already.
    #[error("the key `{key}` is in this object twice")]
    DuplicateKey {
        /// The key, made safe to show and cut to a few words.
        key: String,
    },
    /// A control character in a string that is not escaped.
    #[error("a control character in a string has to be escaped")]
    ControlCharacter,
    /// A backslash with something behind it that is no escape.
    #[error("this is no escape of JSON")]
    BadEscape,
    /// Half of a surrogate pair, which is no character.
    #[error("half a surrogate pair is no character")]
    LoneSurrogate,
    /// A number that is not written as JSON writes numbers.
    #[error("expected {expected} in a number")]
    BadNumber {
        /// What has to come.
        expected: &'static str,
    },
}

/// How many characters of a key are shown.
const LONGEST_KEY: usize = 40;

/// A key that somebody else chose, for a message: visible characters of ASCII, and not many.
pub(super) fn shown(key: &str) -> String {
    let mut shown = String::new();
    for (count, letter) in key.chars().enumerate() {
        if count == LONGEST_KEY {
            shown.push('…');
            break;
        }
        match letter {
            '`' => shown.push('\''),
            ' '..='~' => shown.push(letter),
            // Writing to a string cannot fail.
            _ => drop(write!(shown, "\\u{{{:x}}}", letter as u32)),
        }
    }
    shown
}
