//! The door that the browser comes back to: an address of this machine that answers until one answer fits.

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use portcullis_oauth::{Answer, AnswerError, Attempt, Redirect};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// The longest request that is read; codes may be long.
const LONGEST: usize = 16 << 10;
/// How long a browser may take to say what it wants. Some connect before they know.
const TIME: Duration = Duration::from_secs(30);
/// How long a person may take.
const PATIENCE: Duration = Duration::from_secs(600);
/// The pause after nobody could be let in, as where there are too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Why nobody came back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DoorError {
    #[error("the browser did not come back in {} minutes", PATIENCE.as_secs() / 60)]
    Slow,
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

/// An address of this machine that is listened on.
pub(crate) struct Door {
    listener: TcpListener,
    redirect: Redirect,
}

impl Door {
    /// Opens the door at a port, or at any that is free.
    pub(crate) async fn open(port: Option<u16>) -> io::Result<Door> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).await?;
        let port = listener.local_addr()?.port();
        Ok(Door { listener, redirect: Redirect { port } })
    }

    /// Its address.
    pub(crate) fn redirect(&self) -> Redirect {
        self.redirect
    }

    /// Waits for the answer to an attempt. Others are passed over.
    pub(crate) async fn answer(self, attempt: &Attempt) -> Result<Answer, DoorError> {
        timeout(PATIENCE, self.first_that_fits(attempt)).await.unwrap_or(Err(DoorError::Slow))
    }

    async fn first_that_fits(self, attempt: &Attempt) -> Result<Answer, DoorError> {
        let (sender, mut knocks) = mpsc::channel(8);
        let (listener, redirect) = (self.listener, self.redirect);
        let guard = tokio::spawn(async move {
            loop {
                // One who is gone before being let in is no reason to let in nobody else.
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(PAUSE).await;
                    continue;
                };
                let sender = sender.clone();
                tokio::spawn(async move {
                    if let Ok(Some(knock)) = timeout(TIME, read(stream, redirect)).await {
                        // Who waited may have what was waited for.
                        let _ = sender.send(knock).await;
                    }
                });
            }
        });
        let found = loop {
            let Some((stream, query)) = knocks.recv().await else { break Err(DoorError::Slow) };
            let answer = attempt.answer(&query);
            match answer {
                // Anybody can knock, and as often as they like; only the issuer knows the state.
                Err(AnswerError::State) => {
                    say(stream, "400 Bad Request", "This is no answer to a question of Portcullis.").await;
                }
                Err(error) => {
                    say(stream, "400 Bad Request", "This did not work. The terminal says why.").await;
                    break Err(error.into());
                }
                Ok(answer) => {
                    say(stream, "200 OK", "Portcullis has the answer. Go back to the terminal.").await;
                    break Ok(answer);
                }
            }
        };
        guard.abort();
        found
    }
}

/// Reads a request; what is none of ours is answered here.
async fn read(mut stream: TcpStream, redirect: Redirect) -> Option<(TcpStream, String)> {
    let mut head = Vec::new();
    let mut piece = [0; 2048];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut piece).await.ok()?;
        if count == 0 || head.len() + count > LONGEST {
            return None;
        }
        head.extend_from_slice(piece.get(..count)?);
    }
    match query(&head, redirect) {
        Some(query) => Some((stream, query)),
        None => {
            say(stream, "404 Not Found", "There is nothing here.").await;
            None
        }
    }
}

/// The query of a request to the address of answers.
fn query(head: &[u8], redirect: Redirect) -> Option<String> {
    let line = head.split(|byte| *byte == b'\r').next()?;
    let line = str::from_utf8(line).ok()?;
    let mut words = line.split(' ');
    let (Some("GET"), Some(target)) = (words.next(), words.next()) else { return None };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    (path == redirect.path()).then(|| query.to_owned())
}

async fn say(mut stream: TcpStream, status: &str, words: &str) {
    let page = format!("<!doctype html><meta charset=utf-8><title>Portcullis</title><p>{words}</p>\n");
    let response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Referrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    // A browser that is gone needs no page.
    let _ = timeout(TIME, async {
        stream.write_all(response.as_bytes()).await?;
        stream.shutdown().await
    })
    .await;
}

#[cfg(test)]
mod tests {
    use portcullis_oauth::{Asked, Authority, Chance, Client, Issuer, Near, Protected, Scopes, ServerUrl};

    use super::*;

    fn attempt(redirect: Redirect) -> Attempt {
        let issuer = Issuer::read("https://auth.example", Near::Elsewhere).unwrap();
        let text = r#"{"issuer":"https://auth.example","authorization_endpoint":"https://auth.example/a",
            "token_endpoint":"https://auth.example/t","code_challenge_methods_supported":["S256"]}"#;
        let authority = Authority::read(text.as_bytes(), &issuer).unwrap();
        let server = ServerUrl::read("https://mcp.example/mcp").unwrap();
        let text =
            r#"{"resource":"https://mcp.example/mcp","authorization_servers":["https://auth.example"]}"#;
        let protected = Protected::read(text.as_bytes(), &server, server.url()).unwrap();
        let client = Client::registered(b"{\"client_id\":\"c\"}", redirect).unwrap();
        let asked = Asked { client, scopes: Scopes::default(), redirect };
        Attempt::new(&authority, &protected, asked, &Chance { state: [0; 32], verifier: [1; 32] })
    }

    async fn knock(redirect: Redirect, query: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, redirect.port)).await.unwrap();
        let request = format!("GET {}?{query} HTTP/1.1\r\n\r\n", redirect.path());
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).await.unwrap();
        page.lines().next().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn who_does_not_know_the_state_does_not_close_the_door() {
        let door = Door::open(None).await.unwrap();
        let redirect = door.redirect();
        let attempt = attempt(redirect);
        let state = "A".repeat(43);
        let knocks = async {
            // As many as somebody else's page likes.
            for number in 0..100 {
                let query =
                    ["state=x&state=y", "error=no&state=x", "code=c", "state=x&iss=a&iss=b"][number % 4];
                assert_eq!(knock(redirect, query).await, "HTTP/1.1 400 Bad Request", "{number}");
            }
            knock(redirect, &format!("code=c&state={state}")).await
        };
        let (answer, page) = tokio::join!(door.answer(&attempt), knocks);
        assert!(answer.is_ok(), "{answer:?}");
        assert_eq!(page, "HTTP/1.1 200 OK");
    }

    #[test]
    fn only_the_address_of_answers_is_read() {
        let cases = [
            ("GET /callback?code=a&state=b HTTP/1.1\r\nHost: x\r\n\r\n", Some("code=a&state=b")),
            ("GET /callback HTTP/1.1\r\n\r\n", Some("")),
            ("GET /favicon.ico HTTP/1.1\r\n\r\n", None),
            ("POST /callback?code=a HTTP/1.1\r\n\r\n", None),
            ("GET /callback/../x?code=a HTTP/1.1\r\n\r\n", None),
            ("\r\n\r\n", None),
        ];
        for (head, expected) in cases {
            let found = query(head.as_bytes(), Redirect { port: 1 });
            assert_eq!(found.as_deref(), expected, "{head}");
        }
    }
}
