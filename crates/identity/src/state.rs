//! In which state a tool is: whether what a server lists now is what was approved.
//!
//! [`judge`] looks at a complete listing of one server, all pages of it, against the [`Ledger`] of what was approved. It
//! changes nothing. [`Ledger::note`] keeps what was seen, and for a tool that a trusted signer vouches for, up to which
//! version. Only [`Ledger::approve`] approves, and only exactly what was offered: content, signature and server.

mod evidence;
mod ground;
mod judge;
mod ledger;
mod listing;
mod policy;
mod renamed;

pub use evidence::{Evidence, Evidences, Seal, Vouch};
pub use ground::Ground;
pub use judge::{Judged, Judgement, NotOffered, Offer, judge};
pub use ledger::{Accepted, Acceptor, Entry, Ledger, LedgerError, Seat, Sight};
pub use listing::{Listing, ListingError};
pub use policy::{Callable, Cosmetic, Policy, Reason, Shown, Unverified, callable, shown};

use std::fmt;

use serde::{Deserialize, Serialize};

/// In which state a tool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// A trusted signer vouches for it, and it is no step back.
    Verified,
    /// The user approved it, and it is unchanged.
    Pinned,
    /// Nobody has approved anything of this name.
    New,
    /// It is not what was approved.
    Changed,
    /// It is an older version than was approved.
    Downgraded,
    /// It is not one definition that can be read, or its signature is wrong.
    Invalid,
    /// It passes for another server's tool.
    Squatting,
    /// The user blocked it, or whoever vouched for it took that back.
    Revoked,
}

impl fmt::Display for Standing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Standing::Verified => "verified",
            Standing::Pinned => "pinned",
            Standing::New => "new",
            Standing::Changed => "changed",
            Standing::Downgraded => "downgraded",
            Standing::Invalid => "invalid",
            Standing::Squatting => "squatting",
            Standing::Revoked => "revoked",
        })
    }
}
