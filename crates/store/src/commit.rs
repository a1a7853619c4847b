//! One change of the store: all of it is written, or nothing.

use jiff::{SignedDuration, Timestamp};

use crate::audit::{EntryError, Head, NewEntry};
use crate::digest::Digest;
use crate::error::StoreError;
use crate::id::{ApprovalId, InvariantId, PinId, QuestionId, RuleId, SessionId};
use crate::part::Place;
use crate::pin::{NewPin, NewSight, ToolKey};
use crate::question::{NewApproval, NewQuestion};
use crate::rule::{NewInvariant, NewRule};
use crate::session::{Arrival, Session, SessionKey};
use crate::signer::NewSigner;
use crate::source::{FetchOutcome, NewBundle, NewIssuer};

/// What is to be written at once: entries of the audit log, and the changes that they tell of. If an expected version
/// differs or a change is not possible, nothing is written, and whoever asked decides again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// What time it is. Expiry is judged by it, and entries bear it.
    pub now: Timestamp,
    /// The session that it is about, which entries bear too.
    pub session: Option<SessionId>,
    /// What the decision rests on.
    pub expected: Expected,
    /// What is appended to the audit log.
    pub entries: Vec<NewEntry>,
    /// What changes, in this order.
    pub changes: Vec<Change>,
}

/// The versions that a decision rests on; those that are none do not matter to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// Of the session's step and parts.
    pub session: Option<u64>,
    /// Of the parts of the session's workspace.
    pub workspace: Option<u64>,
    /// Of rules, invariants, pins and whose word counts for them.
    pub policy: Option<u64>,
}

/// How often things were changed so far. What belongs to no session has 0 for the first two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// The session's step and parts.
    pub session: u64,
    /// The parts of the session's workspace.
    pub workspace: u64,
    /// Rules, invariants, pins and whose word counts for them, of all sessions together.
    pub policy: u64,
}

/// Something that changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The session makes a step, and is seen.
    NextStep,
    /// A part of the session or its workspace is written, or removed where there is no content; the session is seen.
    SetPart {
        /// Whose.
        place: Place,
        /// Its name.
        name: String,
        /// What it holds from now on.
        content: Option<Vec<u8>>,
    },
    /// The session is seen.
    Touch,
    /// The session ends by command: its parts are forgotten, its questions withdrawn, its rules and approvals void.
    End,
    /// The open session of a key is found, or one begins. One that was idle for so long ends before.
    Join {
        /// Whose session.
        key: SessionKey,
        /// After how long without a sign it counts as left.
        idle: SignedDuration,
    },
    /// Questions that are overdue are closed, and sessions that were idle for so long end.
    Expire {
        /// After how long without a sign a session counts as left.
        idle: Option<SignedDuration>,
    },
    /// A rule is added.
    AddRule(NewRule),
    /// A rule is used; one with limited uses has one less.
    UseRule(RuleId),
    /// A rule is revoked.
    RevokeRule {
        /// Which.
        id: RuleId,
        /// By whom.
        by: String,
    },
    /// A sentence of the user is added.
    AddInvariant(NewInvariant),
    /// A sentence of the user is removed.
    RemoveInvariant {
        /// Which.
        id: InvariantId,
        /// By whom.
        by: String,
    },
    /// A tool's definition is pinned in place of the one before.
    Pin(NewPin),
    /// A tool is no longer pinned.
    Unpin {
        /// Which.
        key: ToolKey,
        /// By whom.
        by: String,
    },
    /// A key is trusted or revoked, in place of what was said of it before.
    SetSigner(NewSigner),
    /// An identity provider is trusted or revoked, in place of what was said of it before.
    SetIssuer(NewIssuer),
    /// A trust bundle is taken in place of the one before of its key. One that is older than any that was taken is refused.
    TakeBundle(NewBundle),
    /// A newer version takes the place of a trust bundle, if that is still in force as it was: of this name, from there, with this
    /// content. Whoever reads a bundle again takes time, in which somebody may remove it.
    RenewBundle {
        /// The newer version.
        new: NewBundle,
        /// The hash of what was signed in the one that it replaces.
        over: Digest,
    },
    /// A trust bundle counts no more. How new it was is remembered.
    RemoveBundle {
        /// The key that signs it.
        key: String,
        /// By whom.
        by: String,
    },
    /// Something was fetched, or could not be.
    NoteFetch {
        /// From where.
        address: String,
        /// How it ended.
        outcome: FetchOutcome,
    },
    /// A server lists these tools, and no others. That decides nothing.
    See {
        /// Which server.
        server: String,
        /// What it lists.
        sights: Vec<NewSight>,
    },
    /// A question is asked, or an equal one that is open is joined.
    Ask(NewQuestion),
    /// A question is answered; the first answer wins.
    Answer {
        /// Which.
        id: QuestionId,
        /// The answer as JSON.
        body: String,
        /// The channel that it came by.
        channel: String,
    },
    /// One of those who wait for an answer no longer does; the last one closes the question.
    Withdraw(QuestionId),
    /// An approval is granted.
    Approve(NewApproval),
    /// An approval is used. It must be the commit's session's, and bound to exactly this.
    UseApproval {
        /// Which.
        id: ApprovalId,
        /// What is done with it.
        binding: Digest,
    },
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Committed {
    /// The versions from now on, to be expected next time.
    pub versions: Versions,
    /// The session's steps so far; 0 where there is no session.
    pub step: u64,
    /// Where the entries stand in the audit log, in order.
    pub entries: Vec<Head>,
    /// What came of each change, in order.
    pub made: Vec<Made>,
}

