//! `portcullis issuers refresh`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;

use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::sources::{addresses, refresh_keys};

/// What `issuers refresh` needs.
#[derive(Args, Debug)]
pub(crate) struct RefreshArgs {
    /// Only the keys of this issuer [default: all that are fetched].
    #[arg(value_name = "ISSUER")]
    issuer: Option<String>,
}

pub(super) fn run(args: &RefreshArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let now = Timestamp::now();
    let mut meant = addresses(&*store, now)?;
    if let Some(issuer) = &args.issuer {
        meant.retain(|(_, named)| named == issuer);
        if meant.is_empty() {
            let told = format!("no keys are fetched for `{}`; see `portcullis issuers list`", shown(issuer));
            return Err(GateError::Said(told).into());
        }
    }
    let mut are_all_there = true;
    for (address, issuer) in meant {
        match refresh_keys(&*store, &address, now) {
            Ok(count) => writeln!(out, "{}: {count} keys that can be used", shown(&issuer))?,
            Err(error) => {
                are_all_there = false;
                writeln!(out, "{}: {}; what is known stays", shown(&issuer), shown(&error.to_string()))?;
            }
        }
    }
    Ok(if are_all_there { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
