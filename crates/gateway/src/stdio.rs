//! One server over standard streams: the host on ours, the server on those of a child process.
//!
//! One thread reads the host, one the server, one looks after calls that wait. Whoever reads a message has it judged and
//! writes what follows, so that a message passes through without changing threads.

use std::io::{Read, Write};
use std::process::{ChildStdin, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::Limits;
use portcullis_wire::rpc::{Id, failure};

use crate::child::{END, Force, LEAVE, Launch, LaunchError, Running, Streams, end_group, read_all};
use crate::relay::{Act, Relay};
use crate::sink::Sink;

/// How often answers are looked for while calls wait.
const LOOK: Duration = Duration::from_millis(50);
/// A message that is too long cannot be read.
const TOO_LONG: i64 = -32_700;
/// So much of a line that a server complains is shown.
const LONGEST_COMPLAINT: usize = 8 << 10;

/// Everything that the threads share.
struct Shared<W> {
    relay: Mutex<Relay>,
    host: Sink<W>,
    server: Sink<ChildStdin>,
    notes: Box<dyn Fn(&str) + Send + Sync>,
    /// Wakes whoever looks after calls that wait.
    waits: (Mutex<bool>, Condvar),
    is_over: AtomicBool,
}

/// How it ended.
#[derive(Debug)]
pub struct Ended {
    /// How the server ended.
    pub status: ExitStatus,
    /// Whether the host left first.
    pub host_left: bool,
}

/// Runs a server for a host until one of them leaves. Notes for whoever runs the gateway go to `notes`.
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
    let (mut running, Streams { input, output, errors }) = launch.start()?;
    end_on_signal(running.id());
    let shared = Arc::new(Shared {
        relay: Mutex::new(relay),
        host: Sink::new(host_output),
        server: Sink::new(input),
        notes,
        waits: (Mutex::new(false), Condvar::new()),
        is_over: AtomicBool::new(false),
    });
    // The host's input cannot be interrupted, so nobody waits for this thread where the server ends first.
    let host_left = Arc::new(AtomicBool::new(false));
    let (of_host, left, server) = (Arc::clone(&shared), Arc::clone(&host_left), running.id());
    std::thread::spawn(move || {
        of_host.read_host(host_input);
        left.store(true, Ordering::SeqCst);
        of_host.server.close();
        of_host.end_without_host(server);
    });
    let of_time = Arc::clone(&shared);
    let timer = std::thread::spawn(move || of_time.look_after_waiting());
    let of_errors = Arc::clone(&shared);
    let complaints = std::thread::spawn(move || of_errors.read_complaints(errors));
    shared.read_server(output);
    let acts = shared.relay().server_ended(Timestamp::now());
    shared.perform(acts);
    shared.end();
    let ended = finish(&mut running, &shared, host_left.load(Ordering::SeqCst));
    // They end by themselves; what they would say if they panicked has been said.
    let _ = (timer.join(), complaints.join());
    ended
}

fn finish<W: Write>(
    running: &mut Running,
    shared: &Shared<W>,
    host_left: bool,
) -> Result<Ended, LaunchError> {
    shared.server.close();
    match running.finish() {
        Ok(status) => Ok(Ended { status, host_left }),
        Err(error) => Err(LaunchError::Start { program: "the server".to_owned(), error }),
    }
}

/// Takes the server along when the gateway is told to end.
fn end_on_signal(server: u32) {
    #[cfg(unix)]
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ]) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end_group(server, Force::Ask);
                std::thread::sleep(Duration::from_millis(300));
                end_group(server, Force::Kill);
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
            self.wake();
        }
    }

    fn perform(&self, acts: Vec<Act>) {
        self.queue(acts);
        self.drain();
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
        let _ = self.host.drain();
    }

    fn wake(&self) {
        *self.waits.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.waits.1.notify_all();
    }

    /// A server that stays although its input is closed keeps its output open, for which the gateway would wait.
    fn end_without_host(&self, server: u32) {
        for (time, force) in [(LEAVE, Force::Ask), (END, Force::Kill)] {
            let began = Instant::now();
            while began.elapsed() < time {
                if self.is_over.load(Ordering::SeqCst) {
                    return;
                }
                std::thread::sleep(LOOK);
            }
            end_group(server, force);
        }
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.wake();
    }

    fn look_after_waiting(&self) {
        while !self.is_over.load(Ordering::SeqCst) {
            let mut is_awake = self.waits.0.lock().unwrap_or_else(PoisonError::into_inner);
            while !*is_awake {
                is_awake = self.waits.1.wait(is_awake).unwrap_or_else(PoisonError::into_inner);
            }
            *is_awake = false;
            drop(is_awake);
            while !self.is_over.load(Ordering::SeqCst) && self.relay().is_waiting() {
                std::thread::sleep(LOOK);
                self.take(|relay| relay.tick(Timestamp::now()));
            }
        }
    }
}
