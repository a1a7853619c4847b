//! Rules, invariants and pins.

use rusqlite::OptionalExtension;

use crate::commit::{CommitError, Made};
use crate::id::{InvariantId, PinId, RuleId};
use crate::pin::{NewPin, ToolKey};
use crate::rule::{NewInvariant, NewRule};
use crate::signer::NewSigner;
use crate::sqlite::apply::{Writing, prepare};
use crate::sqlite::columns::At;
use crate::sqlite::failure;

impl Writing<'_> {
    pub(super) fn add_rule(&mut self, rule: &NewRule) -> Result<Made, CommitError> {
        let NewRule { text, session, expires, uses, grantor, reason } = rule;
        session.map_or(Ok(()), |session| self.require_open(session))?;
        let statement = "INSERT INTO rules (text, session, expires, uses_left, grantor, reason, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let parameters = (text, session, expires.map(At), uses, grantor, reason, self.now());
        let number = self.insert(statement, parameters)?;
        self.policy_changes();
        Ok(Made::Rule(RuleId::new(number)))
    }

    pub(super) fn use_rule(&mut self, id: RuleId) -> Result<Made, CommitError> {
        let text = "SELECT uses_left FROM rules WHERE id = ?1 AND revoked IS NULL
            AND (expires IS NULL OR expires > ?2) AND (uses_left IS NULL OR uses_left > 0)
            AND (session IS NULL OR session = ?3)";
        let session = self.session.as_ref().filter(|session| session.is_open).map(|session| session.id);
        let found: Option<Option<u32>> = prepare(self.connection, text)?
            .query_row((id, self.now(), session), |row| row.get(0))
            .optional()
            .map_err(failure)?;
        let uses_left = found.ok_or(CommitError::RuleGone(id))?;
        if uses_left.is_some() {
            let text = "UPDATE rules SET uses_left = uses_left - 1, last_used = ?2 WHERE id = ?1";
            self.execute(text, (id, self.now()))?;
            self.policy_changes();
        }
        Ok(Made::Nothing)
    }

    pub(super) fn revoke_rule(&mut self, id: RuleId, by: &str) -> Result<Made, CommitError> {
        let text = "UPDATE rules SET revoked = ?2, revoked_by = ?3 WHERE id = ?1 AND revoked IS NULL";
        if self.execute(text, (id, self.now(), by))? == 0 {
            return Err(CommitError::RuleGone(id));
        }
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn add_invariant(&mut self, invariant: &NewInvariant) -> Result<Made, CommitError> {
        let NewInvariant { sentence, datalog, author } = invariant;
        let text = "INSERT INTO invariants (sentence, datalog, author, created) VALUES (?1, ?2, ?3, ?4)";
        let number = self.insert(text, (sentence, datalog, author, self.now()))?;
        self.policy_changes();
        Ok(Made::Invariant(InvariantId::new(number)))
    }

    pub(super) fn remove_invariant(&mut self, id: InvariantId, by: &str) -> Result<Made, CommitError> {
        let text = "UPDATE invariants SET removed = ?2, removed_by = ?3 WHERE id = ?1 AND removed IS NULL";
        if self.execute(text, (id, self.now(), by))? == 0 {
            return Err(CommitError::InvariantGone(id));
        }
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn pin(&mut self, pin: &NewPin) -> Result<Made, CommitError> {
        let NewPin { key, hash, definition, state, particulars, approver } = pin;
        self.release(key, approver)?;
        let text = "INSERT INTO pins (server, tool, hash, definition, state, particulars, approved, approver)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let parameters = (&key.server, &key.tool, hash, definition, state, particulars, self.now(), approver);
        let number = self.insert(text, parameters)?;
        self.policy_changes();
        Ok(Made::Pin(PinId::new(number)))
    }

    pub(super) fn unpin(&mut self, key: &ToolKey, by: &str) -> Result<Made, CommitError> {
        if self.release(key, by)? == 0 {
            return Err(CommitError::NotPinned);
        }
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn set_signer(&mut self, signer: &NewSigner) -> Result<Made, CommitError> {
        let NewSigner { key, public, name, allowance, trust, by } = signer;
        let text = "UPDATE signers SET replaced = ?2, replaced_by = ?3 WHERE key = ?1 AND replaced IS NULL";
        self.execute(text, (key, self.now(), by))?;
        let text = "INSERT INTO signers (key, public, name, allowance, trust, since, said_by)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.insert(text, (key, public, name, allowance, trust.name(), self.now(), by))?;
        self.policy_changes();
        Ok(Made::Nothing)
    }

    /// The pin in force is no longer.
    fn release(&self, key: &ToolKey, by: &str) -> Result<usize, CommitError> {
        let text = "UPDATE pins SET replaced = ?3, replaced_by = ?4
            WHERE server = ?1 AND tool = ?2 AND replaced IS NULL";
        Ok(self.execute(text, (&key.server, &key.tool, self.now(), by))?)
    }
}
