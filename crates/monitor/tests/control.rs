//! No call reaches for the gate itself, whatever is allowed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads its cases")]

#[path = "support/session.rs"]
mod support;

use portcullis_lattice::Decision;
use portcullis_monitor::{Protected, Refusal, Session, Stage};
use serde::Deserialize;
use serde_json::json;
use support::{allowing_everything, decide, session};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    call: String,
    arguments: serde_json::Value,
    decision: String,
    reason: String,
}

fn protected() -> Session<'static> {
    let mut session = session(&allowing_everything(), &[]);
    let places = ["/home/u/.config/portcullis/**", "/home/u/p/.portcullis/**", "/home/u/p/.mcp.json"];
    session.protect(Protected::new(&places, &["portcullis"]).unwrap());
    session
}

#[test]
fn calls_that_reach_for_the_gate_are_stopped_by_the_gate() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/control.toml");
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let session = protected();
    for case in file.case {
        let verdict = decide(&session, &case.call, &case.arguments);
        let control = verdict.findings.iter().find(|finding| finding.stage == Stage::Control).unwrap();
        let told = format!("{} {}: {:?}", case.call, case.arguments, verdict.findings);
        assert_eq!(control.decision.name(), case.decision, "{told}");
        assert_eq!(control.reasons.is_empty(), case.reason.is_empty(), "{told}");
        assert!(control.reasons.join("; ").contains(&case.reason), "{told}");
        assert!(verdict.decision >= control.decision, "{told}");
    }
}

#[test]
fn no_rule_and_no_approval_opens_the_gate() {
    let mut session = protected();
    let arguments = json!({"path": "/home/u/p/.mcp.json", "content": "{}"});
    let verdict = decide(&session, "filesystem.write_file", &arguments);
    assert_eq!(session.approve(&verdict).unwrap_err(), Refusal::NotPermitted);
    session.add_rule("allow write from ctxt to /home/u/p/.mcp.json".parse().unwrap());
    assert_eq!(decide(&session, "filesystem.write_file", &arguments).decision, Decision::Deny);
}
