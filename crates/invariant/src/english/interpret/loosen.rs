//! Words that nobody understands must not narrow what is forbidden: beside something that stands for itself, such as a
//! path, an id or an address, they only describe it.

use crate::hand::Hand;
use crate::meaning::{Case, Deed, Doing, Place, Test};

/// Takes the tests that were only guessed from words off a case that names something without them.
pub(crate) fn loosen(case: &mut Case, hand: &Hand) {
    called(case);
    // "no prices on the page": where nothing else says what is done, the word says what it is done with.
    let says_act = case.doings.iter().any(|doing| *doing != Doing::Deed(Deed::Involves));
    if says_act && case.tests.iter().any(names_something) {
        case.tests.retain(|test| !is_guessed(test, hand));
    }
}

/// A tool that is named does whatever it does: nothing else needs to show that it is called.
fn called(case: &mut Case) {
    for test in &mut case.tests {
        if let Test::Earlier { what, .. } | Test::Often { what, .. } = test {
            called(what);
        }
    }
    let is_named = |test: &Test| matches!(test, Test::Tool { names, is: true } if names.iter().all(|name| name.contains('.')));
    let is_calling = |doing: &Doing| matches!(doing, Doing::Deed(Deed::Runs | Deed::Involves));
    let has_place = case.tests.iter().any(|test| matches!(test, Test::Place { .. } | Test::Carries(_)));
    if !has_place && case.tests.iter().any(is_named) && case.doings.iter().all(is_calling) {
        case.doings.clear();
    }
}

/// Whether a test names something by what stands for itself.
fn names_something(test: &Test) -> bool {
    match test {
        Test::Place { places, inside: true, .. } | Test::Carries(places) => {
            !places.is_empty() && places.iter().all(stands_for_itself)
        }
        Test::Branch { is: true, .. } | Test::Program { is: true, .. } => true,
        _ => false,
    }
}

fn stands_for_itself(place: &Place) -> bool {
    matches!(
        place,
        Place::Path(_)
            | Place::Named(_)
            | Place::Within(_)
            | Place::Ending(_)
            | Place::Domain(_)
            | Place::HostLike(_)
            | Place::Page(_)
            | Place::Address(_)
            | Place::Id(_)
            | Place::Channel(_)
    )
}

/// Whether a test asks for words that no tool at hand knows as a value or as a name.
fn is_guessed(test: &Test, hand: &Hand) -> bool {
    let words: Vec<&str> = match test {
        Test::Choice { values, is: true, .. } if !values.iter().any(|value| hand.choice(value).is_some()) => {
            values.iter().map(String::as_str).collect()
        }
        Test::Concerns(names) => names.iter().map(String::as_str).collect(),
        Test::Place { places, inside: true, .. } => places.iter().map_while(word).collect(),
        _ => return false,
    };
    let is_whole = !matches!(test, Test::Place { places, .. } if places.len() > words.len());
    is_whole && !words.is_empty() && !words.iter().any(|word| is_part(word))
}

/// A place that is known by an ordinary word alone.
fn word(place: &Place) -> Option<&str> {
    match place {
        Place::Word(word) if !word.starts_with(char::is_uppercase) => Some(word),
        _ => None,
    }
}

/// A part of what is named, or a manner, which makes another rule: "no subdomains of acme.com", "list nothing
/// recursively".
fn is_part(word: &str) -> bool {
    const OTHERS: &[&str] =
        &["subdomain", "recursive", "permanent", "anonymous", "silent", "whole", "entire"];
    OTHERS.iter().any(|other| word.to_lowercase().starts_with(other))
}
