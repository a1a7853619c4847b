//! Stretches of time, as they are written in rules: `fri 16:00-24:00`, `sat sun`, `2026-04-01..2026-04-30`.

use jiff::civil::Date;

use crate::meaning::Span;

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Span {
    /// As it is written in a rule.
    pub(crate) fn spec(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(
            self.days.iter().filter_map(|day| DAYS.get(usize::from(*day)).map(|day| (*day).to_owned())),
        );
        parts.extend(self.months.iter().filter_map(|month| {
            let at = usize::try_from(*month).ok()?.checked_sub(1)?;
            MONTHS.get(at).map(|month| (*month).to_owned())
        }));
        if let Some((from, to)) = self.dates {
            let date = |date: Option<Date>| date.map(|date| date.to_string()).unwrap_or_default();
            parts.push(format!("{}..{}", date(from), date(to)));
        }
        if let Some((from, to)) = self.month_days {
            parts.push(format!("day{from}-{to}"));
        }
        let clock = |minutes: i64| format!("{:02}:{:02}", minutes / 60, minutes % 60);
        parts.extend(self.hours.iter().map(|(from, to)| format!("{}-{}", clock(*from), clock(*to))));
        parts.join(" ")
    }

    /// Reads what [`Span::spec`] writes.
    pub(crate) fn parse(spec: &str) -> Result<Span, String> {
        let mut span = Span::default();
        for part in spec.split_whitespace() {
            let low = part.to_lowercase();
            if let Some(day) = DAYS.iter().position(|day| *day == low) {
                span.days.push(u8::try_from(day).unwrap_or(0));
            } else if let Some(month) = MONTHS.iter().position(|month| *month == low) {
                span.months.push(i8::try_from(month + 1).unwrap_or(0));
            } else if let Some((from, to)) = low.strip_prefix("day").and_then(|days| days.split_once('-')) {
                let day = |text: &str| {
                    let day = text.parse::<i8>().ok().filter(|day| (1..=31).contains(day));
                    day.ok_or_else(|| format!("`{text}` is no day of a month"))
                };
                span.month_days = Some((day(from)?, day(to)?));
            } else if let Some((from, to)) = low.split_once("..") {
                let date = |text: &str| match text {
                    "" => Ok(None),
                    text => text
                        .parse::<Date>()
                        .map(Some)
                        .map_err(|_| format!("`{text}` is no date such as 2026-04-01")),
                };
                span.dates = Some((date(from)?, date(to)?));
            } else if let Some((from, to)) = low.split_once('-') {
                span.hours.push((clock(from)?, clock(to)?));
            } else {
                return Err(format!(
                    "`{part}` is no day (fri), month (apr), day of the month (day1-15), time (16:00-24:00) or date (2026-04-01..)"
                ));
            }
        }
        Ok(span)
    }

    fn is_day(&self, date: i64, weekday: i64) -> bool {
        let number = |date: Date| {
            i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
        };
        let in_dates = self.dates.is_none_or(|(from, to)| {
            from.is_none_or(|from| number(from) <= date) && to.is_none_or(|to| date <= number(to))
        });
        let month = (date / 100) % 100;
        let in_month = self
            .month_days
            .is_none_or(|(from, to)| (i64::from(from)..=i64::from(to)).contains(&(date % 100)));
        in_dates
            && in_month
            && (self.days.is_empty() || self.days.iter().any(|day| i64::from(*day) == weekday))
            && (self.months.is_empty() || self.months.iter().any(|own| i64::from(*own) == month))
    }

    /// Whether a moment lies in it: a date as `20260306`, the day of the week, the minute of the day.
    pub(crate) fn holds_moment(&self, date: i64, weekday: i64, minute: i64) -> bool {
        let in_hours =
            self.hours.is_empty() || self.hours.iter().any(|(from, to)| *from <= minute && minute < *to);
        self.is_day(date, weekday) && in_hours
    }

    /// Whether something that lasts from one minute to another meets it.
    pub(crate) fn holds_stretch(&self, date: i64, weekday: i64, from: i64, to: i64) -> bool {
        let meets =
            |(start, end): &(i64, i64)| from < *end && (to > *start || (from == to && from >= *start));
        self.is_day(date, weekday) && (self.hours.is_empty() || self.hours.iter().any(meets))
    }

    /// Whether something that lasts from one minute to another lies in it as a whole.
    pub(crate) fn holds_whole(&self, date: i64, weekday: i64, from: i64, to: i64) -> bool {
        let covers = |(start, end): &(i64, i64)| *start <= from && to <= *end;
        self.is_day(date, weekday) && (self.hours.is_empty() || self.hours.iter().any(covers))
    }
}

fn clock(text: &str) -> Result<i64, String> {
    let bad = || format!("`{text}` is no time of day such as 16:00");
    let (hour, minute) = text.split_once(':').ok_or_else(bad)?;
    let (hour, minute): (i64, i64) = (hour.parse().map_err(|_| bad())?, minute.parse().map_err(|_| bad())?);
    if (0..=24).contains(&hour) && (0..60).contains(&minute) { Ok(hour * 60 + minute) } else { Err(bad()) }
}
