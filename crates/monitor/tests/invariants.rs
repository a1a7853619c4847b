//! Rules that the user stated: nothing lifts them, and what they ask about is asked each time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::{Hand, Rulebook, Stated};
use portcullis_lattice::{Decision, Ruleset};
use portcullis_monitor::{Refusal, Session, Stage, ToolCall, Verdict};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_taint::{Fingerprints, Key, Limits};
use proptest::prelude::*;
use serde_json::{Value, json};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::built_in().unwrap());
static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().unwrap());

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

fn session(rules: &str, sentences: &[&str]) -> Session<'static> {
    let fingerprints = Fingerprints::new(Key::new([7; 16]), Limits::default());
    let mut session = Session::new("s1", layout().ground().unwrap(), &FORMATS, &NoLinks, fingerprints);
    session.set_rules(Ruleset::parse(rules).unwrap());
    session.set_invariants(rulebook(sentences), TimeZone::UTC);
    session
}

fn rulebook(sentences: &[&str]) -> Rulebook {
    let mut hand = Hand::new(&layout());
    for (server, entry) in CATALOGUE.servers() {
        hand.add_catalogued(server, entry);
    }
    let stated = sentences.iter().enumerate().map(|(at, text)| Stated::read(text, &hand, 2026, at).unwrap());
    Rulebook::new(stated.collect()).unwrap()
}

fn decide(session: &Session<'_>, tool: &str, arguments: &Value, now: Timestamp) -> Verdict {
    let (server, tool) = tool.split_once('.').unwrap();
    let tools = |name: &str| CATALOGUE.profile(server, name);
    let profile = CATALOGUE.profile(server, tool).unwrap();
    session.decide(&ToolCall { server, remote: None, profile, tools: &tools, arguments }, now)
}

/// A Friday.
fn friday() -> Timestamp {
    "2026-03-06T15:00:00Z".parse().unwrap()
}

fn allowing_everything() -> String {
    let ends = ["ctxt", "local", "extnet"];
    let pairs = ends.iter().flat_map(|from| ends.iter().map(move |to| (from, to)));
    let rules = pairs.flat_map(|(from, to)| {
        [
            format!("allow read, write, del, exec, spawn from {from} to {to}\n"),
            format!("allow read, write, del, exec, spawn from {from} to {to} carrying secret\n"),
        ]
    });
    rules.collect()
}

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
        let verdict = decide(&session, tool, &arguments, friday());
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
        let verdict = decide(&session, tool, &arguments, friday());
        assert_eq!(verdict.decision, Decision::Permit, "{tool} {arguments}: {:?}", verdict.reasons());
    }
}

#[test]
fn a_refused_call_says_which_rule_it_breaks_and_why() {
    let session = session(&allowing_everything(), &["no sudo"]);
    let command = json!({"command": "sudo id", "timeout_ms": 1000});
    let verdict = decide(&session, "desktop-commander.start_process", &command, friday());
    let finding = verdict.findings.iter().find(|finding| finding.stage == Stage::Invariants).unwrap();
    assert_eq!(finding.reasons, ["it breaks the rule “no sudo” (did(\"sudo\"))"]);
}

#[test]
fn a_line_that_cannot_be_read_may_break_any_rule() {
    let session = session(&allowing_everything(), &["no sudo"]);
    let command = json!({"command": "echo 'unclosed", "timeout_ms": 1000});
    let verdict = decide(&session, "desktop-commander.start_process", &command, friday());
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
    let asked = decide(&session, "gmail.delete_email", &arguments, friday());
    assert_eq!(asked.decision, Decision::Ask);
    assert_eq!(session.permit(&asked).unwrap_err(), Refusal::NotPermitted);
    session.approve(&asked).unwrap();
    // The approval is for this very call.
    let other = decide(&session, "gmail.delete_email", &json!({"messageId": "20"}), friday());
    assert_eq!(other.decision, Decision::Ask);
    let approved = decide(&session, "gmail.delete_email", &arguments, friday());
    assert_eq!(approved.decision, Decision::Permit, "{:?}", approved.reasons());
    drop(session.permit(&approved).unwrap());
    let again = decide(&session, "gmail.delete_email", &arguments, friday());
    assert_eq!(again.decision, Decision::Ask);
}

