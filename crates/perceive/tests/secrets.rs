//! Credentials in texts: every format's own examples, the facts of ConsentBench, and what is no credential.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the traces")]

use std::path::Path;
use std::sync::LazyLock;

use portcullis_perceive::secrets::{Formats, FormatsError};
use proptest::prelude::*;
use serde_json::Value;

static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().unwrap());

#[test]
fn every_format_treats_its_examples_as_it_says() {
    let formats = &*FORMATS;
    assert!(formats.names().count() >= 45);
    formats.check().unwrap();
}

#[test]
fn a_format_whose_example_fails_is_refused() {
    let text = "[[format]]\nname = \"x\"\npattern = 'abc'\nfound = [[\"ab\", \"d\"]]\nnot_found = []\n";
    let error = Formats::parse(text).unwrap().check().unwrap_err();
    assert_eq!(error, FormatsError::Example { format: "x".into(), number: 1 });
    assert!(Formats::parse("[[format]]\nname = 'x'\npattern = '('\nfound = []\nnot_found = []").is_err());
    assert!(Formats::parse("[[format]]\nnam = 'x'").is_err());
}

#[test]
fn what_looks_random_but_is_no_credential_is_left_alone() {
    let formats = &*FORMATS;
    let harmless = [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "index 89e6c98..3f78685 100644",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "123e4567-e89b-12d3-a456-426614174000",
        r#"{"tabId": "E2F1A7C94B3D4E0F8A6B5C4D3E2F1A0B", "sessionId": "k3x9Qp7Lw5Rt9Zn2"}"#,
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLEonlyNotReal0123456789abcdefghijklm joe@example.com",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----",
        "https://docs.example.com/reset-password?step=2",
        "const password = await prompt('Password: ');",
        "if (user.password === hashed) { return token; }",
        "secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY",
        "integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"",
        "npm_config_cache=/home/u/.npm",
    ];
    for text in harmless {
        assert_eq!(formats.find(text), [], "{text}");
    }
}

#[test]
fn a_finding_points_at_the_credential_and_does_not_show_it() {
    let formats = &*FORMATS;
    let credential = ["ghp", "_", "EXAMPLEonlyNotReal0123456789abcdefgh"].concat();
    let text = format!("é use {credential} for now");
    let findings = formats.find(&text);
    assert_eq!(findings.len(), 1);
    assert_eq!(&text[findings[0].range.clone()], credential);
    assert!(!format!("{findings:?}").contains("EXAMPLE"));
}

/// In the traces a call from the context is sensitive exactly if its arguments hold a credential.
#[test]
fn the_facts_of_consentbench_are_found() {
    let formats = &*FORMATS;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let (mut steps, mut credentials, mut wrong) = (0, 0, Vec::new());
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let trace: Value = serde_json::from_str(line).unwrap();
            for step in trace["steps"].as_array().unwrap().iter().filter(|step| step["in"]["class"] == "ctxt")
            {
                steps += 1;
                let mut texts = Vec::new();
                collect(&step["args"], &mut texts);
                let found = texts.iter().any(|text| formats.any(text));
                let wanted = step["sensitive"] == true;
                credentials += usize::from(wanted);
                if found != wanted {
                    wrong.push(format!("{} {}", trace["id"], step["args"]));
                }
            }
        }
    }
    assert!(steps > 500 && credentials > 8, "{steps} steps, {credentials} with credentials");
    assert!(wrong.is_empty(), "{} of {steps} ({credentials}) wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
        Value::Object(map) => map.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn a_megabyte_of_anything_is_searched() {
    let formats = &*FORMATS;
    for piece in ["a", "password=", "eyJ", "://:", "-----BEGIN ", "secret_key", "ghp_", "\u{e9}", "AKIA"] {
        let text = piece.repeat((1 << 20) / piece.len());
        let findings = formats.find(&text);
        assert!(findings.iter().all(|finding| text.get(finding.range.clone()).is_some()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_credential_is_found_in_any_surroundings(before in "[^A-Za-z0-9_]{0,40}", after in "[^A-Za-z0-9_]{0,40}") {
        let text = format!("{before} AKIA{} {after}", "IOSFODNN7EXAMPLE");
        prop_assert!(FORMATS.find(&text).iter().any(|finding| finding.format == "aws-access-key"));
    }
}
