//! Acts that show in the settings of a call, in its texts, or in what stands in its command lines and SQL.

use portcullis_perceive::shell::Command;
use serde_json::Value as Json;

use super::{CallFacts, Circumstances};
use crate::action::{Action, Actions, Matter};
use crate::interest::Interest;
use crate::names;

/// How deep forms are looked into.
const DEEPEST: usize = 8;

/// Whether an action shows so.
pub(super) fn shows(
    action: &Action,
    facts: &CallFacts<'_>,
    call: &Circumstances<'_>,
    commands: &[Command],
) -> bool {
    if !action.is_marked() {
        return false;
    }
    action.settings.iter().any(|setting| is_set(setting, facts, call)) || has_pattern(action, facts, commands)
}

/// Whether the tool is one that settings, given arguments and texts of an action count for.
pub(super) fn is_among(action: &Action, words: &[String]) -> bool {
    action.among.is_empty()
        || action.among.iter().any(|set| set.split(' ').all(|word| words.iter().any(|own| own == word)))
}

/// Whether an argument has a value: `merge method=squash|rebase`.
fn is_set(setting: &str, facts: &CallFacts<'_>, call: &Circumstances<'_>) -> bool {
    let Some((name, values)) = setting.split_once('=') else { return false };
    let wanted = names::words(name);
    let is_it = |own: &str| {
        let own: Vec<String> = own.split(' ').map(str::to_owned).collect();
        names::has_words(&own, &wanted)
    };
    let given = || facts.arguments.choices.iter().filter(|(own, _)| is_it(own));
    let words = |text: &str| names::words(text).join(" ");
    match values.chars().next() {
        Some('?') => {
            let is_known = call.known.iter().any(|known| is_it(&words(known)));
            is_known && given().next().is_none()
        }
        Some('*') => {
            given().next().is_some()
                || facts.arguments.texts.iter().any(|(own, text)| is_it(own) && !text.is_empty())
        }
        Some('!') => {
            let allowed: Vec<String> = values.trim_start_matches('!').split('|').map(words).collect();
            let is_own_name = |own: &str, value: &str| own == value;
            given().any(|(own, value)| !allowed.contains(value) && !is_own_name(own, value))
        }
        _ if values == "date" => facts.arguments.texts.iter().any(|(own, text)| is_it(own) && is_date(text)),
        _ => {
            let wanted: Vec<String> = values.split('|').map(words).collect();
            given().any(|(_, value)| wanted.contains(value))
        }
    }
}

/// `2026-05-12`, without a time.
fn is_date(text: &str) -> bool {
    text.trim().parse::<jiff::civil::Date>().is_ok() && text.trim().len() == 10
}

fn has_pattern(action: &Action, facts: &CallFacts<'_>, commands: &[Command]) -> bool {
    let Ok(actions) = Actions::built_in() else { return true };
    let Some(patterns) = actions.patterns(action) else { return false };
    let shell = !commands.is_empty();
    facts.arguments.texts.iter().any(|(name, text)| {
        (super::arguments::is_command(name) && patterns.fit(Matter::Line, text))
            || (is_address(name, text) && patterns.fit(Matter::Url, text))
            || (!shell && patterns.fit(Matter::Text, text))
            || (is_sql(name, facts) && patterns.fit(Matter::Sql, &plain_sql(text)))
    })
}

fn is_address(name: &str, text: &str) -> bool {
    let is_named = name.split(' ').any(|word| matches!(word, "url" | "uri" | "link"));
    is_named && text.contains("://")
}

fn is_sql(name: &str, facts: &CallFacts<'_>) -> bool {
    let is_named = name.split(' ').any(|word| matches!(word, "sql" | "query" | "statement"));
    is_named && !facts.statements.is_empty() || name == "sql"
}

