//! Words that change what a sentence means and that the looser reader passes over: with one of them it would read something
//! else than what was written, so it does not read at all.

use super::words::begins;
use crate::english::token::Token;

const SLIGHTED: &[&str] = &[
    "or not at all",
    "each other",
    "one another",
    "rather than",
    "the following",
    "come off",
    "comes off",
    "branched off",
    "managed by",
    "maintained by",
    "handled by",
    "owned by",
    "done by",
    "set by",
    "booked by",
    "always with",
    "only ever with",
    "prefer",
    "unassigned",
    "already in there",
    "already there",
    "combined",
    "joined",
    "exactly one",
    "go through",
    "goes through",
    "keeps running",
    "closer together",
];

/// The words that a looser reading would pass over.
pub(in crate::english) fn slighted(tokens: &[Token]) -> Option<String> {
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        SLIGHTED.iter().find(|phrase| begins(rest, phrase).is_some()).map(|phrase| (*phrase).to_owned())
    })
}
