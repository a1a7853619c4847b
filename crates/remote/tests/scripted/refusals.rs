//! Responses that are not taken for answers, and what is told of them.

use portcullis_remote::{Challenge, Remote, RemoteError};
use portcullis_wire::rpc::Id;

use crate::server::Server;
use crate::{address, connect, failed, note, nothing_else, ping, pong, said};

#[tokio::test]
async fn a_status_is_told_with_the_beginning_of_what_is_said() {
    let mut server = Server::start().await;
    let mut address = address(&server);
    address.headers = vec![("X-Api-Key".to_owned(), "h-secret".to_owned())];
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let asked = server.asked().await;
    assert_eq!(asked.header("x-api-key"), Some("h-secret"));
    let body = format!("no\n\u{1b}[2Jkey h-secret for q-secret {}", "x".repeat(5000));
    asked.reply(422, &[("content-type", "text/html")], &body);
    let (id, why) = failed(&mut events).await;
    assert_eq!((id, why.may_have_acted()), (Id::integer(1), false));
    let told = format!("{why} {why:?}");
    assert!(told.contains("status 422 and says: no \\u{1b}[2Jkey [hidden] for [hidden] xxx"), "{told}");
    assert!(told.contains(&format!("http://{}/mcp", server.address)), "{told}");
    assert!(!told.contains("secret") && !told.contains("?key"), "{told}");
    assert!(why.to_string().len() < 400, "{told}");
}

#[tokio::test]
async fn who_is_not_let_in_learns_what_is_asked_for() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    for status in [401, 403] {
        remote.send(ping(1)).await;
        let challenge = "Bearer error=\"x\", resource_metadata=\"https://a.example/m\", scope=\"a b\"";
        server.asked().await.reply(status, &[("www-authenticate", challenge)], "{}");
        let (_, why) = failed(&mut events).await;
        assert!(why.to_string().contains("Authorization: Bearer"), "{why}");
        let RemoteError::Unauthorized { status: told, challenge, .. } = why else { panic!("{why}") };
        let expected = Challenge {
            resource_metadata: Some("https://a.example/m".to_owned()),
            scope: Some("a b".to_owned()),
            error: Some("x".to_owned()),
        };
        assert_eq!((told, challenge), (status, expected));
    }
}

#[tokio::test]
async fn what_is_neither_json_nor_a_stream_is_refused() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    for content_type in ["text/html", "application/json-seq", "text/plain; a=application/json"] {
        remote.send(ping(1)).await;
        server.asked().await.reply(200, &[("content-type", content_type)], &pong(1));
        let (_, why) = failed(&mut events).await;
        let RemoteError::ContentType { found, .. } = why else { panic!("{why}") };
        assert_eq!(found, content_type);
    }
    remote.send(ping(1)).await;
    server.asked().await.reply(200, &[], &pong(1));
    assert!(matches!(failed(&mut events).await.1, RemoteError::ContentType { .. }));
}

#[tokio::test]
async fn what_is_compressed_is_not_read() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    for (encoding, content_type) in [("gzip", "application/json"), ("br", "text/event-stream")] {
        remote.send(ping(1)).await;
        let headers = [("content-type", content_type), ("content-encoding", encoding)];
        server.asked().await.reply(200, &headers, &pong(1));
        let (_, why) = failed(&mut events).await;
        assert!(matches!(&why, RemoteError::Encoded { found, .. } if found == encoding), "{why}");
    }
    remote.send(ping(1)).await;
    let headers = [("content-type", "application/json"), ("content-encoding", "identity")];
    server.asked().await.reply(200, &headers, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
}

#[tokio::test]
async fn nobody_else_is_asked_instead() {
    let mut server = Server::start().await;
    let mut other = Server::start().await;
    let (remote, mut events) = connect(&server);
    let elsewhere = other.url.clone();
    let here = format!("http://{}/other", server.address);
    for (status, place) in [(307, &elsewhere), (308, &elsewhere), (301, &here), (302, &here), (303, &here)] {
        remote.send(ping(1)).await;
        server.asked().await.reply(status, &[("location", place)], "");
        let (_, why) = failed(&mut events).await;
        assert!(matches!(why, RemoteError::Redirect { status: told, .. } if told == status), "{why}");
        assert!(!why.to_string().contains(&other.address.to_string()), "{why}");
    }
    assert!(other.is_idle());
    nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn another_path_of_the_same_server_is_followed_a_few_times() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(ping(1)).await;
    server.asked().await.reply(307, &[("location", "/mcp/")], "");
    let again = server.asked().await;
    assert_eq!((again.path.as_str(), again.method.as_str()), ("/mcp/", "POST"));
    assert_eq!(again.body.as_bytes(), ping(1));
    assert_eq!(again.header("referer"), None);
    again.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
    remote.send(ping(2)).await;
    for _ in 0..4 {
        server.asked().await.reply(308, &[("location", "/round")], "");
    }
    assert!(matches!(failed(&mut events).await.1, RemoteError::Redirect { .. }));
}

#[tokio::test]
async fn a_message_that_wants_no_answer_and_is_refused_is_told() {
    let mut server = Server::start().await;
    let (remote, mut events) = connect(&server);
    remote.send(pong(1).into_bytes()).await;
    server.asked().await.reply(400, &[], "who asked?");
    let note = note(&mut events).await;
    assert!(note.contains("not taken") && note.contains("400 and says: who asked?"), "{note}");
}

#[tokio::test]
async fn a_server_that_is_not_there_knows_nothing_of_the_request() {
    let server = Server::start().await;
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut address = portcullis_remote::Address::new(&format!("http://{free}/?key=q-secret")).unwrap();
    address.limits = crate::address(&server).limits;
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Unreachable { .. }) && !why.may_have_acted(), "{why}");
    assert!(!format!("{why} {why:?}").contains("secret"), "{why:?}");
}
