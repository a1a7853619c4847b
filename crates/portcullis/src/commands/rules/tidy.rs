//! `portcullis rules tidy`: fewer rules that decide the past alike.

mod kept;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::{Proposal, Recorded, Scope, Step, tidy as propose, words};
use serde::Serialize;

use super::super::{print_json, read, read_rules, understand};
use super::check::{RuleReport, report};
use crate::failure::Failure;

/// What `rules tidy` needs.
#[derive(Args, Debug)]
pub(crate) struct TidyArgs {
    /// The rules, one a line [default: those of the store].
    #[arg(value_name = "FILE", requires = "history")]
    rules: Option<PathBuf>,
    /// The history: described calls, one JSON object a line, the session of the last being the present one [default:
    /// the calls of the audit log].
    #[arg(long, value_name = "FILE", requires = "rules")]
    history: Option<PathBuf>,
    /// How wide a lifted scope may be, such as @workspace or mailto:*@acme.com; may be given several times.
    #[arg(long, value_name = "SCOPE")]
    within: Vec<String>,
    /// Apply the proposal to the store, once you have confirmed it at a terminal that no agent has.
    #[arg(long, conflicts_with_all = ["rules", "json"])]
    apply: bool,
    /// Print the proposal as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TidyArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let ceiling = args.within.iter().map(|scope| scope.parse()).collect::<Result<Vec<Scope>, _>>();
    let ceiling = ceiling.map_err(|error| Failure::Ceiling(error.into()))?;
    match (&args.rules, &args.history) {
        (Some(rules), Some(history)) => of_file(rules, history, &ceiling, args, out),
        _ => kept::run(args, &ceiling, out),
    }
}

fn of_file(
    rules: &Path,
    past: &Path,
    ceiling: &[Scope],
    args: &TidyArgs,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let rules = read_rules(rules)?;
    let present = Timestamp::now();
    let mut history = Vec::new();
    for (line, number) in read(past)?.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let understood = understand(past, Some(number), line)?;
        history.push(Recorded {
            call: understood.call,
            at: understood.now.unwrap_or(present),
            session: understood.session.into(),
            topology: understood.topology,
        });
    }
    let Some(last) = history.last() else { return Err(Failure::NoHistory { path: past.into() }) };
    let (topology, now) = (last.topology.clone(), last.at);
    let proposal = propose(&rules, &history, ceiling, &topology, now);
    match args.json {
        true => print_report(&proposal, out)?,
        false => print(&proposal, rules.entries().len(), history.len(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn print_report(proposal: &Proposal, out: &mut impl Write) -> std::io::Result<()> {
    let steps = proposal.steps.iter().map(told).collect();
    print_json(&ProposalReport { steps, rules: report(proposal.rules.entries()) }, out)
}

fn print(proposal: &Proposal, before: usize, calls: usize, out: &mut impl Write) -> std::io::Result<()> {
    for step in &proposal.steps {
        writeln!(out, "# {}", told(step))?;
    }
    let after = proposal.rules.entries().len();
    writeln!(out, "# {before} rules before, {after} after; {calls} recorded calls are decided alike")?;
    writeln!(out, "# other comments of the file are not kept")?;
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

/// A proposal for scripts.
#[derive(Serialize)]
struct ProposalReport {
    steps: Vec<String>,
    rules: Vec<RuleReport>,
}
