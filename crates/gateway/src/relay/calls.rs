//! Requests that may act: judged, held while the user is asked, and passed on when they are permitted.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use portcullis_lattice::words::shown;
use portcullis_monitor::Outcome;
use portcullis_store::{Change, Commit, QuestionId, QuestionStatus};
use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::{Method, PromptGet, ResourceRead, Subscription, ToolCall};
use portcullis_wire::rpc::{self, Id, Incoming, Message};
use serde_json::{Value, json};

use super::elicit::{Meant, response};
use super::held::{Held, WaitsFor};
use super::host::is_stateless;
use super::met::STRANGE;
use super::{Act, Asking, Relay, What, refusal};
use crate::guard::{Admission, GuardError, Request};
use crate::server::Tool;

const INVALID_PARAMS: i64 = -32_602;
/// How often a host is told that a call still waits.
const PROGRESS: SignedDuration = SignedDuration::from_secs(5);

/// A request in the form in which it is judged.
struct Judged {
    /// The name that is shown.
    name: String,
    tool: Tool,
    arguments: Value,
}

/// Why a request cannot be brought into that form.
enum Unjudged {
    /// The server's tools have to be listed first.
    Unlisted,
    /// The server has no such tool.
    UnknownTool(String),
    /// The parameters are not what they must be.
    Malformed(String),
}

impl Relay {
    /// A request that may act.
    pub(super) fn judge(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: Method,
        params: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        if let Some((question, restored)) = params.and_then(|params| Relay::answered(document, params)) {
            return self.judge_retry(question, params, restored, id, now, acts);
        }
        // What is typed goes to the server; one on this machine may know it. What a task asked, the user was shown, if it is
        // one that was permitted.
        let is_local = self.tools.server().remote.is_none();
        let goes_on = method == Method::UpdateTask && self.is_task(params);
        if is_local && (method == Method::Complete || goes_on) {
            return self.pass_on(document, id, What::Plain, acts);
        }
        if [Method::Subscribe, Method::Listen].contains(&method) {
            return self.watch_resources(document, id, method, params, now, acts);
        }
        match self.judged(method, params) {
            Ok(judged) => self.admit(document, id, method, &judged, now, acts),
            Err(Unjudged::Unlisted) => {
                self.held.push(Held::new(id, document, WaitsFor::Tools, now));
                self.ask_for_tools(document, acts);
            }
            Err(Unjudged::UnknownTool(tool)) => {
                let text = refusal::unknown_tool(&tool, &shown(&self.tools.server().name));
                let answer = refusal::refused(id, method, is_stateless(params), &text);
                self.reply(id, answer, acts);
            }
            Err(Unjudged::Malformed(error)) => {
                let failure = rpc::failure(id, INVALID_PARAMS, &error, None);
                self.reply(id, failure, acts);
            }
        }
    }

    /// Whether a request is about a task that a permitted call began.
    pub(super) fn is_task(&self, params: Option<Node<'_>>) -> bool {
        let task = params.and_then(|params| params.get("taskId")).and_then(Node::as_str);
        task.is_some_and(|task| self.tasks.contains_key(&*task))
    }

    /// The same request again, with the user's answer to our question.
    fn judge_retry(
        &mut self,
        question: QuestionId,
        params: Option<Node<'_>>,
        restored: Result<Document, String>,
        id: &Id,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let given = params.and_then(response);
        let document = match restored {
            Ok(document) => Arc::new(document),
            Err(error) => {
                let failure = rpc::failure(id, INVALID_PARAMS, &error, None);
                return self.reply(id, failure, acts);
            }
        };
        let held = Held::new(id, &document, WaitsFor::Answer(question), now);
        if !self.may_answer(question, params, now) {
            acts.push(Act::Note(format!("question {question} cannot be answered in this way")));
            return self.refuse_held(&held, &|tool| refusal::unanswered(tool, question), acts);
        }
        self.held.push(held);
        let meant = match given {
            Some(given) => {
                self.take_answer(question, &Message::Response { id: id.clone(), result: given }, now)
            }
            None => Meant::Left("the answer is missing".to_owned()),
        };
        self.resolve(question, &meant, now, acts);
    }

