//! A toy server behind the real gate, and the assistant in front of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use portcullis_gateway::{Act, Asked, Guard, Relay, Server};
use portcullis_store::{QuestionFilter, QuestionId};
use serde_json::{Value, json};

use super::ASKING;
use super::story::{Step, StoryServer};

/// What the assistant gets to hear.
pub(super) enum Heard {
    /// The call was made.
    Done(String),
    /// It was refused, with this text.
    Refused(String),
    /// The user is asked.
    Asked(QuestionId, Box<Asked>),
    /// Nothing so far.
    Nothing,
}

/// A toy server with its relay.
pub(super) struct Toy {
    relay: Relay,
    guard: Arc<Mutex<Guard>>,
    tools: Value,
    /// What the server answers to the call at hand.
    result: String,
    calls: u64,
}

impl Toy {
    pub(super) fn start(server: &StoryServer, guard: Arc<Mutex<Guard>>) -> Result<Toy, String> {
        let command = ["npx", "-y", &server.package].map(str::to_owned);
        let relay = Relay::new(Arc::clone(&guard), Server::started(&command, Some(&server.name)), ASKING, 0)?;
        let tools = server.tools.iter().map(|tool| {
            let properties = tool.arguments.iter().map(|name| (name.clone(), json!({})));
            let properties: serde_json::Map<String, Value> = properties.collect();
            let schema = json!({"type": "object", "properties": properties});
            json!({"name": tool.name, "description": tool.description, "inputSchema": schema})
        });
        let tools = Value::Array(tools.collect());
        Ok(Toy { relay, guard, tools, result: String::new(), calls: 0 })
    }

    pub(super) fn name(&self) -> &str {
        &self.relay.server().name
    }

    /// The assistant calls a tool.
    pub(super) fn call(&mut self, step: &Step) -> Heard {
        self.calls += 1;
        self.result.clone_from(&step.result);
        let message = json!({
            "jsonrpc": "2.0", "id": self.calls, "method": "tools/call",
            "params": {"name": step.tool, "arguments": step.arguments},
        });
        let acts = self.relay.from_host(message.to_string().into_bytes(), Timestamp::now());
        self.perform(acts)
    }

    /// The question was answered: what comes of the call?
    pub(super) fn look(&mut self) -> Heard {
        let acts = self.relay.tick(Timestamp::now());
        self.perform(acts)
    }

    /// Plays the server until nothing is left to do.
    fn perform(&mut self, acts: Vec<Act>) -> Heard {
        let mut waiting: VecDeque<Act> = acts.into();
        while let Some(act) = waiting.pop_front() {
            let message = match act {
                Act::ToServer(bytes) => bytes,
                Act::Call(permit, bytes) => {
                    drop(permit);
                    bytes
                }
                Act::ToHost(bytes) => return heard(&bytes),
                Act::Note(_) => continue,
            };
            waiting.extend(self.relay.from_server(self.answer(&message), Timestamp::now()));
        }
        self.open_question().unwrap_or(Heard::Nothing)
    }

    fn answer(&self, message: &[u8]) -> Vec<u8> {
        let message: Value = serde_json::from_slice(message).unwrap_or_default();
        let result = match message.get("method").and_then(Value::as_str) {
            Some("tools/list") => json!({"tools": self.tools}),
            _ => json!({"content": [{"type": "text", "text": self.result}]}),
        };
        json!({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).to_string().into_bytes()
    }

    fn open_question(&self) -> Option<Heard> {
        let store = Arc::clone(self.guard.lock().unwrap_or_else(PoisonError::into_inner).store());
        let open = store.questions(QuestionFilter::Open, Timestamp::now()).ok()?;
        let question = open.last()?;
        let asked: Asked = serde_json::from_str(question.body.as_ref()?).ok()?;
        Some(Heard::Asked(question.id, Box::new(asked)))
    }
}

fn heard(bytes: &[u8]) -> Heard {
    let message: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let text =
        message.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default().to_owned();
    match message.pointer("/result/isError").and_then(Value::as_bool) {
        Some(true) => Heard::Refused(text),
        _ => Heard::Done(text),
    }
}
