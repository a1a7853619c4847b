//! What a host is told about a request that is not passed on, so that the agent can go another way.

use portcullis_store::QuestionId;
use portcullis_wire::mcp::Method;
use portcullis_wire::rpc::{self, Id};
use serde_json::json;

/// A request was refused for a reason of policy.
const REFUSED: i64 = -32_003;

/// The answer to a request that is refused. A tool that is refused answers like one that failed: models read that.
pub(super) fn refused(id: &Id, method: Method, is_stateless: bool, text: &str) -> Vec<u8> {
    if method != Method::CallTool {
        return rpc::failure(id, REFUSED, text, None);
    }
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    if let (true, Some(members)) = (is_stateless, result.as_object_mut()) {
        members.insert("resultType".to_owned(), "complete".into());
    }
    rpc::response(id, result.to_string().as_bytes())
}

/// The text for a call that rules refuse.
pub(super) fn denied(tool: &str, reasons: &[String]) -> String {
    let mut text = format!("Portcullis refused the call of {tool}. Nothing was done.\n");
    reasons.iter().for_each(|reason| text.push_str(&format!("- {reason}\n")));
    text.push_str(
        "Do not try the same call again in other words. Go on without it, or tell the user what you need and why.",
    );
    text
}

/// The text for a call that the user refused.
pub(super) fn refused_by_user(tool: &str) -> String {
    format!(
        "The user refused the call of {tool}. Nothing was done. Go on without it, or ask the user what they would \
         rather have."
    )
}

/// The text for a call that nobody has answered for.
pub(super) fn unanswered(tool: &str, question: QuestionId) -> String {
    format!(
        "The call of {tool} needs the user's consent, and nobody has answered yet. Nothing was done. Question {question} \
         stays open: the user can answer it with `portcullis watch` in a terminal. Tell the user, and make the same call \
         again afterwards."
    )
}

/// The text for a call that could not be decided.
pub(super) fn undecided(tool: &str, error: &str) -> String {
    format!("Portcullis could not decide about the call of {tool}, so it was refused: {error}")
}

/// The text for a tool that the server does not have.
pub(super) fn unknown_tool(tool: &str, server: &str) -> String {
    format!(
        "The server {server} lists no tool `{tool}` that can be understood, so the call was refused. List the tools."
    )
}
