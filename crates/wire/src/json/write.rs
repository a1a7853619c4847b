//! Strings as JSON writes them.

use std::fmt::Write;

/// A text as a JSON string, in quotes.
pub fn quote(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    quote_into(text, &mut json);
    json
}

/// Appends a text as a JSON string, in quotes.
pub fn quote_into(text: &str, json: &mut String) {
    json.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| matches!(letter, '"' | '\\' | '\0'..='\x1f')) {
        let (plain, special) = rest.split_at(at);
        json.push_str(plain);
        let mut letters = special.chars();
        match letters.next() {
            Some('"') => json.push_str("\\\""),
            Some('\\') => json.push_str("\\\\"),
            Some('\n') => json.push_str("\\n"),
            Some('\r') => json.push_str("\\r"),
            Some('\t') => json.push_str("\\t"),
            // Writing to a string cannot fail.
            Some(letter) => drop(write!(json, "\\u{:04x}", letter as u32)),
            None => {}
        }
        rest = letters.as_str();
    }
    json.push_str(rest);
    json.push('"');
}
