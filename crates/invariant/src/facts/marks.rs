//! Acts that show in the settings of a call, in its texts, or in what stands in its command lines and SQL.

use serde_json::Value as Json;

use super::measures::Measures;
use super::{CallFacts, Circumstances};
use crate::action::{Matter, Patterns, Setting, SettingValue, Shown};
use crate::names;

/// How deep forms are looked into.
const DEEPEST: usize = 8;

/// Whether an action shows so.
pub(super) fn shows(shown: &Shown, facts: &CallFacts<'_>, call: &Circumstances<'_>) -> bool {
    shown.settings.iter().any(|setting| is_set(setting, facts, call))
        || shown.patterns.as_ref().is_some_and(|patterns| has_pattern(patterns, facts, call))
}

/// Whether an argument has a value.
fn is_set(setting: &Setting, facts: &CallFacts<'_>, call: &Circumstances<'_>) -> bool {
    let is_it = |own: &str| names::stand_in(own, &setting.name);
    let mut given = facts.arguments.choices().filter(|(own, _)| is_it(own));
    let mut texts = facts.arguments.texts().filter(|(own, _)| is_it(own));
    match &setting.value {
        SettingValue::LeftOut => {
            given.next().is_none() && call.known.iter().any(|known| is_it(&names::joined(known)))
        }
        SettingValue::Given => given.next().is_some() || texts.any(|(_, text)| !text.is_empty()),
        // What is chosen by being true has its own name for a value.
        SettingValue::Besides(allowed) => {
            given.any(|(own, value)| own != value && !allowed.iter().any(|allowed| allowed == value))
        }
        SettingValue::Date => texts.any(|(_, text)| is_date(text)),
        SettingValue::Among(wanted) => given.any(|(_, value)| wanted.iter().any(|wanted| wanted == value)),
    }
}

/// `2026-05-12`, without a time.
fn is_date(text: &str) -> bool {
    text.trim().parse::<jiff::civil::Date>().is_ok() && text.trim().len() == 10
}

fn has_pattern(patterns: &Patterns, facts: &CallFacts<'_>, call: &Circumstances<'_>) -> bool {
    let shell = !super::commands_of(call).is_empty();
    facts.arguments.texts().any(|(name, text)| {
        (patterns.has_any(Matter::Line)
            && super::arguments::is_command(name)
            && patterns.fit(Matter::Line, text))
            || (patterns.has_any(Matter::Url) && is_address(name, text) && patterns.fit(Matter::Url, text))
            || (!shell && patterns.fit(Matter::Text, text))
            || (patterns.has_any(Matter::Sql)
                && is_sql(name, facts)
                && patterns.fit(Matter::Sql, &plain_sql(text)))
    })
}

fn is_address(name: &str, text: &str) -> bool {
    names::has(name, &["url", "uri", "link"]) && text.contains("://")
}

pub(super) fn is_sql(name: &str, facts: &CallFacts<'_>) -> bool {
    !facts.statements.is_empty() && names::has(name, &["sql", "query", "statement"]) || name == "sql"
}

/// How many rows a query may bring, and how many joins, statements and new rows SQL has.
pub(super) fn sql_measures(facts: &CallFacts<'_>, measures: &mut Measures<'_>) {
    facts.statements.iter().for_each(|statement| statement.measure(measures));
    if !["join", "statement", "new row", "row"].iter().any(|unit| measures.asks_in(unit)) {
        return;
    }
    for (_, text) in facts.arguments.texts().filter(|(name, _)| is_sql(name, facts)) {
        let plain = plain_sql(text);
        let words = plain.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let joins = words.filter(|word| *word == "join").count();
        let statements = plain.split(';').filter(|part| !part.trim().is_empty()).count();
        let rows = plain.split_once(" values").map_or(0, |(_, rows)| top_level_groups(rows));
        for (unit, count) in [("join", joins), ("statement", statements), ("new row", rows)] {
            measures.add(unit, i64::try_from(count).ok());
        }
        if rows > 0 {
            measures.add("row", i64::try_from(rows).ok());
        }
    }
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
