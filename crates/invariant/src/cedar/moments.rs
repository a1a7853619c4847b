//! Stretches of time, in Cedar's words.

use jiff::civil::Date;

use super::condition::Condition;
use crate::meaning::Span;

/// Whether the time of the call lies in a stretch of time.
pub(super) fn during(span: &Span) -> Condition {
    let hours = span.hours.iter().map(|(from, to)| {
        Condition::all([
            Condition::plain(format!("context.now.minute >= {from}")),
            Condition::plain(format!("context.now.minute < {to}")),
        ])
    });
    Condition::all([day(span, "context.now"), some(hours)])
}

/// Whether what is scheduled lies in a stretch of time as a whole.
pub(super) fn event_within(span: &Span, path: &str) -> Condition {
    let hours = span.hours.iter().map(|(start, end)| {
        Condition::all([
            Condition::plain(format!("{path}.from >= {start}")),
            Condition::plain(format!("{path}.to <= {end}")),
        ])
    });
    Condition::all([day(span, path), some(hours)])
}

/// Whether what is scheduled meets a stretch of time.
pub(super) fn event_during(span: &Span, path: &str) -> Condition {
    let (from, to) = (format!("{path}.from"), format!("{path}.to"));
    let hours = span.hours.iter().map(|(start, end)| {
        Condition::all([
            Condition::plain(format!("{from} < {end}")),
            Condition::any([
                Condition::plain(format!("{to} > {start}")),
                Condition::all([
                    Condition::plain(format!("{from} == {to}")),
                    Condition::plain(format!("{from} >= {start}")),
                ]),
            ]),
        ])
    });
    Condition::all([day(span, path), some(hours)])
}

fn day(span: &Span, path: &str) -> Condition {
    let number =
        |date: Date| i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day());
    let (from, to) = span.dates.unwrap_or_default();
    let from = from.map(|from| Condition::plain(format!("{path}.date >= {}", number(from))));
    let to = to.map(|to| Condition::plain(format!("{path}.date <= {}", number(to))));
    let among = |column: &str, numbers: Vec<String>| {
        let is_open = numbers.is_empty();
        (!is_open).then(|| Condition::plain(format!("[{}].contains({path}.{column})", numbers.join(", "))))
    };
    let days = among("weekday", span.days.iter().map(ToString::to_string).collect());
    let months = among("month", span.months.iter().map(ToString::to_string).collect());
    let (first, last) = span.month_days.unzip();
    let first = first.map(|first| Condition::plain(format!("{path}.day >= {first}")));
    let last = last.map(|last| Condition::plain(format!("{path}.day <= {last}")));
    Condition::all(from.into_iter().chain(to).chain(first).chain(last).chain(days).chain(months))
}

/// One of several, or anything where none is named.
fn some(parts: impl Iterator<Item = Condition>) -> Condition {
    let parts: Vec<Condition> = parts.collect();
    if parts.is_empty() { Condition::always() } else { Condition::any(parts) }
}
