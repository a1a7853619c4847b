//! `portcullis bundle sign`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_seal::{BundleForm, KeyId};
use portcullis_store::{Standing, Store, Trust};
use serde_json::{Value, json};

use super::super::read;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::{Places, PlacesError};
use crate::trusted::Trusted;
use crate::when::{self, Toward};

/// What `bundle sign` needs.
#[derive(Args, Debug)]
pub(crate) struct SignArgs {
    /// What the bundle says, in JSON.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The key to sign with, one of yours. Whoever takes the bundle has to trust it.
    #[arg(long, value_name = "NAME")]
    key: String,
    /// The number of this version, if the file does not have it. It has to grow with every change.
    #[arg(long = "version", value_name = "NUMBER")]
    bundle_version: Option<u64>,
    /// Until when it holds, if the file does not say it: a time, or a length of time such as 30d.
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) const HELP: &str = r#"Example:

  portcullis bundle sign team.json --key team --version 7 --expires 30d --output team.jws

The file has any of `keys`, `issuers`, `revoked_keys`, `revoked_tools` and `pinned`;
docs/signing.md shows each. When it was issued is filled in. Take one key for one bundle: who
takes it counts its versions by the key. If you take the bundle here yourself, or trust the key, you
are asked, at a terminal that no agent has."#;

pub(super) fn run(args: &SignArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let form = form(args, Timestamp::now())?;
    let places = Places::find()?;
    let key = places.own_keys().read(&args.key)?;
    if !may_sign(&places, key.public().id(), out)? {
        writeln!(out, "nothing was signed")?;
        return Ok(ExitCode::from(1));
    }
    let signed = form.sign(&key).map_err(|error| unusable(args, &error))?;
    match &args.output {
        Some(path) => {
            let failed = |error| Failure::WriteFile { path: path.clone(), error };
            std::fs::write(path, format!("{signed}\n")).map_err(failed)?;
        }
        None => writeln!(out, "{signed}")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the key is believed here, only a person may sign with it: an agent would have what it likes trusted.
fn may_sign(places: &Places, key: &KeyId, out: &mut impl Write) -> Result<bool, Failure> {
    let store = match places.look() {
        Ok(store) => store,
        Err(PlacesError::Nothing(_)) => return Ok(true),
        Err(error) => return Err(error.into()),
    };
    let Some(told) = believed(&*store, key)? else { return Ok(true) };
    let trusted = Trusted::check(&*store)?;
    writeln!(out, "{told}")?;
    confirmed(&trusted, "Sign it?", out)
}

/// What follows here from a signature with this key, if anything does: who has it signed has what they want trusted.
fn believed(store: &dyn Store, key: &KeyId) -> Result<Option<String>, Failure> {
    let bundles = store.bundles(Standing::Current)?;
    if let Some(kept) = bundles.iter().find(|kept| kept.key == key.as_str()) {
        let name = shown(&kept.name);
        return Ok(Some(format!(
            "You take the trust bundle {name} of this key: what is signed may count here."
        )));
    }
    let mut signers = store.signers(Standing::Current)?.into_iter();
    let signer = signers.find(|signer| signer.key == key.as_str() && signer.trust == Trust::Trusted);
    Ok(signer.map(|signer| format!("You trust this key, as {}.", shown(&signer.name))))
}

/// What the file says, with what the command adds to it.
fn form(args: &SignArgs, now: Timestamp) -> Result<BundleForm, Failure> {
    let text = read(&args.file)?;
    let mut form: Value = serde_json::from_str(&text).map_err(|error| unusable(args, &error))?;
    let members = form.as_object_mut().ok_or_else(|| unusable(args, &"a bundle is an object"))?;
    // Nobody means fractions of a second.
    let issued = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let expires = args.expires.as_deref().map(|text| when::read(text, Toward::Future, now)).transpose();
    let expires = expires.map_err(|error| GateError::Said(format!("--expires: {error}")))?;
    let stated = [
        ("format", Some(json!(1))),
        ("issued", Some(json!(issued.to_string()))),
        ("version", args.bundle_version.map(|version| json!(version))),
        ("expires", expires.map(|expires| json!(expires.to_string()))),
    ];
    for (name, value) in stated {
        if let Some(value) = value {
            let is_said_twice = members.contains_key(name) && matches!(name, "version" | "expires");
            if is_said_twice {
                return Err(unusable(args, &format!("`{name}` is said in the file and by the command")));
            }
            members.entry(name).or_insert(value);
        }
    }
    // What stands there twice is refused by the strict reading of the file itself.
    BundleForm::parse(&text_of(&form, &text, args)?).map_err(|error| unusable(args, &error))
}

/// The members together, if the file can be read in one way only.
fn text_of(form: &Value, text: &str, args: &SignArgs) -> Result<String, Failure> {
    let limits = portcullis_wire::json::Limits::default();
    portcullis_wire::json::Document::parse(text, &limits).map_err(|error| unusable(args, &error))?;
    Ok(form.to_string())
}

fn unusable(args: &SignArgs, error: &dyn std::fmt::Display) -> Failure {
    GateError::Said(format!("`{}`: {error}", args.file.display())).into()
}
