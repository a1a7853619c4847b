//! Pins: the definition of a tool that was approved.

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
    /// A word for how it stands, such as `pinned` or `verified`.
    pub state: String,
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
    /// A word for how it stands, such as `pinned` or `verified`.
    pub state: String,
    /// When it was approved.
    pub approved: Timestamp,
    /// By whom.
    pub approver: String,
    /// When and by whom it was replaced or taken away.
    pub replaced: Option<Removal>,
}
