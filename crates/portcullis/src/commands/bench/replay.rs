//! `portcullis bench replay`: a recorded session, decided again by another policy.

mod calls;
mod log;
mod policy;
mod report;
mod session;
mod source;
mod standing;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::tz::TimeZone;
use portcullis_store::SessionId;

use super::super::print_json;
use super::progress::Progress;
use crate::failure::Failure;
use calls::{Call, calls};
use log::{Log, SessionLog};
use report::{Report, SessionReport, print};
use session::{Replayed, replay};
use source::{Source, Wanted};
use standing::{Change, Standing};

/// What `bench replay` needs.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The session, by its first digits [default: the one that made the last call].
    #[arg(value_name = "SESSION", conflicts_with = "all")]
    session: Option<String>,
    /// All sessions.
    #[arg(long)]
    all: bool,
    /// An export of an audit log, `-` for standard input, in place of the store; it is verified first.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Rules, one a line, in place of all that were granted. Answers then count for one call each.
    #[arg(long, value_name = "FILE", help_heading = "The change")]
    rules: Option<PathBuf>,
    /// A rule more, from the first call on; may be given several times, like those that follow.
    #[arg(long, value_name = "RULE", help_heading = "The change")]
    add: Vec<String>,
    /// A rule less, by its number in `rules list`.
    #[arg(long, value_name = "NUMBER", conflicts_with = "rules", help_heading = "The change")]
    without: Vec<u64>,
    /// Sentences, one a line, in place of all rules in plain English that were stated.
    #[arg(long, value_name = "FILE", help_heading = "The change")]
    invariants: Option<PathBuf>,
    /// A rule in plain English more.
    #[arg(long, value_name = "SENTENCE", help_heading = "The change")]
    invariant: Vec<String>,
    /// A rule in plain English less, by its number in `invariant list`.
    #[arg(long, value_name = "NUMBER", conflicts_with = "invariants", help_heading = "The change")]
    without_invariant: Vec<u64>,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis bench replay                                   what would today's policy have said?
  portcullis bench replay a60b --add 'allow write from ctxt to @workspace'
  portcullis bench replay --without 3 --json
  portcullis bench replay --all --invariant 'Never send anything outside acme.com.'
  portcullis bench replay --log audit.jsonl --rules proposed.rules

What calls do and carry is taken from the log, and so is what stages found whose grounds the log does not keep: it
has no arguments. Rules are decided anew at each call. What was granted, revoked and stated while the session went on
happens again where it happened; what was changed after its last call counts from the first call on. An answer for
one call counts for that call. A question that is not asked any more grants nothing.

Nothing is written. What exactly is decided again: docs/commands.md"#;

pub(super) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let wanted = match &args.session {
        Some(text) => Wanted::Named(text),
        None if args.all => Wanted::All,
        None => Wanted::Last,
    };
    let source = Source::open(args.log.as_deref(), wanted)?;
    let change = policy::change(args, &source)?;
    let report = report(&source, &change)?;
    match args.json {
        true => print_json(&report, out)?,
        false => print(&report, out)?,
    }
    Ok(ExitCode::from(u8::from(report.changed)))
}

fn report(source: &Source, change: &Change) -> Result<Report, Failure> {
    let sessions = &source.log.sessions;
    let all: usize = sessions.values().map(|session| session.events.len()).sum();
    let mut progress = Progress::new(all, "calls");
    let mut reports = Vec::new();
    for (id, session) in sessions.iter().filter(|(_, session)| !session.is_empty()) {
        let settings = source.settings(session)?;
        let one = One { log: &source.log, id: *id, session, settings };
        reports.push(one.report(change, &mut || progress.advance())?);
    }
    progress.clear();
    Ok(Report::of(source.policy(), policy::words(change, &source.log), reports))
}

/// One session of a log.
struct One<'l> {
    log: &'l Log,
    id: SessionId,
    session: &'l SessionLog,
    /// What settings state today.
    settings: Option<Vec<String>>,
}

impl<'l> One<'l> {
    fn report(&self, change: &Change, advance: &mut dyn FnMut()) -> Result<SessionReport, Failure> {
        let (replayed, unreadable) = self.replayed(change, advance)?;
        let workspace = self.session.layouts.values().next().map_or("", |layout| &layout.session.workspace);
        let report = |today| SessionReport::of(self.id, workspace, &replayed, today, unreadable);
        Ok(match change.is_none() {
            true => report(&replayed),
            false => report(&self.replayed(&Change::default(), &mut || ())?.0),
        })
    }

    fn replayed(
        &self,
        change: &Change,
        advance: &mut dyn FnMut(),
    ) -> Result<(Vec<Replayed<'l>>, usize), Failure> {
        let (calls, unreadable) = calls(self.session);
        let answers: BTreeSet<u64> =
            calls.iter().filter_map(|call: &Call<'_>| call.answer.map(|(number, _)| number)).collect();
        let standing = Standing {
            log: self.log,
            session: self.id,
            name: self.id.to_string(),
            of_session: self.session,
            last: calls.last().map_or(0, |call| call.sequence),
            change,
            settings: self.settings.clone(),
            answers,
        };
        let stated = policy::newly(&standing)?;
        let replayed = replay(calls, &standing, stated, &TimeZone::system(), advance)?;
        Ok((replayed, unreadable))
    }
}
