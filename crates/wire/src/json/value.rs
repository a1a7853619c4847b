//! A node as a value of `serde_json`, or an error where that type would hold something else.

use serde_json::{Number, Value};

use super::{Kind, Node};

/// A number that cannot be held as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the number at byte {at} is too large to be looked at exactly; write it smaller or as a string")]
pub struct ValueError {
    /// Where it stands in the document.
    pub at: usize,
}

impl Node<'_> {
    /// The same as a value. Fractions become the nearest double, as they do for nearly every receiver.
    ///
    /// # Errors
    /// If there is an integer in it beyond 64 bits, or a number beyond all doubles: the receiver may read it exactly,
    /// and what was looked at would not be what is sent.
    pub fn to_value(self) -> Result<Value, ValueError> {
        // It recurses no deeper than a document may be.
        Ok(match self.kind() {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(self.as_bool() == Some(true)),
            Kind::Number => Value::Number(self.to_number()?),
            Kind::String => Value::String(self.as_str().unwrap_or_default().into_owned()),
            Kind::Array => Value::Array(self.items().map(Node::to_value).collect::<Result<_, _>>()?),
            Kind::Object => {
                let member = |(key, value): (std::borrow::Cow<'_, str>, Node<'_>)| {
                    Ok((key.into_owned(), value.to_value()?))
                };
                Value::Object(self.members().map(member).collect::<Result<_, _>>()?)
            }
        })
    }

    fn to_number(self) -> Result<Number, ValueError> {
        let text = self.raw_text();
        let number = match text.contains(['.', 'e', 'E']) || text == "-0" {
            true => text.parse().ok().and_then(Number::from_f64),
            false => self.as_u64().map(Number::from).or_else(|| self.as_i64().map(Number::from)),
        };
        number.ok_or(ValueError { at: self.span().start })
    }
}
