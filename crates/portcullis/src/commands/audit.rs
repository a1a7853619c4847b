//! `portcullis audit`: what was decided, and the proof that nothing of it was taken away.

mod export;
mod list;
mod show;
mod told;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;
use portcullis_store::Entry;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;
pub(crate) use told::{Told, deeds};

/// What can be done with the audit log.
#[derive(Subcommand, Debug)]
pub(crate) enum AuditCommand {
    /// List what was decided, answered and changed, the newest last.
    #[command(after_long_help = list::HELP)]
    List(list::ListArgs),
    /// Tell everything about one entry.
    Show(show::ShowArgs),
    /// Check that no entry was changed, removed, added or moved.
    ///
    /// Exits with 0 if the log is whole, with 1 if it is not, and with 2 if it cannot be read.
    #[command(after_long_help = verify::HELP)]
    Verify(verify::VerifyArgs),
    /// Write the log as JSON Lines, in a form that can be verified without the store.
    #[command(after_long_help = export::HELP)]
    Export(export::ExportArgs),
}

pub(crate) fn run(command: &AuditCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        AuditCommand::List(args) => list::run(args, out),
        AuditCommand::Show(args) => show::run(args, out),
        AuditCommand::Verify(args) => verify::run(args, out),
        AuditCommand::Export(args) => export::run(args, out),
    }
}

/// An entry for scripts.
#[derive(Serialize)]
struct EntryReport<'e> {
    sequence: u64,
    time: String,
    session: Option<String>,
    kind: &'e str,
    body: Option<&'e RawValue>,
    hash: String,
}

impl<'e> EntryReport<'e> {
    fn of(entry: &'e Entry) -> EntryReport<'e> {
        EntryReport {
            sequence: entry.sequence,
            time: entry.time.to_string(),
            session: entry.session.map(|session| session.to_string()),
            kind: &entry.kind,
            // What is no JSON was changed; `audit verify` says so.
            body: serde_json::from_str(&entry.body).ok(),
            hash: entry.hash.to_string(),
        }
    }
}
