//! Errors of reading text: where, what, and how it would be right.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// Why a text is no scope, no resource or no rule, and at which character.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ParseError {
    /// The text that was read, one line of it.
    pub text: String,
    /// The byte offset of the offending character in `text`; its length if something is missing at the end.
    pub at: usize,
    /// What is wrong, in lower case, without the place.
    pub problem: Cow<'static, str>,
    /// A correct example of what could have stood there.
    pub example: Cow<'static, str>,
}

impl ParseError {
    pub(crate) fn new(
        text: &str,
        at: usize,
        problem: impl Into<Cow<'static, str>>,
        example: impl Into<Cow<'static, str>>,
    ) -> ParseError {
        ParseError {
            text: text.into(),
            at: at.min(text.len()),
            problem: problem.into(),
            example: example.into(),
        }
    }

    /// The same error in the text that `self.text` is a part of, where that part begins at `start`.
    pub(crate) fn within(self, whole: &str, start: usize) -> ParseError {
        ParseError { at: (start + self.at).min(whole.len()), text: whole.into(), ..self }
    }

    /// The column of the offending character, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.text.char_indices().take_while(|(offset, _)| *offset < self.at).count() + 1
    }
}

/// Three lines that point at the place, and one that shows how it would be right.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} at column {}", self.problem, self.column())?;
        f.write_str("  | ")?;
        // Every character takes one column, so that the caret stands under the right one.
        for letter in self.text.chars() {
            fmt::Write::write_char(f, if letter.is_control() { '\u{fffd}' } else { letter })?;
        }
        writeln!(f)?;
        writeln!(f, "  | {:>width$}", '^', width = self.column())?;
        write!(f, "  = for example: {}", self.example)
    }
}
