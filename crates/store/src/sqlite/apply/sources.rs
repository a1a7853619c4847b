//! Identity providers, trust bundles, and what was fetched.

use jiff::SignedDuration;
use rusqlite::OptionalExtension;

use crate::commit::{CommitError, Made};
use crate::digest::Digest;
use crate::source::{FetchOutcome, NewBundle, NewIssuer};
use crate::sqlite::apply::{Writing, prepare};
use crate::sqlite::columns::At;
use crate::sqlite::failure;

/// What was fetched before that may have become too old for those who rest on it.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

impl Writing<'_> {
    pub(super) fn set_issuer(&mut self, new: &NewIssuer) -> Result<Made, CommitError> {
        let NewIssuer { issuer, particulars, trust, by } = new;
        let text =
            "UPDATE issuers SET replaced = ?2, replaced_by = ?3 WHERE issuer = ?1 AND replaced IS NULL";
        self.execute(text, (issuer, self.now(), by))?;
        let text =
            "INSERT INTO issuers (issuer, particulars, trust, since, said_by) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.insert(text, (issuer, particulars, trust.name(), self.now(), by))?;
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn take_bundle(&mut self, new: &NewBundle) -> Result<Made, CommitError> {
        let NewBundle { key, public, name, source, text, version, content, by } = new;
        if let Some((seen, its_content)) = self.newest_bundle(key)? {
            if *version < seen {
                return Err(CommitError::OlderBundle { offered: *version, seen });
            }
            if *version == seen && *content != its_content {
                return Err(CommitError::ForkedBundle { version: *version });
            }
        }
        self.release_bundle(key, by)?;
        let statement =
            "INSERT INTO bundles (key, public, name, source, text, version, content, taken, said_by)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        self.insert(statement, (key, public, name, source, text, version, content, self.now(), by))?;
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn renew_bundle(&mut self, new: &NewBundle, over: &Digest) -> Result<Made, CommitError> {
        let text = "SELECT 1 FROM bundles
            WHERE key = ?1 AND name = ?2 AND source = ?3 AND content = ?4 AND replaced IS NULL";
        let is_there = prepare(self.connection, text)?
            .exists((&new.key, &new.name, &new.source, over))
            .map_err(failure)?;
        if !is_there {
            return Err(CommitError::BundleReplaced);
        }
        self.take_bundle(new)
    }

    pub(super) fn remove_bundle(&mut self, key: &str, by: &str) -> Result<Made, CommitError> {
        if self.release_bundle(key, by)? == 0 {
            return Err(CommitError::NoBundle);
        }
        self.policy_changes();
        Ok(Made::Nothing)
    }

    pub(super) fn note_fetch(&mut self, address: &str, outcome: &FetchOutcome) -> Result<Made, CommitError> {
        match outcome {
            FetchOutcome::Got(content) => {
                let text = "SELECT 1 FROM fetches WHERE address = ?1 AND content = ?2 AND got > ?3";
                let lately = At(self.commit.now.checked_sub(LATELY).unwrap_or(self.commit.now));
                let is_known =
                    prepare(self.connection, text)?.exists((address, content, lately)).map_err(failure)?;
                let text = "INSERT INTO fetches (address, content, got, tried, trouble)
                    VALUES (?1, ?2, ?3, ?3, NULL) ON CONFLICT (address) DO UPDATE
                    SET content = excluded.content, got = excluded.got, tried = excluded.tried, trouble = NULL";
                self.execute(text, (address, content, self.now()))?;
                // The same again tells nothing new, unless somebody may have given up on it.
                if !is_known {
                    self.policy_changes();
                }
            }
            FetchOutcome::Failed(trouble) => {
                let text = "INSERT INTO fetches (address, tried, trouble) VALUES (?1, ?2, ?3)
                    ON CONFLICT (address) DO UPDATE SET tried = excluded.tried, trouble = excluded.trouble";
                self.execute(text, (address, self.now(), trouble))?;
            }
            FetchOutcome::Left { content, trouble } => {
                let text =
                    "SELECT 1 FROM fetches WHERE address = ?1 AND content IS NOT NULL AND content <> ?2";
                let is_less = prepare(self.connection, text)?.exists((address, content)).map_err(failure)?;
                let text = "UPDATE fetches SET content = ?2, tried = ?3, trouble = ?4
                    WHERE address = ?1 AND content IS NOT NULL";
                if self.execute(text, (address, content, self.now(), trouble))? == 0 {
                    return self.note_fetch(address, &FetchOutcome::Failed(trouble.clone()));
                }
                if is_less {
                    self.policy_changes();
                }
            }
        }
        Ok(Made::Nothing)
    }

    /// The highest number of a bundle that was ever taken.
    fn newest_bundle(&self, key: &str) -> Result<Option<(u64, Digest)>, CommitError> {
        let text = "SELECT version, content FROM bundles WHERE key = ?1 ORDER BY version DESC LIMIT 1";
        let mut statement = prepare(self.connection, text)?;
        let found = statement.query_row([key], |row| Ok((row.get(0)?, row.get(1)?))).optional();
        Ok(found.map_err(failure)?)
    }

    /// The bundle in force is no longer. That it was there is remembered.
    fn release_bundle(&self, key: &str, by: &str) -> Result<usize, CommitError> {
        let text = "UPDATE bundles SET replaced = ?2, replaced_by = ?3, text = ''
            WHERE key = ?1 AND replaced IS NULL";
        Ok(self.execute(text, (key, self.now(), by))?)
    }
}
