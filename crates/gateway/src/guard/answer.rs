//! An answer put into force: recorded, its rules added, the call approved, in one transaction.

use jiff::{SignedDuration, Timestamp};
use portcullis_lattice::words::shown;
use portcullis_store::{
    Change, Commit, CommitError, Digest, Expected, NewApproval, NewEntry, NewRule, QuestionId,
    QuestionStatus, SessionId, Sight, Standing, Store, StoreError,
};
use serde_json::json;

use super::asked::{Asked, AskedChoice, AskedTool};
use super::record::kind;
use crate::book;

/// How long a call that was approved can be made.
const APPROVAL_LIFE: SignedDuration = SignedDuration::from_mins(10);

/// By which way an answer came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// The host's own window. A host can be made to answer by itself, so not every answer counts.
    ByHost,
    /// A terminal that no agent has.
    AtTerminal,
}

impl Given {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Given::ByHost => "host",
            Given::AtTerminal => "terminal",
        }
    }
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The question is not open any more.
    #[error("question {0} is no longer open")]
    Closed(QuestionId),
    /// There is no such answer.
    #[error("`{choice}` is no answer to question {question}")]
    NoChoice {
        /// Which question.
        question: QuestionId,
        /// What was answered.
        choice: String,
    },
    /// The answer is for a trusted channel.
    #[error("this can only be allowed at a terminal: run `portcullis watch`")]
    NotThroughHost,
    /// The question was kept by another version, or is damaged.
    #[error("question {0} cannot be read")]
    Unreadable(QuestionId),
    /// A tool that it would approve was blocked meanwhile.
    #[error("the tool {0} was blocked meanwhile; `portcullis tools block --lift` lifts that")]
    Blocked(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The answer could not be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

/// Answers an open question, and says what was chosen.
pub fn answer(
    store: &dyn Store,
    id: QuestionId,
    choice: &str,
    given: Given,
    now: Timestamp,
) -> Result<AskedChoice, AnswerError> {
    let question = store.question(id, now)?.ok_or(AnswerError::Closed(id))?;
    if question.status != QuestionStatus::Open {
        return Err(AnswerError::Closed(id));
    }
    let body = question.body.ok_or(AnswerError::Unreadable(id))?;
    let asked: Asked = serde_json::from_str(&body).map_err(|_| AnswerError::Unreadable(id))?;
    let chosen = asked.choices.iter().find(|known| known.id == choice);
    let chosen = chosen.ok_or_else(|| AnswerError::NoChoice { question: id, choice: choice.to_owned() })?;
    if given == Given::ByHost && !chosen.through_host {
        return Err(AnswerError::NotThroughHost);
    }
    let mut commit = Commit::at(now).in_session(question.session).entry(entry(id, &asked, chosen, given)?);
    commit = commit.change(Change::Answer {
        id,
        body: json!({"choice": chosen.id, "allows": chosen.allows}).to_string(),
        channel: given.name().to_owned(),
    });
    for text in &chosen.rules {
        commit = commit.change(Change::AddRule(rule(text, chosen, question.session, id)));
    }
    if chosen.approves {
        let binding: Digest = asked.binding.parse().map_err(|_| AnswerError::Unreadable(id))?;
        let expires = now.checked_add(APPROVAL_LIFE).unwrap_or(now);
        let grantor = format!("user ({})", given.name());
        let approval = NewApproval { session: question.session, binding, expires, grantor };
        commit = commit.change(Change::Approve(approval));
    }
    // Read before the pins: whoever blocks a tool in between is not overruled.
    let policy = store.policy_version()?;
    let settled = settle_tools(store, id, &asked, chosen, given)?;
    if !settled.is_empty() {
        commit = commit.expecting(Expected { policy: Some(policy), ..Expected::default() });
    }
    commit.changes.extend(settled);
    match store.commit(commit) {
        Ok(_) => Ok(chosen.clone()),
        Err(CommitError::QuestionClosed(id)) => Err(AnswerError::Closed(id)),
        Err(error) => Err(error.into()),
    }
}

/// What an answer says about tools: exactly the definitions that were listed when it was asked are approved.
fn settle_tools(
    store: &dyn Store,
    id: QuestionId,
    asked: &Asked,
    chosen: &AskedChoice,
    given: Given,
) -> Result<Vec<Change>, AnswerError> {
    let Some((seat, tool)) = &asked.definition else { return Ok(Vec::new()) };
    let approver = format!("user ({})", given.name());
    if chosen.blocks {
        return Ok(vec![Change::Pin(book::block(store, seat, tool, &approver)?)]);
    }
    if chosen.tools.is_empty() {
        return Ok(Vec::new());
    }
    let blocked = store.pins(Standing::Current)?.into_iter().find(|pin| {
        pin.state == book::BLOCKED
            && pin.key.server == *seat
            && chosen.tools.iter().any(|tool| tool.name == pin.key.tool)
    });
    if let Some(pin) = blocked {
        return Err(AnswerError::Blocked(shown(&pin.key.tool)));
    }
    let sights = store.sights(Some(seat))?;
    let approve = |wanted: &AskedTool| {
        let is_wanted =
            |sight: &&Sight| sight.key.tool == wanted.name && format!("sha256:{}", sight.hash) == wanted.hash;
        let sight = sights.iter().find(is_wanted).ok_or(AnswerError::Unreadable(id))?;
        let pin = book::approval(sight, &approver).map_err(|_| AnswerError::Unreadable(id))?;
        Ok(Change::Pin(pin))
    };
    chosen.tools.iter().map(approve).collect()
}

fn rule(text: &str, chosen: &AskedChoice, session: SessionId, question: QuestionId) -> NewRule {
    NewRule {
        text: text.to_owned(),
        session: chosen.for_session.then_some(session),
        expires: None,
        uses: None,
        grantor: "user".to_owned(),
        reason: format!("answer to question {question}"),
    }
}

fn entry(id: QuestionId, asked: &Asked, chosen: &AskedChoice, given: Given) -> Result<NewEntry, CommitError> {
    let body = json!({
        "question": id.to_string(), "server": asked.server, "tool": asked.tool, "choice": chosen.id,
        "words": chosen.words, "rules": chosen.rules, "channel": given.name(), "call": asked.call, "tools": chosen.tools, "blocks": chosen.blocks,
    });
    Ok(NewEntry::new(kind::ANSWER, &body.to_string())?)
}
