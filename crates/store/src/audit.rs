//! The audit log: entries that each contain the hash of the one before.
//!
//! What this proves: from a head (a sequence number and a hash) that was noted somewhere else, every entry up to it can
//! be checked; none of them can be changed, removed, added or moved without being found. What it does not prove: whoever
//! can write the file can compute a new chain from any entry on. So note heads where the writer of the file cannot
//! reach, and verify against them. Entries after the last noted head are protected only from those who cannot or do
//! not rewrite the chain.

mod entry;
mod export;
mod verify;
mod walk;

pub use entry::{
    ChainId, Entry, EntryError, EntryFilter, Head, HeadError, LONGEST_BODY, LONGEST_KIND, NewEntry, Order,
};
pub(crate) use export::export;
pub use export::{ExportError, ReadExportError, VerifiedExport, read_export, verify_export};
pub(crate) use verify::verify;
pub use verify::{Progress, Verification};
pub use walk::{Broken, Fault};
