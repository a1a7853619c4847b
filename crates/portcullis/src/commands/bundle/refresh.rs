//! `portcullis bundle refresh`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_store::Standing;

use super::named;
use crate::failure::Failure;
use crate::places::Places;
use crate::sources::{Taken, refresh_bundle};

/// What `bundle refresh` needs.
#[derive(Args, Debug)]
pub(crate) struct RefreshArgs {
    /// Only this one [default: all].
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(super) fn run(args: &RefreshArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let meant = match &args.name {
        Some(name) => vec![named(&*store, name)?],
        None => store.bundles(Standing::Current)?,
    };
    let mut are_all_there = true;
    for kept in meant {
        let name = shown(&kept.name);
        match refresh_bundle(&*store, &kept, Timestamp::now()) {
            Ok(Taken::Same) => writeln!(out, "{name}: version {} is still the newest", kept.version)?,
            Ok(Taken::Newer(bundle)) => {
                writeln!(out, "{name}: version {} in place of {}", bundle.version(), kept.version)?;
            }
            Ok(Taken::Replaced) => {
                are_all_there = false;
                writeln!(out, "{name}: it was removed or replaced meanwhile, so that nothing was taken")?;
            }
            Err(error) => {
                are_all_there = false;
                let (version, error) = (kept.version, shown(&error.to_string()));
                writeln!(out, "{name}: {error}; version {version} stays")?;
            }
        }
    }
    Ok(if are_all_there { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
