//! What several servers say of themselves, as one.

use std::collections::BTreeSet;
use std::sync::Arc;

use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::{Discovered, Era, Initialize, Initialized, Revision, key};
use portcullis_wire::rpc;
use serde_json::{Map, Value, json};

use super::gather::{Gather, NEEDS_SESSION, State};
use super::list::told;
use super::{Hub, Out, Spoken, Standing};

/// Capabilities that can be told of several servers at once, and how deep they are put together. What is deeper is the
/// first server's; what is not here nobody could be asked for.
const CAPABILITIES: [(&str, usize); 8] = [
    ("tools", 2),
    ("prompts", 2),
    ("resources", 2),
    ("completions", 2),
    ("logging", 2),
    ("tasks", 4),
    ("experimental", 1),
    ("extensions", 1),
];

/// A server that takes part.
struct Member {
    server: usize,
    capabilities: Value,
    instructions: Option<String>,
    /// One of a handshake, or several of which one is chosen.
    versions: Vec<String>,
}

impl Hub {
    /// The answer to `initialize`. Who fails is left out, unless all do.
    pub(super) fn initialized(&mut self, gather: &Gather, out: &mut Out) -> Vec<u8> {
        let wanted = Initialize::read(gather.document.root().get("params"));
        let wanted = wanted.map_or_else(|_| String::new(), |wanted| wanted.version.into_owned());
        let mut members: Vec<Member> = Vec::new();
        let mut first_failure = gather.failure();
        for part in &gather.parts {
            let member = match &part.state {
                State::Answered(document) => initialized(part.server, document, &wanted),
                State::Failed(error) => Err(told(error)),
                State::Waiting(_) => Err("it did not answer".to_owned()),
            };
            match member {
                Ok(member) => members.push(member),
                Err(error) => {
                    out.note(format!("{}: it is left out: {error}", self.called(part.server)));
                    let failure = rpc::failure(&gather.id, rpc::code::INTERNAL_ERROR, &error, None);
                    first_failure.get_or_insert(failure);
                }
            }
        }
        if members.is_empty() {
            let text = "there is no server that could take part";
            return first_failure
                .unwrap_or_else(|| rpc::failure(&gather.id, rpc::code::INTERNAL_ERROR, text, None));
        }
        self.seat(&members, Spoken::Sessions);
        // Revisions differ in what may be said, not in what the same words mean, and what may be said is settled by
        // capabilities. So a host that keeps to the oldest is understood by all, and servers that speak a newer one add
        // members that the host passes over.
        let oldest = members.iter().flat_map(|member| &member.versions).min();
        let mut result = json!({
            "protocolVersion": oldest,
            "capabilities": capabilities(&members),
            "serverInfo": {"name": "portcullis", "version": env!("CARGO_PKG_VERSION")},
        });
        self.instruct(&members, &mut result);
        rpc::response(&gather.id, result.to_string().as_bytes())
    }

    /// The answer to `server/discover`: one if all servers have one, else that of a server of old, so that the host begins
    /// with a handshake that all of them know.
    pub(super) fn discovered(&mut self, gather: &Gather, out: &mut Out) -> Vec<u8> {
        let mut members: Vec<Member> = Vec::new();
        for part in &gather.parts {
            let member = match &part.state {
                State::Answered(document) => discovered(part.server, document),
                State::Failed(error) => Err(told(error)),
                // Somebody else has failed already.
                State::Waiting(_) => continue,
            };
            match member {
                Ok(member) => members.push(member),
                Err(error) => {
                    out.note(format!("{}: it needs a session: {error}", self.called(part.server)));
                }
            }
        }
        let versions = common(&members);
        let is_modern =
            |version: &String| Revision::of(version).is_some_and(|known| known.era() == Era::Stateless);
        if members.len() < gather.parts.len() || !versions.iter().any(is_modern) {
            self.era = Spoken::Sessions;
            return rpc::failure(&gather.id, rpc::code::METHOD_NOT_FOUND, NEEDS_SESSION, None);
        }
        self.seat(&members, Spoken::Stateless);
        let mut result = json!({
            "resultType": "complete",
            "supportedVersions": versions,
            "capabilities": capabilities(&members),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {key::SERVER_INFO: {"name": "portcullis", "version": env!("CARGO_PKG_VERSION")}},
        });
        self.instruct(&members, &mut result);
        rpc::response(&gather.id, result.to_string().as_bytes())
    }

