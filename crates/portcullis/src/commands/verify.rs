//! `portcullis verify`: how definitions stand with those whom you trust.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::trust_roots;
use portcullis_lattice::words::shown;
use portcullis_seal::definition::{Standing, verify_bytes};
use portcullis_seal::{Bundle, PublicKey, TrustRoots, TrustedKey};
use serde::Serialize;

use super::served::SourceArgs;
use super::{print_plain_json_line, read};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::{Places, PlacesError};

/// What `verify` needs.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Believe the public key in this file, and not those that you trust; may be given several times.
    #[arg(long, value_name = "FILE")]
    key: Vec<PathBuf>,
    /// Believe what this trust bundle says as well.
    #[arg(long, value_name = "FILE", requires = "root")]
    bundle: Option<PathBuf>,
    /// The public key that the bundle has to be signed with.
    #[arg(long, value_name = "FILE", requires = "bundle")]
    root: Option<PathBuf>,
    /// Print a line of JSON for each tool.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    source: SourceArgs,
}

pub(crate) const HELP: &str = r#"Examples:

  portcullis verify signed.json --key acme.json
  portcullis verify -- npx -y @acme/server
  portcullis verify signed.json --bundle team.jws --root team.json

Exits with 0 if every tool is verified, and with 1 if one is not: it is unsigned, changed, of
somebody whom you do not trust, expired or revoked. What was approved on this machine plays no
part here; `portcullis tools list` tells that."#;

/// How a definition stands, for scripts.
#[derive(Serialize)]
struct StandingReport {
    tool: String,
    /// `verified`, `vouched`, `pinned`, `unsigned`, or why it is refused in one word.
    standing: String,
    signer: Option<String>,
    version: Option<String>,
    tool_id: Option<String>,
    definition: Option<String>,
    reason: Option<String>,
}

pub(crate) fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let now = Timestamp::now();
    let roots = roots(args, now)?;
    let served = args.source.definitions()?;
    let mut are_all_verified = !served.is_empty();
    for (name, raw) in &served {
        let report = report(name, raw, &roots, now);
        are_all_verified &= matches!(report.standing.as_str(), "verified" | "vouched" | "pinned");
        match args.json {
            true => print_plain_json_line(&report, out)?,
            false => print(&report, out)?,
        }
    }
    if served.is_empty() && !args.json {
        writeln!(out, "there are no tools, so that nothing is verified")?;
    }
    Ok(if are_all_verified { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Whom to believe: the keys that are named, else those of the store; and the bundle.
fn roots(args: &VerifyArgs, now: Timestamp) -> Result<TrustRoots, Failure> {
    let mut roots = TrustRoots::default();
    for path in &args.key {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        roots.trust(TrustedKey::for_everything(public_key(path)?, &name));
    }
    if args.key.is_empty() {
        match Places::find()?.look() {
            Ok(store) => roots = trust_roots(&*store, &roots, now)?.trusted,
            Err(PlacesError::Nothing(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if let (Some(bundle), Some(root)) = (&args.bundle, &args.root) {
        let unusable = |error| GateError::Said(format!("`{}`: {error}", bundle.display()));
        let read = Bundle::verify(&read(bundle)?, &public_key(root)?, None, now).map_err(unusable)?;
        if roots.add_bundle(&read, now).is_over() {
            let told = "the bundle is over: only what it revokes counts";
            let _ = writeln!(std::io::stderr(), "note: {told}");
        }
    }
    Ok(roots)
}

fn public_key(path: &Path) -> Result<PublicKey, Failure> {
    let key = PublicKey::read(&read(path)?);
    Ok(key.map_err(|error| GateError::Said(format!("cannot use the key in `{}`: {error}", path.display())))?)
}

fn report(name: &str, raw: &[u8], roots: &TrustRoots, now: Timestamp) -> StandingReport {
    let mut report = StandingReport {
        tool: name.to_owned(),
        standing: "unsigned".to_owned(),
        signer: None,
        version: None,
        tool_id: None,
        definition: None,
        reason: None,
    };
    let standing = match verify_bytes(raw, roots, now) {
        Ok(standing) => standing,
        Err(refused) => {
            refused.word().clone_into(&mut report.standing);
            report.reason = Some(refused.to_string());
            return report;
        }
    };
    report.definition = Some(standing.definition().to_string());
    match &standing {
        Standing::Unsigned { definition } if roots.pinned(definition).is_some() => {
            "pinned".clone_into(&mut report.standing);
        }
        Standing::Unsigned { .. } => {}
        Standing::Sealed(sealed) => {
            "verified".clone_into(&mut report.standing);
            report.signer = Some(sealed.signer().to_owned());
        }
        Standing::Vouched(voucher) => {
            "vouched".clone_into(&mut report.standing);
            report.signer = Some(voucher.issuer().to_owned());
        }
    }
    if let Some(edition) = standing.edition() {
        report.version = Some(edition.version.to_string());
        report.tool_id = Some(edition.tool_id);
    }
    report
}

fn print(report: &StandingReport, out: &mut impl Write) -> std::io::Result<()> {
    let by = report.signer.as_ref().map(|signer| format!(" by {}", shown(signer)));
    let version = report.version.as_ref().map(|version| format!(", version {}", shown(version)));
    let reason = report.reason.as_ref().map(|reason| format!(": {}", shown(reason)));
    let more: String = [by, version, reason].into_iter().flatten().collect();
    writeln!(out, "{:<10}  {}{more}", report.standing, shown(&report.tool))
}
