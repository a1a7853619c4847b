//! Places, as words.

use crate::meaning::{Form, Place, Test};

use super::acts::join;

/// What some tests of places say together of one thing: "any file in /x that is not called .env".
pub(super) fn thing(tests: &[&Test]) -> String {
    let mut noun: Option<String> = None;
    let mut more = Vec::new();
    for test in tests {
        let Test::Place { places, inside, .. } = test else { continue };
        match (places.as_slice(), inside, &noun) {
            ([Place::Kind(kind)], true, None) => noun = Some(format!("any {}", kind_word(kind))),
            ([Place::Address(address)], true, None) => noun = Some(address.clone()),
            _ => more.push(located(places, *inside)),
        }
    }
    let noun = noun.unwrap_or_else(|| "anything".to_owned());
    if more.is_empty() { noun } else { format!("{noun} {}", more.join(" and ")) }
}

/// Where data comes from.
pub(super) fn sources(places: &[Place]) -> String {
    let each: Vec<String> = places.iter().map(thing_in).collect();
    join(&each, "or")
}

/// A place that has a name of its own is told by that.
fn thing_in(place: &Place) -> String {
    if let Place::Path(text) | Place::Page(text) | Place::Domain(text) | Place::Address(text) = place {
        return text.clone();
    }
    format!("anything {}", located(std::slice::from_ref(place), true))
}

fn located(places: &[Place], inside: bool) -> String {
    let each: Vec<String> = places.iter().map(where_it_is).collect();
    match (inside, each.as_slice(), places) {
        (true, ..) => join(&each, "or"),
        (false, _, [Place::Path(path)]) => format!("outside {path}"),
        (false, [one], _) => match one.strip_prefix("that is ") {
            Some(what) => format!("that is not {what}"),
            None => format!("not {one}"),
        },
        (false, ..) => format!("neither {}", each.join(" nor ")),
    }
}

/// A place as words behind "anything". A new kind of place does not compile before it has words here.
fn where_it_is(place: &Place) -> String {
    match place {
        Place::Path(path) => format!("in {path}"),
        Place::Named(name) => format!("called “{name}”"),
        Place::Within(path) => format!("at the path “{path}” of a repository"),
        Place::Ending(end) => format!("ending in “.{end}”"),
        Place::Folder(folder) => format!("in a folder called “{folder}”"),
        Place::Word(word) => format!("with “{word}” in its name"),
        Place::Domain(domain) => format!("at {domain}"),
        Place::HostLike(like) => format!("at a host called like “{like}”"),
        Place::Page(page) => format!("below {page}"),
        Place::Address(address) => format!("that is {address}"),
        Place::Mailbox(mailbox) => format!("with an address that begins with “{mailbox}@”"),
        Place::Id(id) => format!("with the id “{id}”"),
        Place::Channel(name) => format!("of the channel “#{name}”"),
        Place::Table(table) => format!("that is the table “{table}”"),
        Place::Database(database) => format!("in the database “{database}”"),
        Place::Kind(kind) => format!("that is a {}", kind_word(kind)),
        Place::Network => "on the network".to_owned(),
        Place::Local => "on this machine".to_owned(),
        Place::Internal => "inside the organisation".to_owned(),
        Place::External => "outside the organisation".to_owned(),
        Place::Public => "that everybody can see".to_owned(),
        Place::TopLevel => "directly in the workspace".to_owned(),
        Place::PlainHttp => "over plain http".to_owned(),
        Place::Hidden => "with a name that begins with a dot".to_owned(),
        Place::Formed(form @ (Form::Year(_) | Form::YearUntil(_))) => {
            format!("whose path {}", super::values::formed(std::slice::from_ref(form), "or"))
        }
        Place::Formed(form) => {
            format!("with a last name that {}", super::values::formed(std::slice::from_ref(form), "or"))
        }
    }
}

fn kind_word(kind: &str) -> &str {
    match kind {
        "page" => "page of the web",
        "network" => "thing on the network",
        "direct" => "direct conversation",
        "note" => "page of notes",
        other => other,
    }
}
