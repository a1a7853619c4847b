//! Texts and values without a schema of their own.

use serde_json::Value;

use super::class::Class;
use super::{Changes, spelling};
use crate::definition::pointer_to;

/// A text that people and models read.
pub(super) fn text(pointer: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let says = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let (before, after) = (says(old), says(new));
    let class = match spelling::is_same(&before, &after) {
        true => Class::Spelling,
        false => Class::Wording,
    };
    changes.add_values(class, pointer, old, new);
    changes.destinations(pointer, &before, &after);
}

/// A value of which each part that is another is a change of this class.
pub(super) fn compare(
    class: Class,
    pointer: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Changes,
) {
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let (old, new) = (old.get(key), new.get(key));
                if old != new {
                    compare(class, &pointer_to(pointer, key), old, new, changes);
                }
            }
        }
        _ => changes.add_values(class, pointer, old, new),
    }
}
