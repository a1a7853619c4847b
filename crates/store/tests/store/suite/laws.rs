//! Whatever is done, the store does as a plain model of it would.

use jiff::SignedDuration;
use portcullis_store::{
    Change, Commit, EntryFilter, Expected, Keep, NewApproval, NewEntry, NewInvariant, NewPin, NewQuestion,
    NewRule, NewSight, NewSigner, Place as PartOf, QuestionId, RuleId, Store, ToolKey, Trust, Verification,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::model::Model;
use crate::suite::{Place, at, digest, entry, key};

/// A commit with numbers where names have to be found out first.
#[derive(Clone, Debug)]
struct Plan {
    pause: i64,
    /// Which of the sessions so far.
    session: Option<usize>,
    expected: Expectation,
    entries: usize,
    changes: Vec<Planned>,
}

#[derive(Clone, Debug)]
enum Expectation {
    Nothing,
    Current,
    Outdated,
    PolicyOnly,
}

#[derive(Clone, Debug)]
enum Planned {
    /// One that needs no name.
    Ready(Change),
    AddRule(Option<usize>, Option<i64>, Option<u32>),
    Ask(usize, u8, i64, Keep),
    Approve(usize, u8, i64),
}

fn plan() -> impl Strategy<Value = Plan> {
    let expected = prop_oneof![
        4 => Just(Expectation::Nothing),
        4 => Just(Expectation::Current),
        1 => Just(Expectation::Outdated),
        1 => Just(Expectation::PolicyOnly),
    ];
    (0_i64..8, option::weighted(0.8, 0_usize..3), expected, 0_usize..3, vec(change(), 0..4)).prop_map(
        |(pause, session, expected, entries, changes)| Plan { pause, session, expected, entries, changes },
    )
}

fn change() -> impl Strategy<Value = Planned> {
    prop_oneof![
        6 => session_change().prop_map(Planned::Ready),
        4 => policy_change().prop_map(Planned::Ready),
        2 => (option::of(0_usize..3), option::of(0_i64..30), option::of(0_u32..3))
            .prop_map(|(session, life, uses)| Planned::AddRule(session, life, uses)),
        2 => (0_usize..3, 0_u8..3, 0_i64..20, prop_oneof![Just(Keep::Always), Just(Keep::UntilClosed)])
            .prop_map(|(session, key, life, keep)| Planned::Ask(session, key, life, keep)),
        1 => (0_usize..3, 0_u8..3, 0_i64..20)
            .prop_map(|(session, key, life)| Planned::Approve(session, key, life)),
    ]
}

fn session_change() -> impl Strategy<Value = Change> {
    let place = prop_oneof![Just(PartOf::Session), Just(PartOf::Workspace)];
    let idle = SignedDuration::from_secs(20);
    prop_oneof![
        4 => Just(Change::NextStep),
        4 => (place, "[ab]", option::weighted(0.8, vec(any::<u8>(), 0..4)))
            .prop_map(|(place, name, content)| Change::SetPart { place, name, content }),
        2 => Just(Change::Touch),
        1 => Just(Change::End),
        4 => "[ab]".prop_map(move |host| Change::Join { key: key(&host), idle }),
        1 => option::of(Just(idle)).prop_map(|idle| Change::Expire { idle }),
        2 => (1_u64..4, 0_u8..3).prop_map(|(id, binding)| Change::UseApproval {
            id: portcullis_store::ApprovalId::new(id),
            binding: digest(binding),
        }),
    ]
}

fn policy_change() -> impl Strategy<Value = Change> {
    let tool = |tool: String| ToolKey { server: "s".to_owned(), tool };
    prop_oneof![
        3 => (1_u64..5).prop_map(|id| Change::UseRule(RuleId::new(id))),
        1 => (1_u64..5, "[uv]").prop_map(|(id, by)| Change::RevokeRule { id: RuleId::new(id), by }),
        1 => "[a-z]{1,8}".prop_map(|sentence| Change::AddInvariant(NewInvariant {
            datalog: sentence.to_uppercase(),
            sentence,
            author: "u".to_owned(),
        })),
        1 => (1_u64..4, "[uv]").prop_map(|(id, by)| Change::RemoveInvariant {
            id: portcullis_store::InvariantId::new(id),
            by,
        }),
        2 => ("[tu]", any::<u8>(), "[uv]").prop_map(move |(name, hash, approver)| Change::Pin(NewPin {
            key: tool(name),
            hash: digest(hash),
            definition: "{}".to_owned(),
            state: "pinned".to_owned(),
            particulars: "{}".to_owned(),
            approver,
        })),
        1 => ("[kl]", any::<bool>(), "[uv]").prop_map(|(key, trusted, by)| Change::SetSigner(NewSigner {
            public: format!("{{\"kid\":\"{key}\"}}"),
            key,
            name: "acme".to_owned(),
            allowance: "{}".to_owned(),
            trust: if trusted { Trust::Trusted } else { Trust::Revoked },
            by,
        })),
        1 => ("[sr]", proptest::collection::vec(("[tu]", 0_u8..3), 0..4)).prop_map(|(server, seen)| {
            let sights = seen.into_iter().map(|(tool, hash)| NewSight {
                tool,
                hash: digest(hash),
                definition: format!("{{\"v\":{hash}}}"),
                particulars: "{}".to_owned(),
            });
            Change::See { server, sights: sights.collect() }
        }),
        1 => ("[tu]", "[uv]").prop_map(move |(name, by)| Change::Unpin { key: tool(name), by }),
        2 => (1_u64..4).prop_map(|id| Change::Answer {
            id: QuestionId::new(id),
            body: "\"yes\"".to_owned(),
            channel: "console".to_owned(),
        }),
        2 => (1_u64..4).prop_map(|id| Change::Withdraw(QuestionId::new(id))),
    ]
}

impl Plan {
    fn commit(&self, now: i64, model: &Model) -> Commit {
        let session = |number: usize| model.session_id(number);
        let change = |planned: &Planned| match planned.clone() {
            Planned::Ready(change) => Some(change),
            Planned::AddRule(number, life, uses) => Some(Change::AddRule(NewRule {
                session: number.and_then(session),
                expires: life.map(|life| at(now + life)),
                uses,
                ..crate::suite::rule("allow")
            })),
            Planned::Ask(number, key, life, keep) => Some(Change::Ask(NewQuestion {
                session: session(number)?,
                key: digest(key),
                body: "{}".to_owned(),
                expires: at(now + life),
                keep,
            })),
            Planned::Approve(number, key, life) => Some(Change::Approve(NewApproval {
                session: session(number)?,
                binding: digest(key),
                expires: at(now + life),
                grantor: "u".to_owned(),
            })),
        };
        let mut commit = Commit::at(at(now));
        commit.session = self.session.and_then(session);
        let versions = model.versions(commit.session);
        commit.expected = match self.expected {
            Expectation::Nothing => Expected::default(),
            Expectation::Current if commit.session.is_some() => versions.into(),
            Expectation::Current | Expectation::PolicyOnly => {
                Expected { policy: Some(versions.policy), ..Expected::default() }
            }
            Expectation::Outdated => Expected { policy: Some(versions.policy + 1), ..Expected::default() },
        };
        commit.entries = vec![entry("{}"); self.entries];
        commit.changes = self.changes.iter().filter_map(change).collect();
        commit
    }
}

pub(crate) fn the_store_agrees_with_a_plain_model<P: Place>() {
    let configuration = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) };
    proptest!(configuration, |(plans in vec(plan(), 1..40))| {
        let place = P::fresh();
        // Two, as if there were two processes, which take turns.
        let stores = [place.open(), place.open()];
        let (mut model, mut now, mut entries) = (Model::default(), 0, 0);
        for (plan, turn) in plans.iter().zip(0..) {
            now += plan.pause;
            let (store, other) = (&stores[turn % 2], &stores[(turn + 1) % 2]);
            let commit = plan.commit(now, &model);
            let outcome = store.commit(commit.clone());
            model.commit_beside(&commit, &outcome)?;
            entries += if outcome.is_ok() { commit.entries.len() as u64 } else { 0 };
            model.compare(other, at(now))?;
            prop_assert_eq!(other.head().unwrap().sequence, entries);
        }
        let head = stores[0].head().unwrap();
        let whole = stores[1].verify(None, &mut |_| {}).unwrap();
        prop_assert_eq!(whole, Verification::Whole { head });
    });
}

