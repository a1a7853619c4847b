//! Laws of headers and of the texts of results.

use portcullis_wire::json::{Document, Limits, quote};
use portcullis_wire::mcp::{Header, Manner, Mismatch, check, decode, encode, headers, texts};
use portcullis_wire::rpc::{Incoming, Message};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::random::{Choices, choices, config, parse, text, value, written};

const META: &str = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;

fn call(name: &str, argument: &str) -> Document {
    let text = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{},"arguments":{{"a":{}}},"_meta":{META}}}}}"#,
        quote(name),
        quote(argument)
    );
    Document::parse(text, &Limits::default()).unwrap()
}

fn message(document: &Document) -> Message<'_> {
    let Incoming::One(message) = Message::read(document).unwrap() else { panic!("a batch") };
    message
}

/// All strings of a value, and all keys.
fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, all)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            all.push(key.clone());
            strings(value, all);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_value_of_a_header_is_decoded_to_what_it_was(text in text()) {
        let encoded = encode(&text).into_owned();
        prop_assert!(encoded.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')), "{:?}", encoded);
        prop_assert_eq!(encoded.trim(), encoded.as_str());
        prop_assert!(!encoded.is_empty());
        prop_assert_eq!(decode(&encoded).unwrap(), text);
        // What is encoded is not taken for a plain text again.
        let again = encode(&encoded).into_owned();
        prop_assert_eq!(decode(&again).unwrap(), encoded);
    }

    #[test]
    fn headers_fit_their_own_body_and_no_other(
        name in text(), argument in text(), other_name in text(), other_argument in text(),
    ) {
        let schema = parse(br#"{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#);
        let (own, other) = (call(&name, &argument), call(&other_name, &other_argument));
        let made = headers(&message(&own), Some(schema.root())).unwrap();
        prop_assert_eq!(made.len(), 4);
        let made = || made.iter().map(|Header { name, value }| (name.as_str(), value.as_bytes()));
        prop_assert_eq!(check(made(), &message(&own), Some(schema.root())), Ok(()));
        let is_same = (&name, &argument) == (&other_name, &other_argument);
        let checked = check(made(), &message(&other), Some(schema.root()));
        prop_assert_eq!(checked.is_ok(), is_same, "{:?}", checked);
        let is_difference = matches!(checked, Ok(()) | Err(Mismatch::Differs { .. }));
        prop_assert!(is_difference);
    }

    #[test]
    fn every_text_of_structured_content_is_shown(value in value(), choices in choices()) {
        let result = json!({"content": [], "structuredContent": value});
        let document = parse(written(&result, &mut Choices::new(choices)).as_bytes());
        let mut shown = Vec::new();
        texts(document.root(), |text| shown.push(text.text.into_owned()));
        let mut expected = Vec::new();
        strings(&value, &mut expected);
        shown.sort();
        expected.sort();
        prop_assert_eq!(shown, expected);
    }

    #[test]
    fn every_text_anywhere_is_shown_or_a_word_of_the_protocol(value in value(), member in "x[a-z]{1,4}", choices in choices()) {
        let result = json!({"content": [{"type": "text", "text": "t", member: value}], "isError": true});
        let document = parse(written(&result, &mut Choices::new(choices)).as_bytes());
        let mut shown = Vec::new();
        texts(document.root(), |text| {
            assert!(text.manner == Manner::Key || text.node.is_str(&text.text));
            shown.push(text.text.into_owned());
        });
        let mut expected = Vec::new();
        strings(&result, &mut expected);
        for text in expected {
let is_word = ["content", "type", "text", "isError"].contains(&text.as_str());
            prop_assert!(is_word || shown.contains(&text), "{:?} is not shown", text);
        }
    }
}
