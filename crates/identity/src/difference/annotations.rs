//! Hints about what a tool does, and towards which side one was turned.

use serde_json::{Map, Value};

use super::class::Class;
use super::{Changes, values};
use crate::definition::pointer_to;

/// The hints, and the value of each that claims safety.
const HINTS: [(&str, bool); 4] =
    [("readOnlyHint", true), ("destructiveHint", false), ("openWorldHint", false), ("idempotentHint", true)];

pub(super) fn compare(pointer: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let nothing = Map::new();
    let members = |value: Option<&'_ Value>| {
        value.and_then(Value::as_object).cloned().unwrap_or_else(|| nothing.clone())
    };
    let (old_members, new_members) = (members(old), members(new));
    let added = new_members.keys().filter(|key| !old_members.contains_key(*key));
    let mut is_told = false;
    for key in old_members.keys().chain(added) {
        let (old, new) = (old_members.get(key), new_members.get(key));
        if old == new {
            continue;
        }
        is_told = true;
        let pointer = pointer_to(pointer, key);
        match HINTS.iter().find(|(name, _)| name == key) {
            Some((name, safe)) => changes.add_values(turned(name, *safe, old, new), &pointer, old, new),
            None if key == "title" => values::text(&pointer, old, new, changes),
            None => values::compare(Class::Metadata, &pointer, old, new, changes),
        }
    }
    if !is_told {
        // An empty object has come or gone.
        changes.add_values(Class::Hint, pointer, old, new);
    }
}

fn turned(name: &str, safe: bool, old: Option<&Value>, new: Option<&Value>) -> Class {
    // Some hosts take every value that is not false for true.
    let is_odd = |value: Option<&Value>| value.is_some_and(|value| !value.is_boolean() && !value.is_null());
    if is_odd(new) {
        return Class::HintSafer;
    }
    let claims_safety = |value: Option<&Value>| value.and_then(Value::as_bool).map(|value| value == safe);
    match (claims_safety(old), claims_safety(new)) {
        // That a call can be repeated says nothing about what it does.
        _ if name == "idempotentHint" => Class::Hint,
        (Some(true), Some(false) | None) => Class::HintRiskier,
        (Some(false), Some(true)) => Class::HintSafer,
        (None, _) | (Some(false), Some(false) | None) | (Some(true), Some(true)) => Class::Hint,
    }
}
