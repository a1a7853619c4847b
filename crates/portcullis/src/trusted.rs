//! A channel that no agent has: a terminal, and no agent among those from whom this process descends.
//!
//! What widens policy asks for a [`Trusted`], which only the check here makes. It keeps honest hosts with dishonest
//! agents out. It does not keep out a process of the same user that hides where it comes from; `docs/threat-model.md`
//! says how, and what to do about it.

mod ancestry;
mod known;

use std::io::IsTerminal;

use portcullis_store::{Session, SessionFilter, Store, StoreError};

use ancestry::Unseen;

/// The proof that a person can be asked here.
#[derive(Debug)]
pub(crate) struct Trusted {
    _only_made_here: (),
}

/// Why nobody is asked here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Distrust {
    #[error(
        "this needs a person at a terminal, and {0} is none; open a terminal of your own and run it there, without \
         pipes and files"
    )]
    NoTerminal(&'static str),
    #[error(
        "this needs the terminal that it was started in, and {0} is another one or was left behind; open another \
         terminal and run it there directly"
    )]
    NotOwn(&'static str),
    #[error(
        "this runs in the background of its terminal, where nobody types; bring it to the front with `fg`"
    )]
    Background,
    #[error(
        "it cannot be found out from whom this process descends ({0}), so that nobody can tell you from an agent; \
         nothing is widened here. Answer questions in the window of your host, and see docs/threat-model.md"
    )]
    Unseen(#[from] Unseen),
    #[error(
        "this terminal belongs to an agent: process {id} ({name}), from which this one descends, {what}. Open another \
         terminal, outside of it, and run this there"
    )]
    Descends { id: u32, name: String, what: Descent },
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// What an ancestor is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Descent {
    /// It is known by its name.
    Host,
    /// It started the servers of an open session.
    HostOf(String),
    /// It guards a server.
    Guard,
    /// It has a variable that hosts set for what agents run.
    Marked(String),
}

impl std::fmt::Display for Descent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Descent::Host => write!(formatter, "is a program in which agents run"),
            Descent::HostOf(session) => write!(formatter, "is the host of the open session {session}"),
            Descent::Guard => write!(formatter, "is `portcullis run`, which guards a server"),
            Descent::Marked(variable) => write!(formatter, "was started for an agent, as {variable} tells"),
        }
    }
}

impl Trusted {
    /// Makes sure that a person can be asked here, and no agent.
    pub(crate) fn check(store: &dyn Store) -> Result<Trusted, Distrust> {
        own_terminal()?;
        let sessions = store.sessions(SessionFilter::Open)?;
        let host = |session: Session| (session.key.host, session.id.to_string());
        let hosts: Vec<(String, String)> = sessions.into_iter().map(host).collect();
        ancestry::examine(&ancestry::System, std::process::id(), &hosts)?;
        Ok(Trusted { _only_made_here: () })
    }
}

/// Whether both streams are the terminal that this session of processes belongs to, and it is in front.
#[cfg(unix)]
fn own_terminal() -> Result<(), Distrust> {
    use nix::sys::termios::tcgetsid;
    use nix::unistd::{getpgrp, getsid, tcgetpgrp};
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let own = getsid(None).ok();
    let sessions = [
        ("standard input", input.is_terminal(), tcgetsid(&input).ok()),
        ("standard output", output.is_terminal(), tcgetsid(&output).ok()),
    ];
    for (name, is_terminal, session) in sessions {
        if !is_terminal {
            return Err(Distrust::NoTerminal(name));
        }
        if named(own).is_none() || named(session) != named(own) {
            return Err(Distrust::NotOwn(name));
        }
    }
    match named(tcgetpgrp(&input).ok()) {
        Some(front) if front == getpgrp() => Ok(()),
        _ => Err(Distrust::Background),
    }
}

/// A session or group that can be told from others. One whose leader is outside of this world of processes (a container,
/// `unshare --pid`) is 0, like every other that is.
#[cfg(unix)]
fn named(process: Option<nix::unistd::Pid>) -> Option<nix::unistd::Pid> {
    process.filter(|process| process.as_raw() > 0)
}

#[cfg(not(unix))]
fn own_terminal() -> Result<(), Distrust> {
    Err(Unseen::NoProcesses.into())
}

/// Forgets what was typed before the question was there: it cannot have been meant for it.
pub(crate) fn forget_typed() {
    #[cfg(unix)]
    // A stream that is no terminal has nothing to forget.
    let _ = rustix::termios::tcflush(rustix::stdio::stdin(), rustix::termios::QueueSelector::IFlush);
}
