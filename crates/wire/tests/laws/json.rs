//! Laws of reading JSON, with `serde_json` as an independent reader.

use portcullis_wire::json::{Document, Kind, Limits, Node, Problem, quote};
use proptest::prelude::*;
use serde_json::Value;

use crate::random::{Choices, choices, config, key, parse, text, value, write_string, written};

/// Pieces that JSON is made of, and some that it is not.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\"a\"",
    "\"a\":",
    "0",
    "1",
    "-",
    ".5",
    "e",
    "E+1",
    "true",
    "null",
    "fals",
    " ",
    "\n",
    "\u{feff}",
    "\\u0061",
    "\\ud83d",
    "\\ude00",
    "\\n",
    "\u{1}",
    "é",
    "{\"a\":1,",
    "99999999999999999999",
];

/// A change to a text: where, how many bytes go, and what comes.
fn change() -> impl Strategy<Value = (usize, usize, Vec<u8>)> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => Just(Vec::new()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ];
    (any::<usize>(), 0..3usize, piece)
}

fn changed(text: &str, changes: &[(usize, usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (at, gone, piece) in changes {
        let start = at % (bytes.len() + 1);
        let end = (start + gone).min(bytes.len());
        bytes.splice(start..end, piece.iter().copied());
    }
    bytes
}

/// What both readers make of a text.
fn compare(bytes: &[u8]) -> Result<(), TestCaseError> {
    let ours = Document::parse(bytes, &Limits::default());
    let theirs = serde_json::from_slice::<Value>(bytes);
    let shown = String::from_utf8_lossy(bytes);
    match (ours, theirs) {
        (Ok(document), Ok(theirs)) => {
            let value = document.root().to_value();
            // They make a double of an integer that is too large, and we say so.
            let is_inexact = value.is_err() && has_large_integer(document.root());
            let is_same = value.as_ref().is_ok_and(|value| is_same(value, &theirs));
            prop_assert!(is_inexact || is_same, "{} is {:?}", shown, value);
        }
        (Ok(document), Err(_)) => {
            // A number beyond all doubles is grammar for us and no value; for them it is an error.
            prop_assert!(document.root().to_value().is_err(), "only we accept {}", shown);
        }
        (Err(error), Ok(_)) => {
            let is_duplicate = matches!(error.problem, Problem::DuplicateKey { .. });
            prop_assert!(is_duplicate, "only we refuse {}: {}", shown, error);
        }
        (Err(error), Err(_)) => prop_assert!(error.at <= bytes.len(), "{} beyond {}", error, shown),
    }
    Ok(())
}

/// Whether two values are the same, but for the last digit of a double, which they do not always get right.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let has = |key, value| theirs.get(key).is_some_and(|other| is_same(value, other));
            ours.len() == theirs.len() && ours.iter().all(|(key, value)| has(key, value))
        }
        (Value::Number(one), Value::Number(other)) if one.is_f64() && other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= one.abs() * 1e-15 || (one - other).abs() < f64::MIN_POSITIVE
        }
        _ => ours == theirs,
    }
}

fn has_large_integer(node: Node<'_>) -> bool {
    let is_large = node.kind() == Kind::Number && node.as_u64().is_none() && node.as_i64().is_none();
    is_large
        || node.items().any(has_large_integer)
        || node.members().any(|(_, value)| has_large_integer(value))
}

