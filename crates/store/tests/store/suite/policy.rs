//! Rules, invariants and pins.

use portcullis_store::{
    Change, Commit, CommitError, Digest, FetchOutcome, InvariantId, MOST_SIGHTS, Made, NewInvariant, NewPin,
    NewRule, NewSight, NewSigner, Removal, Rule, RuleFilter, RuleId, SessionId, Standing, Store, ToolKey,
    Trust,
};

use crate::suite::sources::{bundle, issuer};
use crate::suite::{Place, add_rule, at, digest, expected, join, only_made, rule};

fn active(store: &impl Store, session: SessionId, now: i64) -> Vec<RuleId> {
    let filter = RuleFilter::ActiveIn { session, now: at(now) };
    store.rules(filter).unwrap().iter().map(|rule| rule.id).collect()
}

fn use_rule(store: &impl Store, session: SessionId, id: RuleId, now: i64) -> Result<u64, CommitError> {
    let commit = Commit::at(at(now)).in_session(session).change(Change::UseRule(id));
    store.commit(commit).map(|committed| committed.versions.policy)
}

pub(crate) fn a_rule_counts_in_its_session_and_until_its_time<P: Place>() {
    let store = P::fresh().open();
    let (one, other) = (join(&store, "editor").id, join(&store, "terminal").id);
    let always = add_rule(&store, rule("always"));
    let own = add_rule(&store, NewRule { session: Some(one), ..rule("own") });
    let until = add_rule(&store, NewRule { expires: Some(at(10)), ..rule("until") });
    assert_eq!(active(&store, one, 9), [always, own, until]);
    assert_eq!(active(&store, other, 9), [always, until]);
    assert_eq!(active(&store, one, 10), [always, own]);
    let anywhere: Vec<_> =
        store.rules(RuleFilter::Active { now: at(9) }).unwrap().iter().map(|rule| rule.id).collect();
    assert_eq!(anywhere, [always, own, until]);
    assert_eq!(use_rule(&store, other, own, 9), Err(CommitError::RuleGone(own)));
    assert_eq!(use_rule(&store, one, until, 10), Err(CommitError::RuleGone(until)));
    use_rule(&store, one, own, 9).unwrap();
}

pub(crate) fn a_rule_is_used_as_often_as_it_says<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let id = add_rule(&store, NewRule { uses: Some(2), ..rule("twice") });
    assert_eq!(use_rule(&store, session, id, 1), Ok(2));
    assert_eq!(active(&store, session, 1), [id]);
    assert_eq!(use_rule(&store, session, id, 2), Ok(3));
    assert_eq!(active(&store, session, 2), []);
    assert_eq!(use_rule(&store, session, id, 3), Err(CommitError::RuleGone(id)));
    let [kept] = <[Rule; 1]>::try_from(store.rules(RuleFilter::All).unwrap()).unwrap();
    assert_eq!((kept.uses_left, kept.last_used), (Some(0), Some(at(2))));
}

pub(crate) fn a_rule_without_a_limit_is_only_checked<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let id = add_rule(&store, rule("always"));
    assert_eq!(use_rule(&store, session, id, 1), Ok(1));
    assert_eq!(use_rule(&store, session, RuleId::new(9), 1), Err(CommitError::RuleGone(RuleId::new(9))));
}

pub(crate) fn a_revoked_rule_is_kept_with_who_and_when<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let id = add_rule(&store, NewRule { expires: Some(at(90)), uses: Some(7), ..rule("allow") });
    let revoke = || Commit::at(at(5)).change(Change::RevokeRule { id, by: "ann".to_owned() });
    store.commit(revoke()).unwrap();
    assert_eq!(active(&store, session, 6), []);
    assert_eq!(use_rule(&store, session, id, 6), Err(CommitError::RuleGone(id)));
    assert_eq!(store.commit(revoke()), Err(CommitError::RuleGone(id)));
    let kept = Rule {
        id,
        text: "allow".to_owned(),
        session: None,
        expires: Some(at(90)),
        uses_left: Some(7),
        grantor: "u".to_owned(),
        reason: "asked".to_owned(),
        created: at(0),
        last_used: None,
        revoked: Some(Removal { at: at(5), by: "ann".to_owned() }),
    };
    assert_eq!(store.rules(RuleFilter::All).unwrap(), [kept]);
}

pub(crate) fn rules_of_an_ended_session_are_void<P: Place>() {
    let store = P::fresh().open();
    let (session, other) = (join(&store, "editor").id, join(&store, "terminal").id);
    add_rule(&store, NewRule { session: Some(session), ..rule("own") });
    store.commit(Commit::at(at(1)).in_session(session).change(Change::End)).unwrap();
    assert_eq!(active(&store, session, 2), []);
    assert_eq!(active(&store, other, 2), []);
    assert_eq!(store.rules(RuleFilter::Active { now: at(2) }).unwrap(), []);
    let late = Change::AddRule(NewRule { session: Some(session), ..rule("late") });
    assert_eq!(store.commit(Commit::at(at(2)).change(late)), Err(CommitError::SessionClosed));
}

