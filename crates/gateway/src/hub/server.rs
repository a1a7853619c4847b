//! What servers say, after their relays have looked at it.

use std::sync::Arc;

use jiff::Timestamp;
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::{Method, ResultKind};
use portcullis_wire::rpc::{self, Id, Incoming, Message, code};
use portcullis_wire::splice::Splice;

use super::errand::About;
use super::host::one_line;
use super::{Asked, Hub, HubAct, Open, Out, Standing};

/// So many requests of one server the host has at once.
const MOST_ASKED: usize = 256;
/// So many tasks go on telling how far they are.
const MOST_TASK_TOKENS: usize = 256;

impl Hub {
    /// A server sent this.
    pub fn from_server(&mut self, server: usize, bytes: Vec<u8>, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        let seat = self.seats.get_mut(server).filter(|seat| !seat.has_ended);
        let acts = seat.map(|seat| seat.relay.from_server(bytes, now));
        self.take(server, acts.unwrap_or_default(), &mut out);
        out.acts
    }

    /// A server sent something that begins so and cannot be read.
    pub fn unreadable(&mut self, server: usize, head: &[u8], why: &str, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        let seat = self.seats.get_mut(server).filter(|seat| !seat.has_ended);
        let acts = seat.map(|seat| seat.relay.unreadable(head, why, now));
        self.take(server, acts.unwrap_or_default(), &mut out);
        out.acts
    }

    /// A server that has ended is going to be started again: requests wait for it.
    pub fn server_awaited(&mut self, server: usize) {
        if let Some(seat) = self.seats.get_mut(server) {
            seat.has_ended = false;
            seat.relay.server_awaited();
        }
    }

    /// A server has this certificate from here on: the hash of its key, and who issued it.
    pub fn server_met(&mut self, server: usize, key: [u8; 32], issuer: &str, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        let acts = self.seats.get_mut(server).map(|seat| seat.relay.server_met(key, issuer, now));
        self.take(server, acts.unwrap_or_default(), &mut out);
        out.acts
    }

    /// A server that has ended was started again.
    pub fn server_restarted(&mut self, server: usize, now: Timestamp) -> Vec<HubAct> {
        let Some(seat) = self.seats.get_mut(server) else { return Vec::new() };
        seat.has_ended = false;
        let acts = seat.relay.server_restarted(now);
        let mut out = Out::new(now);
        self.take(server, acts, &mut out);
        out.acts
    }

    /// A server is gone: whoever waits for it is told, and the others go on.
    pub fn server_ended(&mut self, server: usize, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        let Some(seat) = self.seats.get_mut(server).filter(|seat| !seat.has_ended) else { return out.acts };
        seat.has_ended = true;
        let acts = seat.relay.server_ended(now);
        self.take(server, acts, &mut out);
        self.end_parts(server, &mut out);
        self.tasks.forget(server);
        self.tokens.retain(|_, teller| *teller != server);
        // What it asked need not be answered any more.
        let (gone, kept) =
            std::mem::take(&mut self.asked).into_iter().partition(|asked| asked.server == server);
        self.asked = kept;
        let gone: Vec<Asked> = gone;
        for asked in gone {
            let params =
                format!("{{\"requestId\":{},\"reason\":\"the server has ended\"}}", asked.own.json());
            out.host(rpc::notification("notifications/cancelled", Some(params.as_bytes())));
        }
        out.note(format!("the server {} has ended", self.called(server)));
        out.acts
    }

    /// A relay has something for the host.
    pub(super) fn heard(&mut self, server: usize, bytes: Vec<u8>, out: &mut Out) {
        let Ok(document) = self.parse(bytes) else {
            return out.note(format!("{}: a message cannot be passed on", self.called(server)));
        };
        match Message::read(&document) {
            Ok(Incoming::One(Message::Response { id, result })) => {
                self.server_answer(server, &document, &id, Some(result), out);
            }
            Ok(Incoming::One(Message::Failure { id, .. })) => {
                self.server_answer(server, &document, &id, None, out);
            }
            Ok(Incoming::One(Message::Request { id, params, .. })) => {
                self.server_request(server, &document, &id, params, out);
            }
            Ok(Incoming::One(Message::Notification { method, params })) => {
                // The host does not know of who was left out.
                if self.standing(server) != Standing::LeftOut {
                    self.server_notification(server, &document, Method::of(&method), params, out);
                }
            }
            Ok(Incoming::Batch(_)) | Err(_) => {
                out.note(format!("{}: a message cannot be passed on", self.called(server)));
            }
        }
    }

    fn server_answer(
        &mut self,
        server: usize,
        document: &Arc<Document>,
        id: &Id,
        result: Option<Node<'_>>,
        out: &mut Out,
    ) {
        if self.open.get(id).is_some_and(|open| open.server == server) {
            if let Some(open) = self.open.remove(id) {
                self.direct_answer(&open, document, id, result, out);
            }
        } else if !self.part_answer(server, id, document, out)
            && !self.branch_answer(server, id, document, out)
        {
            out.note(format!("{}: an answer came that nobody waits for any more", self.called(server)));
        }
    }

