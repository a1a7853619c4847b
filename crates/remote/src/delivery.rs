//! What comes of messages: events for whoever sent them, each request with one of them.

use std::sync::Arc;

use portcullis_wire::json;
use portcullis_wire::rpc::Id;
use reqwest::header::HeaderValue;
use tokio::sync::mpsc::{Permit, Sender};

use crate::error::RemoteError;
use crate::http::Http;
use crate::incoming::{self, Heard, Unreadable};
use crate::open::Open;
use crate::peer::Peer;
use crate::room::Room;
use crate::schemas::Schemas;
use crate::session::Session;

/// What the server says, and in which stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// One message, as it came.
    pub message: Vec<u8>,
    /// The request on whose stream it came.
    pub about: Option<Id>,
}

/// What comes of messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The server has this certificate from here on. Told as soon as a response begins, whatever it is, and again where streams of
    /// several certificates take turns: what is told next comes with the one that was told last.
    Met(Peer),
    /// The server says something.
    Said(Said),
    /// The request with this id will get no answer.
    Failed {
        /// The request.
        id: Id,
        /// Why not.
        why: RemoteError,
    },
    /// Something that whoever runs the gateway may want to know.
    Note(String),
    /// The session is gone. Requests that waited in it have failed; a new `initialize` is needed.
    Ended(RemoteError),
}

/// Everything that streams share.
pub(crate) struct Delivery {
    pub(crate) http: Http,
    pub(crate) session: Session,
    pub(crate) open: Open,
    pub(crate) schemas: Schemas,
    pub(crate) room: Arc<Room>,
    pub(crate) json: json::Limits,
    pub(crate) events: Sender<Event>,
}

/// The stream that something came in.
#[derive(Clone, Default)]
pub(crate) struct Stream {
    /// The message whose response it is; 0 is nobody's.
    pub(crate) exchange: u64,
    /// The only request of that message.
    pub(crate) about: Option<Id>,
    /// The session that the message was sent in.
    pub(crate) session: u64,
    /// The id that the response gives to the session.
    pub(crate) session_id: Option<HeaderValue>,
    /// Who sends it.
    pub(crate) peer: Option<Peer>,
}

/// Nobody takes events any more.
pub(crate) struct Unheard;

impl Delivery {
    /// Tells something.
    pub(crate) async fn note(&self, note: String) -> Result<(), Unheard> {
        self.permit().await?.send(Event::Note(note));
        Ok(())
    }

    /// Delivers what came in a stream: one event of it, or all of a body.
    pub(crate) async fn hear(&self, bytes: Vec<u8>, stream: &Stream) -> Result<(), RemoteError> {
        let heard = incoming::read(bytes, &self.json, stream.about.as_ref());
        match heard {
            Ok(messages) => {
                for message in messages {
                    self.pass(message, stream).await.map_err(|Unheard| RemoteError::Closed)?;
                }
                Ok(())
            }
            Err(Unreadable { why, id }) => {
                let why = self.http.told.unreadable(&why);
                match id {
                    Some(id) => self.fail(&id, why, stream).await.map_err(|Unheard| RemoteError::Closed),
                    None => Err(why),
                }
            }
        }
    }

    /// Delivers a message. An answer is delivered once, and only to a request that waits.
    pub(crate) async fn pass(&self, heard: Heard, stream: &Stream) -> Result<(), Unheard> {
        // Between taking a request out and telling of it nothing may be waited for: a task that is stopped there would
        // leave the request without an end.
        let room = self.http.meetings.room().await?;
        let Heard { document, answers } = heard;
        if let Some(answer) = answers {
            let Some(waiter) = self.open.take(&answer.id, stream.exchange) else {
                let place = self.http.told.place();
                let note = format!("`{place}` answered a request that does not wait for an answer");
                room.send(stream.peer.as_ref(), Event::Note(note));
                return Ok(());
            };
            if waiter.is_initialize && answer.is_result {
                self.session.opened(stream.session, stream.session_id.clone(), &document);
            }
            if waiter.lists_tools {
                self.schemas.remember(&document);
            }
        }
        let said = Said { message: document.into_bytes(), about: stream.about.clone() };
        room.send(stream.peer.as_ref(), Event::Said(said));
        Ok(())
    }

    /// A request gets no answer, if it still waits for one.
    async fn fail(&self, id: &Id, why: RemoteError, stream: &Stream) -> Result<(), Unheard> {
        let permit = self.permit().await?;
        if self.open.take(id, stream.exchange).is_some() {
            permit.send(Event::Failed { id: id.clone(), why });
        }
        Ok(())
    }

    /// All requests of a message that still wait get no answer.
    pub(crate) async fn fail_all(&self, exchange: u64, why: &RemoteError) -> Result<(), Unheard> {
        loop {
            let permit = self.permit().await?;
            match self.open.take_of(exchange) {
                Some(waiter) => permit.send(Event::Failed { id: waiter.id, why: why.clone() }),
                None => return Ok(()),
            }
        }
    }

    /// The server has forgotten a session: whatever waits in it fails. Says whether that is news.
    pub(crate) fn session_gone(self: &Arc<Delivery>, session: u64) -> bool {
        let is_news = self.session.lose(session);
        if is_news {
            // A task of its own, since the one that found out is among those that are stopped.
            tokio::spawn(Arc::clone(self).end(session));
        }
        is_news
    }

    async fn end(self: Arc<Delivery>, session: u64) {
        let why = RemoteError::SessionGone { place: self.http.told.place() };
        while let Ok(permit) = self.permit().await {
            match self.open.take_of_session(session) {
                Some(waiter) => permit.send(Event::Failed { id: waiter.id, why: why.clone() }),
                None => {
                    permit.send(Event::Ended(why));
                    return;
                }
            }
        }
    }

    async fn permit(&self) -> Result<Permit<'_, Event>, Unheard> {
        self.events.reserve().await.map_err(|_| Unheard)
    }
}
