//! Fields of forms, as arguments: `{name: "Quantity", value: "3"}` gives `quantity` the value 3.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::CallFacts;
use crate::interest::Interest;
use crate::names;

/// Where the name of a field stands, and where its value does.
const NAMES: &[&str] = &["name", "element", "label", "field"];
const VALUES: &[&str] = &["value", "text", "values"];

/// Words at the end of a field's name that say what kind of field it is, and not what it is for.
const CONTROLS: &[&str] = &[
    "textbox",
    "input",
    "field",
    "box",
    "dropdown",
    "combobox",
    "select",
    "spinbutton",
    "slider",
    "checkbox",
];

/// Longer names are texts.
const LONGEST_NAME: usize = 200;
/// So many fields and values of one call are looked at.
const MOST: usize = 4096;

/// Adds the fields that a call fills in, with their values.
pub(super) fn add<'c>(facts: &mut CallFacts<'c>, arguments: &'c Json, interest: &Interest) {
    if !interest.arguments && !interest.numbers && !interest.same {
        return;
    }
    let (fields, is_whole) = fields(arguments);
    for (path, value) in fields {
        if let Ok(number) = value.trim().parse::<f64>() {
            facts.arguments.count(&path, super::arguments::ceiling(number));
        }
        facts.arguments.keep(&path, || value);
    }
    facts.arguments.is_cut |= !is_whole;
}

/// The fields with their values, and whether that is all of them.
fn fields(arguments: &Json) -> (Vec<(String, Cow<'_, str>)>, bool) {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![arguments], 0usize);
    while let Some(value) = open.pop() {
        seen += 1;
        if seen > MOST || found.len() > MOST {
            return (found, false);
        }
        match value {
            Json::Object(entries) => {
                if let Some(path) = named(entries) {
                    let values = VALUES.iter().filter_map(|key| entries.get(*key)).flat_map(scalars);
                    found.extend(values.map(|value| (path.clone(), value)));
                }
                open.extend(entries.values().filter(|inner| inner.is_object() || inner.is_array()));
            }
            Json::Array(items) => {
                open.extend(items.iter().filter(|inner| inner.is_object() || inner.is_array()));
            }
            Json::String(_) | Json::Number(_) | Json::Bool(_) | Json::Null => {}
        }
    }
    (found, true)
}

/// What a field is called, as the path of an argument; and once more without what kind of field it is.
fn named(entries: &Map<String, Json>) -> Option<String> {
    let name = NAMES.iter().find_map(|key| entries.get(*key)?.as_str())?;
    let words = names::words(name);
    if words.is_empty() || name.len() > LONGEST_NAME {
        return None;
    }
    let is_control = |word: &String| CONTROLS.contains(&word.as_str());
    let own = words.iter().rposition(|word| !is_control(word)).map_or(0, |last| last + 1);
    let full = words.join("_");
    let mut path = format!("field.{full}");
    let own = words.get(..own).unwrap_or_default();
    for part in [own, bare(own)] {
        let is_new = |part: &String| !path.ends_with(&format!(".{part}"));
        let part = (!part.is_empty() && part.len() < words.len()).then(|| part.join("_")).filter(is_new);
        part.into_iter().for_each(|part| path = format!("{path}.{part}"));
    }
    Some(path)
}

/// "Your bid (EUR)", "Number of hours" and "GPUs (max 8)" without what only leads to the thing or measures it.
fn bare(words: &[String]) -> &[String] {
    const LEADING: &[&str] = &[
        "your",
        "my",
        "our",
        "the",
        "please",
        "enter",
        "number",
        "of",
        "how",
        "many",
        "much",
        "total",
        "requested",
        "desired",
        "new",
    ];
    const MEASURING: &[&str] =
        &["eur", "euro", "usd", "gbp", "chf", "sek", "nok", "dkk", "pln", "in", "max", "min"];
    let is_led = |word: &&String| LEADING.contains(&word.as_str());
    let is_measure = |word: &&String| {
        MEASURING.contains(&word.as_str()) || word.chars().all(|letter| letter.is_ascii_digit())
    };
    let from = words.iter().take_while(is_led).count();
    let behind = words.iter().skip(from + 1).position(|word| is_measure(&word));
    let to = behind.map_or(words.len(), |length| from + 1 + length);
    words.get(from..to).filter(|bare| !bare.is_empty()).unwrap_or(words)
}

/// A value that is one, or those of a list.
fn scalars(value: &Json) -> Vec<Cow<'_, str>> {
    match value {
        Json::String(text) => vec![Cow::Borrowed(text)],
        Json::Number(number) => vec![Cow::Owned(number.to_string())],
        Json::Bool(is) => vec![Cow::Owned(is.to_string())],
        Json::Array(items) => items.iter().filter(|item| !item.is_array()).flat_map(scalars).collect(),
        Json::Object(_) | Json::Null => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pairs(arguments: &Json) -> Vec<String> {
        let (fields, is_whole) = fields(arguments);
        assert!(is_whole, "{arguments}");
        fields.into_iter().map(|(path, value)| format!("{path}={value}")).collect()
    }

    #[test]
    fn fields_of_forms_are_found_with_their_values() {
        let field =
            |name: &str, value: &str| json!({"name": name, "type": "textbox", "ref": "e1", "value": value});
        for (arguments, wanted) in [
            (json!({"fields": [field("Quantity", "3")]}), vec!["field.quantity=3"]),
            (
                json!({"element": "Quantity input", "ref": "e1", "text": "3"}),
                vec!["field.quantity_input.quantity=3"],
            ),
            (
                json!({"element": "Country", "ref": "e2", "values": ["Austria", "Italy"]}),
                vec!["field.country=Austria", "field.country=Italy"],
            ),
            (json!({"custom": {"field": "Room size", "value": 12.5}}), vec!["field.room_size=12.5"]),
            (json!({"label": "Gift", "value": true}), vec!["field.gift=true"]),
            (json!({"element": "Text box", "text": "x"}), vec!["field.text_box.text=x"]),
            (json!({"element": "Submit", "ref": "e3"}), vec![]),
            (json!({"name": {"first": "x"}, "value": "3"}), vec![]),
            (json!({"name": "?", "value": "3"}), vec![]),
            (json!({"name": "x".repeat(500), "value": "3"}), vec![]),
        ] {
            assert_eq!(pairs(&arguments), wanted, "{arguments}");
        }
    }

    #[test]
    fn more_fields_than_are_looked_at_are_told() {
        let many: Vec<Json> = (0..2 * MOST).map(|number| json!({"name": "n", "value": number})).collect();
        assert!(!fields(&json!({ "fields": many })).1);
    }
}
