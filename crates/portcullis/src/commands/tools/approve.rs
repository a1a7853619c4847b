//! `portcullis tools approve`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{Reviewed, ReviewedTool, approve, kind};
use portcullis_identity::state::{NotOffered, Standing};
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, Expected, NewEntry, Store};
use serde_json::json;

use super::known::{Found, Known};
use super::paint::Paint;
use super::told;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::whose;

/// What `tools approve` needs.
#[derive(Args, Debug)]
pub(crate) struct ApproveArgs {
    /// The tools: `SERVER.TOOL`, or `TOOL` where only one server has it.
    #[arg(value_name = "TOOL", required_unless_present = "server", conflicts_with = "server")]
    tools: Vec<String>,
    /// All new tools of this server in which nothing dangerous was found.
    #[arg(long, value_name = "SERVER")]
    server: Option<String>,
    /// Those too that changed, if nothing in the change is dangerous.
    #[arg(long, requires = "server")]
    all: bool,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis tools approve notes.write_note
  portcullis tools approve --server notes          # all that are new
  portcullis tools approve --server notes --all    # those that changed too

A tool with something dangerous in it has to be named, and is asked about by itself. What is
approved is exactly what is shown: the definition, how it is signed, and which server it is of.
Every approval is recorded (`portcullis audit list --kind tool-settled`)."#;

/// A tool that is to be approved.
type Chosen<'k> = (&'k Reviewed, &'k ReviewedTool);

pub(super) fn run(args: &ApproveArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let known = Known::read(&*store, Timestamp::now())?;
    let chosen = match &args.server {
        Some(server) => of_server(known.server(server)?, args, out)?,
        None => named(&args.tools, &known, out)?,
    };
    if chosen.is_empty() {
        writeln!(out, "there is nothing to approve")?;
        return Ok(ExitCode::SUCCESS);
    }
    let trusted = Trusted::check(&*store)?;
    let agreed = ask(chosen, &trusted, out)?;
    if agreed.is_empty() {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    settle(&*store, &known, &agreed, &trusted)?;
    for (reviewed, tool) in &agreed {
        writeln!(out, "{} is approved as shown", full_name(reviewed, tool))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The tools that were named, but for those that are approved already.
fn named<'k>(names: &[String], known: &'k Known, out: &mut impl Write) -> Result<Vec<Chosen<'k>>, Failure> {
    let mut chosen: Vec<Chosen<'k>> = Vec::new();
    for name in names {
        let found = known.tool(name)?;
        let full_name = shown(&found.full_name());
        let refused =
            |why: &str| Failure::from(GateError::Said(format!("`{full_name}` cannot be approved: {why}")));
        let Found::Listed(reviewed, tool) = found else {
            return Err(refused("its server does not list it; start the server, and look again"));
        };
        match tool.judged.offer() {
            Ok(_) if chosen.iter().any(|(_, known)| std::ptr::eq(*known, tool)) => {}
            Ok(_) => chosen.push((reviewed, tool)),
            Err(NotOffered::Already) => writeln!(out, "{full_name} is approved already")?,
            Err(NotOffered::NoDefinition) => return Err(refused(&told::grounds(&tool.judged).join("; "))),
            Err(NotOffered::Revoked) => {
                let why = told::grounds(&tool.judged).join("; ");
                return Err(refused(&format!(
                    "{why}; a block is lifted with `portcullis tools block --lift`"
                )));
            }
        }
    }
    Ok(chosen)
}

/// The tools of a server that can be approved together.
fn of_server<'k>(
    reviewed: &'k Reviewed,
    args: &ApproveArgs,
    out: &mut impl Write,
) -> Result<Vec<Chosen<'k>>, Failure> {
    let mut chosen = Vec::new();
    for tool in reviewed.tools.iter().filter(|tool| tool.judged.offer().is_ok()) {
        let name = full_name(reviewed, tool);
        if told::is_dangerous(&tool.judged) {
            writeln!(out, "{name} is left out: something about it is dangerous, so name it to approve it")?;
        } else if tool.judged.standing == Standing::Changed && !args.all {
            writeln!(out, "{name} is left out: it changed; --all takes it too")?;
        } else {
            chosen.push((reviewed, tool));
        }
    }
    Ok(chosen)
}

