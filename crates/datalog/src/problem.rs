//! What is wrong with a program, told so that it can be put right.

use std::fmt::{self, Display, Formatter};

use crate::syntax::{Position, Source};

/// How many problems of one program are told; a text of nothing but mistakes is answered in bounded space.
const MOST_PROBLEMS: usize = 50;

/// Something wrong with a program, or odd about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether the program is refused for it.
    pub severity: Severity,
    /// The text it is in.
    pub source: Source,
    /// Where in that text.
    pub at: Position,
    /// What is wrong, in lower case, with what the user wrote in backticks.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program is in force, but part of it does nothing.
    Warning,
}

/// Everything that is wrong with a program, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// None yet.
    pub(crate) fn new() -> Problems {
        Problems(Vec::new())
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Problem] {
        &self.0
    }

    /// Whether so many were found that looking for more is of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST_PROBLEMS
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One for which the program is refused. The hint is only made when it is going to be told.
    pub(crate) fn error<H: Into<String>>(
        &mut self,
        (source, at): (Source, Position),
        message: String,
        hint: impl FnOnce() -> H,
    ) {
        if !self.is_full() {
            self.0.push(Problem { severity: Severity::Error, source, at, message, hint: hint().into() });
        }
    }

    /// One that is only told.
    pub(crate) fn warning(&mut self, (source, at): (Source, Position), message: String, hint: &str) {
        if !self.is_full() {
            self.0.push(Problem { severity: Severity::Warning, source, at, message, hint: hint.to_owned() });
        }
    }

    /// In the order of the text, each once.
    pub(crate) fn into_sorted(mut self) -> Problems {
        let key = |problem: &Problem| (problem.source, problem.at.line, problem.at.column);
        self.0.sort_by_key(key);
        self.0.dedup_by(|one, other| key(one) == key(other) && one.message == other.message);
        self
    }

    pub(crate) fn into_inner(self) -> Vec<Problem> {
        self.0
    }
}

impl Display for Problems {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.0.iter().enumerate() {
            formatter.write_str(if place == 0 { "" } else { "\n" })?;
            write!(formatter, "{problem}")?;
        }
        Ok(())
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Problem { severity, at, message, hint, source: _ } = self;
        let severity = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(formatter, "{severity} at {at}: {message}\n  hint: {hint}")
    }
}

impl Display for Position {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}
