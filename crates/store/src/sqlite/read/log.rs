//! The audit log.

use rusqlite::{Connection, Row};

use crate::audit::{ChainId, Entry, EntryFilter, Head, Order};
use crate::error::StoreError;
use crate::sqlite::columns::At;
use crate::sqlite::read::{all, one};

pub(in crate::sqlite) fn chain(connection: &Connection) -> Result<ChainId, StoreError> {
    one(connection, "SELECT chain FROM state", [], |row| row.get(0))
}

pub(in crate::sqlite) fn head(connection: &Connection) -> Result<Head, StoreError> {
    one(connection, "SELECT sequence, hash FROM state", [], |row| {
        Ok(Head { sequence: row.get(0)?, hash: row.get(1)? })
    })
}

pub(in crate::sqlite) fn entries(
    connection: &Connection,
    filter: &EntryFilter,
) -> Result<Vec<Entry>, StoreError> {
    // A session knows between which entries its own lie, so that a long log is not read from end to end.
    let mut text = "SELECT sequence, time, session, kind, body, previous, hash FROM audit
        WHERE sequence > ?1 AND sequence < ?2 AND time >= ?3"
        .to_owned();
    text.push_str(match filter.session {
        Some(_) => {
            " AND session = ?4 AND sequence >= (SELECT first_entry FROM sessions WHERE id = ?4)
            AND sequence <= (SELECT last_entry FROM sessions WHERE id = ?4)"
        }
        None => " AND ?4 IS NULL",
    });
    text.push_str(if filter.kind.is_some() { " AND kind = ?5" } else { " AND ?5 IS NULL" });
    text.push_str(match filter.order {
        Order::OldestFirst => " ORDER BY sequence LIMIT ?6",
        Order::NewestFirst => " ORDER BY sequence DESC LIMIT ?6",
    });
    let bound = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let parameters = (
        filter.after.map_or(0, bound),
        filter.before.map_or(i64::MAX, bound),
        filter.since.map_or(i64::MIN, |since| since.as_microsecond()),
        filter.session,
        filter.kind.as_deref(),
        filter.limit,
    );
    all(connection, &text, parameters, entry)
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        sequence: row.get(0)?,
        time: row.get::<_, At>(1)?.0,
        session: row.get(2)?,
        kind: row.get(3)?,
        body: row.get(4)?,
        previous: row.get(5)?,
        hash: row.get(6)?,
    })
}
