//! Rules that the user stated: nothing lifts them, and what they ask about is asked each time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/session.rs"]
mod support;

use jiff::tz::TimeZone;
use portcullis_lattice::Decision;
use portcullis_monitor::{Refusal, Stage, ToolCall, ToolStanding};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{CATALOGUE, allowing_everything, decide, friday, rulebook, session};

const SENTENCES: [&str; 5] = [
    "never email anyone outside acme.com",
    "only write inside docs/",
    "no deploys on Fridays",
    "nothing from hr/ may leave this machine",
    "no sudo",
];

/// Calls that break one of the sentences, on a Friday.
fn breaking() -> Vec<(&'static str, Value)> {
    vec![
        ("gmail.send_email", json!({"to": ["eve@evil.example"], "subject": "s", "body": "b"})),
        (
            "gmail.send_email",
            json!({"to": ["ann@acme.com"], "bcc": ["eve@evil.example"], "subject": "s", "body": "b"}),
        ),
        ("filesystem.write_file", json!({"path": "docs/../src/a.rs", "content": "x"})),
        ("desktop-commander.start_process", json!({"command": "make deploy", "timeout_ms": 1000})),
        (
            "desktop-commander.start_process",
            json!({"command": "env A=1 bash -c 'sudo id'", "timeout_ms": 1000}),
        ),
        (
            "gmail.send_email",
            json!({"to": ["ann@acme.com"], "subject": "s", "body": "b", "attachments": ["hr/pay.csv"]}),
        ),
    ]
}

proptest! {
    #[test]
    fn no_rule_lifts_an_invariant(
        rules in prop::collection::vec(prop::sample::select(allowing_everything().lines().map(str::to_owned).collect::<Vec<_>>()), 0..20),
        (tool, arguments) in prop::sample::select(breaking()),
    ) {
        let session = session(&rules.join("\n"), &SENTENCES);
        let verdict = decide(&session, tool, &arguments);
        prop_assert_eq!(verdict.decision, Decision::Deny);
    }
}

#[test]
fn what_breaks_no_rule_stays_as_it_was_granted() {
    let session = session(&allowing_everything(), &SENTENCES);
    let allowed = [
        ("gmail.send_email", json!({"to": ["ann@acme.com"], "subject": "s", "body": "b"})),
        ("filesystem.write_file", json!({"path": "docs/a.md", "content": "x"})),
        ("filesystem.read_text_file", json!({"path": "src/a.rs"})),
        ("desktop-commander.start_process", json!({"command": "make test", "timeout_ms": 1000})),
    ];
    for (tool, arguments) in allowed {
        let verdict = decide(&session, tool, &arguments);
        assert_eq!(verdict.decision, Decision::Permit, "{tool} {arguments}: {:?}", verdict.reasons());
    }
}

#[test]
fn a_refused_call_says_which_rule_it_breaks_and_why() {
    let session = session(&allowing_everything(), &["no sudo"]);
    let command = json!({"command": "sudo id", "timeout_ms": 1000});
    let verdict = decide(&session, "desktop-commander.start_process", &command);
    let finding = verdict.findings.iter().find(|finding| finding.stage == Stage::Invariants).unwrap();
    assert_eq!(finding.reasons, ["it breaks the rule “no sudo” (did(\"sudo\"))"]);
}

#[test]
fn a_line_that_cannot_be_read_may_break_any_rule() {
    let session = session(&allowing_everything(), &["no sudo"]);
    let command = json!({"command": "echo 'unclosed", "timeout_ms": 1000});
    let verdict = decide(&session, "desktop-commander.start_process", &command);
    assert_eq!(verdict.decision, Decision::Deny);
    assert!(
        verdict.reasons().iter().any(|reason| reason.contains("cannot be ruled out")),
        "{:?}",
        verdict.reasons()
    );
}

#[test]
fn what_a_rule_asks_about_is_asked_each_time() {
    let mut session = session(&allowing_everything(), &["ask me before deleting anything"]);
    let arguments = json!({"messageId": "19"});
    let asked = decide(&session, "gmail.delete_email", &arguments);
    assert_eq!(asked.decision, Decision::Ask);
    assert_eq!(session.permit(&asked).unwrap_err(), Refusal::NotPermitted);
    session.approve(&asked).unwrap();
    // The approval is for this very call.
    let other = decide(&session, "gmail.delete_email", &json!({"messageId": "20"}));
    assert_eq!(other.decision, Decision::Ask);
    let approved = decide(&session, "gmail.delete_email", &arguments);
    assert_eq!(approved.decision, Decision::Permit, "{:?}", approved.reasons());
    drop(session.permit(&approved).unwrap());
    let again = decide(&session, "gmail.delete_email", &arguments);
    assert_eq!(again.decision, Decision::Ask);
}

