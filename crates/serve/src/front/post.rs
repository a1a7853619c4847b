//! What hosts send.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::{Request, Response, StatusCode};
use portcullis_wire::json::{Document, Limits, quote};
use portcullis_wire::mcp::{Era, Mismatch, RequestMeta, Revision, check};
use portcullis_wire::rpc::{self, Id, Incoming, Message};

use super::reply::{self, Body, Events, Ids};
use super::{Ends, Front, SESSION, accepts, text, told_revision};
use crate::connection::{Connection, Untaken};
use crate::guarded::{Endpoint, Who};
use crate::registry::OpenError;

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;
const INTERNAL: i64 = -32_603;
/// Headers are not what the body says.
const HEADER_MISMATCH: i64 = -32_020;
/// The revision of a request is not known.
const UNSUPPORTED: i64 = -32_022;
/// What later revisions keep for errors of their own.
const OWN: std::ops::RangeInclusive<i64> = -32_022..=-32_020;
/// After so long without an answer a stream begins, so that the host sees that somebody is there.
const FIRST: Duration = Duration::from_secs(5);

/// Where a host knocks, and whose it is.
struct Knock {
    endpoint: Endpoint,
    who: Who,
}

impl Front {
    pub(super) async fn post(
        &self,
        request: Request<hyper::body::Incoming>,
        endpoint: Endpoint,
        ends: &Ends,
    ) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let headers = &parts.headers;
        let Some(who) = self.who(headers, ends) else {
            return reply::plain(StatusCode::BAD_REQUEST, "whose session this is cannot be read");
        };
        if !is_json(headers) {
            let why = "this needs `Content-Type: application/json`";
            return reply::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, why);
        }
        if !accepts(headers, "application/json") || !accepts(headers, "text/event-stream") {
            let why = "this needs `Accept: application/json, text/event-stream`";
            return reply::plain(StatusCode::NOT_ACCEPTABLE, why);
        }
        let body = match Limited::new(body, Limits::default().bytes).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                return reply::plain(StatusCode::PAYLOAD_TOO_LARGE, "the message is too long to be read");
            }
            Err(_) => return reply::plain(StatusCode::BAD_REQUEST, "the message broke off"),
        };
        let document = match Document::parse(body, &Limits::default()) {
            Ok(document) => document,
            Err(error) => {
                return reply::failure(StatusCode::BAD_REQUEST, &Id::NULL, PARSE_ERROR, &error.to_string());
            }
        };
        match Message::read(&document) {
            Ok(incoming) => self.take(&document, incoming, headers, &Knock { endpoint, who }).await,
            Err(error) => {
                let id = error.id.clone().unwrap_or(Id::NULL);
                reply::failure(StatusCode::BAD_REQUEST, &id, INVALID_REQUEST, &error.to_string())
            }
        }
    }

    async fn take(
        &self,
        document: &Document,
        incoming: Incoming<'_>,
        headers: &HeaderMap,
        knock: &Knock,
    ) -> Response<Body> {
        if let Incoming::One(message) = &incoming {
            match era_of(message, headers) {
                Ok(Era::Stateless) => return self.take_alone(document, message, headers, knock).await,
                Ok(Era::Sessions) => {}
                Err(why) => {
                    return reply::failure(StatusCode::BAD_REQUEST, &id_of(message), INVALID_PARAMS, &why);
                }
            }
        }
        if told_revision(headers).is_some_and(|name| Revision::of(name).is_none()) {
            return reply::plain(StatusCode::BAD_REQUEST, "the header `MCP-Protocol-Version` is not known");
        }
        let (endpoint, who) = (&knock.endpoint, &knock.who);
        let requests = requests_of(&incoming);
        let begins =
            matches!(&incoming, Incoming::One(Message::Request { method, .. }) if method == "initialize");
        let (name, connection) = match text(headers, SESSION) {
            Some(name) => match self.registry.session(name, endpoint) {
                Some(connection) => (None, connection),
                None => return reply::no_session(),
            },
            None if begins => match self.registry.begin(&*self.guarded, endpoint, who) {
                Ok((name, connection)) => (Some(name), connection),
                Err(error) => return unopened(&error, requests.first()),
            },
            None => {
                let why = "this belongs to no session: the header `Mcp-Session-Id` is missing";
                return reply::plain(StatusCode::BAD_REQUEST, why);
            }
        };
        if requests.is_empty() {
            connection.tell(document.line().into_owned());
            return reply::empty(StatusCode::ACCEPTED);
        }
        let answer = in_session(&connection, document, requests, name.as_deref(), headers).await;
        // A session that did not begin is none.
        let has_begun = answer.as_ref().is_ok_and(|answer| answer.headers().contains_key(SESSION));
        if let Some(name) = name.filter(|_| !has_begun) {
            self.registry.end(&name, endpoint);
        }
        answer.unwrap_or_else(|()| {
            reply::plain(StatusCode::BAD_REQUEST, "a request with this id is still open")
        })
    }

    /// A message that belongs to no session.
    async fn take_alone(
        &self,
        document: &Document,
        message: &Message<'_>,
        headers: &HeaderMap,
        knock: &Knock,
    ) -> Response<Body> {
        let id = id_of(message);
        let pairs = || headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let differs = |mismatch: Mismatch| {
            reply::failure(StatusCode::BAD_REQUEST, &id, HEADER_MISMATCH, &mismatch.to_string())
        };
        if let Err(mismatch) = check(pairs(), message, None) {
            return differs(mismatch);
        }
        if let Some(requested) = unknown_revision(message) {
            return unsupported(&id, &requested);
        }
        let connection = match self.registry.stateless(&*self.guarded, &knock.endpoint, &knock.who) {
            Ok(connection) => connection,
            Err(error) => return unopened(&error, Some(&id)),
        };
        if let Err(mismatch) = connection.check_headers(pairs(), message) {
            return differs(mismatch);
        }
        if let Message::Notification { method, .. } = message {
            // Requests of others have other names here; who takes back a request closes its stream.
            if !["notifications/cancelled", "notifications/progress"].contains(&&**method) {
                connection.tell(document.line().into_owned());
            }
        }
        if !matches!(message, Message::Request { .. }) {
            return reply::empty(StatusCode::ACCEPTED);
        }
        let Ok((stream, receiver)) = connection.ask(document, vec![id.clone()]) else {
            return reply::failure(
                StatusCode::BAD_REQUEST,
                &id,
                INVALID_REQUEST,
                "this cannot be asked here",
            );
        };
        let mut events = Events::new(&connection, stream, receiver, Ids::None);
        match tokio::time::timeout(FIRST, events.next()).await {
            Ok(Some(sent)) if sent.is_last => {
                events.finish();
                reply::message(status_of(&sent.message), sent.message, None)
            }
            Ok(Some(sent)) => {
                events.push(sent);
                reply::streamed(events, None)
            }
            Ok(None) => reply::failure(StatusCode::OK, &id, INTERNAL, "there is no answer"),
            Err(_) => reply::streamed(events, None),
        }
    }
}

