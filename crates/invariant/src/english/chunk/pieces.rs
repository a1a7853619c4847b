//! What single words and marks are by themselves.

use super::{Chunk, Literal};
use crate::english::lexicon::{Entry, Lexicon, Marker, Phrase};
use crate::english::token::{Shape, Token};

/// "leave … alone", "keep … as it is": what is left alone stands between.
pub(super) fn parted(tokens: &[Token]) -> Option<Marker> {
    if !matches!(
        tokens.first()?.low.as_str(),
        "leave" | "keep" | "let" | "stay" | "stays" | "remain" | "remains"
    ) {
        return None;
    }
    let text: Vec<&str> = tokens.iter().skip(1).take(12).map(|token| token.low.as_str()).collect();
    let text = format!(" {} ", text.join(" "));
    let has = |phrase: &str| text.contains(&format!(" {phrase} "));
    // "keep phone numbers out of Slack"
    if tokens.first().is_some_and(|token| token.low == "keep")
        && has("out of")
        && !text.starts_with(" out of")
    {
        return Some(Marker::Deny);
    }
    if has("free") && tokens.first().is_some_and(|token| token.low == "keep" || token.low == "leave") {
        return Some(Marker::Forbidden);
    }
    if has("alone") || has("out of it") {
        return Some(Marker::Avoid);
    }
    let protects = [
        "as it is",
        "as they are",
        "as is",
        "untouched",
        "unchanged",
        "in peace",
        "intact",
        "the way it is",
        "the way they are",
        "where it is",
        "where they are",
    ];
    protects.iter().any(|phrase| has(phrase)).then_some(Marker::Protect)
}

/// Words of English that do not tell a program what to do.
const STOPS: &[&str] = &[
    "and",
    "or",
    "is",
    "are",
    "to",
    "in",
    "on",
    "at",
    "with",
    "without",
    "only",
    "unless",
    "except",
    "for",
    "from",
    "the",
    "a",
    "an",
    "please",
    "pls",
    "ever",
    "anywhere",
    "directly",
    "before",
    "after",
    "outside",
    "inside",
    "must",
    "may",
    "can",
    "not",
    "needs",
    "need",
    "anything",
    "whatever",
    "as",
    "so",
    "but",
    "if",
    "when",
    "here",
    "containers",
    "volumes",
    "images",
    "tags",
    "commands",
    "command",
    "packages",
    "instead",
    "rights",
    "access",
    "stays",
    "stay",
    "into",
    "onto",
    "over",
    "by",
    "per",
    "any",
    "all",
    "my",
    "our",
    "this",
    "that",
    "it",
    "them",
    "never",
];

/// Words that follow a program and are no English: what it is told to do.
pub(super) fn is_subcommand(word: &str) -> bool {
    !STOPS.contains(&word)
}

/// "don't mention her": somebody who was named before, not whose something is.
pub(super) fn is_person(tokens: &[Token]) -> bool {
    let Some(token) = tokens.first() else { return false };
    let next = tokens.get(1);
    let ends = next.is_none_or(|next| {
        matches!(next.shape, Shape::Mark(_))
            || matches!(next.low.as_str(), "in" | "on" | "at" | "anywhere" | "please" | "or" | "and")
    });
    token.low == "him" || (token.low == "her" && ends)
}

/// What git is told to do. Other words behind "git" are English: "the git history".
pub(super) fn is_git_subcommand(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "add",
        "am",
        "apply",
        "archive",
        "bisect",
        "blame",
        "branch",
        "checkout",
        "cherry-pick",
        "clean",
        "clone",
        "commit",
        "config",
        "diff",
        "fetch",
        "filter-branch",
        "filter-repo",
        "gc",
        "grep",
        "init",
        "log",
        "merge",
        "mv",
        "notes",
        "prune",
        "pull",
        "push",
        "rebase",
        "reflog",
        "remote",
        "reset",
        "restore",
        "revert",
        "rm",
        "show",
        "stash",
        "status",
        "submodule",
        "switch",
        "tag",
        "update-ref",
        "worktree",
    ];
    WORDS.contains(&word)
}

