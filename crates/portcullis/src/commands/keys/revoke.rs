//! `portcullis keys revoke`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{kind, revoking};
use portcullis_lattice::words::shown;
use portcullis_seal::KeyId;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Signer, Standing, Trust};
use serde_json::json;

use crate::confirm::{Yes, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::whose;

/// What `keys revoke` needs.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The key: the name of one that you trust or have, or the thumbprint of any. All keys of a name are meant.
    #[arg(value_name = "NAME|KEY")]
    key: String,
    /// Do not ask: this only makes things stricter.
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &RevokeArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let store = places.open_for_person()?;
    let known = store.signers(Standing::Current)?;
    let keys = meant(&args.key, &known, &places);
    let is_revoked =
        |key: &KeyId| known.iter().any(|signer| signer.key == key.as_str() && signer.trust == Trust::Revoked);
    if keys.is_empty() {
        let told = format!(
            "no key `{}` is known, and it is no thumbprint; see `portcullis keys list`",
            shown(&args.key)
        );
        return Err(GateError::Said(told).into());
    }
    let keys: Vec<(KeyId, String)> = keys.into_iter().filter(|(key, _)| !is_revoked(key)).collect();
    if keys.is_empty() {
        writeln!(out, "it was revoked already")?;
        return Ok(ExitCode::SUCCESS);
    }
    for (key, name) in &keys {
        writeln!(out, "{key}  {}", shown(name))?;
    }
    writeln!(out, "Nothing that is signed with it could be called any more, whoever else trusts it.")?;
    if !confirmed_by_anybody("Revoke it?", Yes::from_option(args.yes), out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let mut commit = Commit::at(Timestamp::now());
    for (key, name) in &keys {
        let body = json!({"key": key.to_string(), "name": name, "by": whose::user(), "channel": "command"});
        let entry = NewEntry::new(kind::KEY_REVOKED, &body.to_string()).map_err(CommitError::from)?;
        let before = known.iter().find(|signer| signer.key == key.as_str());
        let change = Change::SetSigner(revoking(key, name, before, "user (command)"));
        commit = commit.entry(entry).change(change);
    }
    store.commit(commit)?;
    writeln!(out, "revoked, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

/// The keys that a text means, with what they are called.
fn meant(text: &str, known: &[Signer], places: &Places) -> Vec<(KeyId, String)> {
    let mut keys: Vec<(KeyId, String)> = Vec::new();
    for signer in known.iter().filter(|signer| signer.name == text || signer.key == text) {
        keys.extend(signer.key.parse().ok().map(|key| (key, signer.name.clone())));
    }
    if let Ok(own) = places.own_keys().read(text) {
        keys.push((own.public().id().clone(), text.to_owned()));
    }
    if keys.is_empty() {
        keys.extend(text.parse().ok().map(|key| (key, "(not known)".to_owned())));
    }
    keys.sort();
    keys.dedup_by(|one, other| one.0 == other.0);
    keys
}