/// What came of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Made {
    /// Nothing that has a name.
    Nothing,
    /// A rule.
    Rule(RuleId),
    /// An invariant.
    Invariant(InvariantId),
    /// A pin.
    Pin(PinId),
    /// A question.
    Question(QuestionId, Arrival),
    /// An approval.
    Approval(ApprovalId),
    /// A session.
    Session(Box<Session>, Arrival),
}

/// Why nothing was written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommitError {
    /// Somebody else was faster. Read what changed and decide again.
    #[error("the decision is outdated: the session, its workspace or the rules have changed meanwhile")]
    Outdated(Versions),
    /// The session is not there or has ended.
    #[error("the session is not open")]
    SessionClosed,
    /// The change is one of a session, and none was named.
    #[error("the change concerns a session, and none was named")]
    NoSession,
    /// The rule is revoked, expired, used up, of another session or was never there.
    #[error("rule {0} is not in force")]
    RuleGone(RuleId),
    /// The invariant was removed or was never there.
    #[error("invariant {0} is not in force")]
    InvariantGone(InvariantId),
    /// The tool has no pin.
    #[error("the tool is not pinned")]
    NotPinned,
    /// A trust bundle is older than one that was taken.
    #[error(
        "the bundle has version {offered}, and version {seen} was taken already; somebody may be replaying an old one"
    )]
    OlderBundle {
        /// Its number.
        offered: u64,
        /// The highest number that was ever taken.
        seen: u64,
    },
    /// A trust bundle has the number of one that was taken, and other content.
    #[error(
        "the bundle has version {version} as the last one, and other content; its signer has to say which is right"
    )]
    ForkedBundle {
        /// The number of both.
        version: u64,
    },
    /// There is no such trust bundle.
    #[error("there is no such trust bundle")]
    NoBundle,
    /// Another trust bundle is in force than the one that was to be renewed, or none.
    #[error("the trust bundle was removed or replaced meanwhile")]
    BundleReplaced,
    /// The question was answered, withdrawn or is overdue, or was never there.
    #[error("question {0} is no longer open")]
    QuestionClosed(QuestionId),
    /// The approval was used, is overdue, is for something else or was never there.
    #[error("approval {0} cannot be used: it was used, has expired or is for something else")]
    ApprovalGone(ApprovalId),
    /// The entry cannot be written.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Commit {
    /// An empty commit.
    pub fn at(now: Timestamp) -> Commit {
        Commit { now, session: None, expected: Expected::default(), entries: Vec::new(), changes: Vec::new() }
    }

    /// The same in a session.
    pub fn in_session(mut self, session: SessionId) -> Commit {
        self.session = Some(session);
        self
    }

    /// The same, on condition that these versions are still current.
    pub fn expecting(mut self, expected: Expected) -> Commit {
        self.expected = expected;
        self
    }

    /// The same with one more entry.
    pub fn entry(mut self, entry: NewEntry) -> Commit {
        self.entries.push(entry);
        self
    }

    /// The same with these entries before all others.
    #[must_use]
    pub fn after(mut self, entries: Vec<NewEntry>) -> Commit {
        self.entries.splice(0..0, entries);
        self
    }

    /// The same with one more change.
    pub fn change(mut self, change: Change) -> Commit {
        self.changes.push(change);
        self
    }
}

impl From<Versions> for Expected {
    fn from(versions: Versions) -> Expected {
        Expected {
            session: Some(versions.session),
            workspace: Some(versions.workspace),
            policy: Some(versions.policy),
        }
    }
}

impl Expected {
    /// Whether these are the versions.
    pub fn holds(&self, found: &Versions) -> bool {
        let fits = |expected: Option<u64>, found: u64| expected.is_none_or(|expected| expected == found);
        fits(self.session, found.session)
            && fits(self.workspace, found.workspace)
            && fits(self.policy, found.policy)
    }
}

impl Change {
    /// Whether it is one of the commit's session.
    pub fn concerns_session(&self) -> bool {
        match self {
            Change::NextStep
            | Change::SetPart { .. }
            | Change::Touch
            | Change::End
            | Change::UseApproval { .. } => true,
            Change::Join { .. }
            | Change::Expire { .. }
            | Change::AddRule(_)
            | Change::UseRule(_)
            | Change::RevokeRule { .. }
            | Change::AddInvariant(_)
            | Change::RemoveInvariant { .. }
            | Change::Pin(_)
            | Change::Unpin { .. }
            | Change::SetSigner(_)
            | Change::SetIssuer(_)
            | Change::TakeBundle(_)
            | Change::RenewBundle { .. }
            | Change::RemoveBundle { .. }
            | Change::NoteFetch { .. }
            | Change::See { .. }
            | Change::Ask(_)
            | Change::Answer { .. }
            | Change::Withdraw(_)
            | Change::Approve(_) => false,
        }
    }
}
