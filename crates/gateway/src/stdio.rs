//! One server over standard streams: the host on ours, the server on those of a child process.
//!
//! One thread reads the host, one the server, one looks after calls that wait. Whoever reads a message has it judged and
//! writes what follows, so that a message passes through without changing threads.

use std::io::{Read, Write};
use std::process::{ChildStdin, ExitStatus};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::Limits;
use portcullis_wire::rpc::{Id, failure};

use crate::backoff::Backoff;
use crate::child::{END, Force, LEAVE, Launch, LaunchError, Running, Streams, end_group, read_all};
use crate::relay::{Act, Relay};
use crate::sink::Sink;

/// How often answers are looked for while calls wait.
const LOOK: Duration = Duration::from_millis(50);
/// How often it is looked whether a server has read everything.
const GLANCE: Duration = Duration::from_millis(5);
/// A message that is too long cannot be read.
const TOO_LONG: i64 = -32_700;
/// So much of a line that a server complains is shown.
const LONGEST_COMPLAINT: usize = 8 << 10;

/// Everything that the threads share.
struct Shared<W> {
    relay: Mutex<Relay>,
    host: Sink<W>,
    server: Sink<ChildStdin>,
    /// The server that runs.
    process: Arc<AtomicU32>,
    notes: Box<dyn Fn(&str) + Send + Sync>,
    /// Wakes whoever looks after calls that wait.
    waits: Signal,
    /// Wakes whoever writes what the server did not take at once.
    backlog: Signal,
    host_left: AtomicBool,
    is_over: AtomicBool,
}

/// Something that one thread waits for.
#[derive(Default)]
struct Signal {
    is_given: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn give(&self) {
        let was_given =
            std::mem::replace(&mut *self.is_given.lock().unwrap_or_else(PoisonError::into_inner), true);
        // Whoever waits was told; waking nobody would cost every call a microsecond.
        if !was_given {
            self.changed.notify_all();
        }
    }

    fn wait(&self) {
        let mut is_given = self.is_given.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_given {
            is_given = self.changed.wait(is_given).unwrap_or_else(PoisonError::into_inner);
        }
        *is_given = false;
    }
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    /// How the server ended.
    pub status: ExitStatus,
    /// Whether the host left first.
    pub host_left: bool,
}

/// Runs a server for a host until the host leaves. A server that ended is started again, unless it never was of use or
/// ends again and again. Notes for whoever runs the gateway go to `notes`.
pub fn run<R, W>(
    relay: Relay,
    launch: &Launch,
    host_input: R,
    host_output: W,
    notes: Box<dyn Fn(&str) + Send + Sync>,
) -> Result<Ended, LaunchError>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let (mut running, Streams { input, mut output, mut errors }) = start(launch)?;
    let process = Arc::new(AtomicU32::new(running.id()));
    end_on_signal(Arc::clone(&process));
    let shared = Arc::new(Shared {
        relay: Mutex::new(relay),
        host: Sink::new(host_output),
        server: Sink::new(input),
        process,
        notes,
        waits: Signal::default(),
        backlog: Signal::default(),
        host_left: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
    });
    // The host's input cannot be interrupted, so nobody waits for this thread where the server ends first.
    let of_host = Arc::clone(&shared);
    std::thread::spawn(move || {
        of_host.read_host(host_input);
        of_host.host_left.store(true, Ordering::SeqCst);
        of_host.let_server_read();
        of_host.server.close();
        of_host.end_without_host();
    });
    let (of_time, of_backlog) = (Arc::clone(&shared), Arc::clone(&shared));
    let timer = std::thread::spawn(move || of_time.look_after_waiting());
    let writer = std::thread::spawn(move || of_backlog.write_backlog());
    let mut backoff = Backoff::default();
    let status = loop {
        let began = Instant::now();
        let of_errors = Arc::clone(&shared);
        // Nobody waits for it: what a server leaves behind may keep the stream open.
        std::thread::spawn(move || of_errors.read_complaints(errors));
        let status = shared.attend(&mut running, output)?;
        let Some(again) = shared.start_again(launch, &mut backoff, began.elapsed()) else { break status };
        (running, output, errors) = (again.0, again.1.output, again.1.errors);
        shared.server.reopen(again.1.input);
        shared.take(|relay| relay.server_restarted(Timestamp::now()));
    };
    // Whoever waited for another start of it is told.
    shared.take(|relay| relay.server_ended(Timestamp::now()));
    shared.take(|relay| relay.flush(Timestamp::now()));
    shared.end();
    let _ = (timer.join(), writer.join());
    Ok(Ended { status, host_left: shared.host_left.load(Ordering::SeqCst) })
}

