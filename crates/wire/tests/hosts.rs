//! Lines as real hosts send them, each read to the end and kept byte for byte.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::mcp::{
    Action, ClientCapabilities, Direction, Form, Initialize, Manner, Method, Party, RequestMeta, ToolCall,
    texts,
};
use portcullis_wire::rpc::{Incoming, Message};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    line: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    host: String,
    text: String,
    id: Option<String>,
    method: Option<String>,
    treatment: Option<String>,
    says: Option<String>,
}

#[test]
fn lines_of_real_hosts_are_read_and_kept() {
    let cases: Cases = toml::from_str(include_str!("cases/hosts.toml")).unwrap();
    let stream: String = cases.line.iter().map(|case| format!("{}\n", case.text)).collect();
    let mut lines = Lines::new(1 << 20);
    lines.push(stream.as_bytes());
    for case in cases.line {
        let Some(Line::Text(line)) = lines.next_line() else { panic!("{}: no line", case.host) };
        let document = Document::parse(line, &Limits::default()).unwrap();
        assert_eq!(document.text(), case.text);
        assert_eq!(document.line(), case.text.as_bytes());
        let Incoming::One(message) = Message::read(&document).unwrap() else {
            panic!("{}: a batch", case.host)
        };
        check(&case, &message);
    }
    assert_eq!(lines.next_line(), None);
}

fn check(case: &Case, message: &Message<'_>) {
    let (id, method, form, says) = match message {
        Message::Request { id, method, params } => {
            let method = Method::of(method);
            (Some(id), Some(method), Form::Request, said(method, *params))
        }
        Message::Notification { method, .. } => (None, Some(Method::of(method)), Form::Notification, None),
        Message::Response { id, result } => (Some(id), None, Form::Request, Some(answered(*result))),
        Message::Failure { .. } => panic!("{}: a failure", case.host),
    };
    assert_eq!(id.map(|id| id.json()), case.id, "{}", case.host);
    assert_eq!(method.map(|method| format!("{method:?}")), case.method, "{}", case.host);
    let handling = method.map(|method| method.handling(Direction::ToServer, form));
    assert_eq!(handling.map(|handling| format!("{:?}", handling.treatment)), case.treatment, "{}", case.host);
    assert_eq!(says, case.says, "{}", case.host);
}

fn said(method: Method, params: Option<Node<'_>>) -> Option<String> {
    match method.name().unwrap_or_default() {
        "server/discover" => {
            let meta = RequestMeta::read(params).unwrap().unwrap();
            assert!(meta.revision().is_some());
            Some(introduced(&meta.client.unwrap(), &meta.version, &meta.capabilities))
        }
        "initialize" => {
            assert!(RequestMeta::read(params).unwrap().is_none());
            let start = Initialize::read(params).unwrap();
            assert!(start.revision().is_some());
            Some(introduced(&start.client, &start.version, &start.capabilities))
        }
        "tools/call" => {
            assert!(RequestMeta::read(params).unwrap().is_none());
            let call = ToolCall::read(params).unwrap();
            assert!(call.meta.unwrap().get("progressToken").is_some() && !call.retry.is_retry());
            Some(format!("{} {}", call.name, call.arguments.unwrap().raw_text()))
        }
        _ => None,
    }
}

fn introduced(party: &Party<'_>, version: &str, capabilities: &ClientCapabilities<'_>) -> String {
    let mut said = format!("{} {} in {version}", party.name, party.version.as_ref().unwrap());
    assert!(!capabilities.has_sampling);
    let has_pages = capabilities.elicitation.is_some_and(|elicitation| elicitation.url);
    for (has, word) in
        [(capabilities.has_roots, ", roots"), (capabilities.has_forms(), ", forms"), (has_pages, ", pages")]
    {
        said.push_str(if has { word } else { "" });
    }
    said
}

fn answered(result: Node<'_>) -> String {
    if result.get("action").is_some() {
        return format!("{:?}", Action::read(result).unwrap());
    }
    let mut said = Vec::new();
    texts(result, |text| {
        if text.manner == Manner::Plain {
            said.push(text.text.into_owned());
        }
    });
    format!("{said:?}")
}
