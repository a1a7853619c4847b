//! Canonical forms, as data.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use portcullis_wire::json::{Document, Limits, canonical_without};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    forms: Vec<Form>,
    formless: Vec<Formless>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    text: String,
    #[serde(default)]
    without: Vec<String>,
    form: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Formless {
    text: String,
    because: String,
}

fn cases() -> Cases {
    toml::from_str(include_str!("cases/canonical.toml")).unwrap()
}

fn parse(text: &str) -> Document {
    Document::parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{error} in {text}"))
}

#[test]
fn values_have_the_canonical_form_that_the_case_states() {
    for case in cases().forms {
        let without: Vec<&str> = case.without.iter().map(String::as_str).collect();
        let form = canonical_without(parse(&case.text).root(), &without).unwrap();
        assert_eq!(String::from_utf8(form).unwrap(), case.form, "of {}", case.text);
    }
}

#[test]
fn numbers_that_would_get_the_form_of_another_have_none() {
    for case in cases().formless {
        let error = canonical_without(parse(&case.text).root(), &[]).unwrap_err();
        assert_eq!(error.to_string(), case.because, "of {}", case.text);
    }
}

/// The deepest document that can be read, on the smallest stack that a thread of the gateway has.
#[test]
fn the_deepest_document_has_a_form() {
    let text = format!("{}0{}", r#"{"a":["#.repeat(500), "]}".repeat(500));
    let limits = Limits { depth: 1000, ..Limits::default() };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        assert_eq!(canonical_without(document.root(), &[]).unwrap(), text.as_bytes());
    });
    thread.unwrap().join().unwrap();
}