    /// These take part, and nobody else.
    fn seat(&mut self, members: &[Member], era: Spoken) {
        self.era = era;
        for (place, seat) in self.seats.iter_mut().enumerate() {
            let member = members.iter().find(|member| member.server == place);
            seat.standing = if member.is_some() { Standing::Met } else { Standing::LeftOut };
            seat.abilities = member.map(|member| abilities(&member.capabilities));
        }
    }

    /// What the servers want the model to know, each under its name. Every line of theirs is marked, so that none can
    /// write a heading, and speak for another server or for us.
    fn instruct(&self, members: &[Member], result: &mut Value) {
        let mut text = String::new();
        for member in members {
            let Some(instructions) = &member.instructions else { continue };
            let prefix = self.prefix(member.server);
            text.push_str(&format!("## The server {prefix} (names that begin with `{prefix}__`) says:\n"));
            for line in instructions.split(is_line_break) {
                text.push_str(&format!("> {line}\n"));
            }
        }
        if let (false, Some(members)) = (text.is_empty(), result.as_object_mut()) {
            members.insert("instructions".to_owned(), text.into());
        }
    }
}

fn is_line_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn initialized(server: usize, document: &Arc<Document>, wanted: &str) -> Result<Member, String> {
    let result = document.root().get("result").ok_or("it has no result")?;
    let initialized = Initialized::read(result).map_err(|error| error.to_string())?;
    // One server must not bring the others down to something that the host does not know.
    let is_known = initialized.revision().is_some_and(|revision| revision.era() == Era::Sessions);
    if !is_known && initialized.version != wanted {
        return Err("it answered with a revision that nobody knows".to_owned());
    }
    member(server, initialized.capabilities, initialized.instructions, vec![initialized.version.into_owned()])
}

fn discovered(server: usize, document: &Arc<Document>) -> Result<Member, String> {
    let result = document.root().get("result").ok_or("it has no result")?;
    let discovered = Discovered::read(result).map_err(|error| error.to_string())?;
    let versions = discovered.versions.into_iter().map(std::borrow::Cow::into_owned).collect();
    member(server, discovered.capabilities, discovered.instructions, versions)
}

fn member(
    server: usize,
    capabilities: Node<'_>,
    instructions: Option<std::borrow::Cow<'_, str>>,
    versions: Vec<String>,
) -> Result<Member, String> {
    let capabilities = capabilities.to_value().map_err(|error| error.to_string())?;
    Ok(Member {
        server,
        capabilities,
        instructions: instructions.map(std::borrow::Cow::into_owned),
        versions,
    })
}

/// The revisions that all speak, in the order of the first.
fn common(members: &[Member]) -> Vec<String> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let by_all = |version: &&String| rest.iter().all(|member| member.versions.contains(version));
    first.versions.iter().filter(by_all).cloned().collect()
}

fn abilities(capabilities: &Value) -> BTreeSet<String> {
    let known =
        CAPABILITIES.iter().filter(|(name, _)| capabilities.get(name).is_some_and(|has| !has.is_null()));
    let mut abilities: BTreeSet<String> = known.map(|(name, _)| (*name).to_owned()).collect();
    // As the extension has it.
    let extensions = capabilities.get("extensions");
    if extensions.and_then(|extensions| extensions.get("io.modelcontextprotocol/tasks")).is_some() {
        abilities.insert("tasks".to_owned());
    }
    abilities
}

/// What any of the servers can do.
fn capabilities(members: &[Member]) -> Value {
    let mut all = Map::new();
    for (name, depth) in CAPABILITIES {
        for capability in members.iter().filter_map(|member| member.capabilities.get(name)) {
            match all.get_mut(name) {
                Some(known) => unite(known, capability, depth),
                None => drop(all.insert(name.to_owned(), capability.clone())),
            }
        }
    }
    Value::Object(all)
}

/// Adds what another server can do. A flag is set if anyone sets it; of all else what came first stays.
fn unite(known: &mut Value, more: &Value, depth: usize) {
    match (known, more) {
        (Value::Bool(known), Value::Bool(more)) => *known |= *more,
        (Value::Object(known), Value::Object(more)) if depth > 0 => {
            for (name, value) in more {
                match known.get_mut(name) {
                    Some(known) => unite(known, value, depth - 1),
                    None => drop(known.insert(name.clone(), value.clone())),
                }
            }
        }
        _ => {}
    }
}
