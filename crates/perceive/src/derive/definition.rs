//! A tool's definition as a server gives it.

mod inner;
mod property;
mod schema;

use serde_json::Value;

pub(super) use inner::Told;
pub(super) use property::{Property, Within};

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
    /// The arguments.
    pub(super) properties: Vec<Property>,
    /// What stands inside arguments that are objects or lists of them, as far as the schema tells.
    pub(super) inner: Vec<Property>,
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
        let arguments = schema::arguments(value.get("inputSchema"))?;
        Ok(Definition {
            name: name.to_owned(),
            description: description.get(..cut).unwrap_or_default().to_owned(),
            properties: arguments.properties,
            inner: arguments.inner,
            lists_arguments: arguments.lists,
            hints: Hints { read_only: hint("readOnlyHint"), destructive: hint("destructiveHint") },
        })
    }

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
        complete.inner.extend(inner::told_by(unlisted.iter(), arguments).properties);
        complete.properties.extend(unlisted);
        Some(complete)
    }

    /// What the values of a call tell of arguments that may hold anything.
    pub(super) fn insides(&self, arguments: &Value) -> Told {
        inner::told_by(self.properties.iter().chain(&self.inner), arguments)
    }

    /// The definition as if its schema listed this, too.
    pub(super) fn with_insides(&self, told: Vec<Property>) -> Definition {
        let mut complete = self.clone();
        complete.inner.extend(told);
        complete
    }
}
