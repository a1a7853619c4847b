//! `portcullis keys`: keys to sign definitions with, and whose signatures count.

mod export;
mod list;
mod new;
mod revoke;
mod trust;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// What can be done with keys.
#[derive(Subcommand, Debug)]
pub(crate) enum KeysCommand {
    /// Make a key of your own, to sign definitions with.
    #[command(after_long_help = new::HELP)]
    New(new::NewArgs),
    /// List your own keys, and those that you trust or revoked.
    List(list::ListArgs),
    /// Print the public key of yours that others need to trust what you sign, or one that you trust.
    Export(export::ExportArgs),
    /// Trust a public key: what it signs can be called without a question.
    ///
    /// This needs a terminal that no agent has. A key that was revoked is believed again by this.
    #[command(after_long_help = trust::HELP)]
    Trust(trust::TrustArgs),
    /// Revoke a key: nothing that it signed can be called any more.
    Revoke(revoke::RevokeArgs),
}

pub(crate) fn run(command: &KeysCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        KeysCommand::New(args) => new::run(args, out),
        KeysCommand::List(args) => list::run(args, out),
        KeysCommand::Export(args) => export::run(args, out),
        KeysCommand::Trust(args) => trust::run(args, out),
        KeysCommand::Revoke(args) => revoke::run(args, out),
    }
}
