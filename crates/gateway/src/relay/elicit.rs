//! Our own questions in the host's window, in both eras, and what comes back.

use jiff::Timestamp;
use portcullis_store::QuestionId;
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::Action;
use portcullis_wire::rpc::{self, Id, Message};
use portcullis_wire::splice::Splice;
use serde_json::{Value, json};

use super::{Act, Relay};
use crate::guard::{AnswerError, Asked, Given, answer};

/// The field of our form.
const FIELD: &str = "answer";
/// What our own states begin with; what follows is the question, and what the host had sent before.
const STATE: &str = "portcullis/1/";

/// What a host's answer means for the call.
pub(super) enum Meant {
    /// It was put into force: decide again.
    Answered,
    /// The user refuses.
    Refused,
    /// Nobody answered; the question stays open.
    Left(String),
}

impl Relay {
    /// The question as a request to the host, in the era with sessions.
    pub(super) fn elicit(&mut self, question: QuestionId, asked: &Asked) -> Act {
        let mut id = self.own_id();
        while self.from_server.contains_key(&id) {
            id = self.own_id();
        }
        let request = rpc::request(&id, "elicitation/create", Some(form(asked).to_string().as_bytes()));
        self.own_questions.insert(id, question);
        Act::ToHost(request)
    }

    /// The question as a result, in the era without sessions. What the host sent along for the server is kept in the state.
    pub(super) fn input_required(
        &self,
        id: &Id,
        document: &Document,
        question: QuestionId,
        asked: &Asked,
    ) -> Vec<u8> {
        let params = document.root().get("params");
        let kept = |member: &str| {
            let node = params.and_then(|params| params.get(member))?;
            Some(format!("{}:{}", quote(member), node.raw_text()))
        };
        let kept: Vec<String> = ["inputResponses", "requestState"].into_iter().filter_map(kept).collect();
        let state = format!("{STATE}{question}/{{{}}}", kept.join(","));
        let request = json!({"method": "elicitation/create", "params": form(asked)});
        let result = format!(
            "{{\"resultType\":\"input_required\",\"inputRequests\":{{\"portcullis\":{request}}},\"requestState\":{}}}",
            quote(&state)
        );
        rpc::response(id, result.as_bytes())
    }

    /// A question of ours that the host still shows was answered elsewhere.
    pub(super) fn withdraw_own(&mut self, question: QuestionId, acts: &mut Vec<Act>) {
        let shown: Vec<Id> = self
            .own_questions
            .iter()
            .filter(|(_, own)| **own == question)
            .map(|(id, _)| id.clone())
            .collect();
        for id in shown {
            self.own_questions.remove(&id);
            let params = format!("{{\"requestId\":{},\"reason\":\"answered elsewhere\"}}", id.json());
            acts.push(Act::ToHost(rpc::notification("notifications/cancelled", Some(params.as_bytes()))));
        }
    }

    /// The host answered one of our questions.
    pub(super) fn take_answer(
        &mut self,
        question: QuestionId,
        message: &Message<'_>,
        now: Timestamp,
    ) -> Meant {
        match message {
            Message::Response { result, .. } => self.meant(question, *result, now),
            Message::Failure { error, .. } => Meant::Left(format!("the host cannot ask: {}", error.message)),
            Message::Request { .. } | Message::Notification { .. } => Meant::Left("no answer".to_owned()),
        }
    }

    fn meant(&mut self, question: QuestionId, response: Node<'_>, now: Timestamp) -> Meant {
        let choice = match Action::read(response) {
            Ok(Action::Accept) => response.get("content").and_then(|content| content.get(FIELD)),
            Ok(Action::Decline) => return self.give(question, "refuse", now),
            Ok(Action::Cancel) => return Meant::Left("the question was left".to_owned()),
            Err(error) => return Meant::Left(error.to_string()),
        };
        match choice.and_then(Node::as_str) {
            Some(choice) => self.give(question, &choice, now),
            None => Meant::Left("the answer has no choice in it".to_owned()),
        }
    }

