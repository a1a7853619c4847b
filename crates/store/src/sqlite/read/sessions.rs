//! Sessions and parts of state.

use rusqlite::{Connection, Row};

use crate::commit::Versions;
use crate::error::StoreError;
use crate::id::SessionId;
use crate::part::{Owner, Part, Parts};
use crate::session::{End, EndReason, Session, SessionFilter, SessionKey};
use crate::sqlite::columns::At;
use crate::sqlite::failure;
use crate::sqlite::read::{all, perhaps};

const COLUMNS: &str =
    "SELECT id, workspace, user, host, started, last_seen, version, step, ended, ended_why FROM sessions";

pub(in crate::sqlite) fn session(
    connection: &Connection,
    id: SessionId,
) -> Result<Option<Session>, StoreError> {
    perhaps(connection, &format!("{COLUMNS} WHERE id = ?1"), [id], read)
}

pub(in crate::sqlite) fn sessions(
    connection: &Connection,
    filter: SessionFilter,
) -> Result<Vec<Session>, StoreError> {
    let condition = match filter {
        SessionFilter::Open => "WHERE ended IS NULL",
        SessionFilter::All => "",
    };
    all(connection, &format!("{COLUMNS} {condition} ORDER BY started, rowid"), [], read)
}

pub(in crate::sqlite) fn versions(
    connection: &Connection,
    session: SessionId,
) -> Result<Option<Versions>, StoreError> {
    let text = "SELECT version, coalesce((SELECT version FROM workspaces WHERE name = workspace), 0),
        (SELECT policy FROM state) FROM sessions WHERE id = ?1";
    perhaps(connection, text, [session], |row| {
        Ok(Versions { session: row.get(0)?, workspace: row.get(1)?, policy: row.get(2)? })
    })
}

pub(in crate::sqlite) fn parts(
    connection: &mut Connection,
    owner: &Owner,
    since: u64,
) -> Result<Parts, StoreError> {
    let (kind, name, version) = match owner {
        Owner::Session(id) => ("session", id.to_string(), "SELECT version FROM sessions WHERE id = ?1"),
        Owner::Workspace(name) => {
            ("workspace", name.clone(), "SELECT version FROM workspaces WHERE name = ?1")
        }
    };
    // Version and parts are of the same moment.
    let transaction = connection.transaction().map_err(failure)?;
    let version = perhaps(&transaction, version, [&name], |row| row.get(0))?.unwrap_or(0);
    let text = "SELECT name, version, content FROM parts
        WHERE kind = ?1 AND owner = ?2 AND version > ?3 ORDER BY name";
    let since = i64::try_from(since).unwrap_or(i64::MAX);
    let written = all(&transaction, text, (kind, &name, since), |row| {
        Ok(Part { name: row.get(0)?, version: row.get(1)?, content: row.get(2)? })
    })?;
    Ok(Parts { version, written })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    let (ended, why): (Option<At>, Option<String>) = (row.get(8)?, row.get(9)?);
    let why = if why.as_deref() == Some("idle") { EndReason::Idle } else { EndReason::Command };
    Ok(Session {
        id: row.get(0)?,
        key: SessionKey { workspace: row.get(1)?, user: row.get(2)?, host: row.get(3)? },
        started: row.get::<_, At>(4)?.0,
        last_seen: row.get::<_, At>(5)?.0,
        version: row.get(6)?,
        step: row.get(7)?,
        ended: ended.map(|At(at)| End { at, why }),
    })
}
