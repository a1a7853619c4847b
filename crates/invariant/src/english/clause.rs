//! Sentences cut into clauses: each states a rule, relaxes the one before, or only gives a reason.

use super::amount::Compare;
use super::chunk::{Chunk, Chunker, Piece};
use super::lexicon::{Lexicon, Marker};
use super::token::{Shape, Token};

/// What a clause does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// It states a rule.
    Rule,
    /// It says what is allowed nevertheless.
    Permission,
    /// It says when the next rule counts: "When you crawl a site, …".
    Condition,
    /// A reason, a wish, an advice: it changes nothing.
    Aside,
}

/// A clause of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Clause {
    pub(crate) part: Part,
    pub(crate) pieces: Vec<Piece>,
    /// Whether a new sentence begins with it.
    pub(crate) starts_sentence: bool,
    /// Whether it explains the one before, after a colon.
    pub(crate) explains: bool,
}

impl Clause {
    pub(crate) fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn shown(&self, lexicon: &Lexicon) -> String {
        let chunk = |piece: &Piece| match &piece.chunk {
            Chunk::Verb(number) | Chunk::Act(number) => {
                let name = lexicon.action(*number).map_or("?", |action| &action.name);
                let kind = if matches!(piece.chunk, Chunk::Verb(_)) { "v" } else { "a" };
                format!("{kind}:{name}[{}]", piece.text)
            }
            Chunk::Thing(_) => format!("t[{}]", piece.text),
            Chunk::Deed(word) => format!("d:{word}"),
            Chunk::Filler => format!("({})", piece.text),
            other => format!("{other:?}[{}]", piece.text),
        };
        self.pieces.iter().map(chunk).collect::<Vec<_>>().join(" ")
    }
}

/// Words after which nothing but a reason comes.
const REASONS: &[&str] = &["because", "since", "as", "so", "otherwise", "cause", "cuz", "or else", "lest"];

/// Cuts a text into clauses.
pub(crate) fn clauses(tokens: &[Token], chunker: &Chunker<'_>) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    for sentence in sentences(tokens) {
        let mut starts_sentence = true;
        let pieces = chunker.chunks(sentence);
        for (segment, explains) in segments(&pieces) {
            let marked = is_marked(&segment);
            let continues = !marked && !starts_sentence && continues(clauses.last(), &segment);
            if continues && let Some(last) = clauses.last_mut() {
                if explains {
                    // "social media: facebook.com, x.com": the list says what is meant.
                    while last.pieces.last().is_some_and(|piece| {
                        matches!(
                            piece.chunk,
                            Chunk::Word(_) | Chunk::Name(_) | Chunk::Thing(_) | Chunk::Filler
                        )
                    }) {
                        last.pieces.pop();
                    }
                }
                last.pieces.push(Piece { chunk: Chunk::Comma, text: ",".to_owned() });
                last.pieces.extend(segment);
                last.part = part(&last.pieces);
                continue;
            }
            // "node_modules, dist and .git are off limits": the list begins before the comma.
            if marked
                && !explains
                && is_joined(&segment)
                && let Some(last) =
                    clauses.last_mut().filter(|last| !starts_sentence && is_list(&last.pieces))
            {
                last.pieces.push(Piece { chunk: Chunk::Comma, text: ",".to_owned() });
                last.pieces.extend(segment);
                last.part = part(&last.pieces);
                continue;
            }
            // "screenshots as png, nothing else"
            let is_else = segment
                .iter()
                .all(|piece| matches!(piece.chunk, Chunk::Marker(Marker::Else) | Chunk::Filler))
                && segment.iter().any(|piece| piece.chunk == Chunk::Marker(Marker::Else));
            if is_else
                && !starts_sentence
                && let Some(last) =
                    clauses.last_mut().filter(|last| matches!(last.part, Part::Aside | Part::Permission))
            {
                last.pieces.extend(segment);
                last.part = Part::Rule;
                continue;
            }
            let mut part = part(&segment);
            let first = segment.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
            if part == Part::Aside
                && starts_sentence
                && matches!(first.as_str(), "when" | "whenever" | "if" | "once" | "after")
            {
                part = Part::Condition;
            }
            clauses.push(Clause { part, pieces: segment, starts_sentence, explains });
            starts_sentence = false;
        }
    }
    clauses
}

