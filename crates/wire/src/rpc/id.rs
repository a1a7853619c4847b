//! Ids of requests: compared by what they mean, written as they came.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::json::{Kind, Node, quote};

/// Below this all integers are doubles, and a receiver that has nothing else gives them back as they were.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The id of a request.
///
/// Two are equal if a receiver may give one back for the other: `"a"` for `"\u0061"`, `7` for `7.0`.
#[derive(Clone)]
pub struct Id(Form);

#[derive(Clone)]
enum Form {
    Null,
    /// Written in the usual way.
    Integer(i64),
    /// Written in another way, or no integer, or too large.
    Number {
        value: Option<i64>,
        raw: Box<str>,
    },
    Text {
        text: Box<str>,
        /// As it came, if that is not the usual way.
        raw: Option<Box<str>>,
    },
}

/// What makes two ids equal.
#[derive(PartialEq, Eq, Hash)]
enum Meaning<'i> {
    Null,
    Integer(i64),
    Number(&'i str),
    Text(&'i str),
}

impl Id {
    /// The id of what cannot be referred to.
    pub const NULL: Id = Id(Form::Null);

    /// A number of our own.
    pub fn integer(number: i64) -> Id {
        Id(Form::Integer(number))
    }

    /// A text of our own.
    pub fn text(text: &str) -> Id {
        Id(Form::Text { text: text.into(), raw: None })
    }

    /// The id in a message: a string, a number or null.
    pub fn of(node: Node<'_>) -> Option<Id> {
        let raw = node.raw_text();
        match node.kind() {
            Kind::Null => Some(Id::NULL),
            Kind::Number => Some(Id(number(raw))),
            Kind::String => {
                let text: Box<str> = node.as_str().unwrap_or_default().into();
                let raw = (quote(&text) != raw).then(|| raw.into());
                Some(Id(Form::Text { text, raw }))
            }
            Kind::Bool | Kind::Array | Kind::Object => None,
        }
    }

    /// The JSON of it, byte for byte as it came.
    pub fn json(&self) -> String {
        match &self.0 {
            Form::Null => "null".to_owned(),
            Form::Integer(number) => number.to_string(),
            Form::Number { raw, .. } | Form::Text { raw: Some(raw), .. } => raw.to_string(),
            Form::Text { text, raw: None } => quote(text),
        }
    }

    /// Whether it refers to nothing.
    pub fn is_null(&self) -> bool {
        matches!(self.0, Form::Null)
    }

    fn meaning(&self) -> Meaning<'_> {
        match &self.0 {
            Form::Null => Meaning::Null,
            Form::Integer(value) | Form::Number { value: Some(value), .. } => Meaning::Integer(*value),
            Form::Number { value: None, raw } => Meaning::Number(raw),
            Form::Text { text, .. } => Meaning::Text(text),
        }
    }
}

fn number(raw: &str) -> Form {
    match raw.parse() {
        Ok(value) if raw != "-0" => Form::Integer(value),
        _ => {
            let double = raw.parse().unwrap_or(f64::NAN);
            let is_integer = double.fract() == 0.0 && double.abs() < EXACT;
            Form::Number { value: is_integer.then_some(double as i64), raw: raw.into() }
        }
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Id) -> bool {
        self.meaning() == other.meaning()
    }
}

impl Eq for Id {}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.meaning().hash(state);
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Id({})", self.json())
    }
}
