//! Two schemas, keyword by keyword: what is valid now that was not, and the other way round.
//!
//! A schema is gone through by its places, not as text, so that order and layout count for nothing. What a keyword does
//! is told in one direction: widened, narrowed, or neither. Of a parameter by which data leaves, a looser bound on its
//! values is a new way out.

mod bounds;
mod parameters;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::class::Class;
use super::{Changes, sink, values};
use crate::definition::pointer_to;
use crate::suspicion::Weight;

/// Which schema it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Of arguments: by these, data goes to the server.
    Input,
    /// Of answers.
    Output,
}

/// Where in a schema we are.
#[derive(Debug, Clone)]
struct Place {
    pointer: String,
    /// The parameter that we are in, if its name says that data leaves by it.
    sink: Option<String>,
}

impl Place {
    fn below(&self, key: &str) -> Place {
        Place { pointer: pointer_to(&self.pointer, key), sink: self.sink.clone() }
    }

    fn parameter(&self, name: &str, schema: Option<&Value>) -> Place {
        let sink = sink::is_sink(name, schema).then(|| name.to_owned()).or_else(|| self.sink.clone());
        Place { pointer: pointer_to(&self.pointer, name), sink }
    }
}

/// Tells all that differs between two schemas.
pub(super) fn compare(
    pointer: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    side: Side,
    changes: &mut Changes,
) {
    let place = Place { pointer: pointer.to_owned(), sink: None };
    match side {
        Side::Input => Walk { changes }.schemas(&place, old, new),
        Side::Output => {
            let mut found = Changes::default();
            Walk { changes: &mut found }.schemas(&place, old, new);
            // Nothing leaves by an answer, which comes to us; its texts are looked at like all others.
            for change in found.list {
                let is_cosmetic = change.class.weight() == Weight::Cosmetic;
                let class = if is_cosmetic { change.class } else { Class::OutputSchema };
                changes.add(class, &change.pointer, change.old, change.new);
            }
            changes.too_many |= found.too_many;
        }
    }
}

/// What one schema more in a list does.
#[derive(Debug, Clone, Copy)]
enum More {
    Allows,
    Forbids,
}

struct Walk<'c> {
    changes: &'c mut Changes,
}

