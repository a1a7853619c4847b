//! The form of the file, and how an older one becomes the newest.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::StoreError;
use crate::sqlite::failure;

/// What the file says it is, in SQLite's header: `PORT` in ASCII.
pub(super) const APPLICATION: u32 = 0x504f_5254;

/// Each brings the form before it to its own number, beginning at 1. What was released is never changed, only followed.
const MIGRATIONS: &[&str] =
    &[include_str!("schema/1.sql"), include_str!("schema/2.sql"), include_str!("schema/3.sql")];

/// The newest form.
pub(super) fn newest() -> u32 {
    version_after(MIGRATIONS)
}

/// Brings a file to the newest form. Two processes may try at once; the second finds it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), MigrationError> {
    apply(connection, MIGRATIONS)
}

/// Why a file cannot be brought to the newest form.
#[derive(PartialEq, Debug)]
pub(super) enum MigrationError {
    Newer { found: u32, known: u32 },
    Store(StoreError),
}

fn version_after(migrations: &[&str]) -> u32 {
    u32::try_from(migrations.len()).unwrap_or(u32::MAX)
}

fn apply(connection: &mut Connection, migrations: &[&str]) -> Result<(), MigrationError> {
    let known = version_after(migrations);
    // Most files need nothing, and looking does not lock.
    match version(connection)? {
        found if found > known => return Err(MigrationError::Newer { found, known }),
        found if found == known => return Ok(()),
        _ => {}
    }
    let transaction = Transaction::new(connection, TransactionBehavior::Exclusive).map_err(failure)?;
    let found = version(&transaction)?;
    if found > known {
        return Err(MigrationError::Newer { found, known });
    }
    for (migration, number) in migrations.iter().zip(1..).filter(|(_, number)| *number > found) {
        transaction.execute_batch(migration).map_err(failure)?;
        transaction.pragma_update(None, "user_version", number).map_err(failure)?;
    }
    transaction.commit().map_err(failure)?;
    Ok(())
}

/// The form that the file has.
pub(super) fn version(connection: &Connection) -> Result<u32, StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA user_version").map_err(failure)?;
    statement.query_row([], |row| row.get(0)).map_err(failure)
}

/// All tables, indexes and triggers, as text. Two files of the same form have the same.
pub(super) fn outline(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let text =
        "SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name";
    let mut statement = connection.prepare(text).map_err(failure)?;
    let rows = statement.query_map([], |row| row.get(0)).map_err(failure)?;
    rows.collect::<Result<_, _>>().map_err(failure)
}

impl From<StoreError> for MigrationError {
    fn from(error: StoreError) -> MigrationError {
        MigrationError::Store(error)
    }
}

#[cfg(test)]
mod tests;
