//! Streams of notifications (2026-07-28): one for the host, with a branch to every server that has something to tell.
//!
//! A request `subscriptions/listen` stays open. It is acknowledged by a notification, and answered when the stream ends; all
//! that is told on the way has the id of the request on it. Each branch has an id of its own, so that no server can tell
//! anything on the branch of another.

use jiff::Timestamp;
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::{Subscription, key};
use portcullis_wire::rpc::{self, Id, code};
use portcullis_wire::splice::{Splice, SpliceError};
use serde_json::{Map, Value, json};

use super::gather::{PATIENCE, failed_with};
use super::host::{Refused, one_line};
use super::{Hub, Out};

/// So many streams are open at once.
const MOST_STREAMS: usize = 16;

/// A stream of notifications.
pub(super) struct Stream {
    /// The host's.
    id: Id,
    branches: Vec<Branch>,
    /// What the servers will tell of.
    honoured: Map<String, Value>,
    /// Whether the host was told that.
    is_acknowledged: bool,
    until: Timestamp,
}

/// What one server tells.
struct Branch {
    server: usize,
    own: Id,
    /// Resources that are watched: what the server calls them, and what the host does.
    uris: Vec<(String, String)>,
    state: State,
}

/// How a branch stands.
#[derive(PartialEq, Eq)]
enum State {
    /// The server has our request.
    Waiting,
    /// It has acknowledged it.
    Open,
    /// It ended it.
    Closed,
    /// It would not, and this is the error as JSON.
    Failed(Vec<u8>),
}

/// Branches, and the requests that begin them.
type Opening = (Vec<Branch>, Vec<(usize, Vec<u8>)>);

/// What is wished for, by server.
struct Wishes {
    /// The server, what it calls a resource, and what the host does.
    uris: Vec<(usize, String, String)>,
    tasks: Vec<(usize, String)>,
}

impl Stream {
    /// Whether this is the id of the host's request, or of one that a server has for it.
    pub(super) fn uses(&self, id: &Id) -> bool {
        self.id == *id || self.branches.iter().any(|branch| branch.own == *id)
    }

    /// Whether the host still has to hear that it is open.
    pub(super) fn is_waiting(&self) -> bool {
        !self.is_acknowledged
    }
}

impl Hub {
    /// The host wants to hear what happens.
    pub(super) fn begin_stream(
        &mut self,
        document: &Document,
        id: &Id,
        params: Option<Node<'_>>,
        out: &mut Out,
    ) {
        let branches = self.branches(document, params);
        let (branches, requests) = match branches {
            Ok(branches) if self.streams.len() < MOST_STREAMS => branches,
            Ok(_) => {
                let text = "too many streams of notifications are open; end one first";
                let failure = rpc::failure(id, code::INTERNAL_ERROR, text, None);
                return self.answer(id, failure, out);
            }
            Err(Refused::Malformed(text) | Refused::Homeless(text)) => {
                let failure = rpc::failure(id, code::INVALID_PARAMS, &text, None);
                return self.answer(id, failure, out);
            }
        };
        let until = out.now.saturating_add(PATIENCE).unwrap_or(out.now);
        let (honoured, is_acknowledged) = (Map::new(), false);
        self.streams.push(Stream { id: id.clone(), branches, honoured, is_acknowledged, until });
        for (server, bytes) in requests {
            self.tell(server, bytes, out);
        }
        self.settle_streams(out);
    }

    fn branches(&mut self, document: &Document, params: Option<Node<'_>>) -> Result<Opening, Refused> {
        let wishes = self.wishes(&Subscription::listen(params)?)?;
        let filter = params.and_then(|params| params.get("notifications"));
        let (mut branches, mut requests) = (Vec::new(), Vec::new());
        for server in 0..self.seats.len() {
            let wanted = filter.and_then(|filter| self.wanted(server, filter, &wishes));
            let (Some(filter), Some(wanted)) = (filter, wanted) else { continue };
            let own = self.own_id();
            let bytes = request(document, &own, filter, &wanted);
            requests.push((server, bytes.map_err(|error| Refused::Malformed(error.to_string()))?));
            let of_server = wishes.uris.iter().filter(|(place, ..)| *place == server);
            let uris = of_server.map(|(_, uri, shown)| (uri.clone(), shown.clone())).collect();
            branches.push(Branch { server, own, uris, state: State::Waiting });
        }
        Ok((branches, requests))
    }

