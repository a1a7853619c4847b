//! JSON with its keys in order, so that what is made and shown of it is the same whatever order a map keeps.

use serde_json::{Map, Value};

/// The same value with the keys of all objects in order.
pub fn ordered(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort();
            let entries = keys.into_iter().filter_map(|key| Some((key.clone(), ordered(entries.get(key)?))));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(ordered).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}
