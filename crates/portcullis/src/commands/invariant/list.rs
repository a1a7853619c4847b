//! `portcullis invariant list`: the sentences in force, and who states them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use portcullis_lattice::words::shown;
use portcullis_store::{Invariant, Standing};
use serde::Serialize;

use super::super::explain::session::workspace_layout;
use super::super::print_json_line;
use crate::configuration::{Configured, Level, Sentence};
use crate::failure::Failure;
use crate::places::{Places, PlacesError};
use crate::when;

/// What `invariant list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The folder that is worked in, whose project may state rules [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    workspace: Option<PathBuf>,
    /// Those of your own that were removed too.
    #[arg(long)]
    all: bool,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// What is part of the program.
const BUILT_IN: &str = "No call may change or run Portcullis, its files, or what hosts of agents start.";

#[derive(Serialize)]
struct ListReport {
    /// `built-in`, `fleet`, `user`, `settings` or `project`.
    level: &'static str,
    origin: String,
    /// The number of one that can be removed by command.
    id: Option<u64>,
    sentence: String,
    author: Option<String>,
    since: Option<String>,
    removed: Option<String>,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let layout = workspace_layout(args.workspace.as_deref())?;
    let configured = Configured::read(&places, Path::new(&layout.workspace))?;
    let standing = if args.all { Standing::All } else { Standing::Current };
    let kept = match places.look() {
        Ok(store) => store.invariants(standing)?,
        // Files state rules before anything was guarded.
        Err(PlacesError::Nothing(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let of_level = |level| configured.sentences.iter().filter(move |sentence| sentence.level == level);
    let store = places.store_file().display().to_string();
    let reports: Vec<ListReport> = std::iter::once(built_in())
        .chain(of_level(Level::Fleet).map(of_file))
        .chain(kept.iter().map(|kept| of_store(kept, &store)))
        .chain(of_level(Level::User).map(of_file))
        .chain(of_level(Level::Project).map(of_file))
        .collect();
    match args.json {
        true => reports.iter().try_for_each(|report| print_json_line(report, out))?,
        false => print(&reports, &kept, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn built_in() -> ListReport {
    ListReport {
        level: "built-in",
        origin: "the program".to_owned(),
        id: None,
        sentence: BUILT_IN.to_owned(),
        author: None,
        since: None,
        removed: None,
    }
}

fn of_file(sentence: &Sentence) -> ListReport {
    let level = match sentence.level {
        Level::Fleet => "fleet",
        Level::User => "settings",
        Level::Project => "project",
    };
    let origin = shown(&sentence.file.display().to_string());
    ListReport { level, origin, sentence: sentence.text.clone(), ..built_in() }
}

fn of_store(kept: &Invariant, store: &str) -> ListReport {
    ListReport {
        level: "user",
        origin: shown(store),
        id: Some(kept.id.number()),
        sentence: kept.sentence.clone(),
        author: Some(kept.author.clone()),
        since: Some(kept.created.to_string()),
        removed: kept.removed.as_ref().map(|removed| removed.at.to_string()),
    }
}

fn print(reports: &[ListReport], kept: &[Invariant], out: &mut impl Write) -> std::io::Result<()> {
    let mut before = None;
    for report in reports {
        if before != Some((report.level, &report.origin)) {
            writeln!(out, "{}, {}", words(report.level), report.origin)?;
            before = Some((report.level, &report.origin));
        }
        let number = report.id.map_or_else(String::new, |id| id.to_string());
        writeln!(out, "{number:>4}  “{}”", shown(&report.sentence))?;
        let Some(kept) = kept.iter().find(|kept| report.id == Some(kept.id.number())) else { continue };
        writeln!(out, "      by {} since {}", shown(&kept.author), when::told(kept.created))?;
        if let Some(removed) = &kept.removed {
            writeln!(out, "      removed {} by {}", when::told(removed.at), shown(&removed.by))?;
        }
    }
    Ok(())
}

fn words(level: &str) -> &'static str {
    match level {
        "fleet" => "by whoever runs this machine",
        "user" => "by you",
        "settings" => "by your settings",
        "project" => "by the project",
        _ => "built in",
    }
}
