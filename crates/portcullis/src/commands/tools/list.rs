//! `portcullis tools list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::Reviewed;
use portcullis_lattice::words::shown;
use unicode_width::UnicodeWidthStr;

use super::super::print_plain_json_line;
use super::known::{Known, NOTHING_SEEN};
use super::told::{self, ToolReport};
use crate::failure::Failure;
use crate::places::Places;

/// What `tools list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Only the tools of this server.
    #[arg(value_name = "SERVER")]
    server: Option<String>,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r#"States:

  verified    a signer whom you trust vouches for it, at a version not older than the last one
  pinned      you approved it, and it is unchanged since
  new         nothing of this name was approved
  changed     it is not what was approved
  downgraded  its signature is right, and its version older than the approved one
  squatting   its name passes for another server's tool
  invalid     it cannot be read, is listed twice, or its signature is wrong
  revoked     you blocked it, or whoever vouched for it took that back
  gone        it was approved or blocked, and is not listed any more

Only verified and pinned tools can be called without a question. `tools show TOOL` tells why a
tool is in its state, `tools diff TOOL` what changed, and `tools approve TOOL` approves it."#;

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let now = Timestamp::now();
    let known = Known::read(&*store, now)?;
    let chosen: Vec<&Reviewed> = match &args.server {
        Some(server) => vec![known.server(server)?],
        None => known.servers.iter().collect(),
    };
    if args.json {
        for reviewed in chosen {
            let listed = reviewed.tools.iter().map(|tool| ToolReport::of(&reviewed.server, tool));
            let gone = reviewed.gone.iter().map(ToolReport::gone);
            listed.chain(gone).try_for_each(|report| print_plain_json_line(&report, out))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if chosen.is_empty() {
        writeln!(out, "{NOTHING_SEEN}")?;
    }
    chosen.into_iter().try_for_each(|reviewed| print(reviewed, now, out))?;
    Ok(ExitCode::SUCCESS)
}

fn print(reviewed: &Reviewed, now: Timestamp, out: &mut impl Write) -> std::io::Result<()> {
    let who = reviewed.who.as_ref().map(|who| format!(": {}", told::who(who)));
    writeln!(out, "{}{}", shown(&reviewed.server), who.unwrap_or_default())?;
    let mut rows: Vec<[String; 4]> = Vec::new();
    for tool in &reviewed.tools {
        let signer = told::signer(&tool.judged);
        let signer = signer.map_or_else(|| "-".to_owned(), |(signer, version)| format!("{signer} {version}"));
        let state = tool.judged.standing.to_string();
        rows.push([state, shown(&tool.judged.name), signer, told::age(tool, now)]);
    }
    for pin in &reviewed.gone {
        rows.push(["gone".to_owned(), shown(&pin.key.tool), "-".to_owned(), told::settled(pin)]);
    }
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|text| text.width()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    for [state, tool, signer, age] in &rows {
        let padded: Vec<String> = [state, tool, signer]
            .iter()
            .zip(widths)
            .map(|(text, width)| format!("{text}{}", " ".repeat(width.saturating_sub(text.width()))))
            .collect();
        writeln!(out, "  {}  {age}", padded.join("  "))?;
    }
    Ok(())
}
