//! The suite on SQLite.

use portcullis_store::{Durability, Options, SqliteStore};
use tempfile::TempDir;

use crate::suite::{Place, store_suite};

/// A folder with a file in it. Nothing here loses power, and waiting for the disk would only take time.
pub(crate) struct SqlitePlace(TempDir);

impl SqlitePlace {
    pub(crate) fn file(&self) -> std::path::PathBuf {
        self.0.path().join("store.db")
    }
}

pub(crate) fn options() -> Options {
    Options { durability: Durability::Process, patience: std::time::Duration::from_secs(60) }
}

impl Place for SqlitePlace {
    type Opened = SqliteStore;

    fn fresh() -> SqlitePlace {
        SqlitePlace(tempfile::tempdir().unwrap())
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.file(), options()).unwrap()
    }
}

store_suite!(crate::sqlite::SqlitePlace);
