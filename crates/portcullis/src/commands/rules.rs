//! `portcullis rules`: look at files of rules.

use std::io::Write;
use std::process::ExitCode;

use jiff::Timestamp;
use portcullis_lattice::{Action, Entry, Proposal, Recorded, Scope, Step, tidy as propose, words};
use serde_json::{Value, json};

use super::{read, read_rules, understand};
use crate::cli::{CheckArgs, TidyArgs};
use crate::failure::Failure;

pub(crate) fn check(args: &CheckArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let rules = read_rules(&args.rules)?;
    if args.json {
        writeln!(out, "{:#}", entries_json(rules.entries()))?;
        return Ok(ExitCode::SUCCESS);
    }
    for Entry { id, rule } in rules.entries() {
        let action = match rule.action {
            Action::Allow => "may",
            Action::Deny => "must not",
        };
        writeln!(out, "{:>4}  {rule}\n      the agent {action} {}", id.0, words::boundary(&rule.boundary))?;
    }
    let count = rules.entries().len();
    writeln!(out, "{count} {} read, all well formed", if count == 1 { "rule" } else { "rules" })?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn tidy(args: &TidyArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let rules = read_rules(&args.rules)?;
    let ceiling = args.within.iter().map(|scope| scope.parse()).collect::<Result<Vec<Scope>, _>>();
    let ceiling = ceiling.map_err(|error| Failure::Ceiling(error.into()))?;
    let present = Timestamp::now();
    let mut history = Vec::new();
    for (line, number) in read(&args.history)?.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let understood = understand(&args.history, Some(number), line)?;
        history.push(Recorded {
            call: understood.call,
            at: understood.now.unwrap_or(present),
            session: understood.session.into(),
            topology: understood.topology,
        });
    }
    let last = history.last();
    let topology = last.map(|recorded| recorded.topology.clone()).unwrap_or_default();
    let now = last.map_or(present, |recorded| recorded.at);
    let proposal = propose(&rules, &history, &ceiling, &topology, now);
    match args.json {
        true => writeln!(out, "{:#}", proposal_json(&proposal))?,
        false => print(&proposal, rules.entries().len(), history.len(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn print(proposal: &Proposal, before: usize, calls: usize, out: &mut impl Write) -> std::io::Result<()> {
    for step in &proposal.steps {
        writeln!(out, "# {}", told(step))?;
    }
    let after = proposal.rules.entries().len();
    writeln!(out, "# {before} rules before, {after} after; {calls} recorded calls are decided alike")?;
    write!(out, "{}", proposal.rules)
}

/// A step in one line.
fn told(step: &Step) -> String {
    match step {
        Step::Expired(entry) => format!("drop {}: its time is over", entry.headline()),
        Step::Superfluous(entry) => format!("drop {}: another rule says it", entry.headline()),
        Step::Unused(entry) => format!("drop {}: no recorded call needs it", entry.headline()),
        Step::Narrowed { from, into } => {
            format!("narrow rule {} to {}: no recorded call needs more", from.id, into.rule)
        }
        Step::United { from: [first, second], into } => {
            format!("unite rules {} and {}: {}", first.id, second.id, into.rule)
        }
        Step::Lifted { from, into, scope } => {
            format!("lift rule {} to {}: {}", from.id, words::scope(scope), into.rule)
        }
    }
}

fn proposal_json(proposal: &Proposal) -> Value {
    json!({
        "steps": proposal.steps.iter().map(told).collect::<Vec<_>>(),
        "rules": entries_json(proposal.rules.entries()),
    })
}

fn entries_json(entries: &[Entry]) -> Value {
    let entry = |entry: &Entry| json!({ "id": entry.id.0, "rule": entry.rule.to_string(), "words": words::boundary(&entry.rule.boundary) });
    entries.iter().map(entry).collect()
}
