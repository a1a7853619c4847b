//! Words that change what a sentence means and that the looser reader passes over: with one of them it would read something
//! else than what was written, so it does not read at all.

use super::words::{self, begins, strip};
use crate::english::Reading;
use crate::english::token::{Shape, Token};
use crate::hand::Hand;

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

/// Whose things are meant: no call shows it, except of repositories.
const OTHERS: &[&str] = &["anybody else's", "somebody else's", "anyone else's", "someone else's"];

/// The words that a looser reading would pass over.
pub(in crate::english) fn slighted(tokens: &[Token]) -> Option<String> {
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        if let Some(thing) = strip(rest, OTHERS)
            && strip(thing, &["repository", "repositories", "repo", "repos"]).is_none()
        {
            return Some(words::text(rest.get(..2)?));
        }
        SLIGHTED.iter().find(|phrase| begins(rest, phrase).is_some()).map(|phrase| (*phrase).to_owned())
    })
}

/// Something that stands for itself, such as a path or an address, and that neither the rules nor the reasons have.
pub(in crate::english) fn uncovered(tokens: &[Token], reading: &Reading, hand: &Hand) -> Option<String> {
    let mut meant = format!("{:?}", reading.meanings).to_lowercase();
    meant.extend(reading.unused.iter().chain(&reading.left_out).map(|text| text.to_lowercase()));
    let is_meant = |token: &Token| {
        let low = token.low.trim_matches(|letter: char| !letter.is_alphanumeric());
        let apart = crate::names::words(&token.text).join(" ");
        let mut parts = low.split('/').filter(|part| part.len() > 1);
        low.is_empty() || meant.contains(low) || meant.contains(&apart) || parts.any(|part| meant.contains(part))
    };
    let has_id = |at: usize| tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Mark('('));
    tokens.iter().enumerate().find_map(|(at, token)| {
        let stands = match token.shape {
            Shape::Address | Shape::Host | Shape::Url => true,
            Shape::Path => token.text.contains('/') && token.text.len() > 2,
            Shape::Identifier => hand.tool(&token.text).is_none() && token.text.len() > 3,
            Shape::Channel => !has_id(at),
            _ => false,
        };
        (stands && !is_meant(token)).then(|| token.text.clone())
    })
}
