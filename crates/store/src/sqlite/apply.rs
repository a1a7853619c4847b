//! One commit, inside a transaction that is already begun.

mod policy;
mod questions;
mod sessions;
mod sights;
mod sources;

use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, params};
use smallvec::SmallVec;

use crate::audit::Head;
use crate::commit::{Change, Commit, CommitError, Committed, Made, Versions};
use crate::error::StoreError;
use crate::id::SessionId;
use crate::sqlite::columns::At;
use crate::sqlite::failure;

/// The row about the whole store. A batch reads it once and writes it once.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct State {
    head: Head,
    policy: u64,
    form: u32,
}

/// Writes a commit, or says why not; then what was written of it has to be rolled back.
pub(super) fn apply(
    connection: &Connection,
    state: &mut State,
    commit: &Commit,
) -> Result<Committed, CommitError> {
    let session = commit.session.map(|id| Current::read(connection, id)).transpose()?;
    let mut writing = Writing { connection, state, commit, session, policy: Policy::Kept };
    writing.check_versions()?;
    let made = commit.changes.iter().map(|change| writing.change(change)).collect::<Result<_, _>>()?;
    writing.finish()?;
    let entries = writing.append()?;
    let (versions, step) = (writing.versions(), writing.session.as_ref().map_or(0, |session| session.step));
    Ok(Committed { versions, step, entries, made })
}

/// A commit that is being written.
struct Writing<'w> {
    connection: &'w Connection,
    state: &'w mut State,
    commit: &'w Commit,
    session: Option<Current>,
    policy: Policy,
}

/// Whether the policy was changed by the commit so far.
#[derive(PartialEq)]
enum Policy {
    Kept,
    Changed,
}

/// The commit's session, as it will be.
struct Current {
    id: SessionId,
    workspace: String,
    version: u64,
    workspace_version: u64,
    step: u64,
    is_open: bool,
    is_changed: bool,
    is_workspace_changed: bool,
    is_seen: bool,
}

impl State {
    pub(super) fn read(connection: &Connection) -> Result<State, StoreError> {
        let mut statement = prepare(connection, "SELECT sequence, hash, policy, form FROM state")?;
        let read = statement.query_row([], |row| {
            let head = Head { sequence: row.get(0)?, hash: row.get(1)? };
            Ok(State { head, policy: row.get(2)?, form: row.get(3)? })
        });
        read.optional().map_err(failure)?.ok_or_else(|| StoreError::Damaged("its state is gone".to_owned()))
    }

    /// The form that the file has.
    pub(super) fn form(&self) -> u32 {
        self.form
    }

    pub(super) fn write(&self, connection: &Connection, before: &State) -> Result<(), StoreError> {
        if self == before {
            return Ok(());
        }
        let text = "UPDATE state SET sequence = ?1, hash = ?2, policy = ?3";
        execute(connection, text, (self.head.sequence, self.head.hash, self.policy)).map(drop)
    }
}

impl Current {
    fn read(connection: &Connection, id: SessionId) -> Result<Current, CommitError> {
        // A join instead would be planned anew at each use, for SQLite takes into account what is bound.
        let text = "SELECT workspace, version, step, ended IS NULL,
            coalesce((SELECT version FROM workspaces WHERE name = workspace), 0) FROM sessions WHERE id = ?1";
        let read = prepare(connection, text)?.query_row([id], |row| {
            Ok(Current {
                id,
                workspace: row.get(0)?,
                version: row.get(1)?,
                step: row.get(2)?,
                is_open: row.get(3)?,
                workspace_version: row.get(4)?,
                is_changed: false,
                is_workspace_changed: false,
                is_seen: false,
            })
        });
        read.optional().map_err(failure)?.ok_or(CommitError::SessionClosed)
    }
}

