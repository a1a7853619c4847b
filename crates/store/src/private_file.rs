//! Files that only their owner may read, and that come into being at once or not at all.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::random::random;

/// Creates a folder and those above it, for their owner alone. What is there stays as it is.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A file under another name, on its way to the name that it is meant to have. What is left of it is removed.
pub(crate) struct Draft {
    path: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// A new and empty file beside the target.
    pub(crate) fn of(target: &Path) -> io::Result<Draft> {
        let number = u64::from_ne_bytes(random().map_err(io::Error::other)?);
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".new-{number:016x}"));
        let path = target.with_file_name(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?;
        Ok(Draft { path, target: target.to_owned() })
    }

    /// Where it is now.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it the name that it is meant to have, unless there is such a file by now: then that one stays, and
    /// nothing is said. After this the name survives a loss of power.
    pub(crate) fn publish(self) -> io::Result<()> {
        OpenOptions::new().write(true).open(&self.path)?.sync_all()?;
        // A link is refused where the name is taken, which a rename would not be.
        match fs::hard_link(&self.path, &self.target) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Ok(()) | Err(_) => {}
        }
        sync_folder(&self.target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nobody is harmed by what is left over.
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes the names in a file's folder durable.
fn sync_folder(file: &Path) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The permissions of a file, if others than its owner have any.
pub(crate) fn permissions_of_others(metadata: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777;
        (mode & 0o077 != 0).then_some(mode)
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}
