//! `portcullis invariant remove`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, Invariant, InvariantId, NewEntry, Standing, Store};
use serde_json::json;

use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::whose;

/// What `invariant remove` needs.
#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// The number of the rule, as `invariant list` shows it.
    #[arg(value_name = "NUMBER")]
    id: u64,
}

pub(super) fn run(args: &RemoveArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let id = InvariantId::new(args.id);
    let missing = || {
        let told = "rules of files have no number and are removed in the file";
        GateError::Said(format!("no rule {id} of yours is in force; see `portcullis invariant list`; {told}"))
    };
    let kept =
        store.invariants(Standing::Current)?.into_iter().find(|kept| kept.id == id).ok_or_else(missing)?;
    let trusted = Trusted::check(&*store)?;
    writeln!(out, "“{}”", shown(&kept.sentence))?;
    writeln!(
        out,
        "What it refuses and asks about will be decided by rules and answers alone, in all sessions."
    )?;
    if !confirmed(&trusted, "Remove it?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    remove(&*store, &kept, &trusted)?;
    writeln!(out, "removed, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

/// Removing widens: who calls this has a trusted channel.
fn remove(store: &dyn Store, kept: &Invariant, _: &Trusted) -> Result<(), Failure> {
    let body = json!({"id": kept.id.to_string(), "sentence": kept.sentence, "by": whose::user(), "channel": "terminal"});
    let entry = NewEntry::new(kind::INVARIANT_REMOVED, &body.to_string()).map_err(CommitError::from)?;
    let change = Change::RemoveInvariant { id: kept.id, by: whose::user() };
    store.commit(Commit::at(Timestamp::now()).entry(entry).change(change))?;
    Ok(())
}
