//! Kinds of remarks: what to do where a rule is in the way, what something does to somebody, what is wanted besides, who does it
//! otherwise, and what holds of all of them.

use super::{RULING, is_plain};
use crate::english::exact::words;
use crate::english::token::Token;

/// "If you need a value from there, ask me": what to do where the rule is in the way. "If you need to delete something, ask me" is
/// a rule of its own.
pub(super) fn is_help(tokens: &[Token]) -> bool {
    const NEEDED: &[&str] = &[
        "if you need",
        "if in doubt",
        "when in doubt",
        "if unsure",
        "if you are unsure",
        "if you're unsure",
    ];
    const TOLD: &[&str] = &["ask", "tell", "say", "call", "ping", "come", "stop", "wait"];
    let says = |any: &[&str]| tokens.iter().any(|token| any.contains(&token.low.as_str()));
    words::strip(tokens, NEEDED).is_some_and(|rest| rest.first().is_none_or(|next| next.low != "to"))
        && says(TOLD)
        && tokens.iter().all(is_plain)
        && !says(&["never", "no", "not", "don't", "only", "unless", "except", "before"])
}

/// "It only confuses you": what something does to somebody. "It only goes to colleagues" is a rule.
pub(super) fn only_tells(tokens: &[Token]) -> bool {
    const EFFECTS: &[&str] = &[
        "confuses",
        "confuse",
        "costs",
        "cost",
        "slows",
        "slow",
        "breaks",
        "break",
        "annoys",
        "annoy",
        "distracts",
        "distract",
        "wastes",
        "waste",
        "disturbs",
        "disturb",
        "bothers",
        "bother",
        "clutters",
        "clutter",
        "hurts",
    ];
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    matches!(low(0), "it" | "they" | "that" | "this" | "those")
        && matches!(low(1), "only" | "just")
        && EFFECTS.contains(&low(2))
        && tokens.iter().all(is_plain)
}

/// "Those are our only copies": one of its kind. "Those are the only channels" says which, and is a rule.
pub(super) fn tells_of_one(tokens: &[Token]) -> bool {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let only = tokens.iter().position(|token| token.low == "only");
    matches!(low(0), "it" | "they" | "that" | "this" | "those" | "these" | "it's" | "that's")
        && only.is_some_and(|at| at > 0 && matches!(low(at - 1), "our" | "my" | "their"))
        && tokens.len() <= 8
        && tokens.iter().all(is_plain)
        && !tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "you" | "may" | "can" | "must" | "not" | "never"))
}

/// "I only want to know how far it is": what somebody wants besides. "I only want mails from Ada" is a rule.
pub(super) fn is_wanted(tokens: &[Token]) -> bool {
    const WANTING: &[&str] = &[
        "i only want to",
        "i just want to",
        "i only need to",
        "i just need to",
        "i only wanted to",
        "we only want to",
        "we just want to",
        "this is only about",
        "this is just about",
        "it is only about",
        "it's only about",
        "all i want is",
        "all i need is",
        "i do not want to be",
        "i don't want to be",
        "i do not like to be",
        "i don't like to be",
        "i do not like being",
        "i don't like being",
    ];
    // "I am only curious", "we're just looking around"
    const BEING: &[&str] = &[
        "i am only",
        "i'm only",
        "i am just",
        "i'm just",
        "we are only",
        "we're only",
        "we are just",
        "we're just",
    ];
    let is_short = |rest: &[Token]| (1..=2).contains(&rest.len()) && rest.iter().all(is_plain);
    words::strip(tokens, BEING).is_some_and(is_short)
        || words::strip(tokens, WANTING).is_some_and(|rest| !rest.is_empty())
            && tokens.iter().all(is_plain)
            && !tokens.iter().skip(3).any(|token| {
                matches!(
                    token.low.as_str(),
                    "you" | "never" | "no" | "not" | "don't" | "nothing" | "unless" | "except"
                )
            })
}

/// "We only do that on the phone", "only Karin does that", "people should call us": who does it, or how.
pub(super) fn is_done_otherwise(tokens: &[Token]) -> bool {
    let says = |any: &[&str]| tokens.iter().any(|token| any.contains(&token.low.as_str()));
    let is_third = tokens.first().is_some_and(|first| {
        matches!(
            first.low.as_str(),
            "people" | "they" | "he" | "she" | "customers" | "guests" | "clients" | "we"
        )
    });
    let does_that = tokens.windows(2).any(|pair| {
        words::strip(
            pair,
            &["do that", "does that", "do this", "does this", "do it", "does it", "do those", "does those"],
        )
        .is_some()
    });
    let denies =
        says(&["never", "no", "not", "don't", "nothing", "nobody", "unless", "except", "you", "your"]);
    let is_plain = tokens.iter().all(is_plain) && !denies;
    // "people should call us", not "guests must be in bcc".
    let tells_whom = is_third
        && says(&["should", "can"])
        && says(&["call", "phone", "ring", "visit", "contact"])
        && !says(&["only"]);
    // "prices are only given by phone", not "mails are only sent in the morning".
    let is_given =
        tokens.windows(2).skip(1).any(|pair| words::strip(pair, &["are only", "is only"]).is_some())
            && says(&["phone", "telephone", "person", "paper"]);
    is_plain && ((says(&["only"]) && does_that) || tells_whom || is_given)
}

/// "Every run costs real money", "other people use this folder": what holds of all of them. "Every commit has a ticket number" is a
/// rule.
pub(super) fn tells_of_all(tokens: &[Token]) -> bool {
    const EFFECTS: &[&str] = &[
        "costs", "triggers", "burns", "wakes", "pays", "deploys", "restarts", "notifies", "pings", "breaks",
    ];
    const USING: &[&str] = &[
        "use", "rely", "share", "work", "watch", "listen", "depend", "edit", "read", "live", "need", "have",
        "are",
    ];
    let of_each = words::strip(tokens, &["every", "each"]).map(|rest| (rest, EFFECTS));
    let of_others =
        || words::strip(tokens, &["other people", "other teams", "others"]).map(|rest| (rest, USING));
    let Some((rest, verbs)) = of_each.or_else(of_others) else { return false };
    let rules = |token: &Token| {
        RULING.contains(&token.low.as_str()) || matches!(token.low.as_str(), "no" | "not" | "don't")
    };
    rest.iter().take(3).any(|token| verbs.contains(&token.low.as_str()))
        && rest.iter().all(is_plain)
        && !rest.iter().any(rules)
}
