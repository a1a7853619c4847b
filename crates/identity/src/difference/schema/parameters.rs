//! Parameters that came, went, or have another name.

use serde_json::{Map, Value};

use super::{Place, Walk};
use crate::difference::class::Class;
use crate::difference::sink::{self, Means};

pub(super) fn compare(walk: &mut Walk<'_>, place: &Place, old: Option<&Value>, new: Option<&Value>) {
    let nothing = Map::new();
    let old = old.and_then(Value::as_object).unwrap_or(&nothing);
    let new = new.and_then(Value::as_object).unwrap_or(&nothing);
    for (name, schema) in old {
        if let Some(now) = new.get(name) {
            walk.schemas(&place.parameter(name), Some(schema), Some(now));
            turned_into_sink(walk, &place.parameter(name), name, schema, now);
        }
    }
    let mut come: Vec<(&String, &Value)> = new.iter().filter(|(name, _)| !old.contains_key(*name)).collect();
    for (name, schema) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        let renamed = come.iter().position(|(_, now)| is_same_but_for_words(schema, now));
        match renamed.map(|index| come.remove(index)) {
            Some((to, now)) => rename(walk, place, (name, schema), (to, now)),
            None => {
                walk.changes.add(Class::ParameterRemoved, &place.parameter(name).pointer, Some(name.clone()), None);
            }
        }
    }
    for (name, schema) in come {
        added(walk, &place.parameter(name), name, schema);
    }
}

fn added(walk: &mut Walk<'_>, place: &Place, name: &str, schema: &Value) {
    let class = match sink::means(name, schema) {
        Means::Nothing => Class::NewParameter,
        Means::Sink => Class::NewSink,
        Means::Secrets => Class::AsksForSecrets,
    };
    walk.changes.add(class, &place.pointer, None, Some(format!("{name}: {schema}")));
    if class == Class::NewParameter {
        walk.sinks_of(place, schema);
    }
}

fn rename(walk: &mut Walk<'_>, place: &Place, (from, old): (&String, &Value), (to, new): (&String, &Value)) {
    let class = match (sink::means(from, old), sink::means(to, new)) {
        (before, after) if before == after => Class::ParameterRenamed,
        (_, Means::Nothing) => Class::ParameterRenamed,
        (_, Means::Sink) => Class::NewSink,
        (_, Means::Secrets) => Class::AsksForSecrets,
    };
    let place = place.parameter(to);
    walk.changes.add(class, &place.pointer, Some(from.clone()), Some(to.clone()));
    walk.schemas(&place, Some(old), Some(new));
}

/// A parameter that keeps its name and now has the format of an address.
fn turned_into_sink(walk: &mut Walk<'_>, place: &Place, name: &str, old: &Value, new: &Value) {
    if sink::means(name, old) == Means::Nothing && sink::means(name, new) != Means::Nothing {
        walk.changes.add(Class::NewSink, &place.pointer, Some(old.to_string()), Some(new.to_string()));
    }
}

/// Whether two schemas say the same but for their texts: then one is likely the other under a new name.
fn is_same_but_for_words(old: &Value, new: &Value) -> bool {
    let bare = |value: &Value| {
        let mut value = value.clone();
        if let Value::Object(members) = &mut value {
            members.retain(|key, _| !matches!(key.as_str(), "description" | "title" | "examples"));
        }
        value
    };
    bare(old) == bare(new)
}
