//! What the host says.

use std::sync::Arc;

use jiff::Timestamp;
use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::{Direction, Form, Initialize, Method, RequestMeta, Treatment};
use portcullis_wire::rpc::{self, Id, Incoming, Message};

use super::met::STRANGE;
use super::{Act, Relay, What};

/// What only the era with sessions has.
const OF_SESSIONS: [Method; 3] = [Method::Initialize, Method::Subscribe, Method::Unsubscribe];
const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;
const NOT_SENT: i64 = -32_603;

impl Relay {
    /// The host sent this.
    pub fn from_host(&mut self, bytes: Vec<u8>, now: Timestamp) -> Vec<Act> {
        let mut acts = Vec::new();
        match self.parse(bytes) {
            Ok(document) => self.take_from_host(&document, now, &mut acts),
            Err(error) => {
                acts.push(Act::ToHost(rpc::failure(&Id::NULL, PARSE_ERROR, &error.to_string(), None)))
            }
        }
        acts
    }

    pub(super) fn take_from_host(&mut self, document: &Arc<Document>, now: Timestamp, acts: &mut Vec<Act>) {
        match Message::read(document) {
            Ok(Incoming::One(message)) => self.host_message(document, &message, now, acts),
            Ok(Incoming::Batch(messages)) => {
                let request = |message: &Message<'_>| match message {
                    Message::Request { id, .. } => Some(id.clone()),
                    Message::Notification { .. } | Message::Response { .. } | Message::Failure { .. } => None,
                };
                self.batches.begin(messages.iter().filter_map(request).collect());
                for item in document.root().items() {
                    // Each message is judged and passed on by itself.
                    if let Ok(alone) = self.parse(item.raw().to_vec()) {
                        self.take_from_host(&alone, now, acts);
                    }
                }
            }
            Err(error) => {
                let id = error.id.clone().unwrap_or(Id::NULL);
                acts.push(Act::ToHost(rpc::failure(&id, INVALID_REQUEST, &error.to_string(), None)));
            }
        }
    }

    fn host_message(
        &mut self,
        document: &Arc<Document>,
        message: &Message<'_>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        match message {
            Message::Request { id, method, params } => {
                self.host_request(document, id, method, *params, now, acts)
            }
            Message::Notification { method, params } => {
                self.host_notification(document, method, *params, now, acts)
            }
            Message::Response { id, .. } | Message::Failure { id, .. } => {
                if let Some(question) = self.own_questions.remove(id) {
                    let meant = self.take_answer(question, message, now);
                    self.resolve(question, &meant, now, acts);
                } else if self.from_server.remove(id).is_some() {
                    acts.push(Act::ToServer(document.line().into_owned()));
                } else {
                    acts.push(Act::Note("the host answered something that nobody asked".to_owned()));
                }
            }
        }
    }

    fn host_request(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: &str,
        params: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        if self.in_flight.contains_key(id) || self.held.iter().any(|held| held.id == *id) {
            let text = "a request with this id is still open; answers could not be told apart";
            acts.push(Act::ToHost(rpc::failure(id, INVALID_REQUEST, text, None)));
            return;
        }
        if self.is_absent() {
            return self.await_server(document, id, now, acts);
        }
        let known = Method::of(method);
        if self.is_too_early(known) {
            let failure = rpc::failure(id, NOT_SENT, STRANGE, None);
            return self.reply(id, failure, acts);
        }
        if OF_SESSIONS.contains(&known) && is_stateless(params) {
            // A server that hears it could take it for the beginning of a session.
            let text = "there is no such method in the revision of this request";
            let failure = rpc::failure(id, METHOD_NOT_FOUND, text, None);
            return self.reply(id, failure, acts);
        }
        if [Method::GetTask, Method::TaskResult].contains(&known) && !self.is_task(params) {
            // Nobody knows what was permitted there, so that what it brings cannot be told either.
            return self.judge(document, id, known, params, now, acts);
        }
        let handling = known.handling(Direction::ToServer, Form::Request);
        match handling.treatment {
            Treatment::Relay => self.pass_on(document, id, What::Plain, acts),
            Treatment::Inspect => self.inspect(document, id, known, params, acts),
            Treatment::Judge => self.judge(document, id, known, params, now, acts),
            Treatment::Question | Treatment::Refuse => {
                let failure = rpc::failure(id, METHOD_NOT_FOUND, handling.reason, None);
                self.reply(id, failure, acts);
            }
        }
    }

    fn inspect(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: Method,
        params: Option<Node<'_>>,
        acts: &mut Vec<Act>,
    ) {
        if method == Method::Initialize {
            match Initialize::read(params) {
                Ok(initialize) => {
                    self.host_has_forms = initialize.capabilities.has_forms();
                    self.keep_greeting(params);
                }
                Err(error) => {
                    let failure = rpc::failure(id, INVALID_PARAMS, &error.to_string(), None);
                    return self.reply(id, failure, acts);
                }
            }
        }
        let member = |name: &str| params.and_then(|params| params.get(name));
        let what = if method == Method::Initialize {
            What::Greeting
        } else if method == Method::ListTools {
            What::Tools { is_first: member("cursor").is_none() }
        } else if [Method::GetTask, Method::TaskResult].contains(&method) {
            let task = member("taskId").and_then(Node::as_str);
            task.map_or(What::Plain, |task| What::Task(task.into_owned()))
        } else {
            What::Plain
        };
        self.pass_on(document, id, what, acts);
    }

    /// Passes on what does nothing by itself.
    pub(super) fn pass_on(&mut self, document: &Document, id: &Id, what: What, acts: &mut Vec<Act>) {
        self.in_flight.insert(id.clone(), what);
        acts.push(Act::ToServer(document.line().into_owned()));
    }

    fn host_notification(
        &mut self,
        document: &Document,
        method: &str,
        params: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let known = Method::of(method);
        self.keep_notification(known);
        if self.is_absent() && known != Method::Cancelled {
            // Whoever is told would not hear it, and greets whom it does not know when it is back.
            return;
        }
        // Who must not be told anything still may be asked something that the host takes back.
        let is_heard = !self.has_turned() && (known == Method::Initialized || !self.is_strange());
        if !is_heard && known != Method::Cancelled {
            return;
        }
        let handling = known.handling(Direction::ToServer, Form::Notification);
        match handling.treatment {
            Treatment::Relay => acts.push(Act::ToServer(document.line().into_owned())),
            Treatment::Inspect => {
                let request = params.and_then(|params| params.get("requestId")).and_then(Id::of);
                if known == Method::Cancelled
                    && let Some(request) = &request
                    && self.cancel_held(request, now, acts)
                {
                    return;
                }
                if let Some(request) = request.filter(|_| known == Method::Cancelled) {
                    self.forget_cancelled(&request, now, acts);
                }
                if is_heard {
                    acts.push(Act::ToServer(document.line().into_owned()));
                }
            }
            // There is nobody to ask, and nobody to tell: it is not passed on.
            Treatment::Judge | Treatment::Question | Treatment::Refuse => {
                acts.push(Act::Note(format!(
                    "a notification of the host was not passed on: {}",
                    handling.reason
                )));
            }
        }
    }

    /// Whether the host can show our question for this request.
    pub(super) fn can_elicit(&self, params: Option<Node<'_>>) -> bool {
        match RequestMeta::read(params) {
            Ok(Some(meta)) => meta.capabilities.has_forms(),
            Ok(None) => self.host_has_forms,
            Err(_) => false,
        }
    }
}

/// Whether a request is of the era without sessions.
pub(super) fn is_stateless(params: Option<Node<'_>>) -> bool {
    !matches!(RequestMeta::read(params), Ok(None))
}
