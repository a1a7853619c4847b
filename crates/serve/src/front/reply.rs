//! What hosts get: a message, a stream of them, or why not.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Bytes, Frame, SizeHint};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use portcullis_wire::rpc::{self, Id};
use portcullis_wire::sse::{Event, KEEP_ALIVE};
use tokio::time::{Instant, Interval, interval_at};

use super::checks::Refused;
use crate::connection::Connection;
use crate::outlets::{Inlet, Sent};

/// A stream says so often that it is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// The request cannot be taken.
const REFUSED: i64 = -32_000;

/// What a host gets.
pub(super) enum Body {
    /// All at once.
    Whole(Option<Bytes>),
    /// As it comes.
    Events(Box<Events>),
}

/// Whether events have names, by which a host can go on where a stream broke.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ids {
    Told,
    /// Not in the era without sessions.
    None,
}

/// A stream of messages to a host.
pub(super) struct Events {
    connection: Arc<Connection>,
    stream: u64,
    inlet: Inlet,
    ready: VecDeque<Bytes>,
    ids: Ids,
    alive: Interval,
    is_done: bool,
}

impl Events {
    pub(super) fn new(connection: &Arc<Connection>, stream: u64, inlet: Inlet, ids: Ids) -> Box<Events> {
        Box::new(Events {
            connection: Arc::clone(connection),
            stream,
            inlet,
            ready: VecDeque::new(),
            ids,
            alive: interval_at(Instant::now() + ALIVE, ALIVE),
            is_done: false,
        })
    }

    /// What comes next; nothing if no more comes.
    pub(super) async fn next(&mut self) -> Option<Sent> {
        self.inlet.next().await
    }

    /// Everything was said.
    pub(super) fn finish(&mut self) {
        self.is_done = true;
    }

    /// Tells the host where it is before anything comes, so that it can go on from there.
    pub(super) fn prime(&mut self) {
        let event =
            Event { id: Some(format!("{}-0", self.stream)), data: Some(Vec::new()), ..Event::default() };
        self.ready.push_back(Bytes::from(event.to_bytes()));
    }

    /// Puts a message among what is sent next.
    pub(super) fn push(&mut self, sent: Sent) {
        let id = (self.ids == Ids::Told).then(|| format!("{}-{}", self.stream, sent.event));
        self.is_done |= sent.is_last;
        let event = Event { id, ..Event::message(sent.message) };
        self.ready.push_back(Bytes::from(event.to_bytes()));
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        if !self.is_done {
            self.connection.abandon(self.stream);
        }
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let events = match self.get_mut() {
            Body::Whole(bytes) => return Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Body::Events(events) => events,
        };
        let frame = |bytes| Poll::Ready(Some(Ok(Frame::data(bytes))));
        if let Some(bytes) = events.ready.pop_front() {
            return frame(bytes);
        }
        if events.is_done {
            return Poll::Ready(None);
        }
        match events.inlet.poll(context) {
            Poll::Ready(Some(sent)) => {
                events.push(sent);
                events.alive.reset();
                events.ready.pop_front().map_or(Poll::Ready(None), frame)
            }
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => match events.alive.poll_tick(context) {
                Poll::Ready(_) => frame(Bytes::from_static(KEEP_ALIVE)),
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Body::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Body::Events(_) => SizeHint::default(),
        }
    }
}

/// A stream.
pub(super) fn events(
    connection: &Arc<Connection>,
    stream: u64,
    inlet: Inlet,
    ids: Ids,
    session: Option<&str>,
) -> Response<Body> {
    streamed(Events::new(connection, stream, inlet, ids), session)
}

/// A stream that has begun.
pub(super) fn streamed(events: Box<Events>, session: Option<&str>) -> Response<Body> {
    let mut response = Response::new(Body::Events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    with_session(response, session)
}

/// A message.
pub(super) fn message(status: StatusCode, message: Vec<u8>, session: Option<&str>) -> Response<Body> {
    let mut response = Response::new(Body::Whole(Some(Bytes::from(message))));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    with_session(response, session)
}

/// Why a request is not taken, for a host that wants a message.
pub(super) fn failure(status: StatusCode, id: &Id, code: i64, why: &str) -> Response<Body> {
    message(status, rpc::failure(id, code, why, None), None)
}

/// Why a request is not taken.
pub(super) fn plain(status: StatusCode, why: &str) -> Response<Body> {
    failure(status, &Id::NULL, REFUSED, why)
}

/// A session that is over, or never was.
pub(super) fn no_session() -> Response<Body> {
    plain(StatusCode::NOT_FOUND, "there is no such session any more; begin a new one with `initialize`")
}

/// Why a host is not let in.
pub(super) fn refused(refused: &Refused) -> Response<Body> {
    let mut response = plain(refused.status, refused.why);
    if refused.needs_token {
        let bearer = HeaderValue::from_static("Bearer realm=\"portcullis\"");
        response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
    }
    response
}

/// Nothing but a status.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::Whole(None));
    *response.status_mut() = status;
    response
}

fn with_session(mut response: Response<Body>, session: Option<&str>) -> Response<Body> {
    if let Some(session) = session.and_then(|session| HeaderValue::from_str(session).ok()) {
        response.headers_mut().insert(HeaderName::from_static(super::SESSION), session);
    }
    response
}

/// The stream and the event that an event's name says.
pub(super) fn place_of(event: &str) -> Option<(u64, u64)> {
    let (stream, event) = event.split_once('-')?;
    Some((stream.parse().ok()?, event.parse().ok()?))
}