/// Starts a server that keeps nobody who writes to it.
fn start(launch: &Launch) -> Result<(Running, Streams), LaunchError> {
    let (running, streams) = launch.start()?;
    match streams.write_without_waiting() {
        Ok(()) => Ok((running, streams)),
        Err(error) => {
            end_group(running.id(), Force::Kill);
            Err(LaunchError::Start { program: "the server".to_owned(), error })
        }
    }
}

/// Takes the server along when the gateway is told to end.
fn end_on_signal(server: Arc<AtomicU32>) {
    #[cfg(unix)]
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ]) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end_group(server.load(Ordering::SeqCst), Force::Ask);
                std::thread::sleep(Duration::from_millis(300));
                end_group(server.load(Ordering::SeqCst), Force::Kill);
                std::process::exit(128 + signal);
            }
        });
    }
    #[cfg(not(unix))]
    let _ = server;
}

impl<W: Write> Shared<W> {
    fn relay(&self) -> MutexGuard<'_, Relay> {
        self.relay.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a server until it ends, and tells whoever waits for it.
    fn attend(&self, running: &mut Running, output: impl Read) -> Result<ExitStatus, LaunchError> {
        self.read_server(output);
        let host_left = self.host_left.load(Ordering::SeqCst);
        self.take(|relay| {
            let acts = relay.server_ended(Timestamp::now());
            if !host_left && relay.was_useful() {
                relay.server_awaited();
            }
            acts
        });
        self.server.close();
        running.finish().map_err(|error| LaunchError::Start { program: "the server".to_owned(), error })
    }

    /// Starts a server that ended again, if that is of use.
    fn start_again(
        &self,
        launch: &Launch,
        backoff: &mut Backoff,
        mut lived: Duration,
    ) -> Option<(Running, Streams)> {
        loop {
            if self.host_left.load(Ordering::SeqCst) || !self.relay().was_useful() {
                return None;
            }
            let pause = backoff.after(lived)?;
            (self.notes)(&format!("the server ended; it is started again in {} ms", pause.as_millis()));
            let began = Instant::now();
            while began.elapsed() < pause {
                std::thread::sleep(LOOK.min(pause));
                if self.host_left.load(Ordering::SeqCst) {
                    return None;
                }
            }
            match start(launch) {
                Ok(started) => {
                    self.process.store(started.0.id(), Ordering::SeqCst);
                    return Some(started);
                }
                Err(error) => (self.notes)(&error.to_string()),
            }
            lived = Duration::ZERO;
        }
    }

