//! Batches that fail, leaders that panic, callers that go away.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use jiff::Timestamp;
use tempfile::TempDir;

use super::*;
use crate::audit::{NewEntry, Verification};
use crate::commit::Change;
use crate::id::RuleId;
use crate::sqlite::{Durability, Options, SqliteStore};
use crate::store::Store;

fn store() -> (TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    (folder, store)
}

fn open(folder: &Path) -> SqliteStore {
    let options = Options { durability: Durability::Process, ..Options::default() };
    SqliteStore::open(&folder.join("store.db"), options).unwrap()
}

fn commit(length: usize) -> Commit {
    let entry = NewEntry::new("verdict", &format!("\"{}\"", "x".repeat(length))).unwrap();
    Commit::at(Timestamp::UNIX_EPOCH).entry(entry)
}

fn batch(writer: &Writer, commits: Vec<Commit>) -> Batch<'_> {
    lock(&writer.waiting).is_led = true;
    let request = |commit| Arc::new(Request { commit, outcome: Mutex::new(None) });
    Batch { writer, requests: commits.into_iter().map(request).collect() }
}

fn outcomes(requests: &[Arc<Request>]) -> Vec<Outcome> {
    requests.iter().map(|request| lock(&request.outcome).take().unwrap()).collect()
}

fn pragma(store: &SqliteStore, name: &str, value: i64) {
    let connection = store.writer.connection().unwrap();
    connection.pragma_update(None, name, value).unwrap();
}

fn assert_whole(store: &SqliteStore, entries: u64) {
    let head = store.head().unwrap();
    assert_eq!(head.sequence, entries);
    assert_eq!(store.verify(None, &mut |_| {}).unwrap(), Verification::Whole { head });
}

#[test]
fn a_full_file_gives_an_error_and_loses_nothing() {
    let (folder, store) = store();
    pragma(&store, "max_page_count", 60);
    let mut written = 0;
    let error = loop {
        match store.commit(commit(3_000)) {
            Ok(committed) => written = committed.entries[0].sequence,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::Full.into());
    assert!(written > 10);
    assert_whole(&store, written);
    assert_whole(&open(folder.path()), written);
    pragma(&store, "max_page_count", 600);
    store.commit(commit(3_000)).unwrap();
    assert_whole(&open(folder.path()), written + 1);
}

#[test]
fn a_batch_that_fails_fails_for_all_in_it() {
    let (_folder, store) = store();
    pragma(&store, "max_page_count", 60);
    let batch = batch(&store.writer, vec![commit(10), commit(500_000), commit(20)]);
    batch.write();
    let full = || Err(StoreError::Full.into());
    assert_eq!(outcomes(&batch.requests), [full(), full(), full()]);
    drop(batch);
    assert_whole(&store, 0);
    store.commit(commit(10)).unwrap();
    assert_whole(&store, 1);
}

#[test]
fn in_a_batch_only_those_are_refused_who_have_to_be() {
    let (_folder, store) = store();
    let gone = commit(10).change(Change::UseRule(RuleId::new(1)));
    let batch = batch(&store.writer, vec![commit(10), gone, commit(20)]);
    batch.write();
    let sequences: Vec<_> = outcomes(&batch.requests)
        .into_iter()
        .map(|outcome| outcome.map(|committed| committed.entries[0].sequence))
        .collect();
    assert_eq!(sequences, [Ok(1), Err(CommitError::RuleGone(RuleId::new(1))), Ok(2)]);
    drop(batch);
    assert_whole(&store, 2);
}

#[test]
fn a_file_that_cannot_be_written_to_gives_an_error() {
    let (_folder, store) = store();
    pragma(&store, "query_only", 1);
    assert_eq!(store.commit(commit(10)), Err(StoreError::ReadOnly.into()));
    assert_whole(&store, 0);
}

#[test]
fn a_leader_that_panics_harms_only_its_batch() {
    let (_folder, store) = store();
    let writer = &store.writer;
    let mut requests = Vec::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let batch = batch(writer, vec![commit(10), commit(20)]);
        requests.clone_from(&batch.requests);
        let connection = writer.connection().unwrap();
        begin(&connection, Duration::ZERO).unwrap();
        let mut state = State::read(&connection).unwrap();
        apply_one(&connection, &mut state, &batch.requests[0].commit).unwrap().unwrap();
        panic!("in the middle of a transaction");
    }));
    assert!(panicked.is_err());
    assert_eq!(outcomes(&requests), [Err(lost().into()), Err(lost().into())]);
    assert_whole(&store, 0);
    // The next one is not told that anything happened.
    assert_eq!(store.commit(commit(30)).unwrap().entries[0].sequence, 1);
    assert_whole(&store, 1);
}

#[test]
fn a_caller_that_goes_away_harms_nobody() {
    let (_folder, store) = store();
    let gone = Arc::new(Request { commit: commit(10), outcome: Mutex::new(None) });
    lock(&store.writer.waiting).queue.push(Arc::clone(&gone));
    // Whoever comes next writes for it too.
    assert_eq!(store.commit(commit(20)).unwrap().entries[0].sequence, 2);
    assert_eq!(outcomes(&[gone])[0].as_ref().unwrap().entries[0].sequence, 1);
    assert_whole(&store, 2);
}
