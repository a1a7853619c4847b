//! Ollama's chat.

use portcullis_invariant::propose::Prompt;
use serde::{Deserialize, Serialize};

use super::openai::{Message, messages};
use crate::client::ClientError;

#[derive(Serialize)]
pub(super) struct Request<'r> {
    model: &'r str,
    messages: [Message<'r>; 2],
    /// In one piece.
    stream: bool,
    /// Whatever the model, the answer is JSON.
    format: &'static str,
}

#[derive(Deserialize)]
pub(super) struct Response {
    message: Answer,
    done: bool,
    done_reason: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    content: String,
}

impl<'r> Request<'r> {
    pub(super) fn new(model: &'r str, prompt: &'r Prompt) -> Request<'r> {
        Request { model, messages: messages(prompt), stream: false, format: "json" }
    }
}

impl Response {
    pub(super) fn text(self) -> Result<String, ClientError> {
        if !self.done || self.done_reason.as_deref() == Some("length") {
            return Err(ClientError::CutOff);
        }
        if self.message.content.is_empty() { Err(ClientError::Empty) } else { Ok(self.message.content) }
    }
}
