//! `portcullis rules`: look at files of rules.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use portcullis_lattice::{Action, Entry, Proposal, Recorded, Scope, Step, tidy as propose, words};
use serde::Serialize;

use super::{print_json, read, read_rules, understand};
use crate::failure::Failure;

/// What can be done with files of rules.
#[derive(Subcommand, Debug)]
pub(crate) enum RulesCommand {
    /// Read a file of rules and say what each line allows or denies, in words.
    #[command(after_long_help = HELP)]
    Check(CheckArgs),
    /// Propose a smaller rule set that decides a history of calls alike.
    ///
    /// Nothing is changed. Allows that no call of the history needs are dropped, rules that differ in one
    /// side only are united, and scopes beside each other are lifted to what they have in common, never
    /// beyond what --within states. Denies stay unless another rule says the same.
    Tidy(TidyArgs),
}

/// What `rules check` needs.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// The rules, one a line; `-` reads them from standard input.
    #[arg(value_name = "FILE")]
    pub(crate) rules: PathBuf,
    /// Print the rules as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What `rules tidy` needs.
#[derive(Args, Debug)]
pub(crate) struct TidyArgs {
    /// The rules, one a line.
    #[arg(value_name = "FILE")]
    pub(crate) rules: PathBuf,
    /// The history: described calls, one JSON object a line, the session of the last being the present one.
    #[arg(long, value_name = "FILE")]
    pub(crate) history: PathBuf,
    /// How wide a lifted scope may be, such as @workspace or mailto:*@acme.com; may be given several times.
    #[arg(long, value_name = "SCOPE")]
    pub(crate) within: Vec<String>,
    /// Print the proposal as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

const HELP: &str = r#"A rule says what is done, from where, to where:

  allow read from /home/u/p/** to ctxt
  allow write from ctxt to mailto:*@acme.com, slack:C04ENG for session s1 because "weekly mail"
  allow write, del from @workspace to @workspace until 2026-12-01T00:00:00Z
  allow read from /home/u/p/.env to ctxt carrying secret once
  deny write, del from anywhere to /home/u/p/.env

A scope is one name; a pattern in which * stays inside a segment and a final /** holds everything
below; @targets, @workspace, local, intnet, extnet, or ctxt. A deny can also say anywhere.
Names with spaces or commas stand in double quotes. Lines that begin with # are comments."#;

pub(crate) fn run(command: &RulesCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        RulesCommand::Check(args) => check(args, out),
        RulesCommand::Tidy(args) => tidy(args, out),
    }
}

fn check(args: &CheckArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let rules = read_rules(&args.rules)?;
    if args.json {
        print_json(&report(rules.entries()), out)?;
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

fn tidy(args: &TidyArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
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
    let Some(last) = history.last() else { return Err(Failure::NoHistory { path: args.history.clone() }) };
    let (topology, now) = (last.topology.clone(), last.at);
    let proposal = propose(&rules, &history, &ceiling, &topology, now);
    match args.json {
        true => {
            let steps = proposal.steps.iter().map(told).collect();
            print_json(&ProposalReport { steps, rules: report(proposal.rules.entries()) }, out)?;
        }
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

#[derive(Serialize)]
struct RuleReport {
    id: u64,
    rule: String,
    words: String,
}

fn report(entries: &[Entry]) -> Vec<RuleReport> {
    let report = |Entry { id, rule }: &Entry| RuleReport {
        id: id.0,
        rule: rule.to_string(),
        words: words::boundary(&rule.boundary),
    };
    entries.iter().map(report).collect()
}
