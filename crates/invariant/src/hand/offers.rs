//! What a tool that lists itself offers: the words of its name, what it takes, and which values that may have.

use std::collections::BTreeSet;

use serde_json::Value;

use super::DEEPEST;
use crate::names;

/// A tool by its definition, in words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offer {
    /// The full name.
    pub(crate) tool: String,
    /// The words of its own name.
    pub(crate) words: Vec<String>,
    /// The words of its description.
    pub(crate) described: BTreeSet<String>,
    /// The first word of its description, which mostly says what it does.
    pub(crate) opening: String,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument by its schema.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Argument {
    /// Its name as words.
    pub(crate) name: String,
    pub(crate) sort: Sort,
    /// The values that it may take, as they are written.
    pub(crate) values: Vec<String>,
}

/// What values an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Sort {
    /// Yes or no.
    Flag,
    Number,
    /// A text, or nobody knows.
    #[default]
    Text,
    /// Others that have names of their own.
    Whole,
}

impl Offer {
    pub(super) fn of(server: &str, name: &str, definition: &Value) -> Offer {
        let description = definition.get("description").and_then(Value::as_str).unwrap_or_default();
        let described = words_of(description);
        let opening = described.first().cloned().unwrap_or_default();
        let mut arguments = Vec::new();
        if let Some(schema) = definition.get("inputSchema") {
            collect(schema, DEEPEST, &mut arguments);
        }
        Offer {
            tool: format!("{server}.{name}"),
            words: names::words(name),
            described: described.into_iter().collect(),
            opening,
            arguments,
        }
    }

    /// The argument of this name.
    pub(crate) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| names::stem(&word.to_lowercase())).collect()
}

/// The arguments of a schema, at whatever depth.
fn collect(schema: &Value, depth: usize, found: &mut Vec<Argument>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let mut values = Vec::new();
        choices(property, depth, &mut values);
        let argument = Argument { name: names::joined(name), sort: sort(property), values };
        if !found.contains(&argument) {
            found.push(argument);
        }
        collect(property, depth, found);
    }
    for inner in alternatives(schema).chain(schema.get("items")) {
        collect(inner, depth, found);
    }
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten()
}

/// The values that an argument may take, itself or one by one in a list.
fn choices(schema: &Value, depth: usize, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let texts = values.chain(schema.get("const")).filter_map(Value::as_str);
    found.extend(texts.filter(|text| !text.is_empty()).map(str::to_owned));
    for inner in alternatives(schema).chain(schema.get("items")) {
        choices(inner, depth, found);
    }
}

fn sort(schema: &Value) -> Sort {
    let own = schema.get("type");
    let is = |name: &str| {
        let listed = own.and_then(Value::as_array).into_iter().flatten();
        own.into_iter().chain(listed).any(|own| own.as_str() == Some(name))
    };
    if is("boolean") {
        return Sort::Flag;
    }
    if is("number") || is("integer") {
        return Sort::Number;
    }
    if schema.get("properties").is_some() || is("object") {
        return Sort::Whole;
    }
    let inner = alternatives(schema).map(sort).find(|sort| *sort != Sort::Text);
    inner.unwrap_or_default()
}
