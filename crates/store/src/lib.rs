//! What Portcullis keeps: sessions and their state, rules, invariants, pins of tools and who is trusted to vouch for them,
//! questions and approvals, and an audit log in which every entry contains the hash of the one before.
//!
//! [`Store`] is what every backend offers, [`SqliteStore`] the one in a file. Every change is a [`Commit`]: entries of the
//! log together with the changes that they tell of, written as a whole or not at all, and only if the versions are
//! still current that the decision was made on.
//!
//! ```
//! use jiff::{SignedDuration, Timestamp};
//! use portcullis_store::{Change, Commit, CommitError, NewEntry, Options, SessionKey, SqliteStore, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let store = SqliteStore::open(&folder.path().join("store.db"), Options::default())?;
//! let now = Timestamp::UNIX_EPOCH; // the caller says what time it is
//! let key = SessionKey { workspace: "/home/u/p".into(), user: "u".into(), host: "editor".into() };
//! let (session, _) = store.join(key, SignedDuration::from_hours(8), now)?;
//!
//! let versions = store.versions(session.id)?.unwrap();
//! let verdict = || -> Result<Commit, Box<dyn std::error::Error>> {
//!     let entry = NewEntry::new("verdict", r#"{"decision":"permit","tool":"read_file"}"#)?;
//!     Ok(Commit::at(now)
//!         .in_session(session.id)
//!         .expecting(versions.into())
//!         .entry(entry)
//!         .change(Change::NextStep))
//! };
//! let committed = store.commit(verdict()?)?;
//! assert_eq!((committed.step, committed.entries[0].sequence), (1, 1));
//! // Whoever decided on the same versions comes too late, and nothing is written.
//! assert!(matches!(store.commit(verdict()?), Err(CommitError::Outdated(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod audit;
mod commit;
mod digest;
mod error;
mod id;
mod key;
mod part;
mod pin;
mod private_file;
mod question;
mod random;
mod rule;
mod session;
mod signer;
mod source;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;

pub use audit::{
    Broken, ChainId, Entry, EntryError, EntryFilter, ExportError, Fault, Head, HeadError, LONGEST_BODY,
    LONGEST_KIND, NewEntry, Order, Progress, ReadExportError, Verification, VerifiedExport, read_export,
    verify_export,
};
pub use commit::{Change, Commit, CommitError, Committed, Expected, Made, Versions};
pub use digest::{Digest, DigestError};
pub use error::StoreError;
pub use id::{ApprovalId, IdError, InvariantId, PinId, QuestionId, RuleId, SessionId, SignerId};
pub use key::{Key, KeyError, KeyedHash};
pub use part::{Owner, Part, Parts, Place};
pub use pin::{MOST_SIGHTS, MOST_TOOLS, NewPin, NewSight, Pin, Sight, ToolKey};
pub use question::{
    Answer, Approval, Keep, NewApproval, NewQuestion, Question, QuestionFilter, QuestionStatus,
};
pub use random::{RandomError, random};
pub use rule::{Invariant, NewInvariant, NewRule, Removal, Rule, RuleFilter, Standing};
pub use session::{Arrival, End, EndReason, Session, SessionFilter, SessionKey};
pub use signer::{NewSigner, Signer, Trust};
pub use source::{Bundle, Fetch, FetchOutcome, Issuer, NewBundle, NewIssuer};
#[cfg(feature = "sqlite")]
pub use sqlite::{Durability, OpenError, Options, SqliteStore};
pub use store::{Mark, Store};
