//! Cases of envelopes, as data; and messages of our own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::HashSet;

use portcullis_wire::json::{Document, Limits};
use portcullis_wire::rpc::{self, Id, Incoming, Message, code};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    message: Vec<Read>,
    refused: Vec<Refused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    text: String,
    is: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    text: String,
    because: String,
    id: Option<String>,
}

fn cases() -> Cases {
    toml::from_str(include_str!("cases/messages.toml")).unwrap()
}

fn parse(text: &str) -> Document {
    Document::parse(text, &Limits::default()).unwrap()
}

fn told(message: &Message<'_>) -> String {
    let kind = |node: &Option<portcullis_wire::json::Node<'_>>| {
        node.map_or_else(String::new, |node| format!(" {:?}", node.kind()))
    };
    match message {
        Message::Request { id, method, params } => format!("request {} {method}{}", id.json(), kind(params)),
        Message::Notification { method, params } => format!("notification {method}{}", kind(params)),
        Message::Response { id, result } => format!("response {} {:?}", id.json(), result.kind()),
        Message::Failure { id, error } => format!("failure {} {} {}", id.json(), error.code, error.message),
    }
}

#[test]
fn messages_are_what_they_say() {
    for case in cases().message {
        let document = parse(&case.text);
        let is: Vec<String> = match Message::read(&document).unwrap() {
            Incoming::One(message) => vec![told(&message)],
            Incoming::Batch(messages) => messages.iter().map(told).collect(),
        };
        assert_eq!(is, case.is, "{}", case.text);
    }
}

#[test]
fn what_is_no_message_is_refused_with_the_reason() {
    for case in cases().refused {
        let document = parse(&case.text);
        let error = Message::read(&document).map(|_| "a message").unwrap_err();
        assert_eq!(error.to_string(), case.because, "{}", case.text);
        assert_eq!(error.id.map(|id| id.json()), case.id, "{}", case.text);
    }
}

fn id(text: &str) -> Id {
    Id::of(parse(text).root()).unwrap()
}

#[test]
fn ids_are_equal_if_one_may_come_back_as_the_other() {
    for (one, other) in [
        (r#""a""#, r#""\u0061""#),
        (r#""/""#, r#""\/""#),
        ("7", "7.0"),
        ("7", "70e-1"),
        ("0", "-0"),
        ("-3", "-3.00"),
        ("9007199254740991", "9007199254740991.0"),
    ] {
        assert_eq!(id(one), id(other));
        assert_eq!(HashSet::from([id(one), id(other)]).len(), 1);
        assert_eq!((id(one).json(), id(other).json()), (one.to_owned(), other.to_owned()));
    }
    let different = [
        "7",
        r#""7""#,
        "null",
        r#""null""#,
        "8",
        "7.5",
        "-7",
        r#""""#,
        "0",
        "9007199254740993",
        "9007199254740992",
        // Some would have made this of either.
        "9007199254740992.0",
        "123456789012345678901",
        "123456789012345678902",
    ];
    assert_eq!(different.iter().map(|text| id(text)).collect::<HashSet<_>>().len(), different.len());
    assert_eq!((Id::integer(7), Id::text("a")), (id("7"), id(r#""a""#)));
    assert_eq!(Id::of(parse("true").root()), None);
}

#[test]
fn messages_of_our_own_are_read_back() {
    let own = id(r#""\u0061 1""#);
    let all = [
        (rpc::response(&own, br#"{"a":[]}"#), r#"response "\u0061 1" Object"#),
        (rpc::failure(&Id::NULL, code::PARSE_ERROR, "a \"b\"\n", None), "failure null -32700 a \"b\"\n"),
        (rpc::failure(&own, -1, "", Some(b"[1]")), r#"failure "\u0061 1" -1 "#),
        (rpc::request(&Id::integer(5), "tools/list", None), "request 5 tools/list"),
        (rpc::request(&Id::text("x\"y"), "a\\b", Some(b"{}")), r#"request "x\"y" a\b Object"#),
        (rpc::notification("n", None), "notification n"),
        (rpc::notification("n", Some(br#"{"b":1}"#)), "notification n Object"),
    ];
    for (bytes, is) in all {
        assert!(!bytes.contains(&b'\n'), "a message is one line");
        let document = Document::parse(bytes, &Limits::default()).unwrap();
        let Incoming::One(message) = Message::read(&document).unwrap() else {
            panic!("no batch was written")
        };
        assert_eq!(told(&message), is);
        if let Message::Failure { error, .. } = message {
            assert_eq!(error.data.is_some(), error.code == -1);
        }
    }
}
