//! Asking a provider: one request for each prompt, of which nothing is followed, repeated or kept.

use std::time::Duration;

use portcullis_invariant::propose::{Ask, Prompt};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use tokio::runtime::{Builder, Runtime};

use crate::key::KeyError;
use crate::provider::Provider;
use crate::shapes;

/// The longest answer that is read, with all that is around its text.
const LONGEST_BODY: usize = 1 << 20;
/// How long it may take to reach the server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Asks a provider.
pub struct Client {
    provider: Provider,
    http: reqwest::Client,
    runtime: Runtime,
}

/// Why there is no answer. Nothing that the server said is in it, for a server may repeat what it was sent.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing can be asked from here.
    #[error("no request can be made: {0}")]
    Setup(String),
    /// The key cannot be sent.
    #[error("the key of the provider cannot be sent: {0}")]
    Key(#[from] KeyError),
    /// The server was not reached, or went away.
    #[error("`{host}` cannot be asked: {why}")]
    Unreachable {
        /// Which.
        host: String,
        /// Why not.
        why: String,
    },
    /// It took too long.
    #[error("`{host}` did not answer in {seconds} seconds")]
    Slow {
        /// Which.
        host: String,
        /// How long it had.
        seconds: u64,
    },
    /// The key was not accepted.
    #[error("`{host}` does not accept the key ({status})")]
    Unauthorised {
        /// Who.
        host: String,
        /// What it answered.
        status: u16,
    },
    /// It was asked too often.
    #[error("`{0}` is asked too often, or the account is used up (429); try again later")]
    Busy(String),
    /// It sends elsewhere.
    #[error("`{host}` sends elsewhere ({status}), which is not followed; say the address itself")]
    Redirected {
        /// Who.
        host: String,
        /// What it answered.
        status: u16,
    },
    /// Something else went wrong there.
    #[error("`{host}` answered with {status}{hint}")]
    Status {
        /// Who.
        host: String,
        /// What it answered.
        status: u16,
        /// What it may mean.
        hint: &'static str,
    },
    /// It does not end.
    #[error("the answer is longer than {LONGEST_BODY} bytes")]
    Long,
    /// It is no answer of the expected form.
    #[error(
        "the answer has not the form that this kind of provider answers in (line {line}, column {column})"
    )]
    Form {
        /// Where it goes wrong.
        line: usize,
        /// Where in the line.
        column: usize,
    },
    /// It ends in the middle.
    #[error("the answer was cut off for its length")]
    CutOff,
    /// The model would not.
    #[error("the model refused to answer")]
    Refused,
    /// There is nothing in it.
    #[error("the answer is empty")]
    Empty,
    /// It has the key in it.
    #[error("the answer repeats the key of the provider; it is not used")]
    Echo,
}

impl Client {
    /// Ready to ask. Nothing is sent yet.
    pub fn new(provider: Provider) -> Result<Client, ClientError> {
        let setup = |error: &dyn std::error::Error| ClientError::Setup(error.to_string());
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .timeout(provider.timeout)
            .connect_timeout(CONNECT_TIMEOUT.min(provider.timeout))
            .https_only(provider.base.scheme() == "https");
        if provider.base.scheme() == "http" {
            // A proxy would see what is meant for this machine, with the key.
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| setup(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| setup(&error))?;
        Ok(Client { provider, http, runtime })
    }

    /// Who is asked.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    async fn answer(&self, prompt: &Prompt) -> Result<String, ClientError> {
        let provider = &self.provider;
        let body = shapes::body(provider, prompt).map_err(|error| ClientError::Setup(error.to_string()))?;
        let request = self.http.post(provider.endpoint()).headers(shapes::headers(provider)?).body(body);
        let response = request.send().await.map_err(|error| self.failed(error))?;
        let body = self.body(self.accepted(response)?).await?;
        let text = shapes::text(provider.kind, &body)?;
        match &provider.key {
            Some(key) if key.is_in(&text) => Err(ClientError::Echo),
            _ => Ok(text),
        }
    }

    fn host(&self) -> String {
        self.provider.host().to_owned()
    }

    fn failed(&self, error: reqwest::Error) -> ClientError {
        let host = self.host();
        if error.is_timeout() {
            return ClientError::Slow { host, seconds: self.provider.timeout.as_secs() };
        }
        // The innermost cause says most: that nobody listens, or that a certificate is not trusted.
        let mut cause: &dyn std::error::Error = &error.without_url();
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        ClientError::Unreachable { host, why: cause.to_string() }
    }

    fn accepted(&self, response: Response) -> Result<Response, ClientError> {
        let (status, host) = (response.status(), self.host());
        let number = status.as_u16();
        match status {
            status if status.is_success() => Ok(response),
            status if status.is_redirection() => Err(ClientError::Redirected { host, status: number }),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Err(ClientError::Unauthorised { host, status: number })
            }
            StatusCode::TOO_MANY_REQUESTS => Err(ClientError::Busy(host)),
            StatusCode::NOT_FOUND => {
                let hint = ": look at the address and at the name of the model";
                Err(ClientError::Status { host, status: number, hint })
            }
            status if status.is_server_error() => {
                Err(ClientError::Status { host, status: number, hint: ": it fails; try again later" })
            }
            _ => Err(ClientError::Status { host, status: number, hint: "" }),
        }
    }

    /// Reads an answer piece by piece, so that one without an end is noticed.
    async fn body(&self, mut response: Response) -> Result<Vec<u8>, ClientError> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.failed(error))? {
            if body.len() + piece.len() > LONGEST_BODY {
                return Err(ClientError::Long);
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

impl Ask for Client {
    type Error = ClientError;

    fn ask(&mut self, prompt: &Prompt) -> Result<String, ClientError> {
        self.runtime.block_on(self.answer(prompt))
    }
}
