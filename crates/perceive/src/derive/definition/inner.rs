//! What stands inside arguments of which the schema does not tell: only the values do.

use serde_json::Value;

use super::super::vocabulary::{Vocabulary, has_any};
use super::super::words::words;
use super::property::{Property, Within, have_content, is_wrapper, is_wrapping};
use super::{LONGEST_NAME, MOST_PROPERTIES};
use crate::json;
use crate::profile::ArgumentPath;

/// So deep are values followed.
const DEEPEST: usize = 32;
/// So many values are looked at.
const MOST_VALUES: usize = 8 * 1024;

/// What the values of a call tell of arguments that may hold anything.
#[derive(Default)]
pub(in super::super) struct Told {
    /// What has a name that says what it is for; nearly always nothing.
    pub(in super::super) properties: Vec<Property>,
    /// Whether there is more than is looked at.
    pub(in super::super) is_cut: bool,
}

/// Looks through the values of these properties, as far as the schema does not tell what is in them.
pub(super) fn told_by<'p>(properties: impl Iterator<Item = &'p Property>, arguments: &Value) -> Told {
    let Some(vocabulary) = Vocabulary::get() else { return Told::default() };
    let mut looking = Looking { vocabulary, told: Told::default(), left: MOST_VALUES };
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
    looking.told
}

/// The object or list in a text that is JSON.
fn decoded(property: &Property, value: &Value) -> Option<Value> {
    let text = value.as_str().filter(|text| text.trim_start().starts_with(['{', '[']))?;
    if property.is_json_text() { json::strict(text).ok() } else { None }
}

struct Looking {
    vocabulary: &'static Vocabulary,
    told: Told,
    left: usize,
}

impl Looking {
    fn go_in(&mut self, way: &ArgumentPath, value: &Value, within: &Within, depth: usize) {
        let size = match value {
            Value::Object(entries) => entries.len(),
            Value::Array(values) => values.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        };
        if size == 0 {
            return;
        }
        if depth == 0 || self.left < size {
            self.told.is_cut = true;
            return;
        }
        self.left -= size;
        match value {
            Value::Object(entries) => {
                let has_content = have_content(entries.keys());
                let from = self.told.properties.len();
                for (name, value) in entries {
                    self.entry(way, name, value, within, depth);
                }
                let new = self.told.properties.iter_mut().skip(from);
                for property in new.filter(|one| one.within == *within) {
                    property.is_beside_content |= has_content;
                }
            }
            Value::Array(values) => {
                values.iter().for_each(|value| self.go_in(way, value, within, depth - 1));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn entry(&mut self, way: &ArgumentPath, name: &str, value: &Value, within: &Within, depth: usize) {
        if name.len() > LONGEST_NAME {
            return;
        }
        let way = way.clone().key(name);
        let words = words(name);
        let tells = self.says_something(&words);
        if value.is_object() || value.is_array() {
            let inside = match within {
                Within::Wrapper if is_wrapper(name) => Within::Wrapper,
                Within::Call | Within::Wrapper | Within::Object(_) => Within::Object(words),
            };
            self.go_in(&way, value, &inside, depth - 1);
        }
        if !tells {
            return;
        }
        let property = Property::valued(name, way, within.clone(), value);
        // Elements of a list have the same keys, and a way goes to all of them.
        let is_again = |one: &Property| one.name == property.name && one.path() == property.path();
        match self.told.properties.len() < MOST_PROPERTIES {
            true if self.told.properties.iter().any(is_again) => {}
            true => self.told.properties.push(property),
            false => self.told.is_cut = true,
        }
    }

    fn says_something(&self, words: &[String]) -> bool {
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
        lists.iter().any(|list| has_any(list, words))
    }
}
