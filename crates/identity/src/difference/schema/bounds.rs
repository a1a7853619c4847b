//! Keywords that bound values.

use serde_json::Value;

use super::{Place, Walk, as_texts};
use crate::difference::class::Class;

pub(super) fn compare(
    walk: &mut Walk<'_>,
    place: &Place,
    key: &str,
    old: Option<&Value>,
    new: Option<&Value>,
) {
    match key {
        "enum" | "type" => choices(walk, place, old, new),
        "required" => required(walk, place, old, new),
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" | "minContains" => {
            limit(walk, place, old, new, |old, new| new < old);
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" | "maxContains" => {
            limit(walk, place, old, new, |old, new| new > old);
        }
        "pattern" | "format" | "const" | "multipleOf" | "uniqueItems" | "contentEncoding"
        | "contentMediaType" | "dependentRequired" => match (old, new) {
            (None, _) => walk.changes.add_values(Class::SchemaNarrowed, &place.pointer, old, new),
            // Whether one pattern contains another is not found out: it may.
            _ => walk.widened(place, old, new),
        },
        _ => walk.changes.add_values(Class::SchemaOther, &place.pointer, old, new),
    }
}

/// A set of values or types, one of which may be written without a list.
fn choices(walk: &mut Walk<'_>, place: &Place, old: Option<&Value>, new: Option<&Value>) {
    let set = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let (Some(before), Some(after)) = (old, new) else {
        match new {
            Some(_) => walk.changes.add_values(Class::SchemaNarrowed, &place.pointer, old, new),
            None => walk.widened(place, old, new),
        }
        return;
    };
    let (before, after) = (set(before), set(after));
    let is_nothing = |value: &Value| value.is_null() || value.as_str() == Some("null");
    let (befores, afters) = (as_texts(&before), as_texts(&after));
    let come: Vec<&Value> = after.iter().filter(|value| !befores.contains(&value.to_string())).collect();
    let is_gone = befores.iter().any(|value| !afters.contains(value));
    match (come.is_empty(), is_gone) {
        (true, true) => walk.changes.add_values(Class::SchemaNarrowed, &place.pointer, old, new),
        (true, false) => walk.changes.add_values(Class::SchemaOther, &place.pointer, old, new),
        (false, _) if come.iter().all(|value| is_nothing(value)) => {
            walk.changes.add_values(Class::SchemaWidened, &place.pointer, old, new);
        }
        (false, _) => walk.widened(place, old, new),
    }
}

/// One change for each parameter, since each is another question.
fn required(walk: &mut Walk<'_>, place: &Place, old: Option<&Value>, new: Option<&Value>) {
    let names = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let (before, after) = (names(old), names(new));
    let (befores, afters) = (as_texts(&before), as_texts(&after));
    let count = walk.changes.list.len();
    for name in after.iter().filter(|name| !befores.contains(&name.to_string())) {
        walk.changes.add_values(Class::SchemaNarrowed, &place.pointer, None, Some(name));
    }
    for name in before.iter().filter(|name| !afters.contains(&name.to_string())) {
        walk.changes.add_values(Class::SchemaWidened, &place.pointer, Some(name), None);
    }
    if walk.changes.list.len() == count {
        walk.changes.add_values(Class::Dialect, &place.pointer, old, new);
    }
}

fn limit(
    walk: &mut Walk<'_>,
    place: &Place,
    old: Option<&Value>,
    new: Option<&Value>,
    is_wider: fn(f64, f64) -> bool,
) {
    let class = match (old.and_then(Value::as_f64), new.and_then(Value::as_f64)) {
        (Some(old), Some(new)) if is_wider(old, new) => Class::SchemaWidened,
        (Some(_), None) => Class::SchemaWidened,
        (Some(_), Some(_)) | (None, Some(_)) => Class::SchemaNarrowed,
        (None, None) => Class::SchemaOther,
    };
    walk.changes.add_values(class, &place.pointer, old, new);
}