/// Everything in a node and between its parts is the node itself, and every part is what it is by itself.
fn rejoined(node: Node<'_>) -> Result<Vec<u8>, TestCaseError> {
    let document = node.document();
    let mut parts = Vec::new();
    for (key, value) in node.members() {
        let before = document.bytes()[node.span().start..value.span().start].to_vec();
        prop_assert!(before.ends_with(b":") || before.last().unwrap().is_ascii_whitespace());
        prop_assert_eq!(node.get(&key).unwrap().span(), value.span());
        parts.push(value);
    }
    parts.extend(node.items());
    let mut bytes = Vec::new();
    let mut at = node.span().start;
    for part in parts {
        let span = part.span();
        prop_assert!(at < span.start && span.end < node.span().end);
        let between = &document.bytes()[at..span.start];
        bytes.extend_from_slice(between);
        bytes.extend(rejoined(part)?);
        at = span.end;
    }
    bytes.extend_from_slice(&document.bytes()[at..node.span().end]);
    prop_assert_eq!(&bytes, node.raw());
    let alone = parse(node.raw());
    prop_assert_eq!(alone.root().to_value().unwrap(), node.to_value().unwrap());
    Ok(bytes)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn however_it_is_written_a_value_is_read_as_itself(value in value(), choices in choices()) {
        let text = written(&value, &mut Choices::new(choices));
        prop_assert_eq!(parse(text.as_bytes()).root().to_value().unwrap(), value);
    }

    #[test]
    fn both_readers_agree_on_what_is_nearly_json(
        value in value(),
        choices in choices(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        compare(&changed(&written(&value, &mut Choices::new(choices)), &changes))?;
    }

    #[test]
    fn both_readers_agree_on_pieces_of_json(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14),
    ) {
        compare(pieces.concat().as_bytes())?;
    }

    #[test]
    fn a_key_twice_is_refused_wherever_it_is(
        around in prop::collection::vec(prop::sample::select(&["[", "{\"a\":", "[1,", "{\"b\":{},\"c\":"][..]), 0..6),
        key in key(),
        others in prop::collection::btree_set(key(), 0..20),
        position in any::<prop::sample::Index>(),
        choices in choices(),
    ) {
        let mut choices = Choices::new(choices);
        let mut keys: Vec<_> = others.into_iter().filter(|other| *other != key).collect();
        keys.insert(position.index(keys.len() + 1), key.clone());
        keys.push(key);
        let mut inner = "{".to_owned();
        let mut again = 0;
        for (index, key) in keys.iter().enumerate() {
            inner.push_str(if index == 0 { "" } else { "," });
            again = inner.len();
            write_string(key, &mut choices, &mut inner);
            inner.push_str(":0");
        }
        inner.push('}');
        let closing: String =
            around.iter().rev().map(|open| if open.starts_with('[') { ']' } else { '}' }).collect();
        let before = around.concat();
        let text = format!("{before}{inner}{closing}");
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "others accept it");
        let error = Document::parse(text.as_str(), &Limits::default()).unwrap_err();
        let is_duplicate = matches!(error.problem, Problem::DuplicateKey { .. });
        prop_assert!(is_duplicate, "{} in {}", error, text);
        prop_assert_eq!(error.at, before.len() + again);
    }

    #[test]
    fn slices_join_to_the_whole(value in value(), choices in choices()) {
        let text = written(&value, &mut Choices::new(choices));
        let document = parse(text.as_bytes());
        prop_assert_eq!(document.root().raw_text(), text.trim_matches([' ', '\t', '\r', '\n']));
        rejoined(document.root())?;
        let line = document.line().into_owned();
        prop_assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
        prop_assert_eq!(parse(&line).root().to_value().unwrap(), value);
    }

    #[test]
    fn a_quoted_text_is_read_back(text in text()) {
        let document = parse(quote(&text).as_bytes());
        prop_assert!(document.root().is_str(&text));
        prop_assert_eq!(serde_json::from_str::<String>(&quote(&text)).unwrap(), text);
    }

    #[test]
    fn a_limit_below_what_a_text_needs_refuses_it(value in value(), choices in choices()) {
        let text = written(&value, &mut Choices::new(choices));
        let needed = needed(&value);
        let limits = Limits { bytes: text.len(), depth: needed.0, nodes: needed.1 };
        let is_read = |limits: Limits| Document::parse(text.as_str(), &limits).is_ok();
        let short = Limits { bytes: text.len() - 1, ..limits };
        let few = Limits { nodes: needed.1 - 1, ..limits };
        let flat = Limits { depth: needed.0.saturating_sub(1), ..limits };
        prop_assert!(is_read(limits));
        prop_assert_eq!((is_read(short), is_read(few), is_read(flat)), (false, false, needed.0 == 0));
    }
}

/// The depth of a value, and how many values and keys it has.
fn needed(value: &Value) -> (usize, usize) {
    let inner: Vec<(usize, usize)> = match value {
        Value::Array(items) => items.iter().map(needed).collect(),
        Value::Object(members) => {
            members.values().map(needed).map(|(depth, nodes)| (depth, nodes + 1)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return (0, 1),
    };
    let depth = inner.iter().map(|(depth, _)| *depth).max().unwrap_or(0);
    (depth + 1, 1 + inner.iter().map(|(_, nodes)| nodes).sum::<usize>())
}
