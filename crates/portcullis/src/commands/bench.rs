//! `portcullis bench`: recorded sessions, replayed and scored.

mod progress;
mod replay;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use portcullis_consentbench::{
    Definitions, Replayed, Report, Trace, Workbench, html, json, mistakes, table, traces,
};

use super::{print_json, read};
use crate::cli::tell;
use crate::failure::Failure;
use progress::Progress;

/// What can be measured.
#[derive(Subcommand, Debug)]
pub(crate) enum BenchCommand {
    /// Replay ConsentBench traces through the monitor that guards real calls, and score its decisions.
    ///
    /// The monitor sees the session, the tools and the arguments, never the facts that a trace notes. The
    /// simulated user answers as the trace says. Three ways in which hosts ask today are replayed on the same
    /// traces and stand in the same table.
    ///
    /// Exits with 0 if every trace was replayed, whatever the figures are; with 2 if a file could not be read
    /// or a trace is malformed. Such traces are named with file, line and field, and the rest is replayed.
    #[command(after_long_help = HELP)]
    Consent(ConsentArgs),
    /// Decide the calls of a recorded session again, by another policy, and show what is decided otherwise.
    ///
    /// The session is taken from the audit log, which is only read. Without a change its calls are decided by the
    /// policy of today.
    ///
    /// Exits with 0 if every call is decided alike, with 1 if one is decided otherwise or may be, and with 2 if
    /// something cannot be read.
    #[command(after_long_help = replay::HELP)]
    Replay(replay::ReplayArgs),
}

/// What `bench consent` needs.
#[derive(Args, Debug)]
pub(crate) struct ConsentArgs {
    /// Files of traces, one JSON object a line; a folder stands for its *.jsonl, `-` for standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) traces: Vec<PathBuf>,
    /// Definitions of tools that neither trace nor catalogue has [default: definitions.json beside each FILE].
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the report as a page with plots, which needs no other file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write every step that was decided wrongly, with the explanation, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) mistakes: Option<PathBuf>,
}

const HELP: &str = r#"The figures:

  step accuracy    calls decided as the trace expects; trace accuracy: sessions without a mistake
  precision        of what was asked about or denied, the share that should have been
  recall           of what should have been asked about or denied, the share that was; F1: both
  benign           of the calls inside what was granted, the share permitted without a question
  bound            of the escalations beyond what was granted, the share asked about or denied
  invariant        of the violations of rules in plain English, the share denied
  beyond the grant calls permitted only by rules for what the product saw in a call, not by the
                   trace's own grants: it should be below 0.5 %

Examples:

  portcullis bench consent benchmarks/consentbench
  portcullis bench consent traces.jsonl --json | jq .bound_recall
  portcullis bench consent traces.jsonl --html report.html --mistakes mistakes.jsonl

How traces are written: benchmarks/consentbench/README.md. What the figures mean: docs/consentbench.md"#;

pub(crate) fn run(command: &BenchCommand, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        BenchCommand::Consent(args) => consent(args, out),
        BenchCommand::Replay(args) => replay::run(args, out),
    }
}

fn consent(args: &ConsentArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut batches = Vec::new();
    let mut malformed = 0;
    for path in &args.traces {
        match batches_of(path, args.tools.as_deref(), &mut malformed) {
            Ok(found) => batches.extend(found),
            Err(failure @ Failure::Read { .. }) => complain(failure, &mut malformed),
            Err(failure) => return Err(failure),
        }
    }
    let runs = replay(batches, &mut malformed)?;
    if runs.is_empty() {
        return Err(Failure::NoTraces);
    }
    let report = Report::of(&runs, malformed);
    if let Some(path) = &args.html {
        write_file(path, html::render(&report).as_bytes())?;
    }
    if let Some(path) = &args.mistakes {
        write_file(path, &mistake_lines(&runs)?)?;
    }
    match args.json {
        true => print_json(&json::report(&report), out)?,
        false => out.write_all(table::render(&report).as_bytes())?,
    }
    Ok(if malformed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// The traces of a file, with the definitions that go with them.
struct Batch {
    path: PathBuf,
    traces: Vec<Trace>,
    definitions: Definitions,
}

/// A file, or the files of a folder in the order of their names.
fn batches_of(path: &Path, tools: Option<&Path>, malformed: &mut usize) -> Result<Vec<Batch>, Failure> {
    if !path.is_dir() {
        return Ok(vec![batch(path, tools, malformed)?]);
    }
    let unreadable = |error| Failure::Read { path: path.into(), error };
    let entries = std::fs::read_dir(path).map_err(unreadable)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<PathBuf>, _>>().map_err(unreadable)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths.iter().map(|path| batch(path, tools, malformed)).collect()
}

fn batch(path: &Path, tools: Option<&Path>, malformed: &mut usize) -> Result<Batch, Failure> {
    let (traces, errors) = traces(&read(path)?);
    for error in errors {
        complain(Failure::Trace { path: path.into(), error }, malformed);
    }
    Ok(Batch { path: path.into(), traces, definitions: definitions(path, tools)? })
}

/// The definitions that are told, else those beside the traces, else none.
fn definitions(traces: &Path, tools: Option<&Path>) -> Result<Definitions, Failure> {
    let beside = traces.with_file_name("definitions.json");
    let path = match tools {
        Some(path) => path,
        None if beside.is_file() => &beside,
        None => return Ok(Definitions::default()),
    };
    // That a told file cannot be read is not the fault of one trace: nothing is replayed.
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Tools { path: path.into(), error: error.into() })?;
    Definitions::parse(&text).map_err(|error| Failure::Tools { path: path.into(), error: error.into() })
}

fn replay(batches: Vec<Batch>, malformed: &mut usize) -> Result<Vec<(Trace, Replayed)>, Failure> {
    let start = Instant::now();
    let clock = || -> Duration { start.elapsed() };
    let bench = Workbench::new(&clock)?;
    let mut progress = Progress::new(batches.iter().map(|batch| batch.traces.len()).sum(), "traces");
    let mut runs = Vec::new();
    for Batch { path, traces, definitions } in batches {
        for trace in traces {
            match bench.replay(&trace, &definitions) {
                Ok(replayed) => runs.push((trace, replayed)),
                Err(error) => {
                    progress.clear();
                    let error = error.in_trace(&trace);
                    complain(Failure::Trace { path: path.clone(), error }, malformed);
                }
            }
            progress.advance();
        }
    }
    progress.clear();
    Ok(runs)
}

fn complain(failure: Failure, malformed: &mut usize) {
    *malformed += 1;
    tell(&failure);
}

fn mistake_lines(runs: &[(Trace, Replayed)]) -> Result<Vec<u8>, Failure> {
    let mut lines = Vec::new();
    for mistake in runs.iter().flat_map(|(trace, replayed)| mistakes::of(trace, replayed)) {
        serde_json::to_writer(&mut lines, &mistake).map_err(std::io::Error::from)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn write_file(path: &Path, content: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, content).map_err(|error| Failure::WriteFile { path: path.into(), error })
}
