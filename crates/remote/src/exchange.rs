//! One message and its response: sent, read, and gone on with where it broke.

use std::sync::Arc;
use std::time::Duration;

use portcullis_wire::json::{Document, Limits};
use portcullis_wire::rpc::{Incoming, Message};
use portcullis_wire::sse;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, StatusCode};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::oneshot;

use crate::body::{Events, read_all, read_complaint};
use crate::delivery::{Delivery, Stream};
use crate::error::RemoteError;
use crate::http::{Reply, is_json};
use crate::incoming;
use crate::outgoing::{Manner, Outgoing, Role};
use crate::peer::Peer;
use crate::session::{Ticket, session_id};
use crate::trail::Trail;

/// How long the response to a message may take that wants no answer.
const TAKEN: Duration = Duration::from_secs(30);
/// How long a stream is read on after the answer, so that its connection can be used again.
const LINGER: Duration = Duration::from_secs(1);

/// One message and its response.
pub(crate) struct Exchange {
    pub(crate) delivery: Arc<Delivery>,
    pub(crate) message: Outgoing,
    pub(crate) ticket: Ticket,
    pub(crate) stream: Stream,
    /// Dropped when everything is answered: whoever waits for that may go on.
    pub(crate) gate: Option<oneshot::Sender<()>>,
    /// Dropped when the response is over.
    pub(crate) slot: OwnedSemaphorePermit,
}

impl Exchange {
    /// Sends the message, and delivers what comes of it.
    pub(crate) async fn run(mut self) {
        let Err(why) = self.attempt().await else { return };
        // If nobody hears of it, there is nobody to be told.
        let _ = match self.message.requests.is_empty() {
            true if why == RemoteError::Closed => Ok(()),
            true => self.delivery.note(format!("a message was not taken: {why}")).await,
            false => self.delivery.fail_all(self.stream.exchange, &why).await,
        };
        drop(self.slot);
    }

    async fn attempt(&mut self) -> Result<(), RemoteError> {
        let http = &self.delivery.http;
        let head = http.limits.head;
        let time = if self.message.requests.is_empty() { head.min(TAKEN) } else { head };
        let request = http.post(std::mem::take(&mut self.message.body), self.headers());
        let reply = match http.ask(request, time).await {
            // Whatever a server says to what wants no answer, it has taken it.
            Err(RemoteError::ContentType { .. }) if self.message.requests.is_empty() => Reply::Accepted,
            reply => reply?,
        };
        match reply {
            Reply::Accepted => self.over(),
            Reply::Json(response) => {
                self.begin(&response);
                let body = read_all(&self.delivery.http, response, self.delivery.room.enter()).await?;
                // Some say nothing in this way.
                if !body.is_empty() {
                    self.delivery.hear(body, &self.stream).await?;
                }
                self.over()
            }
            Reply::Events(response) => {
                self.begin(&response);
                self.follow(response).await
            }
            Reply::Refused(response) => self.refused(response).await,
        }
    }

    fn headers(&self) -> HeaderMap {
        let Manner::Stateless(headers) = &self.message.manner else { return self.ticket.headers.clone() };
        // They were made to be headers, so that none is left out here.
        let made = headers.iter().filter_map(|header| {
            let name = HeaderName::from_bytes(header.name.as_bytes()).ok()?;
            Some((name, HeaderValue::from_str(&header.value).ok()?))
        });
        made.collect()
    }

    fn is_stateless(&self) -> bool {
        matches!(self.message.manner, Manner::Stateless(_))
    }

    /// The response to `initialize` names the session.
    fn begin(&mut self, response: &Response) {
        self.stream.peer = Peer::of(response);
        if self.message.role == Role::Initialize {
            self.stream.session_id = session_id(response.headers());
            if let Some(id) = &self.stream.session_id {
                self.ticket.headers.insert(HeaderName::from_static("mcp-session-id"), id.clone());
            }
        }
    }

    /// The response is over; everything should be answered.
    fn over(&self) -> Result<(), RemoteError> {
        match self.delivery.open.waits(self.stream.exchange) {
            true => Err(self.delivery.http.told.no_answer()),
            false => Ok(()),
        }
    }

    /// Reads a stream until everything is answered.
    async fn follow(&mut self, response: Response) -> Result<(), RemoteError> {
        let mut trail = Trail::default();
        let mut events = self.events(response);
        loop {
            let why = match events.next(&self.delivery.http).await {
                Ok(Some(event)) => {
                    trail.saw(&event);
                    self.hear(event).await?;
                    if !self.delivery.open.waits(self.stream.exchange) {
                        return self.linger(events).await;
                    }
                    continue;
                }
                Ok(None) => self.delivery.http.told.no_answer(),
                Err(why @ RemoteError::TooLarge { .. }) => return Err(why),
                Err(why) => why,
            };
            // The connection is given back before another is asked for.
            drop(events);
            match self.resume(&mut trail, why).await? {
                Some(resumed) => {
                    self.stream.peer = Peer::of(&resumed);
                    events = self.events(resumed);
                }
                None => return Ok(()),
            }
        }
    }

