//! Where messages to the host go: each request has a stream of its own, and there is one for what belongs to none.
//!
//! What went out is kept for a while, so that a host whose stream broke can go on where it was.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::rpc::{Id, Incoming, Message};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// So many messages are kept of a stream.
const MOST_MESSAGES: usize = 1024;
/// So many bytes wait at most for somebody who reads slowly. Answers wait all the same: there is one for each request.
const MOST_UNREAD: usize = 8 << 20;
/// So many bytes of a stream are kept.
const MOST_KEPT: usize = 8 << 20;
/// So many streams are kept that have ended.
const MOST_DONE: usize = 32;

/// What goes out on a stream.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// Its number on the stream.
    pub(crate) event: u64,
    pub(crate) message: Vec<u8>,
    /// Nothing follows it.
    pub(crate) is_last: bool,
}

/// What somebody reads from a stream.
pub(crate) struct Inlet {
    receiver: UnboundedReceiver<Sent>,
    unread: Arc<AtomicUsize>,
}

impl Inlet {
    /// What comes next; nothing if no more comes.
    pub(crate) async fn next(&mut self) -> Option<Sent> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    /// The same for whoever polls.
    pub(crate) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Sent>> {
        let polled = self.receiver.poll_recv(context);
        if let Poll::Ready(Some(sent)) = &polled {
            self.unread.fetch_sub(sent.message.len(), Ordering::SeqCst);
        }
        polled
    }
}

/// Where a stream goes to.
struct Reader {
    sender: UnboundedSender<Sent>,
    unread: Arc<AtomicUsize>,
}

impl Reader {
    fn new() -> (Reader, Inlet) {
        let (sender, receiver) = unbounded_channel();
        let unread = Arc::new(AtomicUsize::new(0));
        (Reader { sender, unread: Arc::clone(&unread) }, Inlet { receiver, unread })
    }

    fn is_there(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Whether somebody will read it.
    fn send(&self, sent: Sent) -> bool {
        let length = sent.message.len();
        if !sent.is_last && self.unread.load(Ordering::SeqCst) + length > MOST_UNREAD {
            return self.is_there();
        }
        self.unread.fetch_add(length, Ordering::SeqCst);
        self.sender.send(sent).is_ok()
    }
}

/// What a message is to its request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The last that comes.
    Answer,
    /// Something before it.
    News,
}

/// Whether what went out is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keeping {
    /// For hosts that come back.
    Kept,
    /// In the era without sessions a stream that broke is over.
    NotKept,
}

/// The streams of one host.
pub(crate) struct Outlets {
    keeping: Keeping,
    streams: BTreeMap<u64, Outlet>,
    /// Which stream answers a request.
    of_request: HashMap<Id, u64>,
    /// The stream for what belongs to no request.
    standing: u64,
    begun: u64,
}

#[derive(Default)]
struct Outlet {
    /// What it still has to answer.
    waits: Vec<Id>,
    /// The host's name for the progress of its request, as JSON.
    progress: Option<String>,
    kept: VecDeque<Sent>,
    kept_bytes: usize,
    events: u64,
    /// Up to which event somebody read.
    read: u64,
    reader: Option<Reader>,
    is_done: bool,
}

impl Outlets {
    /// None so far but the standing one.
    pub(crate) fn new(keeping: Keeping) -> Outlets {
        let streams = BTreeMap::from([(0, Outlet::default())]);
        Outlets { keeping, streams, of_request: HashMap::new(), standing: 0, begun: 0 }
    }

    /// A stream for these requests.
    pub(crate) fn open(&mut self, waits: Vec<Id>, progress: Option<String>) -> (u64, Inlet) {
        self.begun += 1;
        let (reader, inlet) = Reader::new();
        self.of_request.extend(waits.iter().map(|id| (id.clone(), self.begun)));
        let outlet = Outlet { waits, progress, reader: Some(reader), ..Outlet::default() };
        self.streams.insert(self.begun, outlet);
        (self.begun, inlet)
    }

    /// Reads what belongs to no request, from where the last reader was.
    pub(crate) fn stand(&mut self) -> Option<(u64, Inlet)> {
        let standing = self.standing;
        let read = self.streams.get(&standing).map(|outlet| outlet.read)?;
        self.resume(standing, read).map(|inlet| (standing, inlet))
    }

    /// Reads a stream from behind an event on.
    pub(crate) fn resume(&mut self, stream: u64, behind: u64) -> Option<Inlet> {
        let outlet = self.streams.get_mut(&stream)?;
        let (reader, inlet) = Reader::new();
        for sent in outlet.kept.iter().filter(|sent| sent.event > behind) {
            reader.send(sent.clone());
            outlet.read = sent.event;
        }
        outlet.reader = (!outlet.is_done).then_some(reader);
        Some(inlet)
    }

    /// Nobody will read this stream any more. Says what was to be answered on it.
    pub(crate) fn forget(&mut self, stream: u64) -> Vec<Id> {
        let Some(outlet) = self.streams.remove(&stream) else { return Vec::new() };
        for id in &outlet.waits {
            self.of_request.remove(id);
        }
        outlet.waits
    }

    /// Nothing goes out any more: whoever reads a stream sees its end.
    pub(crate) fn close(&mut self) {
        self.of_request.clear();
        for outlet in self.streams.values_mut() {
            outlet.reader = None;
        }
    }

    /// Whether a request with this id is open.
    pub(crate) fn waits_for(&self, id: &Id) -> bool {
        self.of_request.contains_key(id)
    }

