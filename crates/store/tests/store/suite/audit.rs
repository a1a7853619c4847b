//! The audit log.

use portcullis_store::{
    Broken, Commit, Entry, EntryFilter, Fault, Head, NewEntry, Order, Progress, Store, Verification,
};

use crate::suite::{Place, at, digest, entry, join};

/// So many entries, each in a commit of its own.
pub(crate) fn write(store: &impl Store, count: usize) -> Vec<Head> {
    let one = |number: usize| {
        let body = format!("{{\"number\":{number}}}");
        store.commit(Commit::at(at(1)).entry(entry(&body))).unwrap().entries[0]
    };
    (1..=count).map(one).collect()
}

fn verify(store: &impl Store, noted: Option<Head>) -> Verification {
    store.verify(noted, &mut |_| {}).unwrap()
}

pub(crate) fn entries_are_listed_as_they_are_asked_for<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    for number in 1..=6 {
        let kind = if number % 3 == 0 { "rule.added" } else { "verdict" };
        let mut commit = Commit::at(at(number)).entry(NewEntry::new(kind, &number.to_string()).unwrap());
        commit.session = (number % 2 == 0).then_some(session);
        store.commit(commit).unwrap();
    }
    let all = EntryFilter::default();
    let listed = |filter: EntryFilter| -> Vec<u64> {
        store.entries(&filter).unwrap().iter().map(|entry| entry.sequence).collect()
    };
    let verdicts = Some("verdict".to_owned());
    let cases = [
        (all.clone(), vec![1, 2, 3, 4, 5, 6]),
        (EntryFilter { order: Order::NewestFirst, limit: 2, ..all.clone() }, vec![6, 5]),
        (EntryFilter { order: Order::NewestFirst, before: Some(5), limit: 2, ..all.clone() }, vec![4, 3]),
        (EntryFilter { after: Some(4), ..all.clone() }, vec![5, 6]),
        (EntryFilter { after: Some(1), limit: 2, ..all.clone() }, vec![2, 3]),
        (EntryFilter { session: Some(session), ..all.clone() }, vec![2, 4, 6]),
        (EntryFilter { kind: verdicts.clone(), ..all.clone() }, vec![1, 2, 4, 5]),
        (EntryFilter { session: Some(session), kind: verdicts, ..all.clone() }, vec![2, 4]),
        (EntryFilter { since: Some(at(5)), ..all.clone() }, vec![5, 6]),
        (EntryFilter { limit: 0, ..all.clone() }, vec![]),
        (EntryFilter { after: Some(u64::MAX), ..all.clone() }, vec![]),
        (EntryFilter { kind: Some("no such".to_owned()), ..all }, vec![]),
    ];
    for (filter, expected) in cases {
        let shown = format!("{filter:?}");
        assert_eq!(listed(filter), expected, "{shown}");
    }
    let fourth: Entry = store.entry(4).unwrap().unwrap();
    assert_eq!((fourth.time, fourth.session, fourth.body.as_str()), (at(4), Some(session), "4"));
    assert_eq!(fourth.previous, store.entry(3).unwrap().unwrap().hash);
    for none in [0, 7, u64::MAX] {
        assert_eq!(store.entry(none).unwrap(), None);
    }
}

pub(crate) fn a_log_is_whole_after_all_that_was_written<P: Place>() {
    let place = P::fresh();
    let store = place.open();
    let beginning = store.chain().unwrap().beginning();
    assert_eq!(store.head().unwrap(), beginning);
    assert_eq!(verify(&store, None), Verification::Whole { head: beginning });
    assert_eq!(verify(&store, Some(beginning)), Verification::Whole { head: beginning });
    let heads = write(&store, 20);
    let head = *heads.last().unwrap();
    assert_eq!(place.open().head().unwrap(), head);
    assert_eq!(verify(&place.open(), Some(head)), Verification::Whole { head });
    // Two stores have nothing in common, whatever they write.
    let other = P::fresh().open();
    assert_ne!(write(&other, 1)[0].hash, heads[0].hash);
}

pub(crate) fn an_older_noted_head_is_still_there<P: Place>() {
    let store = P::fresh().open();
    let heads = write(&store, 5);
    for noted in &heads {
        assert_eq!(verify(&store, Some(*noted)), Verification::Whole { head: heads[4] });
        assert_eq!(noted.to_string().parse::<Head>().as_ref(), Ok(noted));
    }
}

pub(crate) fn a_head_that_never_was_is_found<P: Place>() {
    let store = P::fresh().open();
    write(&store, 5);
    for (sequence, found_at) in [(0, 0), (3, 3), (5, 5), (6, 6), (900, 6)] {
        let noted = Head { sequence, hash: digest(1) };
        let broken = Broken { sequence: found_at, fault: Fault::NotAsNoted { noted } };
        assert_eq!(verify(&store, Some(noted)), Verification::Broken(broken));
    }
}

pub(crate) fn progress_is_told<P: Place>() {
    let store = P::fresh().open();
    // More than is read at once.
    for _ in 0..21 {
        let mut commit = Commit::at(at(1));
        commit.entries = vec![entry("{}"); 100];
        store.commit(commit).unwrap();
    }
    let mut told = Vec::new();
    store.verify(None, &mut |progress| told.push(progress)).unwrap();
    let progress = |done| Progress { done, of: 2_100 };
    assert_eq!(told, [progress(1_000), progress(2_000), progress(2_100)]);
    told.clear();
    store.export(1_050, &mut Vec::new(), &mut |progress| told.push(progress)).unwrap();
    assert_eq!(told, [Progress { done: 1_000, of: 1_050 }, Progress { done: 1_050, of: 1_050 }]);
}
