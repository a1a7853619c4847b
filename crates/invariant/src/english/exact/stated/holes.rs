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

    /// The ways to fill a hole with words at the beginning of these, with how many it takes.
    pub(super) fn filled(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let sort = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match sort {
            "places" | "things" | "files" => return self.placed(name, sort, tokens, exact),
            "act" => return self.done(tokens, exact),
            "when" => return self.timed(name, tokens, exact),
            _ => {}
        }
        let with = |texts: Vec<String>| {
            let mut holes = self.clone();
            holes.texts.entry(name.to_owned()).or_default().extend(texts);
            holes
        };
        if let Some(ways) = offered::ways(sort, tokens, exact) {
            let number = name.get(sort.len()..).unwrap_or_default();
            let each = |(length, filled): offered::Way| {
                let mut holes = self.clone();
                for (hole, texts) in filled {
                    holes.texts.entry(format!("{hole}{number}")).or_default().extend(texts);
                }
                (length, holes)
            };
            return ways.into_iter().map(each).collect();
        }
        if let Some(ways) = single(sort, tokens, exact) {
            return ways.into_iter().map(|(length, text)| (length, with(vec![text]))).collect();
        }
        let one = one_of(sort);
        let ways = several(&one, tokens, exact);
        // What holds of several is told by the name of one.
        let number = name.get(sort.len()..).unwrap_or_default();
        let also = |(length, texts): (usize, Vec<String>)| {
            let mut holes = with(texts.clone());
            holes.texts.entry(format!("{one}{number}")).or_default().extend(texts);
            (length, holes)
        };
        ways.into_iter().map(also).collect()
    }

    /// A time.
    fn timed(&self, name: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let Some((span, length)) = crate::english::when::read(tokens, exact.year) else { return Vec::new() };
        let mut holes = self.clone();
        holes.times.insert(name.to_owned(), span);
        vec![(length, holes)]
    }

    /// A list of places.
    fn placed(&self, name: &str, sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let with = |(length, places): (usize, Vec<Place>)| {
            let mut holes = self.clone();
            holes.places.entry(name.to_owned()).or_default().extend(places);
            (length, holes)
        };
        nouns::ways(sort, tokens, exact).into_iter().map(with).collect()
    }

    /// What is done, in words of its own.
    fn done(&self, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Holes)> {
        let never = crate::english::exact::told::turned::word("never");
        let each = |length: usize| {
            let said = tokens.get(..length)?;
            said.iter().all(|token| token.shape == Shape::Word).then_some(())?;
            let denied: Vec<Token> = std::iter::once(never.clone()).chain(said.iter().cloned()).collect();
            let rules = exact.acts(&denied)?;
            Some((length, Holes { rules, ..self.clone() }))
        };
        (1..=tokens.len().min(5)).rev().filter_map(each).collect()
    }
}
