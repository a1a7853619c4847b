//! `portcullis issuers revoke`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{kind, revoking_issuer};
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Standing, Trust};
use serde_json::json;

use crate::confirm::{Yes, confirmed_by_anybody};
use crate::failure::Failure;
use crate::places::Places;
use crate::whose;

/// What `issuers revoke` needs.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The issuer, exactly as its tokens have it in `iss`.
    #[arg(value_name = "ISSUER")]
    issuer: String,
    /// Do not ask: this only makes things stricter.
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &RevokeArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.open_for_person()?;
    let known = store.issuers(Standing::Current)?.into_iter().find(|known| known.issuer == args.issuer);
    if known.as_ref().is_some_and(|known| known.trust == Trust::Revoked) {
        writeln!(out, "it was revoked already")?;
        return Ok(ExitCode::SUCCESS);
    }
    if known.is_none() {
        writeln!(out, "You do not trust {} by yourself; a trust bundle may.", shown(&args.issuer))?;
    }
    writeln!(out, "Nothing that it vouches for could be called any more, whoever else trusts it.")?;
    if !confirmed_by_anybody("Revoke it?", Yes::from_option(args.yes), out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let body = json!({"issuer": args.issuer, "by": whose::user(), "channel": "command"});
    let entry = NewEntry::new(kind::ISSUER_REVOKED, &body.to_string()).map_err(CommitError::from)?;
    let change = Change::SetIssuer(revoking_issuer(&args.issuer, known.as_ref(), "user (command)"));
    store.commit(Commit::at(Timestamp::now()).entry(entry).change(change))?;
    writeln!(out, "revoked, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}
