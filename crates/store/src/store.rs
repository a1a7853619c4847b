//! What every backend offers. The test suite is written against this.

use std::io::Write;

use jiff::{SignedDuration, Timestamp};

use crate::audit::{self, ChainId, Entry, EntryFilter, ExportError, Head, Order, Progress, Verification};
use crate::commit::{Change, Commit, CommitError, Committed, Made, Versions};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::id::{ApprovalId, QuestionId, SessionId};
use crate::part::{Owner, Parts};
use crate::pin::{Pin, Sight, ToolKey};
use crate::question::{Approval, NewQuestion, Question, QuestionFilter};
use crate::rule::{Invariant, Rule, RuleFilter, Standing};
use crate::session::{Arrival, Session, SessionFilter, SessionKey};
use crate::signer::Signer;
use crate::source::{Bundle, Fetch, Issuer};

/// A point in the life of a store that is open. Two that are equal mean that nothing was committed in between, by anyone.
/// Marks of two stores have nothing to do with each other, even if both are of one file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(pub(crate) u64);

/// The state of Portcullis. Several processes may have the same one open.
///
/// Every change goes through [`commit`](Store::commit). Whoever caches what was read takes a [`mark`](Store::mark) and
/// the [`versions`](Store::versions) *before* reading: what is read then is as new as they say, or newer. A decision on
/// something newer than its versions is refused as outdated, never the other way round.
///
/// Calls block, for microseconds as a rule and at most as long as the store is patient with other processes.
/// Times are kept to the microsecond.
pub trait Store: Send + Sync {
    /// Writes all of a commit, or nothing. When it returns, what it wrote is as durable as the store was opened for.
    fn commit(&self, commit: Commit) -> Result<Committed, CommitError>;

    /// Where the store stands. This is cheap: to be asked as often as one likes.
    fn mark(&self) -> Result<Mark, StoreError>;

    /// The versions that a decision in a session rests on, if there is such a session.
    fn versions(&self, session: SessionId) -> Result<Option<Versions>, StoreError>;

    /// The version of rules, invariants, pins and whose word counts for them.
    fn policy_version(&self) -> Result<u64, StoreError>;

    /// A session.
    fn session(&self, id: SessionId) -> Result<Option<Session>, StoreError>;

    /// Sessions, in the order in which they began.
    fn sessions(&self, filter: SessionFilter) -> Result<Vec<Session>, StoreError>;

    /// The parts that were written after a version (0: all), those that were removed included.
    fn parts(&self, owner: &Owner, since: u64) -> Result<Parts, StoreError>;

    /// Rules, in the order in which they were added.
    fn rules(&self, filter: RuleFilter) -> Result<Vec<Rule>, StoreError>;

    /// Invariants, in the order in which they were added.
    fn invariants(&self, standing: Standing) -> Result<Vec<Invariant>, StoreError>;

    /// Pins of all tools, in the order in which they were made.
    fn pins(&self, standing: Standing) -> Result<Vec<Pin>, StoreError>;

    /// What a tool is and was pinned to, in the order in which that was done. The last may be in force.
    fn pins_of(&self, key: &ToolKey) -> Result<Vec<Pin>, StoreError>;

    /// What is said of keys that sign definitions, in the order in which it was said.
    fn signers(&self, standing: Standing) -> Result<Vec<Signer>, StoreError>;

    /// What is said of identity providers, in the order in which it was said.
    fn issuers(&self, standing: Standing) -> Result<Vec<Issuer>, StoreError>;

    /// Trust bundles, in the order in which they were taken.
    fn bundles(&self, standing: Standing) -> Result<Vec<Bundle>, StoreError>;

    /// What was fetched, by address.
    fn fetches(&self) -> Result<Vec<Fetch>, StoreError>;

    /// The definitions that a server has listed, or all servers: by server and tool, the older first.
    fn sights(&self, server: Option<&str>) -> Result<Vec<Sight>, StoreError>;

