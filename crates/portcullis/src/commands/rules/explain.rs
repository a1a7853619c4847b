//! `portcullis rules explain`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{RecordedCall, kind};
use portcullis_store::{Entry, EntryFilter, Order, Rule, RuleFilter, RuleId, Store};
use serde::Serialize;

use super::super::audit::Told;
use super::super::print_json;
use super::kept::{self, KeptReport};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::when;

/// So many of the calls that it decided are shown.
const MOST_CALLS: usize = 5;

/// What `rules explain` needs.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The number of the rule, as `rules list` shows it.
    #[arg(value_name = "NUMBER")]
    id: u64,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ExplainReport {
    #[serde(flatten)]
    rule: KeptReport,
    in_force: bool,
    /// Entries of the log that tell how it came about.
    came_about: Vec<u64>,
    /// How many calls it was among the grounds for.
    calls: usize,
    /// The newest of them.
    newest: Vec<u64>,
}

pub(super) fn run(args: &ExplainArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let rule = kept_rule(&*store, args.id)?;
    let entry = kept::entry(&rule)?;
    let now = Timestamp::now();
    let in_force = store.rules(RuleFilter::Active { now })?.iter().any(|active| active.id == rule.id);
    let origins = origins(&*store, &rule)?;
    let calls = decided_by(&*store, rule.id)?;
    if args.json {
        let report = ExplainReport {
            rule: KeptReport::of(&rule, &entry),
            in_force,
            came_about: origins.iter().map(|entry| entry.sequence).collect(),
            calls: calls.len(),
            newest: calls.iter().take(MOST_CALLS).map(|entry| entry.sequence).collect(),
        };
        print_json(&report, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for line in kept::lines(&rule, &entry.rule) {
        writeln!(out, "{line}")?;
    }
    if !in_force && rule.revoked.is_none() {
        writeln!(out, "      no longer in force: its time is over, it is used up, or its session has ended")?;
    }
    if !origins.is_empty() {
        writeln!(out, "\n  how it came about")?;
    }
    origins.iter().try_for_each(|entry| line(entry, out))?;
    match calls.len() {
        0 => writeln!(out, "\n  no recorded call was decided by it")?,
        1 => writeln!(out, "\n  one recorded call was decided by it")?,
        count => writeln!(out, "\n  {count} recorded calls were decided by it, at last")?,
    }
    calls.iter().take(MOST_CALLS).try_for_each(|entry| line(entry, out))?;
    Ok(ExitCode::SUCCESS)
}

fn line(entry: &Entry, out: &mut impl Write) -> std::io::Result<()> {
    let told = Told::of(entry);
    let call = if told.call.is_empty() { String::new() } else { format!("{}: ", told.call) };
    writeln!(out, "    {:>6}  {}  {}  {call}{}", entry.sequence, when::told(entry.time), told.word, told.what)
}

/// A rule of the store, in force or not.
pub(super) fn kept_rule(store: &dyn Store, number: u64) -> Result<Rule, Failure> {
    let missing = || GateError::Said(format!("there is no rule {number}; see `portcullis rules list --all`"));
    let rules = store.rules(RuleFilter::All)?;
    Ok(rules.into_iter().find(|rule| rule.id == RuleId::new(number)).ok_or_else(missing)?)
}

/// What was recorded when it was added: entries of one commit bear the same time as what it added.
fn origins(store: &dyn Store, rule: &Rule) -> Result<Vec<Entry>, Failure> {
    let since = EntryFilter { since: Some(rule.created), limit: 100, ..EntryFilter::default() };
    let is_origin = |entry: &Entry| {
        let kinds = [kind::ANSWER, kind::RULE_ADDED];
        entry.time == rule.created
            && kinds.contains(&entry.kind.as_str())
            && entry.body.contains(&quoted(&rule.text))
    };
    Ok(store.entries(&since)?.into_iter().filter(is_origin).collect())
}

/// A text as it stands inside a JSON text, so that it can be looked for.
fn quoted(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    quoted.trim_matches('"').to_owned()
}

/// The calls that it was among the grounds for, the newest first.
fn decided_by(store: &dyn Store, id: RuleId) -> Result<Vec<Entry>, Failure> {
    let verdicts = EntryFilter {
        kind: Some(kind::VERDICT.to_owned()),
        order: Order::NewestFirst,
        ..EntryFilter::default()
    };
    let is_ground =
        |entry: &Entry| RecordedCall::read(&entry.body).is_some_and(|call| call.rules.contains(&id.number()));
    Ok(store.entries(&verdicts)?.into_iter().filter(is_ground).collect())
}
