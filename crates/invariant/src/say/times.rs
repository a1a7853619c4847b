//! Times, as words.

use jiff::civil::Date;

use crate::meaning::Span;

use super::acts::join;

const DAYS: [&str; 7] = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAY: i64 = 24 * 60;

/// When it is, or for when something is scheduled.
pub(super) fn time(spans: &[Span], is: bool, of_event: bool) -> String {
    let each: Vec<String> = spans.iter().map(span).collect();
    let when = match is {
        true => join(&each, "or"),
        false => format!("at any other time than {}", join(&each, "or")),
    };
    if of_event { format!("for an event {when}") } else { when }
}

fn span(span: &Span) -> String {
    let Span { days, hours, dates, months, month_days, is_outside } = span;
    let mut parts = Vec::new();
    if !days.is_empty() {
        let names: Vec<String> = days
            .iter()
            .map(|day| name(&DAYS, usize::from(*day)).unwrap_or_else(|| format!("day {day}")))
            .collect();
        parts.push(format!("on {}", join(&names, "and")));
    }
    if !months.is_empty() {
        let month = |month: &i8| {
            let at = usize::try_from(*month).ok().and_then(|month| month.checked_sub(1));
            at.and_then(|at| name(&MONTHS, at)).unwrap_or_else(|| format!("month {month}"))
        };
        let names: Vec<String> = months.iter().map(month).collect();
        parts.push(format!("in {}", join(&names, "and")));
    }
    if let Some((from, to)) = dates {
        parts.push(stretch(*from, *to));
    }
    if let Some((from, to)) = month_days {
        parts.push(format!("from day {from} to day {to} of the month"));
    }
    if !hours.is_empty() {
        let each: Vec<String> = hours.iter().map(|(from, to)| hour(*from, *to)).collect();
        parts.push(join(&each, "or"));
    }
    let told = if parts.is_empty() { "at any time".to_owned() } else { parts.join(" ") };
    if *is_outside { format!("at any time but {told}") } else { told }
}

fn name(names: &[&str], at: usize) -> Option<String> {
    names.get(at).map(|name| (*name).to_owned())
}

fn stretch(from: Option<Date>, to: Option<Date>) -> String {
    match (from, to) {
        (Some(from), Some(to)) if from == to => format!("on {from}"),
        (Some(from), Some(to)) => format!("from {from} until {to}"),
        (Some(from), None) => format!("from {from} on"),
        (None, Some(to)) => format!("until {to}"),
        (None, None) => "on any date".to_owned(),
    }
}

fn hour(from: i64, to: i64) -> String {
    let clock = |minutes: i64| format!("{:02}:{:02}", minutes.div_euclid(60), minutes.rem_euclid(60));
    match (from, to) {
        (from, DAY) if from > 0 => format!("after {}", clock(from)),
        (0, to) if to < DAY => format!("before {}", clock(to)),
        (from, to) => format!("between {} and {}", clock(from), clock(to)),
    }
}
