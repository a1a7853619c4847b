//! Bounds of arguments that a text names: "max_length 2000 or below on each fetch", "never fewer than 2 replicas", "no
//! heating above 21 degrees".

use super::sift::{Sifted, Weight};
use super::{Rules, refused};
use crate::english::amount;
use crate::english::exact::Exact;
use crate::english::exact::words::stems;
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Presence, Test};

/// A bound that may be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Most(i64),
    Least(i64),
}

impl Exact<'_> {
    /// An argument that must not be above or below a number.
    pub(super) fn argument_limits(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = self.arguments_joined(tokens);
        let names = |token: &Token| self.argument_named(token);
        let sifted = self.sifted(&tokens, "limits", &|_, token| {
            let is_named = names(token).is_some() || is_number(token);
            match (is_named, token.shape == Shape::Word && self.hand.has_word(&token.low)) {
                (true, _) => Weight::Anchor,
                (false, true) => Weight::Light,
                (false, false) => Weight::Strange,
            }
        })?;
        let named: Vec<Vec<String>> = sifted.anchors.iter().filter_map(|(_, token)| names(token)).collect();
        let [names] = named.as_slice() else { return None };
        let check = match bound(&sifted, &tokens)? {
            Bound::Most(most) => Check::Above(most),
            Bound::Least(least) => Check::Below(least),
        };
        let test = Test::Value { names: names.clone(), check, presence: Presence::One };
        Some(refused(Vec::new(), vec![test]))
    }

    /// How warm it may be made.
    pub(super) fn degrees_limited(&self, tokens: &[Token]) -> Option<Rules> {
        let is_house = ["entity", "temperature", "thermostat", "climate"]
            .iter()
            .any(|word| self.hand.has_parameter(word) || self.hand.has_own_word(word));
        if !is_house || self.hand.runs_commands() {
            return None;
        }
        let sifted =
            self.sifted(tokens, "degrees", &|_, token| match is_number(token) || is_warmth(token) {
                true => Weight::Anchor,
                false => Weight::Strange,
            })?;
        sifted.anchors.iter().find(|(_, token)| is_warmth(token))?;
        let unit = "temperature".to_owned();
        let test = match bound(&sifted, tokens)? {
            Bound::Most(most) => Test::Measure { unit, above: most, is: true },
            Bound::Least(least) => Test::Measure { unit, above: least.checked_sub(1)?, is: false },
        };
        Some(refused(Vec::new(), vec![test]))
    }

    /// "pay at most 5000", where tools take amounts.
    pub(super) fn money_limited(&self, tokens: &[Token]) -> Option<Rules> {
        const PAYING: &[&str] = &[
            "pay",
            "pays",
            "paid",
            "payment",
            "payments",
            "spend",
            "spent",
            "invoice",
            "invoices",
            "transfer",
            "transfers",
            "refund",
            "refunds",
            "amount",
            "amounts",
            "charge",
            "charges",
            "bill",
            "bills",
            "order",
            "orders",
        ];
        if !self.hand.is_own()
            || !["amount", "price", "total"].iter().any(|word| self.hand.has_parameter(word))
        {
            return None;
        }
        let is_paying = |token: &Token| PAYING.contains(&token.low.as_str());
        let sifted =
            self.sifted(tokens, "money", &|_, token| match is_number(token) || is_paying(token) {
                true => Weight::Anchor,
                false => Weight::Strange,
            })?;
        sifted.anchors.iter().find(|(_, token)| is_paying(token))?;
        if sifted.has(&["refund", "refunds"])
            || sifted.anchors.iter().any(|(_, token)| token.low.starts_with("refund"))
        {
            return None;
        }
        let Bound::Most(most) = bound(&sifted, tokens)? else { return None };
        Some(refused(Vec::new(), vec![Test::Measure { unit: "amount".to_owned(), above: most, is: true }]))
    }

    /// "results: 5 at most", where searches say how many they want.
    pub(super) fn results_limited(&self, tokens: &[Token]) -> Option<Rules> {
        let is_result = |token: &Token| matches!(token.low.as_str(), "results" | "hits" | "result" | "hit");
        let has_limit = ["count", "max result", "limit", "num result", "max results"]
            .iter()
            .any(|name| self.hand.arguments_of(&[]).contains(name));
        if !has_limit || self.span_in(tokens).is_some() {
            return None;
        }
        let sifted =
            self.sifted(tokens, "limits", &|_, token| match is_number(token) || is_result(token) {
                true => Weight::Anchor,
                false
                    if matches!(
                        token.low.as_str(),
                        "search" | "searches" | "query" | "read" | "ask" | "show" | "return"
                    ) =>
                {
                    Weight::Light
                }
                false => Weight::Strange,
            })?;
        sifted.anchors.iter().find(|(_, token)| is_result(token))?;
        let Bound::Most(most) = bound(&sifted, tokens)? else { return None };
        let test = Test::Measure { unit: "result".to_owned(), above: most, is: true };
        Some(refused(vec![crate::meaning::Doing::Did("search".to_owned())], vec![test]))
    }

    /// An argument by its own name: `max_length`, or a word that is nothing but one, such as `replicas`.
    fn argument_named(&self, token: &Token) -> Option<Vec<String>> {
        let said = stems(std::slice::from_ref(token));
        let name = said.join(" ");
        match token.shape {
            Shape::Identifier | Shape::Quoted if said.len() > 1 && self.hand.tool(&token.text).is_none() => {
                self.ground(&said, &[])
            }
            // "crawl depth 2 at most"
            Shape::Word if token.low == "depth" => {
                let arguments = self.hand.arguments_of(&[]);
                let deep = ["max depth", "depth", "max discovery depth"]
                    .into_iter()
                    .filter(|name| arguments.contains(name));
                let names: Vec<String> = deep.map(str::to_owned).collect();
                (!names.is_empty()).then_some(names)
            }
            Shape::Word if self.hand.own_parameter(&token.low).is_some() => {
                let is_counted = matches!(name.as_str(), "replica" | "instance" | "temperature" | "quantity");
                let is_own = self.hand.arguments_of(&[]).contains(name.as_str());
                (is_counted && is_own).then(|| vec![name])
            }
            _ => None,
        }
    }

    /// The text with the names of arguments in one piece: "max length" as `max_length`.
    pub(super) fn arguments_joined(&self, tokens: &[Token]) -> Vec<Token> {
        let arguments = self.hand.arguments_of(&[]);
        let mut joined = Vec::new();
        let mut rest = tokens;
        while let Some((first, behind)) = rest.split_first() {
            let name = (2..=3).rev().find_map(|length| {
                let words = rest.get(..length)?;
                let is_plain = words.iter().all(|word| word.shape == Shape::Word);
                let name = words.iter().map(|word| word.low.as_str()).collect::<Vec<_>>();
                (is_plain && arguments.contains(stems(words).join(" ").as_str()))
                    .then(|| (name.join("_"), length))
            });
            match name {
                Some((name, length)) => {
                    let shape = Shape::Identifier;
                    joined.push(Token { text: name.clone(), low: name, shape, at: first.at });
                    rest = rest.get(length..).unwrap_or_default();
                }
                None => {
                    joined.push(first.clone());
                    rest = behind;
                }
            }
        }
        joined
    }
}

