//! OpenAI's chat completions, in the part that all servers which speak it have.

use portcullis_invariant::propose::Prompt;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde::{Deserialize, Serialize};

use crate::client::ClientError;
use crate::key::{Key, KeyError};

/// Without a limit of length, which is named differently from server to server.
#[derive(Serialize)]
pub(super) struct Request<'r> {
    model: &'r str,
    messages: [Message<'r>; 2],
}

#[derive(Serialize)]
pub(super) struct Message<'r> {
    role: &'static str,
    content: &'r str,
}

#[derive(Deserialize)]
pub(super) struct Response {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Answer,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    content: Option<String>,
    refusal: Option<String>,
}

pub(super) fn headers(key: Option<&Key>) -> Result<HeaderMap, KeyError> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        headers.insert(AUTHORIZATION, key.header("Bearer ")?);
    }
    Ok(headers)
}

/// The messages of a prompt.
pub(super) fn messages(prompt: &Prompt) -> [Message<'_>; 2] {
    [Message { role: "system", content: &prompt.system }, Message { role: "user", content: &prompt.user }]
}

impl<'r> Request<'r> {
    pub(super) fn new(model: &'r str, prompt: &'r Prompt) -> Request<'r> {
        Request { model, messages: messages(prompt) }
    }
}

impl Response {
    pub(super) fn text(self) -> Result<String, ClientError> {
        let Some(Choice { message, finish_reason }) = self.choices.into_iter().next() else {
            return Err(ClientError::Empty);
        };
        match finish_reason.as_deref() {
            Some("length") => return Err(ClientError::CutOff),
            Some("content_filter") => return Err(ClientError::Refused),
            _ => {}
        }
        if message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
            return Err(ClientError::Refused);
        }
        message.content.filter(|text| !text.is_empty()).ok_or(ClientError::Empty)
    }
}
