//! Rules, invariants and pins.

use rusqlite::{Connection, Row};

use crate::error::StoreError;
use crate::id::SessionId;
use crate::pin::{Pin, Sight, ToolKey};
use crate::rule::{Invariant, Removal, Rule, RuleFilter, Standing};
use crate::signer::{Signer, Trust};
use crate::sqlite::columns::At;
use crate::sqlite::read::{all, one};

const RULES: &str =
    "SELECT id, text, session, expires, uses_left, grantor, reason, created, last_used, revoked,
    revoked_by FROM rules r";
const INVARIANTS: &str = "SELECT id, sentence, datalog, author, created, removed, removed_by FROM invariants";
const PINS: &str =
    "SELECT id, server, tool, hash, definition, state, approved, approver, replaced, replaced_by,
    particulars FROM pins";
const SIGNERS: &str =
    "SELECT id, key, public, name, allowance, trust, since, said_by, replaced, replaced_by FROM signers";
const SIGHTS: &str = "SELECT server, tool, hash, definition, particulars, first_seen, last_seen, is_listed
    FROM sights";

pub(in crate::sqlite) fn policy_version(connection: &Connection) -> Result<u64, StoreError> {
    one(connection, "SELECT policy FROM state", [], |row| row.get(0))
}

pub(in crate::sqlite) fn rules(connection: &Connection, filter: RuleFilter) -> Result<Vec<Rule>, StoreError> {
    let (session, now): (Option<SessionId>, _) = match filter {
        RuleFilter::ActiveIn { session, now } => (Some(session), now),
        RuleFilter::Active { now } => (None, now),
        RuleFilter::All => return all(connection, &format!("{RULES} ORDER BY id"), [], rule),
    };
    let text = format!(
        "{RULES} WHERE revoked IS NULL AND (expires IS NULL OR expires > ?1) AND (uses_left IS NULL OR uses_left > 0)
            AND (session IS NULL OR (?2 IS NULL OR session = ?2)
                AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = r.session AND s.ended IS NULL))
            ORDER BY id"
    );
    all(connection, &text, (At(now), session), rule)
}

pub(in crate::sqlite) fn invariants(
    connection: &Connection,
    standing: Standing,
) -> Result<Vec<Invariant>, StoreError> {
    let condition = match standing {
        Standing::Current => "WHERE removed IS NULL",
        Standing::All => "",
    };
    all(connection, &format!("{INVARIANTS} {condition} ORDER BY id"), [], invariant)
}

pub(in crate::sqlite) fn pins(connection: &Connection, standing: Standing) -> Result<Vec<Pin>, StoreError> {
    let condition = match standing {
        Standing::Current => "WHERE replaced IS NULL",
        Standing::All => "",
    };
    all(connection, &format!("{PINS} {condition} ORDER BY id"), [], pin)
}

pub(in crate::sqlite) fn pins_of(connection: &Connection, key: &ToolKey) -> Result<Vec<Pin>, StoreError> {
    let text = format!("{PINS} WHERE server = ?1 AND tool = ?2 ORDER BY id");
    all(connection, &text, (&key.server, &key.tool), pin)
}

pub(in crate::sqlite) fn signers(
    connection: &Connection,
    standing: Standing,
) -> Result<Vec<Signer>, StoreError> {
    let condition = match standing {
        Standing::Current => "WHERE replaced IS NULL",
        Standing::All => "",
    };
    all(connection, &format!("{SIGNERS} {condition} ORDER BY id"), [], signer)
}

/// Of one server or of all, tools in the order of their names, what was seen first before what came later.
pub(in crate::sqlite) fn sights(
    connection: &Connection,
    server: Option<&str>,
) -> Result<Vec<Sight>, StoreError> {
    let text = format!("{SIGHTS} WHERE ?1 IS NULL OR server = ?1 ORDER BY server, tool, first_seen, id");
    all(connection, &text, [server], sight)
}

fn sight(row: &Row<'_>) -> rusqlite::Result<Sight> {
    Ok(Sight {
        key: ToolKey { server: row.get(0)?, tool: row.get(1)? },
        hash: row.get(2)?,
        definition: row.get(3)?,
        particulars: row.get(4)?,
        first_seen: row.get::<_, At>(5)?.0,
        last_seen: row.get::<_, At>(6)?.0,
        is_listed: row.get(7)?,
    })
}

fn rule(row: &Row<'_>) -> rusqlite::Result<Rule> {
    Ok(Rule {
        id: row.get(0)?,
        text: row.get(1)?,
        session: row.get(2)?,
        expires: row.get::<_, Option<At>>(3)?.map(|At(at)| at),
        uses_left: row.get(4)?,
        grantor: row.get(5)?,
        reason: row.get(6)?,
        created: row.get::<_, At>(7)?.0,
        last_used: row.get::<_, Option<At>>(8)?.map(|At(at)| at),
        revoked: removal(row, 9)?,
    })
}

fn invariant(row: &Row<'_>) -> rusqlite::Result<Invariant> {
    Ok(Invariant {
        id: row.get(0)?,
        sentence: row.get(1)?,
        datalog: row.get(2)?,
        author: row.get(3)?,
        created: row.get::<_, At>(4)?.0,
        removed: removal(row, 5)?,
    })
}

fn pin(row: &Row<'_>) -> rusqlite::Result<Pin> {
    Ok(Pin {
        id: row.get(0)?,
        key: ToolKey { server: row.get(1)?, tool: row.get(2)? },
        hash: row.get(3)?,
        definition: row.get(4)?,
        state: row.get(5)?,
        approved: row.get::<_, At>(6)?.0,
        approver: row.get(7)?,
        replaced: removal(row, 8)?,
        particulars: row.get(10)?,
    })
}

fn signer(row: &Row<'_>) -> rusqlite::Result<Signer> {
    // The table admits two words. Whatever is not the one that widens does not widen.
    let trust =
        if row.get::<_, String>(5)? == Trust::Trusted.name() { Trust::Trusted } else { Trust::Revoked };
    Ok(Signer {
        id: row.get(0)?,
        key: row.get(1)?,
        public: row.get(2)?,
        name: row.get(3)?,
        allowance: row.get(4)?,
        trust,
        since: row.get::<_, At>(6)?.0,
        by: row.get(7)?,
        replaced: removal(row, 8)?,
    })
}

/// Two columns: when, and by whom.
fn removal(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Removal>> {
    let Some(At(at)) = row.get(column)? else { return Ok(None) };
    Ok(Some(Removal { at, by: row.get(column + 1)? }))
}