/// JSON as anyone might write it, with spaces and escapes in odd places.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("-0.00e+1".to_owned()),
        Just("12345678901234567890123".to_owned()),
        "[^\\p{C}\"\\\\]{0,12}".prop_map(|text| format!("\"{text}\"")),
        Just("\"\\u0000\\ud83d\\n\"".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(" ,"))),
            vec(inner, 0..4).prop_map(|items| {
                let fields: Vec<_> = items.iter().map(|item| format!("\"a\":\t{item}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

pub(crate) fn any_json_in_one_line_is_kept_letter_by_letter<P: Place>() {
    let place = P::fresh();
    let store = place.open();
    let configuration = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) };
    proptest!(configuration, |(body in json(), seconds in any::<i32>(), kind in "[a-z][a-z0-9._-]{0,20}")| {
        let time = at(0) + SignedDuration::new(i64::from(seconds), 123_456_000);
        let new = NewEntry::new(&kind, &body).unwrap();
        let written = store.commit(Commit::at(time).entry(new)).unwrap().entries[0];
        let read = store.entry(written.sequence).unwrap().unwrap();
        prop_assert_eq!((read.body.as_str(), read.kind.as_str(), read.time), (body.as_str(), kind.as_str(), time));
        prop_assert_eq!(read.head(), written);
        // And through an export.
        let mut export = Vec::new();
        store.export(written.sequence - 1, &mut export, &mut |_| {}).unwrap();
        let verified = portcullis_store::verify_export(&mut export.as_slice(), Some(written)).unwrap();
        prop_assert_eq!(verified.head, written);
    });
    let whole = store.verify(None, &mut |_| {}).unwrap();
    assert_eq!(whole, Verification::Whole { head: store.head().unwrap() });
    assert!(!store.entries(&EntryFilter::default()).unwrap().is_empty());
}
