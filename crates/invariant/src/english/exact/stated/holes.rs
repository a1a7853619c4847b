//! What a plain sentence names: places, numbers, names, texts, options of commands, and what is done.

use std::collections::BTreeMap;

use super::Rules;
use super::singles::{one_of, several, single};
use super::{nouns, offered};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::{Place, Span};

/// What holes hold, by their names.
#[derive(Clone, Default)]
pub(super) struct Holes {
    texts: BTreeMap<String, Vec<String>>,
    places: BTreeMap<String, Vec<Place>>,
    times: BTreeMap<String, Span>,
    rules: Rules,
    asks: bool,
}

impl Holes {
    /// The texts of a hole.
    pub(super) fn texts(&self, name: &str) -> &[String] {
        self.texts.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The places of a hole.
    pub(super) fn places(&self, name: &str) -> &[Place] {
        self.places.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The time of a hole.
    pub(super) fn time(&self, name: &str) -> Option<&Span> {
        self.times.get(name)
    }

    /// Whether the sentence asks where others forbid.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// The same in a sentence that asks.
    pub(super) fn asking(&self) -> Holes {
        Holes { asks: true, ..self.clone() }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The same with one more filled.
    pub(super) fn with(&self, name: &str, fill: &Fill) -> Holes {
        let number = name.get(sort_of(name).len()..).unwrap_or_default();
        let mut holes = self.clone();
        match fill {
            Fill::Texts(filled) => {
                for (hole, texts) in filled {
                    holes.texts.entry(format!("{hole}{number}")).or_default().extend(texts.iter().cloned());
                }
            }
            Fill::Places(places) => {
                holes.places.entry(name.to_owned()).or_default().extend(places.iter().cloned());
            }
            Fill::Time(span) => drop(holes.times.insert(name.to_owned(), span.clone())),
            Fill::Rules(rules) => holes.rules.clone_from(rules),
        }
        holes
    }
}

/// What a hole may be filled with.
pub(super) enum Fill {
    /// Texts, by the names of holes without their numbers.
    Texts(Vec<(String, Vec<String>)>),
    Places(Vec<Place>),
    Time(Span),
    Rules(Rules),
}

/// The name of a hole without its number.
pub(super) fn sort_of(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// The ways to fill a hole of a sort with words at the beginning of these, with how many it takes.
pub(super) fn ways(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Fill)> {
    match sort {
        "places" | "things" | "files" | "sites" => {
            let ways = nouns::ways(sort, tokens, exact);
            return ways.into_iter().map(|(length, places)| (length, Fill::Places(places))).collect();
        }
        "act" => return done(tokens, exact),
        "when" => {
            let time = crate::english::when::read(tokens, exact.year);
            return time.map(|(span, length)| (length, Fill::Time(span))).into_iter().collect();
        }
        _ => {}
    }
    if let Some(ways) = offered::ways(sort, tokens, exact) {
        let texts = |filled: Vec<(&'static str, Vec<String>)>| {
            Fill::Texts(filled.into_iter().map(|(hole, texts)| (hole.to_owned(), texts)).collect())
        };
        return ways.into_iter().map(|(length, filled)| (length, texts(filled))).collect();
    }
    if let Some(ways) = single(sort, tokens, exact) {
        let fill = |text: String| Fill::Texts(vec![(sort.to_owned(), vec![text])]);
        return ways.into_iter().map(|(length, text)| (length, fill(text))).collect();
    }
    // What holds of several is told by the name of one.
    let one = one_of(sort);
    let ways = several(&one, tokens, exact);
    let fill = |texts: Vec<String>| Fill::Texts(vec![(sort.to_owned(), texts.clone()), (one.clone(), texts)]);
    ways.into_iter().map(|(length, texts)| (length, fill(texts))).collect()
}

/// What is done, in words of its own.
fn done(tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Fill)> {
    let never = crate::english::exact::told::turned::word("never");
    let each = |length: usize| {
        let said = tokens.get(..length)?;
        said.iter().all(|token| token.shape == Shape::Word).then_some(())?;
        let denied: Vec<Token> = std::iter::once(never.clone()).chain(said.iter().cloned()).collect();
        Some((length, Fill::Rules(exact.acts(&denied)?)))
    };
    (1..=tokens.len().min(5)).rev().filter_map(each).collect()
}
