//! What the host says.

use std::sync::Arc;

use jiff::Timestamp;
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::{
    Completion, Direction, Form, Method, PromptGet, RequestMeta, ResourceRead, ShapeError, Subscription,
    TaskRequest, ToolCall, Treatment,
};
use portcullis_wire::rpc::{self, Id, Incoming, Message, code};
use portcullis_wire::splice::Splice;
use serde_json::json;

use super::errand::Errand;
use super::gather::NEEDS_SESSION;
use super::route::Thing;
use super::{Hub, HubAct, Open, Out, Spoken, Standing};

/// So many requests of the host are open at once.
const MOST_OPEN: usize = 1024;
/// So many of its names for progress are known.
const MOST_TOKENS: usize = 4096;

/// Why a request is not given to any server.
pub(super) enum Refused {
    /// Something in it is not what it must be.
    Malformed(String),
    /// Nobody knows whose it is, or the one whose it is cannot take it.
    Homeless(String),
}

impl From<ShapeError> for Refused {
    fn from(error: ShapeError) -> Refused {
        Refused::Malformed(error.to_string())
    }
}

impl Hub {
    /// The host sent this.
    pub fn from_host(&mut self, bytes: Vec<u8>, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        match self.parse(bytes) {
            Ok(document) => self.take_from_host(&document, &mut out),
            Err(error) => out.host(rpc::failure(&Id::NULL, code::PARSE_ERROR, &error.to_string(), None)),
        }
        out.acts
    }

    fn take_from_host(&mut self, document: &Arc<Document>, out: &mut Out) {
        match Message::read(document) {
            Ok(Incoming::One(message)) => self.host_message(document, &message, out),
            Ok(Incoming::Batch(messages)) => self.host_batch(document, &messages, out),
            Err(error) => {
                let id = error.id.clone().unwrap_or(Id::NULL);
                out.host(rpc::failure(&id, code::INVALID_REQUEST, &error.to_string(), None));
            }
        }
    }

