//! What brackets say of the words before them: "the release branches (release/*)" are release/*.

use crate::english::exact::words;
use crate::english::token::{Shape, Token};

/// Most words that brackets explain.
const MOST_WORDS: usize = 4;

/// Words that only lead to what explains.
const LEADING: &[&str] = &[
    "anything under",
    "everything under",
    "anything in",
    "everything in",
    "anything below",
    "everything below",
    "all of",
    "i.e.",
    "ie",
    "that is",
    "meaning",
    "in",
    "at",
    "they are in",
    "which is",
    "that's",
    "those in",
    "under",
];

/// Words that make a rule of what stands in brackets.
const RULING: &[&str] = &[
    "except",
    "unless",
    "not",
    "no",
    "never",
    "only",
    "but",
    "don't",
    "without",
    "must",
    "may",
    "fine",
    "ok",
    "included",
    "including",
    "too",
];

/// The sentences in which what explains stands for what it explains, and those without it.
pub(super) fn glossed(tokens: &[Token]) -> Vec<Vec<Token>> {
    let Some(open) = tokens.iter().position(|token| token.shape == Shape::Mark('(')) else {
        return Vec::new();
    };
    let close = tokens.iter().skip(open).position(|token| token.shape == Shape::Mark(')'));
    let Some(close) = close.map(|length| open + length) else { return Vec::new() };
    let (Some(before), Some(inner), Some(behind)) =
        (tokens.get(..open), tokens.get(open + 1..close), tokens.get(close + 1..))
    else {
        return Vec::new();
    };
    if inner.iter().any(|token| RULING.contains(&token.low.as_str())) {
        return Vec::new();
    }
    let mut ways = Vec::new();
    let inner = words::strip(inner, LEADING).unwrap_or(inner);
    let names = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Mark(_));
    // "the admin pages (https://…)" are pages of a browser, which other forms know.
    if inner.iter().any(|token| token.shape == Shape::Url) {
        return Vec::new();
    }
    // "ours (heronlab)": a single word is a name as well.
    if inner.iter().any(names) || inner.len() == 1 {
        for length in 1..=before.len().min(MOST_WORDS) {
            let (rest, explained) = before.split_at(before.len() - length);
            if explained.iter().any(|token| token.shape != Shape::Word || is_between(token)) {
                break;
            }
            // "Ada's diagnosis (asthma)": not "Ada's asthma".
            if rest.last().is_some_and(|token| token.low.ends_with("'s")) {
                continue;
            }
            ways.push([rest, inner, behind].concat());
        }
    } else {
        ways.push([before, behind].concat());
    }
    ways
}

fn is_between(token: &Token) -> bool {
    matches!(
        token.low.as_str(),
        "in" | "to"
            | "from"
            | "at"
            | "on"
            | "into"
            | "with"
            | "of"
            | "by"
            | "for"
            | "and"
            | "or"
            | "never"
            | "no"
            | "not"
            | "is"
            | "are"
            | "that"
            | "other"
            | "outside"
            | "than"
            | "except"
            | "only"
            | "nobody"
            | "anybody"
            | "anyone"
    )
}
