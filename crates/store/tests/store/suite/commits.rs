//! Commits: whole or not at all, on current versions only.

use portcullis_store::{
    Change, Commit, CommitError, Expected, NewRule, Place as PartOf, RuleFilter, RuleId, Store,
};

use crate::suite::{Place, add_rule, at, entry, expected, join, race, rule};

fn set_part(content: u8) -> Change {
    Change::SetPart { place: PartOf::Workspace, name: "labels".to_owned(), content: Some(vec![content]) }
}

pub(crate) fn a_commit_is_written_as_a_whole_or_not_at_all<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    add_rule(&store, NewRule { uses: Some(1), ..rule("once") });
    let before = (store.session(session).unwrap(), store.versions(session).unwrap(), store.head().unwrap());
    let commit = |last: Change| {
        Commit::at(at(1))
            .in_session(session)
            .entry(entry("{\"n\":1}"))
            .entry(entry("{\"n\":2}"))
            .change(Change::NextStep)
            .change(set_part(1))
            .change(Change::UseRule(RuleId::new(1)))
            .change(Change::AddRule(rule("another")))
            .change(last)
    };
    let gone = RuleId::new(9);
    assert_eq!(store.commit(commit(Change::UseRule(gone))), Err(CommitError::RuleGone(gone)));
    // Twice in one commit is once too often.
    let first = RuleId::new(1);
    assert_eq!(store.commit(commit(Change::UseRule(first))), Err(CommitError::RuleGone(first)));
    let after = (store.session(session).unwrap(), store.versions(session).unwrap(), store.head().unwrap());
    assert_eq!(before, after);
    assert_eq!(store.rules(RuleFilter::All).unwrap().len(), 1);
    assert_eq!(store.rules(RuleFilter::All).unwrap()[0].uses_left, Some(1));

    let committed = store.commit(commit(Change::Touch)).unwrap();
    assert_eq!(committed.step, 1);
    let versions = committed.versions;
    assert_eq!((versions.session, versions.workspace, versions.policy), (1, 1, 2));
    assert_eq!(store.versions(session).unwrap(), Some(versions));
    assert_eq!(committed.entries.iter().map(|head| head.sequence).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(store.head().unwrap(), committed.entries[1]);
    assert_eq!(store.entry(2).unwrap().unwrap().head(), committed.entries[1]);
    assert_eq!(store.entry(2).unwrap().unwrap().body, "{\"n\":2}");
    assert_eq!(store.entry(2).unwrap().unwrap().session, Some(session));
}

pub(crate) fn of_two_commits_on_one_version_one_wins<P: Place>() {
    let place = P::fresh();
    let (one, other) = (place.open(), place.open());
    let session = join(&one, "editor").id;
    let commit = |seen| {
        Commit::at(at(1)).in_session(session).expecting(seen).entry(entry("{}")).change(Change::NextStep)
    };
    let (seen_by_one, seen_by_other) = (expected(&one, session), expected(&other, session));
    let won = other.commit(commit(seen_by_other)).unwrap();
    assert_eq!(one.commit(commit(seen_by_one)), Err(CommitError::Outdated(won.versions)));
    assert_eq!(one.head().unwrap().sequence, 1);
    // Whoever lost decides again.
    assert_eq!(one.commit(commit(won.versions.into())).unwrap().step, 2);
}

pub(crate) fn of_racing_commits_on_one_version_one_wins<P: Place>() {
    let place = P::fresh();
    let store = place.open();
    let session = join(&store, "editor").id;
    for round in 0..10 {
        let seen = expected(&store, session);
        let outcomes = race(&place, 4, |_, store| {
            let commit = Commit::at(at(1)).in_session(session).expecting(seen).entry(entry("{}"));
            store.commit(commit.change(Change::NextStep))
        });
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        let outdated =
            outcomes.iter().filter(|outcome| matches!(outcome, Err(CommitError::Outdated(_)))).count();
        assert_eq!(outdated, 3);
        let found = store.session(session).unwrap().unwrap();
        assert_eq!((found.step, found.version), (round + 1, round + 1));
        assert_eq!(store.head().unwrap().sequence, round + 1);
    }
}

pub(crate) fn each_version_is_expected_by_itself<P: Place>() {
    let store = P::fresh().open();
    let (session, beside) = (join(&store, "editor").id, join(&store, "terminal").id);
    let before = store.versions(session).unwrap().unwrap();
    // Another session of the same workspace changes what they share.
    let commit = Commit::at(at(1)).in_session(beside).change(set_part(1)).change(Change::NextStep);
    store.commit(commit).unwrap();
    add_rule(&store, rule("allow"));
    let commit = |expected| Commit::at(at(2)).in_session(session).expecting(expected).entry(entry("{}"));
    let nothing = Expected::default();
    for outdated in [
        Expected { workspace: Some(before.workspace), ..nothing },
        Expected { policy: Some(before.policy), ..nothing },
        Expected { session: Some(before.session + 1), ..nothing },
        Expected { session: Some(before.session), workspace: Some(before.workspace), ..nothing },
    ] {
        let refused = store.commit(commit(outdated));
        assert!(matches!(refused, Err(CommitError::Outdated(_))), "{outdated:?}: {refused:?}");
    }
    store.commit(commit(Expected { session: Some(before.session), ..nothing })).unwrap();
    store.commit(commit(expected(&store, session))).unwrap();
    // The policy can be expected without a session.
    let outdated = Commit::at(at(2)).expecting(Expected { policy: Some(before.policy), ..nothing });
    assert!(matches!(store.commit(outdated), Err(CommitError::Outdated(_))));
}