pub(crate) fn invariants_are_kept_after_their_removal<P: Place>() {
    let store = P::fresh().open();
    let new = |sentence: &str| NewInvariant {
        sentence: sentence.to_owned(),
        datalog: "deny(\"x\") :- effect(\"del\").".to_owned(),
        author: "u".to_owned(),
    };
    for sentence in ["never delete files", "never send mail"] {
        store.commit(Commit::at(at(0)).change(Change::AddInvariant(new(sentence)))).unwrap();
    }
    let remove = || {
        let change = Change::RemoveInvariant { id: InvariantId::new(1), by: "ann".to_owned() };
        store.commit(Commit::at(at(3)).change(change)).map(drop)
    };
    remove().unwrap();
    assert_eq!(remove(), Err(CommitError::InvariantGone(InvariantId::new(1))));
    let sentences = |standing| -> Vec<_> {
        let found = store.invariants(standing).unwrap();
        found.into_iter().map(|found| (found.sentence, found.removed)).collect()
    };
    let removed = Some(Removal { at: at(3), by: "ann".to_owned() });
    let both = [("never delete files".to_owned(), removed), ("never send mail".to_owned(), None)];
    assert_eq!(sentences(Standing::Current), both[1..]);
    assert_eq!(sentences(Standing::All), both);
}

pub(crate) fn a_pin_takes_the_place_of_the_one_before<P: Place>() {
    let store = P::fresh().open();
    let key = ToolKey { server: "npx files".to_owned(), tool: "read".to_owned() };
    let pin = |hash, key: &ToolKey| NewPin {
        key: key.clone(),
        hash: digest(hash),
        definition: format!("{{\"version\":{hash}}}"),
        state: "pinned".to_owned(),
        particulars: "{\"by\":\"user\"}".to_owned(),
        approver: "u".to_owned(),
    };
    let unpin = || Commit::at(at(9)).change(Change::Unpin { key: key.clone(), by: "ann".to_owned() });
    assert_eq!(store.commit(unpin()), Err(CommitError::NotPinned));
    let other = ToolKey { server: "npx".to_owned(), tool: "files read".to_owned() };
    for (time, pin) in [(1, pin(1, &key)), (2, pin(2, &key)), (3, pin(3, &other))] {
        store.commit(Commit::at(at(time)).change(Change::Pin(pin))).unwrap();
    }
    let current: Vec<_> =
        store.pins(Standing::Current).unwrap().into_iter().map(|pin| (pin.key, pin.hash)).collect();
    assert_eq!(current, [(key.clone(), digest(2)), (other.clone(), digest(3))]);
    store.commit(unpin()).unwrap();
    let told: Vec<_> =
        store.pins_of(&key).unwrap().into_iter().map(|pin| (pin.approved, pin.replaced)).collect();
    let replaced = |seconds, by: &str| Some(Removal { at: at(seconds), by: by.to_owned() });
    assert_eq!(told, [(at(1), replaced(2, "u")), (at(2), replaced(9, "ann"))]);
    assert_eq!(store.pins(Standing::All).unwrap().len(), 3);
    assert_eq!(store.pins(Standing::Current).unwrap()[0].definition, "{\"version\":3}");
}

pub(crate) fn what_servers_list_is_kept_and_decides_nothing<P: Place>() {
    let store = P::fresh().open();
    let sight = |tool: &str, hash| NewSight {
        tool: tool.to_owned(),
        hash: digest(hash),
        definition: format!("{{\"name\":\"{tool}\",\"v\":{hash}}}"),
        particulars: format!("{{\"v\":{hash}}}"),
    };
    let see = |time, server: &str, sights| {
        let committed = store
            .commit(Commit::at(at(time)).change(Change::See { server: server.to_owned(), sights }))
            .unwrap();
        assert_eq!(committed.versions.policy, 0);
    };
    see(1, "files", vec![sight("read", 1), sight("write", 2)]);
    see(2, "mail", vec![sight("read", 1)]);
    see(3, "files", vec![sight("read", 3)]);
    see(4, "files", vec![sight("read", 1)]);
    let told = |server| -> Vec<_> {
        let sights = store.sights(server).unwrap();
        let told = sights.into_iter();
        told.map(|seen| (seen.key.tool, seen.hash, seen.first_seen, seen.last_seen, seen.is_listed)).collect()
    };
    let of_files = [
        ("read".to_owned(), digest(1), at(1), at(4), true),
        ("read".to_owned(), digest(3), at(3), at(3), false),
        ("write".to_owned(), digest(2), at(1), at(1), false),
    ];
    assert_eq!(told(Some("files")), of_files);
    assert_eq!(told(None).len(), 4);
    assert_eq!(store.sights(Some("mail")).unwrap()[0].particulars, "{\"v\":1}");
}