    /// Sends a message to whoever made this request; with the answer the stream ends.
    pub(crate) fn deliver_to(&mut self, request: &Id, part: Part, message: Vec<u8>) {
        let Some(stream) = self.of_request.get(request).copied() else { return };
        let is_last = part == Part::Answer;
        let Some(outlet) = self.streams.get_mut(&stream) else { return };
        outlet.send(message, is_last, self.keeping);
        if is_last {
            self.of_request.remove(request);
            self.tidy();
        }
    }

    /// Whether somebody reads.
    pub(crate) fn is_used(&self) -> bool {
        let is_read = |outlet: &Outlet| outlet.reader.as_ref().is_some_and(Reader::is_there);
        self.streams.values().any(is_read)
    }

    /// Sends a message to the host. `about` is the request on whose stream the server said it, if that is known.
    pub(crate) fn deliver(&mut self, message: Vec<u8>, about: Option<&Id>) {
        let what = what_it_is(&message);
        let answers = match &what {
            What::Answers(answers) => answers.as_slice(),
            What::Progress(_) | What::Request | What::Other => &[],
        };
        let of_answer = answers.iter().find_map(|id| self.of_request.get(id).copied());
        let stream = match answers.is_empty() {
            // An answer that nobody waits for any more has nowhere to go.
            false => of_answer,
            true => Some(self.stream_for(about, &what)),
        };
        let Some(outlet) = stream.and_then(|stream| self.streams.get_mut(&stream)) else { return };
        outlet.waits.retain(|id| !answers.contains(id));
        for id in answers {
            self.of_request.remove(id);
        }
        let is_last = !answers.is_empty() && outlet.waits.is_empty();
        outlet.send(message, is_last, self.keeping);
        self.tidy();
    }

    /// The stream for something that is no answer.
    fn stream_for(&self, about: Option<&Id>, what: &What) -> u64 {
        let open =
            || self.streams.iter().filter(|(number, outlet)| **number != self.standing && !outlet.is_done);
        let token = match what {
            What::Progress(token) => Some(token.as_str()),
            What::Answers(_) | What::Request | What::Other => None,
        };
        let of_progress = token
            .and_then(|token| open().find(|(_, outlet)| outlet.progress.as_deref() == Some(token)))
            .map(|(number, _)| *number);
        let of_request = || about.and_then(|id| self.of_request.get(id).copied());
        let is_read = |outlet: &Outlet| outlet.reader.as_ref().is_some_and(Reader::is_there);
        let listens = || self.streams.get(&self.standing).is_some_and(is_read).then_some(self.standing);
        // A server on standard streams does not say what a message belongs to: the newest request is as good as any.
        let newest = || open().filter(|(_, outlet)| is_read(outlet)).map(|(number, _)| *number).next_back();
        let known = of_progress.or_else(of_request);
        let guessed = match what {
            // A call that waits for an answer is more likely to be read than what belongs to none.
            What::Request => known.or_else(newest).or_else(listens),
            What::Answers(_) | What::Progress(_) | What::Other => known.or_else(listens).or_else(newest),
        };
        guessed.unwrap_or(self.standing)
    }

    /// Forgets the oldest of what is done.
    fn tidy(&mut self) {
        let done = |outlet: &&Outlet| outlet.is_done;
        let most = if self.keeping == Keeping::Kept { MOST_DONE } else { 0 };
        while self.streams.values().filter(done).count() > most {
            let oldest = self.streams.iter().find(|(_, outlet)| outlet.is_done).map(|(number, _)| *number);
            if let Some(oldest) = oldest {
                self.streams.remove(&oldest);
            }
        }
    }
}

impl Outlet {
    fn send(&mut self, message: Vec<u8>, is_last: bool, keeping: Keeping) {
        self.events += 1;
        self.is_done = is_last;
        let sent = Sent { event: self.events, message, is_last };
        if let Some(reader) = &self.reader {
            match reader.send(sent.clone()) {
                true => self.read = sent.event,
                // Who is gone may come back for what is kept.
                false => self.reader = None,
            }
        }
        if is_last {
            self.reader = None;
        }
        if keeping == Keeping::Kept || self.read < sent.event {
            self.kept_bytes += sent.message.len();
            self.kept.push_back(sent);
        }
        while self.kept_bytes > MOST_KEPT || self.kept.len() > MOST_MESSAGES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.kept_bytes -= oldest.message.len();
        }
    }
}

/// What a message is, as far as its way goes.
enum What {
    /// It answers these.
    Answers(Vec<Id>),
    /// It tells the progress of what the host calls so, as JSON.
    Progress(String),
    /// It wants an answer of the host.
    Request,
    /// Anything else.
    Other,
}

fn what_it_is(message: &[u8]) -> What {
    let Ok(document) = Document::parse(message, &Limits::default()) else { return What::Other };
    let answered = |message: &Message<'_>| match message {
        Message::Response { id, .. } | Message::Failure { id, .. } => Some(id.clone()),
        Message::Request { .. } | Message::Notification { .. } => None,
    };
    match Message::read(&document) {
        Ok(Incoming::One(Message::Notification { params, .. })) => {
            let token = params.and_then(|params| params.get("progressToken")).map(Node::raw_text);
            token.map_or(What::Other, |token| What::Progress(token.to_owned()))
        }
        Ok(Incoming::One(Message::Request { .. })) => What::Request,
        Ok(Incoming::One(message)) => What::Answers(answered(&message).into_iter().collect()),
        Ok(Incoming::Batch(messages)) => What::Answers(messages.iter().filter_map(answered).collect()),
        Err(_) => What::Other,
    }
}

#[cfg(test)]
mod tests;