    fn wishes(&self, subscription: &Subscription<'_>) -> Result<Wishes, Refused> {
        let mut wishes = Wishes { uris: Vec::new(), tasks: Vec::new() };
        for shown in &subscription.resources {
            let (server, uri) = self.addressed(shown).map_err(Refused::Homeless)?;
            wishes.uris.push((server, uri.to_owned(), shown.clone().into_owned()));
        }
        for task in &subscription.tasks {
            let text = "no server here has a task of that name, or not any more";
            let server = self.tasks.server(task).ok_or_else(|| Refused::Homeless(text.to_owned()))?;
            wishes.tasks.push((server, task.clone().into_owned()));
        }
        Ok(wishes)
    }

    /// What of a filter concerns a server, if anything does. What nobody knows concerns all.
    fn wanted(&self, server: usize, filter: Node<'_>, wishes: &Wishes) -> Option<String> {
        if !self.is_there(server) {
            return None;
        }
        let list = |texts: Vec<String>| (!texts.is_empty()).then(|| format!("[{}]", texts.join(",")));
        let member = |(name, node): (std::borrow::Cow<'_, str>, Node<'_>)| {
            let json = match &*name {
                "toolsListChanged" => self.can(server, "tools").then(|| node.raw_text().to_owned()),
                "promptsListChanged" => self.can(server, "prompts").then(|| node.raw_text().to_owned()),
                "resourcesListChanged" => self.can(server, "resources").then(|| node.raw_text().to_owned()),
                "resourceSubscriptions" => {
                    let mine = wishes.uris.iter().filter(|(place, ..)| *place == server);
                    list(mine.map(|(_, uri, _)| quote(uri)).collect())
                }
                "taskIds" => {
                    let mine = wishes.tasks.iter().filter(|(place, _)| *place == server);
                    list(mine.map(|(_, task)| quote(task)).collect())
                }
                _ => Some(node.raw_text().to_owned()),
            };
            json.filter(|_| node.as_bool() != Some(false)).map(|json| format!("{}:{json}", quote(&name)))
        };
        let members: Vec<String> = filter.members().filter_map(member).collect();
        (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
    }

    /// A server acknowledged its branch. Says whether it has one.
    pub(super) fn acknowledged(&mut self, server: usize, params: Option<Node<'_>>, out: &mut Out) -> bool {
        let Some((stream, place)) = self.branch(server, params) else { return false };
        let Some(stream) = self.streams.get_mut(stream) else { return false };
        let Some(branch) = stream.branches.get_mut(place).filter(|branch| branch.state == State::Waiting)
        else {
            return false;
        };
        branch.state = State::Open;
        let honoured = params.and_then(|params| params.get("notifications"));
        for (name, node) in honoured.into_iter().flat_map(Node::members) {
            let Ok(value) = node.to_value() else { continue };
            let value = if name == "resourceSubscriptions" { branch.shown(&value) } else { value };
            match (stream.honoured.get_mut(&*name), value) {
                (Some(Value::Array(known)), Value::Array(more)) => known.extend(more),
                (Some(Value::Bool(known)), Value::Bool(more)) => *known |= more,
                (Some(_), _) => {}
                (None, value) => drop(stream.honoured.insert(name.into_owned(), value)),
            }
        }
        self.settle_streams(out);
        true
    }

    /// Which branch of which stream a notification of a server belongs to.
    fn branch(&self, server: usize, params: Option<Node<'_>>) -> Option<(usize, usize)> {
        let own = Id::of(tag(params)?)?;
        self.streams.iter().enumerate().find_map(|(at, stream)| {
            let is_meant = |branch: &Branch| branch.server == server && branch.own == own;
            stream.branches.iter().position(is_meant).map(|place| (at, place))
        })
    }

    /// Puts the host's id on a notification that belongs to a stream. Says whether it may be told: what belongs to no stream
    /// of this server must not say that it does.
    pub(super) fn retag(&self, server: usize, params: Option<Node<'_>>, splice: &mut Splice<'_>) -> bool {
        let Some(node) = tag(params) else { return true };
        let stream = self.branch(server, params).and_then(|(at, _)| self.streams.get(at));
        if let Some(stream) = stream {
            splice.replace(node, stream.id.json().as_bytes());
        }
        stream.is_some()
    }

    /// What the host calls a resource that a server tells of.
    pub(super) fn told_uri(&self, server: usize, params: Option<Node<'_>>, uri: &str) -> String {
        let watched = self.branch(server, params).and_then(|(at, place)| {
            let branch = self.streams.get(at)?.branches.get(place)?;
            branch.uris.iter().find(|(own, _)| own == uri).map(|(_, shown)| shown.clone())
        });
        watched.unwrap_or_else(|| self.shown_uri(server, uri))
    }

    /// A server ended its branch, or would not begin it. Says whether it has one by this id.
    pub(super) fn branch_answer(
        &mut self,
        server: usize,
        id: &Id,
        document: &Document,
        out: &mut Out,
    ) -> bool {
        let branches = self.streams.iter_mut().flat_map(|stream| &mut stream.branches);
        let is_meant = |branch: &&mut Branch| {
            branch.server == server
                && branch.own == *id
                && matches!(branch.state, State::Waiting | State::Open)
        };
        let mut branches = branches.filter(is_meant);
        let Some(branch) = branches.next() else { return false };
        branch.state = match document.root().get("error") {
            Some(error) => State::Failed(error.raw().to_vec()),
            None => State::Closed,
        };
        drop(branches);
        self.settle_streams(out);
        true
    }

    /// Tells the host what is to be told of streams now: that they are open, or over.
    pub(super) fn settle_streams(&mut self, out: &mut Out) {
        let mut over = Vec::new();
        for stream in &mut self.streams {
            let is_late = stream.until < out.now;
            let waits = stream.branches.iter().any(|branch| branch.state == State::Waiting) && !is_late;
            let is_live =
                stream.branches.iter().any(|branch| matches!(branch.state, State::Waiting | State::Open));
            let has_failed = stream.branches.iter().any(|branch| matches!(branch.state, State::Failed(_)));
            if !stream.is_acknowledged && !waits && (is_live || !has_failed) {
                stream.is_acknowledged = true;
                let id: Value = serde_json::from_str(&stream.id.json()).unwrap_or_default();
                let params = json!({"_meta": {key::SUBSCRIPTION_ID: id}, "notifications": stream.honoured});
                let told = params.to_string();
                out.host(rpc::notification(
                    "notifications/subscriptions/acknowledged",
                    Some(told.as_bytes()),
                ));
            }
            if !is_live {
                over.push(stream.id.clone());
            }
        }
        for id in over {
            self.end_stream(&id, out);
        }
    }

    fn end_stream(&mut self, id: &Id, out: &mut Out) {
        let Some(at) = self.streams.iter().position(|stream| stream.id == *id) else { return };
        let stream = self.streams.remove(at);
        let failure = stream.branches.iter().find_map(|branch| match &branch.state {
            State::Failed(error) => Some(error),
            State::Waiting | State::Open | State::Closed => None,
        });
        let answer = match failure {
            Some(error) if !stream.is_acknowledged => failed_with(id, error),
            _ => {
                let tag = format!("{}:{}", quote(key::SUBSCRIPTION_ID), id.json());
                rpc::response(id, format!("{{\"resultType\":\"complete\",\"_meta\":{{{tag}}}}}").as_bytes())
            }
        };
        self.answer(id, answer, out);
    }

    /// The host does not want to hear any more. Says whether it did.
    pub(super) fn cancel_stream(&mut self, id: &Id, out: &mut Out) -> bool {
        let Some(at) = self.streams.iter().position(|stream| stream.id == *id) else { return false };
        let stream = self.streams.remove(at);
        for branch in stream.branches {
            if matches!(branch.state, State::Waiting | State::Open) {
                let params = format!("{{\"requestId\":{}}}", branch.own.json());
                let cancel = rpc::notification("notifications/cancelled", Some(params.as_bytes()));
                self.tell(branch.server, cancel, out);
            }
        }
        true
    }
}

impl Branch {
    /// Resources as the host calls them. What the host did not ask for is not among them.
    fn shown(&self, uris: &Value) -> Value {
        let uris = uris.as_array().into_iter().flatten().filter_map(Value::as_str);
        let known =
            |uri: &str| self.uris.iter().find(|(own, _)| own == uri).map(|(_, shown)| shown.as_str().into());
        Value::Array(uris.filter_map(known).collect())
    }
}

/// The id of a stream on a notification.
fn tag(params: Option<Node<'_>>) -> Option<Node<'_>> {
    params?.get("_meta")?.get(key::SUBSCRIPTION_ID)
}

/// The host's request as a server gets it.
fn request(document: &Document, own: &Id, filter: Node<'_>, wanted: &str) -> Result<Vec<u8>, SpliceError> {
    let root = document.root();
    let mut splice = Splice::new(document);
    if let Some(id) = root.get("id") {
        splice.replace(id, own.json().as_bytes());
    }
    let meta = root.get("params").and_then(|params| params.get("_meta"));
    if let Some(token) = meta.and_then(|meta| meta.get("progressToken")) {
        splice.remove(token);
    }
    splice.replace(filter, wanted.as_bytes());
    splice.finish().map(one_line)
}
