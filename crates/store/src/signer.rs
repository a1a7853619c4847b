//! Keys of those who sign definitions of tools: trusted, or revoked.

use jiff::Timestamp;

use crate::id::SignerId;
use crate::rule::Removal;

/// What is said of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Its signatures count.
    Trusted,
    /// Nothing that it signed may be called.
    Revoked,
}

impl Trust {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Trust::Trusted => "trusted",
            Trust::Revoked => "revoked",
        }
    }
}

/// What is said of a key from now on, in place of what was said of it so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSigner {
    /// Which key, by its thumbprint.
    pub key: String,
    /// The public key itself; empty if only its name is known.
    pub public: String,
    /// What people call its owner.
    pub name: String,
    /// For what it is trusted, as JSON.
    pub allowance: String,
    /// Whether it is trusted.
    pub trust: Trust,
    /// Who says so.
    pub by: String,
}

/// What is or was said of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signer {
    /// Its number.
    pub id: SignerId,
    /// Which key, by its thumbprint.
    pub key: String,
    /// The public key itself; empty if only its name is known.
    pub public: String,
    /// What people call its owner.
    pub name: String,
    /// For what it is trusted, as JSON.
    pub allowance: String,
    /// Whether it is trusted.
    pub trust: Trust,
    /// When that was said.
    pub since: Timestamp,
    /// By whom.
    pub by: String,
    /// When and by whom something else was said.
    pub replaced: Option<Removal>,
}