    fn give(&mut self, question: QuestionId, choice: &str, now: Timestamp) -> Meant {
        let store = std::sync::Arc::clone(self.guard().store());
        match answer(&*store, question, choice, Given::ByHost, now) {
            Ok(chosen) if chosen.allows => Meant::Answered,
            Ok(_) => Meant::Refused,
            // Somebody else was faster, at a terminal: what they said counts.
            Err(AnswerError::Closed(_)) => Meant::Answered,
            Err(error) => Meant::Left(error.to_string()),
        }
    }

    /// A request that answers a question of ours in the era without sessions: which one, and the request as it would be
    /// without it.
    pub(super) fn answered(
        document: &Document,
        params: Node<'_>,
    ) -> Option<(QuestionId, Result<Document, String>)> {
        let state = params.get("requestState")?.as_str()?;
        let (question, kept) = state.strip_prefix(STATE)?.split_once('/')?;
        let question: QuestionId = question.parse().ok()?;
        Some((question, restored(document, params, kept)))
    }
}

/// The request as the server shall get it: with what the host had sent before we asked.
fn restored(document: &Document, params: Node<'_>, kept: &str) -> Result<Document, String> {
    let limits = portcullis_wire::json::Limits::default();
    let kept = Document::parse(kept.as_bytes(), &limits).map_err(|error| error.to_string())?;
    let mut splice = Splice::new(document);
    for member in ["inputResponses", "requestState"] {
        match (kept.root().get(member), params.get(member)) {
            (Some(before), Some(now)) => {
                splice.replace(now, before.raw());
            }
            (None, Some(now)) => {
                splice.remove(now);
            }
            (Some(before), None) => {
                splice.insert_member(params, member, before.raw());
            }
            (None, None) => {}
        }
    }
    let bytes = splice.finish().map_err(|error| error.to_string())?;
    Document::parse(bytes, &limits).map_err(|error| error.to_string())
}

/// The host's answer in a request of the era without sessions.
pub(super) fn response(params: Node<'_>) -> Option<Node<'_>> {
    params.get("inputResponses")?.get("portcullis")
}

/// Whether a result of the server would come back to us as the answer to one of our own questions.
pub(super) fn poses_as_ours(result: Node<'_>) -> bool {
    let state = result.get("requestState").and_then(Node::as_str);
    state.is_some_and(|state| state.starts_with(STATE))
}

/// The form that the user gets: one choice among those that the host's window may give.
fn form(asked: &Asked) -> Value {
    let choices: Vec<_> = asked.choices.iter().filter(|choice| choice.through_host).collect();
    let hidden = asked.choices.len() - choices.len();
    let mut message = format!("Portcullis asks. {}", asked.lines().join("\n"));
    if hidden > 0 {
        message.push_str("\nWider answers can only be given at a terminal: `portcullis watch`.");
    }
    let ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
    let words: Vec<&str> = choices.iter().map(|choice| choice.words.as_str()).collect();
    json!({
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {FIELD: {"type": "string", "title": "Your answer", "enum": ids, "enumNames": words}},
            "required": [FIELD],
        },
    })
}

#[cfg(test)]
mod tests {
    use portcullis_wire::json::Limits;

    use super::*;

    #[test]
    fn a_state_of_ours_from_a_server_is_known_however_it_is_written() {
        for (result, poses) in [
            (r#"{"requestState":"portcullis/1/7/{}"}"#, true),
            (r#"{"requestState":"portcullis\u002f1/7/{}"}"#, true),
            (r#"{"requestState":"of the server: portcullis/1/7/{}"}"#, false),
            (r#"{"requestState":["portcullis/1/7/{}"]}"#, false),
            (r#"{"content":[]}"#, false),
        ] {
            let document = Document::parse(result.as_bytes(), &Limits::default()).unwrap();
            assert_eq!(poses_as_ours(document.root()), poses, "{result}");
        }
    }
}
