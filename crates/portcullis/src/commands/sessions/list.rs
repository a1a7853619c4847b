//! `portcullis sessions list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_store::{EndReason, Question, QuestionFilter, Rule, RuleFilter, Session, SessionFilter};
use serde::Serialize;

use super::super::print_json_line;
use crate::failure::Failure;
use crate::places::Places;
use crate::{when, whose};

/// What `sessions list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Those that have ended too.
    #[arg(long)]
    all: bool,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// A session for scripts.
#[derive(Serialize)]
struct SessionReport {
    session: String,
    workspace: String,
    user: String,
    host: String,
    /// Whether the process of the host still runs; nothing where that is not known.
    host_runs: Option<bool>,
    started: String,
    last_seen: String,
    steps: u64,
    rules: usize,
    questions: usize,
    ended: Option<EndReport>,
}

#[derive(Serialize)]
struct EndReport {
    at: String,
    why: &'static str,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let now = Timestamp::now();
    let filter = if args.all { SessionFilter::All } else { SessionFilter::Open };
    let sessions = store.sessions(filter)?;
    let (rules, questions) =
        (store.rules(RuleFilter::Active { now })?, store.questions(QuestionFilter::Open, now)?);
    if args.json {
        for session in &sessions {
            print_json_line(&report(session, &rules, &questions), out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if sessions.is_empty() {
        writeln!(out, "no session is open")?;
    }
    for session in &sessions {
        print(session, &report(session, &rules, &questions), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(session: &Session, rules: &[Rule], questions: &[Question]) -> SessionReport {
    let end = |end: &portcullis_store::End| EndReport {
        at: end.at.to_string(),
        why: match end.why {
            EndReason::Command => "command",
            EndReason::Idle => "idle",
        },
    };
    SessionReport {
        session: session.id.to_string(),
        workspace: shown(&session.key.workspace),
        user: shown(&session.key.user),
        host: shown(&session.key.host),
        host_runs: whose::runs(&session.key.host),
        started: session.started.to_string(),
        last_seen: session.last_seen.to_string(),
        steps: session.step,
        rules: rules.iter().filter(|rule| rule.session == Some(session.id)).count(),
        questions: questions.iter().filter(|question| question.session == session.id).count(),
        ended: session.ended.as_ref().map(end),
    }
}

fn print(session: &Session, report: &SessionReport, out: &mut impl Write) -> std::io::Result<()> {
    let host = match report.host_runs {
        Some(true) => format!("{}, which runs", report.host),
        Some(false) => format!("{}, which is gone", report.host),
        None => report.host.clone(),
    };
    writeln!(out, "{}  {}", report.session, report.workspace)?;
    writeln!(out, "  host {host}, user {}", report.user)?;
    writeln!(out, "  from {} to {}", when::told(session.started), when::told(session.last_seen))?;
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let steps = counted(usize::try_from(report.steps).unwrap_or(usize::MAX), "step");
    let (rules, questions) = (counted(report.rules, "own rule"), counted(report.questions, "open question"));
    writeln!(out, "  {steps}, {rules}, {questions}")?;
    if let Some(end) = &session.ended {
        let why = if end.why == EndReason::Idle { "because nothing was heard of it" } else { "by command" };
        writeln!(out, "  ended {} {why}", when::told(end.at))?;
    }
    Ok(())
}
