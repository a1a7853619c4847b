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

/// Words that follow one that asks.
const FOLLOWING: &[&str] = &[
    "me",
    "with",
    "by",
    "past",
    "it",
    "first",
    "so",
    "yes",
    "that",
    "to",
    "every",
    "each",
    "time",
    "about",
    "them",
    "us",
    "again",
    "go",
    "ok",
    "okay",
    "explicitly",
    "beforehand",
    "everything",
    "anything",
];

/// Words that may stand between the opening of such a phrase and the approval.
const BETWEEN: &[&str] = &[
    "me",
    "i",
    "my",
    "to",
    "be",
    "a",
    "an",
    "the",
    "explicit",
    "explicitly",
    "you",
    "have",
    "clear",
    "prior",
    "our",
    "like",
    "would",
    "always",
    "had",
    "it",
    "been",
    "has",
    "express",
    "first",
    "i've",
    "personal",
];

fn low(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.low.as_str())
}

fn is_me(tokens: &[Token], at: usize) -> bool {
    matches!(low(tokens, at), "me" | "i" | "my" | "us" | "mine")
}

/// How many words ask for the user's approval: "ask me before", "without my explicit ok", "unless I say so".
pub(crate) fn ask(tokens: &[Token]) -> Option<usize> {
    // "if …, ask": nothing else follows.
    let ends = tokens.get(1).is_none_or(|next| matches!(next.low.as_str(), "." | "!"));
    if low(tokens, 0) == "ask" && ends {
        return Some(1);
    }
    let starts = opening(tokens)?;
    for at in starts..starts + 5 {
        let word = low(tokens, at);
        if matches!(word, "" | "," | ".") {
            return None;
        }
        if APPROVALS.contains(&word) && is_mine(tokens, at) {
            return Some(after_approval(tokens, at + 1));
        }
        if ASKING.contains(&word) {
            return asked(tokens, at, starts);
        }
        if !BETWEEN.contains(&word) {
            return None;
        }
    }
    None
}

/// How many words open such a phrase; none for those that ask by themselves.
fn opening(tokens: &[Token]) -> Option<usize> {
    let next = low(tokens, 1);
    Some(match low(tokens, 0) {
        "without" | "unless" | "until" | "needs" | "need" | "requires" | "require" | "get" | "gets"
        | "await" => 1,
        "only" if matches!(next, "with" | "after" | "if" | "when" | "once") => 2,
        "wait" if next == "for" => 2,
        "i" if matches!(next, "want" | "need" | "have" | "would" | "must" | "wish" | "like") => 2,
        "i'd" | "let" | "have" => 1,
        "always" | "please" if ASKING.contains(&next) => 1,
        "has" | "must" if matches!(next, "be" | "to") => 2,
        "ask" | "check" | "confirm" | "consult" | "prompt" | "run" | "show" | "double-check" | "ping"
        | "warn" | "tell" => 0,
        _ => return None,
    })
}

/// Whether an approval is the user's: "my ok", "without explicit approval".
fn is_mine(tokens: &[Token], at: usize) -> bool {
    const OPENINGS: &[&str] = &["my", "me", "explicit", "without", "needs", "need", "requires", "require"];
    at.checked_sub(1).is_some_and(|before| is_me(tokens, before))
        || tokens.iter().take(at).any(|token| OPENINGS.contains(&token.low.as_str()))
}

/// Where a phrase ends that names an approval: "from me", "first", "before".
fn after_approval(tokens: &[Token], mut at: usize) -> usize {
    if low(tokens, at) == "from" && is_me(tokens, at + 1) {
        at += 2;
    }
    for word in ["first", "before"] {
        at += usize::from(low(tokens, at) == word);
    }
    at
}

/// What follows a word that asks: "me", "with me first", "it by me", "before".
fn asked(tokens: &[Token], verb: usize, starts: usize) -> Option<usize> {
    let low = |at: usize| low(tokens, at);
    let mut at = verb + 1;
    // "I want to see it in my inbox" asks for nothing.
    let is_wish = matches!(low(verb), "see" | "know") && matches!(low(0), "i" | "i'd");
    let is_asked = (at..at + 12).any(|next| matches!(low(next), "before" | "first" | "beforehand"));
    if is_wish && !is_asked {
        return None;
    }
    let mut is_me = tokens
        .iter()
        .take(verb)
        .skip(starts.saturating_sub(2))
        .any(|token| matches!(token.low.as_str(), "me" | "i" | "i'd" | "i've"));
    while FOLLOWING.contains(&low(at)) {
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
