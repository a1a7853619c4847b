//! Identity providers, trust bundles, and what was fetched.

use rusqlite::{Connection, Row};

use crate::error::StoreError;
use crate::rule::{Removal, Standing};
use crate::signer::Trust;
use crate::source::{Bundle, Fetch, Issuer};
use crate::sqlite::columns::At;
use crate::sqlite::read::all;

const ISSUERS: &str = "SELECT issuer, particulars, trust, since, said_by, replaced, replaced_by FROM issuers";
const BUNDLES: &str = "SELECT key, public, name, source, text, version, content, taken, said_by, replaced, replaced_by FROM bundles";

pub(in crate::sqlite) fn issuers(
    connection: &Connection,
    standing: Standing,
) -> Result<Vec<Issuer>, StoreError> {
    all(connection, &format!("{ISSUERS} {} ORDER BY id", condition(standing)), [], issuer)
}

pub(in crate::sqlite) fn bundles(
    connection: &Connection,
    standing: Standing,
) -> Result<Vec<Bundle>, StoreError> {
    all(connection, &format!("{BUNDLES} {} ORDER BY id", condition(standing)), [], bundle)
}

pub(in crate::sqlite) fn fetches(connection: &Connection) -> Result<Vec<Fetch>, StoreError> {
    let text = "SELECT address, content, got, tried, trouble FROM fetches ORDER BY address";
    all(connection, text, [], |row| {
        let content: Option<String> = row.get(1)?;
        let got: Option<At> = row.get(2)?;
        Ok(Fetch {
            address: row.get(0)?,
            got: content.zip(got.map(|At(at)| at)),
            tried: row.get::<_, At>(3)?.0,
            trouble: row.get(4)?,
        })
    })
}

fn condition(standing: Standing) -> &'static str {
    match standing {
        Standing::Current => "WHERE replaced IS NULL",
        Standing::All => "",
    }
}

fn issuer(row: &Row<'_>) -> rusqlite::Result<Issuer> {
    // The table admits two words. Whatever is not the one that widens does not widen.
    let trust =
        if row.get::<_, String>(2)? == Trust::Trusted.name() { Trust::Trusted } else { Trust::Revoked };
    Ok(Issuer {
        issuer: row.get(0)?,
        particulars: row.get(1)?,
        trust,
        since: row.get::<_, At>(3)?.0,
        by: row.get(4)?,
        replaced: removal(row, 5)?,
    })
}

fn bundle(row: &Row<'_>) -> rusqlite::Result<Bundle> {
    Ok(Bundle {
        key: row.get(0)?,
        public: row.get(1)?,
        name: row.get(2)?,
        source: row.get(3)?,
        text: row.get(4)?,
        version: row.get(5)?,
        content: row.get(6)?,
        taken: row.get::<_, At>(7)?.0,
        by: row.get(8)?,
        replaced: removal(row, 9)?,
    })
}

/// Two columns: when, and by whom.
fn removal(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Removal>> {
    let Some(At(at)) = row.get(column)? else { return Ok(None) };
    Ok(Some(Removal { at, by: row.get(column + 1)? }))
}