/// Those of which the person says yes. What is dangerous is asked about by itself.
fn ask<'k>(
    chosen: Vec<Chosen<'k>>,
    trusted: &Trusted,
    out: &mut impl Write,
) -> Result<Vec<Chosen<'k>>, Failure> {
    let (dangerous, harmless): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|(_, tool)| told::is_dangerous(&tool.judged));
    let mut agreed = Vec::new();
    if !harmless.is_empty() {
        harmless.iter().try_for_each(|one| print(one, out))?;
        let question = match harmless.len() {
            1 => "Approve it?".to_owned(),
            count => format!("Approve these {count} tools?"),
        };
        if confirmed(trusted, &question, out)? {
            agreed.extend(harmless);
        }
    }
    for one in dangerous {
        print(&one, out)?;
        if confirmed(trusted, "Something about this tool is dangerous. Approve it all the same?", out)? {
            agreed.push(one);
        }
    }
    Ok(agreed)
}

fn print((reviewed, tool): &Chosen<'_>, out: &mut impl Write) -> std::io::Result<()> {
    let judged = &tool.judged;
    writeln!(
        out,
        "{} is {}: {}",
        full_name(reviewed, tool),
        judged.standing,
        told::grounds(judged).join("; ")
    )?;
    if let Some(who) = &reviewed.who {
        writeln!(out, "  served by {}", told::who(who))?;
    }
    if let Some(definition) = judged.definition.as_ref().filter(|_| judged.difference.is_none()) {
        writeln!(out, "  {}", shown(definition.description()))?;
        let schema = definition.members().get("inputSchema").and_then(|schema| schema.get("properties"));
        let names = schema.and_then(|properties| properties.as_object()).into_iter().flatten();
        let names: Vec<String> = names.map(|(name, _)| shown(name)).collect();
        if !names.is_empty() {
            writeln!(out, "  arguments: {}", names.join(", "))?;
        }
    }
    told::particulars(judged, Paint::of_output(), out)?;
    writeln!(out, "  sha256:{}", tool.listed.hash)
}

fn full_name(reviewed: &Reviewed, tool: &ReviewedTool) -> String {
    shown(&format!("{}.{}", reviewed.server, tool.judged.name))
}

/// Pins what was shown, on condition that nothing was settled meanwhile. Approving widens: who calls this has a trusted
/// channel.
fn settle(store: &dyn Store, known: &Known, agreed: &[Chosen<'_>], _: &Trusted) -> Result<(), Failure> {
    let expected = Expected { policy: Some(known.policy), ..Expected::default() };
    let mut commit = Commit::at(Timestamp::now()).expecting(expected);
    for (reviewed, tool) in agreed {
        let pin = approve(&reviewed.server, &tool.judged, "user (terminal)");
        let pin = pin.map_err(|error| GateError::Said(error.to_string()))?;
        let body = json!({
            "server": reviewed.server, "tool": tool.judged.name, "what": "approved",
            "hash": format!("sha256:{}", pin.hash), "standing": tool.judged.standing.to_string(),
            "reasons": told::grounds(&tool.judged), "by": whose::user(), "channel": "terminal",
        });
        let entry = NewEntry::new(kind::TOOL_SETTLED, &body.to_string()).map_err(CommitError::from)?;
        commit = commit.entry(entry).change(Change::Pin(pin));
    }
    match store.commit(commit) {
        Ok(_) => Ok(()),
        Err(CommitError::Outdated(_)) => {
            let told = "rules or approvals were changed meanwhile, so nothing was approved; look again";
            Err(GateError::Said(told.to_owned()).into())
        }
        Err(error) => Err(error.into()),
    }
}
