//! From a path to a store.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::{Connection, OpenFlags};

use crate::audit::ChainId;
use crate::error::StoreError;
use crate::private_file::{self, Draft};
use crate::sqlite::header::{HeaderError, KnownStore};
use crate::sqlite::queue::Writer;
use crate::sqlite::schema::{self, MigrationError};
use crate::sqlite::{Durability, Options, SqliteStore, failure};

/// How many statements are kept ready.
const STATEMENTS: usize = 64;

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file or its folder cannot be made or read.
    #[error("the store `{path}` cannot be {deed}: {error}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was to be done.
        deed: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// There is something else.
    #[error("`{path}` is {what}, and was left as it is; name another file or move it away", path = path.display())]
    NotAStore {
        /// Which file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// Others may read or write it.
    #[error("the store `{path}` is open to others (mode {mode:o}); say `chmod 600` to it, and verify its log if \
             somebody may have written to it", path = path.display())]
    TooOpen {
        /// Which file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It was written by a newer version.
    #[error("the store `{path}` has form {found}, and this version knows {known}; use the newer version that wrote it", path = path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// The form that it has.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// It fails.
    #[error("the store `{path}` cannot be opened: {error}", path = path.display())]
    Store {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
}

impl SqliteStore {
    /// Opens the store in a file, which is created where there is none, with its folders, for its owner alone.
    pub fn open(path: &Path, options: Options) -> Result<SqliteStore, OpenError> {
        let failed = |deed| move |error| OpenError::File { path: path.to_owned(), deed, error };
        // A name that begins with `file:` would mean something else to SQLite.
        let absolute = std::path::absolute(path).map_err(failed("found"))?;
        let metadata = match fs::metadata(&absolute) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(&absolute)?;
                fs::metadata(&absolute).map_err(failed("looked at"))?
            }
            Err(error) => return Err(failed("looked at")(error)),
        };
        let known = refuse_others(&absolute, &metadata)?;
        let store = |error| OpenError::Store { path: path.to_owned(), error };
        let mut writing = connect(&absolute, options).map_err(store)?;
        schema::migrate(&mut writing).map_err(|error| match error {
            MigrationError::Newer { found, known } => {
                OpenError::Newer { path: path.to_owned(), found, known }
            }
            MigrationError::Store(error) => store(error),
        })?;
        check_outline(&writing).map_err(store)?;
        let reading = connect(&absolute, options).map_err(store)?;
        reading.pragma_update(None, "query_only", true).map_err(failure).map_err(store)?;
        let writer = Writer::new(writing, options.patience);
        Ok(SqliteStore { writer, reader: Mutex::new(reading), _known: known })
    }
}

/// Whatever is no store of ours is refused before SQLite may touch it.
fn refuse_others(path: &Path, metadata: &Metadata) -> Result<KnownStore, OpenError> {
    let other = |what| OpenError::NotAStore { path: path.to_owned(), what };
    if !metadata.is_file() {
        return Err(other("no file"));
    }
    if let Some(mode) = private_file::permissions_of_others(metadata) {
        return Err(OpenError::TooOpen { path: path.to_owned(), mode });
    }
    KnownStore::new(path, metadata).map_err(|error| match error {
        HeaderError::Unreadable(error) => OpenError::File { path: path.to_owned(), deed: "read", error },
        HeaderError::Other(what) => other(what),
    })
}

/// Builds an empty store under another name and gives it its name when it is complete.
fn create(path: &Path) -> Result<(), OpenError> {
    let failed = |deed| move |error| OpenError::File { path: path.to_owned(), deed, error };
    if let Some(folder) = path.parent() {
        private_file::create_folder(folder).map_err(failed("given a folder"))?;
    }
    let draft = Draft::of(path).map_err(failed("created"))?;
    build(draft.path()).map_err(|error| OpenError::Store { path: path.to_owned(), error })?;
    draft.publish().map_err(failed("created"))
}

fn build(path: &Path) -> Result<(), StoreError> {
    let mut connection = Connection::open_with_flags(path, flags()).map_err(failure)?;
    // Nobody knows the file yet. It is flushed as a whole before it gets its name.
    connection.pragma_update(None, "journal_mode", "memory").map_err(failure)?;
    connection.pragma_update(None, "synchronous", "off").map_err(failure)?;
    connection.pragma_update(None, "application_id", schema::APPLICATION).map_err(failure)?;
    schema::migrate(&mut connection).map_err(|error| match error {
        MigrationError::Newer { .. } => StoreError::Failed("a new file is not new".to_owned()),
        MigrationError::Store(error) => error,
    })?;
    let chain = ChainId::random()?;
    let beginning = chain.beginning();
    let text = "INSERT INTO state (one, chain, sequence, hash, policy, form) VALUES (1, ?1, ?2, ?3, 0, ?4)";
    let parameters = (chain, beginning.sequence, beginning.hash, schema::newest());
    connection.execute(text, parameters).map_err(failure)?;
    connection.pragma_update(None, "journal_mode", "wal").map_err(failure)?;
    connection.close().map_err(|(_, error)| failure(error))
}

fn flags() -> OpenFlags {
    // Never created here; and every connection is behind a mutex of our own.
    OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn connect(path: &Path, options: Options) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags()).map_err(failure)?;
    configure(&connection, options).map_err(failure)?;
    // Where that is not possible, SQLite goes on in its older way and says nothing.
    let mode: String =
        connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(failure)?;
    if mode != "wal" {
        let why = "several processes cannot share a file in this place; put it on a local disk";
        return Err(StoreError::Failed(why.to_owned()));
    }
    Ok(connection)
}

fn configure(connection: &Connection, options: Options) -> rusqlite::Result<()> {
    connection.busy_timeout(options.patience)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "journal_mode", "wal")?;
    let is_for_power_loss = options.durability == Durability::Power;
    connection.pragma_update(None, "synchronous", if is_for_power_loss { "full" } else { "normal" })?;
    // Where a plain flush leaves data in the disk's own memory (macOS).
    connection.pragma_update(None, "fullfsync", is_for_power_loss)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Text that came with the file is not trusted to call functions.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // What is wiped is overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    // Folding the log into the file waits for the disk: seldom, and then for more at once.
    connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
    connection.pragma_update(None, "journal_size_limit", 32 << 20)
}

/// A file of our form from which something was taken, such as what protects the audit log, is damaged.
fn check_outline(connection: &Connection) -> Result<(), StoreError> {
    let mut plain = Connection::open_in_memory().map_err(failure)?;
    let _ = schema::migrate(&mut plain);
    if schema::outline(connection)? == schema::outline(&plain)? {
        return Ok(());
    }
    Err(StoreError::Damaged("its tables are not those of its form".to_owned()))
}
