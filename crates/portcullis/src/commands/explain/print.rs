//! Explanations for people.

use std::io::{Result, Write};

use portcullis_lattice::words::shown;
use portcullis_perceive::profile::Source;

use super::call::{CallReport, ClassReport, FlowReport, PageReport, ResourceReport};
use super::profile::{ProfileReport, WordsReport};
use super::summary::Summary;
use super::{Explained, Server, UNNAMED};

/// Names up to this width stand in one column.
const WIDEST: usize = 56;

pub(super) fn explained(
    explained: &Explained<'_>,
    server: &Server,
    source: Source,
    out: &mut impl Write,
) -> Result<()> {
    writeln!(out, "{} of the server {}", shown(explained.tool), shown(&server.name))?;
    writeln!(out, "source: {}", source.in_words())?;
    for remark in remarks(explained, server, source) {
        writeln!(out, "- {remark}")?;
    }
    profile(&explained.profile, out)?;
    explained.call.as_ref().map_or(Ok(()), |done| call(done, out))
}

/// What a reader should know who wonders where the profile comes from.
fn remarks(explained: &Explained<'_>, server: &Server, source: Source) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(package) = &server.unknown_package {
        remarks.push(format!("the catalogue has no server of the package `{}`", shown(package)));
    }
    if let (Some(catalogued), Source::Derived) = (&server.catalogued, source) {
        remarks.push(format!("the catalogue knows the server {} and not this tool of it", shown(catalogued)));
    }
    if source == Source::Derived && server.name == UNNAMED {
        remarks
            .push(format!("its things are named `{UNNAMED}:…`; `--server` says what the server is called"));
    }
    let unknown: Vec<String> =
        explained.profile.unknown_arguments.iter().map(|name| format!("`{}`", shown(name))).collect();
    if !unknown.is_empty() {
        remarks.push(format!("the profile does not know {}; a call with it is doubted", unknown.join(", ")));
    }
    remarks
}

fn profile(profile: &ProfileReport, out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nwhat it does")?;
    for deed in &profile.deeds {
        deed_lines(&deed.words, out)?;
    }
    for line in profile.calls.iter().chain(&profile.opens) {
        writeln!(out, "  {line}")?;
    }
    if !profile.text.is_empty() {
        let names: Vec<String> = profile.text.iter().map(|name| format!("`{}`", shown(name))).collect();
        writeln!(out, "  free text that the agent writes goes along: {}", names.join(", "))?;
    }
    let assumed: Vec<&String> = profile.assumptions.iter().map(|assumption| &assumption.words).collect();
    items("taken at its worst", &assumed, out)
}

fn deed_lines(WordsReport { when, does, from, to }: &WordsReport, out: &mut impl Write) -> Result<()> {
    match when.is_empty() {
        true => writeln!(out, "  {does}")?,
        false => writeln!(out, "  {does}, when {}", when.join(" and "))?,
    }
    for (head, choices) in [("from", from), ("to", to)] {
        for (choice, places) in choices.iter().enumerate() {
            for (place, words) in places.iter().enumerate() {
                match (choice, place) {
                    (0, 0) => writeln!(out, "    {head:<4}  {words}")?,
                    (_, 0) => writeln!(out, "          else {words}")?,
                    _ => writeln!(out, "          and {words}")?,
                }
            }
        }
    }
    Ok(())
}

fn call(call: &CallReport, out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nwhat this call does")?;
    if call.flows.is_empty() {
        writeln!(out, "  nothing that is understood, so that the user is asked")?;
    }
    for done in &call.flows {
        flow(done, out)?;
    }
    match &call.page {
        PageReport::Same => {}
        PageReport::Known(name) => writeln!(out, "  the browser then shows {}", shown(name))?,
        PageReport::Unknown => writeln!(out, "  which page the browser then shows is not known")?,
    }
    let credentials: Vec<String> = call
        .credentials
        .iter()
        .map(|found| {
            let formats = found.formats.join(", ");
            format!("`{}` ({formats}): where the arguments go counts as secret", shown(&found.argument))
        })
        .collect();
    items("credentials in the arguments", &credentials, out)?;
    items("taken at its worst", &call.doubts, out)?;
    let notes = |suspicious: bool| -> Vec<String> {
        let notes = call.notes.iter().filter(|note| note.suspicious == suspicious);
        notes.map(|note| format!("`{}`: {}", note.argument, note.words)).collect()
    };
    items("suspicious", &notes(true), out)?;
    items("to know", &notes(false), out)
}

fn flow(flow: &FlowReport, out: &mut impl Write) -> Result<()> {
    for words in &flow.words {
        writeln!(out, "  {words}")?;
    }
    let all = flow.inputs.iter().chain(&flow.outputs).filter(|place| place.class != ClassReport::Context);
    let width =
        all.map(|place| place.words.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    side("from", &flow.inputs, width, out)?;
    side("to", &flow.outputs, width, out)?;
    match flow.payload {
        true => writeln!(out, "    free text that the agent wrote goes along"),
        false => Ok(()),
    }
}

fn side(head: &str, places: &[ResourceReport], width: usize, out: &mut impl Write) -> Result<()> {
    for (number, place) in places.iter().enumerate() {
        let label = if number == 0 { head } else { "" };
        if place.class == ClassReport::Context {
            let words = if head == "from" { "what the agent writes" } else { &place.words };
            writeln!(out, "    {label:<4}  {words}")?;
            continue;
        }
        let remarks = place_remarks(place).join("; ");
        writeln!(out, "    {label:<4}  {:<width$}  {remarks}", place.words)?;
    }
    Ok(())
}

fn place_remarks(place: &ResourceReport) -> Vec<String> {
    let lies = if place.public { "open to everybody" } else { place.class.in_words() };
    let mut remarks = vec![lies.to_owned()];
    if !place.details.is_empty() {
        let details: Vec<String> = place.details.iter().map(|detail| shown(detail)).collect();
        remarks.push(format!("in it {}", details.join(", ")));
    }
    if place.holds_credentials {
        remarks.push("counts as secret".to_owned());
    }
    remarks
}

/// A list under a heading, if there is anything to list.
fn items<T: AsRef<str>>(heading: &str, items: &[T], out: &mut impl Write) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{heading}")?;
    items.iter().try_for_each(|item| writeln!(out, "  - {}", shown(item.as_ref())))
}

pub(super) fn summary(summary: &Summary<'_>, out: &mut impl Write) -> Result<()> {
    let rows: Vec<[String; 4]> = summary
        .tools
        .iter()
        .map(|tool| {
            let assumed: Vec<String> = tool.assumptions.iter().map(|one| shown(&one.words)).collect();
            [shown(&tool.tool), tool.source.to_owned(), tool.words.clone(), assumed.join("; ")]
        })
        .collect();
    let last = if rows.iter().all(|[.., assumed]| assumed.is_empty()) { "" } else { "taken at its worst" };
    let heads = ["tool", "source", "what it does", last].map(str::to_owned);
    let width = |column: usize| {
        let cells = std::iter::once(&heads).chain(&rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let (first, second, third) = (width(0), width(1), width(2));
    for [tool, source, does, assumed] in std::iter::once(&heads).chain(&rows) {
        let line = format!("{tool:<first$}  {source:<second$}  {does:<third$}  {assumed}");
        writeln!(out, "{}", line.trim_end())?;
    }
    let count = summary.tools.len();
    let tools = if count == 1 { "tool" } else { "tools" };
    writeln!(out, "{count} {tools} of the server {}; `--name` tells more of one", shown(summary.server))
}
