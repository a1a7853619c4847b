//! Where in a call's arguments a value is: `path`, `edits[].newText`, `parent.page_id`.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::derive::name_words;
use crate::json;

/// A way to values in the arguments of a call.
///
/// `a.b` goes into objects, `[]` to every element of a list. Texts that are JSON are read where the way goes on inside
/// them, a single value stands for a list of one, and a list for each of its elements: many servers take both.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArgumentPath {
    steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Step {
    Key(Box<str>),
    Each,
}

impl ArgumentPath {
    /// Reads a way such as `attendees[].email`. An empty key is refused.
    pub fn parse(text: &str) -> Option<ArgumentPath> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let key = part.trim_end_matches("[]");
            if key.is_empty() || key.contains(['[', ']']) {
                return None;
            }
            steps.push(Step::Key(key.into()));
            steps.extend((0..(part.len() - key.len()) / 2).map(|_| Step::Each));
        }
        Some(ArgumentPath { steps })
    }

    /// The way to an argument at the top level, whatever letters its name has.
    pub fn top(name: &str) -> ArgumentPath {
        ArgumentPath { steps: vec![Step::Key(name.into())] }
    }

    /// The way that goes on into a key.
    pub fn key(mut self, name: &str) -> ArgumentPath {
        self.steps.push(Step::Key(name.into()));
        self
    }

    /// The way that goes on to every element.
    pub fn each(mut self) -> ArgumentPath {
        self.steps.push(Step::Each);
        self
    }

    /// The argument at the top level.
    pub fn root(&self) -> Option<&str> {
        match self.steps.first()? {
            Step::Key(key) => Some(key),
            Step::Each => None,
        }
    }

    /// The words of the name that the way ends at: `issue` and `id` for `fields.issueId`.
    pub(crate) fn last_words(&self) -> Vec<String> {
        let key = self.steps.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key),
            Step::Each => None,
        });
        key.map(|key| name_words(key)).unwrap_or_default()
    }

    /// Whether the way ends at an argument of the top level.
    pub fn is_top(&self) -> bool {
        self.steps.len() == 1
    }

    /// The values there, nulls left out. A text or number where the way should go on is given as it is, so that whoever
    /// wants the value finds something that is not what it expects, rather than nothing.
    pub fn values<'v>(&self, arguments: &'v Value) -> Vec<Cow<'v, Value>> {
        // Nearly every way is one key long, and nearly all arguments are an object.
        if let ([Step::Key(key)], Value::Object(entries)) = (self.steps.as_slice(), arguments) {
            let value = entries.get(&**key).filter(|value| !value.is_null());
            return value.map(Cow::Borrowed).into_iter().collect();
        }
        let mut values = vec![Cow::Borrowed(arguments)];
        for step in &self.steps {
            values = values.into_iter().flat_map(|value| go(step, value)).collect();
        }
        values.retain(|value| !value.is_null());
        values
    }
}

fn go<'v>(step: &Step, value: Cow<'v, Value>) -> Vec<Cow<'v, Value>> {
    let value = match (&*value, step) {
        (Value::String(text), _) if text.trim_start().starts_with(['{', '[']) => match json::strict(text) {
            Ok(inner) => Cow::Owned(inner),
            Err(_) => return vec![value],
        },
        _ => value,
    };
    match step {
        Step::Each => elements(value),
        Step::Key(key) if value.is_array() => {
            elements(value).into_iter().filter_map(|element| member(element, key)).collect()
        }
        Step::Key(key) => member(value, key).into_iter().collect(),
    }
}

fn elements(value: Cow<'_, Value>) -> Vec<Cow<'_, Value>> {
    match value {
        Cow::Borrowed(Value::Array(values)) => values.iter().map(Cow::Borrowed).collect(),
        Cow::Owned(Value::Array(values)) => values.into_iter().map(Cow::Owned).collect(),
        single @ (Cow::Borrowed(_) | Cow::Owned(_)) => vec![single],
    }
}

fn member<'v>(value: Cow<'v, Value>, key: &str) -> Option<Cow<'v, Value>> {
    if value.is_array() || value.is_null() {
        return None;
    }
    match value {
        Cow::Borrowed(Value::Object(object)) => object.get(key).map(Cow::Borrowed),
        Cow::Owned(Value::Object(mut object)) => object.remove(key).map(Cow::Owned),
        single @ (Cow::Borrowed(_) | Cow::Owned(_)) => Some(single),
    }
}

impl fmt::Display for ArgumentPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            match step {
                Step::Key(key) if number == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Each => f.write_str("[]")?,
            }
        }
        Ok(())
    }
}
