//! A tool's definition as a server gives it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::words::words;
use crate::profile::ArgumentPath;

/// How many arguments are looked at; a definition with more is not a tool's.
const MOST_PROPERTIES: usize = 512;
/// The longest name that a tool or an argument has, in bytes.
const LONGEST_NAME: usize = 256;
/// How much of a description is looked at, in bytes: what a tool does, it says at the beginning.
const LONGEST_DESCRIPTION: usize = 4096;

/// What a definition says that perception can use.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// The tool's name.
    pub name: String,
    /// What it says that it does.
    pub description: String,
    pub(super) properties: Vec<Property>,
    /// Whether the schema lists the arguments, be it that there are none.
    lists_arguments: bool,
    /// What it claims of itself.
    pub hints: Hints,
}

/// The claims of a tool about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// Whether it says that it changes nothing.
    pub read_only: Option<bool>,
    /// Whether it says that it may destroy something.
    pub destructive: Option<bool>,
}

impl Hints {
    /// Whether the tool says that it does more than look.
    pub fn claims_change(self) -> bool {
        // A destructive tool that does not say more is what the protocol assumes of every tool.
        self.read_only == Some(false)
    }
}

/// Why a definition is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DefinitionError {
    /// It is no object with a name.
    #[error("a tool's definition is an object with a `name`")]
    NoName,
    /// The schema of its arguments is no object, or has more properties than a tool has.
    #[error("`inputSchema` is no schema of an object")]
    Schema,
    /// A name in it is longer than a name is.
    #[error("the name of a tool or of an argument has at most 256 bytes")]
    LongName,
}

/// An argument that the schema names.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    pub(super) description: String,
    pub(super) kinds: Vec<String>,
    pub(super) format: Option<String>,
    pub(super) values: Vec<Value>,
    pub(super) required: bool,
    /// Whether it is a list of texts or numbers.
    pub(super) is_plain_list: bool,
}

impl Definition {
    /// Reads a definition: the object that a server lists.
    pub fn read(value: &Value) -> Result<Definition, DefinitionError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let name = text("name").filter(|name| !name.is_empty()).ok_or(DefinitionError::NoName)?;
        if name.len() > LONGEST_NAME {
            return Err(DefinitionError::LongName);
        }
        let annotations = value.get("annotations");
        let hint = |key: &str| annotations.and_then(|hints| hints.get(key)).and_then(Value::as_bool);
        let description = text("description").unwrap_or_default();
        let cut = description.floor_char_boundary(LONGEST_DESCRIPTION);
        Ok(Definition {
            name: name.to_owned(),
            description: description.get(..cut).unwrap_or_default().to_owned(),
            properties: properties(value.get("inputSchema"))?,
            lists_arguments: value
                .get("inputSchema")
                .is_some_and(|schema| schema.get("properties").is_some()),
            hints: Hints { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint") },
        })
    }
}

impl Definition {
    /// Whether the schema says nothing of the arguments.
    pub fn lists_nothing(&self) -> bool {
        !self.lists_arguments
    }

    /// Whether the schema lists an argument.
    pub fn lists(&self, argument: &str) -> bool {
        self.properties.iter().any(|property| property.name == argument)
    }

    /// The definition as if its schema listed these arguments too; nothing if it does.
    pub(super) fn with_arguments(&self, arguments: &Value) -> Option<Definition> {
        // A name that is longer than names are stays unknown.
        let is_new = |name: &String| name.len() <= LONGEST_NAME && !self.lists(name);
        let unlisted = arguments.as_object()?.iter().filter(|(name, _)| is_new(name));
        let unlisted: Vec<Property> =
            unlisted.take(MOST_PROPERTIES).map(|(name, value)| Property::by_value(name, value)).collect();
        if unlisted.is_empty() {
            return None;
        }
        let mut complete = self.clone();
        complete.properties.extend(unlisted);
        Some(complete)
    }
}

/// A value that an argument may have, as far as it matters: of lists and objects only that they are there.
fn shallow(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) => Value::Object(Map::new()),
    }
}

