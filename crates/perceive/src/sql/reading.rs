//! What was read, and what was not.

use std::collections::BTreeSet;

use portcullis_lattice::{Effects, Reach};

use crate::deed::{Deed, Use};

/// What a text does, and why that may not be all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// Everything that is done, each thing once.
    pub deeds: Vec<Deed>,
    /// Why there may be more; the deeds already assume the worst that follows.
    pub doubts: Vec<Doubt>,
}

/// Why a text may do more than its words say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, thiserror::Error)]
pub enum Doubt {
    /// No grammar reads it.
    #[error("the SQL could not be read, so it may do anything in the database")]
    Unreadable,
    /// It is longer than what is read.
    #[error("the SQL is too long to be read, so it may do anything in the database")]
    TooLong,
    /// It is nested deeper than what is read.
    #[error("the SQL is nested too deeply to be read, so it may do anything in the database")]
    TooDeep,
    /// Code is run that is not part of the text: a procedure, a trigger, an extension.
    #[error("the SQL runs code that cannot be seen here")]
    HiddenCode,
    /// Another database, host or account is reached, or other names come to mean other tables.
    #[error("the SQL reaches beyond this database or changes what its names mean")]
    Elsewhere,
    /// A file is named in a way that does not tell which.
    #[error("the SQL uses a file that it does not name plainly")]
    SomeFile,
}

impl Doubt {
    /// Whether the text may run statements that are not among those that were told, or about other tables.
    pub const fn hides_statements(self) -> bool {
        match self {
            Doubt::Unreadable | Doubt::TooLong | Doubt::TooDeep | Doubt::HiddenCode | Doubt::Elsewhere => {
                true
            }
            Doubt::SomeFile => false,
        }
    }
}

impl Reading {
    pub(super) fn add(&mut self, deed: Deed) {
        if !self.deeds.contains(&deed) {
            self.deeds.push(deed);
        }
    }

    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    pub(super) fn join(&mut self, other: Reading) {
        other.deeds.into_iter().for_each(|deed| self.add(deed));
        other.doubts.into_iter().for_each(|doubt| self.doubt(doubt));
    }
}

/// A deed whose sides name each use once; a side that names nothing is the context.
pub(super) fn deed(
    inputs: impl IntoIterator<Item = Use>,
    outputs: impl IntoIterator<Item = Use>,
    effects: impl Into<Effects>,
) -> Deed {
    Deed { inputs: side(inputs), outputs: side(outputs), effects: effects.into() }
}

fn side(uses: impl IntoIterator<Item = Use>) -> Vec<Use> {
    let mut side: Vec<Use> = Vec::new();
    for one in uses {
        if !side.contains(&one) {
            side.push(one);
        }
    }
    if side.is_empty() {
        side.push(super::context());
    }
    side
}

/// The tables among places by their names, each once. Names of tables and columns are no table.
pub(super) fn table_names<'u>(places: impl Iterator<Item = &'u Use>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let tables = places.filter(|place| place.reach != Reach::Names);
    let names = tables.filter_map(|place| place.name.strip_prefix("db:"));
    names.filter(|name| seen.insert(*name)).map(str::to_owned).collect()
}

/// All that the database holds.
pub(super) fn everything() -> Use {
    Use::new("db:*", Reach::Subtree)
}
