//! Streams that break before the answer.

use portcullis_remote::RemoteError;
use portcullis_wire::rpc::Id;

use crate::server::Server;
use crate::sessions::begin;
use crate::{connect, failed, note, nothing_else, ping, pong, progress, said};

#[tokio::test]
async fn a_stream_that_broke_is_gone_on_with_and_answers_once() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event_with_id("a-1", &progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    stream.cut();
    // A server that is not there for a moment is tried again.
    server.asked().await.reply(503, &[], "");
    let again = server.asked().await;
    assert_eq!((again.method.as_str(), again.body.as_str()), ("GET", ""));
    assert_eq!((again.header("last-event-id"), again.header("mcp-session-id")), (Some("a-1"), Some("s-1")));
    assert_eq!(again.header("mcp-protocol-version"), Some("2025-06-18"));
    let mut stream = again.stream(&[]);
    stream.event_with_id("a-2", &progress(2)).await;
    assert_eq!(said(&mut events).await, (progress(2), Some(Id::integer(1))));
    stream.say(&format!("id: a-3\ndata: {0}\n\nid: a-4\ndata: {0}\n\n", pong(1))).await;
    assert_eq!(said(&mut events).await, (pong(1), Some(Id::integer(1))));
    assert!(note(&mut events).await.contains("does not wait"));
    drop(stream);
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_server_may_close_a_stream_and_be_asked_again_as_often_as_it_likes() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut asked = server.asked().await;
    // More often than a stream that says nothing would be tried.
    for number in 0..10 {
        let mut stream = asked.stream(&[]);
        stream.say(&format!("retry: 2\nid: p-{number}\ndata:\n\n")).await;
        drop(stream);
        asked = server.asked().await;
        assert_eq!(asked.header("last-event-id"), Some(&*format!("p-{number}")));
    }
    asked.stream(&[]).event(&pong(1)).await;
    assert_eq!(said(&mut events).await.0, pong(1));
}

#[tokio::test]
async fn a_stream_that_always_breaks_leaves_its_request_without_an_answer() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.say("id: p\ndata:\n\n").await;
    drop(stream);
    for _ in 0..3 {
        drop(server.asked().await.stream(&[]));
    }
    let (id, why) = failed(&mut events).await;
    assert_eq!(id, Id::integer(1));
    assert!(matches!(why, RemoteError::NoAnswer { .. }) && why.may_have_acted(), "{why}");
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_stream_without_ids_cannot_be_gone_on_with() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event(&progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    stream.say("data: {\"jsonrpc\"").await;
    stream.cut();
    let (id, why) = failed(&mut events).await;
    assert_eq!(id, Id::integer(1));
    assert!(matches!(why, RemoteError::Broken { .. }), "{why}");
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_server_that_cannot_go_on_says_so_once() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    for status in [405, 400] {
        remote.send(ping(1)).await;
        let mut stream = server.asked().await.stream(&[]);
        stream.say("id: p\ndata:\n\n").await;
        drop(stream);
        server.asked().await.reply(status, &[], "");
        assert!(matches!(failed(&mut events).await.1, RemoteError::NoAnswer { .. }));
    }
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_connection_that_breaks_before_the_response_fails_the_request() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    drop(server.asked().await);
    let (id, why) = failed(&mut events).await;
    assert_eq!(id, Id::integer(1));
    assert!(matches!(why, RemoteError::Broken { .. }), "{why}");
}
