//! Times as people write and read them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A time in the zone of this machine.
pub(crate) fn told(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// How long something has been, in one word and a number.
pub(crate) fn age(from: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(from).as_secs().max(0);
    let (number, word) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// How long ago something was.
pub(crate) fn ago(from: Timestamp, now: Timestamp) -> String {
    match age(from, now) {
        recent if recent == "just now" => recent,
        age => format!("{age} ago"),
    }
}

/// Which way a length of time is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Toward {
    /// So long ago.
    Past,
    /// So long from now.
    Future,
}

/// A time as a person writes it: an instant, a local date with or without a time, or a length of time such as `90m`, `2h`, `7d`.
pub(crate) fn read(text: &str, toward: Toward, now: Timestamp) -> Result<Timestamp, String> {
    let problem =
        || format!("`{text}` is no time such as 2026-03-06T18:40, 2026-03-06T17:40:00Z, 90m, 2h or 7d");
    let local = |time: DateTime| time.to_zoned(TimeZone::system()).map(|time| time.timestamp()).ok();
    let found = text
        .parse::<Timestamp>()
        .ok()
        .or_else(|| text.parse::<DateTime>().ok().and_then(local))
        .or_else(|| {
            text.parse::<Date>().ok().and_then(|date| local(date.to_datetime(jiff::civil::Time::midnight())))
        });
    if let Some(time) = found {
        return Ok(time);
    }
    let length = length(text).ok_or_else(problem)?;
    let length = if toward == Toward::Past { -length } else { length };
    // Nobody means fractions of a second.
    let now = Timestamp::from_second(now.as_second()).unwrap_or(now);
    now.checked_add(length).map_err(|_| problem())
}

fn length(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().last()?;
    let number: i64 = text.strip_suffix(unit)?.parse().ok().filter(|number| *number > 0)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    number.checked_mul(seconds).map(SignedDuration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_counted_from_now() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1_000);
        for (text, seconds) in [("30s", 30), ("90m", 5_400), ("2h", 7_200), ("7d", 604_800), ("1w", 604_800)]
        {
            let length = SignedDuration::from_secs(seconds);
            assert_eq!(read(text, Toward::Past, now), Ok(now - length), "{text}");
            assert_eq!(read(text, Toward::Future, now), Ok(now + length), "{text}");
        }
        let instant = "2026-03-06T17:40:00Z";
        assert_eq!(read(instant, Toward::Past, now).unwrap().to_string(), instant);
    }

    #[test]
    fn ages_are_told_roughly() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(10_000);
        for (seconds, told) in [
            (-5, "just now"),
            (59, "just now"),
            (60, "1 minute"),
            (7_199, "1 hour"),
            (7_200, "2 hours"),
            (864_000, "10 days"),
        ] {
            assert_eq!(age(now - SignedDuration::from_secs(seconds), now), told);
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "h",
            "0h",
            "-2h",
            "2x",
            "99999999999999999d",
            "9223372036854775807w",
            "tomorrow",
            "2026-13-01",
        ] {
            let told = read(text, Toward::Future, Timestamp::UNIX_EPOCH).unwrap_err();
            assert!(told.starts_with(&format!("`{text}` is no time such as")), "{told}");
        }
    }
}
