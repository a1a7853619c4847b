//! Rules as policies of Cedar: what is written for which, and what is not exported and why. That policies decide as
//! rules do is tested beside the benchmarks, where Cedar is at hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the repository, not the engine")]

use std::path::Path;

use portcullis_invariant::cedar::{Policy, export};
use portcullis_invariant::{Rulebook, Stated, Written};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    rules: String,
    /// The conditions of each policy, a line each.
    when: Option<Vec<String>>,
    /// Why there are none.
    misfit: Option<String>,
}

fn exported(rules: &str) -> Result<Vec<Policy>, String> {
    let written = Written { text: rules.to_owned(), sources: Vec::new() };
    let book = Rulebook::new(vec![Stated { sentence: "a rule".into(), written }]).unwrap();
    export(&book).pop().unwrap().policies.map_err(|misfit| misfit.to_string())
}

fn conditions(policy: &Policy) -> String {
    let text = policy.to_string();
    let (_, body) = text.split_once("when {\n").unwrap();
    let lines = body.strip_suffix("\n};").unwrap().lines();
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn each_rule_becomes_these_policies_or_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/cedar.toml");
    let cases: Cases = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for Case { about, rules, when, misfit } in cases.case {
        let found = exported(&rules);
        match (when, misfit) {
            (Some(when), None) => {
                let policies = found.unwrap_or_else(|misfit| panic!("{about}: {misfit}"));
                let found: Vec<String> = policies.iter().map(conditions).collect();
                let when: Vec<&str> = when.iter().map(|one| one.trim()).collect();
                assert_eq!(found, when, "{about}");
            }
            (None, Some(misfit)) => assert_eq!(found.unwrap_err(), misfit, "{about}"),
            _ => panic!("{about}: either `when` or `misfit`"),
        }
    }
}

#[test]
fn a_policy_tells_its_reason_and_whether_it_asks() {
    let rules = "deny(\"no \\\"rm\\\"\\u{202e}\") :- program(\"rm\").\nmust_ask(\"mail?\") :- did(\"mail\").";
    let policies = exported(rules).unwrap();
    let texts: Vec<String> = policies.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "@id(\"rule-1.1\")\n@reason(\"no \\\"rm\\\"\\u{202e}\")\n\
             forbid (principal, action == Action::\"call\", resource)\nwhen {\n  \
             (context.programs.contains(\"rm\") || context.unknown.contains(\"program\"))\n};",
            "@id(\"rule-1.2\")\n@reason(\"mail?\")\n@verdict(\"ask\")\n\
             forbid (principal, action == Action::\"call\", resource)\nwhen {\n  \
             (context.did.contains(\"mail\") || context.unknown.contains(\"did\"))\n};",
        ]
    );
}
