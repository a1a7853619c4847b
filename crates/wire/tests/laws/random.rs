//! Random values, and the many ways to write one.

use portcullis_wire::json::{Document, Limits};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Number, Value};

/// How many cases a law is tried on, unless the environment says.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

pub(crate) fn parse(text: &[u8]) -> Document {
    let shown = String::from_utf8_lossy(text);
    Document::parse(text, &Limits::default()).unwrap_or_else(|error| panic!("{error} in {shown}"))
}

/// Texts with everything in them that has to be escaped or is long.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        6 => prop::char::range('a', 'e'),
        2 => prop::sample::select(vec!['"', '\\', '/', '\n', '\r', '\t', '\0', '\u{1f}', ' ', ':', '\u{7f}']),
        1 => prop::sample::select(vec!['é', '€', '😀', '\u{feff}', '\u{2028}', '\u{fffd}', '\u{10ffff}']),
    ];
    vec(letter, 0..14).prop_map(String::from_iter)
}

/// Short names, so that some are the same.
pub(crate) fn key() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[ab]{0,2}", 1 => text()]
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (-9..9i64).prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        // As many digits as every reader rounds alike.
        (-999_999..999_999i32, 0..6i32)
            .prop_map(|(digits, power)| Number::from_f64(f64::from(digits) / 10f64.powi(power)).unwrap()),
    ]
}

/// Values of every kind, some of them with much in them.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::Array),
            btree_map(key(), inner.clone(), 0..5).prop_map(object),
            // More keys than are compared each with each.
            btree_map("[a-f]{1,9}", Just(Value::Null), 12..16).prop_map(object),
        ]
    })
}

fn object(members: std::collections::BTreeMap<String, Value>) -> Value {
    Value::Object(members.into_iter().collect())
}

/// Choices that are made one after the other, the same ones again when they are used up.
pub(crate) struct Choices {
    choices: Vec<u8>,
    next: usize,
}

impl Choices {
    pub(crate) fn new(choices: Vec<u8>) -> Choices {
        Choices { choices, next: 0 }
    }

    /// A number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.next += 1;
        self.choices
            .get(self.next % self.choices.len().max(1))
            .map_or(0, |choice| usize::from(*choice) % most)
    }
}

pub(crate) fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 1..40)
}

/// A value in one of the ways that JSON can write it.
pub(crate) fn written(value: &Value, choices: &mut Choices) -> String {
    let mut text = String::new();
    write(value, choices, &mut text);
    space(choices, &mut text);
    text
}

fn write(value: &Value, choices: &mut Choices, text: &mut String) {
    space(choices, text);
    match value {
        Value::String(string) => write_string(string, choices, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write(item, choices, text);
                space(choices, text);
            }
            space(choices, text);
            text.push(']');
        }
        Value::Object(members) => {
            text.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                space(choices, text);
                write_string(key, choices, text);
                space(choices, text);
                text.push(':');
                write(value, choices, text);
                space(choices, text);
            }
            space(choices, text);
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
    }
}

fn space(choices: &mut Choices, text: &mut String) {
    text.push_str(["", "", "", " ", "\n", "\t ", "\r\n"][choices.below(7)]);
}

/// A string, with some letters escaped that need not be.
pub(crate) fn write_string(string: &str, choices: &mut Choices, text: &mut String) {
    text.push('"');
    for letter in string.chars() {
        let must = matches!(letter, '"' | '\\' | '\0'..='\x1f');
        match (choices.below(4), letter) {
            (0 | 1, '\n') => text.push_str("\\n"),
            (0 | 1, '\t') => text.push_str("\\t"),
            (0 | 1, '/') => text.push_str("\\/"),
            (0, '"' | '\\') => text.extend(['\\', letter]),
            (0, _) => write_units(letter, choices, text),
            _ if must => write_units(letter, choices, text),
            _ => text.push(letter),
        }
    }
    text.push('"');
}

fn write_units(letter: char, choices: &mut Choices, text: &mut String) {
    for unit in letter.encode_utf16(&mut [0; 2]) {
        let digits = if choices.below(2) == 0 { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
        text.push_str(&digits);
    }
}
