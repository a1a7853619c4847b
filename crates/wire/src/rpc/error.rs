//! Why a document is no message.

use super::Id;

/// A document, or a part of a batch, that is no JSON-RPC message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{problem}", self.place())]
pub struct EnvelopeError {
    /// Which message of a batch.
    pub index: Option<usize>,
    /// Its id, if it has one that can be read, so that it can be answered.
    pub id: Option<Id>,
    /// What is wrong with it.
    pub problem: EnvelopeProblem,
}

/// What is wrong with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EnvelopeProblem {
    /// Neither an object nor an array of them.
    #[error("a message has to be a JSON object")]
    NoObject,
    /// An array with nothing in it.
    #[error("a batch has to have messages in it")]
    EmptyBatch,
    /// Not the version that everybody speaks.
    #[error("`jsonrpc` has to be \"2.0\"")]
    Version,
    /// An id of another kind.
    #[error("`id` has to be a string or a number")]
    Id,
    /// A request with `null` for an id, which some take for a notification.
    #[error("the `id` of a request must not be null")]
    NullId,
    /// A result for nobody.
    #[error("a response has to have the `id` of its request")]
    NoId,
    /// A method of another kind.
    #[error("`method` has to be a string")]
    Method,
    /// Parameters of another kind.
    #[error("`params` has to be an object or an array")]
    Params,
    /// Parameters of an answer.
    #[error("an answer has no `params`")]
    ParamsOfAnswer,
    /// It worked and it did not.
    #[error("a response has `result` or `error`, not both")]
    ResultAndError,
    /// A call and an answer in one.
    #[error("a message has `method`, or it has `result` or `error`, not both")]
    MethodAndAnswer,
    /// Neither a call nor an answer.
    #[error("a message has to have `method`, `result` or `error`")]
    Neither,
    /// A failure that does not say why.
    #[error("`error` has to be an object with an integer `code` and a string `message`")]
    Error,
    /// A member that some receivers take for another, since they do not tell case.
    #[error("a member differs from `{member}` in case only, and some programs would take it for that")]
    LookAlike {
        /// The member that it looks like.
        member: &'static str,
    },
}

impl EnvelopeError {
    fn place(&self) -> String {
        self.index.map_or_else(String::new, |index| format!("message {index} of the batch: "))
    }
}

impl From<EnvelopeProblem> for EnvelopeError {
    fn from(problem: EnvelopeProblem) -> EnvelopeError {
        EnvelopeError { index: None, id: None, problem }
    }
}
