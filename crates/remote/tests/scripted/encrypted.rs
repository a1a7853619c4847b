//! Servers whose certificate is checked.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;

use portcullis_remote::{Address, AddressError, Event, Peer, Remote, RemoteError};
use portcullis_wire::rpc::Id;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::NamedTempFile;
use tokio::sync::mpsc::Receiver;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::server::Server;
use crate::{failed, ping, pong, progress, said, soon};

type Authority = CertifiedIssuer<'static, KeyPair>;

/// A server with a certificate for a name, and the certificate of who vouches for it.
async fn encrypted(name: &str) -> (Server, NamedTempFile) {
    let authority = authority();
    let mut roots = NamedTempFile::new().unwrap();
    roots.write_all(authority.pem().as_bytes()).unwrap();
    let acceptor = acceptor(name, &authority, &[b"h2", b"http/1.1"]);
    (Server::start_encrypted(move || acceptor.clone()).await, roots)
}

/// A server that shows a new certificate on every connection.
async fn changing() -> (Server, NamedTempFile) {
    let authority = authority();
    let mut roots = NamedTempFile::new().unwrap();
    roots.write_all(authority.pem().as_bytes()).unwrap();
    (Server::start_encrypted(move || acceptor("127.0.0.1", &authority, &[b"http/1.1"])).await, roots)
}

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// What turns a connection into an encrypted one, with a new key.
fn acceptor(name: &str, authority: &Authority, protocols: &[&[u8]]) -> TlsAcceptor {
    let key = KeyPair::generate().unwrap();
    let certificate =
        CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, authority).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

/// Who the server is, told next.
async fn met(events: &mut Receiver<Event>) -> Peer {
    let event = soon(events.recv()).await.unwrap();
    let Event::Met(peer) = event else { panic!("{event:?}") };
    peer
}

fn connect(server: &Server, roots: &NamedTempFile) -> (Remote, Receiver<Event>) {
    let mut address = Address::new(&server.url).unwrap();
    address.extra_roots = Some(roots.path().to_owned());
    Remote::connect(&address).unwrap()
}

