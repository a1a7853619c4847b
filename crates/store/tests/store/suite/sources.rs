//! Identity providers, trust bundles, and what was fetched.

use std::collections::BTreeMap;

use portcullis_store::{
    Change, Commit, CommitError, FetchOutcome, NewBundle, NewIssuer, Removal, Standing, Store, Trust,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::suite::{Place, at, digest};

pub(crate) fn issuer(issuer: &str, trust: Trust) -> NewIssuer {
    let particulars = format!("{{\"audience\":\"{}\"}}", trust.name());
    NewIssuer { issuer: issuer.to_owned(), particulars, trust, by: "ann".to_owned() }
}

pub(crate) fn bundle(key: &str, version: u64, content: u8) -> NewBundle {
    NewBundle {
        key: key.to_owned(),
        public: format!("{{\"kid\":\"{key}\"}}"),
        name: "team".to_owned(),
        source: "/team.jws".to_owned(),
        text: format!("{version}.{content}"),
        version,
        content: digest(content),
        by: "ann".to_owned(),
    }
}

pub(crate) fn the_last_word_on_an_issuer_counts<P: Place>() {
    let store = P::fresh().open();
    for (time, (name, trust)) in
        (1..).zip([("a", Trust::Trusted), ("b", Trust::Trusted), ("a", Trust::Revoked)])
    {
        store.commit(Commit::at(at(time)).change(Change::SetIssuer(issuer(name, trust)))).unwrap();
    }
    let said = |standing| store.issuers(standing).unwrap();
    let current: Vec<_> =
        said(Standing::Current).into_iter().map(|said| (said.issuer, said.trust, said.since)).collect();
    assert_eq!(current, [("b".to_owned(), Trust::Trusted, at(2)), ("a".to_owned(), Trust::Revoked, at(3))]);
    let all = said(Standing::All);
    assert_eq!(all.len(), 3);
    assert_eq!(all[0].replaced, Some(Removal { at: at(3), by: "ann".to_owned() }));
    assert_eq!(all[0].particulars, "{\"audience\":\"trusted\"}");
}

pub(crate) fn a_bundle_that_was_removed_is_remembered_by_its_number<P: Place>() {
    let store = P::fresh().open();
    let take = |time, new| store.commit(Commit::at(at(time)).change(Change::TakeBundle(new))).map(drop);
    let remove = |time| {
        let change = Change::RemoveBundle { key: "k".to_owned(), by: "bob".to_owned() };
        store.commit(Commit::at(at(time)).change(change)).map(drop)
    };
    take(1, bundle("k", 7, 1)).unwrap();
    remove(2).unwrap();
    assert_eq!(remove(3), Err(CommitError::NoBundle));
    assert_eq!(take(4, bundle("k", 6, 1)), Err(CommitError::OlderBundle { offered: 6, seen: 7 }));
    assert_eq!(take(4, bundle("k", 7, 2)), Err(CommitError::ForkedBundle { version: 7 }));
    assert!(store.bundles(Standing::Current).unwrap().is_empty());
    take(5, bundle("k", 7, 1)).unwrap();
    // Another key signs another bundle.
    take(6, bundle("l", 1, 1)).unwrap();
    let all = store.bundles(Standing::All).unwrap();
    let texts: Vec<_> = all.iter().map(|taken| (taken.key.as_str(), taken.text.as_str())).collect();
    assert_eq!(texts, [("k", ""), ("k", "7.1"), ("l", "1.1")]);
    assert_eq!(all[0].replaced, Some(Removal { at: at(2), by: "bob".to_owned() }));
    assert_eq!((all[1].taken, all[1].content), (at(5), digest(1)));
}

pub(crate) fn only_the_bundle_that_was_read_again_is_renewed<P: Place>() {
    let place = P::fresh();
    // One reads it again, which takes a while; the other is a person with commands.
    let (reader, person) = (place.open(), place.open());
    let renew = |version, over| {
        let change = Change::RenewBundle { new: bundle("k", version, 2), over: digest(over) };
        reader.commit(Commit::at(at(9)).change(change)).map(drop)
    };
    let take = |new| person.commit(Commit::at(at(1)).change(Change::TakeBundle(new))).map(drop).unwrap();
    let current = || {
        let kept = person.bundles(Standing::Current).unwrap().into_iter();
        kept.map(|kept| (kept.version, kept.name, kept.source)).collect::<Vec<_>>()
    };
    assert_eq!(renew(1, 1), Err(CommitError::BundleReplaced));
    take(bundle("k", 1, 1));
    renew(2, 1).unwrap();
    assert_eq!(current(), [(2, "team".to_owned(), "/team.jws".to_owned())]);
    // Somebody else was faster.
    assert_eq!(renew(3, 1), Err(CommitError::BundleReplaced));
    // It has another name, or comes from elsewhere.
    for new in [
        NewBundle { name: "ours".to_owned(), ..bundle("k", 2, 2) },
        NewBundle { source: "/other.jws".to_owned(), ..bundle("k", 2, 2) },
    ] {
        take(new.clone());
        assert_eq!(renew(3, 2), Err(CommitError::BundleReplaced));
        assert_eq!(current(), [(2, new.name, new.source)]);
    }
    take(bundle("k", 2, 2));
    let change = Change::RemoveBundle { key: "k".to_owned(), by: "bob".to_owned() };
    person.commit(Commit::at(at(2)).change(change)).unwrap();
    assert_eq!(renew(3, 2), Err(CommitError::BundleReplaced));
    assert_eq!(current(), []);
}

pub(crate) fn a_try_that_fails_keeps_what_was_fetched<P: Place>() {
    let store = P::fresh().open();
    let note = |time, outcome| {
        let change = Change::NoteFetch { address: "https://a".to_owned(), outcome };
        store.commit(Commit::at(at(time)).change(change)).unwrap().versions.policy
    };
    assert_eq!(note(1, FetchOutcome::Failed("no network".to_owned())), 0);
    assert_eq!(store.fetches().unwrap()[0].got, None);
    assert_eq!(note(2, FetchOutcome::Got("one".to_owned())), 1);
    assert_eq!(note(2, FetchOutcome::Got("one".to_owned())), 1);
    assert_eq!(note(3, FetchOutcome::Failed("no network".to_owned())), 1);
    let kept = store.fetches().unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!((&kept[0].got, kept[0].tried), (&Some(("one".to_owned(), at(2))), at(3)));
    assert_eq!(kept[0].trouble.as_deref(), Some("no network"));
    assert_eq!(note(4, FetchOutcome::Got("two".to_owned())), 2);
    let kept = store.fetches().unwrap();
    assert_eq!((&kept[0].got, &kept[0].trouble), (&Some(("two".to_owned(), at(4))), &None));
    // The same is news where the last one may have been given up.
    assert_eq!(note(4 + 86_399, FetchOutcome::Got("two".to_owned())), 2);
    assert_eq!(note(4 + 86_399 + 86_400, FetchOutcome::Got("two".to_owned())), 3);
}

pub(crate) fn what_is_left_of_what_was_fetched_gets_no_younger<P: Place>() {
    let store = P::fresh().open();
    let note = |time, outcome| {
        let change = Change::NoteFetch { address: "https://a".to_owned(), outcome };
        store.commit(Commit::at(at(time)).change(change)).unwrap().versions.policy
    };
    let left =
        |content: &str| FetchOutcome::Left { content: content.to_owned(), trouble: "spoilt".to_owned() };
    // Of nothing, nothing is left.
    assert_eq!(note(1, left("x")), 0);
    assert_eq!(store.fetches().unwrap()[0].got, None);
    assert_eq!(note(2, FetchOutcome::Got("a b".to_owned())), 1);
    assert_eq!(note(3, left("a")), 2);
    assert_eq!(note(4, left("a")), 2);
    let kept = store.fetches().unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!((&kept[0].got, kept[0].tried), (&Some(("a".to_owned(), at(2))), at(4)));
    assert_eq!(kept[0].trouble.as_deref(), Some("spoilt"));
}

/// What somebody does with bundles.
#[derive(Clone, Debug)]
enum Deed {
    Take(&'static str, u64, u8),
    Remove(&'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let key = || prop::sample::select(vec!["k", "l"]);
    prop_oneof![
        3 => (key(), 0_u64..6, 0_u8..2).prop_map(|(key, version, content)| Deed::Take(key, version, content)),
        1 => key().prop_map(Deed::Remove),
    ]
}

pub(crate) fn whatever_is_taken_and_removed_no_bundle_gets_older<P: Place>() {
    let configuration = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) };
    proptest!(configuration, |(deeds in vec(deed(), 1..30))| {
        let place = P::fresh();
        // Two, as if there were two processes, which take turns.
        let stores = [place.open(), place.open()];
        let mut highest: BTreeMap<&str, (u64, u8)> = BTreeMap::new();
        let mut current: BTreeMap<&str, (u64, u8)> = BTreeMap::new();
        for (turn, deed) in deeds.iter().enumerate() {
            let commit = Commit::at(at(0));
            match deed {
                Deed::Take(key, version, content) => {
                    let done = stores[turn % 2].commit(commit.change(Change::TakeBundle(bundle(key, *version, *content))));
                    let seen = highest.get(key).copied();
                    let fits = seen.is_none_or(|seen| *version > seen.0 || (*version, *content) == seen);
                    prop_assert_eq!(done.is_ok(), fits);
                    if fits {
                        highest.insert(key, (*version, *content));
                        current.insert(key, (*version, *content));
                    }
                }
                Deed::Remove(key) => {
                    let change = Change::RemoveBundle { key: (*key).to_owned(), by: "ann".to_owned() };
                    let done = stores[turn % 2].commit(commit.change(change));
                    prop_assert_eq!(done.is_ok(), current.remove(key).is_some());
                }
            }
            let kept = stores[(turn + 1) % 2].bundles(Standing::Current).unwrap();
            let kept: BTreeMap<String, String> = kept.into_iter().map(|kept| (kept.key, kept.text)).collect();
            let expected = current.iter().map(|(key, (version, content))| ((*key).to_owned(), format!("{version}.{content}")));
            prop_assert_eq!(kept, expected.collect());
        }
    });
}