    /// A question, as it stands at this time.
    fn question(&self, id: QuestionId, now: Timestamp) -> Result<Option<Question>, StoreError>;

    /// Questions, in the order in which they were asked, as they stand at this time.
    fn questions(&self, filter: QuestionFilter, now: Timestamp) -> Result<Vec<Question>, StoreError>;

    /// An approval of a session that is bound to exactly this and can be used now; the one that expires first.
    fn approval(
        &self,
        session: SessionId,
        binding: Digest,
        now: Timestamp,
    ) -> Result<Option<Approval>, StoreError>;

    /// What the first entry of the audit log follows.
    fn chain(&self) -> Result<ChainId, StoreError>;

    /// Where the audit log ends, as it is recorded.
    fn head(&self) -> Result<Head, StoreError>;

    /// Entries of the audit log.
    fn entries(&self, filter: &EntryFilter) -> Result<Vec<Entry>, StoreError>;

    /// An entry of the audit log.
    fn entry(&self, sequence: u64) -> Result<Option<Entry>, StoreError> {
        let filter = EntryFilter {
            after: sequence.checked_sub(1),
            before: sequence.checked_add(1),
            order: Order::OldestFirst,
            limit: 1,
            ..EntryFilter::default()
        };
        Ok(self.entries(&filter)?.into_iter().find(|entry| entry.sequence == sequence))
    }

    /// Checks the whole audit log, and that a head that was noted elsewhere is still in it.
    fn verify(
        &self,
        noted: Option<Head>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Verification, StoreError> {
        audit::verify(self, noted, progress)
    }

    /// Writes the audit log behind an entry (0: all of it) as JSON Lines, and says where it ends.
    fn export(
        &self,
        after: u64,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Head, ExportError> {
        audit::export(self, after, output, progress)
    }

    /// The open session of a key, or a new one. One without a sign for so long is ended before.
    fn join(
        &self,
        key: SessionKey,
        idle: SignedDuration,
        now: Timestamp,
    ) -> Result<(Session, Arrival), CommitError> {
        let made = only(self.commit(Commit::at(now).change(Change::Join { key, idle }))?);
        if let Some(Made::Session(session, arrival)) = made {
            Ok((*session, arrival))
        } else {
            Err(unexpected())
        }
    }

    /// Says that a session is still there.
    fn touch(&self, session: SessionId, now: Timestamp) -> Result<(), CommitError> {
        self.commit(Commit::at(now).in_session(session).change(Change::Touch)).map(drop)
    }

    /// Asks a question, or joins those who wait for the answer to the same.
    fn ask(&self, question: NewQuestion, now: Timestamp) -> Result<(QuestionId, Arrival), CommitError> {
        let made = only(self.commit(Commit::at(now).change(Change::Ask(question)))?);
        if let Some(Made::Question(id, arrival)) = made { Ok((id, arrival)) } else { Err(unexpected()) }
    }

    /// Answers a question. Of several answers one wins; the others get [`CommitError::QuestionClosed`].
    fn answer(&self, id: QuestionId, body: &str, channel: &str, now: Timestamp) -> Result<(), CommitError> {
        let change = Change::Answer { id, body: body.to_owned(), channel: channel.to_owned() };
        self.commit(Commit::at(now).change(change)).map(drop)
    }

    /// Uses an approval, by itself. To use it for a verdict, put [`Change::UseApproval`] into the verdict's commit.
    fn use_approval(
        &self,
        session: SessionId,
        id: ApprovalId,
        binding: Digest,
        now: Timestamp,
    ) -> Result<(), CommitError> {
        let change = Change::UseApproval { id, binding };
        self.commit(Commit::at(now).in_session(session).change(change)).map(drop)
    }
}

fn only(committed: Committed) -> Option<Made> {
    committed.made.into_iter().next()
}

fn unexpected() -> CommitError {
    StoreError::Failed("a change made something else than was asked for".to_owned()).into()
}
