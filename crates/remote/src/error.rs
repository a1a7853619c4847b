//! Why a request gets no answer.

use portcullis_wire::mcp::HeaderError;

use crate::authorization::NoToken;
use crate::challenge::Challenge;

/// Why a request gets no answer. Nothing in it is secret: addresses are shown without their query, and what a server says
/// without what it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// There is no connection; the server knows nothing of the request.
    #[error("`{place}` cannot be reached: {why}")]
    Unreachable {
        /// The address.
        place: String,
        /// What the system says.
        why: String,
    },
    /// The connection broke.
    #[error(
        "the connection to `{place}` broke: {why}; whether the server did what it was asked is not known"
    )]
    Broken {
        /// The address.
        place: String,
        /// What the system says.
        why: String,
    },
    /// The server takes too long.
    #[error("`{place}` said nothing for {seconds} s; whether the server does what it was asked is not known")]
    Silent {
        /// The address.
        place: String,
        /// For how long.
        seconds: u64,
    },
    /// The server does not take the request.
    #[error("`{place}` answered with status {status}{}", quoted(.says))]
    Status {
        /// The address.
        place: String,
        /// The status.
        status: u16,
        /// The beginning of what it says about it.
        says: String,
    },
    /// The server wants to know who asks, or does not let them.
    #[error("`{place}` does not let us in (status {status}); {advice}")]
    Unauthorized {
        /// The address.
        place: String,
        /// The status, 401 or 403.
        status: u16,
        /// What the server asks for.
        challenge: Challenge,
        /// What the user can do about it.
        advice: String,
    },
    /// There is no token to ask with.
    #[error("`{place}` was not asked: {why}")]
    NoToken {
        /// The address.
        place: String,
        /// Why not, and what the user can do about it.
        why: NoToken,
    },
    /// The server sends us elsewhere.
    #[error(
        "`{place}` sends us to another place (status {status}), which is not followed; give the new address"
    )]
    Redirect {
        /// The address.
        place: String,
        /// The status.
        status: u16,
    },
    /// What came is neither JSON nor a stream of events.
    #[error("`{place}` answered with `{found}`, which is neither JSON nor a stream of events")]
    ContentType {
        /// The address.
        place: String,
        /// What it says that it is.
        found: String,
    },
    /// What came is compressed, for which nobody asked.
    #[error("`{place}` answered with something compressed (`{found}`), which is not read")]
    Encoded {
        /// The address.
        place: String,
        /// What it says that it is.
        found: String,
    },
    /// More than is read at once.
    #[error("`{place}` said more than the {limit} bytes that are read at once")]
    TooLarge {
        /// The address.
        place: String,
        /// How much is read.
        limit: usize,
    },
    /// What came is no message.
    #[error("`{place}` said something that is no message: {why}")]
    Unreadable {
        /// The address.
        place: String,
        /// Why not.
        why: String,
    },
    /// The response is over, and there was no answer in it.
    #[error("`{place}` ended its response without an answer; whether it did what it was asked is not known")]
    NoAnswer {
        /// The address.
        place: String,
    },
    /// The server has forgotten the session.
    #[error("`{place}` has ended the session; a new one begins with `initialize`")]
    SessionGone {
        /// The address.
        place: String,
    },
    /// Too many requests wait already.
    #[error("{limit} requests wait for an answer already; try again when some are answered")]
    Busy {
        /// How many may wait.
        limit: usize,
    },
    /// The request cannot be written as one of 2026-07-28.
    #[error("the request cannot be sent over HTTP: {0}")]
    Headers(#[from] HeaderError),
    /// The connection was closed from here.
    #[error("the connection to the server is closed")]
    Closed,
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" and says: {text}") }
}

impl RemoteError {
    /// Whether the server may have done what it was asked.
    pub fn may_have_acted(&self) -> bool {
        match self {
            RemoteError::Unreachable { .. }
            | RemoteError::Unauthorized { .. }
            | RemoteError::NoToken { .. }
            | RemoteError::Redirect { .. }
            | RemoteError::Busy { .. }
            | RemoteError::Headers(_)
            | RemoteError::Closed => false,
            RemoteError::Status { status, .. } => *status >= 500,
            RemoteError::Broken { .. }
            | RemoteError::Silent { .. }
            | RemoteError::ContentType { .. }
            | RemoteError::Encoded { .. }
            | RemoteError::TooLarge { .. }
            | RemoteError::Unreadable { .. }
            | RemoteError::NoAnswer { .. }
            | RemoteError::SessionGone { .. } => true,
        }
    }
}
