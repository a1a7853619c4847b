//! Files of years that are over: "everything from 2022 or earlier stays", "hands off the .mov files of 2018".

use super::{Rules, Sketch, at, has, refused};
use crate::english::exact::Exact;
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Form, Place, Side};

const STAYING: &[&str] = &[
    "stay|stays|remain|keep|closed|frozen|signed|evidence",
    "hands off",
    "not|never|no|don't|nothing .. change|changes|edit|touch|modify|alter|write|rewrite|move|rename|delete",
];

/// Words for things of a year, which their names need not have.
const GENERAL: &[&str] = &[
    "file",
    "files",
    "everything",
    "anything",
    "nothing",
    "document",
    "documents",
    "folder",
    "folders",
    "those",
    "stuff",
    "data",
    "all",
    "one",
    "ones",
    "things",
    "what",
    "is",
    "entries",
    "of",
    "the",
    "from",
    "and",
    "older",
    "than",
    "that",
    "any",
];

impl Exact<'_> {
    /// A ban on changes to what a year tells.
    pub(super) fn sketched_dates(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !self.hand.has_files()
            || !sketch.says(STAYING)
            || sketch.has(&["unless", "except", "ask", "commit", "only"])
        {
            return None;
        }
        let (place, year) =
            sketch.tokens.iter().enumerate().find_map(|(at, token)| Some((at, year(token)?)))?;
        let others = sketch.tokens.iter().filter(|token| token.shape == Shape::Number).count();
        let before = sketch.tokens.get(..place)?;
        let behind = sketch.tokens.get(place + 1..)?;
        if others > 1 || !is_told(before) {
            return None;
        }
        let first = |tokens: &[Token], words: &[&str]| {
            tokens.iter().take(3).any(|token| words.contains(&token.low.as_str()))
        };
        let last =
            |words: &[&str]| before.iter().rev().take(2).any(|token| words.contains(&token.low.as_str()));
        let form = if first(behind, &["before", "earlier", "older", "back"])
            || last(&["until", "till", "through", "up"])
        {
            Form::YearUntil(year)
        } else if last(&["before", "than"]) {
            Form::YearUntil(year.checked_sub(1)?)
        } else {
            Form::Year(year)
        };
        let mut tests = vec![at(Side::Object, vec![Place::Formed(form)], true)];
        let mut places = Vec::new();
        for token in sketch.tokens.iter().filter(|token| token.shape == Shape::Path) {
            places.extend(path_places(&token.text, self.hand));
        }
        match noun(before) {
            Some(noun) if places.is_empty() => places.push(Place::Word(noun)),
            _ => {}
        }
        tests.extend((!places.is_empty()).then(|| at(Side::Object, places, true)));
        Some(refused(vec![Doing::Deed(Deed::Changes)], tests))
    }
}

fn year(token: &Token) -> Option<i16> {
    let year: i16 = token.text.parse().ok()?;
    (token.text.len() == 4 && (1900..=2100).contains(&year)).then_some(year)
}

/// Whether a year is told of things, and is no amount.
fn is_told(before: &[Token]) -> bool {
    before.last().is_some_and(|token| {
        matches!(
            token.low.as_str(),
            "of" | "from" | "before" | "than" | "until" | "till" | "to" | "in" | "year" | "since"
        )
    })
}

/// What the things of the year are called, where it is a word of their own.
fn noun(before: &[Token]) -> Option<String> {
    let of = before
        .iter()
        .rposition(|token| matches!(token.low.as_str(), "of" | "from" | "up" | "until" | "before"))?;
    let noun = before.get(of.checked_sub(1)?)?;
    let is_own = noun.shape == Shape::Word && !has(std::slice::from_ref(noun), GENERAL);
    is_own.then(|| noun.low.clone())
}
