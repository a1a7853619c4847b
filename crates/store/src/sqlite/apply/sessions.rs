//! Sessions and parts of state.

use jiff::SignedDuration;
use rusqlite::OptionalExtension;

use crate::commit::{CommitError, Made};
use crate::error::StoreError;
use crate::id::SessionId;
use crate::part::Place;
use crate::session::{Arrival, EndReason, SessionKey};
use crate::sqlite::apply::{Current, Writing, prepare};
use crate::sqlite::columns::{At, idle_since};
use crate::sqlite::{failure, read};

impl Writing<'_> {
    pub(super) fn next_step(&mut self) -> Result<Made, CommitError> {
        let session = self.open_session()?;
        session.step = session.step.saturating_add(1);
        session.change();
        session.is_seen = true;
        Ok(Made::Nothing)
    }

    pub(super) fn touch(&mut self) -> Result<Made, CommitError> {
        self.open_session()?.is_seen = true;
        Ok(Made::Nothing)
    }

    pub(super) fn set_part(
        &mut self,
        place: Place,
        name: &str,
        content: Option<&[u8]>,
    ) -> Result<Made, CommitError> {
        let connection = self.connection;
        let session = self.open_session()?;
        session.is_seen = true;
        let (kind, owner, version) = match place {
            Place::Session => {
                session.change();
                ("session", session.id.to_string(), session.version)
            }
            Place::Workspace => {
                session.change_workspace();
                ("workspace", session.workspace.clone(), session.workspace_version)
            }
        };
        let text = "INSERT INTO parts (kind, owner, name, version, content) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (kind, owner, name) DO UPDATE SET version = excluded.version, content = excluded.content";
        super::execute(connection, text, (kind, owner, name, version, content))?;
        Ok(Made::Nothing)
    }

    pub(super) fn end(&mut self) -> Result<Made, CommitError> {
        let id = self.open_session()?.id;
        self.finish()?;
        self.end_session(id, EndReason::Command)?;
        Ok(Made::Nothing)
    }

    pub(super) fn join(&mut self, key: &SessionKey, idle: SignedDuration) -> Result<Made, CommitError> {
        self.finish()?;
        let SessionKey { workspace, user, host } = key;
        let text = "SELECT id, last_seen <= ?4 FROM sessions
            WHERE workspace = ?1 AND user = ?2 AND host = ?3 AND ended IS NULL";
        let parameters = (workspace, user, host, idle_since(self.commit.now, idle));
        let mut statement = prepare(self.connection, text)?;
        let found: Option<(SessionId, bool)> = statement
            .query_row(parameters, |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()
            .map_err(failure)?;
        let (id, arrival) = match found {
            Some((id, false)) => {
                let text = "UPDATE sessions SET last_seen = max(last_seen, ?2) WHERE id = ?1";
                self.execute(text, (id, self.now()))?;
                (id, Arrival::Joined)
            }
            Some((left, true)) => {
                self.end_session(left, EndReason::Idle)?;
                (self.start(key)?, Arrival::First)
            }
            None => (self.start(key)?, Arrival::First),
        };
        let session = read::session(self.connection, id)?.ok_or(CommitError::SessionClosed)?;
        Ok(Made::Session(Box::new(session), arrival))
    }

    fn start(&self, key: &SessionKey) -> Result<SessionId, StoreError> {
        let id = SessionId::random()?;
        let text = "INSERT INTO sessions (id, workspace, user, host, started, last_seen, version, step)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5, 0, 0)";
        self.execute(text, (id, &key.workspace, &key.user, &key.host, self.now()))?;
        Ok(id)
    }

    pub(super) fn expire(&mut self, idle: Option<SignedDuration>) -> Result<Made, CommitError> {
        self.finish()?;
        self.close_overdue_questions()?;
        let Some(idle) = idle else { return Ok(Made::Nothing) };
        let text = "SELECT id FROM sessions WHERE ended IS NULL AND last_seen <= ?1";
        let mut statement = prepare(self.connection, text)?;
        let rows = statement.query_map([idle_since(self.commit.now, idle)], |row| row.get(0));
        let left: Vec<SessionId> = rows.and_then(Iterator::collect).map_err(failure)?;
        left.into_iter().try_for_each(|id| self.end_session(id, EndReason::Idle))?;
        Ok(Made::Nothing)
    }

    /// Its rules and approvals are void because it has ended.
    fn end_session(&mut self, id: SessionId, why: EndReason) -> Result<(), StoreError> {
        let word = match why {
            EndReason::Command => "command",
            EndReason::Idle => "idle",
        };
        let text = "UPDATE sessions SET ended = ?2, ended_why = ?3, version = version + 1 WHERE id = ?1";
        self.execute(text, (id, self.now(), word))?;
        self.execute("DELETE FROM parts WHERE kind = 'session' AND owner = ?1", [id])?;
        self.withdraw_questions_of(id)?;
        if let Some(own) = self.session.as_mut().filter(|own| own.id == id) {
            own.is_open = false;
            own.version = own.version.saturating_add(1);
        }
        Ok(())
    }

    /// Writes what is known to have changed about the session itself.
    pub(super) fn finish(&mut self) -> Result<(), StoreError> {
        let (connection, now) = (self.connection, At(self.commit.now));
        let (first, last) = self.range();
        let Some(session) = self.session.as_mut().filter(|session| session.is_open) else { return Ok(()) };
        let seen = (session.is_changed || session.is_seen).then_some(now);
        if seen.is_some() || last.is_some() {
            let text = "UPDATE sessions SET version = ?2, step = ?3, last_seen = max(last_seen, coalesce(?4, last_seen)),
                first_entry = coalesce(first_entry, ?5), last_entry = coalesce(?6, last_entry) WHERE id = ?1";
            super::execute(connection, text, (session.id, session.version, session.step, seen, first, last))?;
        }
        if session.is_workspace_changed {
            let text = "INSERT INTO workspaces (name, version) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET version = excluded.version";
            super::execute(connection, text, (&session.workspace, session.workspace_version))?;
        }
        Ok(())
    }

    /// The first and the last entry that the commit will append, if it appends any.
    fn range(&self) -> (Option<u64>, Option<u64>) {
        let (head, count) = (self.state.head.sequence, self.commit.entries.len() as u64);
        (count > 0).then(|| (head.saturating_add(1), head.saturating_add(count))).unzip()
    }

    /// What is told of a session that has ended is one of its entries too.
    pub(super) fn extend_closed_session(&self) -> Result<(), StoreError> {
        let (first, last) = self.range();
        let Some(session) = self.session.as_ref().filter(|session| !session.is_open) else { return Ok(()) };
        let text =
            "UPDATE sessions SET first_entry = coalesce(first_entry, ?2), last_entry = ?3 WHERE id = ?1";
        match last {
            Some(_) => super::execute(self.connection, text, (session.id, first, last)).map(drop),
            None => Ok(()),
        }
    }

    pub(super) fn open_session(&mut self) -> Result<&mut Current, CommitError> {
        let session = self.session.as_mut().ok_or(CommitError::NoSession)?;
        if session.is_open { Ok(session) } else { Err(CommitError::SessionClosed) }
    }
}

impl Current {
    fn change(&mut self) {
        if !self.is_changed {
            self.is_changed = true;
            self.version = self.version.saturating_add(1);
        }
    }

    fn change_workspace(&mut self) {
        if !self.is_workspace_changed {
            self.is_workspace_changed = true;
            self.workspace_version = self.workspace_version.saturating_add(1);
        }
    }
}
