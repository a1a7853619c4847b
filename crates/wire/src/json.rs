//! JSON as it crosses the wire: read strictly, in one pass and without recursion, and kept byte for byte.
//!
//! What two programs could read differently is refused: a key that an object has twice (at any depth, however it is
//! escaped), text that is no UTF-8, half a surrogate pair, a byte order mark, anything behind the value. So the value
//! that is judged is the value that the receiver of the same bytes sees.

mod canonical;
mod error;
mod keys;
mod node;
mod number;
mod parse;
mod string;
mod value;
mod write;

use std::borrow::Cow;
use std::fmt;

pub use canonical::{CanonicalError, canonical, canonical_without};
pub use error::{JsonError, Problem};
pub use node::{Items, Kind, Members, Node};
pub use value::ValueError;
pub use write::{quote, quote_into};

use parse::Parser;

/// No limit lets a document be deeper than this, for values of `serde_json` are dropped by recursion.
pub const DEEPEST: usize = 1000;

/// How much a document may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Arrays and objects inside each other; never more than [`DEEPEST`].
    pub depth: usize,
    /// Values and keys together.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 16 << 20, depth: 128, nodes: 2 << 20 }
    }
}

/// A JSON text that was read, with where everything in it stands.
#[derive(Clone)]
pub struct Document {
    text: String,
    /// Values and keys in the order of the text; the first is the whole.
    tape: Vec<Slot>,
}

/// A value or a key, and where it stands.
#[derive(Debug, Clone, Copy)]
struct Slot {
    start: u32,
    end: u32,
    /// The slot behind this one and all that is in it. While a container is open: the container around it.
    next: u32,
    kind: Kind,
    /// Whether a string has escapes in it, so that its text is not its bytes.
    escaped: bool,
}

impl Document {
    /// Reads a JSON text.
    ///
    /// # Errors
    /// If it is not JSON, is more than the limits allow, or could be read in two ways.
    pub fn parse(bytes: impl Into<Vec<u8>>, limits: &Limits) -> Result<Document, JsonError> {
        let bytes = bytes.into();
        // Positions are kept in 32 bits.
        let most = limits.bytes.min(u32::MAX as usize);
        if bytes.len() > most {
            return Err(JsonError { at: most, problem: Problem::TooLong { limit: most } });
        }
        let text = String::from_utf8(bytes)
            .map_err(|error| JsonError { at: error.utf8_error().valid_up_to(), problem: Problem::NotUtf8 })?;
        let tape = Parser::new(&text, limits).run()?;
        Ok(Document { text, tape })
    }

    /// The whole value.
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }

    /// The text as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes as they came.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The bytes as one line, for a stream of lines. Line breaks can only stand between values, where a space does as
    /// well.
    pub fn line(&self) -> Cow<'_, [u8]> {
        match self.text.contains(['\n', '\r']) {
            true => Cow::Owned(self.text.replace(['\n', '\r'], " ").into_bytes()),
            false => Cow::Borrowed(self.bytes()),
        }
    }

    /// The bytes as they came, without copying them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    fn slot(&self, index: u32) -> Slot {
        // Every index comes from the tape itself.
        self.tape.get(index as usize).copied().unwrap_or(Slot::NOTHING)
    }
}

/// Says how large it is, not what is in it: arguments are nobody's business in a log.
impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Document({} bytes, {} nodes)", self.text.len(), self.tape.len())
    }
}

impl Slot {
    const NOTHING: Slot = Slot { start: 0, end: 0, next: u32::MAX, kind: Kind::Null, escaped: false };
}
