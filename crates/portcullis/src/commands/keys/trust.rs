//! `portcullis keys trust`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{Allowance, kind, trusting};
use portcullis_lattice::words::shown;
use portcullis_seal::PublicKey;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Signer, Standing, Store, Trust};
use serde_json::json;

use crate::commands::read;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::{when, whose};

/// What `keys trust` needs.
#[derive(Args, Debug)]
pub(crate) struct TrustArgs {
    /// The public key: a JSON Web Key.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What you call whoever has the private key. Keys of one name are one signer.
    #[arg(long, value_name = "NAME")]
    name: String,
    /// Only for this provider; `acme.*` means all that begin so. May be given several times [default: every provider].
    #[arg(long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// Only for tools with this id; `acme.example/*` means all that begin so. May be given several times [default: every
    /// tool].
    #[arg(long, value_name = "TOOL")]
    tool: Vec<String>,
}

pub(super) const HELP: &str = r#"Example:

  portcullis keys trust acme.json --name Acme --provider acme.example --tool 'acme.example/*'

Compare the thumbprint that is shown with what the provider publishes elsewhere: whoever changed
the file on its way could sign for them. Every change is recorded (`portcullis audit list --kind
key-trusted`)."#;

pub(super) fn run(args: &TrustArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let unusable = |error: &dyn std::fmt::Display| {
        Failure::from(GateError::Said(format!("cannot use the key in `{}`: {error}", args.file.display())))
    };
    let key = PublicKey::read(&read(&args.file)?).map_err(|error| unusable(&error))?;
    if args.name.trim().is_empty() || args.name.len() > 100 {
        return Err(GateError::Said("--name: say in 1 to 100 characters whose key it is".to_owned()).into());
    }
    if args.name.contains("://") {
        let told = "--name: this looks like an issuer, and keys of one name are one signer; take another";
        return Err(GateError::Said(told.to_owned()).into());
    }
    let store = Places::find()?.open_for_person()?;
    let trusted = Trusted::check(&*store)?;
    let all = |names: &[String]| if names.is_empty() { vec!["*".to_owned()] } else { names.to_vec() };
    let allowance = Allowance { providers: all(&args.provider), tools: all(&args.tool) };
    explain(args, &key, &allowance, &*store, out)?;
    if !confirmed(&trusted, "Trust it?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    trust(&*store, &key, &args.name, &allowance, &trusted)?;
    writeln!(out, "trusted, from the next list and the next call on")?;
    Ok(ExitCode::SUCCESS)
}

fn explain(
    args: &TrustArgs,
    key: &PublicKey,
    allowance: &Allowance,
    store: &dyn Store,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let named = |names: &[String], word: &str| match names {
        [all] if all == "*" => format!("every {word}"),
        names => format!("the {word}s {}", shown(&names.join(", "))),
    };
    writeln!(out, "{} ({}), as {}", key.id(), key.algorithm(), shown(&args.name))?;
    let (tools, providers) = (named(&allowance.tools, "tool"), named(&allowance.providers, "provider"));
    writeln!(
        out,
        "What it signs can be called without a question: {tools} of {providers}, by any server of yours."
    )?;
    let known = store.signers(Standing::Current)?;
    let is_this = |signer: &&Signer| signer.key == key.id().as_str();
    match known.iter().find(is_this) {
        Some(before) if before.trust == Trust::Revoked => {
            let (at, by) = (when::told(before.since), shown(&before.by));
            writeln!(out, "This key was revoked {at} by {by}: it would be believed again.")?;
        }
        Some(before) => {
            writeln!(out, "It is trusted already, as {}: this takes the place of that.", shown(&before.name))?
        }
        None => {}
    }
    let shares_name =
        |signer: &Signer| signer.name == args.name && signer.trust == Trust::Trusted && !is_this(&signer);
    if known.iter().any(shares_name) {
        writeln!(out, "You trust another key under this name: the two count as one signer.")?;
    }
    Ok(())
}

/// Trusting widens: who calls this has a trusted channel.
fn trust(
    store: &dyn Store,
    key: &PublicKey,
    name: &str,
    allowance: &Allowance,
    _: &Trusted,
) -> Result<(), Failure> {
    let body = json!({
        "key": key.id().to_string(), "name": name, "providers": allowance.providers, "tools": allowance.tools,
        "by": whose::user(), "channel": "terminal",
    });
    let entry = NewEntry::new(kind::KEY_TRUSTED, &body.to_string()).map_err(CommitError::from)?;
    let change = Change::SetSigner(trusting(key, name, allowance, "user (terminal)"));
    store.commit(Commit::at(Timestamp::now()).entry(entry).change(change))?;
    Ok(())
}
