//! Calls that wait.

use std::sync::Arc;

use jiff::Timestamp;
use portcullis_store::QuestionId;
use portcullis_wire::json::Document;
use portcullis_wire::rpc::Id;

/// A request of the host that is not passed on yet.
pub(super) struct Held {
    pub(super) id: Id,
    /// The whole message, as it came.
    pub(super) document: Arc<Document>,
    pub(super) waits_for: WaitsFor,
    pub(super) since: Timestamp,
    /// When the host was last told that it goes on.
    pub(super) told: Timestamp,
    /// The host's name for what it wants to hear progress of, as JSON.
    pub(super) progress: Option<String>,
    pub(super) steps: u64,
}

/// What a request waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitsFor {
    /// The server, which is being started again.
    Server,
    /// The server's list of tools.
    Tools,
    /// An answer of the user.
    Answer(QuestionId),
}

impl Held {
    pub(super) fn new(id: &Id, document: &Arc<Document>, waits_for: WaitsFor, now: Timestamp) -> Held {
        let params = document.root().get("params");
        let token = params.and_then(|params| params.get("_meta")).and_then(|meta| meta.get("progressToken"));
        Held {
            id: id.clone(),
            document: Arc::clone(document),
            waits_for,
            since: now,
            told: now,
            progress: token.map(|token| token.raw_text().to_owned()),
            steps: 0,
        }
    }
}
