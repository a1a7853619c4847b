//! Servers that say too much, or nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use portcullis_remote::{Event, Remote, RemoteError};
use portcullis_wire::rpc::Id;

use crate::server::{Server, Streaming};
use crate::sessions::begin;
use crate::{address, failed, nothing_else, ping, pong, progress, said, soon};

#[tokio::test]
async fn a_body_that_is_too_large_is_not_read() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.body = 1000;
    let (remote, mut events) = Remote::connect(&address).unwrap();
    let large = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, "x".repeat(1000));
    // With a length, of which nothing has to come, and without.
    let json = ("content-type", "application/json");
    remote.send(ping(1)).await;
    let _nothing = server.asked().await.go_on(&[json, ("content-length", "1001")]);
    assert!(matches!(failed(&mut events).await.1, RemoteError::TooLarge { limit: 1000, .. }));
    remote.send(ping(1)).await;
    let mut pieces = server.asked().await.go_on(&[json]);
    pieces.say(&large).await;
    assert!(matches!(failed(&mut events).await.1, RemoteError::TooLarge { limit: 1000, .. }));
    remote.send(ping(1)).await;
    server.asked().await.stream(&[]).event(&large).await;
    assert!(matches!(failed(&mut events).await.1, RemoteError::TooLarge { limit: 1000, .. }));
    // As large as it may be.
    let rest = 1000 - r#"{"jsonrpc":"2.0","id":1,"result":""}"#.len();
    let fits = format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{}"}}"#, "x".repeat(rest));
    remote.send(ping(1)).await;
    server.asked().await.json(200, &fits);
    assert_eq!(said(&mut events).await.0, fits);
}

#[tokio::test]
async fn many_streams_have_no_more_room_than_some_large_messages() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.body = 20_000;
    let (remote, mut events) = Remote::connect(&address).unwrap();
    let part = format!("data: {}", "x".repeat(15_000));
    let mut streams: Vec<Streaming> = Vec::new();
    for id in 1..=20 {
        remote.send(ping(id)).await;
        let mut stream = server.asked().await.stream(&[]);
        stream.say(&part).await;
        streams.push(stream);
    }
    // Eight large messages are 160,000 bytes, into which ten of these fit.
    for _ in 0..10 {
        assert!(matches!(failed(&mut events).await.1, RemoteError::TooLarge { .. }));
    }
    drop(streams);
    for _ in 0..10 {
        assert!(matches!(failed(&mut events).await.1, RemoteError::NoAnswer { .. }));
    }
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_server_that_floods_is_not_read_faster_than_events_are_taken() {
    const ALL: usize = 64 << 20;
    let mut server = Server::start().await;
    let (remote, mut events) = Remote::connect(&address(&server)).unwrap();
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let flood = tokio::spawn(async move {
        let event = format!("data: {}\n\n", progress(1)).repeat(100);
        while counted.load(Ordering::SeqCst) < ALL && stream.say(&event).await {
            counted.fetch_add(event.len(), Ordering::SeqCst);
        }
        stream
    });
    // Until nothing more goes out.
    let mut before = usize::MAX;
    while before != sent.load(Ordering::SeqCst) {
        before = sent.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(before < ALL / 2, "{before} bytes went out though nobody takes events");
    assert_eq!(said(&mut events).await.0, progress(1));
    remote.cancel(&Id::integer(1));
    drop(remote);
    while soon(events.recv()).await.is_some() {}
    drop(soon(flood).await.unwrap());
}

#[tokio::test]
async fn more_requests_than_allowed_fail_at_once() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.open_requests = 2;
    let (remote, mut events) = Remote::connect(&address).unwrap();
    for id in 1..=3 {
        remote.send(ping(id)).await;
    }
    let (id, why) = failed(&mut events).await;
    assert_eq!((id, why), (Id::integer(3), RemoteError::Busy { limit: 2 }));
    let first = server.asked().await;
    let id = if first.body.as_bytes() == ping(1) { 1 } else { 2 };
    first.json(200, &pong(id));
    assert_eq!(said(&mut events).await.0, pong(id));
    remote.send(ping(3)).await;
    let others = [server.asked().await, server.asked().await];
    assert!(others.iter().any(|asked| asked.body.as_bytes() == ping(3)));
}

#[tokio::test]
async fn a_server_that_never_answers_is_not_waited_for() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.head = Duration::from_millis(50);
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let hanging = server.asked().await;
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Silent { .. }) && why.may_have_acted(), "{why}");
    drop(hanging);
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_not_waited_for() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.silence = Duration::from_millis(50);
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event(&progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    assert!(matches!(failed(&mut events).await.1, RemoteError::Silent { .. }));
    stream.left().await;
}

#[tokio::test]
async fn a_request_gets_one_end_however_its_events_are_taken() {
    let mut server = Server::start().await;
    let (remote, mut events) = Remote::connect(&address(&server)).unwrap();
    // More than wait to be taken.
    for id in 1..=20 {
        remote.send(ping(id)).await;
        server.asked().await.json(200, &pong(id));
    }
    let mut answered = Vec::new();
    for _ in 1..=20 {
        let Some(Event::Said(said)) = soon(events.recv()).await else { panic!() };
        answered.push(String::from_utf8(said.message).unwrap());
    }
    answered.sort();
    let mut expected: Vec<String> = (1..=20).map(pong).collect();
    expected.sort();
    assert_eq!(answered, expected);
}

#[tokio::test]
async fn what_is_too_large_is_not_asked_for_again() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.limits.body = 1000;
    let (remote, mut events) = Remote::connect(&address).unwrap();
    begin(&mut server, &remote, &mut events).await.reply(405, &[], "");
    remote.send(ping(1)).await;
    let mut stream = server.asked().await.stream(&[]);
    stream.event_with_id("e-1", &progress(1)).await;
    assert_eq!(said(&mut events).await.0, progress(1));
    stream.event_with_id("e-2", &"x".repeat(1001)).await;
    assert!(matches!(failed(&mut events).await.1, RemoteError::TooLarge { .. }));
    nothing_else(&remote, &mut server, &mut events).await;
}
