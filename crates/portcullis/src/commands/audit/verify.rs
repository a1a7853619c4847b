//! `portcullis audit verify`.

use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use portcullis_store::{Head, Progress, ReadExportError, Verification, verify_export};
use serde::Serialize;

use super::super::print_json;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;

/// What `audit verify` needs.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// An export, `-` for standard input [default: the log of the store].
    #[arg(value_name = "FILE")]
    export: Option<PathBuf>,
    /// A head that you noted elsewhere: it has to be in the log, as it was.
    #[arg(long, value_name = "HEAD")]
    head: Option<String>,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r#"Every entry contains the hash of the one before, so that none can be changed, removed, added or moved without
being found. But whoever can write to the file can compute a new chain from any entry on. So note the head that this
prints where such a writer cannot reach (another machine, a ticket, a piece of paper), and check against it:

  portcullis audit verify --head 17:9f2c…

What came behind the last noted head is protected only from those who do not rewrite the chain."#;

#[derive(Serialize)]
struct VerifyReport {
    whole: bool,
    head: Option<String>,
    /// Behind which entry an export begins.
    after: Option<String>,
    problem: Option<String>,
}

pub(super) fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let wrong = |_| {
        GateError::Said(
            "--head: a head is a number, a colon and 64 hexadecimal digits, as this prints it".into(),
        )
    };
    let noted = args.head.as_deref().map(|text| text.parse::<Head>().map_err(wrong)).transpose()?;
    let report = match &args.export {
        Some(path) => of_export(path, noted)?,
        None => of_store(noted)?,
    };
    match args.json {
        true => print_json(&report, out)?,
        false => print(&report, noted, out)?,
    }
    Ok(ExitCode::from(u8::from(!report.whole)))
}

fn of_store(noted: Option<Head>) -> Result<VerifyReport, Failure> {
    let store = Places::find()?.look()?;
    let mut shown = progress("checked");
    let found = store.verify(noted, &mut shown)?;
    Ok(match found {
        Verification::Whole { head } => whole(head, None),
        Verification::Broken(broken) => broken_report(broken.to_string()),
    })
}

fn of_export(path: &Path, noted: Option<Head>) -> Result<VerifyReport, Failure> {
    let unreadable = |error| Failure::Read { path: path.into(), error };
    let verified = if path == Path::new("-") {
        verify_export(&mut std::io::stdin().lock(), noted)
    } else {
        verify_export(&mut BufReader::new(File::open(path).map_err(unreadable)?), noted)
    };
    match verified {
        Ok(verified) => Ok(whole(verified.head, Some(verified.after))),
        Err(ReadExportError::Input(error)) => Err(unreadable(error)),
        Err(error) => Ok(broken_report(error.to_string())),
    }
}

fn whole(head: Head, after: Option<Head>) -> VerifyReport {
    VerifyReport {
        whole: true,
        head: Some(head.to_string()),
        after: after.map(|after| after.to_string()),
        problem: None,
    }
}

fn broken_report(problem: String) -> VerifyReport {
    VerifyReport { whole: false, head: None, after: None, problem: Some(problem) }
}

fn print(report: &VerifyReport, noted: Option<Head>, out: &mut impl Write) -> std::io::Result<()> {
    if let Some(problem) = &report.problem {
        return writeln!(out, "the log is not whole: {problem}");
    }
    writeln!(out, "the log is whole{}", if noted.is_some() { ", and as it was noted" } else { "" })?;
    if let Some(after) = report.after.as_ref().filter(|after| !after.starts_with("0:")) {
        writeln!(out, "it begins behind {after}")?;
    }
    writeln!(out, "head {}", report.head.as_deref().unwrap_or_default())?;
    if noted.is_none() {
        writeln!(out, "note the head elsewhere, and check against it with --head")?;
    }
    Ok(())
}

/// Tells how far it got, where somebody looks.
pub(super) fn progress(word: &'static str) -> impl FnMut(Progress) {
    let is_seen = std::io::stderr().is_terminal();
    move |Progress { done, of }| {
        if is_seen {
            let end = if done >= of { "\r\u{1b}[K" } else { "" };
            // Nobody misses it if it cannot be told.
            let _ = write!(std::io::stderr(), "\r{done} of {of} entries {word}{end}");
        }
    }
}
