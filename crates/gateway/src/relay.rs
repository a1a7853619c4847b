//! One host and one server: what each says, judged and passed on.
//!
//! Nothing is read or written here. Messages come in as bytes, and what has to be done comes out as [`Act`]s, in order.

pub(crate) mod batch;
mod calls;
mod elicit;
mod held;
mod host;
mod list;
mod met;
mod presence;
mod refusal;
mod server;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use portcullis_monitor::{Permit, Verdict};
use portcullis_store::QuestionId;
use portcullis_wire::json::{Document, Limits};
use portcullis_wire::rpc::Id;

use crate::guard::Guard;
use crate::server::{Server, Tools};
use batch::Batches;
use held::Held;
use list::Listed;
use met::Met;
use presence::{Greeting, Presence};

/// What has to be done.
pub enum Act {
    /// The host gets this.
    ToHost(Vec<u8>),
    /// The server gets this, which does nothing by itself.
    ToServer(Vec<u8>),
    /// The server gets this, which was permitted.
    Call(Permit, Vec<u8>),
    /// Whoever runs the gateway should know.
    Note(String),
}

/// How the user is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asking {
    /// In the host's own window where it has one, else at a terminal.
    HostFirst,
    /// At a terminal only.
    TerminalOnly,
}

/// One host and one server.
pub struct Relay {
    guard: Arc<Mutex<Guard>>,
    tools: Tools,
    listed: Listed,
    presence: Presence,
    met: Met,
    greeting: Greeting,
    has_answered: bool,
    limits: Limits,
    asking: Asking,
    /// What the host can do, as it said when the session began.
    host_has_forms: bool,
    /// Requests of the host that the server has.
    in_flight: HashMap<Id, What>,
    /// Requests of the server that the host has.
    from_server: HashMap<Id, ()>,
    /// Questions of our own that the host has.
    own_questions: HashMap<Id, QuestionId>,
    /// Calls that wait for an answer, or for the server's list of tools.
    held: Vec<Held>,
    /// Verdicts of calls that go on as tasks, by the tasks' names.
    tasks: HashMap<String, Verdict>,
    batches: Batches,
    /// Nobody who has not seen it can guess the ids of our own requests.
    nonce: u64,
    own_requests: u64,
}

/// What a request was, as far as its answer is concerned.
enum What {
    /// Nothing that matters.
    Plain,
    /// The host's greeting.
    Greeting,
    /// A page of the list of tools; whether it is the first.
    Tools { is_first: bool },
    /// Something that was permitted.
    Judged(Box<Verdict>),
    /// A question after a task.
    Task(String),
}

impl Relay {
    /// A host and a server that have not met yet. The nonce has to be random.
    pub fn new(
        guard: Arc<Mutex<Guard>>,
        server: Server,
        asking: Asking,
        nonce: u64,
    ) -> Result<Relay, String> {
        Ok(Relay {
            guard,
            tools: Tools::new(server)?,
            listed: Listed::Never,
            presence: Presence::Here,
            met: Met::default(),
            greeting: Greeting::default(),
            has_answered: false,
            limits: Limits::default(),
            asking,
            host_has_forms: false,
            in_flight: HashMap::new(),
            from_server: HashMap::new(),
            own_questions: HashMap::new(),
            held: Vec::new(),
            tasks: HashMap::new(),
            batches: Batches::default(),
            nonce,
            own_requests: 0,
        })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        self.tools.server()
    }

    /// Whether calls wait for something, so that [`Relay::tick`] has to be called.
    pub fn is_waiting(&self) -> bool {
        !self.held.is_empty() || self.guard().has_unwritten()
    }

    /// Writes what waits to be written.
    pub fn flush(&self, now: Timestamp) -> Vec<Act> {
        match self.guard().flush(now) {
            Ok(()) => Vec::new(),
            Err(error) => vec![Act::Note(format!("how calls ended is not recorded: {error}"))],
        }
    }

    fn guard(&self) -> MutexGuard<'_, Guard> {
        // Whoever panicked has changed nothing that is not recorded, and the next call reads the store again.
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An id for a request of our own.
    fn own_id(&mut self) -> Id {
        self.own_requests += 1;
        Id::text(&format!("portcullis-{:016x}-{}", self.nonce, self.own_requests))
    }

    fn parse(&self, bytes: Vec<u8>) -> Result<Arc<Document>, portcullis_wire::json::JsonError> {
        Document::parse(bytes, &self.limits).map(Arc::new)
    }

    /// Answers a request of the host.
    fn reply(&mut self, id: &Id, answer: Vec<u8>, acts: &mut Vec<Act>) {
        acts.extend(self.batches.reply(id, answer).map(Act::ToHost));
    }
}
