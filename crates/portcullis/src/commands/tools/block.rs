//! `portcullis tools block`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{BLOCKED, block, kind, lift};
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, NewEntry, Store};
use serde_json::json;

use super::known::{Found, Known};
use super::told;
use crate::confirm::{Yes, confirmed, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::whose;

/// What `tools block` needs.
#[derive(Args, Debug)]
pub(crate) struct BlockArgs {
    /// The tools: `SERVER.TOOL`, or `TOOL` where only one server has it.
    #[arg(value_name = "TOOL", required = true)]
    tools: Vec<String>,
    /// Lift the block instead.
    #[arg(long)]
    lift: bool,
    /// Do not ask. Only to block, which makes things stricter.
    #[arg(long, conflicts_with = "lift")]
    yes: bool,
}

pub(super) fn run(args: &BlockArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let known = Known::read(&*store, Timestamp::now())?;
    let found = args.tools.iter().map(|name| known.tool(name)).collect::<Result<Vec<_>, _>>()?;
    for tool in &found {
        let is_blocked = tool.pin().is_some_and(|pin| pin.state == BLOCKED);
        if is_blocked != args.lift {
            let word = if is_blocked { "blocked already" } else { "not blocked" };
            let told = format!("`{}` is {word}; nothing was changed", shown(&tool.full_name()));
            return Err(GateError::Said(told).into());
        }
    }
    if args.lift { lift_all(&*store, &found, out) } else { block_all(args, &*store, &found, out) }
}

fn block_all(
    args: &BlockArgs,
    store: &dyn Store,
    found: &[Found<'_>],
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    for tool in found {
        writeln!(out, "{} could not be called any more, whatever it becomes", shown(&tool.full_name()))?;
    }
    let question = if found.len() == 1 { "Block it?" } else { "Block them?" };
    if !confirmed_by_anybody(question, Yes::from_option(args.yes), out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let mut commit = Commit::at(Timestamp::now());
    for tool in found {
        let pin = block(store, &tool.server().server, tool.name(), "user (command)")?;
        commit = commit.entry(entry(tool, "blocked", "command")?).change(Change::Pin(pin));
    }
    store.commit(commit)?;
    writeln!(out, "blocked, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

fn lift_all(store: &dyn Store, found: &[Found<'_>], out: &mut impl Write) -> Result<ExitCode, Failure> {
    let trusted = Trusted::check(store)?;
    for tool in found {
        writeln!(out, "{}: {}", shown(&tool.full_name()), tool.pin().map(told::settled).unwrap_or_default())?;
    }
    writeln!(out, "What was approved before counts again; what never was is asked about.")?;
    let question = if found.len() == 1 { "Lift the block?" } else { "Lift the blocks?" };
    if !confirmed(&trusted, question, out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let mut commit = Commit::at(Timestamp::now());
    for tool in found {
        let change = lift(store, &tool.server().server, tool.name(), "user (terminal)")?;
        let gone = || GateError::Said(format!("`{}` is no longer blocked", shown(&tool.full_name())));
        commit = commit.entry(entry(tool, "lifted", "terminal")?).change(change.ok_or_else(gone)?);
    }
    store.commit(commit)?;
    writeln!(out, "lifted, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

fn entry(tool: &Found<'_>, what: &str, channel: &str) -> Result<NewEntry, Failure> {
    let body = json!({
        "server": tool.server().server, "tool": tool.name(), "what": what, "by": whose::user(), "channel": channel,
    });
    Ok(NewEntry::new(kind::TOOL_SETTLED, &body.to_string()).map_err(CommitError::from)?)
}
