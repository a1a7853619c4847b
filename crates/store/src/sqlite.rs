//! The store in one SQLite file.
//!
//! One connection writes, for whoever in this process has something to write; one reads, and notices what was written
//! by anyone. SQLite's write-ahead log keeps readers and the one writer out of each other's way, across processes too.

mod apply;
mod columns;
mod header;
mod open;
mod queue;
mod read;
mod schema;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode};

use crate::audit::{ChainId, Entry, EntryFilter, Head};
use crate::commit::{Commit, CommitError, Committed, Versions};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::id::{QuestionId, SessionId};
use crate::part::{Owner, Parts};
use crate::pin::{Pin, Sight, ToolKey};
use crate::question::{Approval, Question, QuestionFilter};
use crate::rule::{Invariant, Rule, RuleFilter, Standing};
use crate::session::{Session, SessionFilter};
use crate::signer::Signer;
use crate::source::{Bundle, Fetch, Issuer};
use crate::store::{Mark, Store};

pub use open::OpenError;

/// What a commit has survived when it returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// The end of this process, however sudden. After a loss of power or a crash of the system the last commits may be
    /// missing, always from the end: the store is whole, and so is its log.
    Process,
    /// A loss of power too, as far as the disk keeps what it said it has written.
    #[default]
    Power,
}

/// How a store is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What a commit survives.
    pub durability: Durability,
    /// How long to wait for other processes before giving up.
    pub patience: Duration,
}

/// A store in a file.
pub struct SqliteStore {
    writer: queue::Writer,
    reader: Mutex<Connection>,
    /// The last field: it is to outlive the connections.
    _known: header::KnownStore,
}

impl Default for Options {
    fn default() -> Options {
        Options { durability: Durability::default(), patience: Duration::from_secs(5) }
    }
}

impl SqliteStore {
    /// Looks through the whole file for damage that reading would come upon, and tells what it found. This takes as long
    /// as reading the file; the audit chain is not looked at, which [`Store::verify`] does.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        read::damage(&self.reader())
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        // Reading changes nothing, so a panic has left nothing half done.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for SqliteStore {
    fn commit(&self, commit: Commit) -> Result<Committed, CommitError> {
        self.writer.commit(commit)
    }

    fn mark(&self) -> Result<Mark, StoreError> {
        read::mark(&self.reader())
    }

    fn versions(&self, session: SessionId) -> Result<Option<Versions>, StoreError> {
        read::versions(&self.reader(), session)
    }

    fn policy_version(&self) -> Result<u64, StoreError> {
        read::policy_version(&self.reader())
    }

    fn session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        read::session(&self.reader(), id)
    }

    fn sessions(&self, filter: SessionFilter) -> Result<Vec<Session>, StoreError> {
        read::sessions(&self.reader(), filter)
    }

    fn parts(&self, owner: &Owner, since: u64) -> Result<Parts, StoreError> {
        read::parts(&mut self.reader(), owner, since)
    }

    fn rules(&self, filter: RuleFilter) -> Result<Vec<Rule>, StoreError> {
        read::rules(&self.reader(), filter)
    }

    fn invariants(&self, standing: Standing) -> Result<Vec<Invariant>, StoreError> {
        read::invariants(&self.reader(), standing)
    }

    fn pins(&self, standing: Standing) -> Result<Vec<Pin>, StoreError> {
        read::pins(&self.reader(), standing)
    }

    fn pins_of(&self, key: &ToolKey) -> Result<Vec<Pin>, StoreError> {
        read::pins_of(&self.reader(), key)
    }

    fn signers(&self, standing: Standing) -> Result<Vec<Signer>, StoreError> {
        read::signers(&self.reader(), standing)
    }

    fn issuers(&self, standing: Standing) -> Result<Vec<Issuer>, StoreError> {
        read::issuers(&self.reader(), standing)
    }

    fn bundles(&self, standing: Standing) -> Result<Vec<Bundle>, StoreError> {
        read::bundles(&self.reader(), standing)
    }

    fn fetches(&self) -> Result<Vec<Fetch>, StoreError> {
        read::fetches(&self.reader())
    }

    fn sights(&self, server: Option<&str>) -> Result<Vec<Sight>, StoreError> {
        read::sights(&self.reader(), server)
    }

    fn question(&self, id: QuestionId, now: Timestamp) -> Result<Option<Question>, StoreError> {
        read::question(&self.reader(), id, now)
    }

    fn questions(&self, filter: QuestionFilter, now: Timestamp) -> Result<Vec<Question>, StoreError> {
        read::questions(&self.reader(), filter, now)
    }

    fn approval(
        &self,
        session: SessionId,
        binding: Digest,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError> {
        read::approval(&self.reader(), session, binding, now)
    }

    fn chain(&self) -> Result<ChainId, StoreError> {
        read::chain(&self.reader())
    }

    fn head(&self) -> Result<Head, StoreError> {
        read::head(&self.reader())
    }

    fn entries(&self, filter: &EntryFilter) -> Result<Vec<Entry>, StoreError> {
        read::entries(&self.reader(), filter)
    }
}

/// What SQLite says, in our words.
fn failure(error: rusqlite::Error) -> StoreError {
    const BUSY: [ErrorCode; 2] = [ErrorCode::DatabaseBusy, ErrorCode::DatabaseLocked];
    const DAMAGED: [ErrorCode; 2] = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
    let text = error.to_string();
    let Some(code) = error.sqlite_error_code() else {
        let is_unreadable = matches!(
            error,
            rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
        );
        return if is_unreadable { StoreError::Damaged(text) } else { StoreError::Failed(text) };
    };
    if BUSY.contains(&code) {
        StoreError::Busy
    } else if DAMAGED.contains(&code) {
        StoreError::Damaged(text)
    } else if code == ErrorCode::DiskFull {
        StoreError::Full
    } else if code == ErrorCode::ReadOnly {
        StoreError::ReadOnly
    } else if code == ErrorCode::SystemIoFailure {
        StoreError::Disk(text)
    } else {
        StoreError::Failed(text)
    }
}
