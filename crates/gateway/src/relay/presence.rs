//! Whether the server is there. One that ended may be started again: it is greeted as the host greeted it, so that the
//! host need not know.

use std::sync::Arc;

use jiff::Timestamp;
use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::{Initialized, Method};
use portcullis_wire::rpc::{self, Id, Incoming, Message};

use super::held::{Held, WaitsFor};
use super::list::Listed;
use super::met::TURNED;
use super::{Act, Relay};

/// The server is not there.
const ABSENT: i64 = -32_603;
/// So many requests wait for a server to be back.
const MOST_WAITING: usize = 256;

/// Whether the server is there.
pub(super) enum Presence {
    /// It can be spoken to.
    Here,
    /// It has ended.
    Gone,
    /// It has ended, and is going to be started again.
    Awaited,
    /// It was started again and is being greeted, by this request.
    Greeted(Id),
}

/// How the host greeted the server. In the era without sessions it does not.
#[derive(Default)]
pub(super) struct Greeting {
    /// What the host said of itself.
    params: Option<Vec<u8>>,
    /// The revision that the server chose.
    version: Option<String>,
    /// Whether the host has said that it is done.
    is_done: bool,
}

impl Relay {
    /// The host greets the server.
    pub(super) fn keep_greeting(&mut self, params: Option<Node<'_>>) {
        let params = params.map(|params| params.raw().to_vec());
        self.greeting = Greeting { params, ..Greeting::default() };
    }

    /// The server answered the host's greeting.
    pub(super) fn keep_version(&mut self, result: Option<Node<'_>>) {
        let initialized = result.and_then(|result| Initialized::read(result).ok());
        self.greeting.version = initialized.map(|initialized| initialized.version.into_owned());
    }

    /// The host has told this.
    pub(super) fn keep_notification(&mut self, method: Method) {
        self.greeting.is_done |= method == Method::Initialized;
    }

    /// Whether the server cannot be spoken to now.
    pub(super) fn is_absent(&self) -> bool {
        self.has_turned() || !matches!(self.presence, Presence::Here)
    }

    /// Lets a request wait for a server that is not there, or answers that it is gone.
    pub(super) fn await_server(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let waiting = self.held.iter().filter(|held| held.waits_for == WaitsFor::Server).count();
        let why = match self.presence {
            _ if self.has_turned() => TURNED,
            Presence::Here | Presence::Awaited | Presence::Greeted(_) if waiting < MOST_WAITING => {
                self.held.push(Held::new(id, document, WaitsFor::Server, now));
                return;
            }
            Presence::Here | Presence::Awaited | Presence::Greeted(_) => {
                "the server is being started again, and too many requests wait for it; nothing was done"
            }
            Presence::Gone => "the server has ended; nothing was done",
        };
        let failure = rpc::failure(id, ABSENT, why, None);
        self.reply(id, failure, acts);
    }

    /// The server is back: what waited for it goes on.
    fn resolve_server(&mut self, now: Timestamp, acts: &mut Vec<Act>) {
        self.presence = Presence::Here;
        for held in self.take_held(WaitsFor::Server) {
            self.take_from_host(&held.document, now, acts);
        }
    }

    /// The server, which has ended, is going to be started again: requests wait for it.
    pub fn server_awaited(&mut self) {
        self.presence = Presence::Awaited;
    }

    /// Whether no request of the host is open.
    pub fn is_idle(&self) -> bool {
        self.in_flight.is_empty() && self.held.is_empty()
    }

    /// Whether the server ever answered anything, so that it is worth another start.
    pub fn was_useful(&self) -> bool {
        self.has_answered
    }

    /// The server was started again.
    pub fn server_restarted(&mut self, now: Timestamp) -> Vec<Act> {
        if self.has_turned() {
            return Vec::new();
        }
        // It may be another one by now: nothing that it listed counts any more.
        self.listed = Listed::Never;
        self.tools.clear();
        let Some(params) = self.greeting.params.clone().filter(|_| self.greeting.version.is_some()) else {
            let mut acts = Vec::new();
            self.resolve_server(now, &mut acts);
            return acts;
        };
        let id = self.own_id();
        let greeting = rpc::request(&id, "initialize", Some(&params));
        self.presence = Presence::Greeted(id);
        vec![Act::ToServer(greeting)]
    }

    /// Whether a response is to our own greeting.
    pub(super) fn is_own_greeting(&self, id: &Id) -> bool {
        matches!(&self.presence, Presence::Greeted(own) if own == id)
    }

    /// Our own greeting was answered.
    pub(super) fn take_own_greeting(
        &mut self,
        result: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let initialized = result.and_then(|result| Initialized::read(result).ok());
        let is_same =
            initialized.as_ref().is_some_and(|new| self.greeting.version.as_deref() == Some(&*new.version));
        if !is_same {
            // The host speaks as was agreed with the one before.
            acts.extend(self.server_ended(now));
            let text = "the server was started again, but does not speak as before, so it is not used";
            acts.push(Act::Note(text.to_owned()));
            return;
        }
        if self.greeting.is_done {
            acts.push(Act::ToServer(rpc::notification("notifications/initialized", None)));
        }
        let tools = initialized.and_then(|initialized| initialized.capabilities.get("tools"));
        let tells = tools.and_then(|tools| tools.get("listChanged")).and_then(Node::as_bool);
        if tells == Some(true) {
            acts.push(Act::ToHost(rpc::notification("notifications/tools/list_changed", None)));
        }
        self.resolve_server(now, acts);
    }
}

/// The id in the beginning of a message that cannot be read. It ends a call that waits and decides nothing else, so it
/// need not be certain.
pub(super) fn id_in(head: &[u8]) -> Option<Id> {
    let text = String::from_utf8_lossy(head);
    let before =
        ["\"result\"", "\"error\"", "\"params\""].iter().filter_map(|member| text.find(member)).min();
    // What a server prints between its messages may mention ids too.
    let is_answer = text.trim_start().starts_with('{') && text.contains("\"jsonrpc\"") && before.is_some();
    let text = text.get(..before.unwrap_or(text.len())).filter(|_| is_answer)?;
    let (_, after) = text.split_once("\"id\"")?;
    let after = after.trim_start().strip_prefix(':')?.trim_start();
    let end = match after.strip_prefix('"') {
        Some(string) => string.find('"')? + 2,
        None => after.find([',', '}', ' '])?,
    };
    let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":0}}", after.get(..end)?);
    let document = Document::parse(message.into_bytes(), &Default::default()).ok()?;
    match Message::read(&document) {
        Ok(Incoming::One(Message::Response { id, .. })) => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_stands_before_what_is_too_long() {
        let id = |text: &str| id_in(text.as_bytes()).map(|id| id.json().to_string());
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"result":{"text":"xxxx"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{ "id" : "a-b" ,"jsonrpc":"2.0", "result":{"#).as_deref(), Some("\"a-b\""));
        assert_eq!(id(r#"{"id":7,"level":"info"}"#), None);
        assert_eq!(id(r#"got {"jsonrpc":"2.0","id":7,"result":{}}"#), None);
        assert_eq!(id(r#"{"result":{"id":7},"id":8}"#), None);
        assert_eq!(id(r#"{"id":"#), None);
        assert_eq!(id(r#"{"id":{"a":1},"result"#), None);
        assert_eq!(id("\u{fffd}"), None);
    }
}
