//! `portcullis keys list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use portcullis_gateway::trusted_key;
use portcullis_lattice::words::shown;
use portcullis_seal::TrustedKey;
use portcullis_store::{Signer, Standing, Trust};
use serde::Serialize;

use super::super::print_plain_json_line;
use crate::failure::Failure;
use crate::places::{Places, PlacesError};
use crate::when;

/// What `keys list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// A key for scripts.
#[derive(Serialize)]
struct KeyReport {
    /// `own`, `trusted` or `revoked`.
    state: &'static str,
    name: String,
    key: String,
    algorithm: Option<String>,
    providers: Vec<String>,
    tools: Vec<String>,
    since: Option<String>,
    by: Option<String>,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let own = places.own_keys();
    let mut reports = Vec::new();
    for name in own.names()? {
        match own.read(&name) {
            Ok(key) => reports.push(own_report(&name, key.public())),
            // The others are still worth seeing.
            Err(error) => crate::cli::tell(&error.into()),
        }
    }
    match places.look() {
        Ok(store) => reports.extend(store.signers(Standing::Current)?.iter().map(report)),
        // Whoever only signs has no store.
        Err(PlacesError::Nothing(_)) => {}
        Err(error) => return Err(error.into()),
    }
    if reports.is_empty() && !args.json {
        writeln!(
            out,
            "there are no keys: `portcullis keys new NAME` makes one to sign with, and `portcullis keys trust FILE --name \
             NAME` trusts that of a provider"
        )?;
    }
    for report in &reports {
        match args.json {
            true => print_plain_json_line(report, out)?,
            false => print(report, out)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn own_report(name: &str, key: &portcullis_seal::PublicKey) -> KeyReport {
    KeyReport {
        state: "own",
        name: name.to_owned(),
        key: key.id().to_string(),
        algorithm: Some(key.algorithm().to_string()),
        providers: Vec::new(),
        tools: Vec::new(),
        since: None,
        by: None,
    }
}

fn report(signer: &Signer) -> KeyReport {
    let known = trusted_key(signer);
    let list = |names: fn(&TrustedKey) -> &portcullis_seal::Names| -> Vec<String> {
        known.iter().flat_map(|key| names(key).iter().map(str::to_owned)).collect()
    };
    KeyReport {
        state: match signer.trust {
            Trust::Trusted => "trusted",
            Trust::Revoked => "revoked",
        },
        name: signer.name.clone(),
        key: signer.key.clone(),
        algorithm: known.as_ref().map(|key| key.key.algorithm().to_string()),
        providers: list(|key| &key.providers),
        tools: list(|key| &key.tools),
        since: Some(when::told(signer.since)),
        by: Some(signer.by.clone()),
    }
}

fn print(report: &KeyReport, out: &mut impl Write) -> std::io::Result<()> {
    let algorithm = report.algorithm.as_deref().unwrap_or("-");
    writeln!(out, "{:<7}  {}  {algorithm}  {}", report.state, shown(&report.key), shown(&report.name))?;
    let names = |names: &[String]| shown(&names.join(", "));
    if report.state == "trusted" {
        writeln!(out, "         for tools {} of {}", names(&report.tools), names(&report.providers))?;
    }
    if let (Some(since), Some(by)) = (&report.since, &report.by) {
        writeln!(out, "         since {since}, by {}", shown(by))?;
    }
    Ok(())
}
