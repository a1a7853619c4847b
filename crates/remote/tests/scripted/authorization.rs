//! Tokens that change: who keeps them is asked before each request, and once more where one is refused.

use std::sync::{Arc, Mutex};

use portcullis_remote::{Authorization, Challenge, NoToken, Remote, RemoteError, Token, Waiting};
use url::Url;

use crate::server::Server;
use crate::{address, failed, ping, pong, said};

/// Who keeps the tokens `t-secret-1`, `t-secret-2` …, up to a number.
struct Keeper {
    last: usize,
    current: Mutex<usize>,
    /// For which place what was asked.
    asked: Mutex<Vec<(String, &'static str)>>,
}

impl Keeper {
    fn new(first: usize, last: usize) -> Arc<Keeper> {
        Arc::new(Keeper { last, current: Mutex::new(first), asked: Mutex::default() })
    }

    fn token(number: usize) -> Token {
        Token::new(&format!("t-secret-{number}"))
    }

    fn asked(&self) -> Vec<&'static str> {
        self.asked.lock().unwrap().iter().map(|(_, what)| *what).collect()
    }
}

impl Authorization for Keeper {
    fn token<'w>(&'w self, place: &'w Url) -> Waiting<'w, Result<Option<Token>, NoToken>> {
        self.asked.lock().unwrap().push((place.to_string(), "token"));
        let number = *self.current.lock().unwrap();
        Box::pin(async move {
            match number {
                0 => Ok(None),
                usize::MAX => Err(NoToken("say `portcullis login x`".to_owned())),
                number => Ok(Some(Keeper::token(number))),
            }
        })
    }

    fn another<'w>(
        &'w self,
        place: &'w Url,
        refused: &'w Token,
    ) -> Waiting<'w, Result<Option<Token>, NoToken>> {
        self.asked.lock().unwrap().push((place.to_string(), "another"));
        let mut current = self.current.lock().unwrap();
        assert_eq!(*refused, Keeper::token(*current));
        let number = *current + 1;
        if number <= self.last {
            *current = number;
        }
        let last = self.last;
        Box::pin(async move { Ok((number <= last).then(|| Keeper::token(number))) })
    }

    fn advice(&self, status: u16, challenge: &Challenge) -> String {
        format!("advice for {status} {}", challenge.error.as_deref().unwrap_or("-"))
    }
}

fn connect(
    server: &Server,
    keeper: &Arc<Keeper>,
) -> (Remote, tokio::sync::mpsc::Receiver<portcullis_remote::Event>) {
    let mut address = address(server);
    let keeper: Arc<dyn Authorization> = Arc::<Keeper>::clone(keeper);
    address.authorization = Some(keeper);
    Remote::connect(&address).unwrap()
}

fn shown(asked: &crate::server::Asked) -> Option<String> {
    asked.headers.get("authorization").map(|value| value.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn each_request_shows_the_token_of_its_time() {
    let mut server = Server::start().await;
    let keeper = Keeper::new(1, 9);
    let (remote, mut events) = connect(&server, &keeper);
    for number in 1..=2 {
        *keeper.current.lock().unwrap() = number;
        remote.send(ping(1)).await;
        let asked = server.asked().await;
        assert_eq!(shown(&asked), Some(format!("Bearer t-secret-{number}")));
        asked.json(200, &pong(1));
        assert_eq!(said(&mut events).await.0, pong(1));
    }
    assert_eq!(keeper.asked.lock().unwrap()[0].0, server.url);
}

#[tokio::test]
async fn what_was_not_let_in_is_sent_once_more_with_another_token() {
    let mut server = Server::start().await;
    let keeper = Keeper::new(1, 2);
    let (remote, mut events) = connect(&server, &keeper);
    remote.send(ping(1)).await;
    let first = server.asked().await;
    let body = first.body.clone();
    first.reply(401, &[], "no");
    let second = server.asked().await;
    assert_eq!((shown(&second), &second.body), (Some("Bearer t-secret-2".to_owned()), &body));
    second.json(200, &pong(1));
    assert_eq!(said(&mut events).await.0, pong(1));
    assert_eq!(keeper.asked(), ["token", "another"]);
}

#[tokio::test]
async fn what_is_refused_twice_is_told_and_not_tried_again() {
    let mut server = Server::start().await;
    let keeper = Keeper::new(1, 9);
    let (remote, mut events) = connect(&server, &keeper);
    remote.send(ping(1)).await;
    for _ in 0..2 {
        let challenge = [("www-authenticate", "Bearer error=\"invalid_token\"")];
        server.asked().await.reply(401, &challenge, "t-secret-1 and t-secret-2 are bad");
    }
    let (_, why) = failed(&mut events).await;
    assert!(why.to_string().ends_with("advice for 401 invalid_token"), "{why}");
    assert!(!why.may_have_acted() && !format!("{why:?}").contains("t-secret"), "{why:?}");
    assert_eq!(keeper.asked(), ["token", "another"]);
    crate::nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn only_a_token_that_was_refused_is_renewed() {
    let mut server = Server::start().await;
    let keeper = Keeper::new(1, 9);
    let (remote, mut events) = connect(&server, &keeper);
    // A server that fails may have acted, and one that forbids something knows who asks.
    for status in [400, 403, 500] {
        remote.send(ping(1)).await;
        server.asked().await.reply(status, &[], "t-secret-1");
        let (_, why) = failed(&mut events).await;
        assert!(!format!("{why} {why:?}").contains("t-secret"), "{why:?}");
    }
    assert_eq!(keeper.asked(), ["token", "token", "token"]);
    // Who has none is asked for one.
    *keeper.current.lock().unwrap() = 0;
    remote.send(ping(1)).await;
    let asked = server.asked().await;
    assert_eq!(shown(&asked), None);
    asked.reply(401, &[], "");
    let (_, why) = failed(&mut events).await;
    assert!(why.to_string().ends_with("advice for 401 -"), "{why}");
    assert_eq!(keeper.asked().last(), Some(&"token"));
}

#[tokio::test]
async fn who_has_no_token_to_give_keeps_the_request_here() {
    let mut server = Server::start().await;
    let keeper = Keeper::new(usize::MAX, 0);
    let (remote, mut events) = connect(&server, &keeper);
    remote.send(ping(1)).await;
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::NoToken { .. }) && !why.may_have_acted(), "{why}");
    assert!(why.to_string().ends_with("was not asked: say `portcullis login x`"), "{why}");
    *keeper.current.lock().unwrap() = 1;
    crate::nothing_else(&remote, &mut server, &mut events).await;
}

#[tokio::test]
async fn a_token_is_not_taken_elsewhere() {
    let mut server = Server::start().await;
    let mut other = Server::start().await;
    let keeper = Keeper::new(1, 9);
    let (remote, mut events) = connect(&server, &keeper);
    remote.send(ping(1)).await;
    server.asked().await.reply(307, &[("location", &other.url)], "");
    let (_, why) = failed(&mut events).await;
    assert!(matches!(why, RemoteError::Redirect { .. }), "{why}");
    // Nor to another path of the same server, which may be somebody else's.
    for status in [307, 308] {
        remote.send(ping(1)).await;
        server.asked().await.reply(status, &[("location", "/other")], "");
        let (_, why) = failed(&mut events).await;
        assert!(matches!(why, RemoteError::Redirect { status: told, .. } if told == status), "{why}");
    }
    crate::nothing_else(&remote, &mut server, &mut events).await;
    // The first that the other hears is from somebody else.
    let (stranger, mut heard) = crate::connect(&other);
    crate::nothing_else(&stranger, &mut other, &mut heard).await;
}