    /// Whether a retry may answer a question: only where it was asked so, for numbers of questions can be guessed.
    fn may_answer(&self, question: QuestionId, params: Option<Node<'_>>, now: Timestamp) -> bool {
        let guard = self.guard();
        let asked = guard.store().question(question, now).ok().flatten();
        let is_own = asked.is_some_and(|asked| asked.session == guard.id());
        drop(guard);
        is_own && self.asking == Asking::HostFirst && is_stateless(params) && self.can_elicit(params)
    }

    fn judged(&self, method: Method, params: Option<Node<'_>>) -> Result<Judged, Unjudged> {
        let malformed = |error: &dyn std::fmt::Display| Unjudged::Malformed(error.to_string());
        if method == Method::CallTool {
            return self.judged_call(params);
        }
        if method == Method::ReadResource {
            let read = ResourceRead::read(params).map_err(|error| malformed(&error))?;
            let (tool, arguments) = self.tools.reading(&read.uri);
            return Ok(Judged { name: "resources/read".to_owned(), tool: tool.clone(), arguments });
        }
        if method == Method::GetPrompt {
            let get = PromptGet::read(params).map_err(|error| malformed(&error))?;
            let (tool, arguments) = self.tools.prompting(&get.name);
            return Ok(Judged { name: "prompts/get".to_owned(), tool: tool.clone(), arguments });
        }
        let params = params.map_or_else(|| Ok(Value::Null), Node::to_value);
        let params = params.map_err(|error| malformed(&error))?;
        let (tool, arguments) = self.tools.unknown_request(params);
        Ok(Judged { name: "an unknown request".to_owned(), tool: tool.clone(), arguments })
    }

    fn judged_call(&self, params: Option<Node<'_>>) -> Result<Judged, Unjudged> {
        let malformed = |error: &dyn std::fmt::Display| Unjudged::Malformed(error.to_string());
        let call = ToolCall::read(params).map_err(|error| malformed(&error))?;
        let arguments = call.arguments.map_or_else(|| Ok(json!({})), Node::to_value);
        let arguments = arguments.map_err(|error| malformed(&error))?;
        // While a list is awaited the one at hand may be old, so a call waits whether or not its tool is in it.
        match self.tools.tool(&call.name).filter(|_| self.tools_are_known()) {
            Some(tool) => Ok(Judged { name: call.name.into_owned(), tool: tool.clone(), arguments }),
            None if self.tools_are_known() => Err(Unjudged::UnknownTool(shown(&call.name))),
            None => Err(Unjudged::Unlisted),
        }
    }

    fn admit(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: Method,
        judged: &Judged,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let params = document.root().get("params");
        let is_stateless = is_stateless(params);
        let name = shown(&judged.name);
        // Nobody would be asked, though it is another server than the one that was approved.
        if self.is_strange() && self.guard().is_callable(&self.tools, &judged.name, now) {
            let answer = refusal::refused(id, method, is_stateless, &refusal::undecided(&name, STRANGE));
            return self.reply(id, answer, acts);
        }
        let admission = self.decide(judged, now);
        match admission {
            Ok(Admission::Permitted(permit, verdict)) => {
                self.in_flight.insert(id.clone(), What::Judged(verdict));
                acts.push(Act::Call(permit, document.line().into_owned()));
            }
            Ok(Admission::Denied(reasons)) => {
                let answer = refusal::refused(id, method, is_stateless, &refusal::denied(&name, &reasons));
                self.reply(id, answer, acts);
            }
            Ok(Admission::Asked(question, asked)) => {
                let by_host = self.asking == Asking::HostFirst && self.can_elicit(params);
                if by_host && is_stateless {
                    let answer = self.input_required(id, document, question, &asked);
                    return self.reply(id, answer, acts);
                }
                let is_first = !self.held.iter().any(|held| held.waits_for == WaitsFor::Answer(question));
                self.held.push(Held::new(id, document, WaitsFor::Answer(question), now));
                if by_host && is_first {
                    acts.push(self.elicit(question, &asked));
                } else {
                    acts.push(Act::Note(format!("question {question} waits for `portcullis watch`")));
                }
            }
            Err(error) => {
                let answer = refusal::refused(
                    id,
                    method,
                    is_stateless,
                    &refusal::undecided(&name, &error.to_string()),
                );
                self.reply(id, answer, acts);
            }
        }
    }

