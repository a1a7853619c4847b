//! Rules and invariants, as texts with the story of their life.

use jiff::Timestamp;

use crate::id::{InvariantId, RuleId, SessionId};

/// A rule to be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewRule {
    /// The rule in the language of rules.
    pub text: String,
    /// The session that it ends with.
    pub session: Option<SessionId>,
    /// When it ends; at that time it no longer counts.
    pub expires: Option<Timestamp>,
    /// How often it can be used.
    pub uses: Option<u32>,
    /// Who granted it.
    pub grantor: String,
    /// Why.
    pub reason: String,
}

/// A rule, in force or no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its number.
    pub id: RuleId,
    /// The rule in the language of rules.
    pub text: String,
    /// The session that it ends with.
    pub session: Option<SessionId>,
    /// When it ends; at that time it no longer counts.
    pub expires: Option<Timestamp>,
    /// How often it can still be used.
    pub uses_left: Option<u32>,
    /// Who granted it.
    pub grantor: String,
    /// Why.
    pub reason: String,
    /// When it was added.
    pub created: Timestamp,
    /// When one of its uses was last spent.
    pub last_used: Option<Timestamp>,
    /// When and by whom it was revoked.
    pub revoked: Option<Removal>,
}

/// Who took something away, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
}

/// Which rules are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleFilter {
    /// Those that count in a session at a time: its own and those of no session.
    ActiveIn {
        /// The session.
        session: SessionId,
        /// The time.
        now: Timestamp,
    },
    /// Those that count in any open session at a time.
    Active {
        /// The time.
        now: Timestamp,
    },
    /// All that ever were, in the order in which they were added.
    All,
}

/// A sentence of the user to be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewInvariant {
    /// What the user wrote.
    pub sentence: String,
    /// What it was compiled to.
    pub datalog: String,
    /// Who stated it.
    pub author: String,
}

/// A sentence of the user, in force or no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Its number.
    pub id: InvariantId,
    /// What the user wrote.
    pub sentence: String,
    /// What it was compiled to.
    pub datalog: String,
    /// Who stated it.
    pub author: String,
    /// When it was added.
    pub created: Timestamp,
    /// When and by whom it was removed.
    pub removed: Option<Removal>,
}

/// Which invariants or pins are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Those in force.
    Current,
    /// All that ever were, in the order in which they were added.
    All,
}
