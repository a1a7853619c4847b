//! `portcullis issuers trust`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{IssuerAllowance, KeysOf, kind, trusting_issuer};
use portcullis_lattice::words::shown;
use portcullis_seal::KeySet;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Standing, Store, Trust};
use serde_json::json;

use super::super::read;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::sources::{Place, refresh_keys, told};
use crate::trusted::Trusted;
use crate::{when, whose};

/// What `issuers trust` needs.
#[derive(Args, Debug)]
pub(crate) struct TrustArgs {
    /// The issuer, exactly as its tokens have it in `iss`.
    #[arg(value_name = "ISSUER")]
    issuer: String,
    /// Who its tokens have to be meant for (`aud`), as you agreed with it.
    #[arg(long, value_name = "TEXT")]
    audience: String,
    /// Only for tools with this id; `acme.example/*` means all that begin so. May be given several times [default: every
    /// tool].
    #[arg(long, value_name = "TOOL")]
    tool: Vec<String>,
    /// Its keys: a JSON Web Key Set in a file. They stay as they are until you state others.
    #[arg(long, value_name = "FILE", required_unless_present = "jwks_url")]
    jwks: Option<PathBuf>,
    /// The address of its keys, from which they are fetched now and every day.
    #[arg(long, value_name = "URL", conflicts_with = "jwks")]
    jwks_url: Option<String>,
}

pub(super) const HELP: &str = r#"Example:

  portcullis issuers trust https://id.acme.example --audience portcullis --tool 'acme.example/*' \
    --jwks-url https://id.acme.example/.well-known/jwks.json

A token vouches for one definition of one tool at one version (docs/signing.md). Keys are fetched
beside your calls, never for one: at the start of a gateway, daily, when a token names a key that
is not known, and with `portcullis issuers refresh`. A key that is gone from there counts no more
from then on. What could not be fetched anew counts for a week."#;

pub(super) fn run(args: &TrustArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let keys = keys(args)?;
    for (option, text) in [("ISSUER", &args.issuer), ("--audience", &args.audience)] {
        if text.trim().is_empty() || text.len() > 512 {
            return Err(GateError::Said(format!("{option}: say it in 1 to 512 characters")).into());
        }
    }
    let store = Places::find()?.open_for_person()?;
    let trusted = Trusted::check(&*store)?;
    let tools = if args.tool.is_empty() { vec!["*".to_owned()] } else { args.tool.clone() };
    let allowance = IssuerAllowance { audience: args.audience.clone(), tools, keys };
    explain(&args.issuer, &allowance, &*store, out)?;
    if !confirmed(&trusted, "Trust it?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    trust(&*store, &args.issuer, &allowance, &trusted)?;
    writeln!(out, "trusted, from the next list and the next call on")?;
    if let KeysOf::At(address) = &allowance.keys {
        match refresh_keys(&*store, address, Timestamp::now()) {
            Ok(count) => writeln!(out, "{count} of its keys can be used")?,
            Err(error) => {
                writeln!(out, "its keys are not known yet: {}", shown(&error.to_string()))?;
                writeln!(out, "until they are, nothing that it vouches for counts; gateways try again")?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn keys(args: &TrustArgs) -> Result<KeysOf, Failure> {
    if let Some(file) = &args.jwks {
        let text = read(file)?;
        let unusable =
            |error| GateError::Said(format!("cannot use the keys in `{}`: {error}", file.display()));
        KeySet::read(&text).map_err(unusable)?;
        return Ok(KeysOf::Stated(text));
    }
    let address = args.jwks_url.as_deref().unwrap_or_default();
    let url = Place::address(address).map_err(|error| GateError::Said(format!("--jwks-url: {error}")))?;
    Ok(KeysOf::At(url.to_string()))
}

fn explain(
    issuer: &str,
    allowance: &IssuerAllowance,
    store: &dyn Store,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "{}, for tokens that are meant for {}", shown(issuer), shown(&allowance.audience))?;
    let tools = match allowance.tools.as_slice() {
        [all] if all == "*" => "every tool".to_owned(),
        tools => format!("the tools {}", shown(&tools.join(", "))),
    };
    writeln!(out, "What it vouches for can be called without a question: {tools}, by any server of yours.")?;
    match &allowance.keys {
        KeysOf::At(address) => writeln!(out, "Its keys are fetched from {}", shown(address))?,
        KeysOf::Stated(text) => {
            let set = KeySet::read(text).ok();
            let keys = set.iter().flat_map(KeySet::keys);
            keys.map(|(kid, key)| (shown(kid), key)).try_for_each(|(kid, key)| {
                writeln!(out, "Its key {kid}: {} ({})", key.id(), key.algorithm())
            })?;
        }
    }
    let known = store.issuers(Standing::Current)?.into_iter().find(|known| known.issuer == issuer);
    match known {
        Some(before) if before.trust == Trust::Revoked => {
            let (at, by) = (when::told(before.since), shown(&before.by));
            writeln!(out, "This issuer was revoked {at} by {by}: it would be believed again.")?;
        }
        Some(_) => writeln!(out, "It is trusted already: this takes the place of that.")?,
        None => {}
    }
    Ok(())
}

/// Trusting widens: who calls this has a trusted channel.
fn trust(store: &dyn Store, issuer: &str, allowance: &IssuerAllowance, _: &Trusted) -> Result<(), Failure> {
    let keys = match &allowance.keys {
        KeysOf::At(address) => told(address),
        KeysOf::Stated(_) => "stated".to_owned(),
    };
    let body = json!({
        "issuer": issuer, "audience": allowance.audience, "tools": allowance.tools, "keys": keys,
        "by": whose::user(), "channel": "terminal",
    });
    let entry = NewEntry::new(kind::ISSUER_TRUSTED, &body.to_string()).map_err(CommitError::from)?;
    let change = Change::SetIssuer(trusting_issuer(issuer, allowance, "user (terminal)"));
    store.commit(Commit::at(Timestamp::now()).entry(entry).change(change))?;
    Ok(())
}
