//! Arguments and what they are: "the team Mobile", "sendUpdates: none", "a ticket like OPS-123".

use super::{Chunk, Chunker, Literal};
use crate::english::token::{Shape, Token};

impl Chunker<'_> {
    /// "like OPS-123": a sample of what a text must hold.
    pub(super) fn sample(&self, tokens: &[Token]) -> Option<(Chunk, usize)> {
        let (words, length) =
            match (tokens.first()?.low.as_str(), tokens.get(1).map_or("", |next| next.low.as_str())) {
                ("like", _) => (tokens.get(1)?, 2),
                ("such", "as") | ("similar", "to") => (tokens.get(2)?, 3),
                _ => return None,
            };
        let has_digit = words.text.chars().any(|letter| letter.is_ascii_digit());
        let is_sample = matches!(words.shape, Shape::Identifier | Shape::Quoted) && has_digit;
        is_sample.then(|| (Chunk::Literal(Literal::Like(words.text.clone())), length))
    }

    /// "the team Mobile", "of type project", "environment production": an argument of a tool and the value it has.
    pub(super) fn setting(&self, tokens: &[Token]) -> Option<(Chunk, usize)> {
        // "entities of type project"
        if let [of, parameter, value, ..] = tokens
            && of.low == "of"
            && value.shape == Shape::Word
            && let Some(parameter) = self.hand.own_parameter(&parameter.low)
            && !self.lexicon.is_between(value)
        {
            return Some((Chunk::Setting { parameter, value: value.text.clone() }, 3));
        }
        let (first, next) = (tokens.first()?, tokens.get(1)?);
        // "sendUpdates: none", "milestone 9"
        let words = crate::names::words(&first.text);
        let is_named = matches!(first.shape, Shape::Word | Shape::Identifier)
            && !is_english(&first.low)
            && !words.is_empty()
            && words.iter().all(|word| self.hand.has_parameter(word));
        let value = tokens
            .get(2)
            .filter(|value| matches!(value.shape, Shape::Word | Shape::Number | Shape::Identifier));
        if is_named
            && matches!(next.shape, Shape::Mark(':'))
            && let Some(value) = value.filter(|value| {
                self.hand.choice(&value.text).is_some()
                    || matches!(value.low.as_str(), "true" | "false" | "none")
            })
        {
            return Some((Chunk::Setting { parameter: words.join(" "), value: value.text.clone() }, 3));
        }
        let is_plain_number =
            next.shape == Shape::Number && next.low.chars().all(|letter| letter.is_ascii_digit());
        let ends = tokens.get(2).is_none_or(|after| {
            after.shape != Shape::Word
                || self.lexicon.is_between(after)
                || self.hand.has_tool_word(&after.low)
        });
        if is_named && is_plain_number && ends && !self.lexicon.knows(first) {
            return Some((Chunk::Setting { parameter: words.join(" "), value: next.text.clone() }, 2));
        }
        let parameter = self.hand.own_parameter(&first.low)?;
        if self.hand.has_tool_word(&first.low)
            && !self.hand.is_holder(&first.low)
            && next.shape != Shape::Identifier
        {
            return None;
        }
        let is_value = match next.shape {
            Shape::Identifier | Shape::Quoted => true,
            Shape::Word if matches!(next.low.as_str(), "yes" | "no" | "ok") => false,
            // "the list Inbox", "the project web"
            Shape::Word if next.is_capital() => true,
            Shape::Word if self.hand.is_holder(&first.low) && tokens.len() == 2 => true,
            Shape::Word => !self.lexicon.knows(next) && (next.is_capital() || !self.hand.has_word(&next.low)),
            _ => false,
        };
        let is_name = first.shape == Shape::Word && !is_english(&first.low);
        (is_value && is_name)
            .then(|| (Chunk::Setting { parameter, value: next.text.trim_matches('"').to_owned() }, 2))
    }
}

/// Words that arguments are called by and that sentences use for other things.
const ENGLISH: &[&str] = &[
    "file",
    "files",
    "folder",
    "path",
    "name",
    "names",
    "branch",
    "table",
    "collection",
    "database",
    "channel",
    "page",
    "pages",
    "repository",
    "repo",
    "url",
    "to",
    "from",
    "in",
    "on",
    "at",
    "for",
    "and",
    "or",
    "the",
    "with",
    "by",
    "of",
    "as",
    "is",
    "only",
    "all",
    "any",
    "text",
    "message",
    "messages",
    "mail",
    "email",
    "subject",
    "body",
    "content",
    "date",
    "time",
    "start",
    "end",
    "before",
    "after",
    "since",
    "until",
    "query",
    "limit",
    "user",
    "users",
    "people",
    "calendar",
    "command",
    "host",
    "server",
    "search",
    "title",
    "description",
    "key",
    "keys",
    "value",
    "items",
];

/// Whether a word of an argument's name means something else in a sentence.
fn is_english(word: &str) -> bool {
    ENGLISH.contains(&word)
}
