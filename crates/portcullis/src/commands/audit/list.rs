//! `portcullis audit list`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use portcullis_store::{Entry, EntryFilter, Mark, Order, Store};

use super::super::{print_json_line, sessions};
use super::{EntryReport, Told};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::when::{self, Toward};

const GLANCE: Duration = Duration::from_millis(250);

/// What `audit list` needs.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// Only what belongs to a session, named by its first digits.
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Only entries of a kind.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Only what was written since: a time, or a length of time such as 2h or 7d.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// At most so many, the newest.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: u32,
    /// Wait for more, and print it as it comes.
    #[arg(long)]
    follow: bool,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

pub(super) const HELP: &str = r#"Each line has the number of the entry, when it was written, its session, the step in it, what was decided, the
server and the tool, and what the call does.

  portcullis audit list --since 2h
  portcullis audit list --kind verdict --follow
  portcullis audit list --session 5e55 --json

Kinds: verdict (a call was decided), outcome (how a permitted call ended), answer (a question was answered), opened
(a gateway joined a session), rule-added, rule-revoked, invariant-added, invariant-removed, tools-listed (a server
lists other tools than before), tool-settled (a tool was approved or blocked), key-trusted, key-revoked,
session-ended.

Arguments are kept as keyed hashes unless your settings say otherwise. `audit show NUMBER` tells everything."#;

pub(super) fn run(args: &ListArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let since = args.since.as_deref().map(|text| when::read(text, Toward::Past, Timestamp::now()));
    let mut filter = EntryFilter {
        session: args.session.as_deref().map(|text| sessions::named(&*store, text)).transpose()?,
        kind: args.kind.clone(),
        since: since.transpose().map_err(|error| GateError::Said(format!("--since: {error}")))?,
        order: Order::NewestFirst,
        limit: args.limit,
        ..EntryFilter::default()
    };
    let mark = store.mark()?;
    let newest = store.head()?.sequence;
    filter.before = newest.checked_add(1);
    let mut entries = store.entries(&filter)?;
    entries.reverse();
    if entries.is_empty() && !args.json && !args.follow {
        writeln!(out, "nothing of the kind was recorded")?;
    }
    print(&entries, args, out)?;
    if args.follow {
        let unread = EntryFilter {
            after: Some(newest),
            before: None,
            order: Order::OldestFirst,
            limit: u32::MAX,
            ..filter
        };
        follow(&*store, unread, mark, args, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what comes, until nobody listens any more.
fn follow(
    store: &dyn Store,
    mut unread: EntryFilter,
    mut mark: Mark,
    args: &ListArgs,
    out: &mut impl Write,
) -> Result<(), Failure> {
    loop {
        let entries = store.entries(&unread)?;
        unread.after = entries.last().map(|entry| entry.sequence).or(unread.after);
        print(&entries, args, out)?;
        out.flush()?;
        while store.mark()? == mark {
            std::thread::sleep(GLANCE);
        }
        mark = store.mark()?;
    }
}

fn print(entries: &[Entry], args: &ListArgs, out: &mut impl Write) -> std::io::Result<()> {
    if args.json {
        return entries.iter().try_for_each(|entry| print_json_line(&EntryReport::of(entry), out));
    }
    let told: Vec<Told> = entries.iter().map(Told::of).collect();
    let widest =
        |text: fn(&Told) -> &str| told.iter().map(|told| text(told).chars().count()).max().unwrap_or(0);
    let (word, call) = (widest(|told| &told.word), widest(|told| &told.call));
    for (entry, told) in entries.iter().zip(&told) {
        let session = entry.session.map_or_else(|| "-".to_owned(), |session| session.to_string());
        let step = told.step.map_or_else(|| "-".to_owned(), |step| step.to_string());
        let line = format!(
            "{:>6}  {}  {session:<16}  {step:>4}  {:<word$}  {:<call$}  {}",
            entry.sequence,
            when::told(entry.time),
            told.word,
            told.call,
            told.what,
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
