//! Requests to one address: how they are sent, and what kind of response came.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{self, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Method, Request, RequestBuilder, Response, StatusCode};
use url::Url;

use crate::address::{Address, AddressError, Limits};
use crate::authorization::{Authorization, NoToken, Token};
use crate::challenge::Challenge;
use crate::delivery::Unheard;
use crate::error::RemoteError;
use crate::meetings::Meetings;
use crate::peer::Peer;
use crate::told::Told;

/// What we call ourselves.
const USER_AGENT: &str = concat!("portcullis/", env!("CARGO_PKG_VERSION"));
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// What the user can do about not being let in, where nobody keeps tokens.
const BY_HEADER: &str = "give what it asks for as a header, such as `Authorization: Bearer …`";
/// How often a server may send us to another path of its own.
const REDIRECTS: usize = 3;
/// How often connections are asked whether they are still there.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// Connections that wait for the next request.
const IDLE_CONNECTIONS: usize = 8;
/// How long they wait. Common servers close them after five seconds, and a request that crosses that is lost, perhaps after
/// it took effect.
const IDLE: Duration = Duration::from_secs(4);

/// An address that can be spoken to.
pub(crate) struct Http {
    client: Client,
    url: Url,
    authorization: Option<Arc<dyn Authorization>>,
    pub(crate) limits: Limits,
    pub(crate) told: Told,
    pub(crate) meetings: Meetings,
}

/// What kind of response came.
pub(crate) enum Reply {
    /// Taken, and nothing is said.
    Accepted,
    /// All of it is JSON.
    Json(Response),
    /// A stream of events.
    Events(Response),
    /// A status that says that it did not work.
    Refused(Response),
}

