//! `portcullis tools diff`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{BLOCKED, LISTED, ReviewedTool};
use portcullis_identity::difference::Change;
use portcullis_identity::state::Standing;
use portcullis_lattice::words::shown;
use serde::Serialize;

use super::super::print_plain_json_line;
use super::known::{Found, Known};
use super::paint::Paint;
use super::told::{self, SettledReport};
use crate::failure::Failure;
use crate::places::Places;

/// What `tools diff` needs.
#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The tool: `SERVER.TOOL`, or `TOOL` where only one server has it.
    #[arg(value_name = "TOOL")]
    tool: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r#"Each change has a weight. Dangerous ones are what attacks need: a new way out for data, an
instruction to the model, hidden text, a turned hint. A glance is usual in honest projects;
cosmetic is spelling.

Words that are gone are struck through in red and new ones are green; where there are no colours,
and with NO_COLOR, they stand in [-...-] and {+...+}."#;

/// A difference for scripts.
#[derive(Serialize)]
struct DiffReport<'d> {
    server: &'d str,
    tool: &'d str,
    state: String,
    reasons: Vec<String>,
    approved: Option<SettledReport>,
    hash: Option<String>,
    changes: Vec<ChangeReport<'d>>,
}

#[derive(Serialize)]
struct ChangeReport<'d> {
    weight: String,
    what: &'static str,
    place: &'d str,
    old: Option<&'d str>,
    new: Option<&'d str>,
}

pub(super) fn run(args: &DiffArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let known = Known::read(&*store, Timestamp::now())?;
    let found = known.tool(&args.tool)?;
    let is_approved = match found {
        Found::Listed(_, tool) => matches!(tool.judged.standing, Standing::Pinned | Standing::Verified),
        Found::Gone(..) => false,
    };
    match args.json {
        true => print_plain_json_line(&report(&found), out)?,
        false => print(&found, out)?,
    }
    Ok(if is_approved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn report<'d>(found: &Found<'d>) -> DiffReport<'d> {
    let approved =
        found.pin().filter(|pin| ![BLOCKED, LISTED].contains(&pin.state.as_str())).map(SettledReport::of);
    let (server, tool) = (found.server().server.as_str(), found.name());
    match found {
        Found::Gone(..) => DiffReport {
            server,
            tool,
            state: "gone".to_owned(),
            reasons: vec!["the server does not list it".to_owned()],
            approved,
            hash: None,
            changes: Vec::new(),
        },
        Found::Listed(_, listed) => DiffReport {
            server,
            tool,
            state: listed.judged.standing.to_string(),
            reasons: told::grounds(&listed.judged),
            approved,
            hash: Some(format!("sha256:{}", listed.listed.hash)),
            changes: changes(listed).map(ChangeReport::of).collect(),
        },
    }
}

fn changes(tool: &ReviewedTool) -> impl Iterator<Item = &Change> {
    tool.judged.difference.iter().flat_map(|difference| &difference.changes)
}

impl<'d> ChangeReport<'d> {
    fn of(change: &'d Change) -> ChangeReport<'d> {
        ChangeReport {
            weight: change.class.weight().to_string(),
            what: change.class.words(),
            place: &change.pointer,
            old: change.old.as_deref(),
            new: change.new.as_deref(),
        }
    }
}

fn print(found: &Found<'_>, out: &mut impl Write) -> std::io::Result<()> {
    let name = shown(&found.full_name());
    let tool = match found {
        Found::Gone(_, pin) => {
            writeln!(out, "{name} is gone: the server does not list it")?;
            return writeln!(out, "  it was {}", told::settled(pin));
        }
        Found::Listed(_, tool) => tool,
    };
    writeln!(out, "{name} is {}: {}", tool.judged.standing, told::grounds(&tool.judged).join("; "))?;
    if let Some(pin) = &tool.pin {
        writeln!(out, "  it was {}", told::settled(pin))?;
    }
    let is_approved = matches!(tool.judged.standing, Standing::Pinned | Standing::Verified);
    match (is_approved, tool.judged.difference.is_some()) {
        (true, _) => writeln!(out, "  it is as it was approved"),
        (false, false) => {
            writeln!(
                out,
                "  there is nothing approved to compare it with; `portcullis tools show {name}` shows all of it"
            )?;
            told::particulars(&tool.judged, Paint::of_output(), out)
        }
        (false, true) => {
            if changes(tool).next().is_none() {
                writeln!(out, "  its definition is the approved one")?;
            }
            told::particulars(&tool.judged, Paint::of_output(), out)
        }
    }
}
