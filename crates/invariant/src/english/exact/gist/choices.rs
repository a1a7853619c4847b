//! Tools and values of arguments that are not used: "tavily_research is off, and so is the advanced search depth", "the engine
//! is bing, neither google nor yandex".

use super::Rules;
use super::sift::Weight;
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};
use crate::names;

/// What says of things that they are not used.
const OFF: &[&str] = &["off", "out", "taboo", "banned", "forbidden", "expensive", "avoid", "skip"];

impl Exact<'_> {
    /// A ban on tools and on values that arguments may take.
    pub(super) fn choices_named(&self, tokens: &[Token]) -> Option<Rules> {
        let named = |token: &Token| {
            token.shape == Shape::Identifier && self.hand.tool(&token.text).is_some()
                || self.chosen_value(tokens, token).is_some()
        };
        let sifted = self.sifted(tokens, "choices", &|_, token| {
            let is_argument = matches!(token.shape, Shape::Word | Shape::Identifier)
                && !names::words(&token.low).is_empty()
                && names::words(&token.low).iter().all(|word| self.hand.has_parameter(word));
            match named(token) {
                true => Weight::Anchor,
                false if is_argument => Weight::Light,
                false => Weight::Strange,
            }
        })?;
        let is_only = sifted.has(&["only", "always", "every", "each", "must", "nothing", "exclusively"]);
        if !(sifted.denies() || sifted.has(OFF) || is_only) {
            return None;
        }
        let is_allowed =
            |at: usize| tokens.get(..at).is_some_and(|before| !denies_last(before)) && !is_off(tokens, at);
        let mut rules = Rules::new();
        let mut wanted: Vec<(Vec<String>, Form)> = Vec::new();
        for (at, token) in &sifted.anchors {
            if is_allowed(*at) {
                if let Some(names) = self.chosen_value(tokens, token) {
                    wanted.push((names, Form::Is(token.low.clone())));
                }
                continue;
            }
            let test = match self.hand.tool(&token.text) {
                Some(tool) => Test::Tool { names: vec![tool], is: true },
                None => {
                    let names = self.chosen_value(tokens, token)?;
                    let check = Check::Forms(vec![Form::Is(token.low.clone())]);
                    Test::Value { names, check, presence: Presence::One }
                }
            };
            rules.push((Verdict::Deny, Case { tests: vec![test], ..Case::default() }));
        }
        // "topic news only", "every search with topic news".
        if rules.is_empty()
            && is_only
            && let [(names, _), ..] = wanted.as_slice()
            && wanted.iter().all(|(own, _)| own == names)
        {
            let check = Check::Forms(wanted.iter().map(|(_, form)| form.clone()).collect());
            let test = Test::Value { names: names.clone(), check, presence: Presence::Other };
            rules.push((Verdict::Deny, Case { tests: vec![test], ..Case::default() }));
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// The arguments that take a value, where the text names one of them or the value is a name.
    fn chosen_value(&self, tokens: &[Token], token: &Token) -> Option<Vec<String>> {
        if token.shape != Shape::Word || is_word_of("anything", &token.low) || token.low.len() < 3 {
            return None;
        }
        let arguments = self.hand.choice(&token.low)?;
        let says = |word: &String| {
            tokens.iter().any(|other| other.at != token.at && names::words(&other.low).contains(word))
        };
        let is_named = |argument: &&String| {
            let words = names::words(argument);
            words.last().is_some_and(says)
        };
        let named: Vec<String> =
            arguments.iter().filter(is_named).map(|name| names::words(name).join(" ")).collect();
        (!named.is_empty()).then_some(named)
    }
}

/// Whether what stands before is denied, as far as its own part goes.
fn denies_last(before: &[Token]) -> bool {
    let is_end = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'));
    let own = before.rsplit(is_end).next().unwrap_or_default();
    own.iter().any(|token| {
        matches!(
            token.low.as_str(),
            "no" | "not" | "never" | "don't" | "neither" | "nor" | "without" | "avoid"
        )
    })
}

/// Whether the part with this word says that it is off, or the one behind it does so of "it".
fn is_off(tokens: &[Token], at: usize) -> bool {
    let behind = tokens.get(at + 1..).unwrap_or_default();
    let before = tokens.get(..at).unwrap_or_default();
    let is_end = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'));
    let denies = |token: &Token| {
        OFF.contains(&token.low.as_str()) || matches!(token.low.as_str(), "don't" | "never" | "not" | "hands")
    };
    let mut parts = behind.split(is_end);
    let own = parts.next().unwrap_or_default();
    let next = parts.next().unwrap_or_default();
    let refers = |token: &Token| matches!(token.low.as_str(), "it" | "that" | "them" | "this");
    // "…, and so is the advanced depth"
    let mut fronts = before.rsplit(is_end);
    let same = fronts.next().is_some_and(|part| {
        part.windows(2)
            .any(|pair| matches!(pair, [so, is] if so.low == "so" && matches!(is.low.as_str(), "is" | "are")))
    }) && fronts.next().is_some_and(|part| part.iter().any(denies));
    own.iter().any(denies)
        || same
        || (next.iter().any(denies) && next.iter().any(refers))
        || before.rsplit(is_end).next().unwrap_or_default().iter().any(denies)
}
