//! Requests that several servers get, and whose answers become one.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use portcullis_wire::json::{Document, Kind as JsonKind, Node};
use portcullis_wire::mcp::Initialize;
use portcullis_wire::rpc::{self, Id, Message, code};
use portcullis_wire::splice::{Splice, SpliceError};

use super::host::one_line;
use super::list::{Pages, What};
use super::{Hub, Out, Spoken, Standing};

/// So long a server may take for a handshake or for all pages of a list. Hosts wait for half a minute or longer.
pub(super) const PATIENCE: SignedDuration = SignedDuration::from_secs(20);
/// So long it may take to say whether it speaks without sessions. Some servers of old do not answer at all.
const PROBE_PATIENCE: SignedDuration = SignedDuration::from_secs(5);

/// So many requests to several servers are open at once.
const MOST_GATHERS: usize = 64;

/// Why a host has to begin with a handshake.
pub(super) const NEEDS_SESSION: &str =
    "not all servers here speak a revision without sessions; begin with `initialize`";

/// What is asked of several servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Initialize,
    Discover,
    List(What),
    SetLevel,
}

/// A request of the host that several servers have.
pub(super) struct Gather {
    /// The host's.
    pub(super) id: Id,
    pub(super) kind: Kind,
    /// The request as it came.
    pub(super) document: Arc<Document>,
    pub(super) parts: Vec<Part>,
    until: Timestamp,
}

/// What one server says to it.
pub(super) struct Part {
    pub(super) server: usize,
    pub(super) state: State,
    /// What it listed so far.
    pub(super) pages: Pages,
}

/// How far one server is.
pub(super) enum State {
    /// It has our request.
    Waiting(Id),
    /// It answered.
    Answered(Arc<Document>),
    /// It would not, and this is the error as JSON.
    Failed(Vec<u8>),
}

impl Gather {
    /// Whether this is the id of the host's request, or of one that a server has for it.
    pub(super) fn uses(&self, id: &Id) -> bool {
        self.id == *id || self.parts.iter().any(|part| part.state.waits_for(id))
    }

    fn is_complete(&self) -> bool {
        let has_failed = self.parts.iter().any(|part| matches!(part.state, State::Failed(_)));
        // One that cannot is enough for the host to be told that not all can.
        (self.kind == Kind::Discover && has_failed)
            || self.parts.iter().all(|part| !matches!(part.state, State::Waiting(_)))
    }

    /// Whether the host gets to know nothing but failures, and the first of them.
    pub(super) fn failure(&self) -> Option<Vec<u8>> {
        let failed: Option<Vec<&Vec<u8>>> = self
            .parts
            .iter()
            .map(|part| match &part.state {
                State::Failed(error) => Some(error),
                State::Waiting(_) | State::Answered(_) => None,
            })
            .collect();
        let first = failed?.into_iter().next()?.clone();
        Some(failed_with(&self.id, &first))
    }
}

impl State {
    fn waits_for(&self, id: &Id) -> bool {
        matches!(self, State::Waiting(own) if own == id)
    }

    /// A failure in our own words.
    pub(super) fn failed(text: &str) -> State {
        let error = format!("{{\"code\":{},\"message\":{}}}", code::INTERNAL_ERROR, quoted(text));
        State::Failed(error.into_bytes())
    }
}

impl Hub {
    /// Asks all servers that are concerned.
    pub(super) fn begin_gather(&mut self, kind: Kind, document: &Arc<Document>, id: &Id, out: &mut Out) {
        if let Err((code, text)) = self.may_gather(kind, document) {
            let failure = rpc::failure(id, code, &text, None);
            return self.answer(id, failure, out);
        }
        if kind == Kind::Initialize {
            self.end_probes(out);
        }
        let servers: Vec<usize> =
            (0..self.seats.len()).filter(|server| self.concerns(kind, *server)).collect();
        let mut gather = Gather {
            id: id.clone(),
            kind,
            document: Arc::clone(document),
            parts: Vec::new(),
            until: out.now.saturating_add(patience(kind)).unwrap_or(out.now),
        };
        let mut requests = Vec::new();
        for server in servers {
            let own = self.own_id();
            match request(document, &own, None) {
                Ok(bytes) => requests.push((server, bytes)),
                Err(error) => {
                    let failure = rpc::failure(id, code::INVALID_PARAMS, &error.to_string(), None);
                    return self.answer(id, failure, out);
                }
            }
            gather.parts.push(Part { server, state: State::Waiting(own), pages: Pages::default() });
        }
        if gather.parts.is_empty() {
            return self.finish(gather, out);
        }
        self.gathers.push(gather);
        for (server, bytes) in requests {
            self.tell(server, bytes, out);
        }
    }

