//! What the server says.

use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_monitor::{Outcome, Verdict};
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::{Direction, Form, Method, ResultKind, Treatment, texts};
use portcullis_wire::rpc::{self, Id, Incoming, Message};
use portcullis_wire::splice::Splice;

use super::elicit::poses_as_ours;
use super::list::Listed;
use super::met::STRANGE;
use super::presence::{Presence, id_in};
use super::{Act, Relay, What};

const METHOD_NOT_FOUND: i64 = -32_601;
const UNRECORDED: &str = "the answer of the server could not be recorded, so it is held back";
/// So many tasks go on at once.
const MOST_TASKS: usize = 1024;
/// So many requests of the server the host has at once.
const MOST_ASKED: usize = 1024;
/// So much of what cannot be read is looked at.
const HEAD: usize = 512;
/// An answer of the server could not be used.
const BAD_ANSWER: i64 = -32_603;

impl Relay {
    /// The server sent this.
    pub fn from_server(&mut self, bytes: Vec<u8>, now: Timestamp) -> Vec<Act> {
        if self.has_turned() {
            return vec![Act::Note(
                "the server said something, which is not passed on: its key is not the pinned one".to_owned(),
            )];
        }
        let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default().to_vec();
        match self.parse(bytes) {
            Ok(document) => {
                let mut acts = Vec::new();
                self.take_from_server(&document, now, &mut acts);
                acts
            }
            Err(error) => {
                self.unreadable(&head, &format!("the server said something that is no message: {error}"), now)
            }
        }
    }

    /// The server sent something that begins so and cannot be read. If it answers a request, nothing better will come.
    pub fn unreadable(&mut self, head: &[u8], why: &str, now: Timestamp) -> Vec<Act> {
        let mut acts = vec![Act::Note(why.to_owned())];
        let open = id_in(head).and_then(|id| self.in_flight.remove(&id).map(|what| (id, what)));
        if let Some((id, what)) = open {
            if let What::Judged(verdict) = &what {
                self.note_outcome(verdict, Outcome::Uncertain, &[], now, &mut acts);
            }
            let text = format!("the answer of the server cannot be used: {why}");
            let failure = rpc::failure(&id, BAD_ANSWER, &text, None);
            self.reply(&id, failure, &mut acts);
        }
        acts
    }

    fn take_from_server(&mut self, document: &Document, now: Timestamp, acts: &mut Vec<Act>) {
        match Message::read(document) {
            Ok(Incoming::One(message)) => self.server_message(document, &message, now, acts),
            Ok(Incoming::Batch(_)) => {
                for item in document.root().items() {
                    if let Ok(alone) = self.parse(item.raw().to_vec()) {
                        self.take_from_server(&alone, now, acts);
                    }
                }
            }
            Err(error) => {
                acts.push(Act::Note(format!("the server said something that is no message: {error}")))
            }
        }
    }

