//! Every text of a definition with its place.

use serde_json::{Map, Value};

/// A text, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'v> {
    /// The JSON pointer of the value, or of the member whose key it is.
    pub pointer: String,
    /// What it says.
    pub text: &'v str,
    /// Whether it is the key of a member.
    pub is_key: bool,
}

/// The pointer of a member (RFC 6901).
pub fn pointer_to(parent: &str, key: &str) -> String {
    format!("{parent}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// All texts, in the order of the keys. The tool's own name is judged elsewhere.
pub(super) fn of_members(members: &Map<String, Value>) -> Vec<Text<'_>> {
    let mut texts = Vec::new();
    for (key, value) in members.iter().filter(|(key, _)| *key != "name") {
        let pointer = pointer_to("", key);
        texts.push(Text { pointer: pointer.clone(), text: key, is_key: true });
        walk(&pointer, value, &mut texts);
    }
    texts
}

/// All texts of a value. It recurses no deeper than a definition may be.
pub(crate) fn walk<'v>(pointer: &str, value: &'v Value, texts: &mut Vec<Text<'v>>) {
    match value {
        Value::String(text) => texts.push(Text { pointer: pointer.to_owned(), text, is_key: false }),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(&format!("{pointer}/{index}"), item, texts);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                let pointer = pointer_to(pointer, key);
                texts.push(Text { pointer: pointer.clone(), text: key, is_key: true });
                walk(&pointer, value, texts);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
