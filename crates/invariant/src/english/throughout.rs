//! What is said once and holds for all that a sentence says of the same thing: the time in front of it, and the exception behind it.

use super::token::{Shape, Token};
use super::when;
use crate::meaning::{Case, Meaning, Place, Test};

/// "From 22:00 to 6:00 config/ is frozen, nothing gets written there. Only exception: config/oncall.yaml": both halves are about
/// the night, and neither is about the exception.
pub(super) fn hold(meanings: &mut [Meaning], tokens: &[Token], year: i16) {
    if begins_with_time(tokens, year) {
        share(meanings, |test| matches!(test, Test::Time { .. }));
    }
    if has_exception_behind(tokens) {
        share(meanings, |test| matches!(test, Test::Place { inside: false, .. }));
    }
}

fn begins_with_time(tokens: &[Token], year: i16) -> bool {
    let read = |tokens: &[Token]| when::read(tokens, year);
    // "Until Friday", "During the night": what is in front of a time belongs to it.
    read(tokens).or_else(|| read(tokens.get(1..)?)).is_some()
}

/// Whether a list of halves ends with what none of them is about.
fn has_exception_behind(tokens: &[Token]) -> bool {
    let excepts = |token: &Token| matches!(token.low.as_str(), "except" | "exception" | "exceptions");
    let Some(at) = tokens.iter().position(excepts) else { return false };
    let halves = tokens.iter().take(at).filter(|token| matches!(token.shape, Shape::Mark(',' | ':' | '.')));
    let is_last = tokens
        .iter()
        .skip(at)
        .all(|token| !matches!(token.low.as_str(), "no" | "never" | "nothing" | "don't"));
    halves.count() > 0 && is_last
}

/// Cases about the same places as one that has such a test have it too, unless they have one of their own.
fn share(meanings: &mut [Meaning], is_shared: impl Fn(&Test) -> bool) {
    let has = |case: &Case| case.tests.iter().any(&is_shared);
    let givers: Vec<Case> =
        meanings.iter().flat_map(|meaning| &meaning.cases).filter(|case| has(case)).cloned().collect();
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases).filter(|case| !has(case)) {
        let own = places(case);
        let giver = givers.iter().find(|giver| !own.is_empty() && places(giver) == own);
        let shared = giver.into_iter().flat_map(|giver| &giver.tests).filter(|test| is_shared(test));
        case.tests.extend(shared.cloned().collect::<Vec<Test>>());
    }
}

/// The places that a case is about, whichever part of the flow they are.
fn places(case: &Case) -> Vec<&Place> {
    let mut all: Vec<&Place> = Vec::new();
    for test in &case.tests {
        if let Test::Place { places, inside: true, .. } = test {
            all.extend(places);
        }
    }
    all
}
