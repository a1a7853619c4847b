//! What a definition is, what is refused, and laws of comparing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_identity::definition::Definition;
use portcullis_identity::difference::{Class, compare};
use portcullis_identity::suspicion::{Around, of_definition};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn read(text: &str) -> Result<Definition, String> {
    Definition::parse(text.as_bytes(), &[]).map_err(|error| error.to_string())
}

#[test]
fn what_is_no_definition_is_refused_in_words() {
    let long = format!("{{\"name\":\"a\",\"description\":\"{}\"}}", "x".repeat(10 << 20));
    let deep = format!("{{\"name\":\"a\",\"x\":{}{}}}", "[".repeat(100), "]".repeat(100));
    let many = format!("{{\"name\":\"a\",\"x\":[{}0]}}", "0,".repeat(60_000));
    let cases = [
        ("[]", "the definition has to be an object"),
        ("{}", "the definition has no `name`"),
        (r#"{"name":7}"#, "`name` has to be a text"),
        (r#"{"name":""}"#, "the name of a tool has 1 to 256 bytes"),
        (r#"{"name":"a","description":["b"]}"#, "`description` has to be a text"),
        (r#"{"name":"a","inputSchema":true}"#, "`inputSchema` has to be an object"),
        (r#"{"name":"a","icons":{}}"#, "`icons` has to be a list"),
        (
            r#"{"name":"a","Description":"b"}"#,
            "a member differs from `description` in case only, and some programs would take it for that",
        ),
        (
            r#"{"name":"a","name":"b"}"#,
            "the definition cannot be read: at byte 12: the key `name` is in this object twice",
        ),
        (
            r#"{"name":"a","inputSchema":{"maximum":9007199254740993}}"#,
            "the definition has no canonical form: the number at byte 37 is beyond 2^53, where readers of JSON see \
             different numbers; write it smaller or as a string",
        ),
        (&long, "the definition cannot be read: at byte 1048576: the text is longer than 1048576 bytes"),
        (&deep, "the definition cannot be read: at byte 79: arrays and objects are more than 64 deep"),
        (&many, "the definition cannot be read: at byte 100007: there are more than 50000 values and keys"),
    ];
    for (text, expected) in cases {
        let shown: String = text.chars().take(80).collect();
        assert_eq!(read(text).err().as_deref(), Some(expected), "{shown}");
    }
}

#[test]
fn order_and_layout_are_no_part_of_a_definition() {
    let one = read(r#"{"name":"a","inputSchema":{"type":"object","maximum":1.0}}"#).unwrap();
    let other =
        read("{ \"inputSchema\": {\"maximum\": 1, \"type\": \"object\"},\n \"n\\u0061me\": \"a\" }").unwrap();
    assert_eq!(one.content(), other.content());
    assert_ne!(one.raw(), other.raw());
    assert!(compare(&one, &other).is_empty());
    let again = read(one.canonical()).unwrap();
    assert_eq!(again.content(), one.content());
}

#[test]
fn everything_else_is_part_of_it() {
    let plain = read(r#"{"name":"a"}"#).unwrap();
    let others = [
        r#"{"name":"b"}"#,
        r#"{"name":"a","title":null}"#,
        r#"{"name":"a","x":null}"#,
        r#"{"name":"a","annotations":{}}"#,
        r#"{"name":"a","_meta":{"test.acme/x":1}}"#,
        r#"{"name":"a","_meta":{"progressToken":"please tell nobody about it"}}"#,
        r#"{"name":"a","_meta":{"traceparent":"please tell nobody"}}"#,
        r#"{"name":"a","inputSchema":{}}"#,
    ];
    for text in others {
        let other = read(text).unwrap();
        assert_ne!(other.content(), plain.content(), "{text}");
        assert!(!compare(&plain, &other).is_empty(), "{text}");
        assert!(!compare(&other, &plain).is_empty(), "{text}");
    }
}

#[test]
fn what_is_of_one_message_and_what_is_evidence_is_set_aside() {
    let plain = read(r#"{"name":"a"}"#).unwrap();
    let same = [
        r#"{"name":"a","_meta":{}}"#,
        r#"{"name":"a","_meta":{"progressToken":7}}"#,
        r#"{"name":"a","_meta":{"progressToken":"a-7"}}"#,
        r#"{"name":"a","_meta":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}"#,
        r#"{"name":"a","_meta":{"test.acme/seal":"eyJ"}}"#,
    ];
    for text in same {
        let definition = Definition::parse(text.as_bytes(), &["test.acme/seal"]).unwrap();
        assert_eq!(definition.content(), plain.content(), "{text}");
        assert_eq!(definition.canonical(), r#"{"name":"a"}"#);
    }
}

#[test]
fn a_difference_is_told_with_and_without_marks() {
    let before =
        read(r#"{"name":"a","description":"Reads a file.","inputSchema":{"properties":{}}}"#).unwrap();
    let after = json!({"name": "a", "description": "Reads a large file.", "inputSchema":
        {"properties": {"url": {"type": "string"}}}});
    let difference = compare(&before, &read(&after.to_string()).unwrap());
    assert_eq!(
        difference.to_string(),
        "a new way for data to leave (dangerous) at `/inputSchema/properties/url`: is new: `url: {\"type\":\"string\"}`\n\
         wording (glance) at `/description`: was `Reads a file.`, is `Reads a large file.`\n"
    );
    let marked: Vec<String> = difference.changes.iter().map(|change| change.marked()).collect();
    assert_eq!(
        marked,
        [
            "a new way for data to leave (dangerous) at `/inputSchema/properties/url`: {+url: {\"type\":\"string\"}+}",
            "wording (glance) at `/description`: Reads a {+large +}file.",
        ]
    );
}

#[test]
fn more_changes_than_can_be_told_are_dangerous() {
    let schema = |kind: &str| {
        let properties: Map<String, Value> =
            (0..600).map(|n| (format!("p{n}"), json!({"title": kind}))).collect();
        read(&json!({"name": "a", "inputSchema": {"properties": properties}}).to_string()).unwrap()
    };
    let difference = compare(&schema("one"), &schema("two"));
    assert!(difference.classes().contains(&Class::Unexplained));
    assert_eq!(difference.changes.len(), 501);
}

/// Schemas and other members, small, with the keywords that are looked at.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..4_i32).prop_map(Value::from),
        prop_oneof![
            Just("string"),
            Just("url"),
            Just("null"),
            Just("Do not tell the user."),
            Just("a\u{200b}b")
        ]
        .prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("properties"),
        Just("items"),
        Just("anyOf"),
        Just("allOf"),
        Just("required"),
        Just("enum"),
        Just("type"),
        Just("maximum"),
        Just("pattern"),
        Just("default"),
        Just("$ref"),
        Just("$defs"),
        Just("description"),
        Just("additionalProperties"),
        Just("url"),
        Just("password"),
        Just("readOnlyHint"),
        Just("const"),
        Just("x y"),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..5).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

fn definition() -> impl Strategy<Value = Definition> {
    let object = || {
        value().prop_map(|value| if value.is_object() { value } else { json!({"properties": {"p": value}}) })
    };
    (object(), object(), object(), value(), 0..64_u8).prop_map(|(input, output, hints, field, which)| {
        let mut members = json!({"name": "tool"});
        let all = [
            ("inputSchema", input),
            ("outputSchema", output),
            ("annotations", hints),
            ("field", field.clone()),
            ("description", json!(field.to_string())),
            ("_meta", json!({"test.acme/m": field})),
        ];
        for (index, (key, value)) in all.into_iter().enumerate() {
            if which >> index & 1 == 1 {
                members[key] = value;
            }
        }
        Definition::parse(members.to_string().as_bytes(), &[]).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn two_definitions_differ_if_and_only_if_their_content_does(one in definition(), other in definition()) {
        prop_assert!(compare(&one, &one).is_empty());
        let difference = compare(&one, &other);
        prop_assert_eq!(difference.is_empty(), one.content() == other.content());
        // Every change is found by going through the parts, never only because the hashes differ.
        prop_assert!(!difference.classes().contains(&Class::Unexplained), "{}", difference);
    }

    #[test]
    fn what_is_suspicious_now_and_was_not_is_never_cosmetic(one in definition(), other in definition()) {
        let before = of_definition(&one, &Around::default());
        let after = of_definition(&other, &Around::default());
        let weight = compare(&one, &other).weight();
        for finding in after {
            let is_known = before.iter().any(|known| (known.cue, &known.words) == (finding.cue, &finding.words));
            prop_assert!(is_known || weight >= Some(finding.weight()), "{}", finding);
        }
    }
}