    fn host_batch(&mut self, document: &Document, messages: &[Message<'_>], out: &mut Out) {
        let mut ids: Vec<Id> = Vec::new();
        for message in messages {
            let Message::Request { id, .. } = message else { continue };
            if self.is_taken(id) || ids.contains(id) {
                let text =
                    "the batch has an id in it twice, or one that is still open; nothing of it was done";
                return out.host(rpc::failure(&Id::NULL, code::INVALID_REQUEST, text, None));
            }
            ids.push(id.clone());
            if ids.len() > MOST_OPEN {
                let text = "the batch has too many requests in it; nothing of it was done";
                return out.host(rpc::failure(&Id::NULL, code::INVALID_REQUEST, text, None));
            }
        }
        self.batches.begin(ids);
        for item in document.root().items() {
            // Each message goes its own way.
            if let Ok(alone) = self.parse(item.raw().to_vec()) {
                self.take_from_host(&alone, out);
            }
        }
    }

    fn host_message(&mut self, document: &Arc<Document>, message: &Message<'_>, out: &mut Out) {
        match message {
            Message::Request { id, method, params } => {
                self.host_request(document, id, Method::of(method), *params, out);
            }
            Message::Notification { method, params } => {
                self.host_notification(document, Method::of(method), *params, out);
            }
            Message::Response { id, .. } | Message::Failure { id, .. } => self.host_answer(document, id, out),
        }
    }

    /// The host answered a request of a server, or of its relay.
    fn host_answer(&mut self, document: &Document, id: &Id, out: &mut Out) {
        let Some(at) = self.asked.iter().position(|asked| asked.own == *id) else {
            return out.note("the host answered something that nobody asked");
        };
        let asked = self.asked.remove(at);
        let mut splice = Splice::new(document);
        if let Some(node) = document.root().get("id") {
            splice.replace(node, asked.id.json().as_bytes());
        }
        match splice.finish() {
            Ok(bytes) => self.tell(asked.server, one_line(bytes), out),
            Err(error) => out.note(format!("an answer of the host cannot be passed on: {error}")),
        }
    }

    fn host_request(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: Method,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        if self.is_taken(id) {
            let text = "a request with this id is still open; answers could not be told apart";
            return out.host(rpc::failure(id, code::INVALID_REQUEST, text, None));
        }
        if self.open.len() + self.gathers.len() >= MOST_OPEN {
            let text = "too many requests are open; wait for answers first";
            let failure = rpc::failure(id, code::INTERNAL_ERROR, text, None);
            return self.answer(id, failure, out);
        }
        if self.era == Spoken::Sessions && is_stateless(params) {
            return self.refuse_stateless(id, out);
        }
        let handling = method.handling(Direction::ToServer, Form::Request);
        if matches!(handling.treatment, Treatment::Refuse | Treatment::Question) {
            let failure = rpc::failure(id, code::METHOD_NOT_FOUND, handling.reason, None);
            return self.answer(id, failure, out);
        }
        let text = match Errand::of(method) {
            Errand::All(kind) => return self.begin_gather(kind, document, id, out),
            Errand::Ping => {
                let pong: &[u8] = if is_stateless(params) { br#"{"resultType":"complete"}"# } else { b"{}" };
                return self.answer(id, rpc::response(id, pong), out);
            }
            Errand::Listen => return self.begin_stream(document, id, params, out),
            Errand::Unknown => {
                "nobody knows which of the servers this method is meant for; use the server's own endpoint"
            }
            Errand::Tool
            | Errand::Prompt
            | Errand::Read
            | Errand::Watch
            | Errand::Complete
            | Errand::Task => {
                return self.direct(document, id, method, params, out);
            }
        };
        let failure = rpc::failure(id, code::METHOD_NOT_FOUND, text, None);
        self.answer(id, failure, out);
    }

    /// The host was told, or will be, that here is a handshake.
    pub(super) fn refuse_stateless(&mut self, id: &Id, out: &mut Out) {
        let failure = rpc::failure(id, code::METHOD_NOT_FOUND, NEEDS_SESSION, None);
        self.answer(id, failure, out);
    }

    /// A request for one server.
    fn direct(
        &mut self,
        document: &Document,
        id: &Id,
        method: Method,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        let way = self.way(document, method, params).and_then(|(server, bytes)| {
            self.absence(server).map_or(Ok((server, bytes)), |absence| Err(Refused::Homeless(absence)))
        });
        let (server, bytes) = match way {
            Ok(way) => way,
            Err(refused) => {
                let answer = refusal(id, method, is_stateless(params), &refused);
                return self.answer(id, answer, out);
            }
        };
        let meta = params.and_then(|params| params.get("_meta"));
        let token = meta.and_then(|meta| meta.get("progressToken")).and_then(Id::of);
        if let Some(token) = token.clone().filter(|_| self.tokens.len() < MOST_TOKENS) {
            self.tokens.insert(token, server);
        }
        self.open.insert(id.clone(), Open { server, method, token });
        self.tell(server, bytes, out);
    }

    /// Why a server takes no requests.
    fn absence(&self, server: usize) -> Option<String> {
        let called = self.called(server);
        if self.has_ended(server) {
            return Some(format!("The server {called} has ended, so nothing was done. Go on without it."));
        }
        (self.standing(server) == Standing::LeftOut).then(|| {
            format!(
                "The server {called} did not take part in the handshake, so nothing was done. Go on without it."
            )
        })
    }

    /// Which server a request is for, and the request as that server shall get it.
    fn way(
        &self,
        document: &Document,
        method: Method,
        params: Option<Node<'_>>,
    ) -> Result<(usize, Vec<u8>), Refused> {
        let member = |name: &str| params.and_then(|params| params.get(name));
        match Errand::of(method) {
            Errand::Tool => {
                let call = ToolCall::read(params)?;
                self.named_way(document, Thing::Tool, &call.name, member("name"))
            }
            Errand::Prompt => {
                let prompt = PromptGet::read(params)?;
                self.named_way(document, Thing::Prompt, &prompt.name, member("name"))
            }
            Errand::Read => {
                let read = ResourceRead::read(params)?;
                self.addressed_way(document, &read.uri, member("uri"))
            }
            Errand::Watch => {
                let uri = Subscription::subscribe(params)?.resources.pop().unwrap_or_default();
                self.addressed_way(document, &uri, member("uri"))
            }
            Errand::Complete => self.completed_way(document, Completion::read(params)?.reference),
            Errand::Task => {
                let task = TaskRequest::read(params)?;
                let text = "no server here has a task of that name, or not any more";
                let server = self.tasks.server(&task.task);
                let server = server.ok_or_else(|| Refused::Homeless(text.to_owned()))?;
                Ok((server, document.line().into_owned()))
            }
            Errand::All(_) | Errand::Ping | Errand::Listen | Errand::Unknown => {
                Err(Refused::Homeless("no single server is meant".to_owned()))
            }
        }
    }

    fn completed_way(&self, document: &Document, reference: Node<'_>) -> Result<(usize, Vec<u8>), Refused> {
        match reference.get("type").and_then(Node::as_str).as_deref() {
            Some("ref/prompt") => {
                let name = text(reference, "name")?;
                self.named_way(document, Thing::Prompt, &name, reference.get("name"))
            }
            Some("ref/resource") => {
                let uri = text(reference, "uri")?;
                self.addressed_way(document, &uri, reference.get("uri"))
            }
            _ => {
                let text = "the `type` of `ref` has to be `ref/prompt` or `ref/resource`";
                Err(Refused::Malformed(text.to_owned()))
            }
        }
    }

    fn named_way(
        &self,
        document: &Document,
        thing: Thing,
        shown: &str,
        node: Option<Node<'_>>,
    ) -> Result<(usize, Vec<u8>), Refused> {
        let (server, name) = self.meant(thing, shown).map_err(Refused::Homeless)?;
        Ok((server, rewritten(document, node, &name)?))
    }

    fn addressed_way(
        &self,
        document: &Document,
        uri: &str,
        node: Option<Node<'_>>,
    ) -> Result<(usize, Vec<u8>), Refused> {
        let (server, uri) = self.addressed(uri).map_err(Refused::Homeless)?;
        Ok((server, rewritten(document, node, uri)?))
    }

    fn host_notification(
        &mut self,
        document: &Document,
        method: Method,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        let handling = method.handling(Direction::ToServer, Form::Notification);
        match (method, handling.treatment) {
            (_, Treatment::Judge | Treatment::Question | Treatment::Refuse) => {
                out.note(format!("a notification of the host was not passed on: {}", handling.reason));
            }
            (Method::Cancelled, _) => self.host_cancels(document, params, out),
            (Method::Progress, _) => self.host_progress(document, params, out),
            (Method::Initialized | Method::RootsChanged, _) => {
                for server in 0..self.seats.len() {
                    // One that has ended is told by its relay when it is back.
                    if self.standing(server) == Standing::Met {
                        self.tell(server, document.line().into_owned(), out);
                    }
                }
            }
            (_, Treatment::Relay | Treatment::Inspect) => {
                out.note("a notification of the host was not passed on: nobody knows for which server it is");
            }
        }
    }

    fn host_cancels(&mut self, document: &Document, params: Option<Node<'_>>, out: &mut Out) {
        let request = params.and_then(|params| params.get("requestId")).and_then(Id::of);
        let Some(request) = request else {
            return out.note("a notification of the host was not passed on: it cancels nothing");
        };
        if let Some(open) = self.open.remove(&request) {
            if let Some(token) = open.token {
                self.tokens.remove(&token);
            }
            self.tell(open.server, document.line().into_owned(), out);
        } else if !self.cancel_gather(&request, out) && !self.cancel_stream(&request, out) {
            return;
        }
        out.acts.extend(self.batches.forget(&request).map(HubAct::ToHost));
    }

    /// How far the host is with a request of a server.
    fn host_progress(&mut self, document: &Document, params: Option<Node<'_>>, out: &mut Out) {
        let node = params.and_then(|params| params.get("progressToken"));
        let own = node.and_then(Id::of);
        let asked = self.asked.iter().find(|asked| Some(&asked.own) == own.as_ref());
        let (Some(node), Some(asked)) = (node, asked) else {
            return out
                .note("a notification of the host was not passed on: nobody wants to hear of its progress");
        };
        let mut splice = Splice::new(document);
        splice.replace(node, asked.token.as_deref().unwrap_or("null").as_bytes());
        let server = asked.server;
        if let (true, Ok(bytes)) = (asked.token.is_some(), splice.finish()) {
            self.tell(server, one_line(bytes), out);
        }
    }
}

fn text(object: Node<'_>, member: &str) -> Result<String, Refused> {
    let text = object.get(member).and_then(Node::as_str).map(std::borrow::Cow::into_owned);
    text.ok_or_else(|| Refused::Malformed(format!("the `{member}` of `ref` has to be a string")))
}

/// A message with another text in one place, and all else as it came.
fn rewritten(document: &Document, node: Option<Node<'_>>, text: &str) -> Result<Vec<u8>, Refused> {
    let Some(node) = node.filter(|node| !node.is_str(text)) else {
        return Ok(document.line().into_owned());
    };
    let mut splice = Splice::new(document);
    splice.replace(node, quote(text).as_bytes());
    splice.finish().map(one_line).map_err(|error| Refused::Malformed(error.to_string()))
}

/// Bytes of a message as one line. Line breaks can only stand between values, where a space does as well.
pub(super) fn one_line(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    bytes
}

/// Whether a request is of the era without sessions.
pub(super) fn is_stateless(params: Option<Node<'_>>) -> bool {
    !matches!(RequestMeta::read(params), Ok(None))
}

/// The answer to a request that no server gets. A tool that is refused answers like one that failed: models read that.
fn refusal(id: &Id, method: Method, is_stateless: bool, refused: &Refused) -> Vec<u8> {
    let text = match refused {
        Refused::Malformed(text) => return rpc::failure(id, code::INVALID_PARAMS, text, None),
        Refused::Homeless(text) => text,
    };
    if method != Method::CallTool {
        return rpc::failure(id, code::INVALID_PARAMS, text, None);
    }
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    if let (true, Some(members)) = (is_stateless, result.as_object_mut()) {
        members.insert("resultType".to_owned(), "complete".into());
    }
    rpc::response(id, result.to_string().as_bytes())
}
