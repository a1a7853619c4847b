//! Questions and approvals.

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::digest::Digest;
use crate::error::StoreError;
use crate::id::{QuestionId, SessionId};
use crate::question::{Answer, Approval, Question, QuestionFilter, QuestionStatus};
use crate::sqlite::columns::At;
use crate::sqlite::read::{all, perhaps};

/// A question that is overdue counts as expired, whether somebody has written that down yet or not.
const QUESTIONS: &str = "SELECT id, session, key,
    CASE WHEN status = 'open' AND expires <= ?1 AND keep <> 'always' THEN NULL ELSE body END,
    created, expires, waiting,
    CASE WHEN status = 'open' AND expires <= ?1 THEN 'expired' ELSE status END, answer, channel, answered
    FROM questions";

pub(in crate::sqlite) fn question(
    connection: &Connection,
    id: QuestionId,
    now: Timestamp,
) -> Result<Option<Question>, StoreError> {
    perhaps(connection, &format!("{QUESTIONS} WHERE id = ?2"), (At(now), id), read)
}

pub(in crate::sqlite) fn questions(
    connection: &Connection,
    filter: QuestionFilter,
    now: Timestamp,
) -> Result<Vec<Question>, StoreError> {
    let condition = match filter {
        QuestionFilter::Open => "WHERE status = 'open' AND expires > ?1",
        QuestionFilter::All => "",
    };
    all(connection, &format!("{QUESTIONS} {condition} ORDER BY id"), [At(now)], read)
}

pub(in crate::sqlite) fn approval(
    connection: &Connection,
    session: SessionId,
    binding: Digest,
    now: Timestamp,
) -> Result<Option<Approval>, StoreError> {
    let text = "SELECT a.id, a.session, a.binding, a.granted, a.expires, a.grantor, a.used
        FROM approvals a JOIN sessions s ON s.id = a.session AND s.ended IS NULL
        WHERE a.session = ?1 AND a.binding = ?2 AND a.used IS NULL AND a.expires > ?3
        ORDER BY a.expires, a.id LIMIT 1";
    perhaps(connection, text, (session, binding, At(now)), |row| {
        Ok(Approval {
            id: row.get(0)?,
            session: row.get(1)?,
            binding: row.get(2)?,
            granted: row.get::<_, At>(3)?.0,
            expires: row.get::<_, At>(4)?.0,
            grantor: row.get(5)?,
            used: row.get::<_, Option<At>>(6)?.map(|At(at)| at),
        })
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Question> {
    let status: String = row.get(7)?;
    Ok(Question {
        id: row.get(0)?,
        session: row.get(1)?,
        key: row.get(2)?,
        body: row.get(3)?,
        created: row.get::<_, At>(4)?.0,
        expires: row.get::<_, At>(5)?.0,
        waiting: row.get(6)?,
        status: match status.as_str() {
            "open" => QuestionStatus::Open,
            "answered" => QuestionStatus::Answered(Answer {
                body: row.get(8)?,
                channel: row.get(9)?,
                at: row.get::<_, At>(10)?.0,
            }),
            "withdrawn" => QuestionStatus::Withdrawn,
            // The table takes no other word.
            _ => QuestionStatus::Expired,
        },
    })
}
