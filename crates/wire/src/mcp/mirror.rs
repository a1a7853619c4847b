//! Arguments that a tool wants to have in headers: `x-mcp-header` in its schema.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::json::{Kind, Node};

const ANNOTATION: &str = "x-mcp-header";
/// Members of a schema whose keys are names that the author chose.
const NAME_MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
/// Members of a schema that are values and no schemas.
const VALUES: [&str; 4] = ["default", "const", "enum", "examples"];

/// An argument that goes into a header too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirrored {
    /// The keys that lead to it in the arguments.
    pub path: Vec<String>,
    /// What stands behind `Mcp-Param-`.
    pub header: String,
}

/// An annotation that makes a tool unusable over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MirrorError {
    /// It is no name of a header.
    #[error("`x-mcp-header` has to be the name of a header")]
    Name,
    /// Two arguments want the same header.
    #[error("two arguments have the same `x-mcp-header`")]
    Twice,
    /// The argument is of a kind that does not fit into a header.
    #[error("`x-mcp-header` is for arguments of type string, integer or boolean")]
    Type,
    /// It stands where no argument is.
    #[error("`x-mcp-header` stands where nobody can say which argument is meant")]
    Place,
}

/// The arguments that a tool wants to have in headers, from its `inputSchema`.
///
/// # Errors
/// If one of them cannot be; then the tool must not be offered over HTTP.
pub fn mirrored(schema: Node<'_>) -> Result<Vec<Mirrored>, MirrorError> {
    let mut found = Found::default();
    if schema.get(ANNOTATION).is_some() {
        return Err(MirrorError::Place);
    }
    found.properties(schema)?;
    Ok(found.mirrored)
}

#[derive(Default)]
struct Found {
    mirrored: Vec<Mirrored>,
    /// In lower case, since the case of a header does not count.
    headers: BTreeSet<String>,
    path: Vec<String>,
}

impl Found {
    /// Goes through a schema that is reached by `properties` alone.
    fn properties(&mut self, schema: Node<'_>) -> Result<(), MirrorError> {
        for (key, value) in schema.members() {
            match (&*key, value.kind()) {
                ("properties", Kind::Object) => {
                    for (name, property) in value.members() {
                        self.path.push(name.into_owned());
                        self.property(property)?;
                        self.path.pop();
                    }
                }
                _ => nowhere(&key, value)?,
            }
        }
        Ok(())
    }

    fn property(&mut self, schema: Node<'_>) -> Result<(), MirrorError> {
        if let Some(annotation) = schema.get(ANNOTATION) {
            let header = annotation.as_str().filter(|name| is_token(name)).ok_or(MirrorError::Name)?;
            if !schema.get("type").is_some_and(is_plain) {
                return Err(MirrorError::Type);
            }
            if !self.headers.insert(header.to_ascii_lowercase()) {
                return Err(MirrorError::Twice);
            }
            self.mirrored.push(Mirrored { path: self.path.clone(), header: header.into_owned() });
        }
        self.properties(schema)
    }
}

/// There is no annotation in what a member of a schema holds.
fn nowhere(key: &str, value: Node<'_>) -> Result<(), MirrorError> {
    // The depth of a document bounds the recursion.
    if VALUES.contains(&key) {
        return Ok(());
    }
    let in_schema = |schema: Node<'_>| match schema.get(ANNOTATION) {
        Some(_) => Err(MirrorError::Place),
        None => schema.members().try_for_each(|(key, value)| nowhere(&key, value)),
    };
    match value.kind() {
        Kind::Object if NAME_MAPS.contains(&key) => {
            value.members().try_for_each(|(_, schema)| in_schema(schema))
        }
        Kind::Object => in_schema(value),
        Kind::Array => value.items().try_for_each(|item| nowhere("", item)),
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => Ok(()),
    }
}

/// Whether a `type` says string, integer or boolean, or one of them or null.
fn is_plain(node: Node<'_>) -> bool {
    let says = |node: Node<'_>, types: &[&str]| {
        node.as_str().is_some_and(|name: Cow<'_, str>| types.contains(&&*name))
    };
    let plain = ["string", "integer", "boolean"];
    match node.kind() {
        Kind::Array => {
            node.items().all(|item| says(item, &["string", "integer", "boolean", "null"]))
                && node.items().any(|item| says(item, &plain))
        }
        Kind::Null | Kind::Bool | Kind::Number | Kind::String | Kind::Object => says(node, &plain),
    }
}

/// Whether it can be a part of the name of a header.
fn is_token(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_allowed)
}
