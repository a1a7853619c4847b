//! Parts of state: named bytes of a session or a workspace, which mean nothing to the store.

use crate::id::SessionId;

/// Whose part it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// A session's. It is forgotten when the session ends.
    Session(SessionId),
    /// A workspace's, by the name that session keys have for it. It outlives sessions.
    Workspace(String),
}

/// What a commit writes to, seen from its session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The session itself.
    Session,
    /// The session's workspace.
    Workspace,
}

/// Parts that were written after some version, and the version that they are of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// The version of the whole set. What is never written has version 0.
    pub version: u64,
    /// What was written, in order of names.
    pub written: Vec<Part>,
}

/// One part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The version of the set when it was written last.
    pub version: u64,
    /// What it holds; nothing once it was removed.
    pub content: Option<Vec<u8>>,
}
