//! Several servers that one host sees as one.
//!
//! Each server has a [`Relay`] of its own, which judges what goes to it; the hub stands between the host and the relays.
//! What a relay gets is already what its server would get: names and addresses are put right first and judged then. Like
//! a relay, a hub reads and writes nothing: messages come in as bytes, and what has to be done comes out as [`HubAct`]s.

mod errand;
mod gather;
mod host;
mod links;
mod list;
mod listen;
mod merge;
mod name;
mod route;
mod server;
mod task;
mod uri;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_monitor::Permit;
use portcullis_wire::json::{Document, JsonError, Limits};
use portcullis_wire::mcp::Method;
use portcullis_wire::rpc::Id;

use crate::relay::batch::Batches;
use crate::relay::{Act, Relay};
use crate::server::Server;
use gather::Gather;
use listen::Stream;
use name::Prefix;
use route::Listed;
use task::Tasks;

/// What has to be done. Servers are meant by their places among those that the hub was made of.
pub enum HubAct {
    /// The host gets this.
    ToHost(Vec<u8>),
    /// A server gets this, which does nothing by itself.
    ToServer(usize, Vec<u8>),
    /// A server gets this, which was permitted.
    Call(usize, Permit, Vec<u8>),
    /// Whoever runs the gateway should know.
    Note(String),
}

/// Several servers that one host sees as one.
pub struct Hub {
    seats: Vec<Seat>,
    limits: Limits,
    era: Spoken,
    /// Requests of the host that one server has, by the host's ids, which the server gets to see.
    open: HashMap<Id, Open>,
    /// Requests of the host that go to several servers.
    gathers: Vec<Gather>,
    /// Streams of notifications.
    streams: Vec<Stream>,
    /// Requests of servers that the host has.
    asked: Vec<Asked>,
    /// The host's names for what it wants to hear progress of, and who may tell it.
    tokens: HashMap<Id, usize>,
    /// Those of tasks, which go on being told; the oldest first.
    task_tokens: VecDeque<Id>,
    tasks: Tasks,
    batches: Batches,
    /// Nobody who has not seen it can guess the ids of our own requests.
    nonce: u64,
    made: u64,
}

/// A server and what is known of it.
struct Seat {
    relay: Relay,
    prefix: Prefix,
    standing: Standing,
    /// One that has ended may be started again.
    has_ended: bool,
    /// What it says it can do, once it has.
    abilities: Option<BTreeSet<String>>,
    listed: Listed,
}

/// How a server stands with the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// They have not met.
    New,
    /// They know each other.
    Met,
    /// It would not, or was too slow; the host does not know of it.
    LeftOut,
}

/// Which era the host and the hub speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spoken {
    /// That is not settled.
    Unsettled,
    /// The one with a handshake; or one that has to come yet, for not all servers speak the other.
    Sessions,
    /// The one without.
    Stateless,
}

/// A request of the host that one server has.
struct Open {
    server: usize,
    method: Method,
    token: Option<Id>,
}

/// A request of a server, or of its relay, that the host has.
struct Asked {
    /// The id that the host sees.
    own: Id,
    server: usize,
    /// The id that the server, or its relay, gave it.
    id: Id,
    /// What the server calls the progress of it, as JSON.
    token: Option<String>,
}

/// What one step leads to.
struct Out {
    now: Timestamp,
    acts: Vec<HubAct>,
}

impl Out {
    fn new(now: Timestamp) -> Out {
        Out { now, acts: Vec::new() }
    }

    fn host(&mut self, bytes: Vec<u8>) {
        self.acts.push(HubAct::ToHost(bytes));
    }

    fn note(&mut self, note: impl Into<String>) {
        self.acts.push(HubAct::Note(note.into()));
    }
}

impl Hub {
    /// Servers and a host that have not met yet. The nonce has to be random.
    ///
    /// # Errors
    /// If there is no server, or their names cannot stand before the names of their tools; it says what to do.
    pub fn new(relays: Vec<Relay>, nonce: u64) -> Result<Hub, String> {
        let mut seats: Vec<Seat> = Vec::new();
        for relay in relays {
            let prefix = Prefix::of(&relay.server().name)?;
            let same = |seat: &&Seat| seat.prefix.text().eq_ignore_ascii_case(prefix.text());
            if let Some(other) = seats.iter().find(same) {
                return Err(format!(
                    "the servers `{}` and `{}` would both be shown as `{}`; give one of them another name",
                    shown(&other.relay.server().name),
                    shown(&relay.server().name),
                    prefix.text()
                ));
            }
            let (standing, has_ended, abilities, listed) = (Standing::New, false, None, Listed::default());
            seats.push(Seat { relay, prefix, standing, has_ended, abilities, listed });
        }
        if seats.is_empty() {
            return Err("there is no server to be guarded; name at least one".to_owned());
        }
        Ok(Hub {
            tasks: Tasks::new(seats.len()),
            seats,
            limits: Limits::default(),
            era: Spoken::Unsettled,
            open: HashMap::new(),
            gathers: Vec::new(),
            streams: Vec::new(),
            asked: Vec::new(),
            tokens: HashMap::new(),
            task_tokens: VecDeque::new(),
            batches: Batches::default(),
            nonce,
            made: 0,
        })
    }