    fn decide(&self, judged: &Judged, now: Timestamp) -> Result<Admission, GuardError> {
        let request = Request {
            tools: &self.tools,
            tool: &judged.tool,
            name: &judged.name,
            arguments: &judged.arguments,
        };
        self.guard().admit(&request, now)
    }

    /// What would be told about resources is let pass if the resources could be read now.
    fn watch_resources(
        &mut self,
        document: &Arc<Document>,
        id: &Id,
        method: Method,
        params: Option<Node<'_>>,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        let is_one = method == Method::Subscribe;
        let subscription =
            if is_one { Subscription::subscribe(params) } else { Subscription::listen(params) };
        let subscription = match subscription {
            Ok(subscription) => subscription,
            Err(error) => {
                let failure = rpc::failure(id, INVALID_PARAMS, &error.to_string(), None);
                return self.reply(id, failure, acts);
            }
        };
        for uri in &subscription.resources {
            let (tool, arguments) = self.tools.reading(uri);
            let judged = Judged { name: "resources/read".to_owned(), tool: tool.clone(), arguments };
            if !matches!(self.decide(&judged, now), Ok(Admission::Permitted(..))) {
                let text =
                    format!("{} may not be read so far, so it cannot be watched; read it first", shown(uri));
                let answer = refusal::refused(id, method, is_stateless(params), &text);
                return self.reply(id, answer, acts);
            }
        }
        self.pass_on(document, id, What::Plain, acts);
    }

    /// A question was answered, or left.
    pub(super) fn resolve(
        &mut self,
        question: QuestionId,
        meant: &Meant,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        for held in self.take_held(WaitsFor::Answer(question)) {
            match meant {
                Meant::Answered => self.again(&held, now, acts),
                Meant::Refused => self.refuse_held(&held, &refusal::refused_by_user, acts),
                Meant::Left(why) => {
                    acts.push(Act::Note(format!("question {question}: {why}")));
                    self.refuse_held(&held, &|tool| refusal::unanswered(tool, question), acts);
                }
            }
        }
    }

    /// The server's tools are known now.
    pub(super) fn resolve_tools(&mut self, now: Timestamp, acts: &mut Vec<Act>) {
        for held in self.take_held(WaitsFor::Tools) {
            self.again(&held, now, acts);
        }
    }

    pub(super) fn take_held(&mut self, waits_for: WaitsFor) -> Vec<Held> {
        let (taken, kept) =
            std::mem::take(&mut self.held).into_iter().partition(|held| held.waits_for == waits_for);
        self.held = kept;
        taken
    }

    fn again(&mut self, held: &Held, now: Timestamp, acts: &mut Vec<Act>) {
        if let Ok(Incoming::One(Message::Request { id, method, params })) = Message::read(&held.document) {
            self.judge(&held.document, &id, Method::of(&method), params, now, acts);
        }
    }

    fn refuse_held(&mut self, held: &Held, text: &dyn Fn(&str) -> String, acts: &mut Vec<Act>) {
        let root = held.document.root();
        let params = root.get("params");
        let method =
            root.get("method").and_then(Node::as_str).map_or(Method::Unknown, |name| Method::of(&name));
        let name = params.and_then(|params| params.get("name")).and_then(Node::as_str);
        let name = name.map_or_else(|| "this".to_owned(), |name| shown(&name));
        let answer = refusal::refused(&held.id, method, is_stateless(params), &text(&name));
        self.reply(&held.id, answer, acts);
    }