/// Asks something in a session. Nothing if a request with its id is open.
async fn in_session(
    connection: &Arc<Connection>,
    document: &Document,
    requests: Vec<Id>,
    session: Option<&str>,
    headers: &HeaderMap,
) -> Result<Response<Body>, ()> {
    let id = requests.first().cloned().unwrap_or(Id::NULL);
    let (stream, receiver) = connection.ask(document, requests).map_err(|untaken| match untaken {
        Untaken::Twice | Untaken::Form => (),
    })?;
    let mut events = Events::new(connection, stream, receiver, Ids::Told);
    let first = match tokio::time::timeout(FIRST, events.next()).await {
        Ok(Some(sent)) if sent.is_last => {
            events.finish();
            connection.answered(stream);
            let session = session.filter(|_| !is_failure(&sent.message));
            return Ok(reply::message(StatusCode::OK, sent.message, session));
        }
        Ok(None) => return Ok(reply::failure(StatusCode::OK, &id, INTERNAL, "there is no answer")),
        Ok(Some(sent)) => Some(sent),
        Err(_) => None,
    };
    // Older hosts take an event without a message for a broken one.
    let revision = told_revision(headers).and_then(Revision::of);
    if revision.is_some_and(|revision| revision >= Revision::V2025_11_25) {
        events.prime();
    }
    first.into_iter().for_each(|sent| events.push(sent));
    Ok(reply::streamed(events, session))
}