fn properties(schema: Option<&Value>) -> Result<Vec<Property>, DefinitionError> {
    let Some(schema) = schema else { return Ok(Vec::new()) };
    let schema = schema.as_object().ok_or(DefinitionError::Schema)?;
    let Some(properties) = schema.get("properties") else { return Ok(Vec::new()) };
    let properties = properties.as_object().ok_or(DefinitionError::Schema)?;
    if properties.len() > MOST_PROPERTIES {
        return Err(DefinitionError::Schema);
    }
    if properties.keys().any(|name| name.len() > LONGEST_NAME) {
        return Err(DefinitionError::LongName);
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: BTreeSet<&str> = required.filter_map(Value::as_str).collect();
    let is_required = |name: &str| required.contains(name);
    Ok(properties.iter().map(|(name, schema)| Property::read(name, schema, is_required(name))).collect())
}

impl Property {
    fn read(name: &str, schema: &Value, required: bool) -> Property {
        let mut property = Property {
            name: name.to_owned(),
            words: words(name),
            description: String::new(),
            kinds: Vec::new(),
            format: None,
            values: Vec::new(),
            required,
            is_plain_list: false,
        };
        property.take(schema);
        for key in ["anyOf", "oneOf", "allOf"] {
            let parts = schema.get(key).and_then(Value::as_array);
            parts.into_iter().flatten().for_each(|part| property.take(part));
        }
        property
    }

    /// An argument of which there is nothing but a value.
    fn by_value(name: &str, value: &Value) -> Property {
        let is_plain = |value: &Value| value.is_string() || value.is_number();
        let (kind, is_plain_list) = match value {
            Value::Null => ("null", false),
            Value::Bool(_) => ("boolean", false),
            Value::Number(_) => ("number", false),
            Value::String(_) => ("string", false),
            Value::Array(values) => ("array", values.iter().all(is_plain)),
            Value::Object(_) => ("object", false),
        };
        Property {
            name: name.to_owned(),
            words: words(name),
            description: String::new(),
            kinds: vec![kind.to_owned()],
            format: None,
            values: Vec::new(),
            required: true,
            is_plain_list,
        }
    }

    /// Adds what a schema, or one of its alternatives, says.
    fn take(&mut self, schema: &Value) {
        let texts = |value: Option<&Value>| -> Vec<String> {
            match value {
                Some(Value::String(text)) => vec![text.clone()],
                Some(Value::Array(values)) => {
                    values.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                _ => Vec::new(),
            }
        };
        self.kinds.extend(texts(schema.get("type")));
        self.format = self.format.take().or_else(|| schema.get("format")?.as_str().map(str::to_owned));
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        self.values.extend(listed.chain(schema.get("const")).map(shallow));
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            self.description.push_str(&text.to_lowercase());
        }
        if let Some(items) = schema.get("items") {
            let kinds = texts(items.get("type"));
            self.is_plain_list |=
                kinds.iter().any(|kind| matches!(kind.as_str(), "string" | "integer" | "number"));
            self.format = self.format.take().or_else(|| items.get("format")?.as_str().map(str::to_owned));
        }
    }

    pub(super) fn path(&self) -> ArgumentPath {
        ArgumentPath::top(&self.name)
    }

    fn is(&self, kinds: &[&str]) -> bool {
        self.kinds.iter().any(|kind| kinds.contains(&kind.as_str()))
    }

    /// Whether it can be a text; a schema that does not say admits one.
    pub(super) fn is_text(&self) -> bool {
        self.kinds.is_empty() || self.is(&["string"])
    }

    /// Whether it can be one text or number.
    pub(super) fn is_plain(&self) -> bool {
        self.is_text() || self.is(&["integer", "number"])
    }

    pub(super) fn is_flag(&self) -> bool {
        self.is(&["boolean"])
    }

    /// Whether it can be an object or a list of objects, which may hold anything.
    pub(super) fn is_open(&self) -> bool {
        self.kinds.is_empty() || self.is(&["object"]) || self.is(&["array"]) && !self.is_plain_list
    }

    /// Whether its description has any of the words.
    pub(super) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.description.contains(word))
    }
}
