//! Cases of JSON, as data.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_wire::json::{DEEPEST, Document, JsonError, Kind, Limits, Problem};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    accepted: Vec<Accepted>,
    refused: Vec<Refused>,
    inexact: Vec<Inexact>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    text: String,
    means: Option<String>,
    #[serde(default)]
    deep: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    text: Option<String>,
    hex: Option<String>,
    #[serde(default)]
    deep: usize,
    because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inexact {
    text: String,
    at: usize,
}

fn cases() -> Cases {
    let cases: Cases = toml::from_str(include_str!("cases/json.toml")).unwrap();
    assert!(cases.accepted.len() >= 45 && cases.refused.len() >= 120, "cases were lost");
    cases
}

fn parse(bytes: &[u8]) -> Result<Document, JsonError> {
    Document::parse(bytes, &Limits::default())
}

fn within_arrays(bytes: &[u8], deep: usize) -> Vec<u8> {
    [&b"[".repeat(deep), bytes, &b"]".repeat(deep)].concat()
}

#[test]
fn what_is_json_is_read_as_what_it_means() {
    for case in cases().accepted {
        let text = within_arrays(case.text.as_bytes(), case.deep);
        let document = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", case.text));
        assert_eq!(document.bytes(), text);
        let mut value = document.root().to_value().unwrap();
        for _ in 0..case.deep {
            value = value[0].take();
        }
        let means: Value = serde_json::from_str(case.means.as_ref().unwrap_or(&case.text)).unwrap();
        assert_eq!(value, means, "{}", case.text);
        // Minus zero is equal to zero, and not the same.
        assert_eq!(value.to_string(), means.to_string(), "{}", case.text);
    }
}

#[test]
fn what_is_no_json_is_refused_with_the_reason() {
    for case in cases().refused {
        let bytes = match (&case.text, &case.hex) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(hex)) => from_hex(hex),
            _ => panic!("a case has either `text` or `hex`: {}", case.because),
        };
        let bytes = within_arrays(&bytes, case.deep);
        let told = parse(&bytes).map(|_| "accepted".to_owned()).unwrap_or_else(|error| error.to_string());
        assert_eq!(told, case.because, "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn what_no_value_can_hold_is_told() {
    for case in cases().inexact {
        let document = parse(case.text.as_bytes()).unwrap();
        let error = document.root().to_value().unwrap_err();
        assert_eq!(error.at, case.at, "{}", case.text);
    }
}

fn from_hex(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

#[test]
fn limits_are_told() {
    let text = br#"{"a":[1,2,{"b":"c"}]}"#;
    // The object, `a`, the array, two numbers, the object, `b` and `c`.
    let fitting = Limits { bytes: text.len(), depth: 3, nodes: 8 };
    assert!(Document::parse(*text, &fitting).is_ok());
    let told = |limits: Limits| Document::parse(*text, &limits).unwrap_err();
    let long = JsonError { at: text.len() - 1, problem: Problem::TooLong { limit: text.len() - 1 } };
    assert_eq!(told(Limits { bytes: text.len() - 1, ..fitting }), long);
    let deep = JsonError { at: 10, problem: Problem::TooDeep { limit: 2 } };
    assert_eq!(told(Limits { depth: 2, ..fitting }), deep);
    let many = JsonError { at: 15, problem: Problem::TooManyNodes { limit: 7 } };
    assert_eq!(told(Limits { nodes: 7, ..fitting }), many);
    assert_eq!(told(Limits { bytes: 0, ..fitting }).at, 0);
    assert_eq!(told(Limits { nodes: 0, ..fitting }).at, 0);
}

#[test]
fn no_limit_lets_a_document_be_deeper_than_the_deepest() {
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let deep = within_arrays(b"", DEEPEST);
    let document = Document::parse(deep, &limits).unwrap();
    assert!(document.root().to_value().is_ok());
    let error = Document::parse(within_arrays(b"", DEEPEST + 1), &limits).unwrap_err();
    assert_eq!(error, JsonError { at: DEEPEST, problem: Problem::TooDeep { limit: DEEPEST } });
}

#[test]
fn a_document_is_walked_by_its_nodes() {
    let text = r#" { "a" : [ 1 , -2.5 , "x\ty" ] , "\u0062" : { "t" : true , "n" : null } } "#;
    let document = parse(text.as_bytes()).unwrap();
    let root = document.root();
    assert_eq!(root.kind(), Kind::Object);
    assert_eq!(root.raw(), text.trim().as_bytes());
    assert_eq!(root.span(), 1..text.len() - 1);
    let keys: Vec<_> = root.members().map(|(key, node)| (key.into_owned(), node.kind())).collect();
    assert_eq!(keys, [("a".to_owned(), Kind::Array), ("b".to_owned(), Kind::Object)]);
    let items: Vec<_> = root.get("a").unwrap().items().collect();
    assert_eq!(items.iter().map(|item| item.raw_text()).collect::<Vec<_>>(), ["1", "-2.5", r#""x\ty""#]);
    assert_eq!((items[0].as_u64(), items[0].as_i64(), items[0].as_str()), (Some(1), Some(1), None));
    assert_eq!((items[1].as_u64(), items[1].as_i64()), (None, None));
    assert_eq!(items[2].as_str().unwrap(), "x\ty");
    assert!(items[2].is_str("x\ty") && !items[2].is_str(r"x\ty") && !items[0].is_str("1"));
    let inner = root.get("b").unwrap();
    assert_eq!((inner.get("t").unwrap().as_bool(), inner.get("n").unwrap().as_bool()), (Some(true), None));
    assert!(inner.get("n").unwrap().is_null() && !inner.get("t").unwrap().is_null());
    assert!(root.get("c").is_none() && root.get("a").unwrap().get("a").is_none());
    assert_eq!((root.items().count(), root.get("a").unwrap().members().count()), (0, 0));
    assert_eq!(document.line(), document.bytes());
}

#[test]
fn a_document_of_several_lines_is_sent_as_one() {
    let document = parse(b"{\r\n\t\"a\":\n\"b\\n\"\r}").unwrap();
    assert_eq!(&*document.line(), b"{  \t\"a\": \"b\\n\" }");
}

#[test]
fn neither_errors_nor_debugging_show_content() {
    let secret = "hunter2-and-more";
    for text in [
        format!(r#"{{"a":"{secret}","a":"{secret}"}}"#),
        format!(r#"["{secret}" x]"#),
        format!(r#"["{secret}\q"]"#),
        secret.to_owned(),
    ] {
        let error = parse(text.as_bytes()).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    }
    let document = parse(format!(r#"{{"a":"{secret}"}}"#).as_bytes()).unwrap();
    let shown = format!("{document:?} {:?} {:?}", document.root(), document.root().members());
    assert!(!shown.contains("hunter2"), "{shown}");
}

/// An object with very many keys that all have the same length, beginning and end: comparing each with each would not
/// end in this test's lifetime.
#[test]
fn many_keys_that_look_alike_are_compared_in_time() {
    let key = |number: usize| format!(r#""beginning{number:06}-the-end":0"#);
    let keys: Vec<String> = (0..200_000).map(key).collect();
    let text = format!("{{{}}}", keys.join(","));
    assert_eq!(parse(text.as_bytes()).unwrap().root().members().count(), 200_000);
    let again = format!("{{{},{}}}", keys.join(","), key(77));
    let error = parse(again.as_bytes()).unwrap_err();
    let expected = Problem::DuplicateKey { key: "beginning000077-the-end".to_owned() };
    assert_eq!(error, JsonError { at: text.len(), problem: expected });
}
