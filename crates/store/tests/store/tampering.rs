//! A log that somebody has changed behind the store's back.

use portcullis_store::{Broken, Commit, Entry, EntryFilter, Fault, Head, Store, Verification};
use proptest::prelude::*;
use rusqlite::{Connection, params};

use crate::sqlite::SqlitePlace;
use crate::suite::{Place, at, audit, digest, entry};

/// A log of ten entries, and a connection from which nothing protects it.
fn tampered(statements: &str) -> (SqlitePlace, Vec<Head>) {
    let place = SqlitePlace::fresh();
    let heads = audit::write(&place.open(), 10);
    alter(&place, statements);
    (place, heads)
}

fn alter(place: &SqlitePlace, statements: &str) {
    let raw = Connection::open(place.file()).unwrap();
    let triggers: Vec<String> = raw
        .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let names = ["audit_is_not_changed", "audit_is_not_shortened", "audit_is_appended_to"];
    names.iter().for_each(|name| raw.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    raw.execute_batch(statements).unwrap();
    // Put back, so that nothing but the chain can tell.
    triggers.iter().for_each(|trigger| raw.execute_batch(trigger).unwrap());
}

fn verify(place: &SqlitePlace, noted: Option<Head>) -> Verification {
    place.open().verify(noted, &mut |_| {}).unwrap()
}

fn broken(sequence: u64, fault: Fault) -> Verification {
    Verification::Broken(Broken { sequence, fault })
}

#[test]
fn the_table_refuses_every_change_but_appending() {
    let place = SqlitePlace::fresh();
    audit::write(&place.open(), 3);
    let raw = Connection::open(place.file()).unwrap();
    for (statement, message) in [
        ("UPDATE audit SET body = '{}' WHERE sequence = 2", "are not changed"),
        ("UPDATE OR REPLACE audit SET sequence = 1 WHERE sequence = 2", "are not changed"),
        ("DELETE FROM audit", "are not removed"),
        (
            "INSERT OR REPLACE INTO audit SELECT 2, time, session, kind, '1', previous, hash FROM audit",
            "appended",
        ),
        ("REPLACE INTO audit SELECT * FROM audit WHERE sequence = 3", "appended at its end"),
    ] {
        let error = raw.execute_batch(statement).unwrap_err().to_string();
        assert!(error.contains(message), "{statement}: {error}");
    }
    assert!(matches!(verify(&place, None), Verification::Whole { .. }));
}

#[test]
fn each_kind_of_tampering_is_told_apart() {
    let swap = "UPDATE audit SET sequence = -sequence WHERE sequence IN (4, 7);
        UPDATE audit SET sequence = 11 + sequence WHERE sequence < 0";
    let close_gap = "DELETE FROM audit WHERE sequence = 5;
        UPDATE audit SET sequence = -sequence WHERE sequence > 5;
        UPDATE audit SET sequence = -sequence - 1 WHERE sequence < 0";
    // Numbers below zero are for a moment only.
    let swap = format!("PRAGMA ignore_check_constraints = on; {swap}");
    let close_gap = format!("PRAGMA ignore_check_constraints = on; {close_gap}");
    let cases: [(&str, u64, Fault); 9] = [
        ("UPDATE audit SET body = '{\"number\":0}' WHERE sequence = 3", 3, Fault::Changed),
        ("UPDATE audit SET time = time + 1 WHERE sequence = 3", 3, Fault::Changed),
        ("UPDATE audit SET kind = 'other' WHERE sequence = 10", 10, Fault::Changed),
        ("UPDATE audit SET session = '0123456789abcdef' WHERE sequence = 1", 1, Fault::Changed),
        ("UPDATE audit SET hash = zeroblob(32) WHERE sequence = 3", 3, Fault::Changed),
        ("DELETE FROM audit WHERE sequence = 1", 1, Fault::Removed { next: 2 }),
        ("DELETE FROM audit WHERE sequence IN (5, 6)", 5, Fault::Removed { next: 7 }),
        (&swap, 4, Fault::Moved { from: 7 }),
        (&close_gap, 5, Fault::Moved { from: 6 }),
    ];
    for (statements, sequence, fault) in cases {
        let (place, _) = tampered(statements);
        assert_eq!(verify(&place, None), broken(sequence, fault), "{statements}");
    }
}

#[test]
fn a_missing_tail_is_found_by_the_recorded_head() {
    let (place, heads) = tampered("DELETE FROM audit WHERE sequence > 8");
    assert_eq!(verify(&place, None), broken(9, Fault::TailMissing { recorded: heads[9] }));
    // What is appended afterwards does not close the gap.
    let store = place.open();
    store.commit(Commit::at(at(2)).entry(entry("{}"))).unwrap();
    assert_eq!(verify(&place, None), broken(9, Fault::Removed { next: 11 }));
}

#[test]
fn a_tail_that_is_not_recorded_is_found() {
    let (place, heads) = tampered("");
    let head = format!("UPDATE state SET sequence = 8, hash = x'{}'", heads[7].hash);
    alter(&place, &head);
    assert_eq!(verify(&place, None), broken(9, Fault::NotRecorded { recorded: heads[7] }));
}

#[test]
fn a_chain_that_was_computed_anew_is_found_by_a_noted_head_alone() {
    let (place, heads) = tampered("");
    let store = place.open();
    let mut entries = store.entries(&EntryFilter::default()).unwrap();
    entries[5].body = "{\"number\":0}".to_owned();
    rewrite(&place, store.chain().unwrap().beginning(), &mut entries);
    // By itself it looks whole: this is what a chain cannot prove.
    assert!(matches!(verify(&place, None), Verification::Whole { .. }));
    // A head from before the change is still there, and does not help.
    assert!(matches!(verify(&place, Some(heads[4])), Verification::Whole { .. }));
    for noted in &heads[5..] {
        assert_eq!(verify(&place, Some(*noted)), broken(noted.sequence, Fault::NotAsNoted { noted: *noted }));
    }
}

/// Gives entries the numbers and hashes that they would have had.
fn rewrite(place: &SqlitePlace, beginning: Head, entries: &mut [Entry]) {
    let mut last = beginning;
    let raw = Connection::open(place.file()).unwrap();
    raw.execute_batch("DROP TRIGGER audit_is_not_shortened; DELETE FROM audit").unwrap();
    for entry in entries {
        (entry.sequence, entry.previous) = (last.sequence + 1, last.hash);
        entry.hash = entry.computed_hash();
        last = entry.head();
        let Entry { sequence, time, session, kind, body, previous, hash } = &*entry;
        let (time, session) = (time.as_microsecond(), session.map(|session| session.to_string()));
        raw.execute(
            "INSERT INTO audit VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![*sequence as i64, time, session, kind, body, previous.bytes(), hash.bytes()],
        )
        .unwrap();
    }
    let (sequence, hash) = (last.sequence as i64, last.hash);
    raw.execute("UPDATE state SET sequence = ?1, hash = ?2", params![sequence, hash.bytes()]).unwrap();
    raw.execute_batch(
        "CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'entries of the audit log are not removed'); END",
    )
    .unwrap();
}

#[test]
fn an_entry_with_a_new_hash_breaks_the_link_to_the_next() {
    let (place, _) = tampered("");
    let mut third = place.open().entry(3).unwrap().unwrap();
    third.body = "{}".to_owned();
    let update =
        format!("UPDATE audit SET body = '{{}}', hash = x'{}' WHERE sequence = 3", third.computed_hash());
    alter(&place, &update);
    assert_eq!(verify(&place, None), broken(4, Fault::Unlinked));
}

#[test]
fn what_is_no_row_of_ours_is_damage_and_no_panic() {
    let (place, _) = tampered("UPDATE audit SET session = 'nobody' WHERE sequence = 4");
    let error = place.open().verify(None, &mut |_| {}).unwrap_err();
    assert!(matches!(error, portcullis_store::StoreError::Damaged(_)), "{error}");
}

#[test]
fn the_hash_of_an_entry_is_as_documented() {
    // Computed with another implementation of SHA-256 from the description in `docs/store.md`.
    let entry = Entry {
        sequence: 17,
        time: at(0),
        session: Some("0123456789abcdef".parse().unwrap()),
        kind: "verdict".to_owned(),
        body: "{\"decision\":\"permit\"}".to_owned(),
        previous: digest(7),
        hash: digest(0),
    };
    assert_eq!(entry.computed_hash().to_string(), ENTRY_HASH);
    let chain = portcullis_store::ChainId::new([3; 16]);
    assert_eq!(chain.beginning().hash.to_string(), BEGINNING_HASH);
}

const ENTRY_HASH: &str = "4f74c5f7e0369b55b09ac406eb0ac834d6085cd6abc88d5efa0e9efb75a655b7";
const BEGINNING_HASH: &str = "1bb3cf6f0c2ce367e9c1822787b6c40fe4d5b11b2045fbf46d94f615b828edbf";

/// A change of one field of one entry, or of the chain.
#[derive(Clone, Debug)]
enum Tampering {
    Time(i64),
    Kind(String),
    Body(String),
    Session,
    Previous(u8),
    Hash(u8),
    Remove,
    Repeat,
    Swap,
}

fn tampering() -> impl Strategy<Value = Tampering> {
    prop_oneof![
        any::<i64>().prop_map(Tampering::Time),
        "[a-z]{1,8}".prop_map(Tampering::Kind),
        "[1-9]{1,8}".prop_map(Tampering::Body),
        Just(Tampering::Session),
        any::<u8>().prop_map(Tampering::Previous),
        any::<u8>().prop_map(Tampering::Hash),
        Just(Tampering::Remove),
        Just(Tampering::Repeat),
        Just(Tampering::Swap),
    ]
}

fn apply(entries: &mut Vec<Entry>, at: usize, tampering: &Tampering) {
    let entry = &mut entries[at];
    match tampering {
        Tampering::Time(by) => {
            let time = entry.time.as_microsecond().wrapping_add(by % 1_000_000_000);
            entry.time = jiff::Timestamp::from_microsecond(time).unwrap();
        }
        Tampering::Kind(kind) => entry.kind.clone_from(kind),
        Tampering::Body(body) => entry.body.clone_from(body),
        Tampering::Session => entry.session = Some(portcullis_store::SessionId::new([1; 8])),
        Tampering::Previous(letter) => entry.previous = digest(*letter),
        Tampering::Hash(letter) => entry.hash = digest(*letter),
        Tampering::Remove => drop(entries.remove(at)),
        Tampering::Repeat => entries.insert(at, entries[at].clone()),
        Tampering::Swap => {
            let other = (at + 1) % entries.len();
            entries.swap(at, other);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Through exports, which need no file: the walk along the chain is the same.
    #[test]
    fn a_chain_with_any_entry_changed_is_found(
        count in 2_usize..12,
        place in any::<prop::sample::Index>(),
        tampering in tampering(),
    ) {
        let chain = portcullis_store::ChainId::new([5; 16]);
        let mut last = chain.beginning();
        let mut entries = Vec::new();
        for number in 0..count {
            let new = portcullis_store::NewEntry::new("verdict", &format!("[{number}]")).unwrap();
            let next = new.behind(last, at(number as i64), None);
            last = next.head();
            entries.push(next);
        }
        let whole = crate::exports::text(chain, chain.beginning(), &entries, last);
        let verified = portcullis_store::verify_export(&mut whole.as_bytes(), Some(last)).unwrap();
        prop_assert_eq!(verified.head, last);

        let mut changed = entries.clone();
        apply(&mut changed, place.index(count), &tampering);
        prop_assume!(changed != entries);
        let text = crate::exports::text(chain, chain.beginning(), &changed, last);
        let outcome = portcullis_store::verify_export(&mut text.as_bytes(), None);
        prop_assert!(
            matches!(outcome, Err(portcullis_store::ReadExportError::Broken(_))),
            "{:?}: {:?}", tampering, outcome
        );
    }
}
