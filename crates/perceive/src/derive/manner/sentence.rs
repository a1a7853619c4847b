//! What the sentences of a description say that a tool does.

use super::super::vocabulary::Vocabulary;
use super::super::words::stems;
use super::{Manner, settled, without_things};

/// What the first sentence of a description begins with: `Creates a ticket`, `This tool is used to send mail`.
pub(super) fn by_description(description: &str, vocabulary: &Vocabulary) -> Option<Manner> {
    let sentence = description.split(['.', '\n', ';']).map(str::trim).find(|part| part.contains(' '))?;
    by_clause(sentence, vocabulary)
}

/// The same where a title comes first: `Goal Seek: changes a cell`, `Docs-Document-Get the text`.
pub(super) fn by_later_clause(description: &str, vocabulary: &Vocabulary) -> Option<Manner> {
    let sentence = description.split(['.', '\n', ';']).map(str::trim).find(|part| part.contains(' '))?;
    sentence
        .split([':', '-', '\u{2013}', '\u{2014}'])
        .skip(1)
        .find_map(|clause| by_clause(clause, vocabulary))
}

fn by_clause(sentence: &str, vocabulary: &Vocabulary) -> Option<Manner> {
    let words: Vec<String> = sentence
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .take(24)
        .collect();
    let words = without_things(&words, vocabulary);
    let start = words.iter().position(|word| !is_filler(word))?;
    let rest = words.get(start..)?;
    let (verb, manner) = stems(rest.first()?)
        .into_iter()
        .find_map(|stem| vocabulary.manner(&stem).map(|manner| (stem, manner)))?;
    let object = rest.get(1..6.min(rest.len())).unwrap_or_default();
    let object: Vec<&str> = object.iter().map(String::as_str).collect();
    let manner = settled(&verb, manner, &object, vocabulary);
    // `Run a query`, `Perform a health check`: what is run is a look.
    let is_look = |word: &&str| {
        matches!(*word, "aggregation" | "queries") || stems(word).iter().any(|stem| looks(stem, vocabulary))
    };
    if manner == Manner::Run && object.iter().any(is_look) {
        return Some(Manner::Look);
    }
    Some(manner)
}

/// Whether it begins with saying that a question is run, in a language that only asks: `Run a log insights query`.
pub(super) fn runs_question(description: &str, vocabulary: &Vocabulary) -> bool {
    const ONLY_ASK: [&str; 12] = [
        "log",
        "logs",
        "metric",
        "metrics",
        "insights",
        "promql",
        "logql",
        "traceql",
        "trace",
        "traces",
        "kusto",
        "analytics",
    ];
    let sentence = description.split(['.', '\n', ';']).map(str::trim).find(|part| part.contains(' '));
    let words: Vec<String> = sentence
        .unwrap_or_default()
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| is_filler(word))
        .take(8)
        .collect();
    let runs = words
        .first()
        .is_some_and(|word| stems(word).iter().any(|stem| vocabulary.manner(stem) == Some(Manner::Run)));
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    runs && says(&["query", "queries"]) && says(&ONLY_ASK)
}

fn looks(word: &str, vocabulary: &Vocabulary) -> bool {
    vocabulary.manner(word).is_some_and(Manner::only_looks)
}

/// Words that come before what a tool does.
fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "this"
            | "tool"
            | "tools"
            | "use"
            | "used"
            | "to"
            | "is"
            | "the"
            | "a"
            | "an"
            | "it"
            | "helps"
            | "help"
            | "allows"
            | "allow"
            | "lets"
            | "let"
            | "you"
            | "can"
            | "that"
            | "which"
            | "will"
            | "for"
            | "when"
            | "user"
            | "users"
            | "mcp"
            | "api"
            | "call"
            | "interface"
            | "recommended"
            | "preferred"
            | "required"
            | "quickly"
            | "simply"
            | "efficiently"
            | "automatically"
            | "deprecated"
            | "experimental"
            | "beta"
            | "alpha"
            | "new"
            | "by"
            | "helper"
    )
}
