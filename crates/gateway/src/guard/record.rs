//! What the audit log keeps of calls: what they do and why it was decided so, but not their arguments.

use portcullis_lattice::{Effect, Flow, Label, Resource};
use portcullis_monitor::{Outcome, Verdict};
use portcullis_store::{EntryError, Key, NewEntry};
use portcullis_taint::Key as FingerprintKey;
use serde_json::{Value, json};

use super::{Request, server_of};

/// What the hashes of arguments are for: no other hash is equal to one of them.
const PURPOSE: &str = "portcullis argument";

/// The kinds of entries.
pub(crate) mod kind {
    pub(crate) const VERDICT: &str = "verdict";
    pub(crate) const OUTCOME: &str = "outcome";
    pub(crate) const ANSWER: &str = "answer";
}

/// What was decided about a call, and all that it rests on.
pub(super) fn verdict(
    request: &Request<'_>,
    verdict: &Verdict,
    arguments: Value,
) -> Result<NewEntry, EntryError> {
    let server = server_of(request);
    let findings = verdict.findings.iter().map(|finding| {
        json!({"stage": finding.stage.name(), "decision": finding.decision.name(), "reasons": finding.reasons})
    });
    let rules = verdict.judgement.pairs.iter().flat_map(|pair| pair.ground.rules());
    let mut rules: Vec<u64> = rules.map(|rule| rule.0).collect();
    rules.sort_unstable();
    rules.dedup();
    let body = json!({
        "step": verdict.step(),
        "server": server.name,
        "tool": request.name,
        "definition": request.tool.hash.to_string(),
        "profile": request.tool.profile.source.name(),
        "decision": verdict.decision.name(),
        "flows": verdict.call.flows.iter().map(flow).collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
        "rules": rules,
        "arguments": arguments,
    });
    NewEntry::new(kind::VERDICT, &body.to_string())
}

/// How a permitted call ended.
pub(super) fn outcome(step: u64, outcome: Outcome) -> Result<NewEntry, EntryError> {
    let word = match outcome {
        Outcome::Success => "success",
        Outcome::Uncertain => "uncertain",
    };
    NewEntry::new(kind::OUTCOME, &json!({"step": step, "outcome": word}).to_string())
}

fn flow(flow: &Flow) -> Value {
    let side =
        |uses: &[Resource]| uses.iter().map(|used| Value::String(used.to_string())).collect::<Vec<_>>();
    json!({
        "from": side(flow.inputs()),
        "to": side(flow.outputs()),
        "effects": flow.effects().iter().map(Effect::name).collect::<Vec<_>>(),
        "carrying": flow.taint().iter().map(Label::name).collect::<Vec<_>>(),
    })
}

/// The arguments with a keyed hash in place of each value: equal values have equal hashes, and nobody without the key can
/// tell which they are.
pub(super) fn hashed(key: &Key, arguments: &Value) -> Value {
    let hash =
        |value: &Value| Value::String(format!("hash:{}", key.hash(PURPOSE, value.to_string().as_bytes())));
    match arguments.as_object() {
        Some(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), hash(value))).collect())
        }
        None => hash(arguments),
    }
}

/// The key of content fingerprints, which have one of their own.
pub(super) fn fingerprint_key(key: &Key) -> FingerprintKey {
    let mut bytes = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(&key.derive("portcullis fingerprints")) {
        *byte = *from;
    }
    FingerprintKey::new(bytes)
}
