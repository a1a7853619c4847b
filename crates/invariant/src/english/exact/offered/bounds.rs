//! How much of something: "payments over 500 I enter myself", "six replicas at most".

use std::collections::BTreeSet;

use super::pieces::{Stance, has, says};
use super::{Care, Finds, Reader, Rules};
use crate::hand::{Offer, Sort};
use crate::meaning::{Case, Check, Presence, Test, Verdict};

const MORE: &[&str] = &[
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
];
const LESS: &[&str] = &["below", "under", "less", "lower", "smaller", "fewer", "shorter"];
const MOST: &[&str] = &[
    "most", "max", "maximum", "limit", "limited", "limits", "cap", "capped", "up", "ceiling", "tops",
    "within", "stop", "upper",
];
const OR_LESS: &[&str] = &[
    "or less",
    "or below",
    "or lower",
    "or under",
    "or smaller",
    "or fewer",
    "and no more",
    "not more",
    "no more",
];

/// What numbers are mostly about, where nothing says it.
const COUNTED: &[&str] = &[
    "amount",
    "unit amount",
    "unit price",
    "price",
    "total",
    "replica",
    "quantity",
    "copy",
    "limit",
    "count",
    "temperature",
    "max result",
    "size",
    "number",
];

/// Words of arguments that are money.
const MONEY: &[&str] = &["amount", "price", "total", "cost"];

/// Whether a text says how much of something.
pub(super) fn compares(tokens: &[crate::english::token::Token]) -> bool {
    [MORE, LESS, MOST, &["least", "minimum", "min"]].iter().any(|words| has(tokens, words))
        || OR_LESS.iter().any(|phrase| says(tokens, phrase))
}

impl Reader<'_> {
    /// A number that must not be passed.
    pub(super) fn bounded(&self) -> Option<Rules> {
        let numbers: BTreeSet<i64> =
            self.found.iter().flat_map(|(_, finds)| finds.numbers.iter().copied()).collect();
        let number = numbers.first().copied().filter(|_| numbers.len() == 1)?;
        let mut whole = Finds::default();
        let mut check = None;
        for (piece, finds) in &self.found {
            let is_ruling = !matches!(piece.stance, Stance::Told | Stance::Allow);
            if finds.numbers.is_empty()
                && self.care == Care::Whole
                && is_ruling
                && !finds.is_empty()
                && finds.names_tools()
            {
                return None;
            }
            if !finds.numbers.is_empty() {
                if self.care == Care::Whole && !finds.strange.is_empty() {
                    return None;
                }
                check = check.or_else(|| self.compared(piece.tokens, piece.stance, number));
            }
            whole.add(finds);
        }
        let check = check?;
        let (tools, names) = self.counted(&whole)?;
        let is_money = |name: &String| name.split(' ').any(|word| MONEY.contains(&word));
        let test = match check {
            Check::Above(above) if names.iter().all(is_money) => {
                Test::Measure { unit: "amount".to_owned(), above, is: true }
            }
            check => Test::Value { names, check, presence: Presence::One },
        };
        let tests = vec![Test::Tool { names: tools, is: true }, test];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    fn compared(
        &self,
        tokens: &[crate::english::token::Token],
        stance: Stance,
        number: i64,
    ) -> Option<Check> {
        let is_denied = stance == Stance::Deny
            || stance == Stance::Only && ["no more", "not more"].iter().any(|phrase| says(tokens, phrase));
        if OR_LESS.iter().any(|phrase| says(tokens, phrase)) || has(tokens, MOST) && !has(tokens, MORE) {
            return Some(Check::Above(number));
        }
        if has(tokens, &["least", "minimum", "min"]) {
            return Some(Check::Below(number));
        }
        // Whoever else does it does what is above.
        let rest = self.found.iter().any(|(piece, _)| piece.stance == Stance::Deny);
        if has(tokens, MORE) && (is_denied || rest || says(tokens, "more than")) {
            return Some(Check::Above(number));
        }
        if has(tokens, LESS) && is_denied {
            return Some(Check::Below(number));
        }
        has(tokens, LESS).then(|| number.checked_sub(1).map(Check::Above)).flatten()
    }

    /// The tools and the arguments that are counted.
    fn counted(&self, finds: &Finds) -> Option<(Vec<String>, Vec<String>)> {
        let all: Vec<&Offer> = self.finder.hand.offers().collect();
        let own = match finds.names_tools() {
            true => self.selected(&all, finds, true),
            false => all.clone(),
        };
        let said: Vec<&String> = finds.slots.iter().flatten().collect();
        let is_number = |offer: &&Offer, name: &str| {
            offer.argument(name).is_some_and(|argument| argument.sort == Sort::Number)
        };
        let counts = |tools: &[&Offer]| -> BTreeSet<String> {
            let named = tools
                .iter()
                .flat_map(|offer| &offer.arguments)
                .filter(|argument| argument.sort == Sort::Number);
            let names: BTreeSet<String> = named.map(|argument| argument.name.clone()).collect();
            let by_name: BTreeSet<String> =
                names.iter().filter(|name| said.contains(name)).cloned().collect();
            if !by_name.is_empty() {
                return by_name;
            }
            let mut usual = COUNTED.iter().filter(|name| names.contains(**name));
            usual.next().map(|name| BTreeSet::from([(*name).to_owned()])).unwrap_or_default()
        };
        let changing: Vec<&Offer> =
            own.iter().filter(|offer| !self.finder.is_reading(offer)).copied().collect();
        let candidates = [changing, own, all];
        candidates.iter().enumerate().find_map(|(place, tools)| {
            let names = counts(tools);
            if names.is_empty()
                || place == 2 && !finds.acts.is_empty()
                || place == 2 && !names.iter().any(|name| said.contains(&name))
            {
                return None;
            }
            let tools: Vec<String> = tools
                .iter()
                .filter(|offer| names.iter().any(|name| is_number(offer, name)))
                .map(|offer| offer.tool.clone())
                .collect();
            (!tools.is_empty()).then(|| (tools, names.into_iter().collect()))
        })
    }
}
