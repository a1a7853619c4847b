//! `portcullis tools`: what servers list, and what of it was approved.

mod approve;
mod block;
mod diff;
mod history;
mod known;
mod list;
mod paint;
mod show;
mod told;

use std::io::Write;
use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// What can be done with tools.
#[derive(Subcommand, Debug)]
pub(crate) enum ToolsCommand {
    /// List the tools of servers, each with its state, who signed it, and how long it has been so.
    ///
    /// What counts is what each server listed last, compared with what is approved now.
    #[command(after_long_help = list::HELP)]
    List(list::ListArgs),
    /// Show a tool: its state and why, what is suspicious in it, whose it is, who approved it, and its definition.
    Show(show::ShowArgs),
    /// Show what is listed now against what was approved, word by word.
    ///
    /// Exits with 0 if it is as it was approved, and with 1 if it is not.
    #[command(after_long_help = diff::HELP)]
    Diff(diff::DiffArgs),
    /// Approve tools exactly as they are shown.
    ///
    /// Shows what changed and what is suspicious, and asks. If the server lists something else by then, that is not
    /// approved. This needs a terminal that no agent has.
    #[command(after_long_help = approve::HELP)]
    Approve(approve::ApproveArgs),
    /// Block tools, whatever they are and become, or lift that.
    ///
    /// Lifting needs a terminal that no agent has. What was approved before counts again then.
    Block(block::BlockArgs),
    /// Tell when a tool was listed, approved and changed.
    History(history::HistoryArgs),
}

pub(crate) fn run(command: &ToolsCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        ToolsCommand::List(args) => list::run(args, out),
        ToolsCommand::Show(args) => show::run(args, out),
        ToolsCommand::Diff(args) => diff::run(args, out),
        ToolsCommand::Approve(args) => approve::run(args, out),
        ToolsCommand::Block(args) => block::run(args, out),
        ToolsCommand::History(args) => history::run(args, out),
    }
}
