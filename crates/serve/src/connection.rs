//! One host with the servers that it speaks to.
//!
//! Whoever reads a message, from the host or from a server, has it judged here and hands out what follows, under one
//! lock: nothing here waits for anybody, so that what goes out has the order in which it was decided.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use portcullis_gateway::HubAct;
use portcullis_remote::Peer;
use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::Mismatch;
use portcullis_wire::rpc::{self, Id, Message};
use tokio::runtime::Handle;

use crate::link::{Link, Target};
use crate::middle::Middle;
use crate::numbers::{Numbers, Whose, cancelled, progress_of};
use crate::outlets::{Inlet, Keeping, Outlets, Part};
use crate::schemas::Schemas;

/// How often answers are looked for while calls wait.
const LOOK: Duration = Duration::from_millis(50);

/// How often it is looked whether everything is answered.
const GLANCE: Duration = Duration::from_millis(5);
/// A message that is too long cannot be read.
const TOO_LONG: i64 = -32_700;

/// Where notes for whoever runs the gateway go.
pub type Notes = Arc<dyn Fn(&str) + Send + Sync>;

/// One host with the servers that it speaks to.
pub struct Connection {
    state: Mutex<State>,
    links: OnceLock<Vec<Box<dyn Link>>>,
    notes: Notes,
    runtime: Handle,
    is_ticking: AtomicBool,
    is_over: AtomicBool,
}

struct State {
    middle: Middle,
    host: Host,
    used: Instant,
}

/// How the host is reached.
enum Host {
    /// By streams of one session.
    Session(Outlets),
    /// By streams of requests that know nothing of each other.
    Stateless(Box<Stateless>),
    /// In one place, in order.
    Plain(Box<dyn FnMut(Vec<u8>) + Send>),
}

struct Stateless {
    outlets: Outlets,
    numbers: Numbers,
    schemas: Schemas,
}

/// Why a request is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Untaken {
    /// Another one with its id is open.
    Twice,
    /// It is not what this connection speaks.
    Form,
}

impl Connection {
    /// A connection of a host with a session. Its servers are started.
    pub(crate) fn session(middle: Middle, targets: Vec<Target>, notes: Notes) -> Arc<Connection> {
        Connection::open(middle, targets, notes, Host::Session(Outlets::new(Keeping::Kept)))
    }

    /// A connection of all hosts that speak without sessions.
    pub(crate) fn stateless(middle: Middle, targets: Vec<Target>, notes: Notes) -> Arc<Connection> {
        let outlets = Outlets::new(Keeping::NotKept);
        let host = Stateless { outlets, numbers: Numbers::default(), schemas: Schemas::default() };
        Connection::open(middle, targets, notes, Host::Stateless(Box::new(host)))
    }

    /// A connection of a host that is written to in one place. Has to be called within a runtime of tokio.
    pub fn plain(
        middle: Middle,
        targets: Vec<Target>,
        notes: Notes,
        host: Box<dyn FnMut(Vec<u8>) + Send>,
    ) -> Arc<Connection> {
        Connection::open(middle, targets, notes, Host::Plain(host))
    }

