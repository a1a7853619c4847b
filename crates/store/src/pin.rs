//! Pins: the definitions of tools that were approved. Sights: those that servers have listed, approved or not.

use jiff::Timestamp;

use crate::digest::Digest;
use crate::id::PinId;
use crate::rule::Removal;

/// Which tool.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ToolKey {
    /// The server, as it was started and not as it calls itself.
    pub server: String,
    /// The tool's name there.
    pub tool: String,
}

/// A definition to be pinned. It takes the place of the one that is pinned so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPin {
    /// Which tool.
    pub key: ToolKey,
    /// The hash of its definition.
    pub hash: Digest,
    /// The definition in its canonical form.
    pub definition: String,
    /// A word for how it stands, such as `pinned`, `verified` or `blocked`.
    pub state: String,
    /// What it was approved with, as JSON: how it was signed, and which server listed it.
    pub particulars: String,
    /// Who approved it.
    pub approver: String,
}

/// A definition that is or was pinned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pin {
    /// Its number.
    pub id: PinId,
    /// Which tool.
    pub key: ToolKey,
    /// The hash of its definition.
    pub hash: Digest,
    /// The definition in its canonical form.
    pub definition: String,
    /// A word for how it stands, such as `pinned`, `verified` or `blocked`.
    pub state: String,
    /// What it was approved with, as JSON.
    pub particulars: String,
    /// When it was approved.
    pub approved: Timestamp,
    /// By whom.
    pub approver: String,
    /// When and by whom it was replaced or taken away.
    pub replaced: Option<Removal>,
}

/// A definition that a server lists now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSight {
    /// The tool's name.
    pub tool: String,
    /// The hash of its definition.
    pub hash: Digest,
    /// The definition, as it came.
    pub definition: String,
    /// How it came, as JSON: by which server, signed how.
    pub particulars: String,
}

/// A definition that a server lists or listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// Which tool.
    pub key: ToolKey,
    /// The hash of its definition.
    pub hash: Digest,
    /// The definition, as it came.
    pub definition: String,
    /// How it came, as JSON.
    pub particulars: String,
    /// When it was seen first.
    pub first_seen: Timestamp,
    /// When it was seen last.
    pub last_seen: Timestamp,
    /// Whether it was in the last list of its server.
    pub is_listed: bool,
}

/// So many definitions are kept of one tool, the newest.
pub const MOST_SIGHTS: usize = 32;
/// So many tools of one server are kept.
pub const MOST_TOOLS: usize = 4096;
