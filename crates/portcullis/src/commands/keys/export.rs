//! `portcullis keys export`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use portcullis_lattice::words::shown;
use portcullis_seal::PrivateKey;
use portcullis_store::{Signer, Standing};

use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::own_keys::{OwnKeyError, write_private};
use crate::places::Places;
use crate::trusted::Trusted;

/// What `keys export` needs.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// Which key: one of yours, or one that you trust.
    #[arg(value_name = "NAME")]
    name: String,
    /// The private key instead. Whoever has it can sign as you. This needs a terminal that no agent has.
    #[arg(long)]
    private: bool,
    /// Write it to a new file, which only you may read if it is private.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(args: &ExportArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    match places.own_keys().read(&args.name) {
        Ok(key) if args.private => private(args, &places, &key, out),
        Ok(key) => public(args, &key.public().write(), out),
        Err(OwnKeyError::Unknown { name }) if !args.private => {
            let unknown = || GateError::from(OwnKeyError::Unknown { name });
            let signers = places.look().ok().map(|store| store.signers(Standing::Current)).transpose()?;
            let is_meant = |signer: &&Signer| signer.name == args.name && !signer.public.is_empty();
            let signer = signers.iter().flatten().find(is_meant).ok_or_else(unknown)?;
            public(args, &signer.public, out)
        }
        Err(error) => Err(error.into()),
    }
}

fn public(args: &ExportArgs, text: &str, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match &args.output {
        Some(path) => {
            let failed = |error| Failure::WriteFile { path: path.clone(), error };
            std::fs::write(path, format!("{text}\n")).map_err(failed)?;
        }
        None => writeln!(out, "{text}")?,
    }
    Ok(ExitCode::SUCCESS)
}

fn private(
    args: &ExportArgs,
    places: &Places,
    key: &PrivateKey,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let trusted = Trusted::check(&*places.open_for_person()?)?;
    writeln!(
        out,
        "Whoever has the private key of {} can sign as you, until it is revoked.",
        shown(&args.name)
    )?;
    if !confirmed(&trusted, "Give it out?", out)? {
        writeln!(out, "nothing was given out")?;
        return Ok(ExitCode::from(1));
    }
    let text = key.write().map_err(|error| GateError::Said(error.to_string()))?;
    match &args.output {
        Some(path) => {
            let failed = |error| Failure::WriteFile { path: path.clone(), error };
            write_private(path, text.reveal()).map_err(failed)?;
        }
        None => writeln!(out, "{}", text.reveal())?,
    }
    Ok(ExitCode::SUCCESS)
}
