//! `portcullis invariant`: rules in plain English, said back and tried.

mod add;
mod by_hand;
mod call;
mod cedar;
mod check;
mod explain;
mod failure;
mod list;
mod model;
mod print;
mod remove;
mod setting;
mod test;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;
pub(crate) use failure::InvariantError;

/// What can be done with rules in plain English.
#[derive(Subcommand, Debug)]
pub(crate) enum InvariantCommand {
    /// State a rule for all your sessions, once you have seen how it is understood.
    ///
    /// Exits with 0 if it is in force, with 1 if it is not understood or you say no, and with 2 if something cannot be read.
    #[command(after_long_help = add::HELP)]
    Add(add::AddArgs),
    /// List the rules in force, and who states them.
    List(list::ListArgs),
    /// Remove a rule that you stated. This needs a terminal that no agent has.
    ///
    /// Rules of files are removed in the file: your own settings, a project's, or those of whoever runs the machine.
    Remove(remove::RemoveArgs),
    /// Say what sentences are understood to mean, with examples of calls.
    ///
    /// Nothing is put into force. Each sentence is said back in the words of the product, as Datalog, and with
    /// calls of the connected tools that it would refuse or ask about, beside near misses that it would not. A
    /// sentence that is not understood is refused, and the nearest forms that are understood are shown.
    ///
    /// Exits with 0 if all sentences are understood (and, with --cedar, can be said in Cedar), with 1 if one is
    /// not, whatever a model proposes for it, and with 2 if something cannot be read.
    #[command(after_long_help = check::HELP)]
    Check(check::CheckArgs),
    /// Say whether a call breaks a rule, and which facts make it so.
    ///
    /// Exits with 0 if the rule lets the call pass, 3 if it has the user asked, 4 if it refuses the call, 1 if
    /// the sentence is not understood, and 2 if something cannot be read.
    #[command(after_long_help = explain::HELP)]
    Explain(explain::ExplainArgs),
    /// Try the sentences of a file on calls that must and must not break them.
    ///
    /// Exits with 0 if everything is as the file states, with 1 if not, and with 2 if it cannot be read.
    #[command(after_long_help = test::HELP)]
    Test(test::TestArgs),
}

pub(crate) fn run(command: &InvariantCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        InvariantCommand::Add(args) => add::run(args, out),
        InvariantCommand::List(args) => list::run(args, out),
        InvariantCommand::Remove(args) => remove::run(args, out),
        InvariantCommand::Check(args) => check::run(args, out),
        InvariantCommand::Explain(args) => explain::run(args, out),
        InvariantCommand::Test(args) => test::run(args, out),
    }
}