    fn open(middle: Middle, targets: Vec<Target>, notes: Notes, host: Host) -> Arc<Connection> {
        let connection = Arc::new(Connection {
            state: Mutex::new(State { middle, host, used: Instant::now() }),
            links: OnceLock::new(),
            notes,
            runtime: Handle::current(),
            is_ticking: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let link = |(server, target): (usize, Target)| target.link(server, Arc::downgrade(&connection));
        // Nobody else has seen the connection, so that it is set here.
        let _ = connection.links.set(targets.into_iter().enumerate().map(link).collect());
        connection
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked has changed nothing that is not recorded.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host sends something that wants no answer on a stream: a notification, an answer, or anything if it is plain.
    pub fn tell(self: &Arc<Self>, bytes: Vec<u8>) {
        self.take(None, |middle, now| middle.host_says(bytes, now));
    }

    /// The host sent something that is too long to be read.
    pub fn too_long(&self) {
        let failure = rpc::failure(&Id::NULL, TOO_LONG, "the message is too long to be read", None);
        self.state().host.deliver(failure, None);
    }

    /// The host asks something. The answer comes on a stream of its own, with this number.
    pub(crate) fn ask(
        self: &Arc<Self>,
        document: &Document,
        requests: Vec<Id>,
    ) -> Result<(u64, Inlet), Untaken> {
        let mut state = self.state();
        let is_twice = |id: &Id| requests.iter().filter(|other| *other == id).count() > 1;
        let (stream, receiver, bytes, about) = match &mut state.host {
            Host::Session(outlets) => {
                if requests.iter().any(|id| outlets.waits_for(id) || is_twice(id)) {
                    return Err(Untaken::Twice);
                }
                let about = requests.first().cloned();
                let progress = progress_of(document.root()).map(Node::raw_text).map(str::to_owned);
                let (stream, receiver) = outlets.open(requests, progress);
                (stream, receiver, document.line().into_owned(), about)
            }
            Host::Stateless(host) => {
                let (bytes, number) = host.numbers.inward(document).ok_or(Untaken::Form)?;
                let (stream, receiver) = host.outlets.open(vec![number.clone()], None);
                (stream, receiver, bytes, Some(number))
            }
            Host::Plain(_) => return Err(Untaken::Form),
        };
        let acts = state.middle.host_says(bytes, Timestamp::now());
        self.perform(&mut state, acts, about.as_ref());
        Ok((stream, receiver))
    }

    /// Somebody listens to what belongs to no request, or goes on with a stream behind an event.
    pub(crate) fn listen(&self, from: Option<(u64, u64)>) -> Option<(u64, Inlet)> {
        let mut state = self.state();
        state.used = Instant::now();
        match (&mut state.host, from) {
            (Host::Session(outlets), None) => outlets.stand(),
            (Host::Session(outlets), Some((stream, event))) => {
                outlets.resume(stream, event).map(|receiver| (stream, receiver))
            }
            (Host::Stateless(_) | Host::Plain(_), _) => None,
        }
    }

    /// Whoever read a stream is gone. Without sessions that takes the request back.
    pub(crate) fn abandon(self: &Arc<Self>, stream: u64) {
        let given_up = match &mut self.state().host {
            Host::Stateless(host) => {
                let given_up = host.outlets.forget(stream);
                given_up.iter().for_each(|number| host.numbers.forget(number));
                given_up
            }
            Host::Session(_) | Host::Plain(_) => Vec::new(),
        };
        for number in given_up {
            self.tell(cancelled(&number));
        }
    }

    /// The whole answer went out at once, so that nobody will come back for it.
    pub(crate) fn answered(&self, stream: u64) {
        if let Host::Session(outlets) = &mut self.state().host {
            outlets.forget(stream);
        }
    }

    /// Whether headers are what a body says.
    pub(crate) fn check_headers<'h>(
        &self,
        headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
        message: &Message<'_>,
    ) -> Result<(), Mismatch> {
        match &self.state().host {
            Host::Stateless(host) => host.schemas.check(headers, message),
            Host::Session(_) | Host::Plain(_) => Ok(()),
        }
    }

    /// A server sends something, perhaps on the stream of a request.
    pub(crate) fn server_says(self: &Arc<Self>, server: usize, bytes: Vec<u8>, about: Option<&Id>) {
        self.take(about, |middle, now| middle.server_says(server, bytes, now));
    }

    /// A server sends something that begins so and cannot be read.
    pub(crate) fn unreadable(self: &Arc<Self>, server: usize, head: &[u8], why: &str) {
        self.take(None, |middle, now| middle.unreadable(server, head, why, now));
    }

    /// A server has this certificate from here on.
    pub(crate) fn server_met(self: &Arc<Self>, server: usize, peer: &Peer) {
        self.take(None, |middle, now| middle.server_met(server, peer, now));
    }

    /// A server has ended for good.
    pub(crate) fn server_ended(self: &Arc<Self>, server: usize) {
        self.take(None, |middle, now| middle.server_ended(server, now));
    }

    /// A server has ended and is going to be started again.
    pub(crate) fn server_awaited(self: &Arc<Self>, server: usize) {
        self.take(None, |middle, now| {
            let acts = middle.server_ended(server, now);
            middle.server_awaited(server);
            acts
        });
    }

    /// A server was started again.
    pub(crate) fn server_restarted(self: &Arc<Self>, server: usize) {
        self.take(None, |middle, now| middle.server_restarted(server, now));
    }

    /// Tells whoever runs the gateway.
    pub(crate) fn note(&self, note: &str) {
        (self.notes)(note);
    }

    /// How long nobody has used it; nothing if somebody does.
    pub(crate) fn idle(&self) -> Option<Duration> {
        let state = self.state();
        let is_used = match &state.host {
            Host::Session(outlets) => outlets.is_used(),
            Host::Stateless(host) => host.outlets.is_used(),
            Host::Plain(_) => true,
        };
        (!is_used).then(|| state.used.elapsed())
    }

    /// Waits until everything that the host asked is answered, though not for longer than this.
    pub fn let_answer(&self, longest: Duration) {
        let began = Instant::now();
        while !self.state().middle.is_idle() && began.elapsed() < longest {
            std::thread::sleep(GLANCE);
        }
    }

    /// Ends the servers. Waits for none of them.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        let mut state = self.state();
        // Whoever still waits is told, and nobody is asked any more for what will not be done.
        for server in 0..self.links.get().map_or(0, Vec::len) {
            for act in state.middle.server_ended(server, Timestamp::now()) {
                if let HubAct::ToHost(bytes) = act {
                    state.host.deliver(bytes, None);
                }
            }
        }
        for act in state.middle.flush(Timestamp::now()) {
            if let HubAct::Note(note) = act {
                (self.notes)(&note);
            }
        }
        match &mut state.host {
            Host::Session(outlets) => outlets.close(),
            Host::Stateless(host) => host.outlets.close(),
            Host::Plain(_) => {}
        }
        drop(state);
        self.links.get().into_iter().flatten().for_each(|link| link.close());
    }

    /// Waits until the servers have ended.
    pub fn wait(&self) {
        self.links.get().into_iter().flatten().for_each(|link| link.wait());
    }

    fn take(self: &Arc<Self>, about: Option<&Id>, step: impl FnOnce(&mut Middle, Timestamp) -> Vec<HubAct>) {
        let mut state = self.state();
        let acts = step(&mut state.middle, Timestamp::now());
        self.perform(&mut state, acts, about);
    }

    fn perform(self: &Arc<Self>, state: &mut State, acts: Vec<HubAct>, about: Option<&Id>) {
        state.used = Instant::now();
        let link = |server: usize| self.links.get().and_then(|links| links.get(server));
        for act in acts {
            match act {
                HubAct::ToHost(bytes) => state.host.deliver(bytes, about),
                HubAct::ToServer(server, bytes) => {
                    if let Some(link) = link(server) {
                        link.send(bytes);
                    }
                }
                HubAct::Call(server, permit, bytes) => {
                    if let Some(link) = link(server) {
                        link.call(permit, bytes);
                    }
                }
                HubAct::Note(note) => (self.notes)(&note),
            }
        }
        if state.middle.is_waiting() && !self.is_ticking.swap(true, Ordering::SeqCst) {
            let connection = Arc::clone(self);
            self.runtime.spawn(async move { connection.look_after_waiting().await });
        }
    }

    /// Looks for answers as long as calls wait.
    async fn look_after_waiting(self: Arc<Self>) {
        while !self.is_over.load(Ordering::SeqCst) {
            tokio::time::sleep(LOOK).await;
            let mut state = self.state();
            let acts = state.middle.tick(Timestamp::now());
            self.perform(&mut state, acts, None);
            if !state.middle.is_waiting() {
                // Under the lock, so that nobody begins to wait unnoticed.
                self.is_ticking.store(false, Ordering::SeqCst);
                return;
            }
        }
    }
}

impl Host {
    fn deliver(&mut self, message: Vec<u8>, about: Option<&Id>) {
        match self {
            Host::Session(outlets) => outlets.deliver(message, about),
            Host::Stateless(host) => {
                host.schemas.learn(&message);
                match host.numbers.outward(&message) {
                    Whose::Of(message, number, part) => host.outlets.deliver_to(&number, part, message),
                    // It belongs to the request on whose stream it came, if that is known.
                    Whose::Unnamed => {
                        if let Some(number) = about {
                            host.outlets.deliver_to(number, Part::News, message);
                        }
                    }
                    Whose::Nobodys => {}
                }
            }
            Host::Plain(write) => write(message),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close();
    }
}
