//! `portcullis rules check`: a file of rules, in words.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use portcullis_lattice::{Action, Entry, words};
use serde::Serialize;

use super::super::{print_json, read_rules};
use crate::failure::Failure;

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

pub(super) const HELP: &str = r#"A rule says what is done, from where, to where:

  allow read from /home/u/p/** to ctxt
  allow write from ctxt to mailto:*@acme.com, slack:C04ENG for session s1 because "weekly mail"
  allow write, del from @workspace to @workspace until 2026-12-01T00:00:00Z
  allow read from /home/u/p/.env to ctxt carrying secret once
  deny write, del from anywhere to /home/u/p/.env

A scope is one name; a pattern in which * stays inside a segment and a final /** holds everything
below; @targets, @workspace, local, intnet, extnet, or ctxt. A deny can also say anywhere.
Names with spaces or commas stand in double quotes. Lines that begin with # are comments."#;

pub(super) fn run(args: &CheckArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
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

#[derive(Serialize)]
pub(super) struct RuleReport {
    id: u64,
    rule: String,
    words: String,
}

pub(super) fn report(entries: &[Entry]) -> Vec<RuleReport> {
    let report = |Entry { id, rule }: &Entry| RuleReport {
        id: id.0,
        rule: rule.to_string(),
        words: words::boundary(&rule.boundary),
    };
    entries.iter().map(report).collect()
}