    fn server_message(
        &mut self,
        document: &Document,
        message: &Message<'_>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        match message {
            Message::Response { id, result } => self.server_answer(document, id, Some(*result), now, acts),
            Message::Failure { id, .. } => self.server_answer(document, id, None, now, acts),
            Message::Request { id, method, params } => {
                self.server_request(document, id, method, *params, acts)
            }
            Message::Notification { method, .. } => {
                let known = Method::of(method);
                let handling = known.handling(Direction::ToClient, Form::Notification);
                if known == Method::ToolsChanged && !matches!(self.listed, Listed::Asked { .. }) {
                    self.listed = Listed::Changed;
                }
                match handling.treatment {
                    Treatment::Refuse => {
                        acts.push(Act::Note(format!(
                            "a notification of the server was dropped: {}",
                            handling.reason
                        )));
                    }
                    // What a server tells a host that does not know it does nothing.
                    Treatment::Relay | Treatment::Inspect | Treatment::Question | Treatment::Judge => {
                        acts.push(Act::ToHost(document.line().into_owned()));
                    }
                }
            }
        }
    }

    fn server_answer(
        &mut self,
        document: &Document,
        id: &Id,
        result: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        if self.is_own_greeting(id) {
            return self.take_own_greeting(result, now, acts);
        }
        if self.is_own_list(id) {
            self.take_own_list(result, now, acts);
            if self.tools_are_known() && self.waits_for_tools() {
                self.resolve_tools(now, acts);
            }
            return;
        }
        let Some(what) = self.in_flight.remove(id) else {
            acts.push(Act::Note("the server answered something that nobody asked, or twice".to_owned()));
            return;
        };
        self.has_answered |= result.is_some();
        let answer = match (what, result) {
            (What::Judged(verdict), Some(result)) if poses_as_ours(result) => {
                self.bad_answer(id, &verdict, "its state poses as one of Portcullis", now, acts)
            }
            (_, Some(result)) if poses_as_ours(result) => rpc::failure(
                id,
                BAD_ANSWER,
                "the state of the server's answer poses as one of Portcullis",
                None,
            ),
            (What::Judged(verdict), Some(result)) => {
                self.judged_answer(document, id, result, *verdict, now, acts)
            }
            (What::Judged(verdict), None) => {
                self.note_outcome(&verdict, Outcome::Uncertain, &[], now, acts);
                document.line().into_owned()
            }
            (What::Greeting, result) => {
                self.keep_version(result);
                document.line().into_owned()
            }
            (What::Tools { is_first }, Some(result)) => {
                self.take_list(document, id, result, is_first, now, acts)
            }
            (What::Task(task), Some(result)) => self.task_answer(document, id, result, &task, now, acts),
            (What::Plain | What::Tools { .. } | What::Task(_), _) => document.line().into_owned(),
        };
        self.reply(id, answer, acts);
    }

    /// What a task tells. What it brings is known to the session before the host sees it.
    fn task_answer(
        &mut self,
        document: &Document,
        id: &Id,
        result: Node<'_>,
        task: &str,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> Vec<u8> {
        let texts = every_text(result);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let verdict = self.tasks.get(task).cloned();
        match verdict {
            Some(verdict) if self.note_outcome(&verdict, Outcome::Uncertain, &texts, now, acts) => {
                document.line().into_owned()
            }
            _ => rpc::failure(id, BAD_ANSWER, UNRECORDED, None),
        }
    }

    /// The answer to something that was permitted. What it brings is known to the session before the host sees it.
    fn judged_answer(
        &mut self,
        document: &Document,
        id: &Id,
        result: Node<'_>,
        verdict: Verdict,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> Vec<u8> {
        let kind = match ResultKind::read(result) {
            Ok(kind) => kind,
            Err(error) => return self.bad_answer(id, &verdict, &error.to_string(), now, acts),
        };
        let has_failed = result.get("isError").and_then(Node::as_bool) == Some(true);
        let is_done = matches!(kind, ResultKind::Complete) && !has_failed;
        let outcome = if is_done { Outcome::Success } else { Outcome::Uncertain };
        let said = every_text(result);
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        if !self.note_outcome(&verdict, outcome, &said, now, acts) {
            return rpc::failure(id, BAD_ANSWER, UNRECORDED, None);
        }
        match kind {
            ResultKind::Complete => document.line().into_owned(),
            // What a task brings is known by its call, so that no call is forgotten for another.
            ResultKind::Task { .. } if self.tasks.len() >= MOST_TASKS => {
                self.bad_answer(id, &verdict, "too many tasks go on", now, acts)
            }
            ResultKind::Task { task } => {
                self.tasks.insert(task.into_owned(), verdict);
                document.line().into_owned()
            }
            ResultKind::InputRequired(input) => {
                let mut splice = Splice::new(document);
                for request in input.requests.iter().filter(|request| request.method == Method::Elicit) {
                    self.sign_question(&mut splice, request.params);
                }
                splice
                    .finish()
                    .unwrap_or_else(|_| rpc::failure(id, BAD_ANSWER, "a question cannot be shown", None))
            }
            ResultKind::Unknown { .. } => {
                self.bad_answer(id, &verdict, "the kind of its result is unknown", now, acts)
            }
        }
    }

    fn bad_answer(
        &mut self,
        id: &Id,
        verdict: &Verdict,
        error: &str,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> Vec<u8> {
        self.note_outcome(verdict, Outcome::Uncertain, &[], now, acts);
        acts.push(Act::Note(format!("an answer of the server cannot be used: {error}")));
        rpc::failure(id, BAD_ANSWER, &format!("the answer of the server cannot be used: {error}"), None)
    }

    pub(super) fn note_outcome(
        &self,
        verdict: &Verdict,
        outcome: Outcome,
        said: &[&str],
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> bool {
        match self.guard().completed(verdict, outcome, said, now) {
            Ok(()) => true,
            Err(error) => {
                acts.push(Act::Note(format!(
                    "the outcome of step {} is not recorded: {error}",
                    verdict.step()
                )));
                false
            }
        }
    }

    fn server_request(
        &mut self,
        document: &Document,
        id: &Id,
        method: &str,
        params: Option<Node<'_>>,
        acts: &mut Vec<Act>,
    ) {
        if self.is_strange() {
            // Not even an answer is for it.
            return acts.push(Act::Note(format!("a request of the server is dropped: {STRANGE}")));
        }
        let known = Method::of(method);
        let handling = known.handling(Direction::ToClient, Form::Request);
        if handling.treatment == Treatment::Refuse {
            acts.push(Act::ToServer(rpc::failure(id, METHOD_NOT_FOUND, handling.reason, None)));
            return;
        }
        if self.own_questions.contains_key(id) || self.from_server.contains_key(id) {
            // The host's answer to our question must not be taken for an answer to the server, nor the other way round.
            let text = "a request with this id is still open";
            acts.push(Act::ToServer(rpc::failure(id, METHOD_NOT_FOUND, text, None)));
            return;
        }
        if self.from_server.len() >= MOST_ASKED {
            let text = "too many requests wait for the host";
            acts.push(Act::ToServer(rpc::failure(id, METHOD_NOT_FOUND, text, None)));
            return;
        }
        self.from_server.insert(id.clone(), ());
        let mut splice = Splice::new(document);
        if known == Method::Elicit {
            self.sign_question(&mut splice, params);
        }
        let bytes = match splice.is_empty() {
            true => document.line().into_owned(),
            false => match splice.finish() {
                Ok(bytes) => bytes,
                Err(_) => {
                    self.from_server.remove(id);
                    let failure = rpc::failure(id, BAD_ANSWER, "the question cannot be shown", None);
                    return acts.push(Act::ToServer(failure));
                }
            },
        };
        acts.push(Act::ToHost(bytes));
    }

    /// Puts the server's name in front of a question that it asks through us, so that none can pose as ours.
    fn sign_question(&self, splice: &mut Splice<'_>, params: Option<Node<'_>>) {
        let message = params.and_then(|params| params.get("message"));
        if let Some(node) = message {
            let text = node.as_str().unwrap_or_default();
            let signed = format!(
                "The server {} asks (this is not Portcullis): {text}",
                shown(&self.tools.server().name)
            );
            splice.replace(node, quote(&signed).as_bytes());
        }
    }

    /// The server is gone: whoever waits for it is told.
    pub fn server_ended(&mut self, now: Timestamp) -> Vec<Act> {
        let mut acts = Vec::new();
        self.presence = Presence::Gone;
        // Whatever it asked, it does not wait for an answer any more.
        self.from_server.clear();
        let text = "the server ended before it answered; what it had done by then is not known";
        self.fail_open(|_| true, text, now, &mut acts);
        self.fail_held("the server has ended; nothing was done", now, &mut acts);
        acts
    }
}

fn every_text(result: Node<'_>) -> Vec<String> {
    let mut said = Vec::new();
    texts(result, |text| said.push(text.text.into_owned()));
    said
}
