//! Words that ask for the user's approval.

use super::token::Token;

const APPROVALS: &[&str] = &[
    "ok",
    "okay",
    "approval",
    "permission",
    "consent",
    "say-so",
    "confirmation",
    "go-ahead",
    "sign-off",
    "signoff",
    "yes",
    "blessing",
    "nod",
    "agreement",
    "authorisation",
    "authorization",
    "thumbs-up",
    "word",
    "green-light",
    "go",
];

const ASKING: &[&str] = &[
    "ask",
    "asking",
    "asked",
    "check",
    "checking",
    "confirm",
    "confirming",
    "consult",
    "consulting",
    "prompt",
    "prompting",
    "tell",
    "telling",
    "approve",
    "approving",
    "approved",
    "agree",
    "agreed",
    "say",
    "said",
    "verify",
    "inform",
    "informing",
    "warn",
    "warning",
    "double-check",
    "double-checking",
    "notify",
    "run",
    "running",
    "show",
    "showing",
    "confirmed",
    "ping",
    "see",
    "decide",
    "okay",
    "ok",
    "know",
];

/// How many words ask for the user's approval: "ask me before", "without my explicit ok", "unless I say so".
pub(crate) fn ask(tokens: &[Token]) -> Option<usize> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let is_me = |at: usize| matches!(low(at), "me" | "i" | "my" | "us" | "mine");
    let mut at = 0;
    match low(0) {
        "without" | "unless" | "until" => at += 1,
        "only" if matches!(low(1), "with" | "after" | "if" | "when" | "once") => at += 2,
        "needs" | "need" | "requires" | "require" | "get" | "gets" | "await" => at += 1,
        "wait" if low(1) == "for" => at += 2,
        "i" if matches!(low(1), "want" | "need" | "have" | "would" | "must" | "wish" | "like") => at += 2,
        "i'd" | "let" | "have" => at += 1,
        "always" | "please" if ASKING.contains(&low(1)) => at += 1,
        "has" | "must" if matches!(low(1), "be" | "to") => at += 2,
        "ask" | "check" | "confirm" | "consult" | "prompt" | "run" | "show" | "double-check" | "ping"
        | "warn" | "tell" => {}
        _ => return None,
    }
    let starts = at;
    let limit = at + 5;
    while at < limit {
        let word = low(at);
        if word.is_empty() || word == "," || word == "." {
            return None;
        }
        if APPROVALS.contains(&word)
            && (is_me(at.wrapping_sub(1))
                || tokens.iter().take(at).any(|token| {
                    matches!(
                        token.low.as_str(),
                        "my" | "me" | "explicit" | "without" | "needs" | "need" | "requires" | "require"
                    )
                }))
        {
            at += 1;
            if matches!(low(at), "from") && is_me(at + 1) {
                at += 2;
            }
            if matches!(low(at), "first") {
                at += 1;
            }
            if low(at) == "before" {
                at += 1;
            }
            return Some(at);
        }
        if ASKING.contains(&word) {
            return asked(tokens, at, starts);
        }
        if !matches!(
            word,
            "me" | "i"
                | "my"
                | "to"
                | "be"
                | "a"
                | "an"
                | "the"
                | "explicit"
                | "explicitly"
                | "you"
                | "have"
                | "clear"
                | "prior"
                | "our"
                | "like"
                | "would"
                | "always"
                | "had"
                | "it"
                | "been"
                | "has"
                | "express"
                | "first"
                | "i've"
                | "personal"
        ) {
            return None;
        }
        at += 1;
    }
    None
}

/// What follows a word that asks: "me", "with me first", "it by me", "before".
fn asked(tokens: &[Token], verb: usize, starts: usize) -> Option<usize> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let mut at = verb + 1;
    let mut is_me = tokens
        .iter()
        .take(verb)
        .skip(starts.saturating_sub(2))
        .any(|token| matches!(token.low.as_str(), "me" | "i" | "i'd" | "i've"));
    while matches!(
        low(at),
        "me" | "with"
            | "by"
            | "past"
            | "it"
            | "first"
            | "so"
            | "yes"
            | "that"
            | "to"
            | "every"
            | "each"
            | "time"
            | "about"
            | "them"
            | "us"
            | "again"
            | "go"
            | "ok"
            | "okay"
            | "explicitly"
            | "beforehand"
    ) {
        // "check with the team" is no question to the user; "to" must lead to me.
        if low(at) == "to" && low(at + 1) != "me" {
            break;
        }
        if matches!(low(at), "me" | "us") {
            is_me = true;
        }
        at += 1;
    }
    if matches!(low(at), "before") {
        at += 1;
        let is_plain_ask =
            matches!(low(verb), "ask" | "asking" | "check" | "checking" | "confirm" | "double-check");
        return (is_me || is_plain_ask).then_some(at);
    }
    let is_bare = matches!(low(0), "without" | "unless")
        && matches!(low(verb), "ask" | "asking" | "checking" | "confirming");
    let is_first = tokens.get(at.wrapping_sub(1)).is_some_and(|token| token.low == "first")
        && matches!(low(verb), "ask" | "check");
    (is_me || is_bare || is_first).then_some(at)
}