#[tokio::test]
async fn who_answers_is_told_whatever_the_answer_is() {
    let (mut server, roots) = changing().await;
    let (remote, mut events) = connect(&server, &roots);
    let close = ("connection", "close");
    let mut peers: Vec<Peer> = Vec::new();
    // Refused, not let in, sent elsewhere, in a form that is none, and without an answer.
    let statuses: [(u16, &[(&str, &str)]); 5] = [
        (500, &[close]),
        (401, &[close]),
        (302, &[close, ("location", "https://127.0.0.1:1/")]),
        (200, &[close, ("content-type", "text/html")]),
        (200, &[close, ("content-type", "text/event-stream")]),
    ];
    for (id, (status, headers)) in (1..).zip(statuses) {
        remote.send(ping(id)).await;
        server.asked().await.reply(status, headers, "no");
        peers.push(met(&mut events).await);
        assert_eq!(failed(&mut events).await.0, Id::integer(id.into()), "{status}");
    }
    // What wants no answer tells who took it all the same.
    remote.send(br#"{"jsonrpc":"2.0","method":"notifications/progress"}"#.to_vec()).await;
    server.asked().await.reply(202, &[close], "");
    peers.push(met(&mut events).await);
    // Whoever sends it on to another path of its own has had it too.
    remote.send(ping(9)).await;
    server.asked().await.reply(307, &[close, ("location", "/elsewhere")], "");
    let asked = server.asked().await;
    assert_eq!(asked.path, "/elsewhere");
    asked.reply(500, &[close], "");
    peers.push(met(&mut events).await);
    peers.push(met(&mut events).await);
    assert_eq!(failed(&mut events).await.0, Id::integer(9));
    let keys: BTreeSet<[u8; 32]> = peers.iter().map(|peer| peer.key).collect();
    assert_eq!(keys.len(), 8);
}

#[tokio::test]
async fn what_is_said_comes_behind_who_says_it() {
    let (mut server, roots) = changing().await;
    let (remote, mut events) = connect(&server, &roots);
    let mut streams = Vec::new();
    for id in [1, 2] {
        remote.send(ping(id)).await;
        let stream = server.asked().await.stream(&[]);
        streams.push((met(&mut events).await, id, stream));
    }
    assert_ne!(streams[0].0, streams[1].0);
    // Both speak at once, and whoever listens is slow: messages of one are never told as those of the other.
    for round in 0..20 {
        for (_, id, stream) in &mut streams {
            assert!(stream.event(&progress(*id * 1000 + round)).await);
        }
    }
    let (mut last, mut heard) = (streams[1].0.clone(), 0);
    while heard < 40 {
        match soon(events.recv()).await.unwrap() {
            Event::Met(peer) => last = peer,
            Event::Said(said) => {
                heard += 1;
                let (peer, id, _) = streams.iter().find(|(peer, ..)| *peer == last).unwrap();
                assert_eq!(said.about, Some(Id::integer((*id).into())), "{peer:?}");
            }
            other @ (Event::Failed { .. } | Event::Note(_) | Event::Ended(_)) => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_server_that_somebody_trusted_vouches_for_is_spoken_to() {
    let (mut server, roots) = encrypted("127.0.0.1").await;
    let mut address = Address::new(&server.url).unwrap();
    address.extra_roots = Some(roots.path().to_owned());
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let asked = server.asked().await;
    assert_eq!(asked.version, hyper::Version::HTTP_2);
    asked.json(200, &pong(1));
    // Who it is comes first, and once.
    let event = soon(events.recv()).await.unwrap();
    let Event::Met(peer) = event else { panic!("{event:?}") };
    assert_eq!(peer.issuer, "rcgen self signed cert");
    assert_eq!(said(&mut events).await.0, pong(1));
    // One connection carries many streams, and the end of one is not that of another.
    remote.send(ping(2)).await;
    let mut cancelled = server.asked().await.stream(&[]);
    remote.send(ping(3)).await;
    let mut stream = server.asked().await.stream(&[]);
    remote.cancel(&Id::integer(2));
    cancelled.left().await;
    stream.event(&pong(3)).await;
    assert_eq!(said(&mut events).await.0, pong(3));
    remote.send(ping(4)).await;
    server.asked().await.stream(&[]).cut();
    assert!(matches!(failed(&mut events).await.1, RemoteError::Broken { .. }));
}

#[tokio::test]
async fn a_server_that_nobody_trusted_vouches_for_hears_nothing() {
    let (mut server, _) = encrypted("127.0.0.1").await;
    let (_, others) = encrypted("127.0.0.1").await;
    let mut address = Address::new(&server.url).unwrap();
    address.extra_roots = Some(others.path().to_owned());
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let (_, why) = failed(&mut events).await;
    assert!(
        matches!(why, RemoteError::Unreachable { .. }) && why.to_string().contains("certificate"),
        "{why}"
    );
    assert!(server.is_idle());
    // With those of the system alone, if there are any.
    address.extra_roots = None;
    match Remote::connect(&address) {
        Err(error) => assert!(matches!(error, AddressError::Tls { .. }), "{error}"),
        Ok((remote, mut events)) => {
            remote.send(ping(1)).await;
            assert!(matches!(failed(&mut events).await.1, RemoteError::Unreachable { .. }));
        }
    }
    assert!(server.is_idle());
}

#[tokio::test]
async fn a_certificate_for_another_name_does_not_count() {
    let (mut server, roots) = encrypted("mcp.example").await;
    let mut address = Address::new(&server.url).unwrap();
    address.extra_roots = Some(roots.path().to_owned());
    let (remote, mut events) = Remote::connect(&address).unwrap();
    remote.send(ping(1)).await;
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Unreachable { .. }), "{why}");
    assert!(server.is_idle());
}

#[tokio::test]
async fn a_file_without_certificates_is_an_error() {
    let mut address = Address::new("https://127.0.0.1:1/").unwrap();
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(b"nothing").unwrap();
    address.extra_roots = Some(file.path().to_owned());
    assert!(matches!(Remote::connect(&address).map(|_| ()), Err(AddressError::NoRoots { .. })));
    address.extra_roots = Some(file.path().join("absent"));
    assert!(matches!(Remote::connect(&address).map(|_| ()), Err(AddressError::RootsUnread { .. })));
}
