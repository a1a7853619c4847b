//! The era with sessions.

use portcullis_remote::{Event, Remote, RemoteError};
use portcullis_wire::rpc::Id;
use tokio::sync::mpsc::Receiver;

use crate::server::{Asked, Server};
use crate::{connect, failed, note, nothing_else, ping, pong, progress, said, soon};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const SESSION: (&str, &str) = ("mcp-session-id", "s-1");

fn welcome() -> String {
    r#"{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#.to_owned()
}

/// A session that was begun, and the request for its stream.
pub(crate) async fn begin(server: &mut Server, remote: &Remote, events: &mut Receiver<Event>) -> Asked {
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    server.asked().await.reply(200, &[("content-type", "application/json"), SESSION], &welcome());
    assert_eq!(said(events).await.0, welcome());
    remote.send(INITIALIZED.as_bytes().to_vec()).await;
    server.asked().await.accept();
    let listening = server.asked().await;
    assert_eq!(listening.method, "GET");
    listening
}

#[tokio::test]
async fn the_session_and_the_revision_go_with_everything_after_the_handshake() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    let asked = server.asked().await;
    assert_eq!((asked.header("mcp-session-id"), asked.header("mcp-protocol-version")), (None, None));
    let mut stream = asked.stream(&[SESSION]);
    stream.event(&welcome()).await;
    assert_eq!(said(&mut events).await.0, welcome());
    drop(stream);
    remote.send(INITIALIZED.as_bytes().to_vec()).await;
    let told = server.asked().await;
    let headers = |asked: &Asked| {
        let of = |name| asked.header(name).map(str::to_owned);
        (of("mcp-session-id"), of("mcp-protocol-version"), of("last-event-id"))
    };
    let expected = (Some("s-1".to_owned()), Some("2025-06-18".to_owned()), None);
    assert_eq!(headers(&told), expected);
    told.accept();
    let listening = server.asked().await;
    assert_eq!((listening.method.as_str(), listening.header("accept")), ("GET", Some("text/event-stream")));
    assert_eq!(headers(&listening), expected);
    listening.reply(405, &[], "");
    remote.send(ping(1)).await;
    let asked = server.asked().await;
    assert_eq!(headers(&asked), expected);
    asked.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
    let closing = tokio::spawn(remote.close());
    let farewell = server.asked().await;
    assert_eq!((farewell.method.as_str(), headers(&farewell)), ("DELETE", expected));
    farewell.reply(200, &[], "");
    soon(closing).await.unwrap();
}

#[tokio::test]
async fn nothing_is_sent_before_the_handshake_is_over() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    remote.send(INITIALIZED.as_bytes().to_vec()).await;
    remote.send(ping(1)).await;
    let initialize = server.asked().await;
    assert_eq!(initialize.body, INITIALIZE);
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    assert!(server.is_idle());
    initialize.json(200, &welcome());
    let initialized = server.asked().await;
    assert_eq!(initialized.body, INITIALIZED);
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    assert!(server.is_idle());
    initialized.accept();
    let mut methods = [server.asked().await.method, server.asked().await.method];
    methods.sort();
    assert_eq!(methods, ["GET", "POST"]);
    assert_eq!(said(&mut events).await.0, welcome());
}

#[tokio::test]
async fn a_handshake_that_fails_lets_the_next_message_through() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    remote.send(ping(1)).await;
    server.asked().await.reply(500, &[SESSION], "no");
    assert_eq!(failed(&mut events).await.0, Id::text("i"));
    let asked = server.asked().await;
    assert_eq!(asked.header("mcp-session-id"), None);
    asked.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
}

#[tokio::test]
async fn a_server_speaks_of_its_own_accord_and_is_answered() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let mut stream = begin(&mut server, &remote, &mut events).await.stream(&[]);
    let question = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    stream.event(question).await;
    assert_eq!(said(&mut events).await, (question.to_owned(), None));
    remote.send(pong(1).into_bytes()).await;
    let answer = server.asked().await;
    assert_eq!((answer.body.as_str(), answer.header("mcp-session-id")), (&*pong(1), Some("s-1")));
    answer.accept();
    // An answer that comes here is one too, and ends the stream of its request.
    remote.send(ping(2)).await;
    let mut request = server.asked().await.stream(&[]);
    stream.event(&pong(2)).await;
    assert_eq!(said(&mut events).await, (pong(2), None));
    request.left().await;
}

