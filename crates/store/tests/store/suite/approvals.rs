//! Approvals.

use portcullis_store::{
    ApprovalId, Change, Commit, CommitError, Digest, Made, NewApproval, SessionId, Store,
};

use crate::suite::{Place, at, digest, entry, join, only_made, race};

fn approve(store: &impl Store, session: SessionId, binding: Digest) -> ApprovalId {
    let approval = NewApproval { session, binding, expires: at(60), grantor: "u".to_owned() };
    match only_made(store.commit(Commit::at(at(0)).change(Change::Approve(approval))).unwrap()) {
        Made::Approval(id) => id,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn an_approval_is_used_once<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let id = approve(&store, session, digest(1));
    let found = store.approval(session, digest(1), at(1)).unwrap().unwrap();
    assert_eq!((found.id, found.granted, found.expires, found.used), (id, at(0), at(60), None));
    assert_eq!(found.grantor, "u");
    store.use_approval(session, id, digest(1), at(1)).unwrap();
    assert_eq!(store.use_approval(session, id, digest(1), at(1)), Err(CommitError::ApprovalGone(id)));
    assert_eq!(store.approval(session, digest(1), at(1)).unwrap(), None);
}

pub(crate) fn an_approval_is_for_what_it_was_given_for<P: Place>() {
    let store = P::fresh().open();
    let (session, other) = (join(&store, "editor").id, join(&store, "terminal").id);
    let id = approve(&store, session, digest(1));
    assert_eq!(store.approval(session, digest(2), at(1)).unwrap(), None);
    assert_eq!(store.approval(other, digest(1), at(1)).unwrap(), None);
    assert_eq!(store.use_approval(session, id, digest(2), at(1)), Err(CommitError::ApprovalGone(id)));
    assert_eq!(store.use_approval(other, id, digest(1), at(1)), Err(CommitError::ApprovalGone(id)));
    store.use_approval(session, id, digest(1), at(1)).unwrap();
}

pub(crate) fn an_approval_expires<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let id = approve(&store, session, digest(1));
    assert_eq!(store.approval(session, digest(1), at(60)).unwrap(), None);
    assert_eq!(store.use_approval(session, id, digest(1), at(60)), Err(CommitError::ApprovalGone(id)));
    assert!(store.approval(session, digest(1), at(59)).unwrap().is_some());
    store.commit(Commit::at(at(1)).in_session(session).change(Change::End)).unwrap();
    assert_eq!(store.approval(session, digest(1), at(2)).unwrap(), None);
    assert_eq!(store.use_approval(session, id, digest(1), at(2)), Err(CommitError::SessionClosed));
}

pub(crate) fn an_approval_is_used_once_by_racing_processes<P: Place>() {
    let place = P::fresh();
    let store = place.open();
    let session = join(&store, "editor").id;
    for binding in 0..10 {
        let id = approve(&store, session, digest(binding));
        let used = race(&place, 4, |_, store| {
            let change = Change::UseApproval { id, binding: digest(binding) };
            store.commit(Commit::at(at(1)).in_session(session).entry(entry("{}")).change(change))
        });
        assert_eq!(used.iter().filter(|used| used.is_ok()).count(), 1);
        let lost = used.iter().filter(|used| **used == Err(CommitError::ApprovalGone(id))).count();
        assert_eq!(lost, 3);
    }
    // Those who lost have written nothing.
    assert_eq!(store.head().unwrap().sequence, 10);
}
