//! Ways of saying the same, put into the words that all readers know, before any of them reads: "it is not permitted to" as
//! "never", "receivers" as "recipients". The ways stand in `plain.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::lexicon::word_bases;
use super::token::{Shape, Token};
use crate::names::{mark, marks};

const PLAIN: &str = include_str!("../../data/plain.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    plain: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    to: String,
    from: Vec<String>,
}

/// One of several words, or none of them where they may be missing.
struct Item {
    any: Vec<String>,
    may_miss: bool,
}

/// Words in a row, and the plain ones that stand for them.
struct Way {
    items: Vec<Item>,
    /// The bits of the words that it may begin with.
    first: u64,
    /// Only where a clause begins.
    begins: bool,
    /// Only where a clause ends.
    ends: bool,
    to: Vec<String>,
}

static WAYS: LazyLock<Vec<Way>> = LazyLock::new(|| ways(PLAIN).unwrap_or_default());

fn ways(text: &str) -> Result<Vec<Way>, toml::de::Error> {
    let file: File = toml::from_str(text)?;
    let each = |entry: Entry| {
        let to: Vec<String> = entry.to.split_whitespace().map(str::to_owned).collect();
        entry.from.into_iter().map(move |from| way(&from, to.clone()))
    };
    Ok(file.plain.into_iter().flat_map(each).collect())
}

fn way(from: &str, to: Vec<String>) -> Way {
    let begins = from.starts_with("^ ");
    let ends = from.ends_with(" $");
    let words = from.trim_start_matches("^ ").trim_end_matches(" $");
    let item = |text: &str| {
        let (words, may_miss) = match text.strip_suffix('?') {
            Some(words) => (words, true),
            None => (text, false),
        };
        Item { any: words.split('|').map(str::to_owned).collect(), may_miss }
    };
    let items: Vec<Item> = words.split_whitespace().map(item).collect();
    let leading = items.iter().position(|item| !item.may_miss).map_or(items.len(), |at| at + 1);
    let leading = items.iter().take(leading).flat_map(|item| &item.any);
    Way { first: marks(leading.map(String::as_str)), items, begins, ends, to }
}

/// The words of a text, plainer.
pub(super) fn put(tokens: &[Token]) -> Vec<Token> {
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        let begins = plain.last().is_none_or(opens);
        if begins && let Some((verb, length)) = nobody(rest) {
            plain.extend([word("never", rest), word(&verb, rest)]);
            at += length;
            continue;
        }
        let fits = |way: &Way| {
            let length = length(&way.items, rest)?;
            let is_end = rest.get(length).is_none_or(closes);
            // What is forbidden must follow.
            let leads =
                way.begins && matches!(way.to.first().map(String::as_str), Some("never" | "no" | "ask"));
            ((!way.begins || begins) && !(leads && is_end) && (!way.ends || is_end)).then_some(length)
        };
        let first = mark(rest.first().map_or("", |token| token.low.as_str()));
        let near = WAYS.iter().filter(|way| way.first & first != 0);
        let found = near.filter_map(|way| Some((fits(way)?, way))).max_by_key(|(length, _)| *length);
        match found {
            Some((length, way)) if length > 0 => {
                plain.extend(way.to.iter().map(|text| word(text, rest)));
                at += length;
            }
            _ => {
                plain.extend(rest.first().cloned());
                at += 1;
            }
        }
    }
    plain
}

/// How many of the words fit, if all of the items do.
fn length(items: &[Item], tokens: &[Token]) -> Option<usize> {
    let Some((first, rest)) = items.split_first() else { return Some(0) };
    let fits = tokens.first().is_some_and(|token| {
        let is_word = matches!(token.shape, Shape::Word | Shape::Mark(_));
        is_word && first.any.contains(&token.low)
    });
    let taken = || Some(1 + length(rest, tokens.get(1..)?)?);
    let missed = || length(rest, tokens).filter(|_| first.may_miss);
    if fits { taken().or_else(missed) } else { missed() }
}

/// "nobody edits": the verb, and how many words it takes with the one in front.
fn nobody(tokens: &[Token]) -> Option<(String, usize)> {
    const DOING: &[&str] = &[
        "edit",
        "change",
        "touch",
        "delete",
        "remove",
        "move",
        "modify",
        "write",
        "overwrite",
        "rename",
        "merge",
        "push",
        "publish",
        "deploy",
        "restart",
        "send",
        "book",
        "schedule",
        "close",
        "alter",
        "rewrite",
        "commit",
        "install",
        "start",
        "stop",
        "drop",
        "create",
        "add",
        "post",
        "invite",
        "upload",
        "download",
        "copy",
    ];
    let low = |at: usize| tokens.get(at).map_or("", |token: &Token| token.low.as_str());
    let at = match (low(0), low(1)) {
        ("nobody" | "noone", _) => 1,
        ("no", "one") => 2,
        _ => return None,
    };
    let token = tokens.get(at).filter(|token| token.shape == Shape::Word && token.low.ends_with('s'))?;
    let base = word_bases(&token.low).into_iter().find(|base| DOING.contains(&base.as_str()))?;
    Some((base, at + 1))
}

fn opens(before: &Token) -> bool {
    matches!(before.shape, Shape::Mark('.' | '!' | ';' | ':' | ',' | '(' | '-' | '–'))
        || matches!(before.low.as_str(), "but" | "and" | "please" | "so" | "then" | "that" | "also")
}

fn closes(next: &Token) -> bool {
    matches!(next.shape, Shape::Mark('.' | '!' | ';' | ':' | ',' | ')' | '-' | '–'))
}

fn word(text: &str, at: &[Token]) -> Token {
    let at = at.first().map_or(0, |token| token.at);
    let mark = match text {
        "," => Shape::Mark(','),
        ":" => Shape::Mark(':'),
        _ => Shape::Word,
    };
    Token { text: text.to_owned(), low: text.to_lowercase(), shape: mark, at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token;

    fn plainly(text: &str) -> String {
        put(&token::tokens(text)).iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_ways_can_be_read() {
        assert!(ways(PLAIN).unwrap().len() > 50);
    }

    #[test]
    fn other_ways_become_plain_ones() {
        assert_eq!(plainly("It is strictly forbidden to push."), "never push .");
        assert_eq!(plainly("Nobody edits stock/ today"), "never edit stock/ today");
        assert_eq!(plainly("Say \"it is forbidden to\" twice"), "Say it is forbidden to twice");
    }
}
