//! Cases of headers against bodies, as data.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_wire::json::{Document, Limits};
use portcullis_wire::mcp::{Header, check, headers, mirrored};
use portcullis_wire::rpc::{Incoming, Message};
use portcullis_wire::splice::Splice;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
    schema: Vec<Schema>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    what: String,
    body: String,
    schema: Option<String>,
    needs: Option<Vec<String>>,
    sent: Option<Vec<String>>,
    mismatch: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema {
    text: String,
    refused: Option<String>,
    mirrors: Option<Vec<String>>,
}

fn cases() -> Cases {
    toml::from_str(include_str!("cases/headers.toml")).unwrap()
}

fn parse(text: &str) -> Document {
    Document::parse(text, &Limits::default()).unwrap()
}

/// The body with an envelope and the revision.
fn request(body: &str) -> Document {
    let body = parse(body);
    let mut splice = Splice::new(&body);
    splice.insert_member(body.root(), "jsonrpc", br#""2.0""#).insert_member(body.root(), "id", b"1");
    let params = body.root().get("params").unwrap();
    if params.get("_meta").is_none() {
        let meta = br#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        splice.insert_member(params, "_meta", meta);
    }
    Document::parse(splice.finish().unwrap(), &Limits::default()).unwrap()
}

fn split(header: &str) -> (&str, &[u8]) {
    let (name, value) = header.split_once(": ").unwrap();
    (name, value.as_bytes())
}

#[test]
fn headers_are_what_the_body_says() {
    for case in cases().case {
        let document = request(&case.body);
        let schema = case.schema.as_deref().map(parse);
        let schema = schema.as_ref().map(Document::root);
        let Incoming::One(message) = Message::read(&document).unwrap() else { panic!("{}", case.what) };
        if let Some(needs) = &case.needs {
            let made = headers(&message, schema).unwrap();
            let told: Vec<_> = made.iter().map(|Header { name, value }| format!("{name}: {value}")).collect();
            assert_eq!(told, *needs, "{}", case.what);
            let made = made.iter().map(|header| (header.name.as_str(), header.value.as_bytes()));
            assert_eq!(check(made, &message, schema), Ok(()), "{}", case.what);
        }
        assert!(case.needs.is_some() || case.mismatch.is_some(), "{} expects nothing", case.what);
        if let Some(sent) = &case.sent {
            let told = check(sent.iter().map(|header| split(header)), &message, schema);
            assert_eq!(told.err().map(|error| error.to_string()), case.mismatch, "{}", case.what);
        }
    }
}

#[test]
fn schemas_say_which_arguments_go_into_headers() {
    for case in cases().schema {
        let document = parse(&case.text);
        let (found, refused) = match mirrored(document.root()) {
            Ok(found) => {
                let told = found.iter().map(|one| format!("{} in {}", one.path.join("."), one.header));
                (Some(told.collect::<Vec<_>>()), None)
            }
            Err(error) => (None, Some(error.to_string())),
        };
        assert_eq!((found, refused), (case.mirrors, case.refused), "{}", case.text);
    }
}

#[test]
fn answers_and_notifications_need_no_headers() {
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
    ] {
        let document = parse(text);
        let Incoming::One(message) = Message::read(&document).unwrap() else { panic!("{text}") };
        assert_eq!(headers(&message, None), Ok(Vec::new()));
        assert_eq!(check([("Mcp-Method", b"x".as_slice())], &message, None), Ok(()));
    }
}
