//! Cases of what is read from MCP, as data.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::mcp::{
    Action, ClientCapabilities, Completion, Discovered, Initialize, Initialized, InputRequired, Listing,
    Manner, PromptGet, RequestMeta, ResourceRead, ResultKind, Retry, Revision, ShapeError, Subscription,
    TaskRequest, ToolCall, answers, list_prompts, list_resources, list_templates, list_tools, texts,
};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    r#as: String,
    text: Option<String>,
    is: Option<String>,
    refused: Option<String>,
}

#[test]
fn what_decides_is_read_or_refused_with_the_reason() {
    let cases: Cases = toml::from_str(include_str!("cases/mcp.toml")).unwrap();
    for case in cases.case {
        let document =
            case.text.as_ref().map(|text| Document::parse(text.as_str(), &Limits::default()).unwrap());
        let node = document.as_ref().map(Document::root);
        let (is, refused) = match read(&case.r#as, node) {
            Ok(is) => (Some(is), None),
            Err(error) => (None, Some(error.to_string())),
        };
        assert_eq!((is, refused), (case.is, case.refused), "{} {:?}", case.r#as, case.text);
    }
}

fn read(reader: &str, node: Option<Node<'_>>) -> Result<String, ShapeError> {
    let result = || node.unwrap_or_else(|| panic!("{reader} needs a text"));
    Ok(match reader {
        "ToolCall" => {
            let call = ToolCall::read(node)?;
            let task = if call.task.is_some() { ", as a task" } else { "" };
            format!("{}{}{}{task}", call.name, arguments(call.arguments), again(call.retry))
        }
        "ResourceRead" => {
            let read = ResourceRead::read(node)?;
            format!("{}{}", read.uri, again(read.retry))
        }
        "PromptGet" => {
            let get = PromptGet::read(node)?;
            format!("{}{}{}", get.name, arguments(get.arguments), again(get.retry))
        }
        "Completion" => {
            let completion = Completion::read(node)?;
            format!("{}={} of {}", completion.name, completion.value, completion.reference.raw_text())
        }
        "Subscribe" => subscription(&Subscription::subscribe(node)?),
        "Listen" => subscription(&Subscription::listen(node)?),
        "TaskRequest" => {
            let request = TaskRequest::read(node)?;
            format!("{} with {}", request.task, raw(request.responses))
        }
        "Initialize" => {
            let start = Initialize::read(node)?;
            let revision = revision(start.revision());
            format!("{} in {revision}: {}", start.client.name, capabilities(&start.capabilities))
        }
        "Initialized" => {
            let start = Initialized::read(result())?;
            let revision = start.revision().unwrap();
            let server = format!("{} in {revision}: {}", start.server.name, start.capabilities.raw_text());
            format!("{server}, {}", start.instructions.unwrap_or_default())
        }
        "Discovered" => {
            let discovered = Discovered::read(result())?;
            format!("{:?} {}", discovered.versions, discovered.capabilities.raw_text())
        }
        "RequestMeta" => match RequestMeta::read(node)? {
            None => "of the other era".to_owned(),
            Some(meta) => {
                let who = meta.client.as_ref().map_or("nobody", |client| &client.name);
                format!("{}, {who}: {}", revision(meta.revision()), capabilities(&meta.capabilities))
            }
        },
        "list_tools" => listing(&list_tools(result())?),
        "list_prompts" => listing(&list_prompts(result())?),
        "list_resources" => listing(&list_resources(result())?),
        "list_templates" => listing(&list_templates(result())?),
        "ResultKind" => kind(&ResultKind::read(result())?),
        "Action" => format!("{:?}", Action::read(result())?),
        "texts" => said(result()),
        other => panic!("there is no reader `{other}`"),
    })
}

fn arguments(arguments: Option<Node<'_>>) -> String {
    arguments.map_or_else(|| ", no arguments".to_owned(), |node| format!(" with {}", node.raw_text()))
}

fn again(retry: Retry<'_>) -> String {
    match retry.is_retry() {
        true => format!(", again with {} and {}", raw(retry.responses), raw(retry.state)),
        false => String::new(),
    }
}

fn raw(node: Option<Node<'_>>) -> &str {
    node.map_or("nothing", Node::raw_text)
}

fn subscription(subscription: &Subscription<'_>) -> String {
    format!("{:?} {:?}", subscription.resources, subscription.tasks)
}

fn revision(revision: Option<Revision>) -> String {
    revision.map_or_else(
        || "an unknown revision".to_owned(),
        |revision| format!("{revision} ({:?})", revision.era()),
    )
}

fn capabilities(capabilities: &ClientCapabilities<'_>) -> String {
    let has_pages = capabilities.elicitation.is_some_and(|elicitation| elicitation.url);
    let words: Vec<_> = [
        (capabilities.has_sampling, "sampling"),
        (capabilities.has_roots, "roots"),
        (capabilities.has_forms(), "forms"),
        (has_pages, "pages"),
    ]
    .into_iter()
    .filter_map(|(has, word)| has.then_some(word))
    .collect();
    if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
}

fn listing(listing: &Listing<'_>) -> String {
    let mut said = listing.items.iter().map(|item| item.name.to_string()).collect::<Vec<_>>().join(" ");
    if let Some(next) = &listing.next {
        said.push_str(&format!(", on at {next}"));
    }
    for (_, error) in &listing.broken {
        said.push_str(&format!("; {}", error.problem));
    }
    said
}

fn kind(kind: &ResultKind<'_>) -> String {
    match kind {
        ResultKind::Complete => "complete".to_owned(),
        ResultKind::Task { task } => format!("task {task}"),
        ResultKind::Unknown { kind } => format!("unknown {kind}"),
        ResultKind::InputRequired(InputRequired { requests, state }) => {
            let requests: Vec<_> = requests
                .iter()
                .map(|request| {
                    let params =
                        request.params.map_or_else(String::new, |node| format!(" {}", node.raw_text()));
                    format!("{}: {:?}{params}", request.key, request.method)
                })
                .collect();
            let requests = if requests.is_empty() { "nothing".to_owned() } else { requests.join(", ") };
            format!("wants {requests}, with {}", raw(*state))
        }
    }
}

fn said(result: Node<'_>) -> String {
    let mut said = Vec::new();
    texts(result, |text| {
        let mark = match text.manner {
            Manner::Plain => "",
            Manner::Base64 => "b:",
            Manner::Key => "k:",
        };
        said.push(format!("{mark}{}", text.text));
    });
    said.join("|")
}

#[test]
fn answers_are_for_exactly_the_questions() {
    let parse = |text: &str| Document::parse(text, &Limits::default()).unwrap();
    let asked = parse(r#"{"a":{"method":"roots/list"},"b":{"method":"elicitation/create","params":{}}}"#);
    let requests = InputRequired::requests(asked.root()).unwrap();
    for (text, expected) in [
        (r#"{"b":{},"a":{}}"#, true),
        (r#"{"a":{}}"#, false),
        (r#"{"a":{},"b":{},"c":{}}"#, false),
        (r#"{"a":{},"c":{}}"#, false),
        ("{}", false),
        ("[1,2]", false),
    ] {
        assert_eq!(answers(parse(text).root(), &requests), expected, "{text}");
    }
}

#[test]
fn revisions_are_read_back_and_fall_into_two_eras() {
    for revision in Revision::ALL {
        assert_eq!(Revision::of(revision.name()), Some(revision));
    }
    assert_eq!(Revision::of("2026-07-28 "), None);
    assert!(Revision::ALL.is_sorted());
    assert_ne!(Revision::LATEST.era(), Revision::LATEST_WITH_SESSIONS.era());
    assert_eq!(Revision::ALL.into_iter().filter(|revision| revision.has_batches()).count(), 1);
}