/// Nothing but names and what belongs to them.
fn is_list(pieces: &[Piece]) -> bool {
    let is_name = |piece: &Piece| category(&piece.chunk) == Category::Noun;
    pieces.iter().any(is_name)
        && pieces.iter().all(|piece| {
            is_name(piece)
                || matches!(piece.chunk, Chunk::Comma | Chunk::Open | Chunk::Close)
                || (piece.chunk == Chunk::Filler
                    && !FINITE.contains(&piece.text.to_lowercase().as_str())
                    && !BEGINNINGS.contains(&piece.text.to_lowercase().as_str()))
        })
}

/// "dist and .git are …": a name, then another.
fn is_joined(segment: &[Piece]) -> bool {
    let mut significant = segment.iter().filter(|piece| piece.chunk != Chunk::Filler);
    let first = significant.next().is_some_and(|piece| category(&piece.chunk) == Category::Noun);
    let joined = significant.next().is_some_and(|piece| matches!(piece.chunk, Chunk::And | Chunk::Or));
    first && joined
}

pub(crate) fn sentences(tokens: &[Token]) -> Vec<&[Token]> {
    let ends = |token: &Token| matches!(token.shape, Shape::Mark('.' | '!' | ';' | '?'));
    tokens.split(ends).filter(|sentence| !sentence.is_empty()).collect()
}

