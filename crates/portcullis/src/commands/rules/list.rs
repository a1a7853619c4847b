//! `portcullis rules list`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_store::RuleFilter;

use super::super::{print_json_line, sessions};
use super::kept::{self, KeptReport};
use crate::failure::Failure;
use crate::places::Places;

/// What `rules list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Only what counts in a session, named by its first digits.
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// All that ever were, those that no longer count too.
    #[arg(long, conflicts_with = "session")]
    all: bool,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let now = Timestamp::now();
    let filter = match &args.session {
        Some(session) => RuleFilter::ActiveIn { session: sessions::named(&*store, session)?, now },
        None if args.all => RuleFilter::All,
        None => RuleFilter::Active { now },
    };
    let rules = store.rules(filter)?;
    if rules.is_empty() && !args.json {
        writeln!(out, "there are no rules: every call is asked about")?;
    }
    for kept in &rules {
        match kept::entry(kept) {
            Ok(entry) if args.json => print_json_line(&KeptReport::of(kept, &entry), out)?,
            Ok(entry) => {
                for line in kept::lines(kept, &entry.rule) {
                    writeln!(out, "{line}")?;
                }
            }
            // The others are still worth seeing.
            Err(failure) => crate::cli::tell(&failure),
        }
    }
    Ok(ExitCode::SUCCESS)
}
