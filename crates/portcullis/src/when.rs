//! Times as people write and read them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// A time in the zone of this machine.
pub(crate) fn told(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
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