    fn events(&self, response: Response) -> Events {
        Events::new(&self.delivery.http, response, self.delivery.room.enter())
    }

    async fn hear(&self, event: sse::Event) -> Result<(), RemoteError> {
        let Some(data) = message(event) else { return Ok(()) };
        match self.delivery.hear(data, &self.stream).await {
            // The answer may still come.
            Err(why @ RemoteError::Unreadable { .. }) => {
                self.delivery.note(why.to_string()).await.map_err(|_| RemoteError::Closed)
            }
            heard => heard,
        }
    }

    async fn linger(&mut self, mut events: Events) -> Result<(), RemoteError> {
        drop(self.gate.take());
        let rest = async {
            while let Ok(Some(event)) = events.next(&self.delivery.http).await {
                if self.hear(event).await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(LINGER, rest).await;
        Ok(())
    }

    /// Goes on with a stream that ended too early, which only sessions know. Nothing comes back if the session is gone.
    async fn resume(&self, trail: &mut Trail, why: RemoteError) -> Result<Option<Response>, RemoteError> {
        let http = &self.delivery.http;
        while let (Some(last), false) = (trail.last().cloned(), self.is_stateless()) {
            let Some(pause) = trail.wait(http.limits.tries, http.limits.pause, random()) else { break };
            tokio::time::sleep(pause).await;
            match http.ask(http.get(self.ticket.headers.clone(), Some(&last)), http.limits.head).await {
                Ok(Reply::Events(response)) => return Ok(Some(response)),
                Ok(Reply::Refused(response)) if is_passing(response.status()) => {}
                Ok(Reply::Refused(response)) if self.is_gone(&response) => return self.gone().map(|()| None),
                Ok(Reply::Refused(_) | Reply::Accepted | Reply::Json(_)) => break,
                Err(failure) if is_passing_failure(&failure) => {}
                Err(_) => break,
            }
        }
        Err(why)
    }

    /// The server did not take the message. It may have answered nevertheless.
    async fn refused(&mut self, mut response: Response) -> Result<(), RemoteError> {
        self.stream.peer = Peer::of(&response);
        let http = &self.delivery.http;
        if let Some(unauthorized) = http.unauthorized(&response) {
            return Err(unauthorized);
        }
        if self.is_gone(&response) {
            return self.gone();
        }
        let status = response.status().as_u16();
        let refusal =
            |says: &str| RemoteError::Status { place: http.told.place(), status, says: http.told.said(says) };
        if !is_json(&response) {
            return Err(refusal(&read_complaint(&mut response).await));
        }
        let Ok(body) = read_all(http, response, self.delivery.room.enter()).await else {
            return Err(refusal(""));
        };
        let says = String::from_utf8_lossy(&body).into_owned();
        if status == 400 && self.is_in_session() && is_about_session(&body, &self.delivery.json) {
            return self.gone();
        }
        let about = self.stream.about.as_ref();
        let answers = |heard: &incoming::Heard| {
            heard.answers.as_ref().is_some_and(|answer| !answer.is_result && Some(&answer.id) == about)
        };
        let mut heard = incoming::read(body, &self.delivery.json, about).unwrap_or_default();
        match heard.pop() {
            Some(answer) if heard.is_empty() && answers(&answer) => {
                self.delivery.pass(answer, &self.stream).await.map_err(|_| RemoteError::Closed)
            }
            _ => Err(refusal(&says)),
        }
    }

    fn is_gone(&self, response: &Response) -> bool {
        response.status() == StatusCode::NOT_FOUND && self.is_in_session()
    }

    fn is_in_session(&self) -> bool {
        self.ticket.has_id && !self.is_stateless()
    }

    /// The session is gone, and this message with it, unless others have seen to that.
    fn gone(&self) -> Result<(), RemoteError> {
        match self.delivery.session_gone(self.ticket.number) {
            true => Ok(()),
            false => Err(RemoteError::SessionGone { place: self.delivery.http.told.place() }),
        }
    }
}

/// Whether a refusal is about the session and no request. The revisions want 404 for a session that is gone, but the examples of
/// the SDKs, and servers that follow them, say it with 400 and in words.
fn is_about_session(body: &[u8], limits: &Limits) -> bool {
    let Ok(document) = Document::parse(body, limits) else { return false };
    match Message::read(&document) {
        Ok(Incoming::One(Message::Failure { id, error })) => {
            id.is_null() && error.message.to_ascii_lowercase().contains("session")
        }
        _ => false,
    }
}

/// The message in an event. One without data only says from where to go on.
pub(crate) fn message(event: sse::Event) -> Option<Vec<u8>> {
    if event.is_message() { event.data.filter(|data| !data.is_empty()) } else { None }
}

/// Whether a status may be another one next time.
pub(crate) fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

/// Whether a failure may be over next time.
pub(crate) fn is_passing_failure(failure: &RemoteError) -> bool {
    matches!(
        failure,
        RemoteError::Unreachable { .. } | RemoteError::Broken { .. } | RemoteError::Silent { .. }
    )
}

/// Chance. Without any, pauses are only less well spread.
pub(crate) fn random() -> u64 {
    getrandom::u64().unwrap_or_default()
}