#[test]
fn no_approval_lifts_a_denial() {
    let mut session = session(
        &allowing_everything(),
        &["ask me before sending mail", "never email anyone outside acme.com"],
    );
    let arguments = json!({"to": ["eve@evil.example"], "subject": "s", "body": "b"});
    let verdict = decide(&session, "gmail.send_email", &arguments, friday());
    assert_eq!(verdict.decision, Decision::Deny);
    assert_eq!(session.approve(&verdict).unwrap_err(), Refusal::NotPermitted);
}

#[test]
fn data_is_followed_from_where_it_was_read() {
    let mut session = session(&allowing_everything(), &["nothing from hr/ may leave this machine"]);
    let mail = json!({"to": ["ann@acme.com"], "subject": "s", "body": "b"});
    let before = decide(&session, "gmail.send_email", &mail, friday());
    assert_eq!(before.decision, Decision::Permit, "{:?}", before.reasons());
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "hr/pay.csv"}), friday());
    drop(session.permit(&read).unwrap());
    let after = decide(&session, "gmail.send_email", &mail, friday());
    assert_eq!(after.decision, Decision::Deny, "{:?}", after.reasons());
}

#[test]
fn rules_can_be_stated_in_mid_session() {
    let mut session = session(&allowing_everything(), &[]);
    let write = json!({"path": "src/a.rs", "content": "x"});
    let verdict = decide(&session, "filesystem.write_file", &write, friday());
    assert_eq!(verdict.decision, Decision::Permit);
    session.set_invariants(rulebook(&["only write inside docs/"]), TimeZone::UTC);
    // What was decided before counts no more.
    assert_eq!(session.permit(&verdict).unwrap_err(), Refusal::Outdated);
    assert_eq!(decide(&session, "filesystem.write_file", &write, friday()).decision, Decision::Deny);
}

#[test]
fn what_is_hidden_among_too_many_arguments_may_break_any_rule() {
    let session = session(&allowing_everything(), &["no bcc, ever"]);
    let many: Vec<String> = (0..5000).map(|number| format!("p{number}@acme.com")).collect();
    let arguments = json!({"to": many, "subject": "s", "body": "b"});
    let verdict = decide(&session, "gmail.send_email", &arguments, friday());
    assert_eq!(verdict.decision, Decision::Deny);
}

#[test]
fn what_reaches_everything_reaches_what_a_rule_protects() {
    let session =
        session(&allowing_everything(), &["don't touch the audit_log table", "never delete payroll files"]);
    let broken = json!({"sql": "DELETE FROM (((("});
    assert_eq!(decide(&session, "postgres.query", &broken, friday()).decision, Decision::Deny);
    let all = json!({"command": "rm -rf .", "timeout_ms": 1000});
    assert_eq!(decide(&session, "desktop-commander.start_process", &all, friday()).decision, Decision::Deny);
}

#[test]
fn an_approval_counts_for_the_rules_it_was_given_under() {
    let mut session = session(&allowing_everything(), &["ask me before deleting anything"]);
    let arguments = json!({"messageId": "19"});
    let asked = decide(&session, "gmail.delete_email", &arguments, friday());
    session.approve(&asked).unwrap();
    session.set_invariants(rulebook(&["ask me before deleting anything", "no sudo"]), TimeZone::UTC);
    assert_eq!(decide(&session, "gmail.delete_email", &arguments, friday()).decision, Decision::Ask);
}

#[test]
fn followed_data_is_not_sent_to_a_server_on_another_machine() {
    let mut session = session(&allowing_everything(), &["nothing from hr/ may leave this machine"]);
    let read = decide(&session, "filesystem.read_text_file", &json!({"path": "hr/pay.csv"}), friday());
    drop(session.permit(&read).unwrap());
    let tools = |name: &str| CATALOGUE.profile("filesystem", name);
    let profile = CATALOGUE.profile("filesystem", "write_file").unwrap();
    let arguments = json!({"path": "docs/a.md", "content": "x"});
    let remote = Some("https://files.elsewhere.example");
    let call = ToolCall { server: "filesystem", remote, profile, tools: &tools, arguments: &arguments };
    assert_eq!(session.decide(&call, friday()).decision, Decision::Deny);
}
