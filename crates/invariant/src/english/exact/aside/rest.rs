//! What is said of those that a rule is not about, and why somebody wants it so.

use crate::english::exact::words::{strip, strip_end};
use crate::english::token::{Shape, Token};

/// Whether words say what somebody cannot do or does not have, or what becomes of the rest: nothing of it is a rule.
pub(super) fn says_why(tokens: &[Token]) -> bool {
    const REST: &[&str] =
        &["the others", "the rest", "the other ones", "others", "all others", "all the rest"];
    let rules = |token: &Token| {
        matches!(
            token.low.as_str(),
            "you" | "your" | "never" | "nothing" | "nobody" | "unless" | "except" | "ask" | "only" | "want"
        )
    };
    let tells = strip(tokens, CANNOT).is_some_and(|rest| !rest.is_empty()) && !tokens.iter().any(rules);
    let waits = strip(tokens, REST).is_some_and(|rest| strip(rest, WAITING).is_some_and(<[Token]>::is_empty));
    tells || waits
}

/// Whether words say of all others that they are not meant, which the rule before says already.
pub(in crate::english::exact) fn is_rest(tokens: &[Token]) -> bool {
    const REST: &[&str] = &[
        "the rest",
        "all other",
        "all others",
        "the others",
        "the other",
        "everything else",
        "anything else",
        "all the rest",
        "all the others",
        "everywhere else",
        "elsewhere",
        "any other",
        "in all other",
        "in the other",
        "in the others",
        "in others",
        "in other",
        "other",
    ];
    const CLOSED: &[&str] = &[
        ": reading only",
        ": read only",
        ": read-only",
        ": only reading",
        ": only read",
        "reading only",
        "read only",
        "is read-only",
        "are read-only",
        "is for reading only",
        "are for reading only",
        "only reading",
        "you only read",
        "you may only read",
        "you can only read",
        "only read",
        "are off limits",
        "is off limits",
        "are taboo",
        "is taboo",
        "are forbidden",
        "is forbidden",
        "are not for you",
        "is not for you",
        "wait",
        "stay as they are",
        "stays as it is",
        "are out of bounds",
        "is out of bounds",
        "are not allowed",
        "is not allowed",
        "are to be read only",
        "just read",
        "you just read",
    ];
    let Some(rest) = strip(tokens, REST) else { return false };
    let Some(between) = strip_end(rest, CLOSED) else { return false };
    between.len() < 6 && between.iter().all(|token| token.shape == Shape::Word)
}

/// "never to a colleague" behind a rule that names who may: the same from the other side.
pub(super) fn is_said_again(tokens: &[Token]) -> bool {
    adds_nothing(tokens) || strip(tokens, AGAIN).is_some_and(<[Token]>::is_empty)
}

/// Whether words behind a rule only say what it says already: "cc counts too", "not in the other projects".
pub(in crate::english::exact) fn adds_nothing(tokens: &[Token]) -> bool {
    const COUNTED: &[&str] = &[
        "cc",
        "bcc",
        "cc and bcc",
        "cc or bcc",
        "copies",
        "to and cc",
        "to , cc and bcc",
        "guests",
        "me",
        "myself",
    ];
    const COUNTING: &[&str] = &[
        "counts too",
        "count too",
        "counts as well",
        "count as well",
        "included",
        "also counts",
        "also count",
        "counts",
        "count",
        "is included",
        "are included",
        "counts towards it",
        "counted too",
        "counted",
    ];
    let counts = strip(tokens, COUNTED)
        .is_some_and(|rest| strip(rest, COUNTING).is_some_and(<[Token]>::is_empty))
        || strip(tokens, &["including", "incl", "incl."])
            .is_some_and(|rest| strip(rest, COUNTED).is_some_and(<[Token]>::is_empty));
    counts || is_for_others(tokens)
}

/// "not in the other projects": what a rule with "only" has said.
fn is_for_others(tokens: &[Token]) -> bool {
    let Some(rest) = strip(tokens, &["not", "never", "and not", "and never"]) else { return false };
    let rest = strip(rest, &["in", "to", "on", "into", "from", "at", "with", "for", "under"]).unwrap_or(rest);
    strip(rest, &["the other", "the others", "any other", "any others", "other", "others", "another"])
        .is_some_and(|rest| rest.len() < 3 && rest.iter().all(|token| token.shape == Shape::Word))
}

const CANNOT: &[&str] = &[
    "i can't",
    "i cannot",
    "i can not",
    "we can't",
    "we cannot",
    "we can not",
    "they can't",
    "they cannot",
    "it can't",
    "it cannot",
    "i don't have",
    "i do not have",
    "we don't have",
    "we do not have",
    "i don't know",
    "i do not know",
    "we don't know",
    "i don't trust",
    "i do not trust",
    "we don't trust",
    "i don't like",
    "i do not like",
    "we don't like",
    "i don't need",
    "i do not need",
    "we don't need",
    "it doesn't",
    "it does not",
    "they don't",
    "they do not",
    "it won't",
    "they won't",
    "it isn't",
    "they aren't",
    "it needs",
    "they need",
    "i need",
    "we need",
    "that needs",
    "i must",
    "i always",
    "we always",
];

const WAITING: &[&str] = &[
    "wait",
    "waits",
    "can wait",
    "come later",
    "comes later",
    "follow",
    "follows",
    "follow later",
    "follows later",
    "must wait",
    "have to wait",
    "has to wait",
    "are for later",
    "is for later",
    "stay",
    "stays",
    "stay where they are",
    "stays where it is",
    "stay there",
    "remain",
    "remains",
    "later",
    "are not ready",
    "is not ready",
    "are not ready yet",
    "are not needed",
    "is not needed",
    "do not matter",
    "don't matter",
    "are mine",
    "is mine",
    "are still in use",
    "are still needed",
    "come next",
];

const AGAIN: &[&str] = &[
    "never to a colleague",
    "never to colleagues",
    "never to anyone else",
    "never to anybody else",
    "never to someone else",
    "never to others",
    "not to a colleague",
    "not to anyone else",
    "not to anybody else",
    "not to others",
    "nobody else",
    "no one else",
    "nothing else",
    "nothing more",
    "never anything else",
    "never anyone else",
    "never anywhere else",
    "nowhere else",
    "nothing else gets in",
    "nothing else goes in",
    "nothing else goes there",
    "nothing else goes",
    "not by you",
    "not you",
    "never you",
    "never by you",
    "you do not",
    "you don't",
    "you never do",
    "not yours",
    "hands off",
    "keep your hands off",
    "no other",
    "no others",
    "no exceptions",
    "that is all",
    "that's all",
    "that's it",
    "not even once",
    "not once",
    "don't change it",
    "do not change it",
    "never change it",
    "don't change them",
    "never change them",
    "don't touch it",
    "do not touch it",
    "never touch it",
    "don't touch them",
    "never touch them",
    "leave it alone",
    "leave it",
    "leave it as it is",
    "leave them alone",
    "leave them",
    "leave them as they are",
    "not even a little",
    "not even in an emergency",
    "whatever happens",
];
