//! A server that is a child process. One thread keeps it: starts it, reads what it says, and starts it again when it ends.
//! Another one writes to it, so that a server that reads nothing keeps nobody.

use std::io::{Read, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use portcullis_gateway::Backoff;
use portcullis_gateway::child::{END, Force, LEAVE, Launch, Streams, end_group, read_all};
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::Limits;

use super::Link;
use crate::connection::Connection;

/// So many bytes wait at most for a server that reads nothing.
const MOST_WAITING: usize = 64 << 20;
/// So much longer than it takes to end a server it is waited for it.
const MARGIN: Duration = Duration::from_secs(1);
/// So much of a line that a server complains is shown.
const LONGEST_COMPLAINT: usize = 8 << 10;

/// A child process that is kept running.
pub(super) struct ChildLink {
    shared: Arc<Shared>,
    done: Mutex<Receiver<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// Tells that it is over.
    changed: Condvar,
    waiting: Arc<AtomicUsize>,
}

#[derive(Default)]
struct State {
    input: Option<Sender<Vec<u8>>>,
    process: Option<u32>,
    is_over: bool,
}

impl ChildLink {
    pub(super) fn start(launch: Launch, server: usize, connection: Weak<Connection>) -> ChildLink {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
            waiting: Arc::new(AtomicUsize::new(0)),
        });
        // What is sent before the process runs waits for it.
        let (input, lines) = channel();
        shared.state().input = Some(input);
        let keeper = Keeper { launch, server, connection, shared: Arc::clone(&shared) };
        let (tell, done) = channel();
        std::thread::spawn(move || {
            keeper.keep(lines);
            // Nobody waits where the program does not end.
            let _ = tell.send(());
        });
        ChildLink { shared, done: Mutex::new(done) }
    }
}

impl Link for ChildLink {
    fn send(&self, message: Vec<u8>) {
        let state = self.shared.state();
        let waiting = self.shared.waiting.fetch_add(message.len(), Ordering::SeqCst) + message.len();
        if waiting > MOST_WAITING {
            // It reads nothing: its end is noticed by who keeps it.
            state.process.into_iter().for_each(|process| end_group(process, Force::Kill));
        } else if let Some(input) = &state.input {
            // Who keeps it notices that it is gone.
            let _ = input.send(message);
        }
    }

    fn close(&self) {
        let process = {
            let mut state = self.shared.state();
            let was_over = std::mem::replace(&mut state.is_over, true);
            state.input = None;
            self.shared.changed.notify_all();
            state.process.filter(|_| !was_over)
        };
        // A server that stays although its input is closed keeps its output open, for which the keeper would wait.
        if let Some(process) = process {
            let shared = Arc::clone(&self.shared);
            std::thread::spawn(move || shared.end(process));
        }
    }

    fn wait(&self) {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        // What a server leaves behind may keep its streams open for ever.
        let _ = done.recv_timeout(LEAVE + END + MARGIN);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a process that does not leave by itself.
    fn end(&self, process: u32) {
        for (time, force) in [(LEAVE, Force::Ask), (END, Force::Kill)] {
            let is_here = |state: &mut State| state.process == Some(process);
            let waited = self.changed.wait_timeout_while(self.state(), time, is_here);
            let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.process != Some(process) {
                return;
            }
            drop(state);
            end_group(process, force);
        }
    }

    /// Waits, unless it is over.
    fn pause(&self, time: Duration) {
        let goes_on = |state: &mut State| !state.is_over;
        // Whoever is woken looks again.
        drop(self.changed.wait_timeout_while(self.state(), time, goes_on));
    }
}

/// Who keeps a process running.
struct Keeper {
    launch: Launch,
    server: usize,
    connection: Weak<Connection>,
    shared: Arc<Shared>,
}

impl Keeper {
    fn keep(&self, mut lines: Receiver<Vec<u8>>) {
        let mut backoff = Backoff::default();
        loop {
            let began = Instant::now();
            self.run_once(lines);
            let Some(connection) = self.connection.upgrade() else { return };
            if self.shared.state().is_over {
                return connection.server_ended(self.server);
            }
            let Some(pause) = backoff.after(began.elapsed()) else {
                connection.note("the server ended again and again, so it is not started any more");
                return connection.server_ended(self.server);
            };
            connection.note(&format!("the server ended; it is started again in {} ms", pause.as_millis()));
            drop(connection);
            self.shared.pause(pause);
            let (input, next) = channel();
            {
                let mut state = self.shared.state();
                if state.is_over {
                    return;
                }
                state.input = Some(input);
            }
            self.shared.waiting.store(0, Ordering::SeqCst);
            lines = next;
            let Some(connection) = self.connection.upgrade() else { return };
            connection.server_restarted(self.server);
        }
    }