    /// A host that greets has not waited for the answer to its probe. What comes now settles nothing any more.
    fn end_probes(&mut self, out: &mut Out) {
        while let Some(at) = self.gathers.iter().position(|gather| gather.kind == Kind::Discover) {
            let gather = self.gathers.remove(at);
            self.refuse_stateless(&gather.id, out);
        }
    }

    /// Whether this can be asked at all now.
    fn may_gather(&self, kind: Kind, document: &Document) -> Result<(), (i64, String)> {
        let params = document.root().get("params");
        if params.is_some_and(|params| params.kind() != JsonKind::Object) {
            return Err((code::INVALID_PARAMS, "`params` has to be an object".to_owned()));
        }
        let cursor = params.and_then(|params| params.get("cursor"));
        if self.gathers.len() >= MOST_GATHERS {
            let text = "too many requests to all servers are open; wait for answers first";
            return Err((code::INTERNAL_ERROR, text.to_owned()));
        }
        let is_pending = |kind: Kind| self.gathers.iter().any(|gather| gather.kind == kind);
        let has_met = self.seats.iter().any(|seat| seat.standing == Standing::Met);
        let (code, text) = match kind {
            Kind::Initialize => match Initialize::read(params) {
                Err(error) => return Err((code::INVALID_PARAMS, error.to_string())),
                Ok(_) if is_pending(kind) || (has_met && self.era == Spoken::Sessions) => {
                    (code::INVALID_REQUEST, "the session has begun already")
                }
                Ok(_) => return Ok(()),
            },
            Kind::Discover if self.era == Spoken::Sessions || is_pending(Kind::Initialize) => {
                (code::METHOD_NOT_FOUND, NEEDS_SESSION)
            }
            // All pages came at once, so nobody was given one.
            Kind::List(_) if cursor.is_some_and(|cursor| !cursor.is_null()) => {
                (code::INVALID_PARAMS, "this list has no more pages")
            }
            Kind::SetLevel if !(0..self.seats.len()).any(|server| self.concerns(kind, server)) => {
                (code::METHOD_NOT_FOUND, "none of the servers logs anything")
            }
            Kind::Discover | Kind::List(_) | Kind::SetLevel => return Ok(()),
        };
        Err((code, text.to_owned()))
    }

    fn concerns(&self, kind: Kind, server: usize) -> bool {
        match kind {
            Kind::Initialize => !self.has_ended(server),
            Kind::Discover => self.is_there(server),
            Kind::SetLevel => self.can(server, "logging"),
            Kind::List(what) => self.can(server, what.ability()),
        }
    }

    /// An answer of a server to something that we asked for the host. Says whether it is one.
    pub(super) fn part_answer(
        &mut self,
        server: usize,
        id: &Id,
        document: &Arc<Document>,
        out: &mut Out,
    ) -> bool {
        let is_meant = |part: &Part| part.server == server && part.state.waits_for(id);
        let Some(at) = self.gathers.iter().position(|gather| gather.parts.iter().any(is_meant)) else {
            return false;
        };
        let mut gather = self.gathers.remove(at);
        let kind = gather.kind;
        let Some(part) = gather.parts.iter_mut().find(|part| is_meant(part)) else { return false };
        part.state = match (Message::read_one(document.root()), kind) {
            (Ok(Message::Response { result, .. }), Kind::List(what)) => match part.pages.take(what, result) {
                Ok(None) => State::Answered(Arc::clone(document)),
                Ok(Some(cursor)) => return self.ask_for_page(gather, server, &cursor, out),
                Err(error) => State::failed(&error),
            },
            (Ok(Message::Response { .. }), Kind::Initialize | Kind::Discover | Kind::SetLevel) => {
                State::Answered(Arc::clone(document))
            }
            _ => State::Failed(document.root().get("error").map(Node::raw).unwrap_or_default().to_vec()),
        };
        self.put_back(gather, out);
        true
    }

