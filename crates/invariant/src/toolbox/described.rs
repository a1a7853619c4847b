//! Tools as they are described to somebody who does not know them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::{Tool, Toolbox};

/// How deep arguments are looked into.
const DEEPEST: usize = 8;
/// So many letters of a description are told.
const LONGEST: usize = 300;

/// A tool that is connected, in words.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Described {
    /// What the server is called.
    pub server: String,
    /// What the tool is called there.
    pub tool: String,
    /// What its server says that it does.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The names of its arguments, with what is known of their values.
    pub arguments: BTreeMap<String, String>,
    /// Arguments of a plain call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
}

impl Toolbox {
    /// Every tool in words, in the order of their names.
    pub fn described(&self) -> Vec<Described> {
        self.tools().iter().map(|tool| self.describe(tool)).collect()
    }

    /// The names of all arguments, at any depth.
    pub(crate) fn parameters(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for tool in self.tools() {
            names.extend(tool.profile.known_arguments().map(str::to_owned));
            let schema = tool.definition.and_then(|definition| definition.get("inputSchema"));
            schema.into_iter().for_each(|schema| properties(schema, DEEPEST, &mut names));
            self.examples(&tool).iter().for_each(|example| keys(example, DEEPEST, &mut names));
        }
        names
    }

    fn describe(&self, tool: &Tool<'_>) -> Described {
        let description = tool.definition.and_then(|own| own.get("description")).and_then(Value::as_str);
        let own = tool.definition.and_then(|own| own.get("inputSchema")?.get("properties")?.as_object());
        let mut arguments: BTreeMap<String, String> = match own {
            Some(properties) => {
                properties.iter().map(|(name, property)| (name.clone(), summary(property))).collect()
            }
            None => tool.profile.known_arguments().map(|name| (name.to_owned(), String::new())).collect(),
        };
        if tool.definition.is_none() {
            let entry = self.catalogue.server(tool.server);
            for (name, values) in entry.into_iter().flat_map(|entry| entry.values(tool.name)) {
                arguments.insert(name.to_owned(), cut(&format!("one of {}", values.join(", "))));
            }
        }
        Described {
            server: tool.server.to_owned(),
            tool: tool.name.to_owned(),
            description: cut(description.unwrap_or_default()),
            arguments,
            example: self.examples(tool).into_iter().next(),
        }
    }

    /// Arguments of plain calls, where the catalogue has some.
    fn examples(&self, tool: &Tool<'_>) -> Vec<Value> {
        let entry = self.catalogue.server(tool.server).filter(|_| tool.definition.is_none());
        let texts = entry.into_iter().flat_map(|entry| entry.example_arguments(tool.name));
        texts.filter_map(|text| serde_json::from_str(text).ok()).collect()
    }
}

/// What a schema says of an argument, on one line.
fn summary(property: &Value) -> String {
    let text = |key: &str| property.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let values = property.get("enum").and_then(Value::as_array);
    let values = values.map(|values| {
        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        format!("one of {}", texts.join(", "))
    });
    let parts = [text("type"), values.unwrap_or_default(), text("description")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    cut(&parts.join("; "))
}

fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

fn properties(schema: &Value, depth: usize, names: &mut BTreeSet<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        names.insert(name.clone());
        properties(property, depth, names);
    }
    schema.get("items").into_iter().for_each(|items| properties(items, depth, names));
    for key in ["anyOf", "oneOf", "allOf"] {
        let alternatives = schema.get(key).and_then(Value::as_array).into_iter().flatten();
        alternatives.for_each(|one| properties(one, depth, names));
    }
}

fn keys(value: &Value, depth: usize, names: &mut BTreeSet<String>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match value {
        Value::Object(entries) => {
            names.extend(entries.keys().cloned());
            entries.values().for_each(|inner| keys(inner, depth, names));
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, depth, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
