//! What a client asks of a server that has to be judged.

use std::borrow::Cow;

use super::shape::{Shape, ShapeError};
use crate::json::Node;

/// The parameters of `tools/call`.
#[derive(Debug, Clone)]
pub struct ToolCall<'d> {
    /// The tool.
    pub name: Cow<'d, str>,
    /// An object, or nothing.
    pub arguments: Option<Node<'d>>,
    /// `_meta`, an object.
    pub meta: Option<Node<'d>>,
    /// The wish that it runs as a task (2025-11-25), an object.
    pub task: Option<Node<'d>>,
    /// What a server wanted before, if this is another try.
    pub retry: Retry<'d>,
}

/// What a request brings for a server that answered an earlier one with a question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retry<'d> {
    /// The answers by the keys of the questions, an object.
    pub responses: Option<Node<'d>>,
    /// What the server gave along, a string that only it understands.
    pub state: Option<Node<'d>>,
}

/// The parameters of `resources/read`.
#[derive(Debug, Clone)]
pub struct ResourceRead<'d> {
    /// The resource.
    pub uri: Cow<'d, str>,
    /// `_meta`, an object.
    pub meta: Option<Node<'d>>,
    /// What a server wanted before, if this is another try.
    pub retry: Retry<'d>,
}

/// The parameters of `prompts/get`.
#[derive(Debug, Clone)]
pub struct PromptGet<'d> {
    /// The prompt.
    pub name: Cow<'d, str>,
    /// An object, or nothing.
    pub arguments: Option<Node<'d>>,
    /// `_meta`, an object.
    pub meta: Option<Node<'d>>,
    /// What a server wanted before, if this is another try.
    pub retry: Retry<'d>,
}

/// The parameters of `completion/complete`.
#[derive(Debug, Clone)]
pub struct Completion<'d> {
    /// The prompt or template that it is about, an object.
    pub reference: Node<'d>,
    /// The argument that is typed.
    pub name: Cow<'d, str>,
    /// What is there of it.
    pub value: Cow<'d, str>,
    /// What is known of the other arguments, an object.
    pub context: Option<Node<'d>>,
}

/// What `resources/subscribe` or `subscriptions/listen` would watch.
#[derive(Debug, Clone, Default)]
pub struct Subscription<'d> {
    /// Resources.
    pub resources: Vec<Cow<'d, str>>,
    /// Tasks.
    pub tasks: Vec<Cow<'d, str>>,
}

/// The parameters of `tasks/get`, `tasks/result`, `tasks/cancel` and `tasks/update`.
#[derive(Debug, Clone)]
pub struct TaskRequest<'d> {
    /// The task.
    pub task: Cow<'d, str>,
    /// Answers to what it asked, an object; only `tasks/update` has them.
    pub responses: Option<Node<'d>>,
}

impl<'d> ToolCall<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<ToolCall<'d>, ShapeError> {
        let members = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"];
        let shape = Shape::params("tools/call", params, &members)?;
        Ok(ToolCall {
            name: shape.text("name")?,
            arguments: shape.optional_object("arguments")?,
            meta: shape.optional_object("_meta")?,
            task: shape.optional_object("task")?,
            retry: Retry::read(shape)?,
        })
    }
}

impl<'d> ResourceRead<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<ResourceRead<'d>, ShapeError> {
        let shape =
            Shape::params("resources/read", params, &["uri", "_meta", "inputResponses", "requestState"])?;
        Ok(ResourceRead {
            uri: shape.text("uri")?,
            meta: shape.optional_object("_meta")?,
            retry: Retry::read(shape)?,
        })
    }
}

impl<'d> PromptGet<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<PromptGet<'d>, ShapeError> {
        let members = ["name", "arguments", "_meta", "inputResponses", "requestState"];
        let shape = Shape::params("prompts/get", params, &members)?;
        Ok(PromptGet {
            name: shape.text("name")?,
            arguments: shape.optional_object("arguments")?,
            meta: shape.optional_object("_meta")?,
            retry: Retry::read(shape)?,
        })
    }
}

impl<'d> Completion<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<Completion<'d>, ShapeError> {
        let of = "completion/complete";
        let shape = Shape::params(of, params, &["ref", "argument", "context"])?;
        let argument = Shape::new(of, shape.object("argument")?, &["name", "value"])?;
        Ok(Completion {
            reference: shape.object("ref")?,
            name: argument.text("name")?,
            value: argument.text("value")?,
            context: shape.optional_object("context")?,
        })
    }
}

impl<'d> Subscription<'d> {
    /// Reads the parameters of `resources/subscribe`.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn subscribe(params: Option<Node<'d>>) -> Result<Subscription<'d>, ShapeError> {
        let shape = Shape::params("resources/subscribe", params, &["uri"])?;
        Ok(Subscription { resources: vec![shape.text("uri")?], tasks: Vec::new() })
    }

    /// Reads the parameters of `subscriptions/listen`.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn listen(params: Option<Node<'d>>) -> Result<Subscription<'d>, ShapeError> {
        let of = "subscriptions/listen";
        let shape = Shape::params(of, params, &["notifications"])?;
        let filter = Shape::new(of, shape.object("notifications")?, &["resourceSubscriptions", "taskIds"])?;
        let names = |member: &'static str| match filter.node().get(member) {
            None => Ok(Vec::new()),
            Some(_) => {
                let wrong = || filter.kind(member, "an array of strings");
                filter.array(member)?.items().map(|item| item.as_str().ok_or_else(wrong)).collect()
            }
        };
        Ok(Subscription { resources: names("resourceSubscriptions")?, tasks: names("taskIds")? })
    }
}

impl<'d> TaskRequest<'d> {
    /// Reads the parameters.
    ///
    /// # Errors
    /// If something that decides is missing or of another kind.
    pub fn read(params: Option<Node<'d>>) -> Result<TaskRequest<'d>, ShapeError> {
        let shape = Shape::params("a request about a task", params, &["taskId", "inputResponses"])?;
        Ok(TaskRequest { task: shape.text("taskId")?, responses: shape.optional_object("inputResponses")? })
    }
}

impl<'d> Retry<'d> {
    /// Whether it is another try.
    pub fn is_retry(self) -> bool {
        self.responses.is_some() || self.state.is_some()
    }

    fn read(shape: Shape<'d>) -> Result<Retry<'d>, ShapeError> {
        shape.optional_text("requestState")?;
        Ok(Retry {
            responses: shape.optional_object("inputResponses")?,
            state: shape.node().get("requestState"),
        })
    }
}
