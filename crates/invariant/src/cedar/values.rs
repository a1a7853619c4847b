//! Arguments and texts by name and value: what policies can ask about them, and how they ask.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::condition::{Answer, Condition, contains, like};
use super::{Misfit, expressions, moments, names, said, thing};
use crate::filters;
use crate::meaning::{Span, sort_of, sorts_in};

/// The columns of a fact that has a name and a value.
pub(super) const COLUMNS: &[&str] = &["name", "value"];

/// What can be asked about the name of an argument.
pub(super) fn name(name: &str) -> Map<String, Value> {
    let names: BTreeSet<String> = name
        .split('.')
        .map(|part| crate::names::words(part).join(" "))
        .filter(|part| !part.is_empty())
        .collect();
    let attributes = json!({ "name": name, "names": names, "words": thing::words(filters::parts(name).0) });
    attributes.as_object().cloned().unwrap_or_default()
}

/// What can be asked about a name and a text.
pub(super) fn text(name: &str, value: &str) -> Value {
    let mut attributes = self::name(name);
    attributes.insert("value".to_owned(), json!(value));
    let views = said::views(value).into_iter().chain(expressions::views(value));
    attributes.extend(views.map(|(attribute, view)| (attribute.to_owned(), json!(view))));
    let kinds: Vec<&str> = said::kinds().filter(|kind| filters::holds(value, kind) == Some(true)).collect();
    let found = json!({
        "address": filters::is_bare_address(&value.to_lowercase()),
        "holds": kinds,
        "links": filters::led_to(value),
        "money": filters::most_money(value).unwrap_or(i64::MIN),
        "sorts": sorts_in(value),
    });
    attributes.extend(found.as_object().cloned().unwrap_or_default());
    if let Some((date, weekday, minute)) = filters::moment(value) {
        let (from, to) = minute.map_or((0, 24 * 60), |minute| (minute, minute));
        let month = (date / 100 % 100, date % 100);
        let date = json!({
            "date": date, "month": month.0, "day": month.1, "weekday": weekday, "from": from, "to": to,
        });
        attributes.insert("date".to_owned(), date);
    }
    Value::Object(attributes)
}

/// A filter on the name or the value of what a request has one of.
pub(super) fn filter(filter: &str, path: &str, with: &str) -> Result<Answer, Misfit> {
    let misfit = || Misfit::Filter(filter.to_owned());
    let certain = |condition: Option<Condition>| condition.map(Answer::certain).ok_or_else(misfit);
    if let Some(root) = path.strip_suffix(".name") {
        return match filter {
            "is_argument" => Ok(Answer::certain(contains(&format!("{root}.names"), with))),
            "has_word" => {
                let holds = contains(&format!("{root}.words"), &names::words(with)?);
                Ok(Answer::perhaps(holds, like(path, "*/\\*\\*")))
            }
            _ => names::filter(filter, path, false, Some(with)),
        };
    }
    let root = path.strip_suffix(".value").unwrap_or(path);
    match filter {
        "says" => certain(said::says(root, with)),
        "holds" => certain(said::holds(root, with)),
        "matches" => match sort_of(with) {
            Some(sort) => Ok(Answer::certain(contains(&format!("{root}.sorts"), sort))),
            None => certain(expressions::matches(root, with)),
        },
        "date_during" => {
            let span = Span::parse(with).map_err(|_| Misfit::Joined)?;
            let has = Condition::plain(format!("{root} has date"));
            let holds = Condition::all([has.clone(), moments::event_during(&span, &format!("{root}.date"))]);
            Ok(Answer::perhaps(holds, has.negated()))
        }
        _ => names::filter(filter, path, false, Some(with)),
    }
}
