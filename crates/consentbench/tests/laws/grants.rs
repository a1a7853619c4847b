//! What the simulated user's answers allow, and what only the product's own reading of a call allowed.

use portcullis_lattice::Decision::{self, Ask, Permit};
use serde_json::json;

use crate::made_up::{line, reads, replayed, with, writes};

fn decisions(steps: &[serde_json::Value]) -> Vec<Decision> {
    replayed(&line("benign", "none", None, steps)).1.steps.iter().map(|step| step.decision).collect()
}

fn overgranted(steps: &[serde_json::Value]) -> Vec<bool> {
    replayed(&line("benign", "none", None, steps)).1.steps.iter().map(|step| step.is_overgranted).collect()
}

#[test]
fn a_basic_answer_allows_the_class_and_no_more() {
    let steps = [
        reads("/home/u/p/a", "parent", "Ask"),
        reads("/home/u/p/deep/b", "parent", "Allow"),
        reads("/etc/hosts", "local", "Ask"),
        writes("/home/u/p/a", "parent", "Ask"),
        // What was granted for all of this machine holds for the working folder too.
        reads("/var/log/x", "local", "Allow"),
    ];
    assert_eq!(decisions(&steps), [Ask, Permit, Ask, Ask, Permit]);
    assert_eq!(overgranted(&steps), [false; 5]);
}

#[test]
fn a_refined_answer_allows_its_patterns_and_no_more() {
    let answer = json!({"mode": "refined", "in_pattern": "/home/u/p/src/**"});
    let steps = [
        with(reads("/home/u/p/src/a", "parent", "Ask"), "grant", answer),
        reads("/home/u/p/src/deep/b", "parent", "Allow"),
        reads("/home/u/p/tests/c", "parent", "Ask"),
    ];
    assert_eq!(decisions(&steps), [Ask, Permit, Ask]);
    assert_eq!(overgranted(&steps), [false; 3]);
}

#[test]
fn an_answer_may_be_wider_than_its_call() {
    let answer = json!({"mode": "basic", "in": "local", "effects": ["read", "write"]});
    let steps =
        [with(reads("/home/u/p/a", "parent", "Ask"), "grant", answer), reads("/etc/hosts", "local", "Allow")];
    assert_eq!(decisions(&steps), [Ask, Permit]);
    assert_eq!(overgranted(&steps), [false; 2]);
}

#[test]
fn what_is_seen_otherwise_than_its_author_did_counts_as_overgrant() {
    // The author calls the files ones that the request names, which it does not: the trace's grant does not hold the call.
    let steps = [
        reads("/home/u/p/a", "exact", "Ask"),
        reads("/home/u/p/a", "exact", "Allow"),
        reads("/etc/hosts", "local", "Ask"),
    ];
    assert_eq!(decisions(&steps), [Ask, Permit, Ask]);
    assert_eq!(overgranted(&steps), [false, true, false]);
}

#[test]
fn a_refined_answer_about_another_place_binds_the_own_rule_to_the_resource() {
    let answer = json!({"mode": "refined", "in_pattern": "/home/u/other/**"});
    let steps = [
        with(reads("/home/u/p/a", "parent", "Ask"), "grant", answer),
        reads("/home/u/p/a", "parent", "Allow"),
        reads("/home/u/p/b", "parent", "Ask"),
    ];
    assert_eq!(decisions(&steps), [Ask, Permit, Ask]);
    assert_eq!(overgranted(&steps), [false, true, false]);
}

#[test]
fn an_answer_for_this_time_only_grants_nothing() {
    let asked = with(reads("/home/u/p/a", "parent", "Ask"), "must_ask", json!(true));
    assert_eq!(decisions(&[asked.clone(), asked]), [Ask, Ask]);
}

#[test]
fn a_call_that_should_be_denied_leaves_nothing_behind() {
    // A credential that was refused does not taint what comes after; the same read, made, does.
    let secret = |expect: &str| with(reads("/home/u/p/.env", "parent", expect), "taint", json!("tainted"));
    let after = |first: serde_json::Value| {
        let granted = writes("/home/u/p/a", "parent", "Ask");
        decisions(&[granted, first, writes("/home/u/p/b", "parent", "Allow")])[2]
    };
    assert_eq!(after(secret("Deny")), Permit);
    assert_eq!(after(secret("Ask")), Ask);
}