#[test]
fn no_approval_lifts_a_denial() {
    let mut session = session(
        &allowing_everything(),
        &["ask me before sending mail", "never email anyone outside acme.com"],
    );
    let arguments = json!({"to": ["eve@evil.example"], "subject": "s", "body": "b"});
    let verdict = decide(&session, "gmail.send_email", &arguments);
    assert_eq!(verdict.decision, Decision::Deny);
    assert_eq!(session.approve(&verdict).unwrap_err(), Refusal::NotPermitted);
}

#[test]
fn data_is_followed_from_where_it_was_read() {
    let mut session = session(&allowing_everything(), &["nothing from hr/ may leave this machine"]);
    let mail = json!({"to": ["ann@acme.com"], "subject": "s", "body": "b"});
    let before = decide(&session, "gmail.send_email", &mail);
    assert_eq!(before.decision, Decision::Permit, "{:?}", before.reasons());
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "hr/pay.csv"}));
    drop(session.permit(&read).unwrap());
    let after = decide(&session, "gmail.send_email", &mail);
    assert_eq!(after.decision, Decision::Deny, "{:?}", after.reasons());
}

#[test]
fn rules_can_be_stated_in_mid_session() {
    let mut session = session(&allowing_everything(), &[]);
    let write = json!({"path": "src/a.rs", "content": "x"});
    let verdict = decide(&session, "filesystem.write_file", &write);
    assert_eq!(verdict.decision, Decision::Permit);
    session.set_invariants(rulebook(&["only write inside docs/"]), TimeZone::UTC);
    // What was decided before counts no more.
    assert_eq!(session.permit(&verdict).unwrap_err(), Refusal::Outdated);
    assert_eq!(decide(&session, "filesystem.write_file", &write).decision, Decision::Deny);
}

#[test]
fn what_is_hidden_among_too_many_arguments_may_break_any_rule() {
    let session = session(&allowing_everything(), &["no bcc, ever"]);
    let many: Vec<String> = (0..5000).map(|number| format!("p{number}@acme.com")).collect();
    let arguments = json!({"to": many, "subject": "s", "body": "b"});
    let verdict = decide(&session, "gmail.send_email", &arguments);
    assert_eq!(verdict.decision, Decision::Deny);
}

#[test]
fn what_reaches_everything_reaches_what_a_rule_protects() {
    let session =
        session(&allowing_everything(), &["don't touch the audit_log table", "never delete payroll files"]);
    let broken = json!({"sql": "DELETE FROM (((("});
    assert_eq!(decide(&session, "postgres.query", &broken).decision, Decision::Deny);
    for rule in
        ["don't touch the audit_log table", "never delete from audit_log", "never write to the table users"]
    {
        let session = self::session(&allowing_everything(), &[rule]);
        assert_eq!(decide(&session, "postgres.query", &broken).decision, Decision::Deny, "{rule}");
    }
    let all = json!({"command": "rm -rf .", "timeout_ms": 1000});
    assert_eq!(decide(&session, "desktop-commander.start_process", &all).decision, Decision::Deny);
}

#[test]
fn an_approval_counts_for_the_rules_it_was_given_under() {
    let mut session = session(&allowing_everything(), &["ask me before deleting anything"]);
    let arguments = json!({"messageId": "19"});
    let asked = decide(&session, "gmail.delete_email", &arguments);
    session.approve(&asked).unwrap();
    session.set_invariants(rulebook(&["ask me before deleting anything", "no sudo"]), TimeZone::UTC);
    assert_eq!(decide(&session, "gmail.delete_email", &arguments).decision, Decision::Ask);
}

#[test]
fn followed_data_is_not_sent_to_a_server_on_another_machine() {
    let mut session = session(&allowing_everything(), &["nothing from hr/ may leave this machine"]);
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "hr/pay.csv"}));
    drop(session.permit(&read).unwrap());
    let tools = |name: &str| CATALOGUE.profile("filesystem", name);
    let profile = CATALOGUE.profile("filesystem", "write_file").unwrap();
    let arguments = json!({"path": "docs/a.md", "content": "x"});
    let remote = Some("https://files.elsewhere.example");
    let call = ToolCall {
        server: "filesystem",
        remote,
        profile,
        tools: &tools,
        arguments: &arguments,
        standing: ToolStanding::APPROVED,
    };
    assert_eq!(session.decide(&call, friday()).decision, Decision::Deny);
}
