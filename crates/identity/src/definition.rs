//! What a tool says it is: its definition as `tools/list` brings it, read strictly and hashed in canonical form.
//!
//! Everything in the object belongs to the definition, fields that nobody knows included. Two things are set aside: the
//! members of `_meta` that the caller names because it judges them itself (a signature), and members that can only be
//! about one message (`progressToken`, `traceparent`), if they have the form that these have. A `_meta` that is empty
//! then is as good as none.

mod parts;
mod texts;

use portcullis_wire::json::{CanonicalError, Document, JsonError, Limits, Node, ValueError, canonical};
use serde_json::{Map, Value};

pub use parts::Part;
pub use texts::{Text, pointer_to};

use crate::hash::ContentHash;

/// How much a definition may be. The largest of a thousand real ones has 20 kB; a host has to show all of it to a model.
pub const LIMITS: Limits = Limits { bytes: 1 << 20, depth: 64, nodes: 50_000 };

/// How long a name may be.
pub const LONGEST_NAME: usize = 256;

/// The definition of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    name: String,
    raw: ContentHash,
    content: ContentHash,
    canonical: String,
    members: Map<String, Value>,
}

/// Why something is no definition of a tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// Not JSON, or more of it than a definition may be.
    #[error("the definition cannot be read: {0}")]
    Json(#[from] JsonError),
    /// A number that has no canonical form.
    #[error("the definition has no canonical form: {0}")]
    Canonical(#[from] CanonicalError),
    /// A number that no value holds.
    #[error("the definition cannot be looked at: {0}")]
    Value(#[from] ValueError),
    /// Something else than an object.
    #[error("the definition has to be an object")]
    NoObject,
    /// No name.
    #[error("the definition has no `name`")]
    NoName,
    /// A name of no letters, or of too many.
    #[error("the name of a tool has 1 to {LONGEST_NAME} bytes")]
    BadName,
    /// A member of another kind than the protocol says.
    #[error("`{member}` has to be {expected}")]
    Kind {
        /// Which.
        member: &'static str,
        /// What it has to be.
        expected: &'static str,
    },
    /// A member that some programs take for another, since they do not tell case.
    #[error("a member differs from `{member}` in case only, and some programs would take it for that")]
    LookAlike {
        /// The member that it looks like.
        member: &'static str,
    },
}

impl Definition {
    /// Reads a definition out of a listing. Of `_meta`, the members named in `aside` are left out.
    ///
    /// # Errors
    /// If it is no definition, is too large, or has numbers that a canonical form would merge.
    pub fn read(node: Node<'_>, aside: &[&str]) -> Result<Definition, DefinitionError> {
        // As a document of its own it has its own limits, and places that count from its own start.
        Definition::parse(node.raw(), aside)
    }

    /// Reads a definition from its text.
    ///
    /// # Errors
    /// As [`Definition::read`].
    pub fn parse(bytes: &[u8], aside: &[&str]) -> Result<Definition, DefinitionError> {
        let document = Document::parse(bytes, &LIMITS)?;
        if !document.root().is_object() {
            return Err(DefinitionError::NoObject);
        }
        // What is set aside has to have a canonical form too: a signature may be over all of it.
        let mut form = canonical(document.root())?;
        let mut members = members_of(&form)?;
        let name = parts::check(&members)?;
        if let parts::Aside::Something = parts::set_aside(&mut members, aside) {
            let rest = serde_json::to_vec(&members).unwrap_or_default();
            form = canonical(Document::parse(rest, &LIMITS)?.root())?;
            members = members_of(&form)?;
        }
        let (raw, content) = (ContentHash::of(bytes), ContentHash::of(&form));
        let canonical = String::from_utf8(form).unwrap_or_default();
        Ok(Definition { name, raw, content, canonical, members })
    }

    /// What the tool is called by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hash of the bytes as they came. Two with the same are the same; two with others may be.
    pub fn raw(&self) -> ContentHash {
        self.raw
    }

    /// The hash of the canonical form: what the tool is known by.
    pub fn content(&self) -> ContentHash {
        self.content
    }

    /// The canonical form (RFC 8785), without what was set aside. Read again, it is the same definition.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// A part of it, if it is there.
    pub fn part(&self, part: &Part) -> Option<&Value> {
        self.members.get(part.key())
    }

    /// The parts that are there, the known ones first.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = self.members.keys().map(|key| Part::of(key)).collect();
        parts.sort();
        parts
    }

    /// All of it.
    pub fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    /// The description, or nothing.
    pub fn description(&self) -> &str {
        self.members.get("description").and_then(Value::as_str).unwrap_or_default()
    }

    /// Every text in it with its place: values that are strings, and keys, the tool's own name left out.
    pub fn texts(&self) -> Vec<Text<'_>> {
        texts::of_members(&self.members)
    }
}

/// The members in canonical order: a map may keep the order that it was filled in, and then texts of equal values differ.
fn members_of(form: &[u8]) -> Result<Map<String, Value>, DefinitionError> {
    match Document::parse(form, &LIMITS)?.root().to_value()? {
        Value::Object(members) => Ok(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(DefinitionError::NoObject)
        }
    }
}
