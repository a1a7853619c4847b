//! Where hosts knock: Streamable HTTP on loopback, in both eras.

mod checks;
mod post;
mod reply;

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::header::{ACCEPT, ALLOW, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use portcullis_wire::mcp::{Header, decode};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::connection::Notes;
use crate::guarded::{Endpoint, Guarded, Who};
use crate::registry::Registry;
use reply::Body;

pub use checks::Token;

/// The session that a request belongs to.
const SESSION: &str = "mcp-session-id";
/// Where a stream broke.
const LAST_EVENT: &str = "last-event-id";
/// What the bridge tells of whom it bridges for.
const OF_WORKSPACE: &str = "portcullis-workspace";
const OF_HOST: &str = "portcullis-host";
/// So many connections of hosts are open at most.
const MOST_CONNECTIONS: usize = 2048;
/// A host may take so long to say what it wants.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked for what nobody uses any more.
const TIDY: Duration = Duration::from_secs(30);

/// Why nobody can knock.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    /// Others could knock.
    #[error(
        "`{0}` can be reached from other machines, and what is said there is not encrypted; listen on 127.0.0.1 or [::1]"
    )]
    NotLoopback(SocketAddr),
    /// The address cannot be had.
    #[error("cannot listen on `{address}`: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
}

/// The two ends of a connection.
struct Ends {
    own: SocketAddr,
    peer: SocketAddr,
    /// The program at the other end, once somebody wanted to know.
    host: OnceLock<Option<String>>,
}

/// Where hosts knock.
pub struct Front {
    guarded: Arc<dyn Guarded>,
    registry: Registry,
    token: Token,
    notes: Notes,
}

impl Front {
    /// A front before these servers.
    pub fn new(guarded: Arc<dyn Guarded>, token: Token, notes: Notes) -> Arc<Front> {
        Arc::new(Front { guarded, registry: Registry::default(), token, notes })
    }

    /// Makes ready to listen.
    ///
    /// # Errors
    /// If others could reach it, or the address cannot be had.
    pub async fn listen(address: SocketAddr) -> Result<TcpListener, FrontError> {
        if !address.ip().is_loopback() {
            return Err(FrontError::NotLoopback(address));
        }
        TcpListener::bind(address).await.map_err(|error| FrontError::Listen { address, error })
    }