    fn direct_answer(
        &mut self,
        open: &Open,
        document: &Document,
        id: &Id,
        result: Option<Node<'_>>,
        out: &mut Out,
    ) {
        let may_begin = [Method::CallTool, Method::GetPrompt, Method::ReadResource].contains(&open.method);
        let task = match result.filter(|_| may_begin).map(ResultKind::read) {
            Some(Ok(ResultKind::Task { task })) => Some(task),
            _ => None,
        };
        match (&open.token, &task) {
            // A task goes on telling how far it is.
            (Some(token), Some(_)) => self.keep_token(token),
            (Some(token), None) => drop(self.tokens.remove(token)),
            (None, _) => {}
        }
        if let Some(Err(error)) = task.map(|task| self.tasks.remember(open.server, &task)) {
            let called = self.called(open.server);
            let text = format!("the server {called} began a task that cannot be followed: {error}");
            let failure = rpc::failure(id, code::INTERNAL_ERROR, &text, None);
            return self.answer(id, failure, out);
        }
        let answer = self.with_shown_links(open.server, open.method, document, result);
        self.answer(id, answer, out);
    }

    fn keep_token(&mut self, token: &Id) {
        self.task_tokens.push_back(token.clone());
        if self.task_tokens.len() > MOST_TASK_TOKENS
            && let Some(oldest) = self.task_tokens.pop_front()
        {
            self.tokens.remove(&oldest);
        }
    }

    /// A request of a server: the host sees it under an id that nobody can guess, and that no other server uses.
    fn server_request(
        &mut self,
        server: usize,
        document: &Document,
        id: &Id,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        let open = self.asked.iter().filter(|asked| asked.server == server).count();
        let refused = match self.standing(server) {
            Standing::LeftOut => Some("the host does not know of this server"),
            _ if open >= MOST_ASKED => Some("too many requests of this server are open"),
            Standing::New | Standing::Met => None,
        };
        if let Some(text) = refused {
            return self.tell(server, rpc::failure(id, code::INTERNAL_ERROR, text, None), out);
        }
        let own = self.own_id();
        let mut splice = Splice::new(document);
        if let Some(node) = document.root().get("id") {
            splice.replace(node, own.json().as_bytes());
        }
        let meta = params.and_then(|params| params.get("_meta"));
        let token = meta.and_then(|meta| meta.get("progressToken"));
        if let Some(token) = token {
            splice.replace(token, own.json().as_bytes());
        }
        let token = token.map(|token| token.raw_text().to_owned());
        match splice.finish() {
            Ok(bytes) => {
                self.asked.push(Asked { own, server, id: id.clone(), token });
                out.host(one_line(bytes));
            }
            Err(error) => {
                out.note(format!("{}: a request cannot be passed on: {error}", self.called(server)))
            }
        }
    }

    fn server_notification(
        &mut self,
        server: usize,
        document: &Document,
        method: Method,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        if method == Method::SubscriptionAcknowledged {
            if !self.acknowledged(server, params, out) {
                self.note_dropped(server, out);
            }
            return;
        }
        let mut splice = Splice::new(document);
        let passes = self.retag(server, params, &mut splice)
            && self.put_right(server, About::of(method), params, &mut splice).is_some();
        match splice.is_empty() {
            _ if !passes => self.note_dropped(server, out),
            true => out.host(document.line().into_owned()),
            false => match splice.finish() {
                Ok(bytes) => out.host(one_line(bytes)),
                Err(_) => self.note_dropped(server, out),
            },
        }
    }

    fn note_dropped(&self, server: usize, out: &mut Out) {
        let called = self.called(server);
        out.note(format!("{called}: a notification was dropped, for it is about nothing of this server's"));
    }

    /// Puts a notification into words that the host knows; nothing, if it is about nothing of this server's.
    fn put_right(
        &mut self,
        server: usize,
        about: About,
        params: Option<Node<'_>>,
        splice: &mut Splice<'_>,
    ) -> Option<()> {
        let member = |name: &str| params.and_then(|params| params.get(name));
        match about {
            About::Progress => {
                let token = member("progressToken").and_then(Id::of)?;
                (self.tokens.get(&token) == Some(&server)).then_some(())
            }
            About::Request => {
                let node = member("requestId")?;
                let id = Id::of(node)?;
                let at = self.asked.iter().position(|asked| asked.server == server && asked.id == id)?;
                let asked = self.asked.remove(at);
                splice.replace(node, asked.own.json().as_bytes());
                Some(())
            }
            About::Log => {
                if let Some((node, logger)) = member("logger").and_then(|node| Some((node, node.as_str()?))) {
                    let logger = format!("{}/{logger}", self.prefix(server));
                    splice.replace(node, quote(&logger).as_bytes());
                }
                Some(())
            }
            About::Resource => {
                let node = member("uri")?;
                let uri = node.as_str()?;
                let told = self.told_uri(server, params, &uri);
                if told != uri {
                    splice.replace(node, quote(&told).as_bytes());
                }
                Some(())
            }
            About::Task => {
                let task = member("taskId").and_then(Node::as_str)?;
                (self.tasks.server(&task) == Some(server)).then_some(())
            }
            About::Stream => None,
            About::Server => Some(()),
        }
    }
}
