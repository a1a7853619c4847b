//! What single words say about a clause.

use super::Frame;
use crate::english::chunk::{Chunk, Piece};
use crate::english::lexicon::Marker;
use crate::english::noun::Noun;

/// "no customer data in …": nothing is done yet, only what must not be there is named.
pub(super) fn data_only(frame: &Frame) -> bool {
    let does = !frame.verbs.is_empty() || !frame.acts.is_empty() || !frame.did_words.is_empty();
    let is_source =
        |noun: &Noun| noun.places.iter().any(|place| matches!(place, crate::meaning::Place::Word(_)));
    frame.denies_object && !does && frame.slots.iter().all(|slot| slot.nouns.iter().all(is_source))
}

/// Words that stand for a time said before.
pub(super) fn is_then(low: &str) -> bool {
    matches!(
        low,
        "then" | "before that" | "until then" | "till then" | "before then" | "after that" | "at those times"
    )
}

/// Whether a marker is followed by one that forbids or asks.
pub(super) fn forbids(rest: &[Piece]) -> bool {
    let next = rest.iter().skip(1).find(|piece| piece.chunk != Chunk::Filler);
    next.is_some_and(|piece| matches!(piece.chunk, Chunk::Marker(Marker::Deny) | Chunk::Ask))
}

/// What a relative clause says that nobody can check: "people who are in a hurry", "mails that look private".
pub(super) fn described(rest: &[Piece]) -> Option<String> {
    let low = |piece: &Piece| piece.text.to_lowercase();
    let is_relative = |piece: &Piece| matches!(low(piece).as_str(), "that" | "who" | "which");
    let is_finite = |piece: &Piece| {
        matches!(
            low(piece).as_str(),
            "is" | "are"
                | "was"
                | "were"
                | "look"
                | "looks"
                | "seem"
                | "seems"
                | "has"
                | "have"
                | "feel"
                | "feels"
        )
    };
    // "a file that already exists": what it does is not understood.
    if let [relative, after @ ..] = rest
        && is_relative(relative)
        && let Some(Piece { chunk: Chunk::Word(word), .. }) =
            after.iter().find(|piece| piece.chunk != Chunk::Filler).filter(|piece| piece.text.ends_with('s'))
        && after.iter().take_while(|piece| piece.chunk == Chunk::Filler).all(|piece| {
            matches!(low(piece).as_str(), "already" | "still" | "really" | "also" | "just" | "ever")
        })
        && word.len() > 3
    {
        return Some(word.clone());
    }
    let [relative, finite, after @ ..] = rest else { return None };
    let is_somebody = |piece: &Piece| {
        matches!(
            low(piece).as_str(),
            "other" | "others" | "somebody" | "someone" | "people" | "he" | "she" | "anybody" | "colleagues"
        )
    };
    if is_relative(relative) && is_somebody(finite) {
        return Some(low(finite));
    }
    if !is_relative(relative) || !is_finite(finite) {
        return None;
    }
    let words = after
        .iter()
        .take(3)
        .take_while(|piece| !matches!(piece.chunk, Chunk::Verb(_) | Chunk::Comma | Chunk::Marker(_)));
    words.into_iter().find_map(|piece| match &piece.chunk {
        Chunk::Word(word) => Some(word.clone()),
        _ => None,
    })
}
