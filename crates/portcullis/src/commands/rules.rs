//! `portcullis rules`: what is allowed and denied, in the store and in files.

mod add;
mod check;
mod explain;
mod history;
mod kept;
mod list;
mod revoke;
mod tidy;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// What can be done with rules.
#[derive(Subcommand, Debug)]
pub(crate) enum RulesCommand {
    /// List the rules in force: what they say, how long they hold, who granted them.
    List(list::ListArgs),
    /// Add a rule, once you have seen what it would newly cover.
    ///
    /// Exits with 0 if it was added, with 1 if you say no, and with 2 if it cannot be.
    #[command(after_long_help = add::HELP)]
    Add(add::AddArgs),
    /// Revoke rules, from the next call on.
    ///
    /// Without an allow more is asked about; that needs no more than your yes. Without a deny more is possible: that needs
    /// a terminal that no agent has.
    Revoke(revoke::RevokeArgs),
    /// Tell everything about a rule: how it came about, and which calls it decided.
    Explain(explain::ExplainArgs),
    /// Read a file of rules and say what each line allows or denies, in words.
    #[command(after_long_help = check::HELP)]
    Check(check::CheckArgs),
    /// Propose a smaller rule set that decides a history of calls alike.
    ///
    /// Without a file this is about the rules of the store and the calls of the audit log, and with --apply the proposal
    /// is put into force. Allows that no call of the history needs are dropped, rules that differ in one side only are
    /// united, and scopes beside each other are lifted to what they have in common, never beyond what --within states.
    /// Denies stay unless another rule says the same.
    Tidy(tidy::TidyArgs),
}

pub(crate) fn run(command: &RulesCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        RulesCommand::List(args) => list::run(args, out),
        RulesCommand::Add(args) => add::run(args, out),
        RulesCommand::Revoke(args) => revoke::run(args, out),
        RulesCommand::Explain(args) => explain::run(args, out),
        RulesCommand::Check(args) => check::run(args, out),
        RulesCommand::Tidy(args) => tidy::run(args, out),
    }
}
