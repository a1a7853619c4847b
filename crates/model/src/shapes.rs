//! What providers are asked and answer, on the wire.

mod anthropic;
mod ollama;
mod openai;

use portcullis_invariant::propose::Prompt;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

use crate::client::ClientError;
use crate::key::KeyError;
use crate::provider::{Kind, Provider};

/// The longest answer that a model is asked for, in its own units.
const MOST_TOKENS: u32 = 8_192;

/// The headers of a request.
pub(crate) fn headers(provider: &Provider) -> Result<HeaderMap, KeyError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let own = match provider.kind {
        Kind::Anthropic => anthropic::headers(provider.key.as_ref())?,
        Kind::OpenAi | Kind::Ollama => openai::headers(provider.key.as_ref())?,
    };
    headers.extend(own);
    Ok(headers)
}

/// The body of a request.
pub(crate) fn body(provider: &Provider, prompt: &Prompt) -> Result<Vec<u8>, serde_json::Error> {
    match provider.kind {
        Kind::Anthropic => serde_json::to_vec(&anthropic::Request::new(&provider.name, prompt)),
        Kind::OpenAi => serde_json::to_vec(&openai::Request::new(&provider.name, prompt)),
        Kind::Ollama => serde_json::to_vec(&ollama::Request::new(&provider.name, prompt)),
    }
}

/// The text of an answer.
pub(crate) fn text(kind: Kind, body: &[u8]) -> Result<String, ClientError> {
    match kind {
        Kind::Anthropic => read::<anthropic::Response>(body)?.text(),
        Kind::OpenAi => read::<openai::Response>(body)?.text(),
        Kind::Ollama => read::<ollama::Response>(body)?.text(),
    }
}

fn read<'b, T: serde::Deserialize<'b>>(body: &'b [u8]) -> Result<T, ClientError> {
    // What is wrong is told by its place alone, for the text may be anything.
    serde_json::from_slice(body)
        .map_err(|error| ClientError::Form { line: error.line(), column: error.column() })
}
