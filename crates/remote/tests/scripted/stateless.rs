//! The era without sessions.

use portcullis_remote::{Event, RemoteError};
use portcullis_wire::rpc::Id;

use crate::server::Server;
use crate::{connect, failed, nothing_else, pong, said, soon};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

fn request(id: u32, method: &str, params: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{META}}}}}"#).into_bytes()
}

#[tokio::test]
async fn a_request_says_in_headers_what_its_body_says() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(request(1, "tools/list", "")).await;
    let asked = server.asked().await;
    let of = |name: &str| asked.header(name).map(str::to_owned);
    assert_eq!(of("mcp-protocol-version").as_deref(), Some("2026-07-28"));
    assert_eq!(of("mcp-method").as_deref(), Some("tools/list"));
    assert_eq!((of("mcp-name"), of("mcp-session-id")), (None, None));
    let tools = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"q","inputSchema":{"type":"object","properties":{"where":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
    asked.reply(200, &[("content-type", "application/json"), ("mcp-session-id", "s")], tools);
    said(&mut events).await;
    // What the list says counts for calls; the session that nobody began does not.
    let call = request(2, "tools/call", r#""name":"q","arguments":{"where":"S\u00fcd"},"#);
    remote.send(call).await;
    let asked = server.asked().await;
    assert_eq!(asked.header("mcp-name"), Some("q"));
    assert_eq!(asked.header("mcp-param-region"), Some("=?base64?U8O8ZA==?="));
    assert_eq!(asked.header("mcp-session-id"), None);
    asked.json(200, &pong(2));
    said(&mut events).await;
}

#[tokio::test]
async fn a_tool_whose_headers_cannot_be_made_is_not_called() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(request(1, "tools/list", "")).await;
    let tools = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"q","inputSchema":{"type":"object","properties":{"where":{"type":"string","x-mcp-header":"a b"}}}}]}}"#;
    server.asked().await.json(200, tools);
    said(&mut events).await;
    remote.send(request(2, "tools/call", r#""name":"q","#)).await;
    let (id, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Headers(_)), "{why}");
    assert_eq!((id, why.may_have_acted()), (Id::integer(2), false));
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_refusal_that_is_an_answer_is_delivered_whatever_its_status() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let error = r#""error":{"code":-32022,"message":"m","data":{"supported":["2025-11-25"]}}"#;
    for (status, id, expected) in [
        (400, r#","id":1"#, r#","id":1"#),
        (400, r#","id":null"#, r#","id":1"#),
        (404, "", r#","id":1"#),
        (500, r#","id":1.0"#, r#","id":1.0"#),
    ] {
        remote.send(request(1, "server/discover", "")).await;
        server.asked().await.json(status, &format!(r#"{{"jsonrpc":"2.0",{error}{id}}}"#));
        let expected = format!(r#"{{"jsonrpc":"2.0",{error}{expected}}}"#);
        assert_eq!(said(&mut events).await, (expected, Some(Id::integer(1))));
    }
    // The answer to another request is none, and neither is something that worked.
    for body in [format!(r#"{{"jsonrpc":"2.0",{error},"id":2}}"#), pong(1)] {
        remote.send(request(1, "server/discover", "")).await;
        server.asked().await.json(400, &body);
        assert!(matches!(failed(&mut events).await.1, RemoteError::Status { status: 400, .. }));
    }
}

#[tokio::test]
async fn closing_its_stream_is_all_that_cancels_a_request() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(request(1, "tools/call", r#""name":"q","#)).await;
    let mut stream = server.asked().await.stream(&[]);
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    remote.send(cancelled.as_bytes().to_vec()).await;
    stream.left().await;
    nothing_else(&remote, &mut server, &mut events).await;
    assert!(server.is_idle());
}

#[tokio::test]
async fn a_stream_that_broke_is_not_gone_on_with() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(request(1, "tools/call", r#""name":"q","#)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.say("id: e-1\ndata:\n\n").await;
    drop(stream);
    let Some(Event::Failed { why, .. }) = soon(events.recv()).await else { panic!() };
    assert!(matches!(why, RemoteError::NoAnswer { .. }), "{why}");
    nothing_else(&remote, &mut server, &mut events).await;
}
