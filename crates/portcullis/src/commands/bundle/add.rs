//! `portcullis bundle add`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_seal::{Bundle, Names, PublicKey, RevokedTool};
use portcullis_store::{Standing, Store};

use super::super::read;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::sources::{self, Place, told};
use crate::trusted::Trusted;
use crate::when;

/// What `bundle add` needs.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The bundle: a file, or an address from which it is fetched now and every hour.
    #[arg(value_name = "FILE|URL")]
    source: String,
    /// The public key that it has to be signed with, now and later: a JSON Web Key.
    #[arg(long, value_name = "FILE")]
    root: PathBuf,
    /// What you call it.
    #[arg(long, value_name = "NAME")]
    name: String,
}

pub(super) const HELP: &str = r#"Example:

  portcullis bundle add https://trust.acme.example/team.jws --root acme.json --name team

Whoever has the private key of --root says whom and what you trust: compare its thumbprint with
what they publish elsewhere. Newer versions are taken by themselves, older ones never, also after
the bundle was removed. When it cannot be read, the last good one counts until it is over; then
its revocations count and nothing else of it."#;

pub(super) fn run(args: &AddArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if args.name.trim().is_empty() || args.name.len() > 100 {
        return Err(GateError::Said("--name: say in 1 to 100 characters what it is called".to_owned()).into());
    }
    let unusable =
        |error| GateError::Said(format!("cannot use the key in `{}`: {error}", args.root.display()));
    let root = PublicKey::read(&read(&args.root)?).map_err(unusable)?;
    let store = Places::find()?.open_for_person()?;
    // An agent makes nobody fetch anything.
    let trusted = Trusted::check(&*store)?;
    sources::refuse_twice(&*store, &root, &args.name)?;
    let place = Place::new(&args.source).map_err(sources::SourceError::from)?;
    let text = sources::read(&place).map_err(sources::SourceError::from)?;
    let now = Timestamp::now();
    let bundle = sources::verified(&*store, &root, &place, &text, now)?;
    explain(&bundle, &args.name, &place, now, out)?;
    explain_before(&*store, &root, &args.name, &place, out)?;
    if !confirmed(&trusted, "Take it?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    sources::take(&*store, &root, (&args.name, "user (terminal)"), &place, &text, Timestamp::now())?;
    writeln!(out, "taken, from the next list and the next call on")?;
    Ok(ExitCode::SUCCESS)
}

/// What it takes the place of.
fn explain_before(
    store: &dyn Store,
    root: &PublicKey,
    name: &str,
    place: &Place,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let of_key = store.bundles(Standing::Current)?.into_iter().find(|kept| kept.key == root.id().as_str());
    if let Some(kept) = of_key.filter(|kept| kept.name != name || kept.source != place.to_string()) {
        let (name, source) = (shown(&kept.name), shown(&told(&kept.source)));
        writeln!(out, "You have a bundle of this key already, {name} from {source}: this takes its place.")?;
    }
    Ok(())
}

fn explain(
    bundle: &Bundle,
    name: &str,
    place: &Place,
    now: Timestamp,
    out: &mut impl Write,
) -> std::io::Result<()> {
    writeln!(out, "{}, version {}, from {}", shown(name), bundle.version(), shown(&place.told()))?;
    writeln!(out, "signed with {}", bundle.signer())?;
    let (issued, expires) = (when::told(bundle.issued()), when::told(bundle.expires()));
    let over = if bundle.freshness(now).is_over() { ": it is over, only what it revokes counts" } else { "" };
    writeln!(out, "issued {issued}, holds until {expires}{over}")?;
    for key in bundle.keys() {
        let named = |names: &Names| shown(&names.iter().collect::<Vec<_>>().join(", "));
        writeln!(out, "  trusts the key {} of {}", key.key.id(), shown(&key.name))?;
        writeln!(out, "    for tools {} of providers {}", named(&key.tools), named(&key.providers))?;
    }
    for issuer in bundle.issuers() {
        let tools = issuer.tools.iter().collect::<Vec<_>>().join(", ");
        let audience = shown(&issuer.audience);
        writeln!(out, "  trusts the issuer {}", shown(&issuer.issuer))?;
        writeln!(out, "    for tools {}, in tokens that are meant for {audience}", shown(&tools))?;
        match issuer.address() {
            Some(address) => writeln!(out, "    with keys from {}", shown(&told(address)))?,
            None => writeln!(out, "    with keys that it states")?,
        }
    }
    for pinned in bundle.pinned() {
        writeln!(out, "  approves {} as {}", shown(&pinned.tool), pinned.definition)?;
    }
    for key in bundle.revoked_keys() {
        writeln!(out, "  revokes the key {key}")?;
    }
    for tool in bundle.revoked_tools() {
        match tool {
            RevokedTool::Definition(definition) => writeln!(out, "  revokes {definition}")?,
            RevokedTool::Versions { tool_id, .. } => {
                writeln!(out, "  revokes versions of {}", shown(tool_id))?;
            }
        }
    }
    writeln!(
        out,
        "What it trusts and approves can be called without a question, by any server of yours, and so"
    )?;
    writeln!(out, "can what newer versions of it will.")
}
