//! The session of the server, in the era that has them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_wire::json::Document;
use portcullis_wire::mcp::{Header, Initialized};
use portcullis_wire::rpc::Message;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::task::AbortHandle;

/// The header of the session.
const SESSION_ID: &str = "Mcp-Session-Id";
/// The longest revision and session id that are sent back.
const LONGEST: usize = 1024;

/// The session, as everybody sees it.
#[derive(Default)]
pub(crate) struct Session {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Which session it is; each `initialize` begins another.
    number: u64,
    stage: Stage,
    /// Reads what the server says of its own accord.
    listener: Option<AbortHandle>,
}

#[derive(Default)]
enum Stage {
    /// There is none, or `initialize` is not answered yet.
    #[default]
    None,
    Open {
        id: Option<HeaderValue>,
        version: Option<HeaderValue>,
    },
    /// The server has forgotten it.
    Gone,
}

/// A session as a request sees it that is sent in it.
#[derive(Clone, Default)]
pub(crate) struct Ticket {
    /// Which session it is.
    pub(crate) number: u64,
    /// What says so to the server.
    pub(crate) headers: HeaderMap,
    /// Whether the server gave it an id, so that it can forget it.
    pub(crate) has_id: bool,
    /// Whether the server has forgotten it.
    pub(crate) is_gone: bool,
    /// Whether `initialize` was answered.
    pub(crate) is_open: bool,
}

impl Session {
    /// A new session begins; the one before is nobody's any more.
    pub(crate) fn begin(&self) {
        let mut state = self.state();
        state.number += 1;
        state.stage = Stage::None;
        if let Some(listener) = state.listener.take() {
            listener.abort();
        }
    }

    /// What a request of the session is sent with.
    pub(crate) fn ticket(&self) -> Ticket {
        let state = self.state();
        let mut ticket = Ticket { number: state.number, ..Ticket::default() };
        match &state.stage {
            Stage::None => {}
            Stage::Gone => ticket.is_gone = true,
            Stage::Open { id, version } => {
                ticket.is_open = true;
                ticket.has_id = id.is_some();
                for (name, value) in [(SESSION_ID, id), (Header::PROTOCOL_VERSION, version)] {
                    if let (Ok(name), Some(value)) = (HeaderName::from_bytes(name.as_bytes()), value) {
                        ticket.headers.insert(name, value.clone());
                    }
                }
            }
        }
        ticket
    }

    /// `initialize` was answered. The session is open if it worked.
    pub(crate) fn opened(&self, number: u64, id: Option<HeaderValue>, answer: &Document) {
        let Ok(Message::Response { result, .. }) = Message::read_one(answer.root()) else { return };
        let version = Initialized::read(result).ok().and_then(|initialized| {
            let version = Some(&*initialized.version).filter(|version| version.len() <= LONGEST)?;
            HeaderValue::from_str(version).ok()
        });
        let mut state = self.state();
        if state.number == number {
            state.stage = Stage::Open { id, version };
        }
    }

    /// Somebody reads what the server says of its own accord. Whoever did so before need not any more.
    pub(crate) fn listens(&self, number: u64, listener: AbortHandle) {
        let mut state = self.state();
        let before = match state.number == number && !matches!(state.stage, Stage::Gone) {
            true => state.listener.replace(listener),
            false => Some(listener),
        };
        if let Some(before) = before {
            before.abort();
        }
    }

    /// The server has forgotten the session. Says whether that is news.
    pub(crate) fn lose(&self, number: u64) -> bool {
        let mut state = self.state();
        let is_news = state.number == number && matches!(state.stage, Stage::Open { .. });
        if is_news {
            state.stage = Stage::Gone;
            if let Some(listener) = state.listener.take() {
                listener.abort();
            }
        }
        is_news
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id that a server gives to a session, as it is sent back.
pub(crate) fn session_id(headers: &HeaderMap) -> Option<HeaderValue> {
    let mut id = headers.get(SESSION_ID).filter(|id| !id.is_empty() && id.len() <= LONGEST)?.clone();
    // Whoever has it can speak for us.
    id.set_sensitive(true);
    Some(id)
}