pub(crate) fn a_refused_commit_does_not_harm_those_beside_it<P: Place>() {
    const EACH: u64 = 50;
    let place = P::fresh();
    let store = place.open();
    let session = join(&store, "editor").id;
    // One store for all, so that their commits are written together.
    std::thread::scope(|scope| {
        for number in 0..8 {
            let store = &store;
            scope.spawn(move || {
                for _ in 0..EACH {
                    let commit = Commit::at(at(1)).in_session(session).entry(entry("{}"));
                    let outcome = match number % 2 {
                        0 => store.commit(commit.change(Change::NextStep)).map(drop),
                        _ => store.commit(commit.change(Change::UseRule(RuleId::new(5)))).map(drop),
                    };
                    assert_eq!(outcome.is_ok(), number % 2 == 0);
                }
            });
        }
    });
    let found = store.session(session).unwrap().unwrap();
    assert_eq!((found.step, found.version), (4 * EACH, 4 * EACH));
    assert_eq!(store.head().unwrap().sequence, 4 * EACH);
}

pub(crate) fn a_mark_tells_of_every_commit_and_of_nothing_else<P: Place>() {
    let place = P::fresh();
    let (one, other) = (place.open(), place.open());
    let session = join(&one, "editor").id;
    let commits: [&dyn Fn(); 3] =
        [&|| one.touch(session, at(1)).unwrap(), &|| other.touch(session, at(2)).unwrap(), &|| {
            drop(other.commit(Commit::at(at(2)).entry(entry("{}"))).unwrap())
        }];
    for commit in commits {
        let before = (one.mark().unwrap(), other.mark().unwrap());
        assert_eq!((one.mark().unwrap(), other.mark().unwrap()), before);
        commit();
        let after = (one.mark().unwrap(), other.mark().unwrap());
        assert_ne!(before.0, after.0);
        assert_ne!(before.1, after.1);
    }
    let before = (one.mark().unwrap(), other.mark().unwrap());
    one.sessions(portcullis_store::SessionFilter::All).unwrap();
    one.parts(&portcullis_store::Owner::Session(session), 0).unwrap();
    let refused = other.commit(Commit::at(at(2)).in_session(session).change(Change::UseRule(RuleId::new(1))));
    assert_eq!(refused, Err(CommitError::RuleGone(RuleId::new(1))));
    assert_eq!((one.mark().unwrap(), other.mark().unwrap()), before);
}

pub(crate) fn a_commit_of_a_session_needs_one<P: Place>() {
    let store = P::fresh().open();
    for change in [Change::NextStep, Change::Touch, Change::End, set_part(1)] {
        assert_eq!(store.commit(Commit::at(at(0)).change(change)), Err(CommitError::NoSession));
    }
    let expecting = Expected { session: Some(0), ..Expected::default() };
    assert_eq!(store.commit(Commit::at(at(0)).expecting(expecting)), Err(CommitError::NoSession));
    let unknown = portcullis_store::SessionId::new([7; 8]);
    let commit = Commit::at(at(0)).in_session(unknown).entry(entry("{}"));
    assert_eq!(store.commit(commit), Err(CommitError::SessionClosed));
    assert_eq!(store.versions(unknown).unwrap(), None);
    assert_eq!(store.session(unknown).unwrap(), None);
}

pub(crate) fn many_writers_lose_nothing<P: Place>() {
    const WRITERS: usize = 16;
    const EACH: usize = 40;
    let place = P::fresh();
    let stores = [place.open(), place.open()];
    let session = join(&stores[0], "editor").id;
    let mut acknowledged: Vec<(u64, String)> = std::thread::scope(|scope| {
        let write = |number: usize| {
            let store = &stores[number % 2];
            let one = move |turn: usize| {
                let body = format!("{{\"writer\":{number},\"turn\":{turn}}}");
                let commit =
                    Commit::at(at(1)).in_session(session).entry(entry(&body)).change(Change::NextStep);
                let committed = store.commit(commit).unwrap();
                (committed.entries[0].sequence, body)
            };
            scope.spawn(move || (0..EACH).map(one).collect::<Vec<_>>())
        };
        let threads: Vec<_> = (0..WRITERS).map(write).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    acknowledged.sort();
    let written = stores[1].entries(&portcullis_store::EntryFilter::default()).unwrap();
    let written: Vec<_> = written.into_iter().map(|entry| (entry.sequence, entry.body)).collect();
    assert_eq!(written, acknowledged);
    assert_eq!(stores[0].session(session).unwrap().unwrap().step, (WRITERS * EACH) as u64);
    let whole = stores[0].verify(None, &mut |_| {}).unwrap();
    assert_eq!(whole, portcullis_store::Verification::Whole { head: stores[1].head().unwrap() });
}
