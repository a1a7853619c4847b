//! A text as sentences of plain words, so that tricks of writing change nothing.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::hidden::is_unseen;

/// The words of a sentence, in lower case and without punctuation around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) words: Vec<String>,
    /// As it was written, with blanks made one.
    pub(crate) text: String,
    /// Whether it is the first of its text, where the imperative tells what a tool does and not what the reader must do.
    pub(crate) is_first: bool,
}

/// The word that stands for every way to forbid: `do not`, `don't`, `never`, `must not`.
pub(super) const NOT: &str = "NOT";

/// A sentence of more words is cut, since looking for patterns in it would take long.
const LONGEST_SENTENCE: usize = 200;

/// Words that mean one thing together.
const PAIRS: [(&[&str], &[&str], &str); 10] = [
    (&["system", "developer", "hidden"], &["prompt", "prompts", "message"], "system_prompt"),
    (
        &["conversation", "chat", "message", "dialogue"],
        &["history", "log", "transcript", "context"],
        "conversation_history",
    ),
    (
        &["previous", "prior", "earlier", "past"],
        &["messages", "conversation", "conversations"],
        "conversation_history",
    ),
    (
        &["entire", "full", "whole", "complete", "this", "our", "current"],
        &["conversation", "chat", "transcript"],
        "conversation_history",
    ),
    (&["entire", "whole", "this", "our"], &["dialogue", "discussion", "exchange"], "conversation_history"),
    (&["private", "ssh", "signing", "encryption"], &["key", "keys"], "private_key"),
    (&["seed", "recovery"], &["phrase", "phrases"], "private_key"),
    (&["api", "access", "session"], &["key", "keys", "token", "tokens"], "api_key"),
    (&["environment", "env"], &["variable", "variables", "vars", "var"], "env_vars"),
    (&["third"], &["party", "parties"], "third-party"),
];

/// The sentences of a text. A line that ends is no end of a sentence; an empty line is, and so is a bullet.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let is_seen = |letter: &char| letter.is_whitespace() || !is_unseen(*letter);
    let plain: Cow<'_, str> = match text.is_ascii() && text.chars().all(|letter| is_seen(&letter)) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(is_seen).nfkc().collect()),
    };
    let mut sentences = Vec::new();
    let mut current = String::new();
    let mut end = |current: &mut String| {
        let words = words(current);
        if !words.is_empty() {
            let text = current.split_whitespace().collect::<Vec<_>>().join(" ");
            sentences.push(Sentence { words, text, is_first: sentences.is_empty() });
        }
        current.clear();
    };
    let mut count = 0;
    for line in plain.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || is_bullet(trimmed) {
            end(&mut current);
            count = 0;
        }
        let mut line_words = trimmed.split_whitespace().peekable();
        while let Some(word) = line_words.next() {
            current.push_str(word);
            current.push(' ');
            let bare = word.trim_end_matches(['"', '\'', '`', ')', '*', '_', '”', '’']);
            count += 1;
            // `Args:` on a line of its own is a heading, `bcc: somebody` is not.
            let is_heading = bare.ends_with(':') && line_words.peek().is_none();
            let is_end = is_heading || bare.ends_with(['.', '!', '?', ';']) && !is_abbreviation(bare);
            if is_end || count >= LONGEST_SENTENCE {
                count = 0;
                end(&mut current);
            }
        }
    }
    end(&mut current);
    sentences
}

fn is_bullet(line: &str) -> bool {
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    numbered || line.starts_with(['-', '*', '•', '#'])
}

fn is_abbreviation(word: &str) -> bool {
    let lower = word.trim_start_matches(['(', '"', '\'', '`']).to_lowercase();
    matches!(lower.as_str(), "e.g." | "i.e." | "etc." | "vs." | "cf." | "approx.")
}

fn words(sentence: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in sentence.split_whitespace() {
        let word = match word.is_ascii() {
            true => word.to_ascii_lowercase(),
            false => word.replace(['’', '‘'], "'").to_lowercase(),
        };
        let word = latin(word.trim_matches(|letter: char| is_around(letter)));
        let word = word.trim_end_matches(['.', ',', ':', ';', '!', '?']);
        if !word.is_empty() {
            words.push(word.to_owned());
        }
    }
    joined(negated(words))
}

/// What stands around words and not in them. A slash, a tilde, a dot in front and an underscore belong to names.
fn is_around(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\''
            | '`'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '*'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '“'
            | '”'
            | '—'
            | '–'
            | '-'
            | '='
            | '|'
    )
}

/// A word whose letters only look Latin, as what it looks like.
fn latin(word: &str) -> String {
    match word.is_ascii() || !word.chars().any(|letter| letter.is_ascii_alphabetic()) {
        true => word.to_owned(),
        false => unicode_security::skeleton(word).collect::<String>().to_lowercase(),
    }
}

fn negated(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        match word.as_str() {
            "don't" | "dont" | "never" | "mustn't" | "shouldn't" => out.push(NOT.to_owned()),
            "not"
                if out
                    .last()
                    .is_some_and(|last| matches!(last.as_str(), "do" | "must" | "should" | "shall")) =>
            {
                out.pop();
                out.push(NOT.to_owned());
            }
            // `Under no circumstances`, `on no account`, `at no time`.
            "circumstances" | "account" | "time" | "case" if out.last().is_some_and(|last| last == "no") => {
                out.pop();
                out.push(NOT.to_owned());
            }
            _ => out.push(word),
        }
    }
    out
}

fn joined(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let last = out.last().map(String::as_str).unwrap_or_default();
        let pair =
            PAIRS.iter().find(|(first, second, _)| first.contains(&last) && second.contains(&word.as_str()));
        match pair {
            Some((_, _, together)) => {
                out.pop();
                out.push((*together).to_owned());
            }
            None => out.push(word),
        }
    }
    out
}