    /// Writes what a server did not take at once, as it takes it.
    fn write_backlog(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            self.backlog.wait();
            while !self.is_over.load(Ordering::SeqCst) && self.server.has_backlog() {
                // Who is gone is noticed by the thread that reads from them.
                #[cfg(unix)]
                let _ = self.server.drain_slowly();
                #[cfg(not(unix))]
                let _ = self.server.drain();
            }
        }
    }

    fn read_host(&self, input: impl Read) {
        let mut lines = Lines::new(Limits::default().bytes);
        let read = read_all(input, &mut |bytes| {
            lines.push(bytes);
            while let Some(line) = lines.next_line() {
                let acts = |relay: &mut Relay| match line {
                    Line::Text(bytes) => relay.from_host(bytes, Timestamp::now()),
                    Line::TooLong { .. } => {
                        let text = "the message is too long to be read";
                        vec![Act::ToHost(failure(&Id::NULL, TOO_LONG, text, None))]
                    }
                };
                self.take(acts);
            }
            !self.is_over.load(Ordering::Relaxed)
        });
        if let Err(error) = read {
            (self.notes)(&format!("the host cannot be read: {error}"));
        }
    }

    fn read_server(&self, output: impl Read) {
        let mut lines = Lines::new(Limits::default().bytes);
        let read = read_all(output, &mut |bytes| {
            lines.push(bytes);
            while let Some(line) = lines.next_line() {
                match line {
                    Line::Text(bytes) => self.take(|relay| relay.from_server(bytes, Timestamp::now())),
                    Line::TooLong { head } => {
                        let why = "the server said something that is too long to be read";
                        self.take(|relay| relay.unreadable(&head, why, Timestamp::now()));
                    }
                }
            }
            true
        });
        if let Err(error) = read {
            (self.notes)(&format!("the server cannot be read: {error}"));
        }
    }

    fn read_complaints(&self, errors: impl Read) {
        let mut lines = Lines::new(LONGEST_COMPLAINT);
        let _ = read_all(errors, &mut |bytes| {
            lines.push(bytes);
            while let Some(line) = lines.next_line() {
                match line {
                    Line::Text(bytes) => (self.notes)(&String::from_utf8_lossy(&bytes)),
                    Line::TooLong { .. } => (self.notes)("(a long line of the server)"),
                }
            }
            true
        });
    }

    /// Lets the relay take something, and does what follows. What it says goes out in the order in which it said it.
    fn take(&self, step: impl FnOnce(&mut Relay) -> Vec<Act>) {
        let is_waiting = {
            let mut relay = self.relay();
            let acts = step(&mut relay);
            self.queue(acts);
            relay.is_waiting()
        };
        self.drain();
        if is_waiting {
            self.waits.give();
        }
    }

    fn queue(&self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::ToHost(bytes) => self.host.push(bytes),
                Act::ToServer(bytes) => self.server.push(bytes),
                Act::Call(permit, bytes) => self.server.call(permit, bytes),
                Act::Note(note) => (self.notes)(&note),
            }
        }
    }

    fn drain(&self) {
        // Whoever is gone is noticed by the thread that reads from them.
        let _ = self.server.drain();
        if self.server.has_backlog() {
            self.backlog.give();
        }
        let _ = self.host.drain();
    }

    /// What the host said last still reaches a server that reads it.
    fn let_server_read(&self) {
        let began = Instant::now();
        while self.server.has_backlog() && began.elapsed() < LEAVE {
            std::thread::sleep(GLANCE);
        }
    }

    /// A server that stays although its input is closed keeps its output open, for which the gateway would wait.
    fn end_without_host(&self) {
        for (time, force) in [(LEAVE, Force::Ask), (END, Force::Kill)] {
            let began = Instant::now();
            while began.elapsed() < time {
                if self.is_over.load(Ordering::SeqCst) {
                    return;
                }
                std::thread::sleep(LOOK);
            }
            end_group(self.process.load(Ordering::SeqCst), force);
        }
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.waits.give();
        self.backlog.give();
    }

    fn look_after_waiting(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            self.waits.wait();
            // First of all it sleeps: how a call ended is mostly written with the next call, and whoever looked at once would
            // stand in the way of that call.
            std::thread::sleep(LOOK);
            while !self.is_over.load(Ordering::SeqCst) && self.relay().is_waiting() {
                self.take(|relay| relay.tick(Timestamp::now()));
                std::thread::sleep(LOOK);
            }
        }
    }
}
