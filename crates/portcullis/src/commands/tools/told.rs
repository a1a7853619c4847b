//! Tools in words.

use std::io::Write;

use jiff::Timestamp;
use portcullis_gateway::{BLOCKED, LISTED, ReviewedTool};
use portcullis_identity::server::{ServerIdentity, TlsHold};
use portcullis_identity::state::{Evidence, Ground, Judged, Standing};
use portcullis_identity::suspicion::{Finding, Weight};
use portcullis_lattice::words::shown;
use portcullis_store::Pin;
use serde::Serialize;
use serde_json::json;

use super::paint::Paint;
use crate::when;

/// Who a server is, in a line.
pub(super) fn who(who: &ServerIdentity) -> String {
    let with = |arguments: &[String]| match arguments.is_empty() {
        true => String::new(),
        false => format!(" {}", arguments.join(" ")),
    };
    shown(&match who {
        ServerIdentity::Package { registry, name, version, .. } => {
            format!("the {registry} package {name}, version {version}")
        }
        ServerIdentity::Program { path, arguments, .. } => format!("{path}{}", with(arguments)),
        ServerIdentity::Remote { url, tls: Some(tls), hold } => {
            let held = match hold {
                TlsHold::Name => ", which may change",
                TlsHold::Issuer => "",
                TlsHold::Pinned => ", pinned",
            };
            format!("{url}, certified by {}, with the key {}{held}", tls.issuer, tls.key)
        }
        ServerIdentity::Remote { url, tls: None, .. } => url.clone(),
    })
}

/// Why a tool is in its state.
pub(super) fn grounds(judged: &Judged) -> Vec<String> {
    judged.grounds.iter().map(|ground| shown(&ground.to_string())).collect()
}

/// Who vouches for a tool and at which version, if anybody does who is trusted.
pub(super) fn signer(judged: &Judged) -> Option<(String, String)> {
    match &judged.evidence {
        Evidence::Verified(vouch) => Some((shown(&vouch.signer), vouch.version.to_string())),
        Evidence::Unsigned
        | Evidence::Unproven { .. }
        | Evidence::Listed { .. }
        | Evidence::Refused { .. }
        | Evidence::Revoked { .. } => None,
    }
}

/// How a tool was settled, in words.
pub(super) fn settled(pin: &Pin) -> String {
    let what = match pin.state.as_str() {
        BLOCKED => "blocked",
        LISTED => "listed",
        _ => "approved",
    };
    format!("{what} {} by {}", when::told(pin.approved), shown(&pin.approver))
}

/// The same for scripts.
#[derive(Serialize)]
pub(super) struct SettledReport {
    state: String,
    hash: String,
    at: String,
    by: String,
}

impl SettledReport {
    pub(super) fn of(pin: &Pin) -> SettledReport {
        SettledReport {
            state: pin.state.clone(),
            hash: format!("sha256:{}", pin.hash),
            at: pin.approved.to_string(),
            by: pin.approver.clone(),
        }
    }
}

/// A tool of a list, for scripts.
#[derive(Serialize)]
pub(super) struct ToolReport {
    server: String,
    tool: String,
    state: String,
    reasons: Vec<String>,
    signer: Option<String>,
    version: Option<String>,
    hash: Option<String>,
    since: Option<String>,
    settled: Option<SettledReport>,
}

impl ToolReport {
    pub(super) fn of(server: &str, tool: &ReviewedTool) -> ToolReport {
        let (signer, version) = signer(&tool.judged).unzip();
        ToolReport {
            server: server.to_owned(),
            tool: tool.judged.name.clone(),
            state: tool.judged.standing.to_string(),
            reasons: grounds(&tool.judged),
            signer,
            version,
            hash: Some(format!("sha256:{}", tool.listed.hash)),
            since: Some(tool.listed.first_seen.to_string()),
            settled: tool.pin.as_ref().map(SettledReport::of),
        }
    }

    /// One that is not listed any more.
    pub(super) fn gone(pin: &Pin) -> ToolReport {
        ToolReport {
            server: pin.key.server.clone(),
            tool: pin.key.tool.clone(),
            state: "gone".to_owned(),
            reasons: vec!["the server does not list it".to_owned()],
            signer: None,
            version: None,
            hash: None,
            since: None,
            settled: Some(SettledReport::of(pin)),
        }
    }
}

/// Whether a person has to name a tool to approve it: something in it, or the way it came, is dangerous.
pub(super) fn is_dangerous(judged: &Judged) -> bool {
    let in_difference = judged.difference.as_ref().and_then(|difference| difference.weight());
    let is_odd = matches!(judged.standing, Standing::Squatting | Standing::Invalid | Standing::Downgraded);
    is_odd
        || in_difference == Some(Weight::Dangerous)
        || judged.findings.iter().any(|finding| finding.weight() == Weight::Dangerous)
        || judged.grounds.iter().any(|ground| {
            matches!(
                ground,
                Ground::SignatureGone { .. }
                    | Ground::VoucherGone { .. }
                    | Ground::SignerChanged { .. }
                    | Ground::OtherServer { .. }
            )
        })
}

/// What changed, what is suspicious and which names are like it.
pub(super) fn particulars(judged: &Judged, paint: Paint, out: &mut impl Write) -> std::io::Result<()> {
    for change in judged.difference.iter().flat_map(|difference| &difference.changes) {
        let weight = paint.weight(change.class.weight());
        writeln!(out, "  {weight}: {} at {}", change.class.words(), shown(&change.pointer))?;
        writeln!(out, "    {}", paint.change(change))?;
    }
    findings(&judged.findings, paint, out)?;
    for neighbour in &judged.neighbours {
        writeln!(out, "  {}: it {}", paint.weight(neighbour.weight), shown(&neighbour.to_string()))?;
    }
    Ok(())
}

/// What is suspicious, a line each.
pub(super) fn findings(findings: &[Finding], paint: Paint, out: &mut impl Write) -> std::io::Result<()> {
    for finding in findings {
        writeln!(out, "  {}: {}", paint.weight(finding.weight()), shown(&finding.to_string()))?;
    }
    Ok(())
}

/// The same for scripts.
pub(super) fn findings_report(findings: &[Finding]) -> Vec<serde_json::Value> {
    let report = |finding: &Finding| {
        json!({
            "weight": finding.weight().to_string(), "what": finding.cue.words(), "place": finding.pointer,
            "words": finding.words,
        })
    };
    findings.iter().map(report).collect()
}

/// How long a definition has been listed as it is.
pub(super) fn age(tool: &ReviewedTool, now: Timestamp) -> String {
    when::age(tool.listed.first_seen, now)
}