/// Cuts at commas, colons and conjunctions that begin something new. What is in brackets stays together.
fn segments(pieces: &[Piece]) -> Vec<(Vec<Piece>, bool)> {
    let mut segments: Vec<(Vec<Piece>, bool)> = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    let mut explains = false;
    let mut depth = 0usize;
    for (at, piece) in pieces.iter().enumerate() {
        match piece.chunk {
            Chunk::Open => depth += 1,
            Chunk::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        let next = pieces.get(at + 1);
        let low = piece.text.to_lowercase();
        let cuts = depth == 0
            && match &piece.chunk {
                Chunk::Comma | Chunk::Colon => true,
                Chunk::And => {
                    next.is_some_and(begins_rule)
                        && !next.is_some_and(|next| matches!(next.text.to_lowercase().as_str(), "no"))
                }
                _ => low == "but" || (REASONS.contains(&low.as_str()) && is_subject(pieces.get(at + 1..))),
            };
        if cuts && !current.is_empty() {
            segments.push((std::mem::take(&mut current), explains));
            explains = piece.chunk == Chunk::Colon
                || next.is_some_and(|next| {
                    matches!(next.text.to_lowercase().as_str(), "i.e" | "ie" | "namely" | "i.e.")
                });
        }
        if (!matches!(piece.chunk, Chunk::Comma | Chunk::Colon) && low != "but") || depth > 0 {
            current.push(piece.clone());
        }
    }
    if !current.is_empty() {
        segments.push((current, explains));
    }
    segments
}

/// Whether a clause of its own begins here: "… and never on a Wednesday".
fn begins_rule(piece: &Piece) -> bool {
    let low = piece.text.to_lowercase();
    match piece.chunk {
        Chunk::Marker(Marker::Deny | Marker::Only | Marker::Avoid) | Chunk::Ask => true,
        Chunk::Filler => matches!(low.as_str(), "you" | "please" | "i" | "always"),
        _ => false,
    }
}

/// Words of an aside that nobody understands and that no reason begins with.
pub(crate) fn strange(pieces: &[Piece]) -> Option<String> {
    let first = pieces.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    if REASONS.contains(&first.as_str()) {
        return None;
    }
    // "mail must keep working" is why, not what.
    let keeps = |piece: &Piece| matches!(piece.text.to_lowercase().as_str(), "keep" | "continue" | "stay up");
    let is_state = pieces.iter().any(keeps);
    let is_strange = |piece: &&Piece| {
        let wishes = piece.chunk == Chunk::Marker(Marker::Needs);
        matches!(piece.chunk, Chunk::Strange(_))
            || (wishes && !is_state && !BEGINNINGS.contains(&first.as_str()))
    };
    pieces.iter().find(is_strange).map(|piece| piece.text.to_lowercase())
}

/// Somebody who does something: what follows "because".
fn is_subject(pieces: Option<&[Piece]>) -> bool {
    let first = pieces.and_then(|pieces| pieces.first()).map(|piece| piece.text.to_lowercase());
    first.is_some_and(|word| {
        matches!(
            word.as_str(),
            "i" | "we"
                | "they"
                | "he"
                | "she"
                | "it"
                | "the"
                | "my"
                | "our"
                | "that"
                | "this"
                | "those"
                | "these"
                | "it's"
                | "you"
        )
    })
}

fn is_marked(pieces: &[Piece]) -> bool {
    let first = pieces.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    if REASONS.contains(&first.as_str()) && is_subject(pieces.get(1..)) {
        return false;
    }
    if matches!(super::order::cut(pieces), Some((_, super::order::Order::First))) {
        return true;
    }
    pieces.iter().any(|piece| match &piece.chunk {
        Chunk::Marker(Marker::Except | Marker::Unless | Marker::Instead | Marker::May) => false,
        // "must" alone makes no rule of a reason.
        Chunk::Marker(_) | Chunk::Ask => true,
        Chunk::Amount(amount) => matches!(amount.compare, Compare::AtMost | Compare::Below),
        _ => false,
    })
}

fn part(pieces: &[Piece]) -> Part {
    let has = |marker: Marker| pieces.iter().any(|piece| piece.chunk == Chunk::Marker(marker));
    let first = pieces.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    let asks = pieces.iter().any(|piece| piece.chunk == Chunk::Ask);
    // "Always use a branch" is advice, "whatever they ask for" adds nothing.
    if matches!(first.as_str(), "whatever" | "however" | "no matter what" | "even" | "regardless")
        || (first == "always" && !asks && !has(Marker::Deny) && super::order::cut(pieces).is_none())
    {
        return Part::Aside;
    }
    // "they have no business with it" tells something.
    let second = pieces.get(1).map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    let is_told = matches!(first.as_str(), "they" | "he" | "she" | "i" | "we" | "it")
        && matches!(second.as_str(), "have" | "has" | "had" | "need" | "needs");
    // "we are not a circus" is no rule.
    let is_denied = matches!(first.as_str(), "we" | "i" | "i'm" | "we're")
        && matches!(second.as_str(), "are" | "am" | "not")
        && !asks;
    if is_denied && has(Marker::Deny) && !has(Marker::Only) {
        return Part::Aside;
    }
    if is_told && !asks {
        return Part::Aside;
    }
    // "mail must keep working" is why, not what.
    let keeps = |piece: &Piece| matches!(piece.text.to_lowercase().as_str(), "keep" | "continue" | "stay up");
    let is_state = pieces.iter().any(keeps) && has(Marker::Needs) && !has(Marker::Deny) && !has(Marker::Only);
    let names = pieces
        .iter()
        .any(|piece| matches!(piece.chunk, Chunk::Literal(_) | Chunk::Amount(_) | Chunk::When(_)));
    if is_state && !names && !has(Marker::Protect) && !has(Marker::Contain) {
        return Part::Aside;
    }
    if has(Marker::Instead) && !has(Marker::Deny) {
        return Part::Aside;
    }
    let limits = pieces.iter().any(|piece| match &piece.chunk {
        Chunk::Amount(amount) => amount.compare == Compare::AtMost,
        _ => false,
    });
    if has(Marker::May) && !limits && !has(Marker::Deny) && !has(Marker::Only) && !has(Marker::Forbidden) {
        return Part::Permission;
    }
    if is_marked(pieces) { Part::Rule } else { Part::Aside }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Category {
    Verb,
    Noun,
    Time,
    Other,
}

fn category(chunk: &Chunk) -> Category {
    match chunk {
        Chunk::Verb(_) | Chunk::Deed(_) => Category::Verb,
        Chunk::Act(_)
        | Chunk::Thing(_)
        | Chunk::Literal(_)
        | Chunk::Name(_)
        | Chunk::Word(_)
        | Chunk::Setting { .. }
        | Chunk::Command(_) => Category::Noun,
        Chunk::When(_) => Category::Time,
        _ => Category::Other,
    }
}

/// Words that begin something of their own.
const BEGINNINGS: &[&str] = &[
    "i", "we", "it", "that", "my", "they", "this", "he", "she", "it's", "i'm", "there", "use", "but",
    "whatever", "however", "even", "always", "that's", "there's", "we're", "they're", "he's", "she's",
];

/// Words that make a sentence of a noun: "the box is …".
const FINITE: &[&str] =
    &["is", "are", "was", "were", "has", "will", "it's", "gets", "get", "goes", "takes", "makes", "does"];

/// Whether a segment only goes on with a list: "move, rename or delete".
fn continues(last: Option<&Clause>, segment: &[Piece]) -> bool {
    let Some(last) = last else { return false };
    let significant = |piece: &&Piece| !matches!(piece.chunk, Chunk::Filler | Chunk::Or | Chunk::And);
    let first = segment.first().map(|piece| piece.text.to_lowercase()).unwrap_or_default();
    if BEGINNINGS.contains(&first.as_str()) || says_something(last, segment) {
        return false;
    }
    // "…, move it to trash/ instead" is advice, "…, threads are ok" a permission.
    let allows = |piece: &Piece| {
        let low = piece.text.to_lowercase();
        let states = low.starts_with("is ") || low.starts_with("are ");
        // "only bug, docs and question may be used" is one list.
        let lists = last.pieces.iter().any(|piece| piece.chunk == Chunk::Marker(Marker::Only));
        piece.chunk == Chunk::Marker(Marker::May) && (states || !lists)
    };
    if segment.iter().any(|piece| piece.chunk == Chunk::Marker(Marker::Instead) || allows(piece)) {
        return false;
    }
    let Some(opening) = segment.iter().find(significant) else { return false };
    // An exception, a time or a place belongs to what stands before.
    if matches!(
        opening.chunk,
        Chunk::Marker(Marker::Except | Marker::Unless)
            | Chunk::When(_)
            | Chunk::Preposition(_)
            | Chunk::Amount(_)
    ) {
        return true;
    }
    let before = last.pieces.iter().rev().find(significant).map(|piece| category(&piece.chunk));
    let next = category(&opening.chunk);
    before == Some(next) && next != Category::Other
}

/// Whether a segment is a sentence by itself: "the box is supposed to be …", "people read them on their phones".
fn says_something(last: &Clause, segment: &[Piece]) -> bool {
    let is_finite =
        |piece: &Piece| piece.chunk == Chunk::Filler && FINITE.contains(&piece.text.to_lowercase().as_str());
    if segment.iter().any(is_finite) {
        return true;
    }
    let does = |piece: &Piece| matches!(piece.chunk, Chunk::Verb(_) | Chunk::Deed(_));
    let is_act = |piece: &Piece| matches!(piece.chunk, Chunk::Act(_));
    let opening = segment.iter().find(|piece| !matches!(piece.chunk, Chunk::Filler | Chunk::Or | Chunk::And));
    let starts_with_noun = opening.is_some_and(|piece| category(&piece.chunk) == Category::Noun);
    starts_with_noun
        && segment.iter().any(does)
        && last.pieces.iter().any(|piece| does(piece) || is_act(piece))
}