impl Http {
    /// Makes everything ready. Nothing is sent.
    pub(crate) fn new(address: &Address, meetings: Meetings) -> Result<Http, AddressError> {
        address.check_plain()?;
        let mut client = Client::builder()
            .user_agent(USER_AGENT)
            .default_headers(address.header_map()?)
            // They are followed here, so that everybody who answers is told of.
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(address.limits.connect)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE)
            .tcp_keepalive(KEEP_ALIVE)
            .http2_keep_alive_interval(KEEP_ALIVE)
            .tls_info(true);
        client = match (address.is_encrypted(), &address.extra_roots) {
            (true, None) => client.https_only(true),
            (true, Some(file)) => {
                let error = |error| AddressError::RootsUnread { file: file.clone(), error };
                let pem = std::fs::read(file).map_err(error)?;
                let roots = Certificate::from_pem_bundle(&pem).unwrap_or_default();
                if roots.is_empty() {
                    return Err(AddressError::NoRoots { file: file.clone() });
                }
                client.https_only(true).tls_certs_merge(roots)
            }
            // Without TLS the system's certificates are not needed, and there may be none.
            (false, _) => client.tls_certs_only([]),
        };
        // A proxy that the environment names is for what is encrypted on the way through it.
        if !address.is_encrypted() || address.is_loopback() {
            client = client.no_proxy();
        }
        let told = Told::new(address);
        let client = client.build().map_err(|error| AddressError::Tls { why: told.cause(&error) })?;
        let authorization = address.authorization.clone();
        Ok(Http { client, url: address.url().clone(), authorization, limits: address.limits, told, meetings })
    }

    /// A message.
    pub(crate) fn post(&self, body: Vec<u8>, headers: HeaderMap) -> RequestBuilder {
        let request = self.client.post(self.url.clone()).headers(headers);
        request
            .header(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"))
            .header(header::CONTENT_TYPE, HeaderValue::from_static(JSON))
            .body(body)
    }

    /// A stream of what the server says of its own accord, or one that broke, gone on with.
    pub(crate) fn get(&self, headers: HeaderMap, last: Option<&HeaderValue>) -> RequestBuilder {
        let request = self.client.get(self.url.clone()).headers(headers);
        let request = request.header(header::ACCEPT, HeaderValue::from_static(EVENTS));
        match last {
            Some(last) => request.header("Last-Event-ID", last.clone()),
            None => request,
        }
    }

    /// The end of a session.
    pub(crate) fn delete(&self, headers: HeaderMap) -> RequestBuilder {
        self.client.request(Method::DELETE, self.url.clone()).headers(headers)
    }

    /// Sends a request, and says what kind of response came within the time. One that was not let in is sent once more, if
    /// there is another token for it.
    pub(crate) async fn ask(&self, request: RequestBuilder, time: Duration) -> Result<Reply, RemoteError> {
        let Some(authorization) = &self.authorization else { return self.send(request, time).await };
        let failed = |why: NoToken| RemoteError::NoToken { place: self.told.place(), why };
        let Some(token) = authorization.token(&self.url).await.map_err(failed)? else {
            return self.send(request, time).await;
        };
        let again = request.try_clone();
        let reply = self.send(self.shown(request, &token), time).await?;
        let (Reply::Refused(response), Some(again)) = (&reply, again) else { return Ok(reply) };
        if response.status() != StatusCode::UNAUTHORIZED {
            return Ok(reply);
        }
        match authorization.another(&self.url, &token).await.map_err(failed)? {
            Some(other) => self.send(self.shown(again, &other), time).await,
            None => Ok(reply),
        }
    }

    /// A request that shows a token. What the server says of it is told without it.
    fn shown(&self, request: RequestBuilder, token: &Token) -> RequestBuilder {
        self.told.hide(token);
        match token.header() {
            Some(value) => request.header(header::AUTHORIZATION, value),
            None => request,
        }
    }

    async fn send(&self, request: RequestBuilder, time: Duration) -> Result<Reply, RemoteError> {
        let mut peers = Vec::new();
        let outcome = tokio::time::timeout(time, self.respond(request, &mut peers)).await;
        // Whoever refuses, or says nothing, has the request nevertheless.
        for peer in peers {
            self.meetings.introduce(peer).await.map_err(|Unheard| RemoteError::Closed)?;
        }
        let response = match outcome {
            Err(_) => return Err(self.told.silent(time)),
            Ok(Err(error)) if error.is_connect() => return Err(self.told.unreachable(&error)),
            Ok(Err(error)) => return Err(self.told.broken(&error)),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_redirection() {
            return Err(RemoteError::Redirect { place: self.told.place(), status: status.as_u16() });
        }
        let encoding = text(&response, header::CONTENT_ENCODING.as_str());
        if !encoding.is_empty() && !encoding.eq_ignore_ascii_case("identity") {
            return Err(RemoteError::Encoded { place: self.told.place(), found: self.told.said(&encoding) });
        }
        if !status.is_success() {
            return Ok(Reply::Refused(response));
        }
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(Reply::Accepted);
        }
        let found = text(&response, header::CONTENT_TYPE.as_str());
        match essence(&found) {
            essence if essence.eq_ignore_ascii_case(JSON) => Ok(Reply::Json(response)),
            essence if essence.eq_ignore_ascii_case(EVENTS) => Ok(Reply::Events(response)),
            _ if response.content_length() == Some(0) => Ok(Reply::Accepted),
            _ => Err(RemoteError::ContentType { place: self.told.place(), found: self.told.said(&found) }),
        }
    }

    /// The response to a request, and everybody who answered until then: a server may send us to another path of its own. A
    /// request that shows a token goes nowhere else: another path may be somebody else's.
    async fn respond(
        &self,
        request: RequestBuilder,
        peers: &mut Vec<Peer>,
    ) -> Result<Response, reqwest::Error> {
        let mut request = request.build()?;
        let mut left = if request.headers().contains_key(header::AUTHORIZATION) { 0 } else { REDIRECTS };
        loop {
            let again = request.try_clone().filter(|_| left > 0);
            let response = self.client.execute(request).await?;
            peers.extend(Peer::of(&response));
            match again.and_then(|again| redirected(again, &response)) {
                Some(again) => (request, left) = (again, left - 1),
                None => return Ok(response),
            }
        }
    }

    /// Who is not let in.
    pub(crate) fn unauthorized(&self, response: &Response) -> Option<RemoteError> {
        let status = response.status();
        matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN).then(|| {
            let values = response.headers().get_all(header::WWW_AUTHENTICATE).iter();
            let challenge = Challenge::read(values.map(HeaderValue::as_bytes));
            let status = status.as_u16();
            let advice = match &self.authorization {
                Some(authorization) => authorization.advice(status, &challenge),
                None => BY_HEADER.to_owned(),
            };
            RemoteError::Unauthorized { place: self.told.place(), status, challenge, advice }
        })
    }
}

/// Whether a response is JSON, whatever its status.
pub(crate) fn is_json(response: &Response) -> bool {
    essence(&text(response, header::CONTENT_TYPE.as_str())).eq_ignore_ascii_case(JSON)
}

fn text(response: &Response, name: &str) -> String {
    response
        .headers()
        .get(name)
        .map_or_else(String::new, |value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// A content type without its parameters.
fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// The same request to where a response sends it: another path of the same server, if the request stays what it is. Nobody else gets
/// our headers.
fn redirected(mut again: Request, response: &Response) -> Option<Request> {
    if !matches!(response.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT) {
        return None;
    }
    let place = response.headers().get(header::LOCATION)?.to_str().ok()?;
    let url = again.url().join(place).ok()?;
    if url.origin() != again.url().origin() {
        return None;
    }
    *again.url_mut() = url;
    Some(again)
}

/// The innermost cause of an error, which says most and names no address.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = match error.source() {
        Some(source) => source,
        None if error.is_timeout() => return "it took too long".to_owned(),
        None => return "the request failed".to_owned(),
    };
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
