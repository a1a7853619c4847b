//! What can go wrong with a store that was opened.

use crate::random::RandomError;

/// Why the store did not do what was asked. Nothing was written then, unless the message says so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else held the store for too long.
    #[error("another process is writing to the store and did not finish in time; try again")]
    Busy,
    /// There is no room left.
    #[error("the disk or the file of the store is full; make room and try again")]
    Full,
    /// It cannot be written to.
    #[error(
        "the store cannot be written to; see who owns its file and whether the disk is mounted for reading only"
    )]
    ReadOnly,
    /// The disk failed.
    #[error("the disk failed: {0}. What was to be written may turn up after a restart, but does not count")]
    Disk(String),
    /// It is damaged.
    #[error("the store is damaged ({0}); keep its file for inspection and restore a copy or start a new one")]
    Damaged(String),
    /// A newer version of the program has changed its form meanwhile.
    #[error(
        "the store was brought to form {found} by a newer version; this one knows {known}. Start the program anew"
    )]
    Newer {
        /// What it is now.
        found: u32,
        /// What this program knows.
        known: u32,
    },
    /// No name could be made up.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// Anything else that the backend says.
    #[error("the store failed: {0}")]
    Failed(String),
}
