//! `portcullis issuers list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{KEYS_COUNT, trust_roots, trusted_issuer};
use portcullis_lattice::words::shown;
use portcullis_seal::{Issuer, KeySet, TrustRoots};
use portcullis_store::{Fetch, Standing, Store, Trust};
use serde::Serialize;

use super::super::print_plain_json_line;
use crate::failure::Failure;
use crate::places::{Places, PlacesError};
use crate::sources::told;
use crate::when;

/// What `issuers list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// An issuer for scripts.
#[derive(Serialize)]
struct IssuerReport {
    /// `trusted`, `revoked`, or `bundle` if a trust bundle trusts it.
    state: &'static str,
    issuer: String,
    audience: Option<String>,
    tools: Vec<String>,
    address: Option<String>,
    /// The names of the keys that count now.
    keys: Vec<String>,
    /// When they were fetched.
    fetched: Option<String>,
    /// Why they could not be fetched since.
    trouble: Option<String>,
    since: Option<String>,
    by: Option<String>,
    /// The key of the trust bundle that trusts it.
    bundle: Option<String>,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let now = Timestamp::now();
    let reports = match Places::find()?.look() {
        Ok(store) => reports(&*store, now)?,
        Err(PlacesError::Nothing(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    if reports.is_empty() && !args.json {
        writeln!(out, "no identity provider is trusted; see `portcullis issuers trust --help`")?;
    }
    for (report, fetch) in &reports {
        match args.json {
            true => print_plain_json_line(report, out)?,
            false => print(report, fetch.as_ref(), now, out)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn reports(store: &dyn Store, now: Timestamp) -> Result<Vec<(IssuerReport, Option<Fetch>)>, Failure> {
    let fetches = store.fetches()?;
    let roots = trust_roots(store, &TrustRoots::default(), now)?.trusted;
    let mut reports = Vec::new();
    for kept in &store.issuers(Standing::Current)? {
        let issuer = trusted_issuer(kept);
        let mut report = report(issuer.as_ref(), &kept.issuer, &fetches, &roots);
        report.0.state = if kept.trust == Trust::Trusted { "trusted" } else { "revoked" };
        (report.0.since, report.0.by) = (Some(when::told(kept.since)), Some(kept.by.clone()));
        reports.push(report);
    }
    // Also those that the user trusts too: a bundle may trust them for more.
    for issuer in roots.issuers().filter(|issuer| issuer.bundle.is_some()) {
        reports.push(report(Some(issuer), &issuer.issuer, &fetches, &roots));
    }
    Ok(reports)
}

fn report(
    issuer: Option<&Issuer>,
    name: &str,
    fetches: &[Fetch],
    roots: &TrustRoots,
) -> (IssuerReport, Option<Fetch>) {
    let address = issuer.and_then(Issuer::address).map(str::to_owned);
    let fetch = fetches.iter().find(|fetch| Some(&fetch.address) == address.as_ref()).cloned();
    let bundle = issuer.and_then(|issuer| issuer.bundle.as_ref());
    let is_it = |known: &&Issuer| known.issuer == name && known.bundle.as_ref() == bundle;
    let known = roots.issuers().filter(is_it).filter_map(Issuer::key_set);
    let mut keys: Vec<String> = known.flat_map(KeySet::keys).map(|(kid, _)| kid.to_owned()).collect();
    keys.sort();
    keys.dedup();
    let got = fetch.as_ref().and_then(|fetch| fetch.got.as_ref());
    let report = IssuerReport {
        state: "bundle",
        issuer: name.to_owned(),
        audience: issuer.map(|issuer| issuer.audience.clone()),
        tools: issuer.iter().flat_map(|issuer| issuer.tools.iter().map(str::to_owned)).collect(),
        address: address.as_deref().map(told),
        keys,
        fetched: got.map(|(_, at)| at.to_string()),
        trouble: fetch.as_ref().and_then(|fetch| fetch.trouble.clone()),
        since: None,
        by: None,
        bundle: bundle.map(ToString::to_string),
    };
    (report, fetch)
}

fn print(
    report: &IssuerReport,
    fetch: Option<&Fetch>,
    now: Timestamp,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let state = if report.state == "bundle" { "trusted" } else { report.state };
    writeln!(out, "{state:<7}  {}", shown(&report.issuer))?;
    if let Some(audience) = &report.audience {
        let tools = shown(&report.tools.join(", "));
        writeln!(out, "         for tools {tools}, in tokens that are meant for {}", shown(audience))?;
    }
    if let Some(address) = &report.address {
        writeln!(out, "         keys from {}: {}", shown(address), age(fetch, now))?;
    }
    if let Some(trouble) = &report.trouble {
        writeln!(out, "         the last try failed: {}", shown(trouble))?;
    }
    if !report.keys.is_empty() {
        writeln!(out, "         keys that count: {}", shown(&report.keys.join(", ")))?;
    }
    match (&report.since, &report.by) {
        (Some(since), Some(by)) => writeln!(out, "         since {since}, by {}", shown(by)),
        _ => {
            let bundle = report.bundle.as_deref().unwrap_or_default();
            writeln!(out, "         by the trust bundle that is signed with {bundle}")
        }
    }
}

/// How old the keys are, and whether they still count.
fn age(fetch: Option<&Fetch>, now: Timestamp) -> String {
    match fetch.and_then(|fetch| fetch.got.as_ref()) {
        None => "never fetched".to_owned(),
        Some((_, at)) if now.duration_since(*at) >= KEYS_COUNT => {
            format!("fetched {}, too long ago to count", when::told(*at))
        }
        Some((_, at)) => format!("fetched {} ({})", when::told(*at), when::age(*at, now)),
    }
}
