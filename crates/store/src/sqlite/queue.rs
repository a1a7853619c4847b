//! Group commit: whoever comes while the file is being written to waits, and one of those who wait writes for all.
//!
//! There is no thread for this. A caller puts its commit into the queue. If nobody leads, it leads: it takes the whole
//! queue, writes it in one transaction with a savepoint around each commit, and tells every caller its outcome. Nobody
//! is told anything before the transaction is committed. If the transaction fails, all in it have failed. If the leader
//! panics, all in its batch have failed, and the next caller leads. A caller that goes away harms nobody: its
//! commit is written or not, as if it had gone away just after.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::commit::{Commit, CommitError, Committed};
use crate::error::StoreError;
use crate::sqlite::apply::{self, State};
use crate::sqlite::{failure, schema};

/// The shortest and the longest pause between two tries to get hold of the file.
const PAUSES: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(5));

type Outcome = Result<Committed, CommitError>;

/// The one who writes, on behalf of all callers of this process.
pub(super) struct Writer {
    /// Only the leader locks it.
    connection: Mutex<Connection>,
    waiting: Mutex<Waiting>,
    changed: Condvar,
    patience: Duration,
}

#[derive(Default)]
struct Waiting {
    queue: Vec<Arc<Request>>,
    is_led: bool,
    /// How many sleep until something changed.
    sleepers: usize,
}

struct Request {
    commit: Commit,
    outcome: Mutex<Option<Outcome>>,
}

/// What a leader has taken on. However it ends, everyone in it is told.
struct Batch<'w> {
    writer: &'w Writer,
    requests: Vec<Arc<Request>>,
}

impl Writer {
    pub(super) fn new(connection: Connection, patience: Duration) -> Writer {
        // Whoever has begun waits for nobody any more, so SQLite itself never has to wait.
        let _ = connection.busy_timeout(Duration::ZERO);
        let connection = Mutex::new(connection);
        Writer { connection, waiting: Mutex::default(), changed: Condvar::new(), patience }
    }

    pub(super) fn commit(&self, commit: Commit) -> Outcome {
        let request = Arc::new(Request { commit, outcome: Mutex::new(None) });
        let mut waiting = lock(&self.waiting);
        waiting.queue.push(Arc::clone(&request));
        loop {
            if let Some(outcome) = lock(&request.outcome).take() {
                return outcome;
            }
            if !waiting.is_led {
                break;
            }
            waiting.sleepers += 1;
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.sleepers -= 1;
        }
        // Nobody leads, and the own request is not done, so it is in the queue.
        waiting.is_led = true;
        let batch = Batch { writer: self, requests: std::mem::take(&mut waiting.queue) };
        drop(waiting);
        batch.write();
        drop(batch);
        let outcome = lock(&request.outcome).take();
        outcome.unwrap_or_else(|| Err(lost().into()))
    }

    /// The connection, with nothing left over from a leader that panicked.
    fn connection(&self) -> Result<MutexGuard<'_, Connection>, StoreError> {
        let connection = lock(&self.connection);
        if !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK").map_err(failure)?;
        }
        Ok(connection)
    }
}

impl Batch<'_> {
    fn write(&self) {
        let outcomes = self.writer.connection().and_then(|connection| {
            let outcomes = self.transact(&connection);
            if outcomes.is_err() && !connection.is_autocommit() {
                // If even this fails, the next leader tries again.
                let _ = connection.execute_batch("ROLLBACK");
            }
            outcomes
        });
        match outcomes {
            Ok(outcomes) => {
                for (request, outcome) in self.requests.iter().zip(outcomes) {
                    *lock(&request.outcome) = Some(outcome);
                }
            }
            Err(error) => self.fail(&error),
        }
    }

    fn transact(&self, connection: &Connection) -> Result<Vec<Outcome>, StoreError> {
        begin(connection, self.writer.patience)?;
        let before = State::read(connection)?;
        let (found, known) = (before.form(), schema::newest());
        if found != known {
            return Err(StoreError::Newer { found, known });
        }
        let mut state = before;
        let mut outcomes = Vec::with_capacity(self.requests.len());
        if let [request] = self.requests.as_slice() {
            return Ok(vec![apply_alone(connection, &mut state, &before, &request.commit)?]);
        }
        for request in &self.requests {
            outcomes.push(apply_one(connection, &mut state, &request.commit)?);
        }
        state.write(connection, &before)?;
        run(connection, "COMMIT")?;
        Ok(outcomes)
    }

    /// Tells everyone who was told nothing yet.
    fn fail(&self, error: &StoreError) {
        for request in &self.requests {
            lock(&request.outcome).get_or_insert_with(|| Err(error.clone().into()));
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.fail(&lost());
        let mut waiting = lock(&self.writer.waiting);
        waiting.is_led = false;
        let has_sleepers = waiting.sleepers > 0;
        drop(waiting);
        if has_sleepers {
            self.writer.changed.notify_all();
        }
    }
}

/// The only commit of a transaction: if it is refused, so is the transaction.
fn apply_alone(
    connection: &Connection,
    state: &mut State,
    before: &State,
    commit: &Commit,
) -> Result<Outcome, StoreError> {
    let outcome = apply::apply(connection, state, commit);
    match &outcome {
        Err(CommitError::Store(error)) if concerns_all(error) => return Err(error.clone()),
        Err(_) if connection.is_autocommit() => {}
        Err(_) => run(connection, "ROLLBACK")?,
        Ok(_) => {
            state.write(connection, before)?;
            run(connection, "COMMIT")?;
        }
    }
    Ok(outcome)
}

/// One commit among others: if it is refused, nothing of it stays. An error of the file itself ends the whole batch.
fn apply_one(connection: &Connection, state: &mut State, commit: &Commit) -> Result<Outcome, StoreError> {
    run(connection, "SAVEPOINT one")?;
    let before = *state;
    let outcome = apply::apply(connection, state, commit);
    match &outcome {
        Err(CommitError::Store(error)) if concerns_all(error) || connection.is_autocommit() => {
            return Err(error.clone());
        }
        Err(_) => {
            *state = before;
            run(connection, "ROLLBACK TO one")?;
        }
        Ok(_) => {}
    }
    run(connection, "RELEASE one")?;
    Ok(outcome)
}

/// Whether an error is about the file and not about what was to be written.
fn concerns_all(error: &StoreError) -> bool {
    match error {
        StoreError::Random(_) | StoreError::Failed(_) => false,
        StoreError::Busy
        | StoreError::Full
        | StoreError::ReadOnly
        | StoreError::Disk(_)
        | StoreError::Damaged(_)
        | StoreError::Newer { .. } => true,
    }
}

/// Gets hold of the file. SQLite's own way of waiting sleeps for milliseconds where others are done in microseconds.
fn begin(connection: &Connection, patience: Duration) -> Result<(), StoreError> {
    let (mut pause, longest) = PAUSES;
    let start = Instant::now();
    loop {
        match run(connection, "BEGIN IMMEDIATE") {
            Err(StoreError::Busy) if start.elapsed() < patience => thread::sleep(pause),
            other => return other,
        }
        pause = (pause * 2).min(longest);
    }
}

fn run(connection: &Connection, statement: &str) -> Result<(), StoreError> {
    connection.prepare_cached(statement).and_then(|mut prepared| prepared.execute([])).map_err(failure)?;
    Ok(())
}

fn lost() -> StoreError {
    StoreError::Failed("the one who wrote for several callers did not finish".to_owned())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What these protect is whole at every moment: a panic leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
