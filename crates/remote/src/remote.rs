//! The handle: messages are taken in order and sent, each by a task of its own.

use std::sync::Arc;
use std::time::Duration;

use portcullis_wire::json;
use portcullis_wire::rpc::Id;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{AbortHandle, JoinSet};

use crate::address::{Address, AddressError};
use crate::delivery::{Delivery, Event, Stream};
use crate::error::RemoteError;
use crate::exchange::Exchange;
use crate::http::Http;
use crate::listen::listen;
use crate::meetings::Meetings;
use crate::open::{Open, Refusal};
use crate::outgoing::{Manner, Outgoing, OutgoingError, Role};
use crate::room::Room;
use crate::schemas::Schemas;
use crate::session::{Session, Ticket};

/// Events that wait to be taken. Few, for each may be a large message.
const EVENTS: usize = 8;
/// Messages that wait to be sent.
const MESSAGES: usize = 16;
/// So many of the largest messages may be on their way to becoming one, in all streams together.
const LARGEST_AT_ONCE: usize = 8;
/// Messages that want no answer and are under way, besides the requests.
const BESIDES: usize = 16;
/// How long a server may take to end a session.
const FAREWELL: Duration = Duration::from_secs(5);

/// A server that is spoken to. Clones speak to the same one; with the last of them everything that is under way ends.
#[derive(Clone)]
pub struct Remote {
    inner: Arc<Inner>,
}

struct Inner {
    delivery: Arc<Delivery>,
    messages: Sender<Numbered>,
    dispatcher: AbortHandle,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.dispatcher.abort();
    }
}

/// A message, and the number under which its requests wait.
struct Numbered {
    message: Outgoing,
    number: u64,
}

impl Remote {
    /// Makes everything ready to speak to a server. Nothing is sent yet.
    ///
    /// Take the events in another task than the one that sends: where they are not taken, the streams of the server stand
    /// still, and in the end sending does too.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn connect(address: &Address) -> Result<(Remote, Receiver<Event>), AddressError> {
        let runtime = Handle::try_current().map_err(|_| AddressError::NoRuntime)?;
        let limits = address.limits;
        let (events, heard) = mpsc::channel(EVENTS);
        let delivery = Arc::new(Delivery {
            http: Http::new(address, Meetings::new(events.clone()))?,
            session: Session::default(),
            open: Open::new(limits.open_requests),
            schemas: Schemas::new(limits.body),
            room: Room::new(limits.body.saturating_mul(LARGEST_AT_ONCE)),
            json: json::Limits { bytes: limits.body, ..json::Limits::default() },
            events,
        });
        let (messages, queue) = mpsc::channel(MESSAGES);
        let dispatcher = runtime.spawn(dispatch(Arc::clone(&delivery), queue)).abort_handle();
        Ok((Remote { inner: Arc::new(Inner { delivery, messages, dispatcher }) }, heard))
    }

    /// Sends a message, or a batch of them. What comes of it is told by events: each request gets its answer or a failure,
    /// unless it is cancelled.
    ///
    /// Messages are sent in the order in which they are given. Later ones wait until `initialize` is answered and
    /// `notifications/initialized` is taken; all others are under way at the same time.
    pub async fn send(&self, message: Vec<u8>) {
        let delivery = &self.inner.delivery;
        // If nobody takes events, nobody wants to know.
        let _ = match Outgoing::read(message, &delivery.json, &delivery.schemas) {
            Ok(message) => self.queue(message).await,
            Err(OutgoingError::NoMessage(why)) => {
                let note =
                    format!("a message was not sent, for it is none: {}", delivery.http.told.said(&why));
                self.tell(Event::Note(note)).await
            }
            Err(OutgoingError::Headers { id, error }) => {
                self.tell(Event::Failed { id, why: RemoteError::Headers(error) }).await
            }
        };
    }

    async fn queue(&self, message: Outgoing) -> Option<()> {
        let ids = |message: &Outgoing| -> Vec<Id> {
            message.requests.iter().map(|request| request.id.clone()).collect()
        };
        let Ok(place) = self.inner.messages.reserve().await else {
            return self.refuse(ids(&message), &RemoteError::Closed).await;
        };
        match self.inner.delivery.open.enter(&message) {
            Ok(number) => {
                place.send(Numbered { message, number });
                Some(())
            }
            Err(Refusal::Full) => {
                drop(place);
                let limit = self.inner.delivery.http.limits.open_requests;
                self.refuse(ids(&message), &RemoteError::Busy { limit }).await
            }
            // A failure would be taken for that of the other.
            Err(Refusal::Twice(id)) => {
                drop(place);
                let note = format!("a message was not sent, for a request with its id {} waits", id.json());
                self.tell(Event::Note(note)).await
            }
        }
    }

    async fn refuse(&self, ids: Vec<Id>, why: &RemoteError) -> Option<()> {
        for id in ids {
            self.tell(Event::Failed { id, why: why.clone() }).await?;
        }
        Some(())
    }

    async fn tell(&self, event: Event) -> Option<()> {
        self.inner.delivery.events.send(event).await.ok()
    }

    /// Forgets a request and closes its stream, which in the era without sessions tells the server to stop. Nothing more is
    /// told of the request. In the era with sessions the server is told by `notifications/cancelled`, which does the same
    /// when it is sent.
    pub fn cancel(&self, id: &Id) {
        self.inner.delivery.open.cancel(id);
    }

    /// Ends everything that is under way, and the session if there is one. No request is told of any more.
    pub async fn close(self) {
        self.inner.dispatcher.abort();
        let http = &self.inner.delivery.http;
        let ticket = self.inner.delivery.session.ticket();
        self.inner.delivery.session.begin();
        if ticket.has_id {
            // A server may not know how to end one, and then ends it when it likes.
            let time = http.limits.head.min(FAREWELL);
            // Nobody may take events any more.
            let _ = tokio::time::timeout(time, http.ask(http.delete(ticket.headers), time)).await;
        }
    }
}

