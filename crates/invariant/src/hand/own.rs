//! Tools that list themselves, each with what it says of itself: rules about services that no catalogue knows are read by it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::names;

/// A tool by its own definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnTool {
    /// The name with its server's.
    pub(crate) full: String,
    /// The words of its own name.
    pub(crate) words: Vec<String>,
    /// The words of its description.
    pub(crate) described: BTreeSet<String>,
    pub(crate) arguments: Vec<OwnArgument>,
}

/// An argument of such a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnArgument {
    /// Its name as words.
    pub(crate) name: String,
    pub(crate) described: BTreeSet<String>,
    /// The values that it may take.
    pub(crate) choices: Vec<String>,
    /// Whether it is true or false.
    pub(crate) is_switch: bool,
}

/// How deep arguments are looked into.
const DEEPEST: usize = 6;

impl OwnTool {
    /// What a definition says.
    pub(crate) fn of(server: &str, name: &str, definition: &Value) -> OwnTool {
        let mut arguments = Vec::new();
        if let Some(schema) = definition.get("inputSchema") {
            collect(schema, DEEPEST, &mut arguments);
        }
        let (full, words) = (format!("{server}.{name}"), names::words(name));
        OwnTool { full, words, described: described(definition), arguments }
    }
}

fn described(definition: &Value) -> BTreeSet<String> {
    let text = definition.get("description").and_then(Value::as_str).unwrap_or_default();
    names::words(text).into_iter().collect()
}

fn collect(schema: &Value, depth: usize, found: &mut Vec<OwnArgument>) {
    if depth == 0 {
        return;
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let of_each = property.get("items").unwrap_or(property);
        let choices = of_each.get("enum").and_then(Value::as_array).into_iter().flatten();
        found.push(OwnArgument {
            name: names::words(name).join(" "),
            described: described(property),
            choices: choices.filter_map(Value::as_str).map(str::to_owned).collect(),
            is_switch: property.get("type").and_then(Value::as_str) == Some("boolean"),
        });
        collect(property, depth - 1, found);
    }
    let several = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    for inner in several.flatten().chain(schema.get("items")) {
        collect(inner, depth - 1, found);
    }
}
