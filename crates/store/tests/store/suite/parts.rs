//! Parts of state.

use portcullis_store::{Change, Commit, Owner, Part, Parts, Place as PartOf, SessionId, Store};

use crate::suite::{IDLE, Place, at, expected, join, key};

fn set(place: PartOf, name: &str, content: Option<&[u8]>) -> Change {
    Change::SetPart { place, name: name.to_owned(), content: content.map(<[u8]>::to_vec) }
}

fn write(store: &impl Store, session: SessionId, changes: Vec<Change>) -> portcullis_store::Versions {
    let mut commit = Commit::at(at(1)).in_session(session).expecting(expected(store, session));
    commit.changes = changes;
    store.commit(commit).unwrap().versions
}

fn part(name: &str, version: u64, content: Option<&[u8]>) -> Part {
    Part { name: name.to_owned(), version, content: content.map(<[u8]>::to_vec) }
}

fn workspace() -> Owner {
    Owner::Workspace(key("").workspace)
}

pub(crate) fn parts_are_read_as_they_were_written<P: Place>() {
    let place = P::fresh();
    let (store, other) = (place.open(), place.open());
    let session = join(&store, "editor").id;
    assert_eq!(store.parts(&Owner::Session(session), 0).unwrap(), Parts::default());
    assert_eq!(store.parts(&workspace(), 0).unwrap(), Parts::default());
    let long: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
    let versions = write(
        &store,
        session,
        vec![
            set(PartOf::Session, "labels", Some(b"")),
            set(PartOf::Session, "fingerprints", Some(&long)),
            set(PartOf::Workspace, "labels", Some(&[0, 255])),
        ],
    );
    assert_eq!((versions.session, versions.workspace, versions.policy), (1, 1, 0));
    let read = other.parts(&Owner::Session(session), 0).unwrap();
    let written = vec![part("fingerprints", 1, Some(&long)), part("labels", 1, Some(b""))];
    assert_eq!(read, Parts { version: 1, written });
    let read = other.parts(&workspace(), 0).unwrap();
    assert_eq!(read, Parts { version: 1, written: vec![part("labels", 1, Some(&[0, 255]))] });
}

pub(crate) fn only_newer_parts_are_read<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    write(
        &store,
        session,
        vec![set(PartOf::Session, "a", Some(b"1")), set(PartOf::Session, "b", Some(b"1"))],
    );
    write(&store, session, vec![Change::NextStep]);
    write(&store, session, vec![set(PartOf::Session, "b", Some(b"2")), Change::NextStep]);
    let read = |since| store.parts(&Owner::Session(session), since).unwrap();
    let b = part("b", 3, Some(b"2"));
    assert_eq!(read(0), Parts { version: 3, written: vec![part("a", 1, Some(b"1")), b.clone()] });
    assert_eq!(read(1), Parts { version: 3, written: vec![b.clone()] });
    assert_eq!(read(2), Parts { version: 3, written: vec![b] });
    assert_eq!(read(3), Parts { version: 3, written: vec![] });
}

pub(crate) fn a_removed_part_is_told<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    write(&store, session, vec![set(PartOf::Workspace, "a", Some(b"1"))]);
    write(&store, session, vec![set(PartOf::Workspace, "a", None)]);
    let told = Parts { version: 2, written: vec![part("a", 2, None)] };
    assert_eq!(store.parts(&workspace(), 1).unwrap(), told);
}

pub(crate) fn a_workspace_outlives_its_sessions<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    write(&store, session, vec![set(PartOf::Workspace, "a", Some(b"1")), Change::End]);
    let next = join(&store, "editor").id;
    assert_ne!(session, next);
    assert_eq!(store.versions(next).unwrap().unwrap().workspace, 1);
    let elsewhere = portcullis_store::SessionKey { workspace: "/else".to_owned(), ..key("editor") };
    let elsewhere = store.join(elsewhere, IDLE, at(0)).unwrap().0.id;
    assert_eq!(store.versions(elsewhere).unwrap().unwrap().workspace, 0);
    assert_eq!(store.parts(&workspace(), 0).unwrap().written, [part("a", 1, Some(b"1"))]);
}

pub(crate) fn an_ended_session_forgets_its_parts<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let versions = write(&store, session, vec![set(PartOf::Session, "a", Some(b"1")), Change::End]);
    let read = store.parts(&Owner::Session(session), 0).unwrap();
    assert_eq!(read, Parts { version: versions.session, written: vec![] });
    assert_eq!(store.session(session).unwrap().unwrap().version, versions.session);
}
