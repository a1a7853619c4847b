//! Files and addresses that SQL names in strings.

use portcullis_lattice::{Reach, Realms, Resource};

use crate::deed::Use;
use crate::network::{Locator, locate_any_scheme};
use crate::paths::{self, Base, Case, Family, Note, Resolver};

/// Where the relative names of files in a text start: the folder of the database's process, if it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Folder<'a>(pub Option<&'a str>);

/// How strings are read as files: from which folder, and through which links.
#[derive(Clone, Copy)]
pub(super) struct Files<'a> {
    pub(super) folder: Folder<'a>,
    pub(super) resolver: &'a dyn Resolver,
}

impl Files<'_> {
    /// The file or address that a string names; nothing if it does not tell which one that is.
    pub(super) fn place(self, text: &str) -> Option<Use> {
        // A pattern is kept up to its first wildcard: what it matches lies below.
        // In a URL a `?` begins the query, which says nothing of the place.
        let (text, wildcards) = match text.contains("://") {
            true => (text.split('?').next()?, ['*', '[', '[']),
            false => (text, ['*', '?', '[']),
        };
        let (text, reach) = match text.find(wildcards) {
            Some(_) if text.contains("..") => return None,
            Some(at) => (above(text.get(..at)?), Reach::Subtree),
            None => (text, Reach::One),
        };
        let name = if text.contains("://") { self.address(text)? } else { self.path(text)? };
        Resource::new(&name, reach, Realms::NETWORK).ok()?;
        Some(Use::new(name, reach))
    }

    fn address(self, text: &str) -> Option<String> {
        match locate_any_scheme(text).ok()? {
            Locator::Place(place) => Some(place.name),
            Locator::File => self.named(text, "/"),
            Locator::Context | Locator::Mail(_) | Locator::Opaque { .. } => None,
        }
    }

    fn path(self, text: &str) -> Option<String> {
        let text = text.strip_prefix("file:").unwrap_or(text);
        if text.starts_with('/') {
            return self.named(text, "/");
        }
        // `~` means the home of whoever runs the database, and `C:\` a machine of another kind.
        let is_plain = !text.is_empty() && !text.starts_with('~') && !text.contains(['\\', ':']);
        let folder = self.folder.0.filter(|folder| is_plain && folder.starts_with('/'))?;
        self.named(text, folder)
    }

    fn named(self, text: &str, folder: &str) -> Option<String> {
        let base = Base { folder, home: None, family: Family::Unix, case: Case::Kept };
        let named = paths::name(text, &base, self.resolver).ok()?;
        let is_one_place = !named.notes.iter().any(|note| matches!(note, Note::OtherReading { .. }));
        is_one_place.then_some(named.name)
    }
}

/// The folder before the last slash of a text.
fn above(text: &str) -> &str {
    match text.rfind('/') {
        Some(0) => "/",
        Some(slash) => text.get(..slash).unwrap_or("/"),
        None => ".",
    }
}
