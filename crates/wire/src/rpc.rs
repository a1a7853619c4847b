//! JSON-RPC 2.0 envelopes: what kind of message a document is, read so strictly that nobody else reads it as another.

mod error;
mod id;
mod write;

use std::borrow::Cow;

use crate::json::{Document, Kind, Node};
use crate::lookalike;

pub use error::{EnvelopeError, EnvelopeProblem};
pub use id::Id;
pub use write::{code, failure, notification, request, response};

/// The members of an envelope that mean something.
const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// What one document brought.
#[derive(Debug, Clone)]
pub enum Incoming<'d> {
    /// A message.
    One(Message<'d>),
    /// Several in an array, which only MCP 2025-03-26 knows; in the order of the document's [items](Node::items).
    Batch(Vec<Message<'d>>),
}

/// One message. Members of the envelope that it does not know stay in the bytes.
#[derive(Debug, Clone)]
pub enum Message<'d> {
    /// Wants an answer.
    Request {
        /// What the answer refers to; never null.
        id: Id,
        /// What is asked for.
        method: Cow<'d, str>,
        /// An object or an array.
        params: Option<Node<'d>>,
    },
    /// Wants none.
    Notification {
        /// What is told.
        method: Cow<'d, str>,
        /// An object or an array.
        params: Option<Node<'d>>,
    },
    /// An answer that it worked.
    Response {
        /// The request; never null.
        id: Id,
        /// Any value.
        result: Node<'d>,
    },
    /// An answer that it did not.
    Failure {
        /// The request; null if the other side could not read it, or gave none.
        id: Id,
        /// Why.
        error: RpcError<'d>,
    },
}

/// Why a request failed, as the other side tells it.
#[derive(Debug, Clone)]
pub struct RpcError<'d> {
    /// What kind of failure.
    pub code: i64,
    /// In words of the other side.
    pub message: Cow<'d, str>,
    /// More about it.
    pub data: Option<Node<'d>>,
}

impl<'d> Message<'d> {
    /// What a document brought: a message or a batch of them.
    ///
    /// # Errors
    /// If anything in it is no message. Of a batch nothing counts then.
    pub fn read(document: &'d Document) -> Result<Incoming<'d>, EnvelopeError> {
        let root = document.root();
        if root.kind() != Kind::Array {
            return Message::read_one(root).map(Incoming::One);
        }
        let messages: Result<Vec<_>, _> = root
            .items()
            .enumerate()
            .map(|(index, item)| {
                Message::read_one(item).map_err(|error| EnvelopeError { index: Some(index), ..error })
            })
            .collect();
        match messages? {
            none if none.is_empty() => Err(EnvelopeError::from(EnvelopeProblem::EmptyBatch)),
            messages => Ok(Incoming::Batch(messages)),
        }
    }

    /// One message.
    ///
    /// # Errors
    /// If it is none.
    pub fn read_one(node: Node<'d>) -> Result<Message<'d>, EnvelopeError> {
        let envelope = Envelope::find(node)?;
        envelope.message().map_err(|problem| EnvelopeError {
            id: envelope.id.and_then(Id::of),
            ..EnvelopeError::from(problem)
        })
    }
}

/// The members of an envelope, not looked at yet.
#[derive(Default)]
struct Envelope<'d> {
    version: Option<Node<'d>>,
    id: Option<Node<'d>>,
    method: Option<Node<'d>>,
    params: Option<Node<'d>>,
    result: Option<Node<'d>>,
    error: Option<Node<'d>>,
    /// A member that another one could be taken for.
    lookalike: Option<&'static str>,
}

impl<'d> Envelope<'d> {
    fn find(node: Node<'d>) -> Result<Envelope<'d>, EnvelopeError> {
        if node.kind() != Kind::Object {
            return Err(EnvelopeError::from(EnvelopeProblem::NoObject));
        }
        let mut envelope = Envelope::default();
        for (key, value) in node.members() {
            match &*key {
                "jsonrpc" => envelope.version = Some(value),
                "id" => envelope.id = Some(value),
                "method" => envelope.method = Some(value),
                "params" => envelope.params = Some(value),
                "result" => envelope.result = Some(value),
                "error" => envelope.error = Some(value),
                other => envelope.lookalike = lookalike::among(other, &MEMBERS).or(envelope.lookalike),
            }
        }
        Ok(envelope)
    }

    fn message(&self) -> Result<Message<'d>, EnvelopeProblem> {
        if let Some(member) = self.lookalike {
            return Err(EnvelopeProblem::LookAlike { member });
        }
        if !self.version.is_some_and(|version| version.is_str("2.0")) {
            return Err(EnvelopeProblem::Version);
        }
        match (self.method, self.result, self.error) {
            (Some(method), None, None) => self.call(method),
            (None, Some(result), None) => {
                self.no_params()?;
                let id = self.id()?.filter(|id| !id.is_null()).ok_or(EnvelopeProblem::NoId)?;
                Ok(Message::Response { id, result })
            }
            (None, None, Some(error)) => {
                self.no_params()?;
                Ok(Message::Failure { id: self.id()?.unwrap_or(Id::NULL), error: RpcError::read(error)? })
            }
            (None, None, None) => Err(EnvelopeProblem::Neither),
            (None, Some(_), Some(_)) => Err(EnvelopeProblem::ResultAndError),
            (Some(_), _, _) => Err(EnvelopeProblem::MethodAndAnswer),
        }
    }

    fn call(&self, method: Node<'d>) -> Result<Message<'d>, EnvelopeProblem> {
        let method = method.as_str().ok_or(EnvelopeProblem::Method)?;
        let params = match self.params.map(Node::kind) {
            None | Some(Kind::Array | Kind::Object) => self.params,
            Some(Kind::Null | Kind::Bool | Kind::Number | Kind::String) => {
                return Err(EnvelopeProblem::Params);
            }
        };
        match self.id()? {
            // Some take it for a notification, some for a request.
            Some(id) if id.is_null() => Err(EnvelopeProblem::NullId),
            Some(id) => Ok(Message::Request { id, method, params }),
            None => Ok(Message::Notification { method, params }),
        }
    }

    fn id(&self) -> Result<Option<Id>, EnvelopeProblem> {
        self.id.map(|id| Id::of(id).ok_or(EnvelopeProblem::Id)).transpose()
    }

    fn no_params(&self) -> Result<(), EnvelopeProblem> {
        self.params.map_or(Ok(()), |_| Err(EnvelopeProblem::ParamsOfAnswer))
    }
}

impl<'d> RpcError<'d> {
    fn read(node: Node<'d>) -> Result<RpcError<'d>, EnvelopeProblem> {
        let code = node.get("code").and_then(Node::as_i64).ok_or(EnvelopeProblem::Error)?;
        let message = node.get("message").and_then(Node::as_str).ok_or(EnvelopeProblem::Error)?;
        Ok(RpcError { code, message, data: node.get("data") })
    }
}
