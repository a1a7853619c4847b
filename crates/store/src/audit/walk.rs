//! A walk along the chain, entry by entry, up to the first that is wrong.

use std::fmt;

use crate::audit::entry::{Entry, Head};

/// How far away an entry is looked for that stands in a wrong place.
const SEARCHED: u64 = 1_000;

/// The first thing that is wrong with a chain.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("entry {sequence} {fault}")]
pub struct Broken {
    /// The number of the entry.
    pub sequence: u64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Its fields are not those that were hashed.
    Changed,
    /// It is whole, and belongs elsewhere.
    Moved {
        /// The number that it had.
        from: u64,
    },
    /// It is not there, and an entry behind it is.
    Removed {
        /// The next that is there.
        next: u64,
    },
    /// It is whole, and follows another entry than the one before it.
    Unlinked,
    /// It is not there, and the recorded head says that the log goes on to its own number at least.
    TailMissing {
        /// The recorded head.
        recorded: Head,
    },
    /// The recorded head says that the log ends before it, or has another hash.
    NotRecorded {
        /// The recorded head.
        recorded: Head,
    },
    /// A head that was noted elsewhere says that it has another hash, or that it ought to be there.
    NotAsNoted {
        /// The noted head.
        noted: Head,
    },
}

/// Where a walk stands.
pub(crate) struct Walk {
    last: Head,
    noted: Option<Head>,
}

impl Walk {
    /// A walk that begins behind `start`, past a head that was perhaps noted elsewhere.
    pub(crate) fn new(start: Head, noted: Option<Head>) -> Result<Walk, Broken> {
        let walk = Walk { last: start, noted };
        walk.compare_with_note()?;
        Ok(walk)
    }

    /// Looks at the next entry.
    pub(crate) fn step(&mut self, entry: &Entry) -> Result<(), Broken> {
        let due = self.last.sequence.saturating_add(1);
        let broken = |fault| Err(Broken { sequence: entry.sequence.min(due), fault });
        if entry.sequence > due {
            return broken(Fault::Removed { next: entry.sequence });
        }
        if entry.computed_hash() != entry.hash {
            return broken(place_of(entry).map_or(Fault::Changed, |from| Fault::Moved { from }));
        }
        if entry.sequence < due {
            return broken(Fault::Moved { from: entry.sequence });
        }
        if entry.previous != self.last.hash {
            return broken(Fault::Unlinked);
        }
        self.last = entry.head();
        self.compare_with_note()
    }

    /// Compares the end of the walk with where the log is said to end.
    pub(crate) fn end(&self, recorded: Head) -> Result<(), Broken> {
        let broken = |sequence, fault| Err(Broken { sequence, fault });
        let next = self.last.sequence.saturating_add(1);
        if self.last.sequence < recorded.sequence {
            return broken(next, Fault::TailMissing { recorded });
        }
        if self.last != recorded {
            return broken(self.last.sequence, Fault::NotRecorded { recorded });
        }
        match self.noted {
            Some(noted) if noted.sequence > self.last.sequence => broken(next, Fault::NotAsNoted { noted }),
            Some(_) | None => Ok(()),
        }
    }

    fn compare_with_note(&self) -> Result<(), Broken> {
        match self.noted {
            Some(noted) if noted.sequence == self.last.sequence && noted != self.last => {
                Err(Broken { sequence: noted.sequence, fault: Fault::NotAsNoted { noted } })
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// The number under which an entry is whole, if it stands not too far from there.
fn place_of(entry: &Entry) -> Option<u64> {
    let near = entry.sequence.saturating_sub(SEARCHED)..=entry.sequence.saturating_add(SEARCHED);
    near.into_iter().find(|sequence| entry.computed_hash_at(*sequence) == entry.hash)
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Changed => write!(formatter, "was changed: its fields do not give its hash"),
            Fault::Moved { from } => write!(formatter, "was moved: by its hash it is entry {from}"),
            Fault::Removed { next } => write!(formatter, "was removed: the next that is there is {next}"),
            Fault::Unlinked => {
                write!(formatter, "does not follow the one before it: one of the two was replaced")
            }
            Fault::TailMissing { recorded } => {
                write!(formatter, "is missing: the log is recorded to go on to {}", recorded.sequence)
            }
            Fault::NotRecorded { recorded } => {
                write!(formatter, "is not where the log is recorded to end, which is {recorded}")
            }
            Fault::NotAsNoted { noted } => write!(formatter, "is not as it was noted, {noted}"),
        }
    }
}
