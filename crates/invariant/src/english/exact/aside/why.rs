//! Remarks behind a rule that say why, what it costs, or what may be done instead.

use super::RULING;
use crate::english::exact::words::{around, strip_end};
use crate::english::token::{Shape, Token};

/// What is said of each of several things and rules nothing.
const COSTING: &[&str] = &["costs", "counts", "hurts", "matters", "adds", "cost", "money", "extra", "up"];

/// "every result costs": no rule about results.
pub(in crate::english::exact) fn costs(tokens: &[Token]) -> bool {
    tokens.first().is_some_and(|first| matches!(first.low.as_str(), "every" | "each"))
        && (3..6).contains(&tokens.len())
        && tokens.iter().skip(2).all(|token| COSTING.contains(&token.low.as_str()))
}

/// "plain searches only", "ordinary searches are enough": what is left beside what a rule forbids.
pub(super) fn is_enough(tokens: &[Token]) -> bool {
    const PLAIN: &[&str] =
        &["plain", "ordinary", "simple", "normal", "regular", "usual", "basic", "standard"];
    const ENOUGH: &[&str] = &[
        "only", "just", "are", "is", "enough", "fine", "will", "do", "suffice", "ok", "okay", "please",
        "the", "a", "use", "stick", "to", "web",
    ];
    let plain = tokens.iter().filter(|token| PLAIN.contains(&token.low.as_str())).count();
    let nouns = tokens
        .iter()
        .filter(|token| !PLAIN.contains(&token.low.as_str()) && !ENOUGH.contains(&token.low.as_str()));
    plain == 1 && nouns.count() == 1 && tokens.iter().all(|token| token.shape == Shape::Word)
}

/// "move it if you must": what may be done instead, of which no rule speaks.
pub(super) fn is_way_out(tokens: &[Token]) -> bool {
    const WAYS: &[&str] = &[
        "if you must",
        "if needed",
        "if need be",
        "if necessary",
        "if you have to",
        "if you need to",
        "if it must be",
        "if really needed",
    ];
    let speaks = |token: &Token| matches!(token.low.as_str(), "it" | "them" | "that" | "one");
    strip_end(tokens, WAYS).is_some_and(|front| {
        front.len() < 5
            && front.iter().all(|token| token.shape == Shape::Word)
            && front.iter().any(speaks)
            && !front.iter().any(|token| RULING.contains(&token.low.as_str()))
    })
}

/// "the backup needs the disk": something that is known needs something that is known, so that it is no rule.
pub(super) fn is_need(tokens: &[Token]) -> bool {
    let Some((front, _, behind)) = around(tokens, &["needs", "need"]) else { return false };
    let is_known = |tokens: &[Token]| {
        tokens.first().is_some_and(|first| {
            matches!(
                first.low.as_str(),
                "the"
                    | "my"
                    | "our"
                    | "we"
                    | "they"
                    | "i"
                    | "it"
                    | "that"
                    | "them"
                    | "all"
                    | "sleep"
                    | "quiet"
            )
        })
    };
    let is_plain = |tokens: &[Token]| {
        tokens.len() < 5
            && tokens.iter().all(|token| {
                token.shape == Shape::Word && (!RULING.contains(&token.low.as_str()) || token.low == "quiet")
            })
    };
    !front.is_empty() && is_known(front) && is_known(behind) && is_plain(front) && is_plain(behind)
}