impl Walk<'_> {
    /// Two schemas, either of which may be absent. Absent and `true` allow everything.
    fn schemas(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        if old == new {
            return;
        }
        match (old, new) {
            (Some(Value::Object(old)), Some(Value::Object(new))) => self.objects(place, old, new),
            (None | Some(Value::Bool(true)), Some(added @ Value::Object(_))) => {
                self.changes.add_values(Class::SchemaNarrowed, &place.pointer, old, new);
                self.sinks_of(place, added);
            }
            (Some(Value::Bool(false)), _) | (_, None | Some(Value::Bool(true))) => {
                self.widened(place, old, new);
                new.into_iter().for_each(|added| self.sinks_of(place, added));
            }
            (_, Some(Value::Bool(false))) => {
                self.changes.add_values(Class::SchemaNarrowed, &place.pointer, old, new);
            }
            _ => self.widened(place, old, new),
        }
    }

    fn objects(&mut self, place: &Place, old: &Map<String, Value>, new: &Map<String, Value>) {
        let added = new.keys().filter(|key| !old.contains_key(*key));
        let keys: Vec<&String> = old.keys().chain(added).collect();
        for key in keys {
            let (before, after) = (old.get(key), new.get(key));
            if before != after {
                self.keyword(place, key, before, after);
            }
        }
    }

    fn keyword(&mut self, place: &Place, key: &str, old: Option<&Value>, new: Option<&Value>) {
        let below = place.below(key);
        match key {
            "properties" => parameters::compare(self, &below, old, new),
            "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                self.named(&below, old, new)
            }
            "items" if both_arrays(old, new) => self.listed(&below, old, new, More::Allows),
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "additionalItems"
            | "unevaluatedItems"
            | "propertyNames"
            | "contains" => self.schemas(&below, old, new),
            "anyOf" | "oneOf" => self.listed(&below, old, new, More::Allows),
            "allOf" | "prefixItems" => self.listed(&below, old, new, More::Forbids),
            "description" | "title" | "$comment" | "markdownDescription" => {
                values::text(&below.pointer, old, new, self.changes);
            }
            "examples" | "example" => values::compare(Class::Wording, &below.pointer, old, new, self.changes),
            "$schema" | "$id" | "$anchor" | "deprecated" | "readOnly" | "writeOnly" => {
                self.changes.add_values(Class::Dialect, &below.pointer, old, new);
            }
            "$ref" | "$dynamicRef" => self.reference(&below, old, new),
            "default" => self.default(&below, old, new),
            _ => bounds::compare(self, &below, key, old, new),
        }
    }

    /// Schemas by name that are no parameters.
    fn named(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let nothing = Map::new();
        let old = old.and_then(Value::as_object).unwrap_or(&nothing);
        let new = new.and_then(Value::as_object).unwrap_or(&nothing);
        let added = new.keys().filter(|key| !old.contains_key(*key));
        for key in old.keys().chain(added) {
            let place = place.parameter(key, new.get(key));
            match (old.get(key), new.get(key)) {
                (None, Some(schema)) => {
                    self.changes.add_values(Class::SchemaOther, &place.pointer, None, Some(schema));
                    self.sinks_of(&place, schema);
                }
                (Some(schema), None) => {
                    self.changes.add_values(Class::SchemaOther, &place.pointer, Some(schema), None);
                }
                (old, new) => self.schemas(&place, old, new),
            }
        }
    }

    /// Schemas in a list: those that are in both are left out, the others are compared in their order.
    fn listed(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>, more: More) {
        let items = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let (old, new) = (items(old), items(new));
        let (olds, news) = (as_texts(&old), as_texts(&new));
        let gone: Vec<_> =
            old.iter().enumerate().filter(|(_, item)| !news.contains(&item.to_string())).collect();
        let come: Vec<_> =
            new.iter().enumerate().filter(|(_, item)| !olds.contains(&item.to_string())).collect();
        if gone.is_empty() && come.is_empty() {
            self.changes.add(Class::SchemaOther, &place.pointer, None, None);
        }
        let most = gone.len().max(come.len());
        for index in 0..most {
            match (gone.get(index), come.get(index)) {
                (Some((_, old)), Some((at, new))) => {
                    self.schemas(&place.below(&at.to_string()), Some(old), Some(new));
                }
                (None, Some((at, new))) => self.one_more(&place.below(&at.to_string()), more, new),
                (Some((at, old)), None) => self.one_less(&place.below(&at.to_string()), more, old),
                (None, None) => {}
            }
        }
    }

    fn one_more(&mut self, place: &Place, more: More, added: &Value) {
        // That a parameter may also be left empty opens nothing.
        let is_nothing = added.get("type").and_then(Value::as_str) == Some("null");
        match more {
            More::Allows if !is_nothing => self.widened(place, None, Some(added)),
            More::Allows => self.changes.add_values(Class::SchemaWidened, &place.pointer, None, Some(added)),
            More::Forbids => {
                self.changes.add_values(Class::SchemaNarrowed, &place.pointer, None, Some(added))
            }
        }
        self.sinks_of(place, added);
    }

    fn one_less(&mut self, place: &Place, more: More, gone: &Value) {
        match more {
            More::Allows => self.changes.add_values(Class::SchemaNarrowed, &place.pointer, Some(gone), None),
            More::Forbids => self.widened(place, Some(gone), None),
        }
    }

    /// A looser bound; on a parameter by which data leaves, a new way out.
    fn widened(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let class = if place.sink.is_some() { Class::NewSink } else { Class::SchemaWidened };
        self.changes.add_values(class, &place.pointer, old, new);
    }

    /// Parameters inside of something that was added as a whole.
    fn sinks_of(&mut self, place: &Place, schema: &Value) {
        if let Some((pointer, means)) = sink::first_below(&place.pointer, schema) {
            let class = if means == sink::Means::Secrets { Class::AsksForSecrets } else { Class::NewSink };
            let name = pointer.rsplit('/').next().unwrap_or_default().to_owned();
            self.changes.add(class, &pointer, None, Some(name));
        }
    }

    /// Where a schema is fetched from is a place that learns of it, and that decides what is valid.
    fn reference(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let is_far = new.and_then(Value::as_str).is_some_and(|target| !target.starts_with('#'));
        let class = if is_far { Class::NewSink } else { Class::SchemaOther };
        self.changes.add_values(class, &place.pointer, old, new);
    }

    /// What is sent if nobody says anything.
    fn default(&mut self, place: &Place, old: Option<&Value>, new: Option<&Value>) {
        let text = new.and_then(Value::as_str).unwrap_or_default();
        let is_address = text.contains("://") || text.contains('@');
        let is_said =
            new.is_some_and(|value| !value.is_null() && value.as_str() != Some("") && !value.is_boolean());
        let class = match is_address || place.sink.is_some() && is_said {
            true => Class::NewSink,
            false => Class::Default,
        };
        self.changes.add_values(class, &place.pointer, old, new);
    }
}

/// Values as a set; lists may be long, so that comparing each with each would take long.
fn as_texts(values: &[Value]) -> BTreeSet<String> {
    values.iter().map(Value::to_string).collect()
}

fn both_arrays(old: Option<&Value>, new: Option<&Value>) -> bool {
    old.is_some_and(Value::is_array) && new.is_some_and(Value::is_array)
}
