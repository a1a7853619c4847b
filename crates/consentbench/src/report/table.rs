//! The report for people at a terminal: at most 100 columns wide.

use super::numbers::{count, counted, mean, microseconds, per_cent, with_unit};
use super::{BASELINES, COLUMNS, LEGEND, MEASURES, Report};
use crate::score::Group;

/// How wide the text of notes may be.
const WIDTH: usize = 98;

/// The report as text.
pub fn render(report: &Report) -> String {
    let all = &report.figures.all;
    let mut text = format!(
        "ConsentBench: {}, {}\n\n",
        counted(all.traces, "trace", "traces"),
        counted(all.steps, "step", "steps")
    );
    text.push_str(&aligned(&systems(report), 1));
    text.push('\n');
    text.push_str(&filled(BASELINES));
    let time = report.decision_time();
    text.push_str(&format!(
        "\nTime of a decision: {} (p50), {} (p99)\n\n",
        microseconds(time.p50),
        microseconds(time.p99)
    ));
    text.push_str(&aligned(&categories(report), 2));
    text.push('\n');
    text.push_str(&aligned(&dimensions(report), 1));
    text.push('\n');
    text.push_str(&filled(LEGEND));
    for note in report.notes() {
        text.push('\n');
        text.push_str(&filled(&format!("Note: {note}")));
    }
    text
}

fn systems(report: &Report) -> Vec<Vec<String>> {
    let systems = report.systems();
    let row = |name: &str, cell: &dyn Fn(&Group) -> String| -> Vec<String> {
        std::iter::once(name.to_owned())
            .chain(systems.iter().map(|(_, figures)| cell(&figures.all)))
            .collect()
    };
    let mut rows = vec![
        std::iter::once(String::new()).chain(systems.iter().map(|(name, _)| (*name).to_owned())).collect(),
    ];
    rows.extend(MEASURES.iter().map(|(name, share)| row(name, &|group| with_unit(share(group)))));
    let mut overgrant = vec!["steps permitted beyond the grant".to_owned(), with_unit(report.overgrant())];
    // A baseline grants tools, not flows, so there is nothing to compare.
    overgrant.extend(report.baselines.iter().map(|_| with_unit(None)));
    rows.push(overgrant);
    rows.push(row("prompts per session", &|group| mean(group.questions_per_session())));
    rows
}

fn categories(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![headings(&["Category", "servers"])];
    let mut last = None;
    for ((category, several), group) in &report.figures.by_category {
        let name = if last == Some(category) { String::new() } else { category.clone() };
        last = Some(category);
        let servers = if *several { "multi" } else { "single" };
        rows.push(cells(vec![name, servers.to_owned()], group));
    }
    rows
}

fn dimensions(report: &Report) -> Vec<Vec<String>> {
    let mut rows = vec![headings(&["What the session crosses"])];
    for (_, name, group) in super::dimensions(&report.figures) {
        rows.push(cells(vec![name.to_owned()], group));
    }
    rows
}

fn headings(first: &[&str]) -> Vec<String> {
    let counts = ["n", "calls"];
    let shares = COLUMNS.iter().map(|(name, _)| *name);
    first.iter().copied().chain(counts).chain(shares).map(str::to_owned).collect()
}

fn cells(mut cells: Vec<String>, group: &Group) -> Vec<String> {
    cells.extend([count(group.traces), count(group.steps)]);
    cells.extend(COLUMNS.iter().map(|(_, share)| per_cent(share(group))));
    cells
}

/// Rows under each other: the first columns to the left, numbers to the right, a line under the headings.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            line.push_str(&match column < left {
                true => format!("{gap}{cell:<width$}"),
                false => format!("{gap}{cell:>width$}"),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if at == 0 {
            let all = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
            text.push_str(&"─".repeat(all));
            text.push('\n');
        }
    }
    text
}

/// A sentence in lines that fit.
fn filled(sentence: &str) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in sentence.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}
