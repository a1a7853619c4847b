//! Errors of reading text: where, what, and how it would be right.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

use crate::visible::hides;

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
        write_visibly(f, &self.text)?;
        f.write_str("\n  | ")?;
        // A width in the format string would panic beyond 65,535.
        (1..self.column()).try_for_each(|_| f.write_char(' '))?;
        f.write_str("^\n  = for example: ")?;
        // The example may repeat what was read.
        write_visibly(f, &self.example)
    }
}

/// Every character takes one column, so that the caret stands under the right one, and none steers a
/// terminal.
fn write_visibly(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    text.chars().try_for_each(|letter| f.write_char(if hides(letter) { '\u{fffd}' } else { letter }))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use crate::{Rule, Scope};

    #[test]
    fn an_error_far_to_the_right_can_be_shown() {
        let line = format!("allow read from local to ctxt{}x", " ".repeat(70_000));
        let shown = line.parse::<Rule>().unwrap_err().to_string();
        assert!(shown.contains("at column 70030\n"));
    }

    #[test]
    fn nothing_that_was_read_steers_the_terminal() {
        for text in [r#""a@\u{1b}[31m.com""#, "a@\u{202e}b.com"] {
            let shown = text.parse::<Scope>().unwrap_err().to_string();
            assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
        }
    }
}
