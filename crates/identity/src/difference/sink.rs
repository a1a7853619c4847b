//! Parameters by which data leaves or another place is reached, and parameters that ask for secrets.

use serde_json::Value;

use crate::definition::pointer_to;
use crate::suspicion::outward;

/// Words that make a parameter one wherever they stand in its name.
const ANYWHERE: [&str; 21] = [
    "webhook",
    "callback",
    "recipient",
    "bcc",
    "cc",
    "command",
    "cmd",
    "shell",
    "exec",
    "script",
    "redirect",
    "proxy",
    "upload",
    "destination",
    "dest",
    "forward",
    "endpoint",
    "hook",
    "eval",
    "exfil",
    "mailto",
];

/// Words that do if they are what the name ends with: `output_path`, but not `path_count`.
const LAST: [&str; 30] = [
    "url",
    "uri",
    "href",
    "host",
    "hostname",
    "domain",
    "address",
    "email",
    "mail",
    "phone",
    "path",
    "file",
    "filename",
    "filepath",
    "folder",
    "directory",
    "dir",
    "to",
    "target",
    "channel",
    "bucket",
    "remote",
    "server",
    "ip",
    "sql",
    "cwd",
    "header",
    "env",
    "environment",
    "socket",
];

/// Endings that say nothing, so that the word before counts.
const EMPTY: [&str; 11] =
    ["id", "ids", "list", "name", "names", "value", "override", "template", "pattern", "string", "text"];

const FORMATS: [&str; 11] = [
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "url",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
];

/// What a new parameter means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    Nothing,
    Sink,
    Secrets,
}

/// What a parameter means by its name, its type and its description.
pub(super) fn means(name: &str, schema: &Value) -> Means {
    let words = name_words(name);
    if is_plain_type(schema) {
        return Means::Nothing;
    }
    if asks_for_secrets(&words) {
        return Means::Secrets;
    }
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    match is_sink_name(&words) || FORMATS.contains(&format) || !outward(text).is_empty() {
        true => Means::Sink,
        false => Means::Nothing,
    }
}

/// Whether a parameter is one by its name, whatever its values are bounded to, unless they are switches or numbers.
pub(super) fn is_sink(name: &str, schema: Option<&Value>) -> bool {
    let kind = schema.and_then(|schema| schema.get("type")).and_then(Value::as_str);
    !matches!(kind, Some("boolean" | "integer" | "number")) && is_sink_name(&name_words(name))
}

/// The first parameter below a schema that means something, with its pointer.
pub(super) fn first_below(pointer: &str, schema: &Value) -> Option<(String, Means)> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let pointer = pointer_to(pointer, key);
            let named = value.as_object().filter(|_| key == "properties").into_iter().flatten();
            let mut named = named.filter_map(|(name, schema)| {
                let found = means(name, schema);
                (found != Means::Nothing).then(|| (pointer_to(&pointer, name), found))
            });
            named.next().or_else(|| first_below(&pointer, value))
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| first_below(&format!("{pointer}/{index}"), item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Values that carry nothing: switches, numbers, and a choice among words.
fn is_plain_type(schema: &Value) -> bool {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let has_place =
        |value: &Value| value.as_str().is_some_and(|text| text.contains("://") || text.contains('@'));
    let is_choice = match schema.get("enum") {
        Some(Value::Array(values)) => !values.iter().any(has_place),
        _ => schema.get("const").is_some_and(|value| !has_place(value)),
    };
    matches!(kind, "boolean" | "integer" | "number" | "null") || is_choice
}

fn is_sink_name(words: &[String]) -> bool {
    let singular =
        |word: &String| word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word).to_owned();
    let words: Vec<String> = words.iter().map(singular).collect();
    let is_one = |word: &String| ANYWHERE.contains(&word.as_str());
    let mut from_the_end = words.iter().rev().skip_while(|word| EMPTY.contains(&word.as_str()));
    words.iter().any(is_one)
        || from_the_end.next().is_some_and(|word| LAST.contains(&word.as_str()))
        || words == ["code"]
}

fn asks_for_secrets(words: &[String]) -> bool {
    const ALONE: [&str; 15] = [
        "password",
        "passwords",
        "passphrase",
        "credential",
        "credentials",
        "secret",
        "secrets",
        "conversation",
        "transcript",
        "cookie",
        "cookies",
        "apikey",
        "privatekey",
        "mnemonic",
        "keychain",
    ];
    const TOGETHER: [(&str, &str); 14] = [
        ("private", "key"),
        ("ssh", "key"),
        ("api", "key"),
        ("access", "key"),
        ("access", "token"),
        ("auth", "token"),
        ("bearer", "token"),
        ("session", "token"),
        ("system", "prompt"),
        ("chat", "history"),
        ("message", "history"),
        ("seed", "phrase"),
        ("chat", "context"),
        ("user", "token"),
    ];
    let pairs = words.iter().zip(words.iter().skip(1));
    // `secret_name` and `conversation_id` name one and do not hold it.
    let ends_empty = words.last().is_some_and(|word| EMPTY.contains(&word.as_str()));
    !ends_empty && words.iter().any(|word| ALONE.contains(&word.as_str()))
        || pairs.into_iter().any(|(one, next)| TOGETHER.contains(&(one.as_str(), next.trim_end_matches('s'))))
}

/// The words of a name, in lower case: `callbackUrl` and `callback-url` have the same two.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let is_edge = !letter.is_alphanumeric() || letter.is_uppercase() && before.is_lowercase();
        if is_edge && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}
