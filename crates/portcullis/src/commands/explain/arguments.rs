//! The arguments of a call, and the credentials that stand in them.

use std::path::Path;

use portcullis_perceive::json;
use portcullis_perceive::profile::ArgumentPath;
use portcullis_perceive::secrets::Formats;
use serde::Serialize;
use serde_json::Value;

use super::super::read;
use super::ExplainError;
use crate::failure::Failure;

/// Reads arguments: an object without repeated keys.
pub(super) fn read_from(path: &Path) -> Result<Value, Failure> {
    let text = read(path)?;
    let value = json::strict(&text).map_err(|error| ExplainError::Json { path: path.into(), error })?;
    match value.is_object() {
        true => Ok(value),
        false => Err(ExplainError::NoArguments { path: path.into() }.into()),
    }
}

/// An argument that holds a credential.
#[derive(Serialize)]
pub(super) struct CredentialReport {
    /// Where it stands.
    pub(super) argument: String,
    /// What it looks like; never the credential itself.
    pub(super) formats: Vec<String>,
}

/// The arguments that hold credentials, in their order.
pub(super) fn credentials(arguments: &Value, formats: &Formats) -> Vec<CredentialReport> {
    let mut found: Vec<CredentialReport> = Vec::new();
    let mut waiting: Vec<(Option<ArgumentPath>, &Value)> = vec![(None, arguments)];
    while let Some((path, value)) = waiting.pop() {
        match value {
            Value::String(text) => note(&mut found, path.as_ref(), text, formats),
            Value::Array(values) => {
                let each = path.map(ArgumentPath::each);
                waiting.extend(values.iter().rev().map(|value| (each.clone(), value)));
            }
            Value::Object(entries) => {
                for (key, value) in entries.iter().rev() {
                    // A key that is a credential is no name to print.
                    if formats.any(key) {
                        note(&mut found, path.as_ref(), key, formats);
                        waiting.push((path.clone(), value));
                        continue;
                    }
                    let below = match &path {
                        Some(path) => path.clone().key(key),
                        None => ArgumentPath::top(key),
                    };
                    waiting.push((Some(below), value));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

fn note(found: &mut Vec<CredentialReport>, path: Option<&ArgumentPath>, text: &str, formats: &Formats) {
    let names: Vec<String> = formats.find(text).into_iter().map(|finding| finding.format).collect();
    if names.is_empty() {
        return;
    }
    let argument = path.map_or_else(|| "the names of the arguments".to_owned(), ArgumentPath::to_string);
    let at = found.iter().position(|one| one.argument == argument).unwrap_or(found.len());
    if at == found.len() {
        found.push(CredentialReport { argument, formats: Vec::new() });
    }
    if let Some(one) = found.get_mut(at) {
        one.formats.extend(names);
        one.formats.sort();
        one.formats.dedup();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A text that the format `url-password` finds.
    const SECRET: &str = "postgres://desk:Tr0ub4dor-and-3@db.acme.com/orders";

    #[test]
    fn the_argument_is_told_and_never_the_credential() {
        let formats = Formats::built_in().unwrap();
        let arguments = json!({
            "plain": "nothing",
            "headers": [{ "origin": SECRET }, { "origin": SECRET, "other": 3 }],
            "options": { SECRET: "under a key" },
            SECRET: { "below": SECRET },
        });
        let found = credentials(&arguments, &formats);
        let mut told: Vec<&str> = found.iter().map(|one| one.argument.as_str()).collect();
        told.sort_unstable();
        assert_eq!(told, ["below", "headers[].origin", "options", "the names of the arguments"]);
        assert!(found.iter().all(|one| one.formats == ["url-password"]));
    }
}
