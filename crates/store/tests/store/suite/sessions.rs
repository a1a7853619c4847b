//! Sessions.

use jiff::SignedDuration;
use portcullis_store::{Arrival, Change, Commit, CommitError, EndReason, SessionFilter, SessionKey, Store};

use crate::suite::{IDLE, Place, at, entry, expected, join, key, race};

pub(crate) fn those_of_one_key_join_one_session<P: Place>() {
    let place = P::fresh();
    let (one, other) = (place.open(), place.open());
    let (first, arrival) = one.join(key("editor"), IDLE, at(0)).unwrap();
    assert_eq!(arrival, Arrival::First);
    assert_eq!((first.version, first.step, first.started, first.last_seen), (0, 0, at(0), at(0)));
    let (second, arrival) = other.join(key("editor"), IDLE, at(5)).unwrap();
    assert_eq!((second.id, arrival), (first.id, Arrival::Joined));
    assert_eq!((second.started, second.last_seen), (at(0), at(5)));
    assert_eq!(one.session(first.id).unwrap(), Some(second.clone()));
    assert_eq!(one.sessions(SessionFilter::Open).unwrap(), [second]);
}

pub(crate) fn a_key_that_differs_anywhere_is_another_session<P: Place>() {
    let store = P::fresh().open();
    let keys = [
        key("editor"),
        key("editor "),
        SessionKey { workspace: "/home/u".to_owned(), ..key("editor") },
        SessionKey { user: "v".to_owned(), ..key("editor") },
        // No two fields run into each other.
        SessionKey { user: "ueditor".to_owned(), ..key("") },
    ];
    let mut ids: Vec<_> = keys.iter().map(|key| store.join(key.clone(), IDLE, at(0)).unwrap().0.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), keys.len());
    let listed: Vec<_> =
        store.sessions(SessionFilter::Open).unwrap().into_iter().map(|session| session.key).collect();
    assert_eq!(listed, keys);
}

pub(crate) fn a_session_without_a_sign_ends<P: Place>() {
    let store = P::fresh().open();
    let first = join(&store, "editor");
    let (second, arrival) = store.join(key("editor"), IDLE, at(100)).unwrap();
    assert_eq!(arrival, Arrival::First);
    assert_ne!(first.id, second.id);
    let ended = store.session(first.id).unwrap().unwrap().ended.unwrap();
    assert_eq!((ended.at, ended.why), (at(100), EndReason::Idle));
    assert_eq!(store.sessions(SessionFilter::Open).unwrap(), [second]);
    assert_eq!(store.sessions(SessionFilter::All).unwrap().len(), 2);
}

pub(crate) fn a_sign_keeps_a_session_open<P: Place>() {
    let store = P::fresh().open();
    let first = join(&store, "editor");
    store.touch(first.id, at(50)).unwrap();
    let step = Commit::at(at(140)).in_session(first.id).change(Change::NextStep);
    store.commit(step).unwrap();
    let (second, arrival) = store.join(key("editor"), IDLE, at(239)).unwrap();
    assert_eq!((second.id, arrival), (first.id, Arrival::Joined));
    // A touch changes nothing that a decision rests on.
    assert_eq!((second.version, second.step), (1, 1));
}

pub(crate) fn an_ended_session_is_closed_for_good<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor");
    let before = expected(&store, session.id);
    store.commit(Commit::at(at(1)).in_session(session.id).change(Change::End)).unwrap();
    let ended = store.session(session.id).unwrap().unwrap().ended.unwrap();
    assert_eq!((ended.at, ended.why), (at(1), EndReason::Command));
    let commit = || Commit::at(at(2)).in_session(session.id);
    let refused = [
        commit().change(Change::NextStep),
        commit().change(Change::Touch),
        commit().change(Change::End),
        commit().expecting(before).entry(entry("{}")),
    ];
    for commit in refused {
        assert_eq!(store.commit(commit), Err(CommitError::SessionClosed));
    }
    // What is told of it afterwards is still written: a late result, for instance.
    assert_eq!(store.commit(commit().entry(entry("{}"))).unwrap().entries.len(), 1);
    let (other, arrival) = store.join(key("editor"), IDLE, at(3)).unwrap();
    assert_eq!(arrival, Arrival::First);
    assert_ne!(other.id, session.id);
}

pub(crate) fn idle_sessions_end_when_somebody_looks<P: Place>() {
    let store = P::fresh().open();
    let (old, young) = (join(&store, "editor"), join(&store, "terminal"));
    store.touch(young.id, at(1)).unwrap();
    store.commit(Commit::at(at(500)).change(Change::Expire { idle: None })).unwrap();
    assert_eq!(store.sessions(SessionFilter::Open).unwrap().len(), 2);
    store.commit(Commit::at(at(100)).change(Change::Expire { idle: Some(IDLE) })).unwrap();
    let open: Vec<_> =
        store.sessions(SessionFilter::Open).unwrap().iter().map(|session| session.id).collect();
    assert_eq!(open, [young.id]);
    assert_eq!(store.session(old.id).unwrap().unwrap().ended.unwrap().why, EndReason::Idle);
}

pub(crate) fn a_clock_that_goes_back_ends_nothing<P: Place>() {
    let store = P::fresh().open();
    let first = join(&store, "editor");
    store.touch(first.id, at(50)).unwrap();
    let (second, _) = store.join(key("editor"), IDLE, at(-1_000_000)).unwrap();
    assert_eq!((second.id, second.last_seen), (first.id, at(50)));
    // As long as can be said is long enough.
    let (third, _) = store.join(key("editor"), SignedDuration::MAX, at(1_000_000)).unwrap();
    assert_eq!(third.id, first.id);
}

pub(crate) fn racing_processes_join_one_session<P: Place>() {
    let place = P::fresh();
    for round in 0..5 {
        let host = format!("host {round}");
        let joined = race(&place, 4, |_, store| store.join(key(&host), IDLE, at(0)).unwrap());
        let first = joined.iter().filter(|(_, arrival)| *arrival == Arrival::First).count();
        assert_eq!(first, 1);
        assert!(joined.iter().all(|(session, _)| session.id == joined[0].0.id));
    }
}
