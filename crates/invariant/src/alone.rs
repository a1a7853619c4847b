//! Several things that one call makes at once, each by itself: of two events one may lack the place that every event needs.

use serde_json::{Map, Value};

/// What lists of things are called of which each is made for itself. Blocks of a page, edits of a file or recipients of a mail
/// are parts of one thing.
const LISTS: &[&str] = &["events", "entities"];

/// The arguments of the calls that would make these things one after the other; none where there is only one.
pub(crate) fn each_alone(arguments: &Value) -> Vec<Value> {
    let Value::Object(entries) = arguments else { return Vec::new() };
    LISTS.iter().filter_map(|list| Some(each_of(entries, list, entries.get(*list)?))).flatten().collect()
}

fn each_of(entries: &Map<String, Value>, list: &str, items: &Value) -> Vec<Value> {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.len() < 2 || !items.iter().all(Value::is_object) {
        return Vec::new();
    }
    let alone = |item: &Value| {
        let mut entries = entries.clone();
        entries.insert(list.to_owned(), Value::Array(vec![item.clone()]));
        Value::Object(entries)
    };
    items.iter().map(alone).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_thing_is_made_with_what_is_said_of_all() {
        let two = json!({"calendarId": "c", "events": [{"summary": "a"}, {"summary": "b"}]});
        let first = json!({"calendarId": "c", "events": [{"summary": "a"}]});
        let second = json!({"calendarId": "c", "events": [{"summary": "b"}]});
        assert_eq!(each_alone(&two), [first.clone(), second]);
        assert_eq!(each_alone(&first), Vec::<Value>::new());
        assert_eq!(each_alone(&json!({"edits": [{}, {}]})), Vec::<Value>::new());
    }
}
