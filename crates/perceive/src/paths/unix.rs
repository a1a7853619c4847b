//! Paths as Unix reads them: `/` separates, everything else is part of a name.

use std::borrow::Cow;

use super::{Note, Notes, Place, Start};

pub(super) fn read<'t>(text: &'t str, notes: &mut Notes) -> Place<'t> {
    let mut letters = text.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_none_or(|letter| matches!(letter, '/' | '\\'));
    if drive || text.contains('\\') {
        notes.add(Note::WindowsForm);
    }
    let start = if text.starts_with('/') { Start::Root } else { Start::Folder };
    let parts = text.split('/').filter(|part| !part.is_empty() && *part != ".").map(Cow::Borrowed).collect();
    Place { start, root: String::new(), parts }
}
