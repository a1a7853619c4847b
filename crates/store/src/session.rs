//! Sessions: what an agent host does in a workspace, by however many processes.

use jiff::Timestamp;

use crate::id::SessionId;

/// What makes processes join one session.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SessionKey {
    /// Where the agent works, such as the path of the project.
    pub workspace: String,
    /// The user of the operating system, or the authorised caller.
    pub user: String,
    /// The running host.
    pub host: String,
}

/// A session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// Its name.
    pub id: SessionId,
    /// Who belongs to it.
    pub key: SessionKey,
    /// When it began.
    pub started: Timestamp,
    /// When somebody last did something in it.
    pub last_seen: Timestamp,
    /// Grows with each change of its step or its parts.
    pub version: u64,
    /// How many steps were made.
    pub step: u64,
    /// When it ended, if it has, and why.
    pub ended: Option<End>,
}

/// How a session ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// When.
    pub at: Timestamp,
    /// Why.
    pub why: EndReason,
}

/// Why a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// Somebody said so.
    Command,
    /// Nothing was heard of it for too long.
    Idle,
}

/// Whether a process came first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// It opened what it asked for.
    First,
    /// Somebody else had done so, and it joins.
    Joined,
}

/// Which sessions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionFilter {
    /// Those that have not ended.
    Open,
    /// All that ever were.
    All,
}