pub(crate) fn a_server_that_lists_other_things_each_time_fills_no_disk<P: Place>() {
    let store = P::fresh().open();
    let tool = |tool: &str, number: u64| NewSight {
        tool: tool.to_owned(),
        hash: Digest::of_fields("a test", &[&number.to_be_bytes()]),
        definition: number.to_string(),
        particulars: "{}".to_owned(),
    };
    for number in 0..MOST_SIGHTS as u64 + 9 {
        let change = Change::See { server: "s".to_owned(), sights: vec![tool("t", number), tool("u", 1)] };
        store.commit(Commit::at(at(number as i64)).change(change)).unwrap();
    }
    let kept: Vec<_> = store.sights(Some("s")).unwrap();
    let of_t: Vec<_> = kept.iter().filter(|seen| seen.key.tool == "t").collect();
    assert_eq!(of_t.len(), MOST_SIGHTS);
    assert_eq!(of_t.first().unwrap().definition, "9");
    assert!(of_t.last().unwrap().is_listed);
    assert_eq!(kept.len(), MOST_SIGHTS + 1);
}

fn signer(key: &str, trust: Trust) -> NewSigner {
    NewSigner {
        key: key.to_owned(),
        public: format!("{{\"kid\":\"{key}\"}}"),
        name: "acme".to_owned(),
        allowance: "{\"tools\":[\"*\"]}".to_owned(),
        trust,
        by: "ann".to_owned(),
    }
}

pub(crate) fn the_last_word_on_a_key_counts<P: Place>() {
    let store = P::fresh().open();
    let said = [("k", Trust::Trusted), ("l", Trust::Trusted), ("k", Trust::Revoked), ("m", Trust::Revoked)];
    for (time, (key, trust)) in (1..).zip(said) {
        store.commit(Commit::at(at(time)).change(Change::SetSigner(signer(key, trust)))).unwrap();
    }
    let current: Vec<_> =
        store.signers(Standing::Current).unwrap().into_iter().map(|said| (said.key, said.trust)).collect();
    let expected = [("l", Trust::Trusted), ("k", Trust::Revoked), ("m", Trust::Revoked)];
    assert_eq!(current, expected.map(|(key, trust)| (key.to_owned(), trust)));
    let all = store.signers(Standing::All).unwrap();
    assert_eq!(all.len(), 4);
    assert_eq!(all[0].replaced, Some(Removal { at: at(3), by: "ann".to_owned() }));
    assert_eq!(
        (all[2].since, &*all[2].allowance, &*all[2].public),
        (at(3), "{\"tools\":[\"*\"]}", "{\"kid\":\"k\"}")
    );
}

pub(crate) fn every_change_of_policy_has_a_new_version<P: Place>() {
    let store = P::fresh().open();
    let session = join(&store, "editor").id;
    let key = ToolKey { server: "s".to_owned(), tool: "t".to_owned() };
    let pin = NewPin {
        key: key.clone(),
        hash: digest(1),
        definition: "{}".to_owned(),
        state: "pinned".to_owned(),
        particulars: "{\"by\":\"user\"}".to_owned(),
        approver: "u".to_owned(),
    };
    let invariant =
        NewInvariant { sentence: "s".to_owned(), datalog: "d".to_owned(), author: "u".to_owned() };
    let by = || "u".to_owned();
    let changes = [
        Change::AddRule(NewRule { uses: Some(1), ..rule("once") }),
        Change::UseRule(RuleId::new(1)),
        Change::AddRule(rule("always")),
        Change::RevokeRule { id: RuleId::new(2), by: by() },
        Change::AddInvariant(invariant),
        Change::RemoveInvariant { id: InvariantId::new(1), by: by() },
        Change::Pin(pin),
        Change::Unpin { key, by: by() },
        Change::SetSigner(signer("k", Trust::Trusted)),
        Change::SetSigner(signer("k", Trust::Revoked)),
        Change::SetIssuer(issuer("i", Trust::Trusted)),
        Change::SetIssuer(issuer("i", Trust::Revoked)),
        Change::TakeBundle(bundle("k", 1, 1)),
        Change::TakeBundle(bundle("k", 2, 1)),
        Change::RenewBundle { new: bundle("k", 3, 1), over: digest(1) },
        Change::RemoveBundle { key: "k".to_owned(), by: by() },
        Change::NoteFetch { address: "a".to_owned(), outcome: FetchOutcome::Got("b".to_owned()) },
    ];
    for (change, version) in changes.into_iter().zip(1..) {
        let outdated = expected(&store, session);
        let shown = format!("{change:?}");
        let committed = store.commit(Commit::at(at(0)).in_session(session).change(change)).unwrap();
        assert_eq!(committed.versions.policy, version, "{shown}");
        assert_eq!(store.policy_version().unwrap(), version);
        let late = Commit::at(at(0)).in_session(session).expecting(outdated).change(Change::NextStep);
        assert_eq!(store.commit(late), Err(CommitError::Outdated(committed.versions)), "{shown}");
    }
    let made = store.commit(Commit::at(at(0)).change(Change::AddRule(rule("third")))).unwrap();
    assert_eq!(only_made(made), Made::Rule(RuleId::new(3)));
}
