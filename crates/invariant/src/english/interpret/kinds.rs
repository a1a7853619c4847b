//! Kinds of places: what they are, what belongs together, what they imply.

use super::doings::{carries, posts};
use super::{Draft, place};
use crate::english::frame::{Role, Slot};
use crate::english::noun::Noun;
use crate::meaning::{Deed, Doing, Place, Side, Test};

/// Beyond a place.
pub(super) fn left(places: Vec<Place>) -> Test {
    let is_local = |place: &Place| matches!(place, Place::Local);
    if places.iter().all(is_local) {
        return place(Side::To, vec![Place::Network], true);
    }
    if places.contains(&Place::Internal) {
        return place(Side::To, vec![Place::External], true);
    }
    place(Side::To, places, false)
}

/// Places that data can come from, as opposed to people that it goes to.
pub(super) fn is_source(place: &Place) -> bool {
    matches!(
        place,
        Place::Path(_)
            | Place::Named(_)
            | Place::Word(_)
            | Place::Folder(_)
            | Place::Ending(_)
            | Place::Table(_)
            | Place::Database(_)
            | Place::Id(_)
            | Place::Channel(_)
    )
}

pub(super) fn is_kind(kind: &str) -> bool {
    matches!(
        kind,
        "file"
            | "page"
            | "person"
            | "channel"
            | "direct"
            | "repository"
            | "table"
            | "calendar"
            | "mailbox"
            | "note"
            | "package"
            | "host"
            | "network"
    )
}

/// Words of tools that make such a thing.
pub(super) fn made(word: &str) -> Vec<String> {
    match word {
        "folder" | "directory" | "dir" | "subfolder" | "subdirectory" => {
            vec!["directory".to_owned(), "folder".to_owned(), "mkdir".to_owned()]
        }
        "repo" | "repository" => vec!["repository".to_owned(), "repo".to_owned()],
        "table" => vec!["sql create".to_owned()],
        "database" => vec!["database".to_owned(), "source".to_owned(), "sql create".to_owned()],
        word => vec![word.to_owned()],
    }
}

/// The kind of things that places speak of.
pub(super) fn implied(places: &[Place]) -> Vec<Place> {
    places
        .iter()
        .filter_map(|place| match place {
            Place::Path(_)
            | Place::Folder(_)
            | Place::Named(_)
            | Place::Ending(_)
            | Place::TopLevel
            | Place::Hidden => Some(Place::Kind("file".to_owned())),
            Place::Domain(_) | Place::External | Place::Internal => Some(Place::Network),
            Place::Page(_) | Place::HostLike(_) | Place::PlainHttp => Some(Place::Kind("page".to_owned())),
            Place::Address(_) | Place::Mailbox(_) => Some(Place::Kind("person".to_owned())),
            Place::Table(_) | Place::Database(_) => Some(Place::Kind("table".to_owned())),
            _ => None,
        })
        .collect()
}

/// Whether two slots make one: a kind of things, and where they are.
pub(super) fn fits(before: &Slot, slot: &Slot) -> bool {
    let kind = before.nouns.first().map(|noun| noun.kind.as_str()).unwrap_or_default();
    let is_file = |noun: &Noun| {
        noun.places.iter().all(|place| {
            matches!(
                place,
                Place::Path(_) | Place::Folder(_) | Place::Named(_) | Place::Word(_) | Place::TopLevel
            )
        }) && !noun.places.is_empty()
            || noun.words == ["workspace"]
            || noun.is_it
    };
    let is_net = |noun: &Noun| {
        noun.places.iter().all(|place| {
            matches!(
                place,
                Place::Domain(_)
                    | Place::Named(_)
                    | Place::Internal
                    | Place::External
                    | Place::HostLike(_)
                    | Place::Page(_)
            )
        }) && !noun.places.is_empty()
    };
    match kind {
        "file" => slot.nouns.iter().all(is_file),
        "person" | "page" | "host" => slot.nouns.iter().all(is_net),
        "branch" => slot.role != Role::From,
        "table" => slot.nouns.iter().all(|noun| {
            noun.places.iter().all(|place| {
                matches!(place, Place::Database(_) | Place::Table(_) | Place::Id(_) | Place::Word(_))
            })
        }),
        "channel" | "note" | "repository" => slot.role != Role::From,
        _ => false,
    }
}

pub(super) fn take_kind(noun: &mut Noun, kind: &str) {
    kind.clone_into(&mut noun.kind);
    // "pages on docs.rs": a host, though files end so, too.
    if matches!(kind, "page" | "host" | "person") {
        for place in &mut noun.places {
            if let Place::Named(name) = place {
                *place = Place::Domain(name.clone());
            }
        }
    }
    if kind == "branch" {
        noun.branches.extend(noun.places.drain(..).filter_map(|place| as_branch(&place)));
        noun.branches.append(&mut noun.names);
    }
}

pub(super) fn as_branch(place: &Place) -> Option<String> {
    match place {
        Place::Id(name) | Place::Named(name) | Place::Word(name) => Some(name.clone()),
        Place::Path(path) => path.rsplit('/').next().map(|name| format!("{name}/*")),
        _ => None,
    }
}

/// Whether data from a place is meant, wherever it is by now, not the place itself.
pub(super) fn is_data(slot: &Slot, places: &[Place], draft: &Draft) -> bool {
    let writes = draft.doings.contains(&Doing::Deed(Deed::Writes));
    let is_named = slot.role == Role::Object
        && places.iter().all(is_source)
        && slot.nouns.iter().all(|noun| noun.kind.is_empty() || slot.leads)
        && !slot.nouns.iter().any(|noun| noun.kind == "channel");
    // What is searched for, committed or said in a comment is told to others as well.
    let tells = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "search" | "commit" | "push" | "comment" | "text" | "schedule" | "direct message")));
    (slot.role == Role::From && (carries(&draft.doings) || writes || tells))
        || (is_named && carries(&draft.doings) && (slot.leads || !posts(&draft.doings)))
}

/// What is outside of a place is still of its kind: "outside docs/" speaks of files.
pub(super) fn kinds_outside(slot: &Slot, places: &[Place]) -> Vec<Place> {
    let said = slot.nouns.iter().map(|noun| noun.kind.clone()).filter(|kind| is_kind(kind));
    let mut kinds: Vec<Place> = said.map(Place::Kind).collect();
    if kinds.is_empty() {
        kinds = implied(places);
    }
    // Who is outside a domain is also whoever is outside the organisation.
    let person = Place::Kind("person".to_owned());
    if kinds.contains(&person) && places.iter().any(|place| matches!(place, Place::Domain(_))) {
        kinds.push(Place::External);
    }
    kinds.sort();
    kinds.dedup();
    kinds
}