    /// Starts the process and reads it until it ends.
    fn run_once(&self, lines: Receiver<Vec<u8>>) {
        if self.shared.state().is_over {
            return;
        }
        let (mut running, Streams { input, output, errors }) = match self.launch.start() {
            Ok(started) => started,
            Err(error) => {
                self.note(&error.to_string());
                return self.await_another();
            }
        };
        let is_over = {
            let mut state = self.shared.state();
            state.process = Some(running.id());
            state.is_over
        };
        if is_over {
            // Whoever closed it did not know of this process.
            let (shared, process) = (Arc::clone(&self.shared), running.id());
            std::thread::spawn(move || shared.end(process));
        }
        let waiting = Arc::clone(&self.shared.waiting);
        std::thread::spawn(move || write_lines(input, &lines, &waiting));
        let (connection, server) = (Weak::clone(&self.connection), self.server);
        std::thread::spawn(move || read_complaints(errors, &connection));
        self.read_lines(output, server);
        self.await_another();
        if let Err(error) = running.finish() {
            self.note(&format!("it is not known how the server ended: {error}"));
        }
        self.shared.state().process = None;
        self.shared.changed.notify_all();
    }

    /// It has ended; whoever calls it now waits for another.
    fn await_another(&self) {
        self.shared.state().input = None;
        if let Some(connection) = self.connection.upgrade() {
            connection.server_awaited(self.server);
        }
    }

    fn read_lines(&self, output: impl Read, server: usize) {
        let mut lines = Lines::new(Limits::default().bytes);
        let read = read_all(output, &mut |bytes| {
            lines.push(bytes);
            let Some(connection) = self.connection.upgrade() else { return false };
            while let Some(line) = lines.next_line() {
                match line {
                    Line::Text(bytes) => connection.server_says(server, bytes, None),
                    Line::TooLong { head } => {
                        let why = "the server said something that is too long to be read";
                        connection.unreadable(server, &head, why);
                    }
                }
            }
            true
        });
        if let Err(error) = read {
            self.note(&format!("the server cannot be read: {error}"));
        }
    }

    fn note(&self, note: &str) {
        if let Some(connection) = self.connection.upgrade() {
            connection.note(note);
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<Vec<u8>>, waiting: &AtomicUsize) {
    for mut line in lines {
        let length = line.len();
        line.push(b'\n');
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
        // What was counted for the process before may be gone already.
        let _ = waiting
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |bytes| Some(bytes.saturating_sub(length)));
    }
}

fn read_complaints(errors: impl Read, connection: &Weak<Connection>) {
    let mut lines = Lines::new(LONGEST_COMPLAINT);
    // Who complains no more has ended, which is noticed elsewhere.
    let _ = read_all(errors, &mut |bytes| {
        lines.push(bytes);
        while let Some(line) = lines.next_line() {
            let Some(connection) = connection.upgrade() else { continue };
            match line {
                Line::Text(bytes) => connection.note(&String::from_utf8_lossy(&bytes)),
                Line::TooLong { .. } => connection.note("(a long line of the server)"),
            }
        }
        true
    });
}
