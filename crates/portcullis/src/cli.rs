//! The command line.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::commands;
use crate::failure::Failure;

/// A latticed gate between AI agents and the tools they call.
///
/// Portcullis decides, for every tool call, Permit, Ask or Deny, from rules about where data comes from, where it
/// goes, what it carries and what is done with it. It says why, and what answers would become of a question.
#[derive(Parser, Debug)]
#[command(name = "portcullis", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Decide a described call by a file of rules, and explain the decision.
    ///
    /// Exits with 0 for permit, 3 for ask, 4 for deny, and 2 if rules or call cannot be read.
    #[command(after_long_help = DECIDE_HELP)]
    Decide(DecideArgs),
    /// Check and tidy files of rules.
    #[command(subcommand)]
    Rules(RulesCommand),
}

/// What `decide` needs.
#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    /// The rules, one a line. Without them every call is asked about.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The described call, in JSON; `-` reads it from standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) call: PathBuf,
    /// Print the decision as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum RulesCommand {
    /// Read a file of rules and say what each line allows or denies, in words.
    #[command(after_long_help = RULES_HELP)]
    Check(CheckArgs),
    /// Propose a smaller rule set that decides a history of calls alike.
    ///
    /// Nothing is changed. Allows that no call of the history needs are dropped, rules that differ in one side
    /// only are united, and scopes beside each other are lifted to what they have in common, never beyond what
    /// --within states. Denies stay unless another rule says the same.
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

const DECIDE_HELP: &str = r#"A described call:

  {
    "session": { "workspace": "/home/u/p", "internal": ["acme.com"] },
    "server": { "name": "gmail", "standing": "known" },
    "flows": [
      { "in": "/home/u/p/report.pdf", "out": ["mailto:ann@acme.com"], "effects": ["write"] }
    ]
  }

A side that is left out is the agent's context. Effects are read, write, del, exec and spawn.
A resource is a name, or {"name": "/home/u/p/notes", "reach": "subtree"}, where the reach is one,
names or subtree. Data that comes from a credential says "taint": ["secret"].
How rules are written: portcullis rules check --help"#;

const RULES_HELP: &str = r#"A rule says what is done, from where, to where:

  allow read from /home/u/p/** to ctxt
  allow write from ctxt to mailto:*@acme.com, slack:C04ENG for session s1 because "weekly mail"
  allow write, del from @workspace to @workspace until 2026-12-01T00:00:00Z
  allow read from /home/u/p/.env to ctxt carrying secret once
  deny write, del from anywhere to /home/u/p/.env

A scope is one name; a pattern in which * stays inside a segment and a final /** holds everything
below; @targets, @workspace, local, intnet, extnet, or ctxt. A deny can also say anywhere.
Names with spaces or commas stand in double quotes. Lines that begin with # are comments."#;

/// Runs a command, writes its answer to `out` and says how the program shall exit.
pub fn run(cli: Cli, out: &mut impl Write) -> ExitCode {
    let done = match &cli.command {
        Command::Decide(args) => commands::decide::run(args, out),
        Command::Rules(RulesCommand::Check(args)) => commands::rules::check(args, out),
        Command::Rules(RulesCommand::Tidy(args)) => commands::rules::tidy(args, out),
    };
    done.unwrap_or_else(complain)
}

fn complain(failure: Failure) -> ExitCode {
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(std::io::stderr(), "error: {failure}");
    ExitCode::from(2)
}