    /// The servers, in their order.
    pub fn servers(&self) -> impl Iterator<Item = &Server> {
        self.seats.iter().map(|seat| seat.relay.server())
    }

    /// Whether no request of the host is open.
    pub fn is_idle(&self) -> bool {
        self.open.is_empty() && self.gathers.is_empty()
    }

    /// Whether something waits, so that [`Hub::tick`] has to be called.
    pub fn is_waiting(&self) -> bool {
        !self.gathers.is_empty()
            || self.streams.iter().any(Stream::is_waiting)
            || self.seats.iter().any(|seat| seat.relay.is_waiting())
    }

    /// Writes what waits to be written.
    pub fn flush(&self, now: Timestamp) -> Vec<HubAct> {
        // All of them have the same session.
        let acts = self.seats.first().map(|seat| seat.relay.flush(now)).unwrap_or_default();
        let note = |act| match act {
            Act::Note(note) => Some(HubAct::Note(note)),
            Act::ToHost(_) | Act::ToServer(_) | Act::Call(..) => None,
        };
        acts.into_iter().filter_map(note).collect()
    }

    /// Time has passed: calls that waited too long are refused, and servers that were too slow are left out.
    pub fn tick(&mut self, now: Timestamp) -> Vec<HubAct> {
        let mut out = Out::new(now);
        for server in 0..self.seats.len() {
            let waiting = self.seats.get_mut(server).filter(|seat| seat.relay.is_waiting());
            let acts = waiting.map(|seat| seat.relay.tick(now)).unwrap_or_default();
            self.take(server, acts, &mut out);
        }
        self.end_late_gathers(&mut out);
        self.settle_streams(&mut out);
        out.acts
    }

    /// Gives a relay something of the host's, and takes what follows.
    fn tell(&mut self, server: usize, bytes: Vec<u8>, out: &mut Out) {
        let acts = self.seats.get_mut(server).map(|seat| seat.relay.from_host(bytes, out.now));
        self.take(server, acts.unwrap_or_default(), out);
    }

    /// Takes what a relay wants done.
    fn take(&mut self, server: usize, acts: Vec<Act>, out: &mut Out) {
        for act in acts {
            match act {
                Act::ToServer(bytes) => out.acts.push(HubAct::ToServer(server, bytes)),
                Act::Call(permit, bytes) => out.acts.push(HubAct::Call(server, permit, bytes)),
                Act::Note(note) => out.note(format!("{}: {note}", self.called(server))),
                Act::ToHost(bytes) => self.heard(server, bytes, out),
            }
        }
    }

    /// Answers a request of the host.
    fn answer(&mut self, id: &Id, answer: Vec<u8>, out: &mut Out) {
        out.acts.extend(self.batches.reply(id, answer).map(HubAct::ToHost));
    }

    /// What a server is called in notes and texts.
    fn called(&self, server: usize) -> String {
        self.seats.get(server).map_or_else(String::new, |seat| shown(&seat.relay.server().name))
    }

    /// How the names of a server begin.
    fn prefix(&self, server: usize) -> &str {
        self.seats.get(server).map_or("", |seat| seat.prefix.text())
    }

    fn standing(&self, server: usize) -> Standing {
        self.seats.get(server).map_or(Standing::LeftOut, |seat| seat.standing)
    }

    fn has_ended(&self, server: usize) -> bool {
        self.seats.get(server).is_none_or(|seat| seat.has_ended)
    }

    /// Whether a server takes requests of the host.
    fn is_there(&self, server: usize) -> bool {
        !self.has_ended(server) && self.standing(server) != Standing::LeftOut
    }

    /// Whether a request of the host with this id could not be told from another.
    fn is_taken(&self, id: &Id) -> bool {
        self.open.contains_key(id)
            || self.gathers.iter().any(|gather| gather.uses(id))
            || self.streams.iter().any(|stream| stream.uses(id))
    }

    /// An id for a request of our own.
    fn own_id(&mut self) -> Id {
        loop {
            self.made += 1;
            let id = Id::text(&format!("hub-{:016x}-{}", self.nonce, self.made));
            if !self.is_taken(&id) && !self.asked.iter().any(|asked| asked.own == id) {
                return id;
            }
        }
    }

    fn parse(&self, bytes: Vec<u8>) -> Result<Arc<Document>, JsonError> {
        Document::parse(bytes, &self.limits).map(Arc::new)
    }
}
