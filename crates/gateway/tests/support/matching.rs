//! What a scenario expects of messages, and what it keeps of them: the same for relays and hubs.

use std::collections::BTreeMap;
use std::path::Path;

use portcullis_store::{Entry, EntryFilter, Store, Verification};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What names of a scenario, such as `$tools`, stand for.
#[derive(Default)]
pub(crate) struct Bound(pub(crate) BTreeMap<String, Value>);

impl Bound {
    /// Expects a message to have what is expected in it.
    pub(crate) fn expect(&mut self, expected: &Value, bytes: &[u8], notes: &[String]) {
        let found: Value = serde_json::from_slice(bytes).unwrap();
        if let Err(why) = self.is_part(expected, &found) {
            panic!("{why}\nexpected {expected}\nfound    {found}\nnotes    {notes:#?}");
        }
    }

    fn is_part(&mut self, expected: &Value, found: &Value) -> Result<(), String> {
        match (expected, found) {
            (Value::Object(parts), Value::Object(whole)) => {
                parts.iter().try_for_each(|(key, part)| match (part, whole.get(key)) {
                    (Value::String(word), None) if word == "absent" => Ok(()),
                    (part, Some(value)) => self.is_part(part, value).map_err(|why| format!("{key}: {why}")),
                    (_, None) => Err(format!("{key} is missing")),
                })
            }
            (Value::Array(parts), Value::Array(whole)) if parts.len() == whole.len() => {
                parts.iter().zip(whole).try_for_each(|(part, value)| self.is_part(part, value))
            }
            (Value::String(text), _) if text.starts_with('$') => match self.0.get(text) {
                Some(bound) if bound != found => Err(format!("{text} is {bound}")),
                Some(_) => Ok(()),
                None => {
                    self.0.insert(text.clone(), found.clone());
                    Ok(())
                }
            },
            (Value::String(text), Value::String(whole)) if text.starts_with('…') => {
                let part = text.trim_matches('…');
                if whole.contains(part) { Ok(()) } else { Err(format!("`{part}` is not in `{whole}`")) }
            }
            (expected, found) if expected == found => Ok(()),
            (expected, found) => Err(format!("{expected} is not {found}")),
        }
    }

    /// A message with what was bound before put in.
    pub(crate) fn filled(&self, message: Value) -> Value {
        match message {
            Value::String(text) => match self.0.get(&text) {
                Some(bound) => bound.clone(),
                None => Value::String(text),
            },
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.filled(item)).collect()),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(key, value)| (key, self.filled(value))).collect())
            }
            other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
        }
    }
}

/// The kinds of entries in the audit log, the decision, outcome or choice behind them.
pub(crate) fn log(store: &dyn Store) -> Vec<String> {
    let entries = store.entries(&EntryFilter::default()).unwrap();
    // That a session was opened and what tools there are is told before anything happens.
    let is_of_calls = |entry: &Entry| !["opened", "tools-listed"].contains(&entry.kind.as_str());
    let told = entries.into_iter().filter(is_of_calls).map(|entry| {
        let body: Value = serde_json::from_str(&entry.body).unwrap();
        let word = ["decision", "outcome", "choice"].iter().find_map(|name| body.get(name)?.as_str());
        format!("{} {}", entry.kind, word.unwrap_or_default())
    });
    told.collect()
}

/// Takes the steps of a file, one a line. A line may be a word alone.
pub(crate) fn play<S: DeserializeOwned>(path: &Path, mut step: impl FnMut(S)) -> datatest_stable::Result<()> {
    let text = std::fs::read_to_string(path)?;
    let mut steps = 0;
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let read = match line.starts_with('{') {
            true => serde_json::from_str(line),
            false => serde_json::from_value(Value::String(line.trim().to_owned())),
        };
        let read: S = read.map_err(|error| format!("line {}: {error}", number + 1))?;
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| step(read)));
        if let Err(cause) = told {
            eprintln!("{}, line {}: {line}", path.display(), number + 1);
            std::panic::resume_unwind(cause);
        }
        steps += 1;
    }
    assert!(steps > 1, "a scenario without steps");
    Ok(())
}

/// Whatever happened, the log is whole.
pub(crate) fn verify(store: &dyn Store) {
    let verified = store.verify(None, &mut |_| {}).unwrap();
    assert!(matches!(verified, Verification::Whole { .. }), "{verified:?}");
}
