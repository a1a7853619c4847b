//! `portcullis bundle list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kept_bundle;
use portcullis_lattice::words::shown;
use portcullis_seal::Bundle;
use portcullis_store::{Bundle as Kept, Fetch, Standing};
use serde::Serialize;

use super::super::print_plain_json_line;
use crate::failure::Failure;
use crate::places::{Places, PlacesError};
use crate::sources::{noted_as, told};
use crate::when;

/// What `bundle list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// A bundle for scripts.
#[derive(Serialize)]
struct BundleReport {
    name: String,
    /// `fresh`, or `over` if only its revocations count.
    state: &'static str,
    key: String,
    source: String,
    version: u64,
    issued: String,
    expires: String,
    taken: String,
    by: String,
    /// When it was looked at last where it comes from.
    checked: Option<String>,
    trouble: Option<String>,
    keys: usize,
    issuers: usize,
    pinned: usize,
    revoked_keys: usize,
    revoked_tools: usize,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = match Places::find()?.look() {
        Ok(store) => Some(store),
        Err(PlacesError::Nothing(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let (kept, fetches) = match &store {
        Some(store) => (store.bundles(Standing::Current)?, store.fetches()?),
        None => (Vec::new(), Vec::new()),
    };
    if kept.is_empty() && !args.json {
        writeln!(out, "there is no trust bundle; see `portcullis bundle add --help`")?;
    }
    let now = Timestamp::now();
    for kept in &kept {
        let bundle = kept_bundle(kept)?;
        let fetch = fetches.iter().find(|fetch| fetch.address == noted_as(kept));
        match args.json {
            true => print_plain_json_line(&report(kept, &bundle, fetch, now), out)?,
            false => print(kept, &bundle, fetch, now, out)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn report(kept: &Kept, bundle: &Bundle, fetch: Option<&Fetch>, now: Timestamp) -> BundleReport {
    BundleReport {
        name: kept.name.clone(),
        state: if bundle.freshness(now).is_over() { "over" } else { "fresh" },
        key: kept.key.clone(),
        source: told(&kept.source),
        version: kept.version,
        issued: bundle.issued().to_string(),
        expires: bundle.expires().to_string(),
        taken: kept.taken.to_string(),
        by: kept.by.clone(),
        checked: fetch.and_then(|fetch| fetch.got.as_ref()).map(|(_, at)| at.to_string()),
        trouble: fetch.and_then(|fetch| fetch.trouble.clone()),
        keys: bundle.keys().len(),
        issuers: bundle.issuers().len(),
        pinned: bundle.pinned().len(),
        revoked_keys: bundle.revoked_keys().len(),
        revoked_tools: bundle.revoked_tools().len(),
    }
}

fn print(
    kept: &Kept,
    bundle: &Bundle,
    fetch: Option<&Fetch>,
    now: Timestamp,
    out: &mut impl Write,
) -> std::io::Result<()> {
    writeln!(out, "{}  version {}, from {}", shown(&kept.name), kept.version, shown(&told(&kept.source)))?;
    let (issued, expires) = (when::ago(bundle.issued(), now), when::told(bundle.expires()));
    match bundle.freshness(now).is_over() {
        true => writeln!(out, "  over since {expires}: only what it revokes counts (issued {issued})")?,
        false => writeln!(out, "  issued {issued}, holds until {expires}")?,
    }
    let checked = fetch.and_then(|fetch| fetch.got.as_ref()).map_or(kept.taken, |(_, at)| *at);
    writeln!(out, "  looked at {}", when::ago(checked, now))?;
    if let Some(trouble) = fetch.and_then(|fetch| fetch.trouble.as_ref()) {
        let counts = match bundle.freshness(now).is_over() {
            true => "the last try failed, so that this one is all there is",
            false => "the last try failed, so that this one still counts",
        };
        writeln!(out, "  {counts}: {}", shown(trouble))?;
    }
    let revoked = bundle.revoked_keys().len() + bundle.revoked_tools().len();
    writeln!(
        out,
        "  {} keys, {} issuers, {} approved definitions, {revoked} revocations",
        bundle.keys().len(),
        bundle.issuers().len(),
        bundle.pinned().len()
    )?;
    writeln!(out, "  signed with {}, taken {} by {}", kept.key, when::told(kept.taken), shown(&kept.by))
}
