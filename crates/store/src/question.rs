//! Questions to the user, and approvals that come of them.

use jiff::Timestamp;

use crate::digest::Digest;
use crate::id::{ApprovalId, QuestionId, SessionId};

/// A question to be asked, unless the same is open already.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewQuestion {
    /// The session in which it came up.
    pub session: SessionId,
    /// Says which call it is about: equal questions of one session are asked once.
    pub key: Digest,
    /// JSON for whoever shows it.
    pub body: String,
    /// Until when an answer counts.
    pub expires: Timestamp,
    /// What becomes of the body.
    pub keep: Keep,
}

/// How long the body of a question is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// It may show values of arguments, and is wiped when the question is closed.
    UntilClosed,
    /// It shows none, or the user wants them kept.
    Always,
}

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// Its number.
    pub id: QuestionId,
    /// The session in which it came up.
    pub session: SessionId,
    /// Says which call it is about.
    pub key: Digest,
    /// JSON for whoever shows it; nothing once it was wiped.
    pub body: Option<String>,
    /// When it was asked.
    pub created: Timestamp,
    /// Until when an answer counts.
    pub expires: Timestamp,
    /// How many wait for the answer.
    pub waiting: u32,
    /// What became of it.
    pub status: QuestionStatus,
}

/// What became of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionStatus {
    /// It waits for an answer.
    Open,
    /// The one answer that won.
    Answered(Answer),
    /// Nobody answered in time.
    Expired,
    /// Nobody wants to know any more.
    Withdrawn,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The answer as JSON.
    pub body: String,
    /// The channel that it came by.
    pub channel: String,
    /// When.
    pub at: Timestamp,
}

/// Which questions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionFilter {
    /// Those that can be answered.
    Open,
    /// All that ever were.
    All,
}

/// An approval to be granted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewApproval {
    /// The session that it ends with.
    pub session: SessionId,
    /// All that it is bound to, as the caller hashes it.
    pub binding: Digest,
    /// Until when it can be used.
    pub expires: Timestamp,
    /// Who granted it.
    pub grantor: String,
}

/// An approval. It can be used once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approval {
    /// Its number.
    pub id: ApprovalId,
    /// The session that it ends with.
    pub session: SessionId,
    /// All that it is bound to.
    pub binding: Digest,
    /// When it was granted.
    pub granted: Timestamp,
    /// Until when it can be used.
    pub expires: Timestamp,
    /// Who granted it.
    pub grantor: String,
    /// When it was used.
    pub used: Option<Timestamp>,
}
