//! The whole log of a store, verified in pieces.

use crate::audit::entry::{Entry, EntryFilter, Head};
use crate::audit::walk::{Broken, Fault, Walk};
use crate::error::StoreError;
use crate::store::Store;

/// How many entries are read at once.
pub(crate) const PIECE: u32 = 1_000;

/// How far a verification or an export got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// So many entries are done.
    pub done: u64,
    /// Of so many.
    pub of: u64,
}

/// What a verification found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verification {
    /// Every entry is in its place.
    Whole {
        /// Where the log ends. Note it elsewhere.
        head: Head,
    },
    /// The first thing that is wrong.
    Broken(Broken),
}

/// Walks along the whole log. Entries that are appended meanwhile are left for the next time.
pub(crate) fn verify(
    store: &(impl Store + ?Sized),
    noted: Option<Head>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Verification, StoreError> {
    match walk_along(store, noted, progress) {
        Ok(head) => Ok(Verification::Whole { head }),
        Err(Stop::Broken(broken)) => Ok(Verification::Broken(broken)),
        Err(Stop::Store(error)) => Err(error),
    }
}

/// Why a walk did not come to the end.
enum Stop {
    Broken(Broken),
    Store(StoreError),
}

fn walk_along(
    store: &(impl Store + ?Sized),
    noted: Option<Head>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Head, Stop> {
    let recorded = store.head()?;
    let start = store.chain()?.beginning();
    let mut walk = Walk::new(start, noted)?;
    each_entry(store, start, recorded, &mut |entry| {
        walk.step(entry)?;
        if entry.sequence.is_multiple_of(u64::from(PIECE)) {
            progress(Progress { done: entry.sequence, of: recorded.sequence });
        }
        Ok::<(), Stop>(())
    })?;
    walk.end(recorded)?;
    refuse_beyond(store, recorded)?;
    progress(Progress { done: recorded.sequence, of: recorded.sequence });
    Ok(recorded)
}

/// Shows the entries behind `start` up to `end`, in order, until one is refused.
pub(crate) fn each_entry<E: From<StoreError>>(
    store: &(impl Store + ?Sized),
    start: Head,
    end: Head,
    show: &mut dyn FnMut(&Entry) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = start.sequence;
    while after < end.sequence {
        let piece = EntryFilter {
            after: Some(after),
            before: Some(end.sequence.saturating_add(1)),
            limit: PIECE,
            ..EntryFilter::default()
        };
        let entries = store.entries(&piece)?;
        let Some(last) = entries.last() else { break };
        after = last.sequence;
        entries.iter().try_for_each(&mut *show)?;
    }
    Ok(())
}

/// An entry behind the recorded end is fine if the end has moved on since.
fn refuse_beyond(store: &(impl Store + ?Sized), recorded: Head) -> Result<(), Stop> {
    let behind = EntryFilter { after: Some(recorded.sequence), limit: 1, ..EntryFilter::default() };
    let Some(entry) = store.entries(&behind)?.into_iter().next() else { return Ok(()) };
    let recorded = store.head()?;
    if recorded.sequence >= entry.sequence {
        return Ok(());
    }
    Err(Stop::Broken(Broken { sequence: entry.sequence, fault: Fault::NotRecorded { recorded } }))
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Stop {
        Stop::Broken(broken)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Stop {
        Stop::Store(error)
    }
}
