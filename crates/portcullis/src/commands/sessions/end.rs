//! `portcullis sessions end`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Session, SessionFilter, Store};
use serde_json::json;

use super::named;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::whose;

/// What `sessions end` needs.
#[derive(Args, Debug)]
pub(crate) struct EndArgs {
    /// The sessions, named by their first digits.
    #[arg(value_name = "SESSION", required_unless_present = "gone")]
    sessions: Vec<String>,
    /// All whose host no longer runs.
    #[arg(long, conflicts_with = "sessions")]
    gone: bool,
}

pub(super) fn run(args: &EndArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let sessions = chosen(args, &*store)?;
    if sessions.is_empty() {
        writeln!(out, "no open session has a host that is gone")?;
        return Ok(ExitCode::SUCCESS);
    }
    let trusted = Trusted::check(&*store)?;
    for session in &sessions {
        writeln!(out, "{}  {}, {} steps", session.id, shown(&session.key.workspace), session.step)?;
    }
    writeln!(
        out,
        "Their rules and approvals will be void, and what they know of secrets that were read is forgotten."
    )?;
    if !confirmed(&trusted, "End them?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    for session in sessions {
        end(&*store, &session, &trusted)?;
        writeln!(out, "{} has ended", session.id)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn chosen(args: &EndArgs, store: &dyn Store) -> Result<Vec<Session>, Failure> {
    let open = store.sessions(SessionFilter::Open)?;
    if args.gone {
        let is_gone = |session: &Session| whose::runs(&session.key.host) == Some(false);
        return Ok(open.into_iter().filter(is_gone).collect());
    }
    let find = |text: &String| {
        let id = named(store, text)?;
        let ended = || GateError::Said(format!("session {id} has ended already"));
        Ok(open.iter().find(|session| session.id == id).cloned().ok_or_else(ended)?)
    };
    args.sessions.iter().map(find).collect()
}

/// Forgetting is widening: who calls this has a trusted channel.
fn end(store: &dyn Store, session: &Session, _: &Trusted) -> Result<(), Failure> {
    let body = json!({"workspace": session.key.workspace, "steps": session.step, "by": whose::user(), "channel": "terminal"});
    let entry = NewEntry::new(kind::SESSION_ENDED, &body.to_string()).map_err(CommitError::from)?;
    store.commit(Commit::at(Timestamp::now()).in_session(session.id).entry(entry).change(Change::End))?;
    Ok(())
}
