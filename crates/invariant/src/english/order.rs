//! What must come first, and what must not come after: "run the tests before you push", "no mails once you have opened
//! the hr folder".

use super::chunk::{Chunk, Piece};
use super::lexicon::{Marker, Preposition};

/// How a clause is bound to what was done earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// It may be done only after that: "no push before the tests ran".
    OnlyAfter,
    /// It may not be done after that: "no mails once you have read payroll/".
    NeverAfter,
    /// That may be done only after this: "read a file before you edit it".
    First,
}

/// Where a clause is cut in two by a word of order, and how. Times and questions to the user are no order.
pub(crate) fn cut(pieces: &[Piece]) -> Option<(usize, Order)> {
    let has = |marker: Marker| pieces.iter().any(|piece| piece.chunk == Chunk::Marker(marker));
    if pieces.iter().any(|piece| piece.chunk == Chunk::Ask) {
        return None;
    }
    let forbids = has(Marker::Deny) || has(Marker::Forbidden);
    let at = pieces
        .iter()
        .enumerate()
        .skip(1)
        .position(|(at, piece)| is_word_of_order(piece) && pieces.get(at + 1..).is_some_and(does))?
        + 1;
    let before = pieces.get(..at)?;
    let word = pieces.get(at)?.text.to_lowercase();
    let acts = before.iter().any(is_doing);
    if !acts {
        return None;
    }
    let order = match word.as_str() {
        "before" | "until" | "till" if forbids => Order::OnlyAfter,
        "before" if !has(Marker::Only) && starts_with_wish(before) => Order::First,
        "after" | "once" if has(Marker::Only) => Order::OnlyAfter,
        "after" | "once" if forbids => Order::NeverAfter,
        "without" if forbids && (ends_with_first(pieces) || is_done_before(pieces.get(at + 1..)?)) => {
            Order::OnlyAfter
        }
        _ => return None,
    };
    Some((at, order))
}

fn is_word_of_order(piece: &Piece) -> bool {
    let low = piece.text.to_lowercase();
    match piece.chunk {
        Chunk::Preposition(
            Preposition::Before | Preposition::After | Preposition::Until | Preposition::Without,
        ) => {
            matches!(low.as_str(), "before" | "after" | "until" | "till" | "without")
        }
        _ => low == "once",
    }
}

fn is_doing(piece: &Piece) -> bool {
    matches!(piece.chunk, Chunk::Verb(_) | Chunk::Act(_) | Chunk::Deed(_) | Chunk::Command(_))
}

/// "reading it": a noun that is a verb as well.
fn is_gerund(piece: &Piece) -> bool {
    matches!(piece.chunk, Chunk::Act(_)) && piece.text.to_lowercase().ends_with("ing")
}

/// Whether somebody does something here: "you have opened …", "running the tests", "the tests ran".
fn does(rest: &[Piece]) -> bool {
    let is_light = |piece: &&Piece| piece.chunk == Chunk::Filler || piece.text.to_lowercase() == "having";
    let significant = rest.iter().find(|piece| !is_light(piece));
    if significant.is_some_and(|piece| {
        matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_) | Chunk::Command(_)) || is_gerund(piece)
    }) {
        return true;
    }
    // "each push", "any deploy", "the tests ran"; "before the meeting" is a time that nobody knows.
    let low = |piece: &Piece| piece.text.to_lowercase();
    let subject = rest.first().map(low).unwrap_or_default();
    let counts = matches!(subject.as_str(), "any" | "each" | "every");
    let is_act = significant.is_some_and(|piece| matches!(piece.chunk, Chunk::Act(_)));
    let is_past = |piece: &Piece| {
        ["ran", "run", "passed", "pass", "green", "made", "done", "through"]
            .iter()
            .any(|end| low(piece).ends_with(end))
    };
    is_act && (counts || rest.iter().take(5).any(is_past))
}

/// "… without running the tests": something else that is done, not the manner of it.
fn is_done_before(rest: &[Piece]) -> bool {
    const MANNERS: &[&str] = &[
        "using",
        "setting",
        "mentioning",
        "including",
        "adding",
        "filling",
        "giving",
        "naming",
        "asking",
        "checking",
        "telling",
        "specifying",
        "passing",
        "stating",
        "providing",
        "choosing",
        "saying",
        "limiting",
    ];
    let first =
        rest.iter().find(|piece| piece.chunk != Chunk::Filler && piece.text.to_lowercase() != "having");
    first.is_some_and(|piece| {
        let low = piece.text.to_lowercase();
        let word = low.split(' ').next().unwrap_or_default();
        let does = matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_)) || is_gerund(piece);
        does && word.ends_with("ing") && !MANNERS.contains(&word)
    })
}

/// "Read a file before …", "please run the tests before …", "first tell #ops": a wish begins with what is to be done.
fn starts_with_wish(before: &[Piece]) -> bool {
    let is_polite = |piece: &&Piece| {
        matches!(
            piece.text.to_lowercase().as_str(),
            "please" | "pls" | "always" | "first" | "you must" | "you" | "must" | "have to"
        ) || matches!(piece.chunk, Chunk::Marker(Marker::Needs))
    };
    let opening = before.iter().find(|piece| !is_polite(piece));
    opening.is_some_and(|piece| matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_) | Chunk::Command(_)))
}

/// "… without running the tests first".
fn ends_with_first(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece.text.to_lowercase().as_str(), "first" | "beforehand"))
}
