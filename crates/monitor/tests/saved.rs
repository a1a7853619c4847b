//! A session goes on where another process left it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/session.rs"]
mod support;

use std::collections::BTreeMap;

use portcullis_lattice::Decision;
use portcullis_monitor::{LoadError, Part, Session};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{allowing_everything, decide, session};

const SENTENCES: [&str; 2] = ["nothing from hr/ may leave this machine", "send at most 2 mails per session"];

/// What a store would keep.
#[derive(Default)]
struct Kept {
    step: u64,
    parts: BTreeMap<Part, String>,
}

impl Kept {
    fn keep(&mut self, session: &mut Session<'_>, step: u64) {
        self.parts.extend(session.take_unsaved());
        self.step = step;
    }

    fn load(&self) -> Result<Session<'static>, LoadError> {
        let mut session = session(&allowing_everything(), &SENTENCES);
        session.load(self.step, &|part| self.parts.get(&part).cloned())?;
        Ok(session)
    }
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("filesystem.read_text_file", json!({"path": "/home/u/.aws/credentials"})),
        ("filesystem.read_text_file", json!({"path": "hr/pay.csv"})),
        ("filesystem.write_file", json!({"path": "notes/a.md", "content": "x"})),
        ("filesystem.read_text_file", json!({"path": "notes/a.md"})),
        ("gmail.send_email", json!({"to": ["ann@acme.com"], "subject": "s", "body": "b"})),
        ("playwright.browser_navigate", json!({"url": "https://docs.rs/serde"})),
        ("playwright.browser_snapshot", json!({})),
        ("desktop-commander.start_process", json!({"command": "rm notes/a.md", "timeout_ms": 1})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn a_session_that_is_loaded_before_each_call_decides_like_one_that_was_never_left(
        chosen in proptest::collection::vec(0..8usize, 1..14),
        succeeds in any::<bool>(),
    ) {
        let calls = calls();
        let mut whole = session(&allowing_everything(), &SENTENCES);
        let mut kept = Kept::default();
        for (number, arguments) in chosen.iter().map(|at| &calls[*at]) {
            let mut carried_on = kept.load().unwrap();
            let (one, other) = (decide(&whole, number, arguments), decide(&carried_on, number, arguments));
            prop_assert_eq!(one.decision, other.decision);
            prop_assert_eq!(one.reasons(), other.reasons());
            prop_assert_eq!(&one.carried, &other.carried);
            if one.decision == Decision::Permit {
                drop(whole.permit(&one).unwrap());
                drop(carried_on.permit(&other).unwrap());
                if succeeds {
                    whole.completed(&one, portcullis_monitor::Outcome::Success);
                    carried_on.completed(&other, portcullis_monitor::Outcome::Success);
                }
                let text = "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz";
                if *number == "filesystem.read_text_file" {
                    whole.result(&one, text);
                    carried_on.result(&other, text);
                }
                kept.keep(&mut carried_on, other.step() + 1);
            }
        }
    }
}

#[test]
fn what_is_saved_once_is_not_saved_again() {
    let mut session = session(&allowing_everything(), &[]);
    assert!(!session.has_unsaved());
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "/home/u/.aws/credentials"}));
    drop(session.permit(&read).unwrap());
    let parts: Vec<Part> = session.take_unsaved().into_iter().map(|(part, _)| part).collect();
    assert_eq!(parts, [Part::Files, Part::Labels]);
    assert!(!session.has_unsaved());
    let list = decide(&session, "filesystem.list_directory", &json!({"path": "docs"}));
    drop(session.permit(&list).unwrap());
    assert!(session.take_unsaved().is_empty(), "a listing of plain files leaves nothing");
}

#[test]
fn a_part_that_is_not_understood_is_refused() {
    let mut kept = Kept { step: 3, parts: BTreeMap::new() };
    for (part, text, reason) in [
        (Part::Labels, "", "the saved labels of the session cannot be read"),
        (Part::Labels, "{}", "the saved labels of the session cannot be read"),
        (Part::Calls, r#"{"page":null,"counts":{},"trails":[],"more":1}"#, "unknown field `more`"),
        (Part::Texts, r#"{"version":"portcullis-fingerprints-9"}"#, "the saved texts of the session"),
    ] {
        kept.parts = BTreeMap::from([(part, text.to_owned())]);
        let error = kept.load().err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(reason), "{part:?} {text}: {error}");
    }
}
