//! Looking through all of the arguments: for credentials, and for texts that look like places.

use std::borrow::Cow;

use serde_json::Value;

use crate::json;
use crate::network;
use crate::secrets::Formats;

/// The formats of credentials in any text of the arguments, keys included.
pub(super) fn credentials(arguments: &Value, formats: &Formats) -> Vec<String> {
    let mut found = Vec::new();
    json::each_text(arguments, &mut |text| {
        found.extend(formats.find(text).into_iter().map(|finding| finding.format));
    });
    found.sort();
    found.dedup();
    found
}

/// A value, or what it says if it is a text of JSON. Nothing is copied: a value may be deep.
pub(super) fn decoded(value: Cow<'_, Value>) -> Cow<'_, Value> {
    let inner = value.as_str().and_then(|text| json::strict(text).ok());
    inner.map_or(value, Cow::Owned)
}

/// What a text that stands alone looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Looks {
    /// An address on the network.
    Url,
    /// A mail address.
    Mail,
    /// A path of this machine.
    Path,
    /// Nothing of these.
    Plain,
}

/// What a text looks like: only texts that are nothing else count, not those that merely mention a place.
pub(super) fn looks(text: &str) -> Looks {
    let text = text.trim();
    if text.is_empty() || text.len() > 4096 || text.contains(['\n', '\r']) {
        return Looks::Plain;
    }
    if let Some((scheme, rest)) = text.split_once("://") {
        let is_scheme =
            scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        if is_scheme && !scheme.is_empty() && !rest.is_empty() && !text.contains(' ') {
            return if scheme.eq_ignore_ascii_case("file") { Looks::Path } else { Looks::Url };
        }
    }
    if text.starts_with("mailto:") || text.contains('@') && network::recipients([text]).is_ok() {
        return Looks::Mail;
    }
    let bytes = text.as_bytes();
    let is_drive = matches!(bytes, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    let is_rooted = text.starts_with('/') && text.len() > 1 && !text.starts_with("//");
    let is_relative = ["~/", "./", "../", "\\\\"].iter().any(|start| text.starts_with(start));
    if is_drive || is_rooted || is_relative || text == "~" {
        return Looks::Path;
    }
    Looks::Plain
}

/// Words in keys under which an address is one that something is sent to.
const SENT_TO: [&str; 25] = [
    "webhook",
    "callback",
    "hook",
    "notify",
    "notification",
    "recipient",
    "email",
    "mail",
    "attendee",
    "invitee",
    "forward",
    "endpoint",
    "redirect",
    "post",
    "send",
    "push",
    "publish",
    "upload",
    "destination",
    "deliver",
    "report",
    "member",
    "grantee",
    "collaborator",
    "participant",
];

/// The addresses in a value, at any depth, under a key that says that something is sent there.
pub(crate) fn sent_to(value: &Value) -> Vec<String> {
    let mut found = destinations(value);
    found.retain(|text| matches!(looks(text), Looks::Url | Looks::Mail));
    found
}

/// So often JSON is read that is a text in JSON.
const MOST_DECODED: usize = 2;

/// The texts at any depth under a key that says that something is sent there, in texts that are JSON too.
pub(super) fn destinations(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    add_destinations(value, MOST_DECODED, &mut found);
    found.reverse();
    found
}

fn add_destinations(value: &Value, decodes: usize, found: &mut Vec<String>) {
    let mut waiting = vec![(value, false)];
    while let Some((value, is_sent_to)) = waiting.pop() {
        match value {
            Value::String(text) if decodes > 0 && text.trim_start().starts_with(['{', '[']) => {
                if let Ok(inner) = json::strict(text) {
                    add_destinations(&inner, decodes - 1, found);
                }
            }
            Value::String(text) if is_sent_to => found.push(text.clone()),
            Value::Array(values) => waiting.extend(values.iter().map(|value| (value, is_sent_to))),
            Value::Object(entries) => waiting.extend(entries.iter().map(|(key, value)| {
                let key = key.to_lowercase();
                let ends_so = key.ends_with("_to") || key.ends_with("-to");
                let says_so = ends_so
                    || matches!(key.as_str(), "to" | "cc" | "bcc")
                    || SENT_TO.iter().any(|word| key.contains(word));
                (value, is_sent_to || says_so)
            })),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// The texts of a value that should be addresses: a text, a list of them, or objects that hold one. An object in which
/// no key says which text is the address gives all of them, for one of them is.
pub(super) fn addresses(value: &Value, found: &mut Vec<String>) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(values) => waiting.extend(values.iter().rev()),
            Value::Object(entries) => {
                let says_so =
                    |key: &&String| ["mail", "address"].iter().any(|word| key.to_lowercase().contains(word));
                let has_one = entries.keys().any(|key| says_so(&key));
                waiting.extend(
                    entries.iter().filter(|(key, _)| !has_one || says_so(key)).map(|(_, value)| value),
                );
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
