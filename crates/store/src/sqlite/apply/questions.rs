//! Questions and approvals.

use rusqlite::OptionalExtension;

use crate::commit::{CommitError, Made};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::id::{ApprovalId, QuestionId, SessionId};
use crate::question::{Keep, NewApproval, NewQuestion};
use crate::session::Arrival;
use crate::sqlite::apply::{Writing, prepare};
use crate::sqlite::columns::At;
use crate::sqlite::failure;

impl Writing<'_> {
    pub(super) fn ask(&mut self, question: &NewQuestion) -> Result<Made, CommitError> {
        let NewQuestion { session, key, body, expires, keep } = question;
        self.require_open(*session)?;
        self.close_overdue_questions()?;
        let text = "UPDATE questions SET waiting = waiting + 1, expires = max(expires, ?3)
            WHERE session = ?1 AND key = ?2 AND status = 'open' RETURNING id";
        let joined: Option<QuestionId> = prepare(self.connection, text)?
            .query_row((session, key, At(*expires)), |row| row.get(0))
            .optional()
            .map_err(failure)?;
        if let Some(id) = joined {
            return Ok(Made::Question(id, Arrival::Joined));
        }
        let keep = match keep {
            Keep::UntilClosed => "until_closed",
            Keep::Always => "always",
        };
        let text = "INSERT INTO questions (session, key, body, keep, created, expires, waiting, status)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 'open')";
        let number = self.insert(text, (session, key, body, keep, self.now(), At(*expires)))?;
        Ok(Made::Question(QuestionId::new(number), Arrival::First))
    }

    pub(super) fn answer(&mut self, id: QuestionId, body: &str, channel: &str) -> Result<Made, CommitError> {
        let text = "UPDATE questions SET status = 'answered', answer = ?3, channel = ?4, answered = ?2,
            body = CASE keep WHEN 'always' THEN body END
            WHERE id = ?1 AND status = 'open' AND expires > ?2";
        if self.execute(text, (id, self.now(), body, channel))? == 0 {
            return Err(CommitError::QuestionClosed(id));
        }
        Ok(Made::Nothing)
    }

    pub(super) fn withdraw(&mut self, id: QuestionId) -> Result<Made, CommitError> {
        let text = "UPDATE questions SET waiting = max(waiting, 1) - 1,
            status = CASE WHEN waiting > 1 THEN 'open' ELSE 'withdrawn' END,
            body = CASE WHEN waiting > 1 OR keep = 'always' THEN body END
            WHERE id = ?1 AND status = 'open' AND expires > ?2";
        if self.execute(text, (id, self.now()))? == 0 {
            return Err(CommitError::QuestionClosed(id));
        }
        Ok(Made::Nothing)
    }

    pub(super) fn withdraw_questions_of(&self, session: SessionId) -> Result<(), StoreError> {
        self.close_overdue_questions()?;
        let text = "UPDATE questions SET status = 'withdrawn', body = CASE keep WHEN 'always' THEN body END
            WHERE session = ?1 AND status = 'open'";
        self.execute(text, [session]).map(drop)
    }

    pub(super) fn close_overdue_questions(&self) -> Result<(), StoreError> {
        let text = "UPDATE questions SET status = 'expired', body = CASE keep WHEN 'always' THEN body END
            WHERE status = 'open' AND expires <= ?1";
        self.execute(text, [self.now()]).map(drop)
    }

    pub(super) fn approve(&mut self, approval: &NewApproval) -> Result<Made, CommitError> {
        let NewApproval { session, binding, expires, grantor } = approval;
        self.require_open(*session)?;
        let text = "INSERT INTO approvals (session, binding, granted, expires, grantor)
            VALUES (?1, ?2, ?3, ?4, ?5)";
        let number = self.insert(text, (session, binding, self.now(), At(*expires), grantor))?;
        Ok(Made::Approval(ApprovalId::new(number)))
    }

    pub(super) fn use_approval(&mut self, id: ApprovalId, binding: Digest) -> Result<Made, CommitError> {
        let session = self.open_session()?.id;
        let text = "UPDATE approvals SET used = ?2
            WHERE id = ?1 AND used IS NULL AND expires > ?2 AND binding = ?3 AND session = ?4";
        if self.execute(text, (id, self.now(), binding, session))? == 0 {
            return Err(CommitError::ApprovalGone(id));
        }
        Ok(Made::Nothing)
    }
}
