//! Anthropic's Messages.

use portcullis_invariant::propose::Prompt;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use super::MOST_TOKENS;
use crate::client::ClientError;
use crate::key::{Key, KeyError};

/// The version of the API that requests are written for.
const VERSION: &str = "2026-10-21";

#[derive(Serialize)]
pub(super) struct Request<'r> {
    model: &'r str,
    max_tokens: u32,
    system: &'r str,
    messages: [Message<'r>; 1],
}

#[derive(Serialize)]
struct Message<'r> {
    role: &'static str,
    content: &'r str,
}

/// Fields that nobody asks for are passed over: there are many, and more are added.
#[derive(Deserialize)]
pub(super) struct Response {
    content: Vec<Block>,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

pub(super) fn headers(key: Option<&Key>) -> Result<HeaderMap, KeyError> {
    let mut headers = HeaderMap::new();
    headers.insert(HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION));
    if let Some(key) = key {
        headers.insert(HeaderName::from_static("x-api-key"), key.header("")?);
    }
    Ok(headers)
}

impl<'r> Request<'r> {
    pub(super) fn new(model: &'r str, prompt: &'r Prompt) -> Request<'r> {
        let message = Message { role: "user", content: &prompt.user };
        Request { model, max_tokens: MOST_TOKENS, system: &prompt.system, messages: [message] }
    }
}

impl Response {
    pub(super) fn text(self) -> Result<String, ClientError> {
        match self.stop_reason.as_deref() {
            Some("max_tokens" | "model_context_window_exceeded") => return Err(ClientError::CutOff),
            Some("refusal") => return Err(ClientError::Refused),
            _ => {}
        }
        let texts = self.content.into_iter().filter(|block| block.kind == "text");
        let text: String = texts.filter_map(|block| block.text).collect();
        if text.is_empty() { Err(ClientError::Empty) } else { Ok(text) }
    }
}
