//! Whether what a rule speaks of can show on a call at all. A rule about an argument that no tool has would be silent, and
//! a rule that is silent is worse than none.

use super::Trouble;
use super::token::Token;
use crate::hand::Hand;
use crate::meaning::{Case, Deed, Doing, Meaning, Place, Presence, Side, Test};

/// What no connected tool can show.
pub(super) fn missing(meanings: &[Meaning], hand: &Hand) -> Option<Trouble> {
    meanings.iter().flat_map(|meaning| &meaning.cases).find_map(|case| missing_in(case, hand))
}

fn missing_in(case: &Case, hand: &Hand) -> Option<Trouble> {
    case.tests.iter().chain(case.unless.iter().flatten()).find_map(|test| unshown(test, hand))
}

fn unshown(test: &Test, hand: &Hand) -> Option<Trouble> {
    const FREE: &[&str] =
        &["title", "description", "body", "message", "text", "content", "summary", "subject"];
    let argument = |words: &String| hand.missing(words);
    match test {
        // "an agenda in the description" is nothing that a text is.
        Test::Choice { parameter: Some(parameter), values, .. }
            if FREE.contains(&parameter.as_str())
                && values.iter().any(|value| value.chars().all(|letter| letter.is_ascii_lowercase())) =>
        {
            Some(Trouble::Words(values.clone()))
        }
        Test::Given { word, .. } => argument(word),
        Test::Choice { parameter: Some(parameter), .. } | Test::Says { parameter: Some(parameter), .. } => {
            argument(parameter)
        }
        Test::Place { places, .. } | Test::Carries(places) => places.iter().find_map(|place| match place {
            Place::Channel(name) if !hand.knows_channel_names() => Some(Trouble::ChannelName(name.clone())),
            _ => None,
        }),
        // One way of several is enough.
        Test::Any(alternatives) => {
            let troubles: Vec<Option<Trouble>> =
                alternatives.iter().map(|tests| tests.iter().find_map(|test| unshown(test, hand))).collect();
            troubles.iter().all(Option::is_some).then(|| troubles.into_iter().flatten().next()).flatten()
        }
        Test::Earlier { what, .. } => missing_in(what, hand),
        _ => None,
    }
}

/// Whether a case asks for values of arguments that no connected tool has: a form that comes to this was not meant.
pub(super) fn is_unshown(case: &Case, hand: &Hand) -> bool {
    // Columns, properties, fields of forms and options of commands are called what they are called.
    const OPEN: &[&str] =
        &["sql", "statement", "properties", "fields", "element", "command", "filter", "data"];
    if OPEN.iter().any(|word| hand.has_parameter(word)) {
        return false;
    }
    let is_missing = |name: &String| !name.starts_with(['~', '#']) && hand.missing(name).is_some();
    case.tests.iter().any(|test| match test {
        Test::Value { names, presence: Presence::One | Presence::Other, .. } => {
            // A single name may be that of an argument which tools take without saying so.
            names.len() > 2 && names.iter().all(is_missing)
        }
        _ => false,
    })
}

/// The same rules with the other meaning that their times may have: when something is done, or when it takes place.
pub(super) fn other_time(meanings: &[Meaning]) -> Option<Vec<Meaning>> {
    let mut other = meanings.to_vec();
    let mut has_changed = false;
    for test in other.iter_mut().flat_map(|meaning| &mut meaning.cases).flat_map(|case| &mut case.tests) {
        if let Test::Time { of_event, .. } = test
            && *of_event
        {
            *of_event = false;
            has_changed = true;
        }
    }
    has_changed.then_some(other)
}

/// What must not get into another channel must not get to somebody directly either.
pub(super) fn directly_too(meanings: &mut [Meaning]) {
    let kind = |kind: &str| Place::Kind(kind.to_owned());
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        let carries = case.tests.iter().any(|test| matches!(test, Test::Carries(_)));
        let is_other = case.tests.iter().any(|test| matches!(test, Test::Place { inside: false, .. }));
        for test in case.tests.iter_mut().filter(|_| carries && is_other) {
            if let Test::Place { side: Side::To, places, inside: true } = test
                && *places == [kind("channel")]
            {
                places.push(kind("direct"));
            }
        }
    }
}

