//! The server: each request is handed to the test, which says what the response is.

use std::convert::Infallible;
use std::net::SocketAddr;

use http_body_util::channel::{Channel, Sender};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use crate::soon;

type Broken = Box<dyn std::error::Error + Send + Sync>;
type Body = BoxBody<Bytes, Broken>;

/// A server on this machine.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    requests: mpsc::UnboundedReceiver<Asked>,
}

/// A request that waits for the test. Without a response it hangs until it is dropped.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) version: hyper::Version,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
    respond: oneshot::Sender<Response<Body>>,
}

/// A response that goes on.
pub(crate) struct Streaming {
    sender: Sender<Bytes, Broken>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone(), Version::One));
            }
        });
        Server { url: format!("http://{address}/mcp?key=q-secret"), address, requests }
    }

    /// The same with what turns a connection into an encrypted one, made for each.
    pub(crate) async fn start_encrypted(
        acceptor: impl Fn() -> tokio_rustls::TlsAcceptor + Send + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, sender) = (acceptor(), sender.clone());
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        let version = match stream.get_ref().1.alpn_protocol() {
                            Some(b"h2") => Version::Two,
                            _ => Version::One,
                        };
                        serve(stream, sender, version).await;
                    }
                });
            }
        });
        Server { url: format!("https://{address}/mcp"), address, requests }
    }

    /// The next request.
    pub(crate) async fn asked(&mut self) -> Asked {
        soon(self.requests.recv()).await.unwrap()
    }

    /// Whether nothing was asked that the test has not seen.
    pub(crate) fn is_idle(&mut self) -> bool {
        self.requests.try_recv().is_err()
    }
}

/// Which HTTP a connection speaks.
enum Version {
    One,
    Two,
}

async fn serve<S>(stream: S, sender: mpsc::UnboundedSender<Asked>, version: Version)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request: Request<Incoming>| {
        let sender = sender.clone();
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
            let (respond, response) = oneshot::channel();
            let asked = Asked {
                method: head.method.to_string(),
                version: head.version,
                path: head.uri.to_string(),
                headers: head.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
                respond,
            };
            drop(sender.send(asked));
            match response.await {
                Ok(response) => Ok(response),
                // The test does not want it; the connection is closed without a word.
                Err(_) => Err("dropped"),
            }
        }
    });
    let stream = TokioIo::new(stream);
    // How a connection ends is seen by the client.
    let _ = match version {
        Version::One => http1::Builder::new().serve_connection(stream, service).await,
        Version::Two => http2::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await,
    };
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Answers with a body.
    pub(crate) fn reply(self, status: u16, headers: &[(&str, &str)], body: &str) {
        let body =
            Full::new(Bytes::from(body.to_owned())).map_err(|never: Infallible| match never {}).boxed();
        self.respond_with(status, headers, body);
    }

    pub(crate) fn json(self, status: u16, body: &str) {
        self.reply(status, &[("content-type", "application/json")], body);
    }

    pub(crate) fn accept(self) {
        self.reply(202, &[], "");
    }

    /// Answers with a stream of events.
    pub(crate) fn stream(self, headers: &[(&str, &str)]) -> Streaming {
        let all: Vec<_> = [("content-type", "text/event-stream")].iter().chain(headers).copied().collect();
        self.go_on(&all)
    }

    /// Answers with something that comes piece by piece.
    pub(crate) fn go_on(self, headers: &[(&str, &str)]) -> Streaming {
        let (sender, body) = Channel::new(1);
        self.respond_with(200, headers, body.boxed());
        Streaming { sender }
    }

    fn respond_with(self, status: u16, headers: &[(&str, &str)], body: Body) {
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        // A client that does not want it any more has left.
        drop(self.respond.send(response.body(body).unwrap()));
    }
}

impl Streaming {
    /// Says something. Whether the client still listens.
    pub(crate) async fn say(&mut self, text: &str) -> bool {
        soon(self.sender.send_data(Bytes::from(text.to_owned()))).await.is_ok()
    }

    /// An event with a message.
    pub(crate) async fn event(&mut self, message: &str) -> bool {
        self.say(&format!("event: message\ndata: {message}\n\n")).await
    }

    /// An event with a message and an id.
    pub(crate) async fn event_with_id(&mut self, id: &str, message: &str) -> bool {
        self.say(&format!("id: {id}\ndata: {message}\n\n")).await
    }

    /// Breaks the connection in the middle.
    pub(crate) fn cut(self) {
        self.sender.abort("cut".into());
    }

    /// Waits until the client has left.
    pub(crate) async fn left(&mut self) {
        soon(async { while self.sender.send_data(Bytes::from_static(b":\n")).await.is_ok() {} }).await;
    }
}
