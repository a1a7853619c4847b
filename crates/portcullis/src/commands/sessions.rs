//! `portcullis sessions`: who works where.

mod end;
mod list;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;
use portcullis_store::{Session, SessionFilter, SessionId, Store};

use crate::failure::Failure;
use crate::gate::GateError;

/// What can be done with sessions.
#[derive(Subcommand, Debug)]
pub(crate) enum SessionsCommand {
    /// List sessions: where they work, for whom, and what belongs to them.
    List(list::ListArgs),
    /// End sessions: their rules and approvals are void, their questions withdrawn.
    ///
    /// What the session knew of its data is forgotten too, such as that a secret was read, so this needs a terminal
    /// that no agent has. A server that still runs for an ended session refuses every call; its host begins a new
    /// session when it starts the server again. Labels of files belong to the workspace and stay.
    End(end::EndArgs),
}

pub(crate) fn run(command: &SessionsCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        SessionsCommand::List(args) => list::run(args, out),
        SessionsCommand::End(args) => end::run(args, out),
    }
}

/// The session whose name begins so, if it is the only one.
pub(crate) fn named(store: &dyn Store, text: &str) -> Result<SessionId, Failure> {
    let sessions = store.sessions(SessionFilter::All)?;
    let fits = |session: &&Session| session.id.to_string().starts_with(text);
    let found: Vec<&Session> = sessions.iter().filter(fits).collect();
    let told = portcullis_lattice::words::shown(text);
    match found.as_slice() {
        [session] if !text.is_empty() => Ok(session.id),
        [] => Err(GateError::Said(format!(
            "there is no session `{told}`; see `portcullis sessions list --all`"
        ))
        .into()),
        _ => {
            Err(GateError::Said(format!("several sessions begin with `{told}`; write more of its name"))
                .into())
        }
    }
}