/// Takes messages in their order and lets each be sent.
async fn dispatch(delivery: Arc<Delivery>, mut queue: Receiver<Numbered>) {
    let mut tasks = JoinSet::new();
    let slots = delivery.http.limits.open_requests.saturating_mul(2).saturating_add(BESIDES);
    let slots = Arc::new(Semaphore::new(slots.min(Semaphore::MAX_PERMITS)));
    while let Some(Numbered { message, number }) = queue.recv().await {
        while tasks.try_join_next().is_some() {}
        let role = message.role.clone();
        let Some(ticket) = admit(&delivery, &message, number).await else { continue };
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let (gate, answered) = oneshot::channel();
        let stream =
            Stream { exchange: number, about: sole(&message), session: ticket.number, ..Stream::default() };
        let exchange =
            Exchange { delivery: Arc::clone(&delivery), message, ticket, stream, gate: Some(gate), slot };
        let task = tasks.spawn(exchange.run());
        delivery.open.looked_after(number, &task);
        match role {
            Role::Plain | Role::Cancel(_) => {}
            // It is dropped, never sent: both mean that it is over.
            Role::Initialize => drop(answered.await),
            Role::Initialized => {
                let _ = answered.await;
                let ticket = delivery.session.ticket();
                if ticket.is_open {
                    let session = ticket.number;
                    let listener = tasks.spawn(listen(Arc::clone(&delivery), ticket));
                    delivery.session.listens(session, listener);
                }
            }
        }
    }
}

/// What a message is sent with, if it is to be sent at all.
async fn admit(delivery: &Delivery, message: &Outgoing, number: u64) -> Option<Ticket> {
    // What was cancelled before its turn came is not sent.
    if !message.requests.is_empty() && !delivery.open.waits(number) {
        return None;
    }
    match &message.role {
        Role::Initialize => delivery.session.begin(),
        Role::Cancel(id) => match delivery.open.cancel(id) {
            // Its stream is closed, which says it all.
            Some(true) => return None,
            Some(false) => {}
            None if delivery.session.ticket().is_open => {}
            None => return None,
        },
        Role::Initialized | Role::Plain => {}
    }
    if matches!(message.manner, Manner::Stateless(_)) {
        return Some(Ticket::default());
    }
    let ticket = delivery.session.ticket();
    if ticket.is_gone {
        let why = RemoteError::SessionGone { place: delivery.http.told.place() };
        // If nobody takes events, nobody wants to know.
        let _ = delivery.fail_all(number, &why).await;
        return None;
    }
    delivery.open.sent(number, ticket.number);
    Some(ticket)
}

/// The only request of a message.
fn sole(message: &Outgoing) -> Option<Id> {
    match message.requests.as_slice() {
        [request] => Some(request.id.clone()),
        _ => None,
    }
}
