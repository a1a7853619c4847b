//! Providers on the wire: a server on this machine that takes what the real ones take and answers as they do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod failures;
mod server;
mod settings;
mod shapes;

use portcullis_model::{Client, Key, KeyringError, Kind, Secrets, Settings};
use server::{Api, Server};

/// A key that no other text has in it.
pub(crate) const KEY: &str = "sk-portcullis-0123456789abcdef";

pub(crate) const ALL: [Api; 3] = [Api::Anthropic, Api::OpenAi, Api::Ollama];

/// Settings for a server.
pub(crate) fn settings(api: Api, url: String) -> Settings {
    let provider = match api {
        Api::Anthropic => Kind::Anthropic,
        Api::OpenAi => Kind::OpenAi,
        Api::Ollama => Kind::Ollama,
    };
    Settings {
        provider: Some(provider),
        name: Some("model-x".into()),
        url: Some(url),
        key_env: Some("KEY_OF_THE_TEST".into()),
        timeout: Some(1),
        allow_http: None,
    }
}

/// A client for a server.
pub(crate) fn client(api: Api, server: &Server) -> Client {
    let provider = settings(api, server.url(api)).provider(&InTheEnvironment(KEY)).unwrap();
    Client::new(provider).unwrap()
}

/// Every variable has this value, and there is no keyring.
pub(crate) struct InTheEnvironment(pub(crate) &'static str);

impl Secrets for InTheEnvironment {
    fn variable(&self, _: &str) -> Option<String> {
        Some(self.0.to_owned())
    }

    fn kept(&self, host: &str) -> Result<Key, KeyringError> {
        panic!("the keyring was asked for the key of `{host}`, which the environment has")
    }
}
