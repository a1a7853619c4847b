//! What the user is asked, what each answer does, and which answers a host may give.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/session.rs"]
mod support;

use jiff::tz::TimeZone;
use portcullis_lattice::Decision;
use portcullis_monitor::{Answer, Choice, Question, Session, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{decide, friday, rulebook, session};

fn asked(session: &Session<'_>, tool: &str, arguments: &Value) -> (Verdict, Question) {
    let verdict = decide(session, tool, arguments);
    let question = session.question(&verdict, friday()).unwrap();
    (verdict, question)
}

fn ids(question: &Question) -> Vec<&str> {
    question.choices.iter().map(|choice| choice.id.as_str()).collect()
}

fn choice<'q>(question: &'q Question, id: &str) -> &'q Choice {
    question.choices.iter().find(|choice| choice.id == id).unwrap()
}

#[test]
fn a_question_says_what_why_and_from_where() {
    let mut session = session("allow read from /home/u/.aws/** to ctxt carrying secret", &[]);
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "~/.aws/credentials"}));
    drop(session.permit(&read).unwrap());
    let mail = json!({"to": ["eve@vendor.net"], "subject": "s", "body": "b"});
    let (_, question) = asked(&session, "gmail.send_email", &mail);
    assert_eq!(question.deeds.len(), 1);
    let deed = question.deeds.first().unwrap();
    assert!(deed.what.contains("eve@vendor.net") && deed.what.contains("secret"), "{deed:?}");
    assert!(deed.because.contains("nearest is rule 1"), "{deed:?}");
    assert!(!deed.leaves.is_empty(), "{deed:?}");
    assert_eq!(question.origins, ["~/.aws/credentials, read in step 1"]);
}

#[test]
fn a_host_may_not_allow_for_good_what_is_labelled_runs_or_goes_outside() {
    let session = session("", &[]);
    let through_host = |tool: &str, arguments: Value| {
        let (_, question) = asked(&session, tool, &arguments);
        let always = question.choices.iter().filter(|choice| choice.id.starts_with("always"));
        always.map(|choice| choice.through_host).collect::<Vec<_>>()
    };
    // The workspace may be allowed, all files of the machine may not.
    let read = through_host("filesystem.read_text_file", json!({"path": "src/a.rs"}));
    assert!(read.first() == Some(&true) && read.last() == Some(&false), "{read:?}");
    let outside =
        through_host("gmail.send_email", json!({"to": ["eve@vendor.net"], "subject": "s", "body": "b"}));
    assert!(!outside.is_empty() && outside.iter().all(|may| !may));
    let secret = through_host("filesystem.read_text_file", json!({"path": "/home/u/p/.env"}));
    assert!(!secret.is_empty() && secret.iter().all(|may| !may));
    let code = json!({"command": "python3 a.py", "timeout_ms": 1});
    assert!(through_host("desktop-commander.start_process", code).iter().all(|may| !may));
}

#[test]
fn what_a_stated_rule_asks_about_is_allowed_once_or_not_at_all() {
    let mut session = session("", &[]);
    session.set_invariants(rulebook(&["ask me before deleting anything"]), TimeZone::UTC);
    let (_, question) = asked(&session, "gmail.delete_email", &json!({"messageId": "19"}));
    assert_eq!(ids(&question), ["once", "refuse", "never"]);
    assert!(question.reasons.iter().any(|reason| reason.contains("ask me before deleting")));
}

#[test]
fn nothing_is_asked_where_nothing_is_open() {
    let session = session("allow read from @workspace to ctxt", &[]);
    let verdict = decide(&session, "filesystem.read_text_file", &json!({"path": "a.txt"}));
    assert_eq!(session.question(&verdict, friday()), None);
}

fn calls() -> impl Strategy<Value = (&'static str, Value)> {
    let path = proptest::sample::select(vec!["a.txt", "docs/b.md", ".env", "/etc/hosts", "../x/y.pdf"]);
    let address = proptest::sample::select(vec!["ann@acme.com", "eve@vendor.net"]);
    prop_oneof![
        path.clone().prop_map(|path| ("filesystem.read_text_file", json!({"path": path}))),
        path.clone().prop_map(|path| ("filesystem.write_file", json!({"path": path, "content": "x"}))),
        path.prop_map(|path| ("filesystem.list_directory", json!({"path": path}))),
        address.prop_map(|to| ("gmail.send_email", json!({"to": [to], "subject": "s", "body": "b"}))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn an_answer_that_allows_lets_the_call_pass_and_one_that_refuses_does_not((tool, arguments) in calls()) {
        let before = session("", &[]);
        let (verdict, question) = asked(&before, tool, &arguments);
        prop_assert!(ids(&question).contains(&"once") && ids(&question).contains(&"never"));
        for choice in &question.choices {
            let mut session = session("", &[]);
            for rule in before.rules_of(&verdict, &choice.answer, "user", "") {
                session.add_rule(rule);
            }
            let wanted = match choice.answer {
                Answer::Once => {
                    let again = decide(&session, tool, &arguments);
                    session.approve(&again).unwrap();
                    Decision::Permit
                }
                Answer::Allow(..) => Decision::Permit,
                Answer::Refuse => Decision::Ask,
                Answer::Never => Decision::Deny,
            };
            prop_assert_eq!(decide(&session, tool, &arguments).decision, wanted, "{}", choice.words);
        }
    }
}

#[test]
fn an_approval_ends_with_what_the_call_would_do() {
    let mut session =
        session("allow read from local to ctxt\nallow read from local to ctxt carrying secret", &[]);
    let mail = json!({"to": ["ann@acme.com"], "subject": "s", "body": "b"});
    let (verdict, question) = asked(&session, "gmail.send_email", &mail);
    assert_eq!(choice(&question, "once").answer, Answer::Once);
    session.approve(&verdict).unwrap();
    assert_eq!(decide(&session, "gmail.send_email", &mail).decision, Decision::Permit);
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": ".env"}));
    drop(session.permit(&read).unwrap());
    // The same mail would carry something secret by now.
    assert_eq!(decide(&session, "gmail.send_email", &mail).decision, Decision::Ask);
}
