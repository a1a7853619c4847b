//! What is read. Each function sees the store as it was at one moment.

mod log;
mod policy;
mod questions;
mod sessions;
mod sources;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::error::StoreError;
use crate::sqlite::failure;
use crate::store::Mark;

pub(super) use log::{chain, entries, head};
pub(super) use policy::{invariants, pins, pins_of, policy_version, rules, sights, signers};
pub(super) use questions::{approval, question, questions};
pub(super) use sessions::{parts, session, sessions, versions};
pub(super) use sources::{bundles, fetches, issuers};

/// Changes whenever another connection has committed, and this one never does.
pub(super) fn mark(connection: &Connection) -> Result<Mark, StoreError> {
    let version: i64 = one(connection, "PRAGMA data_version", [], |row| row.get(0))?;
    Ok(Mark(version.cast_unsigned()))
}

/// What SQLite finds wrong with the file.
pub(super) fn damage(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let found: Vec<String> = all(connection, "PRAGMA quick_check", [], |row| row.get(0))?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

fn all<T>(
    connection: &Connection,
    text: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(text).map_err(failure)?;
    statement.query_map(parameters, read).and_then(Iterator::collect).map_err(failure)
}

fn perhaps<T>(
    connection: &Connection,
    text: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(text).map_err(failure)?;
    statement.query_row(parameters, read).optional().map_err(failure)
}

/// A row that is always there.
fn one<T>(
    connection: &Connection,
    text: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<T, StoreError> {
    let gone = || StoreError::Damaged("its state is gone".to_owned());
    perhaps(connection, text, parameters, read)?.ok_or_else(gone)
}
