//! Asks a server for its tools: starts it, greets it, reads all pages, and lets it go. Both eras of the protocol are spoken.

use std::io::Write;
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portcullis_gateway::child::{Force, Launch, LaunchError, Running, Streams, end_group, read_all};
use portcullis_lattice::words::shown;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::{Document, JsonError, Limits, quote};
use portcullis_wire::mcp::{Revision, ShapeError, key, list_tools};
use portcullis_wire::rpc::{self, Id, Incoming, Message, code};

/// So many pages of a list are asked for.
const MOST_PAGES: usize = 1000;
/// So much of what a server complains is shown at once.
const LONGEST_COMPLAINT: usize = 8 << 10;

/// A definition as it was listed: its name and its bytes.
pub(crate) type Served = (String, Vec<u8>);

/// Why a server did not list its tools.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListerError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error("the server did not list its tools within {0} seconds; --timeout gives it longer")]
    Late(u64),
    #[error("the server ended before it listed its tools")]
    Ended,
    #[error("the server cannot be written to: {0}")]
    Write(std::io::Error),
    #[error("the server does not list its tools: {message} ({code})")]
    Refused { code: i64, message: String },
    #[error("the server said something that is no message: {0}")]
    NotJson(#[from] JsonError),
    #[error("the server's list cannot be read: {0}")]
    Shape(#[from] ShapeError),
    #[error("the server said something that is too long")]
    TooLong,
    #[error("the server's list has more than {MOST_PAGES} pages")]
    Endless,
}

/// The tools that a server lists.
pub(crate) fn tools_of(launch: &Launch, patience: Duration) -> Result<Vec<Served>, ListerError> {
    let (mut running, Streams { input, output, errors }) = launch.start()?;
    let (sender, lines) = channel();
    // The threads end with the streams, which end with the server.
    std::thread::spawn(move || {
        let mut parts = Lines::new(Limits::default().bytes);
        let _ = read_all(output, &mut |bytes| {
            parts.push(bytes);
            while let Some(line) = parts.next_line() {
                if sender.send(line).is_err() {
                    return false;
                }
            }
            true
        });
    });
    std::thread::spawn(move || {
        let mut parts = Lines::new(LONGEST_COMPLAINT);
        let _ = read_all(errors, &mut |bytes| {
            parts.push(bytes);
            while let Some(line) = parts.next_line() {
                if let Line::Text(text) = line {
                    let _ = writeln!(std::io::stderr(), "{}", shown(&String::from_utf8_lossy(&text)));
                }
            }
            true
        });
    });
    let mut talk = Talk { input, lines, end: Instant::now() + patience, patience, number: 0 };
    let listed = talk.list();
    drop(talk);
    finish(&mut running, listed.is_ok());
    listed
}

/// Lets a server go. One that did not answer need not be waited for.
fn finish(running: &mut Running, was_useful: bool) {
    if !was_useful {
        end_group(running.id(), Force::Kill);
    }
    // What it ended with does not matter to its list.
    let _ = running.finish();
}

/// A talk with a server.
struct Talk {
    input: ChildStdin,
    lines: Receiver<Line>,
    end: Instant,
    patience: Duration,
    number: i64,
}

/// What a server answered.
enum Answer {
    Result(Document),
    Failure { code: i64, message: String },
}

impl Talk {
    fn list(&mut self) -> Result<Vec<Served>, ListerError> {
        let meta = self.greet()?;
        let mut served = Vec::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MOST_PAGES {
            let mut members: Vec<String> = Vec::new();
            members.extend(cursor.as_ref().map(|cursor| format!("\"cursor\":{}", quote(cursor))));
            members.extend(meta.as_ref().map(|meta| format!("\"_meta\":{meta}")));
            let answer = self.ask("tools/list", &format!("{{{}}}", members.join(",")))?;
            let document = match answer {
                Answer::Result(document) => document,
                Answer::Failure { code, message } => return Err(ListerError::Refused { code, message }),
            };
            let Some(result) = document.root().get("result") else { return Err(ListerError::Ended) };
            let page = list_tools(result)?;
            served.extend(
                page.items.iter().map(|tool| (tool.name.clone().into_owned(), tool.node.raw().to_vec())),
            );
            // What has no name of its own cannot be called; it is still told, so that nothing is signed by half.
            if let Some((_, error)) = page.broken.into_iter().next() {
                return Err(error.into());
            }
            cursor = page.next.map(std::borrow::Cow::into_owned);
            if cursor.is_none() {
                return Ok(served);
            }
        }
        Err(ListerError::Endless)
    }

    /// Greets the server, and says what each request has to carry, if it speaks a revision without sessions.
    fn greet(&mut self) -> Result<Option<String>, ListerError> {
        let client = format!("{{\"name\":\"portcullis\",\"version\":{}}}", quote(env!("CARGO_PKG_VERSION")));
        let version = quote(Revision::LATEST_WITH_SESSIONS.name());
        let params =
            format!("{{\"protocolVersion\":{version},\"capabilities\":{{}},\"clientInfo\":{client}}}");
        match self.ask("initialize", &params)? {
            Answer::Result(_) => {
                self.write(&rpc::notification("notifications/initialized", None))?;
                Ok(None)
            }
            // One that knows no greeting speaks without sessions.
            Answer::Failure { .. } => {
                let version = quote(Revision::LATEST.name());
                Ok(Some(format!(
                    "{{\"{}\":{version},\"{}\":{{}},\"{}\":{client}}}",
                    key::PROTOCOL_VERSION,
                    key::CLIENT_CAPABILITIES,
                    key::CLIENT_INFO
                )))
            }
        }
    }

    /// Asks, and waits for the answer. What the server asks meanwhile is answered as by somebody who can do nothing.
    fn ask(&mut self, method: &str, params: &str) -> Result<Answer, ListerError> {
        self.number += 1;
        let own = Id::integer(self.number);
        self.write(&rpc::request(&own, method, Some(params.as_bytes())))?;
        loop {
            let document = self.next()?;
            let reply = match Message::read(&document) {
                Ok(Incoming::One(Message::Response { id, .. })) if id == own => {
                    return Ok(Answer::Result(document));
                }
                Ok(Incoming::One(Message::Failure { id, error })) if id == own => {
                    return Ok(Answer::Failure { code: error.code, message: shown(&error.message) });
                }
                Ok(Incoming::One(Message::Request { id, method, .. })) => match &*method {
                    "ping" => rpc::response(&id, b"{}"),
                    _ => rpc::failure(&id, code::METHOD_NOT_FOUND, "only tools are listed here", None),
                },
                _ => continue,
            };
            self.write(&reply)?;
        }
    }

    fn next(&mut self) -> Result<Document, ListerError> {
        let left = self.end.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Line::Text(bytes)) => Ok(Document::parse(bytes, &Limits::default())?),
            Ok(Line::TooLong { .. }) => Err(ListerError::TooLong),
            Err(RecvTimeoutError::Timeout) => Err(ListerError::Late(self.patience.as_secs())),
            Err(RecvTimeoutError::Disconnected) => Err(ListerError::Ended),
        }
    }

    fn write(&mut self, message: &[u8]) -> Result<(), ListerError> {
        let line = [message, b"\n"].concat();
        self.input.write_all(&line).and_then(|()| self.input.flush()).map_err(ListerError::Write)
    }
}