impl Writing<'_> {
    fn versions(&self) -> Versions {
        let session = self.session.as_ref();
        Versions {
            session: session.map_or(0, |session| session.version),
            workspace: session.map_or(0, |session| session.workspace_version),
            policy: self.state.policy,
        }
    }

    fn check_versions(&self) -> Result<(), CommitError> {
        let expected = &self.commit.expected;
        let rests_on_session = expected.session.is_some() || expected.workspace.is_some();
        if rests_on_session || self.commit.changes.iter().any(Change::concerns_session) {
            let session = self.session.as_ref().ok_or(CommitError::NoSession)?;
            if !session.is_open {
                return Err(CommitError::SessionClosed);
            }
        }
        let found = self.versions();
        if expected.holds(&found) { Ok(()) } else { Err(CommitError::Outdated(found)) }
    }

    fn change(&mut self, change: &Change) -> Result<Made, CommitError> {
        match change {
            Change::NextStep => self.next_step(),
            Change::SetPart { place, name, content } => self.set_part(*place, name, content.as_deref()),
            Change::Touch => self.touch(),
            Change::End => self.end(),
            Change::Join { key, idle } => self.join(key, *idle),
            Change::Expire { idle } => self.expire(*idle),
            Change::AddRule(rule) => self.add_rule(rule),
            Change::UseRule(id) => self.use_rule(*id),
            Change::RevokeRule { id, by } => self.revoke_rule(*id, by),
            Change::AddInvariant(invariant) => self.add_invariant(invariant),
            Change::RemoveInvariant { id, by } => self.remove_invariant(*id, by),
            Change::Pin(pin) => self.pin(pin),
            Change::Unpin { key, by } => self.unpin(key, by),
            Change::SetSigner(signer) => self.set_signer(signer),
            Change::SetIssuer(issuer) => self.set_issuer(issuer),
            Change::TakeBundle(bundle) => self.take_bundle(bundle),
            Change::RenewBundle { new, over } => self.renew_bundle(new, over),
            Change::RemoveBundle { key, by } => self.remove_bundle(key, by),
            Change::NoteFetch { address, outcome } => self.note_fetch(address, outcome),
            Change::See { server, sights } => self.see(server, sights),
            Change::Ask(question) => self.ask(question),
            Change::Answer { id, body, channel } => self.answer(*id, body, channel),
            Change::Withdraw(id) => self.withdraw(*id),
            Change::Approve(approval) => self.approve(approval),
            Change::UseApproval { id, binding } => self.use_approval(*id, *binding),
        }
    }

    /// Rules, invariants or pins are others from now on.
    fn policy_changes(&mut self) {
        if self.policy == Policy::Kept {
            self.policy = Policy::Changed;
            self.state.policy = self.state.policy.saturating_add(1);
        }
    }

    /// Appends the entries to the log.
    fn append(&mut self) -> Result<Vec<Head>, CommitError> {
        const ONE: &str = "INSERT INTO audit (sequence, time, session, kind, body, previous, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        // How a call ended and what is decided about the next one mostly come together.
        const TWO: &str = "INSERT INTO audit (time, session, sequence, kind, body, previous, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7), (?1, ?2, ?8, ?9, ?10, ?7, ?11)";
        let mut heads = Vec::with_capacity(self.commit.entries.len());
        self.extend_closed_session()?;
        let (time, session) = (self.now(), self.commit.session);
        for entries in self.commit.entries.chunks(2) {
            let before = self.state.head;
            let chained = entries.iter().scan(before, |head, entry| {
                *head = entry.head_behind(*head, self.commit.now, session);
                Some(*head)
            });
            let chained: SmallVec<[Head; 2]> = chained.collect();
            match (entries, chained.as_slice()) {
                ([one, two], [first, second]) => {
                    let of_one = (first.sequence, one.kind(), one.body(), before.hash, first.hash);
                    let (sequence, kind, body, previous, hash) = of_one;
                    let (next, next_kind, next_body) = (second.sequence, two.kind(), two.body());
                    let rows = params![
                        time,
                        session,
                        sequence,
                        kind,
                        body,
                        previous,
                        hash,
                        next,
                        next_kind,
                        next_body,
                        second.hash
                    ];
                    self.execute(TWO, rows)?;
                }
                ([one], [head]) => {
                    let row = (head.sequence, time, session, one.kind(), one.body(), before.hash, head.hash);
                    self.execute(ONE, row)?;
                }
                _ => {}
            }
            self.state.head = chained.last().copied().unwrap_or(before);
            heads.extend(chained);
        }
        Ok(heads)
    }

    fn now(&self) -> At {
        At(self.commit.now)
    }

    /// Runs a statement and says how many rows it changed.
    fn execute(&self, text: &str, parameters: impl Params) -> Result<usize, StoreError> {
        execute(self.connection, text, parameters)
    }

    /// Inserts a row and says which number it got.
    fn insert(&self, text: &str, parameters: impl Params) -> Result<u64, StoreError> {
        self.execute(text, parameters)?;
        let number = self.connection.last_insert_rowid();
        u64::try_from(number).map_err(|_| StoreError::Damaged("a row has a negative number".to_owned()))
    }

    /// Refuses a session that is not open.
    fn require_open(&self, session: SessionId) -> Result<(), CommitError> {
        let text = "SELECT 1 FROM sessions WHERE id = ?1 AND ended IS NULL";
        let is_open = prepare(self.connection, text)?.exists([session]).map_err(failure)?;
        if is_open { Ok(()) } else { Err(CommitError::SessionClosed) }
    }
}

fn prepare<'c>(connection: &'c Connection, text: &str) -> Result<CachedStatement<'c>, StoreError> {
    connection.prepare_cached(text).map_err(failure)
}

fn execute(connection: &Connection, text: &str, parameters: impl Params) -> Result<usize, StoreError> {
    prepare(connection, text)?.execute(parameters).map_err(failure)
}
