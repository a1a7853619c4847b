//! What the name, the type and the description of an argument tell that it is.

use serde_json::Value;

use super::super::definition::Property;
use super::super::manner::{Manner, Told};
use super::super::vocabulary::{Arguments, has_any};
use crate::profile::{Condition, Test};

/// Whether an argument is code that is run, or a list of things to do. A language's code is none.
pub(super) fn is_code(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let of = [
        "language", "country", "currency", "status", "error", "postal", "zip", "color", "id", "name", "type",
        "area", "dial",
    ];
    let is_named = has_any(&names.code, words)
        && words.len() < 3
        && !words.iter().any(|word| of.contains(&word.as_str()));
    // Filters and times are written in expressions, and nothing is run by that.
    let is_filter = words.iter().any(|word| word == "expression")
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "filter"
                    | "condition"
                    | "key"
                    | "projection"
                    | "cron"
                    | "schedule"
                    | "rate"
                    | "sort"
                    | "search"
            )
        });
    is_named && !is_filter && property.is_text() && property.values.is_empty()
        || words.as_slice() == ["actions".to_owned()] && property.is_open()
}

/// Whether a description says that the whole argument is an address on the web.
pub(super) fn says_url(property: &Property) -> bool {
    let text = property.description.trim_start();
    let starts = [
        "url ",
        "the url",
        "a url",
        "full url",
        "public url",
        "website",
        "page url",
        "single page url",
        "https://",
    ];
    let is_part = property.words.iter().any(|word| word == "slug");
    property.is_text()
        && !is_part
        && property.values.is_empty()
        && starts.iter().any(|start| text.starts_with(start))
}

pub(super) fn is_mail(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let holds_addresses = property.is_text() || property.is_plain_list || property.is_open();
    if !holds_addresses
        || property.is_flag()
        || has_any(&names.own, words)
            && !words.iter().any(|word| matches!(word.as_str(), "recipients" | "to"))
    {
        return false;
    }
    let says_mail = property.mentions(&["email", "e-mail", "recipient", "mail address"]);
    property.format.as_deref() == Some("email")
        || has_any(&names.mail, words)
            && !words
                .iter()
                .any(|word| matches!(word.as_str(), "id" | "ids" | "template" | "type" | "subject" | "body"))
        || words.len() == 1 && has_any(&names.mail_maybe, words) && says_mail
}

/// Whether it is the id of somebody who gets something, which may well be a mail address: `receive_id`.
pub(super) fn is_receiver(property: &Property, told: &Told) -> bool {
    let words = &property.words;
    let is_id = words.last().is_some_and(|word| matches!(word.as_str(), "id" | "ids" | "jid" | "handle"));
    let receives = |word: &String| {
        matches!(
            word.as_str(),
            "receive" | "receiver" | "receivers" | "recipient" | "recipients" | "addressee"
        )
    };
    let is_to = words.first().is_some_and(|word| word == "to");
    let sends = told.manners.contains(&Manner::Send);
    let is_plainly_to = sends && words.len() == 1 && is_to && !property.mentions(&["mail"]);
    (property.is_text() || property.is_plain_list)
        && property.values.is_empty()
        && (is_id && (words.iter().any(receives) || is_to) || is_plainly_to)
}

/// Whether it says what kind of thing is meant, in words of the service: `resource_type`, `kind`.
pub(super) fn is_kind(property: &Property) -> bool {
    let words: Vec<&str> = property.words.iter().map(String::as_str).collect();
    property.is_text()
        && matches!(words.as_slice(), ["kind"] | ["resource", "type" | "kind"] | ["object" | "item", "kind"])
}

/// Whether the name says that something goes there.
pub(super) fn is_sent(property: &Property) -> bool {
    let words = &property.words;
    let has_word = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // `date_to` ends a range, `assigned_to` is somebody in the service.
    let is_other = has_word(&[
        "date", "time", "price", "year", "range", "page", "row", "cell", "index", "size", "amount",
        "assigned", "reply", "in", "belongs", "related", "up", "refers",
    ]);
    let ends_so = words.len() > 1 && words.last().is_some_and(|word| word == "to");
    (ends_so || has_word(&["mirror", "relay", "sink"])) && property.values.is_empty() && !is_other
}

/// Whether somebody is called or written at this number.
pub(super) fn is_phone(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let is_other =
        words.iter().any(|word| matches!(word.as_str(), "id" | "ids" | "type" | "from" | "caller" | "code"));
    let is_number =
        words.iter().any(|word| word == "number") && words.first().is_some_and(|word| word == "to");
    !is_other && property.values.is_empty() && (has_any(&names.phone, words) || is_number)
}

/// What makes a thing open to everybody.
pub(super) fn public(property: &Property) -> Option<Condition> {
    let everybody: Vec<Value> = property.values.iter().filter(|value| is_everybody(value)).cloned().collect();
    let test = if !everybody.is_empty() {
        Test::Is(everybody)
    } else if property.is_flag() && property.words.iter().any(|word| word == "private") {
        Test::Is(vec![Value::Bool(false)])
    } else if property.is_flag() && !property.words.iter().any(|word| word == "access") {
        Test::Is(vec![Value::Bool(true)])
    } else if property.is_text()
        && property.values.is_empty()
        && !property.words.iter().any(|word| word == "access")
    {
        Test::Is(["public", "anyone", "everyone", "anonymous"].map(Value::from).into())
    } else {
        return None;
    };
    Some(Condition { argument: property.path(), test })
}

pub(super) fn is_everybody(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default().to_lowercase();
    matches!(
        text.as_str(),
        "public" | "anyone" | "anonymous" | "everyone" | "world" | "anyonewithlink" | "anyone_with_link"
    )
}
