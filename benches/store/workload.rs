//! What is written: verdicts as a gateway has them, to stores and to plain files.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};
use portcullis_store::{
    Change, Commit, CommitError, Durability, EntryError, Head, NewEntry, OpenError, Options, Place,
    SessionId, SessionKey, SqliteStore, Store, StoreError, Versions,
};
use tempfile::TempDir;

/// The length of a verdict's body.
const BODY: usize = 400;
/// The length of the state that some verdicts leave behind.
const STATE: usize = 2_000;

/// Why nothing can be measured.
#[derive(Debug)]
#[allow(dead_code, reason = "it is there to be printed")]
pub(crate) enum Failure {
    Files(std::io::Error),
    Open(OpenError),
    Commit(CommitError),
    Store(StoreError),
    Entry(EntryError),
    NoSession,
}

/// A store with a session for each writer.
pub(crate) struct Written {
    store: SqliteStore,
    writers: Vec<Writer>,
    entry: NewEntry,
    now: Timestamp,
    _folder: TempDir,
}

struct Writer {
    session: SessionId,
    versions: Mutex<Versions>,
}

/// What a verdict leaves behind.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    /// An entry and a step.
    Plain,
    /// Some state of the session too.
    WithState,
}

impl Written {
    pub(crate) fn new(durability: Durability, writers: usize) -> Result<Written, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::Files)?;
        let options = Options { durability, ..Options::default() };
        let store = SqliteStore::open(&folder.path().join("store.db"), options).map_err(Failure::Open)?;
        let now = Timestamp::UNIX_EPOCH;
        let body = format!("{{\"verdict\":\"{}\"}}", "x".repeat(BODY - 14));
        let entry = NewEntry::new("verdict", &body).map_err(Failure::Entry)?;
        let mut joined = Vec::new();
        for number in 0..writers {
            let host = format!("host {number}");
            let key = SessionKey { workspace: format!("/p/{number}"), user: "u".to_owned(), host };
            let (session, _) = store.join(key, SignedDuration::MAX, now).map_err(Failure::Commit)?;
            let versions = store.versions(session.id).map_err(Failure::Store)?.ok_or(Failure::NoSession)?;
            joined.push(Writer { session: session.id, versions: Mutex::new(versions) });
        }
        Ok(Written { store, writers: joined, entry, now, _folder: folder })
    }

    /// One verdict by one writer.
    pub(crate) fn commit(&self, writer: usize, verdict: Verdict) -> Result<Head, Failure> {
        let Writer { session, versions } = self.writers.get(writer).ok_or(Failure::NoSession)?;
        let mut versions = versions.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut commit = Commit::at(self.now)
            .in_session(*session)
            .expecting((*versions).into())
            .entry(self.entry.clone())
            .change(Change::NextStep);
        if matches!(verdict, Verdict::WithState) {
            let content = Some(vec![7; STATE]);
            commit =
                commit.change(Change::SetPart { place: Place::Session, name: "labels".to_owned(), content });
        }
        let committed = self.store.commit(commit).map_err(Failure::Commit)?;
        *versions = committed.versions;
        committed.entries.first().copied().ok_or(Failure::NoSession)
    }

    /// So many verdicts by each writer, all at once.
    pub(crate) fn commit_by_all(&self, each: usize) {
        std::thread::scope(|scope| {
            for writer in 0..self.writers.len() {
                scope.spawn(move || {
                    (0..each).for_each(|_| report(self.commit(writer, Verdict::Plain)));
                });
            }
        });
    }

    /// What whoever caches asks before every decision.
    pub(crate) fn mark(&self) -> Result<portcullis_store::Mark, Failure> {
        self.store.mark().map_err(Failure::Store)
    }

    /// What it asks when something has changed.
    pub(crate) fn versions(&self) -> Result<Option<Versions>, Failure> {
        let writer = self.writers.first().ok_or(Failure::NoSession)?;
        self.store.versions(writer.session).map_err(Failure::Store)
    }
}

/// A plain file that is appended to.
pub(crate) struct Appended {
    file: Mutex<File>,
    line: Vec<u8>,
    durability: Durability,
    _folder: TempDir,
}

impl Appended {
    pub(crate) fn new(durability: Durability) -> Result<Appended, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::Files)?;
        let path = folder.path().join("log");
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(Failure::Files)?;
        Ok(Appended { file: Mutex::new(file), line: vec![b'x'; BODY], durability, _folder: folder })
    }

    pub(crate) fn append(&self) -> Result<(), Failure> {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(&self.line).map_err(Failure::Files)?;
        match self.durability {
            Durability::Process => Ok(()),
            Durability::Power => file.sync_data().map_err(Failure::Files),
        }
    }
}

/// A benchmark that does not do what it measures is worth nothing.
#[allow(clippy::panic, reason = "there is nobody to hand the error to")]
pub(crate) fn report<T>(outcome: Result<T, Failure>) {
    if let Err(failure) = outcome {
        panic!("{failure:?}");
    }
}
