//! What facts consist of, and the three answers to a question about them.

use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, Hasher};

use crate::syntax;

/// A value of a fact. Text is borrowed, so that filling facts from a call copies nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value<'a> {
    /// A text.
    Text(&'a str),
    /// A whole number.
    Number(i64),
    /// Something is there, but the host could not find out what: every comparison with it may hold.
    Unknown,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Texts.
    Text,
    /// Whole numbers.
    Number,
}

/// The answer of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// Nobody can say. A literal counts as satisfied then, negated or not, and what follows is not certain.
    Unknown,
}

/// A value written in a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constant {
    /// A text.
    Text(Box<str>),
    /// A whole number.
    Number(i64),
}

impl<'a> Value<'a> {
    /// What it is, if that is known.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Value::Text(_) => Some(Kind::Text),
            Value::Number(_) => Some(Kind::Number),
            Value::Unknown => None,
        }
    }

    /// The text, if it is one.
    pub fn text(self) -> Option<&'a str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Number(_) | Value::Unknown => None,
        }
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            Value::Text(_) | Value::Unknown => None,
        }
    }

    /// Whether two values are the same one.
    pub(crate) fn meets(self, other: Value<'_>) -> Truth {
        match (self, other) {
            (Value::Text(one), Value::Text(other)) => Truth::from(one == other),
            (Value::Number(one), Value::Number(other)) => Truth::from(one == other),
            (Value::Unknown, _) | (_, Value::Unknown) => Truth::Unknown,
            (Value::Text(_), Value::Number(_)) | (Value::Number(_), Value::Text(_)) => Truth::No,
        }
    }

    /// A hash with a fixed seed, for there is no randomness here. Fuel bounds what collisions can cost.
    pub(crate) fn hash(self) -> u64 {
        hash_all(&[self])
    }
}

/// The hash of a row.
pub(crate) fn hash_all(values: &[Value<'_>]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    for value in values {
        match value {
            Value::Text(text) => hasher.write(text.as_bytes()),
            Value::Number(number) => hasher.write_i64(*number),
            Value::Unknown => hasher.write_u8(0),
        }
    }
    hasher.finish()
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }
}

impl Truth {
    /// The answer to the opposite question.
    #[must_use]
    pub fn negated(self) -> Truth {
        match self {
            Truth::Yes => Truth::No,
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
        }
    }
}

impl Kind {
    /// With an article, for messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Number => "a number",
        }
    }
}

impl Constant {
    /// The same as a value of a fact.
    pub fn value(&self) -> Value<'_> {
        match self {
            Constant::Text(text) => Value::Text(text),
            Constant::Number(number) => Value::Number(*number),
        }
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        match self {
            Constant::Text(_) => Kind::Text,
            Constant::Number(_) => Kind::Number,
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value::Text(text)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl Display for Value<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => syntax::write_text(formatter, text),
            Value::Number(number) => write!(formatter, "{number}"),
            Value::Unknown => formatter.write_str("?"),
        }
    }
}

impl Display for Constant {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.value().fmt(formatter)
    }
}
