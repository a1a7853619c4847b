//! `portcullis bundle remove`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, NewEntry};
use serde_json::json;

use super::named;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::places::Places;
use crate::sources::told;
use crate::trusted::Trusted;
use crate::whose;

/// What `bundle remove` needs.
#[derive(Args, Debug)]
pub(crate) struct RemoveArgs {
    /// Which one.
    #[arg(value_name = "NAME")]
    name: String,
}

/// What it revoked counts no more, so that this may widen.
pub(super) fn run(args: &RemoveArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let kept = named(&*store, &args.name)?;
    let trusted = Trusted::check(&*store)?;
    writeln!(out, "{}, version {}, from {}", shown(&kept.name), kept.version, shown(&told(&kept.source)))?;
    writeln!(out, "What it trusts and approves counts no more, and what it revokes is no longer revoked.")?;
    if !confirmed(&trusted, "Remove it?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let body = json!({
        "name": kept.name, "key": kept.key, "version": kept.version, "by": whose::user(), "channel": "terminal",
    });
    let entry = NewEntry::new(kind::BUNDLE_REMOVED, &body.to_string()).map_err(CommitError::from)?;
    let change = Change::RemoveBundle { key: kept.key, by: "user (terminal)".to_owned() };
    store.commit(Commit::at(Timestamp::now()).entry(entry).change(change))?;
    writeln!(out, "removed, from the next list and the next call on")?;
    Ok(ExitCode::SUCCESS)
}