/// Which era a message belongs to, by what it says of itself.
fn era_of(message: &Message<'_>, headers: &HeaderMap) -> Result<Era, String> {
    let told = told_revision(headers).and_then(Revision::of).map(Revision::era);
    let params = match message {
        Message::Request { params, .. } => *params,
        // They do not say, but their headers do.
        Message::Notification { .. } | Message::Response { .. } | Message::Failure { .. } => {
            return Ok(told.unwrap_or(Era::Sessions));
        }
    };
    match RequestMeta::read(params) {
        Ok(Some(_)) => Ok(Era::Stateless),
        Ok(None) if told == Some(Era::Stateless) => {
            Err("a request of this revision says in its `_meta` what it speaks and what its client can do"
                .to_owned())
        }
        Ok(None) => Ok(Era::Sessions),
        Err(error) => Err(error.to_string()),
    }
}

/// The revision that a request is written in, if nobody knows it: what it means cannot be told.
fn unknown_revision(message: &Message<'_>) -> Option<String> {
    let Message::Request { params, .. } = message else { return None };
    let meta = RequestMeta::read(*params).ok().flatten()?;
    meta.revision().is_none().then(|| meta.version.into_owned())
}

fn unsupported(id: &Id, requested: &str) -> Response<Body> {
    let data =
        format!("{{\"supported\":[{}],\"requested\":{}}}", quote(Revision::LATEST.name()), quote(requested));
    let why = "this revision of the protocol is not known";
    let failure = rpc::failure(id, UNSUPPORTED, why, Some(data.as_bytes()));
    reply::message(StatusCode::BAD_REQUEST, failure, None)
}

fn id_of(message: &Message<'_>) -> Id {
    match message {
        Message::Request { id, .. } | Message::Response { id, .. } | Message::Failure { id, .. } => {
            id.clone()
        }
        Message::Notification { .. } => Id::NULL,
    }
}

fn requests_of(incoming: &Incoming<'_>) -> Vec<Id> {
    let request = |message: &Message<'_>| match message {
        Message::Request { id, .. } => Some(id.clone()),
        Message::Notification { .. } | Message::Response { .. } | Message::Failure { .. } => None,
    };
    match incoming {
        Incoming::One(message) => request(message).into_iter().collect(),
        Incoming::Batch(messages) => messages.iter().filter_map(request).collect(),
    }
}

fn unopened(error: &OpenError, id: Option<&Id>) -> Response<Body> {
    let status = match error {
        OpenError::Full => StatusCode::SERVICE_UNAVAILABLE,
        OpenError::Random(_) | OpenError::Guard(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    reply::failure(status, id.unwrap_or(&Id::NULL), INTERNAL, &error.to_string())
}

fn is_failure(answer: &[u8]) -> bool {
    let Ok(document) = Document::parse(answer, &Limits::default()) else { return true };
    matches!(Message::read(&document), Ok(Incoming::One(Message::Failure { .. })))
}

/// The status that tells the same as an answer, for those in between who do not read it.
fn status_of(answer: &[u8]) -> StatusCode {
    let Ok(document) = Document::parse(answer, &Limits::default()) else { return StatusCode::OK };
    match Message::read(&document) {
        Ok(Incoming::One(Message::Failure { error, .. })) => match error.code {
            METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
            PARSE_ERROR | INVALID_REQUEST | INVALID_PARAMS => StatusCode::BAD_REQUEST,
            code if OWN.contains(&code) => StatusCode::BAD_REQUEST,
            _ => StatusCode::OK,
        },
        _ => StatusCode::OK,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}