fn is_number(token: &Token) -> bool {
    token.low != "a"
        && token.low != "one"
        && amount::read_number(std::slice::from_ref(token)).is_some_and(|(_, length)| length == 1)
}

fn is_warmth(token: &Token) -> bool {
    matches!(
        token.low.as_str(),
        "degrees"
            | "degree"
            | "°"
            | "°c"
            | "celsius"
            | "temperature"
            | "temperatures"
            | "heating"
            | "heat"
            | "thermostat"
            | "thermostats"
            | "warmer"
            | "hotter"
            | "colder"
            | "cooler"
            | "warm"
            | "heater"
            | "radiator"
            | "radiators"
            | "heaters"
    )
}

/// The one number of a text as a bound.
fn bound(sifted: &Sifted<'_>, tokens: &[Token]) -> Option<Bound> {
    let mut numbers = sifted.anchors.iter().filter(|(_, token)| is_number(token));
    let (at, _) = numbers.next().filter(|_| numbers.next().is_none())?;
    let (number, _) = amount::read_number(tokens.get(*at..)?)?;
    let has_more =
        sifted.has(&[
            "above",
            "over",
            "more",
            "exceed",
            "exceeds",
            "exceeding",
            "higher",
            "larger",
            "bigger",
            "longer",
            "greater",
            "beyond",
            "past",
            "warmer",
            "hotter",
        ]) || sifted.anchors.iter().any(|(_, token)| matches!(token.low.as_str(), "warmer" | "hotter"));
    let has_less = sifted.has(&["below", "under", "less", "lower", "smaller", "fewer", "shorter"])
        || sifted.anchors.iter().any(|(_, token)| matches!(token.low.as_str(), "colder" | "cooler"));
    if sifted.has(&["least", "minimum", "min"]) {
        return Some(Bound::Least(number));
    }
    if sifted.says(&["or more", "or higher", "or above", "or larger", "or greater", "or longer", "or over"]) {
        return Some(Bound::Least(number));
    }
    if sifted.denies() && has_more {
        return Some(Bound::Most(number));
    }
    if sifted.denies() && has_less {
        return Some(Bound::Least(number));
    }
    let most = [
        "most",
        "max",
        "maximum",
        "limit",
        "limited",
        "limits",
        "cap",
        "capped",
        "up",
        "ceiling",
        "tops",
        "enough",
        "restrict",
        "restricted",
        "within",
    ];
    if sifted.has(&most) {
        return Some(Bound::Most(number));
    }
    let reached = ["or less", "or below", "or lower", "or under", "or smaller", "or fewer", "or shorter"];
    if sifted.says(&reached) {
        return Some(Bound::Most(number));
    }
    has_less.then(|| number.checked_sub(1).map(Bound::Most)).flatten()
}
