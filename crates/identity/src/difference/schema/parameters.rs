//! Parameters that came, went, or have another name.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Place, Walk};
use crate::difference::class::Class;
use crate::difference::sink::{self, Means};

pub(super) fn compare(walk: &mut Walk<'_>, place: &Place, old: Option<&Value>, new: Option<&Value>) {
    let nothing = Map::new();
    let old = old.and_then(Value::as_object).unwrap_or(&nothing);
    let new = new.and_then(Value::as_object).unwrap_or(&nothing);
    for (name, schema) in old {
        if let Some(now) = new.get(name).filter(|now| *now != schema) {
            walk.schemas(&place.parameter(name, Some(now)), Some(schema), Some(now));
            turned_into_sink(walk, &place.parameter(name, Some(now)), name, schema, now);
        }
    }
    let mut come: BTreeMap<&String, &Value> =
        new.iter().filter(|(name, _)| !old.contains_key(*name)).collect();
    let mut by_form: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    come.iter().for_each(|(name, schema)| by_form.entry(form(schema)).or_default().push(name));
    for (name, schema) in old.iter().filter(|(name, _)| !new.contains_key(*name)) {
        let renamed = by_form.get_mut(&form(schema)).and_then(Vec::pop);
        match renamed.and_then(|to| come.remove_entry(to)) {
            Some((to, now)) => rename(walk, place, (name, schema), (to, now)),
            None => {
                walk.changes.add(
                    Class::ParameterRemoved,
                    &place.parameter(name, None).pointer,
                    Some(name.clone()),
                    None,
                );
            }
        }
    }
    for (name, schema) in come {
        added(walk, &place.parameter(name, Some(schema)), name, schema);
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
    let place = place.parameter(to, Some(new));
    walk.changes.add(class, &place.pointer, Some(from.clone()), Some(to.clone()));
    walk.schemas(&place, Some(old), Some(new));
}

/// A parameter that keeps its name and now has the format of an address.
fn turned_into_sink(walk: &mut Walk<'_>, place: &Place, name: &str, old: &Value, new: &Value) {
    if sink::means(name, old) == Means::Nothing && sink::means(name, new) != Means::Nothing {
        walk.changes.add(Class::NewSink, &place.pointer, Some(old.to_string()), Some(new.to_string()));
    }
}

/// A schema without its texts: two parameters of the same form are likely one, under a new name.
fn form(schema: &Value) -> String {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.retain(|key, _| !matches!(key.as_str(), "description" | "title" | "examples"));
    }
    schema.to_string()
}