/// How many rows a query may bring, and how many joins, statements and new rows SQL has.
pub(super) fn sql_measures(facts: &CallFacts<'_>, interest: &Interest) -> Vec<(String, Option<i64>)> {
    let mut measures: Vec<(String, Option<i64>)> =
        facts.statements.iter().flat_map(super::commands::StatementFacts::measures).collect();
    if !["join", "statement", "new row", "row"].iter().any(|unit| interest.asks_in(unit)) {
        return measures;
    }
    for (_, text) in facts.arguments.texts.iter().filter(|(name, _)| is_sql(name, facts)) {
        let plain = plain_sql(text);
        let words = plain.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let joins = words.filter(|word| *word == "join").count();
        let statements = plain.split(';').filter(|part| !part.trim().is_empty()).count();
        let rows = plain.split_once(" values").map_or(0, |(_, rows)| top_level_groups(rows));
        for (unit, count) in [("join", joins), ("statement", statements), ("new row", rows)] {
            measures.push((unit.to_owned(), i64::try_from(count).ok()));
        }
        measures.extend((rows > 0).then(|| ("row".to_owned(), i64::try_from(rows).ok())));
    }
    measures
}

/// How many groups in brackets stand next to each other.
fn top_level_groups(text: &str) -> usize {
    let mut depth = 0usize;
    let mut groups = 0;
    for letter in text.chars() {
        match letter {
            '(' => {
                groups += usize::from(depth == 0);
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    groups
}

/// SQL in lower case without comments and without what stands in quotes.
pub(super) fn plain_sql(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                plain.push('\'');
                while let Some(inner) = letters.next() {
                    if inner == '\'' && letters.next_if_eq(&'\'').is_none() {
                        break;
                    }
                }
                plain.push('\'');
            }
            '-' if letters.peek() == Some(&'-') => {
                letters.by_ref().find(|letter| *letter == '\n');
                plain.push(' ');
            }
            '/' if letters.peek() == Some(&'*') => {
                let mut before = ' ';
                letters.next();
                letters.by_ref().find(|letter| {
                    let is_end = before == '*' && *letter == '/';
                    before = *letter;
                    is_end
                });
                plain.push(' ');
            }
            letter => plain.extend(letter.to_lowercase()),
        }
    }
    plain.trim().trim_end_matches(';').trim_end().to_owned()
}

/// What a form has that is ticked: the names of its boxes.
pub(super) fn ticked(arguments: &Json) -> Vec<String> {
    let mut found = Vec::new();
    walk(arguments, DEEPEST, &mut found);
    found
}

fn walk(value: &Json, depth: usize, found: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    match value {
        Json::Object(entries) => {
            let text = |key: &str| entries.get(key).and_then(Json::as_str);
            let is_box = matches!(text("type"), Some("checkbox" | "radio" | "switch"));
            let is_on = match entries.get("value") {
                Some(Json::Bool(is)) => *is,
                Some(Json::String(value)) => {
                    !matches!(value.to_lowercase().as_str(), "" | "false" | "no" | "off" | "0" | "unchecked")
                }
                _ => false,
            };
            if is_box && is_on {
                let names = ["name", "element", "label"].iter().filter_map(|key| text(key));
                found.extend(names.map(str::to_owned));
            }
            entries.values().for_each(|inner| walk(inner, depth - 1, found));
        }
        Json::Array(items) => items.iter().for_each(|item| walk(item, depth - 1, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_in_quotes_and_comments_says_nothing() {
        assert_eq!(
            plain_sql("SELECT 'a''b JOIN' -- join\nFROM t /* union */;"),
            "select ''  \nfrom t".replace("  \n", "  ")
        );
    }

    #[test]
    fn boxes_that_are_ticked_are_found() {
        let form = serde_json::json!({"fields": [
            {"name": "Newsletter", "type": "checkbox", "value": "true"},
            {"name": "Terms", "type": "checkbox", "value": "false"},
            {"name": "Town", "type": "textbox", "value": "yes"},
        ]});
        assert_eq!(ticked(&form), ["Newsletter"]);
    }
}
