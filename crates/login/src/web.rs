//! Questions over HTTP to servers and issuers: short, bounded, and followed nowhere.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis_oauth::{Form, Secret, ServerUrl};
use portcullis_remote::Challenge;
use reqwest::header::{self, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, RequestBuilder, Response, StatusCode};
use sha2::{Digest, Sha256};
use url::Url;

/// What we call ourselves.
const USER_AGENT: &str = concat!("portcullis/", env!("CARGO_PKG_VERSION"));
/// The longest answer that is read.
const LONGEST: usize = 1 << 20;
/// How long a question may take in all.
const TIME: Duration = Duration::from_secs(20);
/// How long it may take to reach somebody.
const CONNECT: Duration = Duration::from_secs(10);
/// What is asked to see whether one is let in.
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// Who asks over HTTP.
#[derive(Clone)]
pub struct Web {
    /// Where the system has no certificates there is none, and what is on this machine can be asked nevertheless.
    encrypted: Result<Client, WebError>,
    /// For what is on this machine alone.
    plain: Client,
    /// The digest of the certificates that are believed besides those of the system.
    roots: Option<String>,
}

/// Why there is no answer. Nothing that was sent is in it, nor what came.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WebError {
    /// Nothing can be asked from here.
    #[error("no request can be made: {0}")]
    Setup(String),
    /// There are no certificates in the file.
    #[error("there are no certificates in `{}` that can be read; they have to be in PEM", .0.display())]
    Roots(PathBuf),
    /// Not reached, or gone in the middle.
    #[error("`{host}` cannot be asked: {why}")]
    Unreachable {
        /// Who.
        host: String,
        /// Why not.
        why: String,
    },
    /// It takes too long.
    #[error("`{host}` did not answer in {} seconds", TIME.as_secs())]
    Slow {
        /// Who.
        host: String,
    },
    /// It sends elsewhere.
    #[error("`{host}` sends elsewhere ({status}), which is not followed")]
    Redirected {
        /// Who.
        host: String,
        /// By which status.
        status: u16,
    },
    /// It says more than is read.
    #[error("`{0}` answered with more than {LONGEST} bytes")]
    Long(String),
}

/// What was answered.
pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    /// It may have tokens in it.
    pub(crate) body: zeroize::Zeroizing<Vec<u8>>,
}

impl Web {
    /// Ready to ask. Certificates of a file are believed besides those of the system.
    ///
    /// # Errors
    /// If TLS cannot be used.
    pub fn new(extra_roots: Option<&Path>) -> Result<Web, WebError> {
        let setup = |error: reqwest::Error| WebError::Setup(innermost(&error));
        let builder = || {
            Client::builder()
                .user_agent(USER_AGENT)
                .redirect(Policy::none())
                .referer(false)
                .timeout(TIME)
                .connect_timeout(CONNECT)
        };
        let mut encrypted = builder().https_only(true);
        let mut digest = None;
        if let Some(file) = extra_roots {
            let pem = std::fs::read(file).map_err(|_| WebError::Roots(file.to_owned()))?;
            let roots = Certificate::from_pem_bundle(&pem).unwrap_or_default();
            if roots.is_empty() {
                return Err(WebError::Roots(file.to_owned()));
            }
            encrypted = encrypted.tls_certs_merge(roots);
            digest = Some(Sha256::digest(&pem).iter().map(|byte| format!("{byte:02x}")).collect());
        }
        let plain = builder().no_proxy().tls_certs_only([]);
        Ok(Web {
            encrypted: encrypted.build().map_err(setup),
            plain: plain.build().map_err(setup)?,
            roots: digest,
        })
    }

    /// The digest of the certificates that are believed besides those of the system.
    pub(crate) fn roots(&self) -> Option<&str> {
        self.roots.as_deref()
    }

    /// The same, as if it believed others.
    #[cfg(test)]
    pub(crate) fn under(self, roots: &str) -> Web {
        Web { roots: Some(roots.to_owned()), ..self }
    }

    fn client(&self, place: &Url) -> Result<&Client, WebError> {
        // Addresses without TLS that are not on this machine are refused where they are read.
        match place.scheme() {
            "https" => self.encrypted.as_ref().map_err(WebError::clone),
            _ => Ok(&self.plain),
        }
    }

    /// Asks for a document.
    pub(crate) async fn read(&self, place: &Url) -> Result<Answered, WebError> {
        let request = self.client(place)?.get(place.clone());
        self.ask(place, request.header(header::ACCEPT, HeaderValue::from_static("application/json"))).await
    }

    /// Posts JSON that is no secret.
    pub(crate) async fn post_json(&self, place: &Url, body: String) -> Result<Answered, WebError> {
        let json = HeaderValue::from_static("application/json");
        let request = self.client(place)?.post(place.clone());
        let request = request.header(header::ACCEPT, json.clone()).header(header::CONTENT_TYPE, json);
        self.ask(place, request.body(body)).await
    }

    /// Posts a form with secrets, to where it says.
    pub(crate) async fn post(&self, form: &Form) -> Result<Answered, WebError> {
        let place = form.place();
        let mut request = self
            .client(place)?
            .post(place.clone())
            .header(header::ACCEPT, HeaderValue::from_static("application/json"))
            .header(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"))
            .body(form.body().reveal().to_owned());
        if let Some(value) = form.authorization().and_then(sensitive) {
            request = request.header(header::AUTHORIZATION, value);
        }
        self.ask(place, request).await
    }

    /// What a server asks for that is asked something without a token.
    pub(crate) async fn challenge(&self, server: &ServerUrl) -> Result<Challenge, WebError> {
        let place = server.url();
        let request = self
            .client(place)?
            .post(place.clone())
            .header(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"))
            .header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(PING);
        let response = request.send().await.map_err(|error| failed(place, error))?;
        // Only the head is of interest; the body may be a stream without an end.
        match response.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let values = response.headers().get_all(header::WWW_AUTHENTICATE).iter();
                Ok(Challenge::read(values.map(HeaderValue::as_bytes)))
            }
            _ => Ok(Challenge::default()),
        }
    }

    async fn ask(&self, place: &Url, request: RequestBuilder) -> Result<Answered, WebError> {
        let response = request.send().await.map_err(|error| failed(place, error))?;
        let status = response.status();
        if status.is_redirection() {
            return Err(WebError::Redirected { host: host(place), status: status.as_u16() });
        }
        Ok(Answered { status, body: body(place, response).await? })
    }
}

/// Reads an answer piece by piece, so that one without an end is noticed.
async fn body(place: &Url, mut response: Response) -> Result<zeroize::Zeroizing<Vec<u8>>, WebError> {
    let mut body = zeroize::Zeroizing::new(Vec::new());
    while let Some(piece) = response.chunk().await.map_err(|error| failed(place, error))? {
        if body.len() + piece.len() > LONGEST {
            return Err(WebError::Long(host(place)));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn sensitive(secret: &Secret) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(secret.reveal()).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn failed(place: &Url, error: reqwest::Error) -> WebError {
    match error.is_timeout() {
        true => WebError::Slow { host: host(place) },
        false => WebError::Unreachable { host: host(place), why: innermost(&error.without_url()) },
    }
}

/// Where an address leads, without what else is in it.
fn host(place: &Url) -> String {
    place.origin().ascii_serialization()
}

/// The innermost cause says most: that nobody listens, or that a certificate is not trusted.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
