//! The parts of a definition, and which members of `_meta` are none of it.

use std::fmt;

use serde_json::{Map, Value};

use super::{DefinitionError, LONGEST_NAME};

/// A part of a definition. The order is that in which changes are told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// `name`
    Name,
    /// `title`
    Title,
    /// `description`
    Description,
    /// `inputSchema`
    InputSchema,
    /// `outputSchema`
    OutputSchema,
    /// `annotations`
    Annotations,
    /// `execution`
    Execution,
    /// `icons`
    Icons,
    /// `_meta`
    Meta,
    /// A field that no revision of the protocol has.
    Unknown(String),
}

const KNOWN: [(&str, Part); 9] = [
    ("name", Part::Name),
    ("title", Part::Title),
    ("description", Part::Description),
    ("inputSchema", Part::InputSchema),
    ("outputSchema", Part::OutputSchema),
    ("annotations", Part::Annotations),
    ("execution", Part::Execution),
    ("icons", Part::Icons),
    ("_meta", Part::Meta),
];

impl Part {
    /// The part that a key stands for.
    pub fn of(key: &str) -> Part {
        let known = KNOWN.iter().find(|(name, _)| *name == key);
        known.map_or_else(|| Part::Unknown(key.to_owned()), |(_, part)| part.clone())
    }

    /// Its key.
    pub fn key(&self) -> &str {
        match self {
            Part::Name => "name",
            Part::Title => "title",
            Part::Description => "description",
            Part::InputSchema => "inputSchema",
            Part::OutputSchema => "outputSchema",
            Part::Annotations => "annotations",
            Part::Execution => "execution",
            Part::Icons => "icons",
            Part::Meta => "_meta",
            Part::Unknown(key) => key,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.key())
    }
}

/// Whether anything was left out.
pub(super) enum Aside {
    Nothing,
    Something,
}

/// Checks the form of the members that decide, and gives the name.
pub(super) fn check(members: &Map<String, Value>) -> Result<String, DefinitionError> {
    for key in members.keys() {
        let like = KNOWN.iter().find(|(name, _)| key != name && key.eq_ignore_ascii_case(name));
        if let Some((member, _)) = like {
            return Err(DefinitionError::LookAlike { member });
        }
    }
    let name = match members.get("name") {
        Some(Value::String(name)) => name,
        Some(_) => return Err(DefinitionError::Kind { member: "name", expected: "a text" }),
        None => return Err(DefinitionError::NoName),
    };
    if name.is_empty() || name.len() > LONGEST_NAME {
        return Err(DefinitionError::BadName);
    }
    kind(members, "title", "a text", Value::is_string)?;
    kind(members, "description", "a text", Value::is_string)?;
    kind(members, "inputSchema", "an object", Value::is_object)?;
    kind(members, "outputSchema", "an object", Value::is_object)?;
    kind(members, "annotations", "an object", Value::is_object)?;
    kind(members, "execution", "an object", Value::is_object)?;
    kind(members, "icons", "a list", Value::is_array)?;
    kind(members, "_meta", "an object", Value::is_object)?;
    Ok(name.clone())
}

/// Some servers write `null` for what is not there.
fn kind(
    members: &Map<String, Value>,
    member: &'static str,
    expected: &'static str,
    is_kind: fn(&Value) -> bool,
) -> Result<(), DefinitionError> {
    match members.get(member) {
        Some(value) if !value.is_null() && !is_kind(value) => Err(DefinitionError::Kind { member, expected }),
        _ => Ok(()),
    }
}

/// Takes out of `_meta` what is not part of the definition.
pub(super) fn set_aside(members: &mut Map<String, Value>, aside: &[&str]) -> Aside {
    let Some(Value::Object(meta)) = members.get_mut("_meta") else { return Aside::Nothing };
    let before = meta.len();
    meta.retain(|key, value| !aside.contains(&key.as_str()) && !is_of_one_message(key, value));
    let is_as_before = before == meta.len() && before > 0;
    if meta.is_empty() {
        members.remove("_meta");
    }
    if is_as_before { Aside::Nothing } else { Aside::Something }
}

/// What the protocol puts into `_meta` of single messages. Only in their own form: a text that says more is compared.
fn is_of_one_message(key: &str, value: &Value) -> bool {
    match (key, value) {
        ("progressToken", Value::Number(_)) => true,
        ("progressToken", Value::String(token)) => {
            token.len() <= 64 && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        }
        ("traceparent", Value::String(parent)) => {
            let lengths = parent.split('-').map(str::len);
            lengths.eq([2, 32, 16, 2]) && parent.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
        }
        _ => false,
    }
}
