//! What a file says it is, read before SQLite may touch it.
//!
//! Locks of files belong to a process and a file on most systems, not to whoever asked for them: closing a file by hand
//! would take away the locks that SQLite holds on it for another store of this process, and with them the protection
//! from other processes. So a file whose header was read stays open for as long as any store of this process is.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sqlite::schema;

/// The length of SQLite's header.
const LENGTH: usize = 100;

/// The files of this process's stores. There are few.
static FILES: Mutex<Vec<Held>> = Mutex::new(Vec::new());

struct Held {
    identity: Identity,
    stores: usize,
    _file: File,
}

/// Which file it is, whatever its name.
type Identity = (u64, u64);

/// A file that is a store of ours, and stays open while this lives. Connections to it have to be closed before.
pub(super) struct KnownStore(Identity);

/// Why a file is no store of ours.
pub(super) enum HeaderError {
    Unreadable(io::Error),
    Other(&'static str),
}

impl KnownStore {
    /// Reads the header, unless this process has done so and the file is still in use.
    pub(super) fn new(path: &Path, metadata: &Metadata) -> Result<KnownStore, HeaderError> {
        let mut files = files();
        let identity = identity(metadata);
        if let Some(held) = files.iter_mut().find(|held| held.identity == identity) {
            held.stores += 1;
            return Ok(KnownStore(identity));
        }
        let file = File::open(path).map_err(HeaderError::Unreadable)?;
        check(&file)?;
        files.push(Held { identity, stores: 1, _file: file });
        Ok(KnownStore(identity))
    }
}

impl Drop for KnownStore {
    fn drop(&mut self) {
        let mut files = files();
        if let Some(held) = files.iter_mut().find(|held| held.identity == self.0) {
            held.stores -= 1;
        }
        files.retain(|held| held.stores > 0);
    }
}

fn files() -> MutexGuard<'static, Vec<Held>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check(file: &File) -> Result<(), HeaderError> {
    let mut header = Vec::with_capacity(LENGTH);
    file.take(LENGTH as u64).read_to_end(&mut header).map_err(HeaderError::Unreadable)?;
    if !header.starts_with(b"SQLite format 3\0") {
        return Err(HeaderError::Other("no store of Portcullis"));
    }
    match header.get(68..72) {
        Some(bytes) if bytes == schema::APPLICATION.to_be_bytes() => Ok(()),
        Some(_) | None => Err(HeaderError::Other("a database of another program")),
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Elsewhere locks belong to who asked for them, and it does no harm that every store opens the file anew.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    (0, NEXT.fetch_add(1, Ordering::Relaxed))
}
