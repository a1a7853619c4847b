//! Entries of the log in words.

use portcullis_gateway::{RecordedCall, RecordedFlow, kind};
use portcullis_lattice::words::{self, shown};
use portcullis_store::Entry;
use serde_json::Value;

/// So many deeds of one call are told in a line.
const MOST_DEEDS: usize = 3;

/// An entry in words, with everything in it made safe to show.
pub(crate) struct Told {
    /// The step of its session.
    pub(crate) step: Option<u64>,
    /// What was decided, or a word for what it tells.
    pub(crate) word: String,
    /// The server and the tool.
    pub(crate) call: String,
    /// What it is about.
    pub(crate) what: String,
}

impl Told {
    pub(crate) fn of(entry: &Entry) -> Told {
        let body: Value = serde_json::from_str(&entry.body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(shown).unwrap_or_default();
        let call = match (text("server"), text("tool")) {
            (server, tool) if !tool.is_empty() => format!("{server}.{tool}"),
            _ => String::new(),
        };
        let word = |word: &str| word.to_owned();
        let (word, what) = match entry.kind.as_str() {
            kind::VERDICT => (text("decision"), verdict(&entry.body)),
            kind::OUTCOME => (word("ended"), format!("with {}", text("outcome"))),
            kind::ANSWER => (
                word("answer"),
                format!("question {}: {} ({})", text("question"), text("words"), text("channel")),
            ),
            kind::OPENED => (word("opened"), format!("in {}", workspace(&body))),
            kind::RULE_ADDED => (word("rule added"), text("rule")),
            kind::RULE_REVOKED => (word("rule revoked"), format!("{}: {}", text("id"), text("rule"))),
            kind::INVARIANT_ADDED => (word("rule stated"), format!("“{}”", text("sentence"))),
            kind::INVARIANT_REMOVED => {
                (word("rule removed"), format!("{}: “{}”", text("id"), text("sentence")))
            }
            kind::TOOLS_LISTED => (word("tools listed"), tools(&body)),
            kind::TOOL_SETTLED => (word("tool settled"), format!("{} by {}", text("what"), text("by"))),
            kind::KEY_TRUSTED => (word("key trusted"), format!("{} ({})", text("name"), text("key"))),
            kind::KEY_REVOKED => (word("key revoked"), format!("{} ({})", text("name"), text("key"))),
            kind::LOGGED_IN => (word("logged in"), format!("to {} at {}", text("place"), text("issuer"))),
            kind::LOGGED_OUT => (word("logged out"), format!("of {}", text("place"))),
            kind::SESSION_ENDED => (word("session ended"), format!("by {}", text("by"))),
            other => (shown(other), shown(&entry.body)),
        };
        Told { step: body.get("step").and_then(Value::as_u64), word, call, what }
    }
}

fn workspace(body: &Value) -> String {
    let workspace = body.get("session").and_then(|session| session.get("workspace")).and_then(Value::as_str);
    shown(workspace.unwrap_or_default())
}

fn verdict(body: &str) -> String {
    let Some(call) = RecordedCall::read(body) else { return "(cannot be read)".to_owned() };
    let deeds: Vec<String> = call.flows.iter().flat_map(deeds).collect();
    if deeds.is_empty() {
        return "what it would do is not known".to_owned();
    }
    let more = deeds.len().saturating_sub(MOST_DEEDS);
    let told = deeds.into_iter().take(MOST_DEEDS).collect::<Vec<_>>().join("; ");
    if more == 0 { told } else { format!("{told}; and {more} more") }
}

/// What a recorded flow does, one thing each.
pub(crate) fn deeds(recorded: &RecordedFlow) -> Vec<String> {
    let Some(flow) = recorded.flow() else {
        return vec![format!("{} (cannot be read)", shown(&recorded.effects.join(", ")))];
    };
    let pairs =
        flow.inputs().iter().flat_map(|input| flow.outputs().iter().map(move |output| (input, output)));
    pairs.map(|(input, output)| words::flow(&flow, input, output)).collect()
}

/// What a server lists, by how the tools stand.
fn tools(body: &Value) -> String {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for tool in body.get("tools").and_then(Value::as_array).into_iter().flatten() {
        let standing = tool.get("standing").and_then(Value::as_str).unwrap_or("unknown");
        *counts.entry(standing).or_default() += 1;
    }
    let told: Vec<String> = counts.iter().map(|(standing, count)| format!("{count} {standing}")).collect();
    let server = body.get("server").and_then(Value::as_str).unwrap_or_default();
    format!("{}: {}", shown(server), told.join(", "))
}
