//! `portcullis sign`: definitions of tools, signed.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_seal::{Claims, Digest, PrivateKey, Profile, definition};
use portcullis_wire::json::{Document, Limits};
use semver::Version;

use super::read;
use super::served::SourceArgs;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::when::{self, Toward};

/// What `sign` needs.
#[derive(Args, Debug)]
pub(crate) struct SignArgs {
    /// The key to sign with, one of yours.
    #[arg(long, value_name = "NAME")]
    key: String,
    /// Who provides the tools, such as acme.example.
    #[arg(long, value_name = "PROVIDER")]
    provider: String,
    /// The version of the definitions, such as 1.4.0. Other content needs a higher one.
    #[arg(long = "version", value_name = "VERSION")]
    tool_version: String,
    /// What stands before a tool's name in its id, which is the same in all versions [default: the provider and a slash].
    #[arg(long, value_name = "TEXT")]
    tool_id_prefix: Option<String>,
    /// Until when the signatures hold: a time, or a length of time such as 90d [default: until the key is revoked].
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    /// The OpenAPI document behind the tools, in JSON; its hash is signed too.
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// What the tools do, in JSON: one profile for all, or an object with one for each by name.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
}

pub(crate) const HELP: &str = r#"Examples:

  portcullis sign --key acme --provider acme.example --version 1.4.0 tools.json > signed.json
  portcullis sign --key acme --provider acme.example --version 1.4.0 --expires 90d -- node server.js

The answer is an object with `tools`, each as it was with a member in its `_meta`; hosts that do
not know it are unharmed. Serve them so, or let `portcullis run --sign-with` do it for a server
that cannot. docs/signing.md says what is signed and how."#;

/// What is said of all tools alike.
pub(super) struct Signing {
    provider: String,
    prefix: String,
    version: Version,
    expires: Option<Timestamp>,
    contract: Option<Digest>,
    profiles: Profiles,
    key: PrivateKey,
}

/// What the tools do.
enum Profiles {
    Unsaid,
    Alike(Profile),
    ByName(BTreeMap<String, Profile>),
}

pub(crate) fn run(args: &SignArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let now = Timestamp::now();
    let signing = signing(args, now)?;
    let served = args.source.definitions()?;
    let mut signed = Vec::new();
    for (name, raw) in &served {
        let tool = signing.sign(name, raw, now).map_err(|error| {
            GateError::Said(format!("the tool `{}`: {error}; nothing was signed", shown(name)))
        })?;
        signed.push(String::from_utf8_lossy(&tool).into_owned());
    }
    let text = format!("{{\"tools\":[\n{}\n]}}\n", signed.join(",\n"));
    match &args.output {
        Some(path) => {
            let failed = |error| Failure::WriteFile { path: path.clone(), error };
            std::fs::write(path, text).map_err(failed)?;
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn signing(args: &SignArgs, now: Timestamp) -> Result<Signing, Failure> {
    let expires = args.expires.as_deref().map(|text| when::read(text, Toward::Future, now));
    let expires = expires.transpose().map_err(|error| GateError::Said(format!("--expires: {error}")))?;
    let mut signing = Signing::new(&args.key, &args.provider, &args.tool_version)?;
    if let Some(prefix) = &args.tool_id_prefix {
        signing.prefix.clone_from(prefix);
    }
    signing.expires = expires;
    signing.contract = args.contract.as_deref().map(contract).transpose()?;
    signing.profiles = args.profile.as_deref().map_or(Ok(Profiles::Unsaid), profiles)?;
    Ok(signing)
}

fn document(path: &Path) -> Result<Document, Failure> {
    let unusable = |error: &dyn std::fmt::Display| GateError::Said(format!("`{}`: {error}", path.display()));
    Ok(Document::parse(read(path)?, &Limits::default()).map_err(|error| unusable(&error))?)
}

fn contract(path: &Path) -> Result<Digest, Failure> {
    let hash = Digest::of_document(document(path)?.root());
    Ok(hash.map_err(|error| GateError::Said(format!("`{}`: {error}", path.display())))?)
}

fn profiles(path: &Path) -> Result<Profiles, Failure> {
    let document = document(path)?;
    let read = |node| {
        let unusable = |error| GateError::Said(format!("`{}`: {error}", path.display()));
        Profile::of_node(node).map_err(unusable)
    };
    if document.root().get("effects").is_some() || !document.root().is_object() {
        return Ok(Profiles::Alike(read(document.root())?));
    }
    let by_name = document.root().members().map(|(name, node)| Ok((name.into_owned(), read(node)?)));
    Ok(Profiles::ByName(by_name.collect::<Result<_, GateError>>()?))
}

impl Signing {
    /// Signatures by one of the user's own keys, without expiry, contract and profiles.
    pub(super) fn new(key: &str, provider: &str, version: &str) -> Result<Signing, Failure> {
        let no_version = |error| {
            GateError::Said(format!("`{}` is no semantic version such as 1.4.0: {error}", shown(version)))
        };
        Ok(Signing {
            provider: provider.to_owned(),
            prefix: format!("{provider}/"),
            version: version.parse().map_err(no_version)?,
            expires: None,
            contract: None,
            profiles: Profiles::Unsaid,
            key: Places::find()?.own_keys().read(key)?,
        })
    }

    /// A definition with its signature.
    pub(super) fn sign(
        &self,
        name: &str,
        raw: &[u8],
        now: Timestamp,
    ) -> Result<Vec<u8>, definition::SignError> {
        // Nobody means fractions of a second.
        let issued = Timestamp::from_second(now.as_second()).unwrap_or(now);
        let mut claims =
            Claims::new(&self.provider, &format!("{}{name}", self.prefix), self.version.clone(), issued);
        claims.expires = self.expires;
        claims.contract = self.contract;
        claims.profile = match &self.profiles {
            Profiles::Unsaid => None,
            Profiles::Alike(profile) => Some(profile.clone()),
            Profiles::ByName(by_name) => by_name.get(name).cloned(),
        };
        definition::sign(raw, &claims, &self.key)
    }
}