    /// Forgets a call that still waits, and says whether there was one.
    pub(super) fn cancel_held(&mut self, id: &Id, now: Timestamp, acts: &mut Vec<Act>) -> bool {
        let Some(at) = self.held.iter().position(|held| held.id == *id) else { return false };
        let held = self.held.remove(at);
        acts.extend(self.batches.forget(id).map(Act::ToHost));
        self.withdraw(&held, now);
        true
    }

    /// The host has given up a request that the server has. No answer may ever come, so none is waited for.
    pub(super) fn forget_cancelled(&mut self, id: &Id, now: Timestamp, acts: &mut Vec<Act>) {
        let Some(what) = self.in_flight.remove(id) else { return };
        if let What::Judged(verdict) = what {
            self.note_outcome(&verdict, Outcome::Uncertain, &[], now, acts);
        }
        acts.extend(self.batches.forget(id).map(Act::ToHost));
    }

    /// Nobody waits any more for the answer to what a call asked.
    pub(super) fn withdraw(&self, held: &Held, now: Timestamp) {
        if let WaitsFor::Answer(question) = held.waits_for {
            let store = Arc::clone(self.guard().store());
            // Who is too late to withdraw it finds it closed, which is as good.
            let _ = store.commit(Commit::at(now).change(Change::Withdraw(question)));
        }
    }

    /// Time has passed: answers are looked for, hosts told that calls wait, and calls refused that waited too long.
    pub fn tick(&mut self, now: Timestamp) -> Vec<Act> {
        let mut acts = self.flush(now);
        let store = Arc::clone(self.guard().store());
        let patience = self.guard().settings().patience;
        let mut questions: Vec<QuestionId> = Vec::new();
        for held in &self.held {
            if let WaitsFor::Answer(question) = held.waits_for
                && !questions.contains(&question)
            {
                questions.push(question);
            }
        }
        for question in questions {
            let status = store.question(question, now).ok().flatten().map(|question| question.status);
            match status {
                Some(QuestionStatus::Open) => {}
                Some(QuestionStatus::Answered(answer)) => {
                    self.withdraw_own(question, &mut acts);
                    let meant = if answer_allows(&answer.body) { Meant::Answered } else { Meant::Refused };
                    self.resolve(question, &meant, now, &mut acts);
                }
                Some(QuestionStatus::Expired | QuestionStatus::Withdrawn) | None => {
                    self.resolve(question, &Meant::Left("it is closed".to_owned()), now, &mut acts);
                }
            }
        }
        self.tell_waiting(now, &mut acts);
        let (late, kept) = std::mem::take(&mut self.held)
            .into_iter()
            .partition(|held| now.duration_since(held.since) > patience);
        self.held = kept;
        let late: Vec<Held> = late;
        for held in late {
            match held.waits_for {
                WaitsFor::Answer(question) => {
                    self.refuse_held(&held, &|tool| refusal::unanswered(tool, question), &mut acts);
                }
                WaitsFor::Server => {
                    let error = "the server has ended and is not back yet";
                    self.refuse_held(&held, &|tool| refusal::undecided(tool, error), &mut acts);
                }
                WaitsFor::Tools => {
                    let error = "the server did not list its tools in time";
                    self.refuse_held(&held, &|tool| refusal::undecided(tool, error), &mut acts);
                }
            }
        }
        acts
    }

    fn tell_waiting(&mut self, now: Timestamp, acts: &mut Vec<Act>) {
        for held in &mut self.held {
            let Some(token) = &held.progress else { continue };
            if now.duration_since(held.told) >= PROGRESS {
                (held.told, held.steps) = (now, held.steps + 1);
                let params = format!(
                    "{{\"progressToken\":{token},\"progress\":{},\"message\":\"Portcullis waits for the user's consent\"}}",
                    held.steps
                );
                acts.push(Act::ToHost(rpc::notification("notifications/progress", Some(params.as_bytes()))));
            }
        }
    }
}

/// Whether an answer lets the call go on.
fn answer_allows(body: &str) -> bool {
    let body: Option<Value> = serde_json::from_str(body).ok();
    body.is_some_and(|body| body.get("allows") == Some(&Value::Bool(true)))
}
