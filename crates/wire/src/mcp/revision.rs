//! The revisions of MCP and the two eras that they fall into.

use std::fmt;

/// A revision of MCP, ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05: standard input and output, HTTP with two endpoints.
    V2024_11_05,
    /// 2025-03-26: streamable HTTP, batches.
    V2025_03_26,
    /// 2025-06-18: structured results, elicitation.
    V2025_06_18,
    /// 2025-11-25: elicitation by URL, tasks.
    V2025_11_25,
    /// 2026-07-28: no sessions.
    V2026_07_28,
}

/// How the two sides know of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// By a handshake, `initialize`, that holds for all that follows.
    Sessions,
    /// By what each request says in its `_meta`.
    Stateless,
}

impl Revision {
    /// All that are known, the oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    /// The newest.
    pub const LATEST: Revision = Revision::V2026_07_28;
    /// The newest with a handshake.
    pub const LATEST_WITH_SESSIONS: Revision = Revision::V2025_11_25;

    /// The revision of this name.
    pub fn of(name: &str) -> Option<Revision> {
        Revision::ALL.into_iter().find(|revision| revision.name() == name)
    }

    /// As it is written in messages.
    pub fn name(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era it falls into.
    pub fn era(self) -> Era {
        match self {
            Revision::V2024_11_05 | Revision::V2025_03_26 | Revision::V2025_06_18 | Revision::V2025_11_25 => {
                Era::Sessions
            }
            Revision::V2026_07_28 => Era::Stateless,
        }
    }

    /// Whether several messages may come in one array.
    pub fn has_batches(self) -> bool {
        self == Revision::V2025_03_26
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