#[tokio::test]
async fn a_stream_of_its_own_is_gone_on_with_where_it_broke() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let mut stream = begin(&mut server, &remote, &mut events).await.stream(&[]);
    stream.event_with_id("e-1", &progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    stream.cut();
    let again = server.asked().await;
    assert_eq!((again.header("last-event-id"), again.header("mcp-session-id")), (Some("e-1"), Some("s-1")));
    let mut stream = again.stream(&[]);
    stream.event_with_id("e-2", &progress(2)).await;
    assert_eq!(said(&mut events).await.0, progress(2));
    drop(stream);
    let again = server.asked().await;
    assert_eq!(again.header("last-event-id"), Some("e-2"));
}

#[tokio::test]
async fn a_stream_that_always_breaks_is_given_up() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(503, &[], "");
    for _ in 0..3 {
        let again = server.asked().await;
        assert_eq!((again.method.as_str(), again.header("last-event-id")), ("GET", None));
        again.reply(503, &[], "");
    }
    assert!(note(&mut events).await.contains("broke too often"));
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_session_that_is_gone_fails_what_waits_in_it_and_is_told_once() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let mut listening = begin(&mut server, &remote, &mut events).await.stream(&[]);
    remote.send(ping(1)).await;
    let mut waiting = server.asked().await.stream(&[]);
    remote.send(ping(2)).await;
    let body = r#"{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}"#;
    server.asked().await.json(404, body);
    for id in [1, 2] {
        let (failed, why) = failed(&mut events).await;
        assert_eq!(failed, Id::integer(id));
        assert!(matches!(why, RemoteError::SessionGone { .. }), "{why}");
    }
    let Some(Event::Ended(RemoteError::SessionGone { .. })) = soon(events.recv()).await else { panic!() };
    waiting.left().await;
    listening.left().await;
    // Nothing is sent until there is a new one.
    remote.send(ping(3)).await;
    assert!(matches!(failed(&mut events).await.1, RemoteError::SessionGone { .. }));
    assert!(server.is_idle());
    drop(begin(&mut server, &remote, &mut events).await);
}

#[tokio::test]
async fn that_a_session_is_gone_may_be_said_in_words() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    drop(begin(&mut server, &remote, &mut events).await);
    remote.send(ping(1)).await;
    let body =
        r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID"},"id":null}"#;
    server.asked().await.json(400, body);
    assert!(matches!(failed(&mut events).await.1, RemoteError::SessionGone { .. }));
    assert!(matches!(soon(events.recv()).await, Some(Event::Ended(_))));
}

#[tokio::test]
async fn a_session_may_be_gone_for_the_stream_of_the_server_first() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let stream = begin(&mut server, &remote, &mut events).await.stream(&[]);
    stream.cut();
    server.asked().await.reply(404, &[], "");
    assert!(matches!(soon(events.recv()).await, Some(Event::Ended(_))));
}

#[tokio::test]
async fn without_an_id_there_is_no_session_that_could_be_gone() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    server.asked().await.json(200, &welcome());
    said(&mut events).await;
    remote.send(ping(1)).await;
    server.asked().await.reply(404, &[], "nothing here");
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Status { status: 404, .. }), "{why}");
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_cancelled_request_of_a_session_is_told_to_the_server() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    remote.send(cancelled.as_bytes().to_vec()).await;
    let asked = server.asked().await;
    assert_eq!(asked.body, cancelled);
    asked.accept();
    stream.left().await;
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn what_is_cancelled_before_its_turn_is_not_sent() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(INITIALIZE.as_bytes().to_vec()).await;
    remote.send(ping(1)).await;
    remote.send(ping(2)).await;
    let initialize = server.asked().await;
    remote.cancel(&Id::integer(1));
    initialize.json(200, &welcome());
    assert_eq!(said(&mut events).await.0, welcome());
    let asked = server.asked().await;
    assert_eq!(asked.body.as_bytes(), ping(2));
    asked.json(200, &pong(2));
    assert_eq!(said(&mut events).await.0, pong(2));
}
