//! `portcullis bundle`: signed lists of whom and what to trust, of a team or a registry.

mod add;
mod list;
mod refresh;
mod remove;
mod sign;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;
use portcullis_lattice::words::shown;
use portcullis_store::{Bundle, Standing, Store};

use crate::failure::Failure;
use crate::gate::GateError;

/// What can be done with trust bundles.
#[derive(Subcommand, Debug)]
pub(crate) enum BundleCommand {
    /// Take a trust bundle, and newer versions of it from then on.
    ///
    /// This needs a terminal that no agent has.
    #[command(after_long_help = add::HELP)]
    Add(add::AddArgs),
    /// List the trust bundles that count, with their age.
    List(list::ListArgs),
    /// Read the trust bundles again where they come from.
    Refresh(refresh::RefreshArgs),
    /// Take a trust bundle no more. What it revoked counts no more either.
    ///
    /// This needs a terminal that no agent has. An older version of it is not taken later.
    Remove(remove::RemoveArgs),
    /// Sign a trust bundle, for those who make one.
    #[command(after_long_help = sign::HELP)]
    Sign(sign::SignArgs),
}

pub(crate) fn run(command: &BundleCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        BundleCommand::Add(args) => add::run(args, out),
        BundleCommand::List(args) => list::run(args, out),
        BundleCommand::Refresh(args) => refresh::run(args, out),
        BundleCommand::Remove(args) => remove::run(args, out),
        BundleCommand::Sign(args) => sign::run(args, out),
    }
}

/// The bundle of this name.
fn named(store: &dyn Store, name: &str) -> Result<Bundle, Failure> {
    let found = store.bundles(Standing::Current)?.into_iter().find(|kept| kept.name == name);
    let unknown = || {
        GateError::Said(format!("there is no trust bundle `{}`; see `portcullis bundle list`", shown(name)))
    };
    Ok(found.ok_or_else(unknown)?)
}
