//! Any bytes as JSON and as a message: what is accepted means what others read in it, is made of its parts byte for byte,
//! and can be edited; what only we refuse has a key twice. No reader of messages panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_wire::json::{Document, Kind, Limits, Node, Problem, canonical};
use portcullis_wire::mcp::{
    ClientCapabilities, Discovered, Initialize, Initialized, PromptGet, RequestMeta, ResourceRead,
    ResultKind, Subscription, TaskRequest, ToolCall, check, headers, list_prompts, list_tools, mirrored,
    texts,
};
use portcullis_wire::rpc::{Incoming, Message};
use portcullis_wire::splice::Splice;
use serde_json::Value;

const LIMITS: Limits = Limits { bytes: 1 << 16, depth: 100, nodes: 1 << 12 };

fuzz_target!(|bytes: &[u8]| {
    let theirs = serde_json::from_slice::<Value>(bytes);
    match Document::parse(bytes, &LIMITS) {
        Err(error) => {
            assert!(error.at <= bytes.len());
            let is_ours_alone = matches!(
                error.problem,
                Problem::DuplicateKey { .. } | Problem::TooDeep { .. } | Problem::TooManyNodes { .. }
            );
            assert!(theirs.is_err() || is_ours_alone, "only we refuse it: {error}");
        }
        Ok(document) => {
            assert_eq!(document.bytes(), bytes);
            match (document.root().to_value(), theirs) {
                (Ok(value), Ok(theirs)) => assert!(is_same(&value, &theirs), "{value} and {theirs}"),
                (Ok(value), Err(error)) => panic!("only we accept {value}: {error}"),
                (Err(_), _) => {}
            }
            rejoin(document.root());
            form(document.root());
            edit(&document);
            messages(&document);
        }
    }
});

/// Whether two values are the same, but for the last digits of a double, which they do not always get right.
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
            let (one, other) = (one.as_f64().unwrap_or(0.0), other.as_f64().unwrap_or(0.0));
            (one - other).abs() <= one.abs() * 1e-14 || (one - other).abs() < f64::MIN_POSITIVE
        }
        _ => ours == theirs,
    }
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.items().chain(node.members().map(|(_, value)| value))
}

/// A canonical form is JSON, and its own canonical form. It may be longer than what it is the form of.
fn form(node: Node<'_>) {
    let Ok(form) = canonical(node) else { return };
    let limits = Limits { bytes: usize::MAX, ..LIMITS };
    let again = Document::parse(form.as_slice(), &limits).expect("a canonical form is JSON");
    assert_eq!(canonical(again.root()).expect("a canonical form has one"), form);
}

/// Parts lie inside the whole, in their order.
fn rejoin(node: Node<'_>) {
    let mut at = node.span().start;
    for child in children(node) {
        assert!(at < child.span().start && child.span().end < node.span().end);
        at = child.span().end;
        rejoin(child);
    }
    for (key, value) in node.members() {
        assert_eq!(node.get(&key).map(Node::span), Some(value.span()));
    }
}

/// Every second child goes, and a member comes.
fn edit(document: &Document) {
    let root = document.root();
    let mut splice = Splice::new(document);
    children(root).step_by(2).for_each(|child| _ = splice.remove(child));
    let is_object = root.kind() == Kind::Object && root.get("new").is_none();
    if is_object {
        splice.insert_member(root, "new", b"[]");
    }
    let edited = splice.finish().expect("the edits fit together");
    let edited = Document::parse(edited, &LIMITS).expect("an edited document is one");
    let expected = children(root).count() / 2 + usize::from(is_object);
    assert_eq!(children(edited.root()).count(), expected);
    for (before, after) in children(root).skip(1).step_by(2).zip(children(edited.root())) {
        assert_eq!(before.raw(), after.raw());
    }
}

fn messages(document: &Document) {
    let node = document.root();
    texts(node, |text| assert!(text.node.span().end <= node.span().end));
    let _ = (ResultKind::read(node), list_tools(node), list_prompts(node), ClientCapabilities::read(node));
    let _ = (Initialized::read(node), Discovered::read(node), mirrored(node));
    let messages = match Message::read(document) {
        Ok(Incoming::One(message)) => vec![message],
        Ok(Incoming::Batch(messages)) => messages,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for message in messages {
        if let Message::Request { params, .. } | Message::Notification { params, .. } = &message {
            let params = *params;
            let _ = (ToolCall::read(params), ResourceRead::read(params), PromptGet::read(params));
            let _ = (Initialize::read(params), RequestMeta::read(params), TaskRequest::read(params));
            let _ = (Subscription::listen(params), Subscription::subscribe(params));
        }
        let schema = node.get("schema");
        if let Ok(made) = headers(&message, schema) {
            let made = made.iter().map(|header| (header.name.as_str(), header.value.as_bytes()));
            assert_eq!(check(made, &message, schema), Ok(()));
        }
    }
}
