//! What stands inside arguments of which the schema does not tell: only the values do.

use serde_json::Value;

use super::super::vocabulary::{Vocabulary, has_any};
use super::super::words::words;
use super::property::{Property, Within, have_content, is_wrapper, is_wrapping};
use super::{LONGEST_NAME, MOST_PROPERTIES};
use crate::json;
use crate::profile::ArgumentPath;

/// So deep are values followed.
const DEEPEST: usize = 8;
/// So many values are looked at.
const MOST_VALUES: usize = 2048;

/// What the values of arguments that may hold anything tell: what has a name that says what it is for. Nothing if no name
/// does, which is nearly always.
pub(super) fn told_by<'p>(
    properties: impl Iterator<Item = &'p Property>,
    arguments: &Value,
) -> Vec<Property> {
    let Some(vocabulary) = Vocabulary::get() else { return Vec::new() };
    let mut looking = Looking { vocabulary, found: Vec::new(), left: MOST_VALUES, tells: false };
    for property in properties.filter(|property| property.is_free || property.is_json_text()) {
        for value in property.path().values(arguments) {
            let decoded = decoded(property, &value);
            if !property.is_free && decoded.is_none() {
                continue;
            }
            let wraps = match &property.within {
                Within::Call => is_wrapping(&property.name),
                Within::Wrapper => is_wrapper(&property.name),
                Within::Object(_) => false,
            };
            let within = if wraps { Within::Wrapper } else { Within::Object(property.words.clone()) };
            looking.go_in(&property.path(), decoded.as_ref().unwrap_or(&value), &within, DEEPEST);
        }
    }
    if looking.tells { looking.found } else { Vec::new() }
}

/// The object or list in a text that is JSON.
fn decoded(property: &Property, value: &Value) -> Option<Value> {
    let text = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[']))?;
    if property.is_json_text() { json::strict(text).ok() } else { None }
}

struct Looking {
    vocabulary: &'static Vocabulary,
    found: Vec<Property>,
    left: usize,
    /// Whether any name says something.
    tells: bool,
}

impl Looking {
    fn go_in(&mut self, way: &ArgumentPath, value: &Value, within: &Within, depth: usize) {
        match value {
            Value::Object(entries) if depth > 0 => {
                let has_content = have_content(entries.keys());
                let from = self.found.len();
                for (name, value) in entries {
                    self.entry(way, name, value, within, depth);
                }
                for property in self.found.iter_mut().skip(from).filter(|one| one.within == *within) {
                    property.is_beside_content |= has_content;
                }
            }
            Value::Array(values) if depth > 0 => {
                for value in values {
                    if self.left == 0 {
                        return;
                    }
                    self.left -= 1;
                    self.go_in(way, value, within, depth - 1);
                }
            }
            Value::Object(_)
            | Value::Array(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_) => {}
        }
    }

    fn entry(&mut self, way: &ArgumentPath, name: &str, value: &Value, within: &Within, depth: usize) {
        if self.left == 0 || self.found.len() >= MOST_PROPERTIES || name.len() > LONGEST_NAME {
            return;
        }
        self.left -= 1;
        let way = way.clone().key(name);
        let inside = match within {
            Within::Wrapper if is_wrapper(name) => Within::Wrapper,
            Within::Call | Within::Wrapper | Within::Object(_) => Within::Object(words(name)),
        };
        self.go_in(&way, value, &inside, depth - 1);
        let property = Property::valued(name, way, within.clone(), value);
        // Elements of a list have the same keys, and a way goes to all of them.
        let is_again = |one: &Property| one.name == property.name && one.path() == property.path();
        if !self.found.iter().any(is_again) {
            self.tells |= self.says_something(&property);
            self.found.push(property);
        }
    }

    fn says_something(&self, property: &Property) -> bool {
        let names = &self.vocabulary.arguments;
        let lists = [
            &names.path,
            &names.path_in,
            &names.url,
            &names.hook,
            &names.mail,
            &names.phone,
            &names.command,
            &names.code,
            &names.sql,
            &names.sql_maybe,
            &names.public,
            &names.gone,
        ];
        lists.iter().any(|list| has_any(list, &property.words))
    }
}
