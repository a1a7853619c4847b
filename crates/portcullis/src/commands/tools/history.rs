//! `portcullis tools history`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{BLOCKED, LISTED};
use portcullis_lattice::words::shown;
use portcullis_store::{Digest, Pin, Sight, Store, ToolKey};
use serde::Serialize;

use super::super::print_plain_json_line;
use super::known::Known;
use crate::failure::Failure;
use crate::places::Places;
use crate::when;

/// What `tools history` needs.
#[derive(Args, Debug)]
pub(crate) struct HistoryArgs {
    /// The tool: `SERVER.TOOL`, or `TOOL` where only one server has it.
    #[arg(value_name = "TOOL")]
    tool: String,
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// Something that happened to a tool.
struct Event {
    at: Timestamp,
    what: &'static str,
    hash: Option<Digest>,
    by: Option<String>,
}

/// The same for scripts.
#[derive(Serialize)]
struct EventReport<'e> {
    at: String,
    what: &'e str,
    hash: Option<String>,
    by: Option<&'e str>,
}

pub(super) fn run(args: &HistoryArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let known = Known::read(&*store, Timestamp::now())?;
    let found = known.tool(&args.tool)?;
    let key = ToolKey { server: found.server().server.clone(), tool: found.name().to_owned() };
    let events = events(&*store, &key)?;
    if !args.json {
        writeln!(out, "{}", shown(&found.full_name()))?;
    }
    for event in &events {
        let hash = event.hash.map(|hash| format!("sha256:{hash}"));
        if args.json {
            let by = event.by.as_deref();
            print_plain_json_line(
                &EventReport { at: event.at.to_string(), what: event.what, hash, by },
                out,
            )?;
            continue;
        }
        let hash =
            hash.map(|hash| format!("  {}", hash.chars().take(19).collect::<String>())).unwrap_or_default();
        let by = event.by.as_ref().map(|by| format!(" by {}", shown(by))).unwrap_or_default();
        writeln!(out, "  {}{hash}  {}{by}", when::told(event.at), event.what)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All that is kept of a tool, in the order of time.
fn events(store: &dyn Store, key: &ToolKey) -> Result<Vec<Event>, Failure> {
    let (pins, sights) = (store.pins_of(key)?, store.sights(Some(&key.server))?);
    let mut events: Vec<Event> = Vec::new();
    for sight in sights.iter().filter(|sight| sight.key == *key) {
        events.extend(of_sight(sight));
    }
    for pin in &pins {
        events.push(of_pin(pin));
        let removed =
            pin.replaced.as_ref().filter(|removed| !pins.iter().any(|next| next.approved == removed.at));
        events.extend(removed.map(|removed| Event {
            at: removed.at,
            what: "no longer settled",
            hash: None,
            by: Some(removed.by.clone()),
        }));
    }
    events.sort_by_key(|event| event.at);
    Ok(events)
}

fn of_sight(sight: &Sight) -> Vec<Event> {
    let hash = Some(sight.hash);
    let event = |at, what| Event { at, what, hash, by: None };
    let mut events = vec![event(sight.first_seen, "listed for the first time")];
    if sight.last_seen != sight.first_seen {
        events.push(event(sight.last_seen, "listed again"));
    }
    events
}

fn of_pin(pin: &Pin) -> Event {
    let is_blocked = pin.state == BLOCKED;
    let what = match pin.state.as_str() {
        BLOCKED => "blocked",
        LISTED => "served as it is listed",
        _ => "approved",
    };
    let hash = Some(pin.hash).filter(|_| !is_blocked);
    Event { at: pin.approved, what, hash, by: Some(pin.approver.clone()) }
}
