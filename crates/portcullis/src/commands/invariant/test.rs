//! `portcullis invariant test`: sentences tried on the calls of a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Zoned;
use portcullis_invariant::trial::{Expected, Report, SentenceReport, Tally, TriedCall, run as try_file};
use portcullis_lattice::words::shown;

use super::super::{print_json, read};
use super::InvariantError;
use crate::failure::Failure;

/// What `invariant test` needs.
#[derive(Args, Debug)]
pub(crate) struct TestArgs {
    /// The sentences with their calls, in TOML; `-` reads them from standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print what came of it as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r##"A file:

  [defaults.session]
  workdir = "/home/ann/report"
  home = "/home/ann"
  internal = ["acme.com"]

  [[sentence]]
  text = "Nothing from the hr folder may be mailed to people outside acme.com"
  verdict = "deny"
  fires = [
    { tool = "gmail.send_email", args = { to = ["bob@vendor.net"], subject = "s", body = "b" },
      before = [{ tool = "filesystem.read_file", args = { path = "hr/pay.csv" } }] },
  ]
  quiet = [
    { tool = "gmail.send_email", args = { to = ["bob@vendor.net"], subject = "s", body = "b" } },
  ]

  [[sentence]]
  text = "Please be careful"
  verdict = "refuse"

The verdict is deny, ask, or refuse for a text that must not be taken for a rule. Calls that `fires` lists
must break the rule, those that `quiet` lists must not. A sentence or a call may have its `now`, such as
"2026-03-06T18:40", and calls that were made `before`; a sentence may have its own `session`. Servers of the
catalogue are known; definitions of other tools stand as JSON under [tools], by their server:

  [tools]
  payments = ['{"name": "refund", "inputSchema": {"type": "object"}}']"##;

pub(super) fn run(args: &TestArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let path = || args.file.clone();
    let report = try_file(&read(&args.file)?, Zoned::now().year())
        .map_err(|error| InvariantError::File { path: path(), error })?;
    if report.sentences.is_empty() {
        return Err(InvariantError::NoSentences { path: path() }.into());
    }
    match args.json {
        true => print_json(&report, out)?,
        false => print(&report, out)?,
    }
    Ok(ExitCode::from(u8::from(!report.tally.is_perfect())))
}

fn print(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    report.sentences.iter().try_for_each(|one| sentence(one, out))?;
    let Tally { rules, read, fires, fired, quiet, kept_quiet, refuse, refused } = report.tally;
    writeln!(out)?;
    writeln!(out, "{read} of {rules} rules understood")?;
    writeln!(out, "{fired} of {fires} calls that must break their rule do")?;
    writeln!(out, "{kept_quiet} of {quiet} calls that must not break their rule do not")?;
    if refuse > 0 {
        writeln!(out, "{refused} of {refuse} texts that are no rules refused")?;
    }
    Ok(())
}

fn sentence(report: &SentenceReport, out: &mut impl Write) -> std::io::Result<()> {
    let mark = if report.is_as_stated { "ok  " } else { "FAIL" };
    writeln!(out, "{mark}  {}", shown(&report.text))?;
    match (&report.unread, report.verdict) {
        (Some(why), Expected::Deny | Expected::Ask) => writeln!(out, "        {}", shown(why))?,
        (None, Expected::Refuse) => writeln!(out, "        it was taken for a rule")?,
        (Some(_), Expected::Refuse) | (None, Expected::Deny | Expected::Ask) => {}
    }
    // Of a rule that is none, the calls say nothing more.
    let calls = report.calls.iter().filter(|call| !call.is_as_stated && report.unread.is_none());
    calls.into_iter().try_for_each(|one| call(one, out))
}

fn call(call: &TriedCall, out: &mut impl Write) -> std::io::Result<()> {
    let line = shown(&format!("{} {}", call.tool, call.arguments));
    match call.must_fire {
        true => writeln!(out, "        must break it, and does not: {line}"),
        false => {
            writeln!(out, "        must not break it, and does: {line}")?;
            call.because.iter().try_for_each(|fact| writeln!(out, "          because {}", shown(fact)))
        }
    }
}