    fn ask_for_page(&mut self, mut gather: Gather, server: usize, cursor: &str, out: &mut Out) -> bool {
        // The gather is out of the list at this moment, so its own ids have to be looked at by themselves.
        let mut own = self.own_id();
        while gather.uses(&own) {
            own = self.own_id();
        }
        let request = request(&gather.document, &own, Some(cursor));
        if let Some(part) = gather.parts.iter_mut().find(|part| part.server == server) {
            part.state = match &request {
                Ok(_) => State::Waiting(own),
                Err(error) => State::failed(&error.to_string()),
            };
        }
        self.put_back(gather, out);
        if let Ok(bytes) = request {
            self.tell(server, bytes, out);
        }
        true
    }

    fn put_back(&mut self, gather: Gather, out: &mut Out) {
        match gather.is_complete() {
            true => self.finish(gather, out),
            false => self.gathers.push(gather),
        }
    }

    fn finish(&mut self, gather: Gather, out: &mut Out) {
        let answer = match gather.kind {
            Kind::Initialize => self.initialized(&gather, out),
            Kind::Discover => self.discovered(&gather, out),
            Kind::List(what) => self.listed(&gather, what, out),
            Kind::SetLevel => gather.failure().unwrap_or_else(|| rpc::response(&gather.id, b"{}")),
        };
        self.answer(&gather.id, answer, out);
    }

    /// Servers that took too long are left out of what they were asked for.
    pub(super) fn end_late_gathers(&mut self, out: &mut Out) {
        while let Some(at) = self.gathers.iter().position(|gather| gather.until < out.now) {
            let mut gather = self.gathers.remove(at);
            let seconds = patience(gather.kind).as_secs();
            for part in &mut gather.parts {
                let State::Waiting(own) = &part.state else { continue };
                let own = own.clone();
                part.state = State::failed(&format!("the server did not answer within {seconds} seconds"));
                self.cancel_part(gather.kind, part.server, &own, out);
            }
            self.finish(gather, out);
        }
    }

    /// A server is gone, and does not answer any more.
    pub(super) fn end_parts(&mut self, server: usize, out: &mut Out) {
        for mut gather in std::mem::take(&mut self.gathers) {
            for part in gather.parts.iter_mut().filter(|part| part.server == server) {
                if matches!(part.state, State::Waiting(_)) {
                    part.state = State::failed("the server has ended");
                }
            }
            self.put_back(gather, out);
        }
    }

    /// The host does not want to know any more. Says whether it had asked.
    pub(super) fn cancel_gather(&mut self, id: &Id, out: &mut Out) -> bool {
        let Some(at) = self.gathers.iter().position(|gather| gather.id == *id) else { return false };
        let gather = self.gathers.remove(at);
        for part in &gather.parts {
            if let State::Waiting(own) = &part.state {
                self.cancel_part(gather.kind, part.server, own, out);
            }
        }
        true
    }

    fn cancel_part(&mut self, kind: Kind, server: usize, own: &Id, out: &mut Out) {
        // A handshake must not be cancelled.
        if kind != Kind::Initialize {
            let params = format!("{{\"requestId\":{}}}", own.json());
            self.tell(server, rpc::notification("notifications/cancelled", Some(params.as_bytes())), out);
        }
    }
}

fn patience(kind: Kind) -> SignedDuration {
    if kind == Kind::Discover { PROBE_PATIENCE } else { PATIENCE }
}

/// The host's request as a server gets it: under our id, for one page, without a name for progress, which only one
/// server could use.
fn request(document: &Document, own: &Id, cursor: Option<&str>) -> Result<Vec<u8>, SpliceError> {
    let root = document.root();
    let mut splice = Splice::new(document);
    if let Some(id) = root.get("id") {
        splice.replace(id, own.json().as_bytes());
    }
    let params = root.get("params");
    let meta = params.and_then(|params| params.get("_meta"));
    if let Some(token) = meta.and_then(|meta| meta.get("progressToken")) {
        splice.remove(token);
    }
    match (params, cursor) {
        (Some(params), Some(cursor)) => drop(splice.set_member(params, "cursor", quoted(cursor).as_bytes())),
        (None, Some(cursor)) => {
            splice.insert_member(root, "params", format!("{{\"cursor\":{}}}", quoted(cursor)).as_bytes());
        }
        (_, None) => {}
    }
    splice.finish().map(one_line)
}

fn quoted(text: &str) -> String {
    portcullis_wire::json::quote(text)
}

/// A failure with an error that is JSON already.
pub(super) fn failed_with(id: &Id, error: &[u8]) -> Vec<u8> {
    let head = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":", id.json());
    [head.as_bytes(), error, b"}"].concat()
}
