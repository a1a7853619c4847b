//! Results that are questions, and the answers to them.

use std::borrow::Cow;

use super::method::Method;
use super::shape::{Shape, ShapeError};
use crate::json::Node;

const OF: &str = "result";

/// What kind of result an answer is.
#[derive(Debug, Clone)]
pub enum ResultKind<'d> {
    /// The end of the request.
    Complete,
    /// The server wants to know something first (2026-07-28).
    InputRequired(InputRequired<'d>),
    /// It goes on as a task.
    Task {
        /// Its name.
        task: Cow<'d, str>,
    },
    /// A kind that nobody defined. Clients must not take it for a result.
    Unknown {
        /// What it says.
        kind: Cow<'d, str>,
    },
}

/// Questions of a server, and what it wants back.
#[derive(Debug, Clone)]
pub struct InputRequired<'d> {
    /// The questions in their order.
    pub requests: Vec<InputRequest<'d>>,
    /// A string that only the server understands.
    pub state: Option<Node<'d>>,
}

/// A question of a server.
#[derive(Debug, Clone)]
pub struct InputRequest<'d> {
    /// By which the answer refers to it.
    pub key: Cow<'d, str>,
    /// `Elicit`, `CreateMessage` or `ListRoots`; or `Unknown`, which clients must not answer.
    pub method: Method,
    /// Its parameters, an object.
    pub params: Option<Node<'d>>,
    /// All of it, an object.
    pub node: Node<'d>,
}

/// What the user did with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Answered it.
    Accept,
    /// Refused to.
    Decline,
    /// Left it.
    Cancel,
}

impl<'d> ResultKind<'d> {
    /// What kind of result this is.
    ///
    /// # Errors
    /// If it does not have the form of its kind.
    pub fn read(result: Node<'d>) -> Result<ResultKind<'d>, ShapeError> {
        let members = ["resultType", "inputRequests", "requestState", "taskId", "task"];
        let shape = Shape::new(OF, result, &members)?;
        match shape.optional_text("resultType")?.as_deref() {
            Some("input_required") => InputRequired::read(shape).map(ResultKind::InputRequired),
            Some("task") => Ok(ResultKind::Task { task: shape.text("taskId")? }),
            Some("complete") => Ok(ResultKind::Complete),
            Some(other) => Ok(ResultKind::Unknown { kind: Cow::Owned(other.to_owned()) }),
            None => match result.get("task").filter(|task| task.is_object()) {
                // As 2025-11-25 has it.
                Some(task) => {
                    Ok(ResultKind::Task { task: Shape::new(OF, task, &["taskId"])?.text("taskId")? })
                }
                None => Ok(ResultKind::Complete),
            },
        }
    }
}

impl<'d> InputRequired<'d> {
    fn read(shape: Shape<'d>) -> Result<InputRequired<'d>, ShapeError> {
        shape.optional_text("requestState")?;
        let state = shape.node().get("requestState");
        let requests = shape.optional_object("inputRequests")?;
        if requests.is_none() && state.is_none() {
            return Err(shape.missing("inputRequests"));
        }
        let requests = requests.map(Self::requests).transpose()?.unwrap_or_default();
        Ok(InputRequired { requests, state })
    }

    /// Reads questions by their keys, as results and tasks have them in `inputRequests`.
    ///
    /// # Errors
    /// If one of them is none.
    pub fn requests(requests: Node<'d>) -> Result<Vec<InputRequest<'d>>, ShapeError> {
        let request = |(key, node): (Cow<'d, str>, Node<'d>)| {
            let shape = Shape::new("a question of a server", node, &["method", "params"])?;
            let method = match Method::of(&shape.text("method")?) {
                asked if [Method::Elicit, Method::CreateMessage, Method::ListRoots].contains(&asked) => asked,
                _ => Method::Unknown,
            };
            Ok(InputRequest { key, method, params: shape.optional_object("params")?, node })
        };
        requests.members().map(request).collect()
    }
}

impl Action {
    /// What the user did, from the answer to a question of the user.
    ///
    /// # Errors
    /// If it does not say one of the three.
    pub fn read(response: Node<'_>) -> Result<Action, ShapeError> {
        let shape = Shape::new("answer to elicitation/create", response, &["action", "content"])?;
        match &*shape.text("action")? {
            "accept" => Ok(Action::Accept),
            "decline" => Ok(Action::Decline),
            "cancel" => Ok(Action::Cancel),
            _ => Err(shape.kind("action", "`accept`, `decline` or `cancel`")),
        }
    }
}

/// Whether answers are for exactly these questions: no key is missing and none is more.
pub fn answers(responses: Node<'_>, requests: &[InputRequest<'_>]) -> bool {
    responses.members().count() == requests.len()
        && requests.iter().all(|request| responses.get(&request.key).is_some())
}
