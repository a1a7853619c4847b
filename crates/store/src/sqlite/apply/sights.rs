//! What servers have listed.

use crate::commit::{CommitError, Made};
use crate::pin::{MOST_SIGHTS, MOST_TOOLS, NewSight};
use crate::sqlite::apply::Writing;

impl Writing<'_> {
    pub(super) fn see(&mut self, server: &str, sights: &[NewSight]) -> Result<Made, CommitError> {
        self.execute("UPDATE sights SET is_listed = 0 WHERE server = ?1 AND is_listed = 1", [server])?;
        let text = "INSERT INTO sights
            (server, tool, hash, definition, particulars, first_seen, last_seen, is_listed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 1)
            ON CONFLICT (server, tool, hash) DO UPDATE
            SET definition = excluded.definition, particulars = excluded.particulars, is_listed = 1,
                last_seen = max(last_seen, excluded.last_seen)";
        for sight in sights.iter().take(MOST_TOOLS) {
            let NewSight { tool, hash, definition, particulars } = sight;
            self.execute(text, (server, tool, hash, definition, particulars, self.now()))?;
        }
        self.forget_old_sights(server)?;
        Ok(Made::Nothing)
    }

    /// A server may list new names and definitions without end: what it lists no more is forgotten first.
    fn forget_old_sights(&self, server: &str) -> Result<(), CommitError> {
        let of_a_tool = "DELETE FROM sights WHERE id IN (SELECT id FROM
            (SELECT id, row_number() OVER (PARTITION BY tool ORDER BY is_listed DESC, last_seen DESC, id DESC) AS place
                FROM sights WHERE server = ?1) WHERE place > ?2)";
        self.execute(of_a_tool, (server, MOST_SIGHTS as u64))?;
        let of_a_server = "DELETE FROM sights WHERE id IN (SELECT id FROM sights WHERE server = ?1
            ORDER BY is_listed DESC, last_seen DESC, id DESC LIMIT -1 OFFSET ?2)";
        self.execute(of_a_server, (server, (MOST_TOOLS * 2) as u64))?;
        Ok(())
    }
}
