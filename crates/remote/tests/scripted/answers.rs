//! What a server may answer with, and what becomes of it.

use portcullis_remote::{Event, RemoteError};
use portcullis_wire::rpc::Id;

use crate::server::Server;
use crate::{connect, failed, note, nothing_else, ping, pong, progress, said};

#[tokio::test]
async fn a_message_goes_out_and_its_answer_comes_back_byte_for_byte() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let message = r#"{ "method":"ping", "jsonrpc":"2.0","id":7.0 }"#;
    remote.send(message.as_bytes().to_vec()).await;
    let asked = server.asked().await;
    assert_eq!((asked.method.as_str(), asked.body.as_str()), ("POST", message));
    assert_eq!(asked.path, "/mcp?key=q-secret");
    assert_eq!(asked.header("accept"), Some("application/json, text/event-stream"));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.header("user-agent"), Some(concat!("portcullis/", env!("CARGO_PKG_VERSION"))));
    for absent in ["accept-encoding", "cookie", "mcp-session-id", "mcp-protocol-version", "mcp-method"] {
        assert_eq!(asked.header(absent), None, "{absent}");
    }
    let answer = r#"{"result":{"n":1.0}, "id":7,"jsonrpc":"2.0" }"#;
    asked.reply(200, &[("content-type", "Application/JSON; charset=utf-8")], answer);
    assert_eq!(said(&mut events).await, (answer.to_owned(), Some(Id::integer(7))));
}

#[tokio::test]
async fn what_comes_before_an_answer_is_about_its_request() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.say(": a comment\n\nevent: ping\ndata: not a message\n\nid: 0\ndata:\n\n").await;
    stream.event(&progress(1)).await;
    assert_eq!(said(&mut events).await, (progress(1), Some(Id::integer(1))));
    // An event in pieces, and several in one.
    stream.say("da").await;
    stream.say(&format!("ta: {}\r\n\r\ndata: {}\n\n", progress(2), pong(1))).await;
    assert_eq!(said(&mut events).await, (progress(2), Some(Id::integer(1))));
    assert_eq!(said(&mut events).await, (pong(1), Some(Id::integer(1))));
}

#[tokio::test]
async fn requests_are_under_way_at_the_same_time() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    for id in 1..=3 {
        remote.send(ping(id)).await;
    }
    let mut asked = [server.asked().await, server.asked().await, server.asked().await];
    asked.sort_by_key(|asked| std::cmp::Reverse(asked.body.clone()));
    let ids = [3, 2, 1];
    for (id, asked) in ids.into_iter().zip(asked) {
        asked.json(200, &pong(id));
        assert_eq!(said(&mut events).await, (pong(id), Some(Id::integer(i64::from(id)))));
    }
}

#[tokio::test]
async fn what_wants_no_answer_gets_none() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    for (status, content_type, body) in
        [(202, "text/plain", "Accepted"), (204, "a/b", ""), (200, "a/b", ""), (200, "text/plain", "OK")]
    {
        remote.send(progress(1).into_bytes()).await;
        server.asked().await.reply(status, &[("content-type", content_type)], body);
    }
    remote.send(pong(5).into_bytes()).await;
    let asked = server.asked().await;
    assert_eq!(asked.body, pong(5));
    asked.accept();
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_request_that_is_only_accepted_fails() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    server.asked().await.accept();
    let (id, why) = failed(&mut events).await;
    assert_eq!(id, Id::integer(1));
    assert!(matches!(why, RemoteError::NoAnswer { .. }), "{why}");
    assert!(why.may_have_acted());
}

#[tokio::test]
async fn a_batch_is_sent_as_one_and_its_answers_come_one_by_one() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let batch = format!("[{},{}]", String::from_utf8(ping(1)).unwrap(), String::from_utf8(ping(2)).unwrap());
    remote.send(batch.clone().into_bytes()).await;
    let asked = server.asked().await;
    assert_eq!(asked.body, batch);
    asked.json(200, &format!("[{}, {}]", pong(2), progress(1)));
    assert_eq!(said(&mut events).await, (pong(2), None));
    assert_eq!(said(&mut events).await, (progress(1), None));
    assert_eq!(failed(&mut events).await.0, Id::integer(1));
}

#[tokio::test]
async fn an_answer_is_delivered_once_and_only_to_who_asked() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event(&pong(8)).await;
    assert!(note(&mut events).await.contains("does not wait"));
    stream.say(&format!("data: {0}\n\ndata: {0}\n\n", pong(1))).await;
    assert_eq!(said(&mut events).await.0, pong(1));
    assert!(note(&mut events).await.contains("does not wait"));
}

#[tokio::test]
async fn an_answer_that_is_no_message_fails_its_request() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let cases = [
        ("", "without an answer"),
        ("{", "no message"),
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"result":2}"#, "twice"),
        (r#"{"jsonrpc":"2.0","id":1,"result":1,"error":2}"#, "not both"),
        ("[]", "no message"),
    ];
    for (body, why) in cases {
        remote.send(ping(1)).await;
        server.asked().await.json(200, body);
        let (id, error) = failed(&mut events).await;
        assert_eq!(id, Id::integer(1));
        assert!(error.to_string().contains(why), "{body}: {error}");
    }
    // In a stream the answer may still come, unless it was the answer that is broken.
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event("nothing").await;
    assert!(note(&mut events).await.contains("no message"));
    stream.event(r#"{"jsonrpc":"2.0","id":1,"result":1,"error":2}"#).await;
    assert_eq!(failed(&mut events).await.0, Id::integer(1));
}

#[tokio::test]
async fn what_is_no_message_is_not_sent() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(br#"{"jsonrpc":"2.0","id":1,"method":"ping","id":2}"#.to_vec()).await;
    assert!(note(&mut events).await.contains("not sent"));
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn an_id_that_waits_is_not_used_again() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    let first = server.asked().await;
    remote.send(ping(1)).await;
    assert!(note(&mut events).await.contains("waits"));
    first.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
    remote.send(ping(1)).await;
    server.asked().await.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
}

#[tokio::test]
async fn a_request_that_is_cancelled_is_forgotten_and_its_stream_closed() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event(&progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    remote.cancel(&Id::integer(1));
    stream.left().await;
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn events_end_when_the_connection_is_closed() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    remote.close().await;
    stream.left().await;
    while let Some(event) = crate::soon(events.recv()).await {
        assert!(!matches!(event, Event::Said(_)), "{event:?}");
    }
}

#[tokio::test]
async fn after_closing_requests_fail() {
    let server = Server::start().await;
    let (remote, mut events) = connect(&server);
    let other = remote.clone();
    remote.close().await;
    // The end of what takes messages is not seen at once.
    loop {
        other.send(ping(1)).await;
        if let Ok(event) = events.try_recv() {
            assert_eq!(event, Event::Failed { id: Id::integer(1), why: RemoteError::Closed });
            return;
        }
        other.cancel(&Id::integer(1));
        tokio::task::yield_now().await;
    }
}
