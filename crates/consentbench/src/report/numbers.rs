//! Numbers as reports print them.

/// A share in per cent with one decimal. Only everything is 100.0 and only nothing is 0.0, so that no single mistake
/// disappears by rounding.
pub(super) fn per_cent(share: Option<f64>) -> String {
    let Some(share) = share else { return "–".to_owned() };
    let tenths = (share * 1000.0).round();
    let tenths = if share < 1.0 { tenths.min(999.0) } else { tenths };
    let tenths = if share > 0.0 { tenths.max(1.0) } else { tenths };
    format!("{:.1}", tenths / 10.0)
}

/// The same with its unit.
pub(super) fn with_unit(share: Option<f64>) -> String {
    let number = per_cent(share);
    if share.is_some() { format!("{number} %") } else { number }
}

/// A mean with two decimals.
pub(super) fn mean(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.2}"))
}

/// A count with separated thousands.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things.
pub(super) fn counted(number: usize, one: &str, several: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { several })
}

/// A time, given in microseconds, with as many digits as mean something.
pub(super) fn microseconds(time: f64) -> String {
    match time {
        time if time < 100.0 => format!("{time:.1} µs"),
        time if time < 100_000.0 => format!("{time:.0} µs"),
        time => format!("{:.0} ms", time / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_mistake_never_disappears_by_rounding() {
        assert_eq!(per_cent(Some(1.0)), "100.0");
        assert_eq!(per_cent(Some(9_999.0 / 10_000.0)), "99.9");
        assert_eq!(per_cent(Some(1.0 / 10_000.0)), "0.1");
        assert_eq!(per_cent(Some(0.0)), "0.0");
        assert_eq!(per_cent(Some(0.9534)), "95.3");
        assert_eq!(per_cent(None), "–");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1_000, 1_234_567].map(count));
    }
}
