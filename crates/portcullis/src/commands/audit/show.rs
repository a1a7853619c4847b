//! `portcullis audit show`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use portcullis_gateway::{RecordedCall, kind};
use portcullis_lattice::words::shown;
use portcullis_store::{Entry, EntryFilter, Order, RuleFilter, Store};
use serde_json::Value;

use super::super::print_json;
use super::{EntryReport, Told, deeds};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::when;

/// What `audit show` needs.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The number of the entry, as `audit list` shows it.
    #[arg(value_name = "NUMBER")]
    number: u64,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ShowArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let missing =
        || GateError::Said(format!("the log has no entry {}; see `portcullis audit list`", args.number));
    let entry = store.entry(args.number)?.ok_or_else(missing)?;
    if args.json {
        print_json(&EntryReport::of(&entry), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let told = Told::of(&entry);
    writeln!(out, "entry {}: {}", entry.sequence, shown(&entry.kind))?;
    writeln!(out, "  written   {}", when::told(entry.time))?;
    if let Some(session) = entry.session {
        let workspace = store.session(session)?.map(|session| shown(&session.key.workspace));
        writeln!(out, "  session   {session}{}", workspace.map_or(String::new(), |at| format!(", in {at}")))?;
    }
    match RecordedCall::read(&entry.body).filter(|_| entry.kind == kind::VERDICT) {
        Some(call) => show_call(&call, &*store, &entry, out)?,
        None => {
            writeln!(out, "  tells     {} {} {}", told.word, told.call, told.what)?;
            show_members(&entry, out)?;
        }
    }
    writeln!(out, "  follows   {}", entry.previous)?;
    writeln!(out, "  hash      {}", entry.hash)?;
    Ok(ExitCode::SUCCESS)
}

fn show_call(
    call: &RecordedCall,
    store: &dyn Store,
    entry: &Entry,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "  call      {}.{}, step {}", shown(&call.server), shown(&call.tool), call.step)?;
    writeln!(out, "  known by  {} (definition {})", shown(&call.profile), shown(&call.definition))?;
    writeln!(out, "  decision  {}", shown(&call.decision))?;
    writeln!(out, "\n  what the call does")?;
    if call.flows.is_empty() {
        writeln!(out, "    not known")?;
    }
    for deed in call.flows.iter().flat_map(deeds) {
        writeln!(out, "    {deed}")?;
    }
    writeln!(out, "\n  what the stages found")?;
    for finding in &call.findings {
        writeln!(out, "    {:<10}  {}", shown(&finding.stage), shown(&finding.decision))?;
        for reason in &finding.reasons {
            writeln!(out, "                {}", shown(reason))?;
        }
    }
    if !call.rules.is_empty() {
        writeln!(out, "\n  rules that it was decided by")?;
    }
    let rules = store.rules(RuleFilter::All)?;
    for number in &call.rules {
        let rule = rules.iter().find(|rule| rule.id.number() == *number);
        writeln!(
            out,
            "    {number:>4}  {}",
            rule.map_or("(not in the store)".to_owned(), |rule| shown(&rule.text))
        )?;
    }
    writeln!(out, "\n  arguments{}", if is_hashed(&call.arguments) { ", as keyed hashes" } else { "" })?;
    for (name, value) in call.arguments.as_object().into_iter().flatten() {
        writeln!(out, "    {}: {}", shown(name), shown(&value.to_string()))?;
    }
    if let Some(outcome) = outcome(call, store, entry)? {
        writeln!(out, "\n  it ended with {outcome}")?;
    }
    Ok(writeln!(out)?)
}

fn is_hashed(arguments: &Value) -> bool {
    let mut values = arguments.as_object().into_iter().flat_map(|members| members.values());
    values.all(|value| value.as_str().is_some_and(|text| text.starts_with("hash:")))
}

/// How the call ended, as a later entry of its session tells.
fn outcome(call: &RecordedCall, store: &dyn Store, entry: &Entry) -> Result<Option<String>, Failure> {
    if call.decision != "permit" {
        return Ok(None);
    }
    let filter = EntryFilter {
        session: entry.session,
        kind: Some(kind::OUTCOME.to_owned()),
        after: Some(entry.sequence),
        order: Order::OldestFirst,
        limit: 1_000,
        ..EntryFilter::default()
    };
    let is_of_call = |body: &Value| body.get("step").and_then(Value::as_u64) == Some(call.step);
    let bodies = store
        .entries(&filter)?
        .into_iter()
        .filter_map(|entry| serde_json::from_str::<Value>(&entry.body).ok());
    let body = { bodies }.find(is_of_call);
    Ok(body.and_then(|body| body.get("outcome").and_then(Value::as_str).map(shown)))
}

fn show_members(entry: &Entry, out: &mut impl Write) -> std::io::Result<()> {
    let body: Value = serde_json::from_str(&entry.body).unwrap_or_default();
    for (name, value) in body.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        writeln!(out, "    {}: {}", shown(name), shown(&value))?;
    }
    Ok(())
}
