//! `portcullis tools show`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{ASIDE, BLOCKED, Reviewed, ReviewedTool, kept_bundle};
use portcullis_identity::definition::Definition;
use portcullis_identity::state::{Evidence, Standing};
use portcullis_identity::suspicion::{Around, Finding, of_definition};
use portcullis_lattice::words::shown;
use portcullis_store::{Pin, Standing as Kept, Store};
use serde::Serialize;
use serde_json::Value;

use super::super::print_plain_json_line;
use super::known::{Found, Known};
use super::paint::Paint;
use super::told::{self, ToolReport};
use crate::failure::Failure;
use crate::places::Places;
use crate::when;

/// What `tools show` needs.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The tool: `SERVER.TOOL`, or `TOOL` where only one server has it.
    #[arg(value_name = "TOOL")]
    tool: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A tool for scripts.
#[derive(Serialize)]
struct ShownReport {
    #[serde(flatten)]
    tool: ToolReport,
    identity: Option<Value>,
    last_listed: Option<String>,
    findings: Vec<Value>,
    /// As JSON, or as a text if it is none.
    definition: Option<Value>,
}

pub(super) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let now = Timestamp::now();
    let known = Known::read(&*store, now)?;
    let found = known.tool(&args.tool)?;
    let bundle = |name: &str| bundle(&*store, name, now);
    match (found, args.json) {
        (Found::Listed(reviewed, tool), true) => print_plain_json_line(&report(reviewed, tool), out)?,
        (Found::Gone(_, pin), true) => print_plain_json_line(&gone_report(pin), out)?,
        (Found::Listed(reviewed, tool), false) => print(reviewed, tool, &bundle, now, out)?,
        (Found::Gone(_, pin), false) => {
            writeln!(out, "{}", shown(&found.full_name()))?;
            writeln!(out, "  state     gone: the server does not list it")?;
            writeln!(out, "  settled   {}", told::settled(pin))?;
            print_definition(&pin.definition, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What is suspicious in a tool, whether it was approved or not.
fn findings(tool: &ReviewedTool) -> Vec<Finding> {
    if !matches!(tool.judged.standing, Standing::Pinned | Standing::Verified) {
        return tool.judged.findings.clone();
    }
    let definition = Definition::parse(tool.listed.definition.as_bytes(), &ASIDE);
    definition.map(|definition| of_definition(&definition, &Around::default())).unwrap_or_default()
}

fn report(reviewed: &Reviewed, tool: &ReviewedTool) -> ShownReport {
    let text = &tool.listed.definition;
    ShownReport {
        tool: ToolReport::of(&reviewed.server, tool),
        identity: reviewed.who.as_ref().and_then(|who| serde_json::to_value(who).ok()),
        last_listed: Some(tool.listed.last_seen.to_string()),
        findings: told::findings_report(&findings(tool)),
        definition: Some(serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))),
    }
}

fn gone_report(pin: &Pin) -> ShownReport {
    ShownReport {
        tool: ToolReport::gone(pin),
        identity: None,
        last_listed: None,
        findings: Vec::new(),
        definition: serde_json::from_str(&pin.definition).ok(),
    }
}

fn print(
    reviewed: &Reviewed,
    tool: &ReviewedTool,
    bundle: &dyn Fn(&str) -> String,
    now: Timestamp,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let name = shown(&format!("{}.{}", reviewed.server, tool.judged.name));
    writeln!(out, "{name}")?;
    writeln!(out, "  state     {}: {}", tool.judged.standing, told::grounds(&tool.judged).join("; "))?;
    if let Some(who) = &reviewed.who {
        writeln!(out, "  server    {}", told::who(who))?;
    }
    match &tool.pin {
        Some(pin) => writeln!(out, "  settled   {}", told::settled(pin))?,
        None => writeln!(out, "  settled   nothing of this name was approved or blocked")?,
    }
    writeln!(out, "  signed    {}", signed(tool, bundle))?;
    let (first, last) = (tool.listed.first_seen, tool.listed.last_seen);
    writeln!(
        out,
        "  listed    since {} ({}), last noted {}",
        when::told(first),
        when::age(first, now),
        when::told(last)
    )?;
    writeln!(out, "  hash      sha256:{}", tool.listed.hash)?;
    let findings = findings(tool);
    if findings.is_empty() {
        writeln!(out, "  nothing suspicious was found, which proves nothing")?;
    }
    told::findings(&findings, Paint::of_output(), out)?;
    print_definition(&tool.listed.definition, out)?;
    advice(&name, tool, out)
}

/// Which version of a trust bundle counts, and how old it is.
fn bundle(store: &dyn Store, name: &str, now: Timestamp) -> String {
    let kept = store.bundles(Kept::Current).unwrap_or_default();
    let found = kept.iter().find(|kept| kept.name == name).and_then(|kept| kept_bundle(kept).ok());
    found.map_or_else(String::new, |bundle| {
        let (version, age) = (bundle.version(), when::ago(bundle.issued(), now));
        format!(" (version {version}, issued {age}, until {})", when::told(bundle.expires()))
    })
}

fn signed(tool: &ReviewedTool, bundle: &dyn Fn(&str) -> String) -> String {
    match &tool.judged.evidence {
        Evidence::Unsigned => "by nobody whom you trust".to_owned(),
        Evidence::Verified(vouch) => {
            let (signer, id) = (shown(&vouch.signer), shown(&vouch.tool_id));
            let besides = vouch.issuer.as_ref().map(|issuer| format!(", vouched for by {}", shown(issuer)));
            format!("by {signer}, version {}, as {id}{}", vouch.version, besides.unwrap_or_default())
        }
        Evidence::Unproven { reason } => format!("by nobody whom you trust: {}", shown(reason)),
        Evidence::Listed { by, .. } => {
            format!("by nobody; the trust bundle {} approves it{}", shown(by), bundle(by))
        }
        Evidence::Refused { reason } => format!("wrongly: {}", shown(reason)),
        Evidence::Revoked { reason } => shown(reason),
    }
}

/// The definition, as JSON of many lines if it is JSON.
fn print_definition(text: &str, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "  definition")?;
    let value: Option<Value> = serde_json::from_str(text).ok();
    let lines =
        value.and_then(|value| serde_json::to_string_pretty(&value).ok()).unwrap_or_else(|| text.to_owned());
    lines.lines().try_for_each(|line| writeln!(out, "    {}", shown(line)))
}

fn advice(name: &str, tool: &ReviewedTool, out: &mut impl Write) -> std::io::Result<()> {
    let is_blocked = tool.pin.as_ref().is_some_and(|pin| pin.state == BLOCKED);
    match tool.judged.standing {
        Standing::Verified | Standing::Pinned => Ok(()),
        Standing::Revoked if is_blocked => {
            writeln!(out, "`portcullis tools block --lift {name}` lifts the block")
        }
        Standing::Revoked => Ok(()),
        Standing::New | Standing::Squatting => writeln!(out, "`portcullis tools approve {name}` approves it"),
        Standing::Changed | Standing::Downgraded | Standing::Invalid => {
            writeln!(
                out,
                "`portcullis tools diff {name}` shows what changed, and `portcullis tools approve {name}` approves it"
            )
        }
    }
}
