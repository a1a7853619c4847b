//! Conditions on arguments: when a tool does something else.

use std::borrow::Cow;

use serde_json::Value;

use crate::json;

use super::argument::ArgumentPath;
use crate::call::sent_to;

/// A condition on one argument.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// Which one.
    pub argument: ArgumentPath,
    /// What must be so.
    pub test: Test,
}

/// What must be so of an argument.
///
/// Servers read values loosely (`"true"` for `true`), and nobody knows which of them. So `Is` holds for everything that
/// some server may take for the value, and `Not` for everything that some server may not: for such values both hold,
/// and both deeds count.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// It is one of these.
    Is(Vec<Value>),
    /// It is none of these, or left out.
    Not(Vec<Value>),
    /// It is there and not empty.
    Given,
    /// It is left out or empty.
    Absent,
    /// One of these stands somewhere in it, in upper or lower case.
    Has(Vec<String>),
    /// It begins with one of these, white space aside.
    Starts(Vec<String>),
    /// An address stands in it under a key that says that something is sent there.
    Sends,
}

impl Condition {
    /// One that always holds.
    pub(crate) fn always() -> Condition {
        Condition { argument: ArgumentPath::top(""), test: Test::Not(Vec::new()) }
    }

    /// Whether the condition may hold for these arguments.
    pub fn may_hold(&self, arguments: &Value) -> bool {
        let values = self.argument.values(arguments);
        match &self.test {
            Test::Is(wanted) => values.iter().any(|value| wanted.iter().any(|one| resembles(value, one))),
            Test::Not(wanted) => values.is_empty() || values.iter().any(|value| !wanted.contains(value)),
            Test::Given => values.iter().any(|value| !is_empty(value)),
            Test::Absent => values.iter().all(|value| is_empty(value)),
            Test::Has(wanted) => any_text(&values, |text| {
                let text = text.to_lowercase();
                wanted.iter().any(|part| text.contains(&part.to_lowercase()))
            }),
            Test::Sends => values.iter().any(|value| !sent_to(value).is_empty()),
            Test::Starts(wanted) => any_text(&values, |text| {
                wanted.iter().any(|start| text.trim_start().starts_with(start.as_str()))
            }),
        }
    }
}

/// Whether it is so of any text in the values, at any depth.
fn any_text(values: &[Cow<'_, Value>], is_so: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    for value in values {
        json::each_text(value, &mut |text| found |= is_so(text));
    }
    found
}

/// Whether a server that reads loosely may take the one for the other.
fn resembles(value: &Value, wanted: &Value) -> bool {
    if value == wanted {
        return true;
    }
    match wanted {
        Value::Bool(wanted) => truth(value) == Some(*wanted),
        Value::String(wanted) => {
            text(value).is_some_and(|value| value.trim().to_lowercase() == wanted.to_lowercase())
        }
        Value::Number(wanted) => text(value).is_some_and(|value| value.trim() == wanted.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// What a value counts as where truth is wanted; objects and lists count as true in some languages.
fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => {
            let text = text.trim().to_lowercase();
            Some(!matches!(text.as_str(), "" | "false" | "0" | "no" | "off" | "f" | "n" | "none" | "null"))
        }
        Value::Array(_) | Value::Object(_) => Some(true),
        Value::Null => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