/// "Mails are never deleted": of what a mail program keeps, only the mails.
pub(super) fn mail_deleted(meanings: &mut [Meaning], tokens: &[Token], hand: &Hand) {
    let names = |word: &str| tokens.iter().any(|token| token.low.trim_end_matches('s') == word);
    let is_mail = ["mail", "email", "e-mail", "message"].into_iter().any(names);
    let is_other = ["label", "filter", "draft", "attachment", "anything", "everything", "nothing"]
        .into_iter()
        .any(names);
    if !is_mail || is_other || !hand.has_tool_about(&["delete".to_owned(), "email".to_owned()]) {
        return;
    }
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        let is_open = case.tests.iter().all(|test| matches!(test, Test::Measure { .. } | Test::Time { .. }));
        if case.doings == [Doing::Deed(Deed::Deletes)] && is_open {
            case.tests.insert(0, Test::About { nouns: vec!["email".to_owned()], is: true });
        }
    }
}

/// "No Docker" is about `docker`.
pub(super) fn programs_as_called(meanings: &mut [Meaning], hand: &Hand) {
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        for doing in &mut case.doings {
            if let Doing::Did(act) = doing
                && act.starts_with(char::is_uppercase)
                && hand.has_program(&act.to_lowercase())
            {
                *act = act.to_lowercase();
            }
        }
    }
}

/// Where there are no files of this machine, notes with paths of their own are meant: that they are files too need not hold.
pub(super) fn notes_as_files(meanings: &mut [Meaning], hand: &Hand) {
    if hand.has_local_files() || !hand.has_own_paths() {
        return;
    }
    let is_file = |test: &Test| matches!(test, Test::Place { places, inside: true, .. } if *places == [Place::Kind("file".to_owned())]);
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        let is_placed = case.tests.iter().any(|test| matches!(test, Test::Place { .. }) && !is_file(test));
        if is_placed {
            case.tests.retain(|test| !is_file(test));
        }
    }
}

/// What no tool at hand posts or sends is kept as files: "a post has at most 140 characters" is about what is in `posts/`.
pub(super) fn kept_as_files(meanings: &mut [Meaning], hand: &Hand) {
    if !hand.has_local_files() {
        return;
    }
    for case in meanings.iter_mut().flat_map(|meaning| &mut meaning.cases) {
        let [Doing::Did(action)] = case.doings.as_slice() else { continue };
        let tools: &[&str] = match action.as_str() {
            "post" => &["message", "post", "chat", "tweet"],
            "mail" => &["mail", "email", "message"],
            _ => continue,
        };
        let is_about_text =
            case.tests.iter().any(|test| matches!(test, Test::Measure { .. } | Test::Says { .. }));
        if !is_about_text || tools.iter().any(|word| hand.has_tool_word(word)) {
            continue;
        }
        let places = vec![Place::Word(action.clone())];
        case.doings = vec![Doing::Deed(Deed::Writes)];
        case.tests.insert(0, Test::Place { side: Side::Object, places, inside: true });
    }
}

/// A word that names of files hold is meant however it is written there: "payroll" is in `Payroll-2026.csv`.
pub(super) fn in_any_case(meanings: &mut [Meaning]) {
    let cases = meanings.iter_mut().flat_map(|meaning| &mut meaning.cases);
    for test in cases.flat_map(|case| &mut case.tests) {
        let Test::Place { places, .. } = test else { continue };
        let written: Vec<Place> = places.iter().flat_map(otherwise_written).collect();
        places.extend(written.into_iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
    }
}

/// "the .env files" are those with an ending too.
pub(super) fn with_endings(meanings: &mut [Meaning], tokens: &[Token]) {
    let is_sort = tokens.windows(2).any(|pair| match pair {
        [name, sort] => name.low == ".env" && matches!(sort.low.as_str(), "file" | "files"),
        _ => false,
    });
    if !is_sort {
        return;
    }
    let cases = meanings.iter_mut().flat_map(|meaning| &mut meaning.cases);
    for test in cases.flat_map(|case| &mut case.tests) {
        let (Test::Place { places, .. } | Test::Carries(places)) = test else { continue };
        let (plain, more) = (Place::Named(".env".to_owned()), Place::Named(".env.*".to_owned()));
        if places.contains(&plain) && !places.contains(&more) {
            places.push(more);
        }
    }
}

/// The same name with a capital, and in capitals.
fn otherwise_written(place: &Place) -> Vec<Place> {
    let Place::Named(name) = place else { return Vec::new() };
    let word = name.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')).unwrap_or_default();
    let is_word = word.len() > 2 && word.chars().all(|letter| letter.is_ascii_lowercase());
    if !is_word {
        return Vec::new();
    }
    let (first, rest) = word.split_at(1);
    [format!("*{}{rest}*", first.to_uppercase()), format!("*{}*", word.to_uppercase())]
        .map(Place::Named)
        .into()
}
