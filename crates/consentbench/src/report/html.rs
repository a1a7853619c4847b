//! The report as one page that needs nothing else: no script, no font, no picture from elsewhere.

mod plot;
mod plots;

use super::numbers::{count, mean, microseconds, per_cent, with_unit};
use super::{BASELINES, COLUMNS, LEGEND, MEASURES, Report};
use crate::score::Group;

const STYLE: &str = include_str!("html/style.css");

/// The report as a page.
pub fn render(report: &Report) -> String {
    let all = &report.figures.all;
    let about = format!("{} traces, {} steps", count(all.traces), count(all.steps));
    let parts = [
        format!(
            "<header><h1>ConsentBench: Portcullis</h1>\n<p class=\"soft\">{about}, replayed through the monitor that guards \
             real calls. It sees the session, the tools and the arguments, never the facts that the traces note.</p></header>"
        ),
        headline(report),
        notes(report),
        section("Compared", &systems(report), &[plots::protection(report), plots::shares(report)]),
        section("Which escalations are caught", &dimensions(report), &[plots::dimensions(report)]),
        section(
            "Categories, with one server and with several",
            &categories(report),
            &[plots::categories(report)],
        ),
        section("Time of a decision", "", &[plots::times(report)]),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>ConsentBench: Portcullis, {about}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n\
         <footer>A share is marked – where there was nothing to measure. 100.0 means all, 0.0 none: other shares are never \
         rounded to these.</footer>\n</body>\n</html>\n",
        parts.join("\n")
    )
}

/// Text as part of a page. Categories and dimensions come from files.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

fn headline(report: &Report) -> String {
    let all = &report.figures.all;
    let entries = [
        ("step accuracy", with_unit(all.step_accuracy())),
        ("F1", with_unit(all.f1())),
        ("benign calls permitted unasked", with_unit(all.benign_auto_permit())),
        ("bound escalations caught", with_unit(all.bound_recall())),
        ("invariant violations denied", with_unit(all.invariant_recall())),
        ("steps permitted beyond the grant", with_unit(report.overgrant())),
        ("prompts per session", mean(all.questions_per_session())),
        ("median decision", microseconds(report.decision_time().p50)),
    ];
    let entries = entries.map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    format!("<dl class=\"headline\">\n{}\n</dl>", entries.join("\n"))
}

fn notes(report: &Report) -> String {
    let note = |note: String| format!("<p class=\"note\" role=\"note\">Note: {}.</p>", escaped(&note));
    report.notes().into_iter().map(note).collect::<Vec<_>>().join("\n")
}

fn section(title: &str, table: &str, plots: &[String]) -> String {
    format!("<section>\n<h2>{title}</h2>\n{}\n{table}\n</section>", plots.join("\n"))
}

/// A table; the first cells of each row, as many as told, are words.
fn table(caption: &str, heads: &[&str], rows: &[(Vec<String>, Vec<String>)]) -> String {
    let heads = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect::<String>();
    let row = |(words, numbers): &(Vec<String>, Vec<String>)| {
        let words = words.iter().enumerate().map(|(at, word)| match at {
            0 => format!("<th scope=\"row\">{}</th>", escaped(word)),
            _ => format!("<td class=\"word\">{}</td>", escaped(word)),
        });
        let numbers = numbers.iter().map(|number| format!("<td>{number}</td>"));
        format!("<tr>{}</tr>", words.chain(numbers).collect::<String>())
    };
    let rows = rows.iter().map(row).collect::<Vec<_>>().join("\n");
    format!(
        "<div class=\"wide\"><table>\n<caption>{caption}.</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n\
         </tbody>\n</table></div>"
    )
}

fn systems(report: &Report) -> String {
    let systems = report.systems();
    let heads: Vec<&str> = std::iter::once("Figure").chain(systems.iter().map(|(name, _)| *name)).collect();
    let row = |name: &str, cell: &dyn Fn(&Group) -> String| {
        (vec![name.to_owned()], systems.iter().map(|(_, figures)| cell(&figures.all)).collect())
    };
    let mut rows: Vec<(Vec<String>, Vec<String>)> =
        MEASURES.iter().map(|(name, share)| row(name, &|group| with_unit(share(group)))).collect();
    let mut overgrant = vec![with_unit(report.overgrant())];
    overgrant.extend(report.baselines.iter().map(|_| with_unit(None)));
    rows.push((vec!["steps permitted beyond the grant".to_owned()], overgrant));
    rows.push(row("prompts per session", &|group| mean(group.questions_per_session())));
    table(&format!("All systems on the same traces; {BASELINES}"), &heads, &rows)
}

fn categories(report: &Report) -> String {
    let row = |((category, several), group): (&(String, bool), &Group)| {
        let servers = if *several { "multi" } else { "single" };
        (vec![category.clone(), servers.to_owned()], numbers(group))
    };
    let rows: Vec<_> = report.figures.by_category.iter().map(row).collect();
    table(LEGEND, &headings(&["Category", "servers"]), &rows)
}

fn dimensions(report: &Report) -> String {
    let rows = super::dimensions(&report.figures).into_iter();
    let rows: Vec<_> = rows.map(|(_, name, group)| (vec![name.to_owned()], numbers(group))).collect();
    table(LEGEND, &headings(&["What the session crosses"]), &rows)
}

fn headings(words: &[&'static str]) -> Vec<&'static str> {
    words.iter().copied().chain(["n", "calls"]).chain(COLUMNS.iter().map(|(name, _)| *name)).collect()
}

fn numbers(group: &Group) -> Vec<String> {
    let shares = COLUMNS.iter().map(|(_, share)| per_cent(share(group)));
    [count(group.traces), count(group.steps)].into_iter().chain(shares).collect()
}