pub(super) fn mark(token: &Token) -> Option<Chunk> {
    match token.shape {
        Shape::Mark(',' | ';') => Some(Chunk::Comma),
        Shape::Mark(':') => Some(Chunk::Colon),
        Shape::Mark('(') => Some(Chunk::Open),
        Shape::Mark(')') => Some(Chunk::Close),
        Shape::Mark('&') => Some(Chunk::And),
        Shape::Mark(_) => Some(Chunk::Filler),
        _ => None,
    }
}

pub(super) fn literal(token: &Token) -> Option<Literal> {
    let text = token.text.clone();
    Some(match token.shape {
        Shape::Path => Literal::Path(text),
        Shape::Host => Literal::Host(token.low.trim_start_matches('@').to_owned()),
        Shape::Url => Literal::Url(text),
        Shape::Address => Literal::Address(token.low.clone()),
        Shape::Channel => Literal::Channel(text),
        Shape::Mention => Literal::Mention(text),
        Shape::Emoji => Literal::Emoji(text.trim_matches(':').to_owned()),
        Shape::Quoted => Literal::Quoted(text),
        Shape::Flag => Literal::Flag(text),
        Shape::Identifier => Literal::Identifier(text),
        Shape::Number => Literal::Number(token.low.parse().ok()?),
        Shape::Word | Shape::Mark(_) => return None,
    })
}

pub(super) fn entry(entry: &Entry) -> Chunk {
    match entry {
        Entry::Marker(marker) => Chunk::Marker(*marker),
        Entry::Preposition(preposition) => Chunk::Preposition(*preposition),
        Entry::Verb(number) => Chunk::Verb(*number),
        Entry::Act(number) => Chunk::Act(*number),
        Entry::Thing(number) => Chunk::Thing(*number),
        Entry::It => Chunk::It,
        Entry::Vague => Chunk::Strange(String::new()),
        Entry::Filler => Chunk::Filler,
    }
}

/// Of several phrases the longest, and among those what fits the place.
pub(super) fn choose(phrases: &[Phrase], wants_verb: bool) -> Option<&Phrase> {
    let longest = phrases.first()?.length;
    let rank = |phrase: &Phrase| match (&phrase.entry, wants_verb) {
        (Entry::Marker(_) | Entry::Vague, _) => 0,
        (Entry::Verb(_), true) => 1,
        (Entry::Act(_), false) => 1,
        (Entry::Thing(_), false) => 2,
        (Entry::It, false) => 3,
        (Entry::Preposition(_), _) => 4,
        (Entry::Verb(_), false) => 6,
        (Entry::Act(_) | Entry::Thing(_) | Entry::It, true) => 5,
        (Entry::Filler, _) => {
            if wants_verb {
                6
            } else {
                5
            }
        }
    };
    phrases.iter().filter(|phrase| phrase.length == longest).min_by_key(|phrase| rank(phrase))
}

/// Names of several words, as far as they begin with capitals: "Grandma Rosa's".
pub(super) fn name_length(tokens: &[Token], lexicon: &Lexicon) -> usize {
    let is_part = |token: &&Token| {
        let known = lexicon
            .phrases(std::slice::from_ref(token))
            .iter()
            .any(|phrase| matches!(phrase.entry, Entry::Thing(_) | Entry::Act(_) | Entry::Marker(_)));
        token.shape == Shape::Word && token.is_capital() && !known
    };
    tokens.iter().take_while(is_part).count().max(1)
}

pub(super) fn name(tokens: &[Token], lexicon: &Lexicon) -> String {
    let parts = tokens.iter().take(name_length(tokens, lexicon));
    let text: Vec<&str> = parts.map(|token| token.text.as_str()).collect();
    let text = text.join(" ");
    text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(&text).to_owned()
}
