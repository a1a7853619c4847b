//! One argument, or something inside of one.

use serde_json::{Map, Value};

use super::super::words::words;
use crate::profile::ArgumentPath;

/// An argument that the schema names.
#[derive(Clone, PartialEq, Debug)]
pub(in super::super) struct Property {
    pub(in super::super) name: String,
    pub(in super::super) words: Vec<String>,
    pub(in super::super) description: String,
    pub(in super::super) kinds: Vec<String>,
    pub(in super::super) format: Option<String>,
    pub(in super::super) values: Vec<Value>,
    pub(in super::super) required: bool,
    /// Whether it is a list of texts or numbers.
    pub(in super::super) is_plain_list: bool,
    /// What it stands in.
    pub(in super::super) within: Within,
    /// Whether something beside it in the same object is the content of a file, which this then names.
    pub(in super::super) is_beside_content: bool,
    /// Whether it is an object of which the schema does not say what is in it.
    pub(super) is_free: bool,
    way: ArgumentPath,
}

/// What a property stands in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Within {
    /// Nothing: it is an argument.
    Call,
    /// An object that does nothing but hold arguments (`params`), so that it is as good as one.
    Wrapper,
    /// An object that is content or a setting; the words of its name.
    Object(Vec<String>),
}

impl Property {
    /// One of which nothing but the name is known.
    pub(super) fn named(name: &str, way: ArgumentPath, within: Within) -> Property {
        Property {
            name: name.to_owned(),
            words: words(name),
            description: String::new(),
            kinds: Vec::new(),
            format: None,
            values: Vec::new(),
            required: false,
            is_plain_list: false,
            within,
            is_beside_content: false,
            is_free: false,
            way,
        }
    }

    /// An argument of which there is nothing but a value.
    pub(super) fn by_value(name: &str, value: &Value) -> Property {
        Property::valued(name, ArgumentPath::top(name), Within::Call, value)
    }

    /// The same for what stands inside of one.
    pub(super) fn valued(name: &str, way: ArgumentPath, within: Within, value: &Value) -> Property {
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
            kinds: vec![kind.to_owned()],
            required: true,
            is_plain_list,
            is_free: true,
            ..Property::named(name, way, within)
        }
    }

    /// Adds what a schema, or one of its alternatives, says.
    pub(super) fn take(&mut self, schema: &Value) {
        self.kinds.extend(texts(schema.get("type")));
        self.format = self.format.take().or_else(|| schema.get("format")?.as_str().map(str::to_owned));
        let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        self.values.extend(listed.chain(schema.get("const")).map(shallow));
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            self.description.push_str(&text.to_lowercase());
        }
    }

    /// Adds what a schema says of the elements, where it is a list.
    pub(super) fn take_items(&mut self, items: &Value) {
        let kinds = texts(items.get("type"));
        self.is_plain_list |=
            kinds.iter().any(|kind| matches!(kind.as_str(), "string" | "integer" | "number"));
        self.format = self.format.take().or_else(|| items.get("format")?.as_str().map(str::to_owned));
    }

    pub(in super::super) fn path(&self) -> ArgumentPath {
        self.way.clone()
    }

    fn is(&self, kinds: &[&str]) -> bool {
        self.kinds.iter().any(|kind| kinds.contains(&kind.as_str()))
    }

    /// Whether it can be a text; a schema that does not say admits one.
    pub(in super::super) fn is_text(&self) -> bool {
        self.kinds.is_empty() || self.is(&["string"])
    }

    /// Whether it can be one text or number.
    pub(in super::super) fn is_plain(&self) -> bool {
        self.is_text() || self.is(&["integer", "number"])
    }

    pub(in super::super) fn is_flag(&self) -> bool {
        self.is(&["boolean"])
    }

    /// Whether it is one object.
    pub(super) fn is_object(&self) -> bool {
        self.is(&["object"]) && !self.is(&["array"])
    }

    /// Whether it can be an object or a list of objects, which may hold anything.
    pub(in super::super) fn is_open(&self) -> bool {
        self.kinds.is_empty() || self.is(&["object"]) || self.is(&["array"]) && !self.is_plain_list
    }

    /// Whether it is a text that is an object in truth: JSON, or the body of a request.
    pub(in super::super) fn is_json_text(&self) -> bool {
        let says_so = self.mentions(&["json"]) || self.words.iter().any(|word| word == "json");
        self.is_text() && self.values.is_empty() && (says_so || is_wrapping(&self.name))
    }

    /// Whether its description has any of the words.
    pub(in super::super) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.description.contains(word))
    }
}

/// Whether an object of this name may be one that does nothing but hold arguments.
pub(super) fn is_wrapping(name: &str) -> bool {
    is_wrapper(name) || matches!(name.to_lowercase().as_str(), "data" | "body" | "payload" | "json")
}

/// Whether an object of this name does nothing but hold arguments.
pub(super) fn is_wrapper(name: &str) -> bool {
    let name = name.to_lowercase().replace(['_', '-'], "");
    let wrappers = [
        "params",
        "parameters",
        "args",
        "arguments",
        "input",
        "inputs",
        "request",
        "requestbody",
        "options",
        "query",
        "queryparams",
        "path",
        "pathparams",
    ];
    wrappers.contains(&name.as_str())
}

/// Whether any of the names of an object says that it is the content of a file.
pub(super) fn have_content<'n>(mut names: impl Iterator<Item = &'n String>) -> bool {
    let is_content = |word: &String| {
        matches!(word.as_str(), "content" | "contents" | "base64" | "data" | "text" | "markdown" | "html")
    };
    names.any(|name| words(name).iter().any(is_content))
}

/// A value that an argument may have, as far as it matters: of lists and objects only that they are there.
fn shallow(value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) => Value::Object(Map::new()),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