    /// Lets hosts in, until somebody says that it is over. All servers have ended then.
    pub async fn run(self: Arc<Self>, listener: TcpListener, over: impl Future<Output = ()>) {
        let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut tidy = tokio::time::interval(TIDY);
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => break,
                _ = tidy.tick() => self.registry.tidy(),
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
                            (self.notes)("there are too many connections, so one was refused");
                            continue;
                        };
                        let front = Arc::clone(&self);
                        tokio::spawn(async move {
                            front.attend(stream).await;
                            drop(place);
                        });
                    }
                    Err(error) => {
                        (self.notes)(&format!("a host could not be let in: {error}"));
                        // There may be too many open files for a moment.
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                },
            }
        }
        let ended = tokio::task::spawn_blocking(move || self.registry.close());
        // What it would say if it panicked has been said.
        let _ = ended.await;
    }

    /// Serves one connection of a host.
    async fn attend(self: Arc<Self>, stream: tokio::net::TcpStream) {
        let (Ok(own), Ok(peer)) = (stream.local_addr(), stream.peer_addr()) else { return };
        let ends = Arc::new(Ends { own, peer, host: OnceLock::new() });
        // An answer is small and waited for.
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request: Request<hyper::body::Incoming>| {
            let (front, ends) = (Arc::clone(&self), Arc::clone(&ends));
            async move { Ok::<_, std::convert::Infallible>(front.answer(request, &ends).await) }
        });
        let served = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .serve_connection(TokioIo::new(stream), service);
        // Hosts leave when they like.
        let _ = served.await;
    }

    async fn answer(self: Arc<Self>, request: Request<hyper::body::Incoming>, ends: &Ends) -> Response<Body> {
        if let Err(refused) = checks::may_knock(request.headers(), ends.own, &self.token) {
            return reply::refused(&refused);
        }
        let Some(endpoint) = endpoint_of(request.uri().path()).filter(|endpoint| self.guarded.has(endpoint))
        else {
            return reply::plain(StatusCode::NOT_FOUND, "there is no server at this address");
        };
        match *request.method() {
            Method::POST => self.post(request, endpoint, ends).await,
            Method::GET => self.stream(request.headers(), &endpoint),
            Method::DELETE => self.end(request.headers(), &endpoint),
            _ => not_allowed("POST, GET, DELETE"),
        }
    }

    /// Whose session it is: as the bridge tells, else that of the program at the other end.
    fn who(&self, headers: &HeaderMap, ends: &Ends) -> Option<Who> {
        let mut who = told_who(headers)?;
        if who.host.is_none() {
            who.host = ends.host.get_or_init(|| self.guarded.host_at(ends.peer, ends.own)).clone();
        }
        Some(who)
    }

    /// A host wants to hear what belongs to no request, or to go on where a stream broke.
    fn stream(&self, headers: &HeaderMap, endpoint: &Endpoint) -> Response<Body> {
        // Without sessions there is nothing to hear.
        let Some(name) = text(headers, SESSION) else { return not_allowed("POST") };
        if !accepts(headers, "text/event-stream") {
            return reply::plain(StatusCode::NOT_ACCEPTABLE, "this needs `Accept: text/event-stream`");
        }
        let Some(connection) = self.registry.session(name, endpoint) else { return reply::no_session() };
        let from = text(headers, LAST_EVENT).map(|event| reply::place_of(event).ok_or(()));
        let Ok(from) = from.transpose() else {
            return reply::plain(StatusCode::BAD_REQUEST, "there is no such event");
        };
        match connection.listen(from) {
            Some((stream, receiver)) => reply::events(&connection, stream, receiver, reply::Ids::Told, None),
            None => reply::plain(StatusCode::NOT_FOUND, "there is no such event any more"),
        }
    }

    fn end(&self, headers: &HeaderMap, endpoint: &Endpoint) -> Response<Body> {
        match text(headers, SESSION) {
            Some(name) if self.registry.end(name, endpoint) => reply::empty(StatusCode::OK),
            Some(_) => reply::no_session(),
            None => not_allowed("POST"),
        }
    }
}

fn endpoint_of(path: &str) -> Option<Endpoint> {
    match path {
        "/mcp" => Some(Endpoint::All),
        _ => path.strip_prefix("/servers/").map(|name| Endpoint::One(name.to_owned())),
    }
}

/// The only value of a header.
fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).into_iter();
    values.next().filter(|_| values.next().is_none()).and_then(|value| value.to_str().ok())
}

/// Whether a host takes answers of this kind.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let values = headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    let mut kinds = values.flat_map(|value| value.split(','));
    kinds.any(|found| {
        let found = found.split(';').next().unwrap_or_default().trim();
        found.eq_ignore_ascii_case(kind) || found == "*/*"
    })
}

/// Whose session it is, as the bridge tells. Nothing if that cannot be read: it would be taken for somebody else's.
fn told_who(headers: &HeaderMap) -> Option<Who> {
    let told = |name: &str| match headers.contains_key(name) {
        true => text(headers, name).and_then(decode).map(|text| Some(text.into_owned())),
        false => Some(None),
    };
    Some(Who { workspace: told(OF_WORKSPACE)?, host: told(OF_HOST)? })
}

/// The revision that a header tells.
fn told_revision(headers: &HeaderMap) -> Option<&str> {
    text(headers, Header::PROTOCOL_VERSION)
}

fn not_allowed(allowed: &'static str) -> Response<Body> {
    let mut response = reply::plain(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here");
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}
