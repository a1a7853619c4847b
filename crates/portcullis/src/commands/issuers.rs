//! `portcullis issuers`: identity providers whose tokens may vouch for definitions.

mod list;
mod refresh;
mod revoke;
mod trust;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// What can be done with issuers.
#[derive(Subcommand, Debug)]
pub(crate) enum IssuersCommand {
    /// Trust an identity provider: tools that it vouches for can be called without a question.
    ///
    /// This needs a terminal that no agent has. An issuer that was revoked is believed again by this.
    #[command(after_long_help = trust::HELP)]
    Trust(trust::TrustArgs),
    /// List the identity providers that you trust or revoked, with the age of their keys.
    List(list::ListArgs),
    /// Revoke an identity provider: nothing that it vouches for can be called any more.
    Revoke(revoke::RevokeArgs),
    /// Fetch the keys of identity providers now.
    Refresh(refresh::RefreshArgs),
}

pub(crate) fn run(command: &IssuersCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        IssuersCommand::Trust(args) => trust::run(args, out),
        IssuersCommand::List(args) => list::run(args, out),
        IssuersCommand::Revoke(args) => revoke::run(args, out),
        IssuersCommand::Refresh(args) => refresh::run(args, out),
    }
}
