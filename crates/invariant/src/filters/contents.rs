//! More of what can be found in a text, by what people call it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Kinds that a regular expression finds, with what an example of each is.
const KINDS: &[(&str, &str, &str)] = &[
    (
        "discount",
        r"(?i)\bdiscounts?\b|\brebates?\b|\b\d+\s*(%|percent|per cent)\s+(off|less|discount|cheaper|reduction)|\bspecial offers?\b|\bprice cuts?\b",
        "You get a discount of 8 percent.",
    ),
    ("CVE number", r"(?i)\bCVE-\d{4}-\d{3,}", "It fixes CVE-2026-1234."),
    ("IP address", r"\b(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}\b", "It is 203.0.113.7."),
    (
        "host name",
        r"(?i)\b[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|net|org|io|dev|local|lan|internal|example|cloud|app|de|eu|uk|se|ch|at|fr|nl)\b",
        "It is db1.elsewhere.example.",
    ),
    ("code block", r"```|(?m)^~~~", "```\nls\n```"),
    (
        "commit hash",
        r"\b([0-9a-f]{40}|[0-9]+[a-f][0-9a-f]{5,38}|[a-f]+[0-9][0-9a-f]{5,38})\b",
        "See 3f9c1de.",
    ),
    (
        "file path",
        r"(^|[\s(`'\x22])(~?/[\w.-]+/[\w./-]*\w|[A-Za-z]:\\[\w\\.-]+)",
        "It is in /home/ann/notes.txt.",
    ),
    (
        "HTML tag",
        r"(?i)</?(a|b|i|p|br|div|span|table|tr|td|h[1-6]|ul|ol|li|img|strong|em|html|body|script|style)(\s[^>]*)?/?>",
        "It is <b>bold</b>.",
    ),
    (
        "stack trace",
        r"(?m)Traceback \(most recent call last\)|^\s+at [\w.$<>]+\(.*\)|^\s*File \x22.+\x22, line \d+",
        "Traceback (most recent call last)",
    ),
    (
        "UUID",
        r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
        "It is 0a568788-dbe4-4437-a73d-429d94afb598.",
    ),
    ("social security number", r"\b\d{3}-\d{2}-\d{4}\b", "It is 123-45-6789."),
    ("date", r"\b(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](\d{4}|\d\d))\b", "It is on 2026-03-06."),
];

/// What these kinds are called.
pub(super) const NAMES: &[&str] = &[
    "discount",
    "CVE number",
    "IP address",
    "host name",
    "code block",
    "commit hash",
    "file path",
    "HTML tag",
    "stack trace",
    "UUID",
    "social security number",
    "date",
    "link to HOST",
    "link not to HOST",
    "amount of money above NUMBER",
];

static BUILT: LazyLock<Vec<(&'static str, Option<Regex>)>> =
    LazyLock::new(|| KINDS.iter().map(|(name, pattern, _)| (*name, Regex::new(pattern).ok())).collect());

/// Whether a text holds something of a kind; `None` where nobody knows the kind.
pub(super) fn holds(text: &str, class: &str) -> Option<bool> {
    if let Some(hosts) = class.strip_prefix("link not to ") {
        return Some(links(text).iter().any(|link| !hosts.split(' ').any(|host| leads_to(link, host))));
    }
    if let Some(host) = class.strip_prefix("link to ") {
        return Some(links(text).iter().any(|link| leads_to(link, host)));
    }
    if let Some(above) = class.strip_prefix("amount of money above ") {
        let above: i64 = above.parse().ok()?;
        return Some(amounts(text).iter().any(|amount| *amount > above));
    }
    let (_, regex) = BUILT.iter().find(|(name, _)| *name == class)?;
    // An expression that cannot be built finds whatever there is.
    Some(regex.as_ref().is_none_or(|regex| regex.is_match(text)))
}

/// A text that holds something of a kind.
pub(crate) fn example(class: &str) -> Option<String> {
    if let Some(host) = class.strip_prefix("link to ") {
        let host = if host.contains('.') { host.to_owned() } else { format!("{host}.elsewhere.example") };
        return Some(format!("See https://{host}/a"));
    }
    if class.starts_with("link not to ") {
        return Some("See https://elsewhere.example/a".to_owned());
    }
    if let Some(above) = class.strip_prefix("amount of money above ") {
        let above: i64 = above.parse().ok()?;
        return Some(format!("It costs {} euros.", above.saturating_add(1)));
    }
    KINDS.iter().find(|(name, ..)| *name == class).map(|(_, _, example)| (*example).to_owned())
}

/// The hosts of the links in a text.
fn links(text: &str) -> Vec<String> {
    let low = text.to_lowercase();
    let after = |marker: &str| -> Vec<String> {
        low.match_indices(marker)
            .filter_map(|(at, _)| low.get(at + marker.len()..))
            .map(|rest| {
                let end = rest
                    .find(|letter: char| {
                        !(letter.is_alphanumeric() || matches!(letter, '.' | '-' | '@' | '_'))
                    })
                    .unwrap_or(rest.len());
                let authority = rest.get(..end).unwrap_or(rest);
                authority.rsplit('@').next().unwrap_or(authority).trim_end_matches('.').to_owned()
            })
            .collect()
    };
    let mut hosts = after("https://");
    hosts.extend(after("http://"));
    if hosts.is_empty() {
        hosts.extend(after("www.").into_iter().map(|host| format!("www.{host}")));
    }
    hosts.retain(|host| !host.is_empty());
    hosts
}

/// Whether a host is this one or below it, or has this name among its parts.
fn leads_to(host: &str, wanted: &str) -> bool {
    match wanted.contains('.') {
        true => host == wanted || host.strip_suffix(wanted).is_some_and(|front| front.ends_with('.')),
        false => host.split('.').any(|label| label == wanted || label.split('-').any(|part| part == wanted)),
    }
}

/// Everything that [`leads_to`] finds the links of a text to lead to.
pub(super) fn led_to(text: &str) -> BTreeSet<String> {
    let below = |host: &str| -> Vec<String> {
        let dots = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..));
        dots.chain([host]).map(str::to_owned).collect()
    };
    let parts = |host: &str| -> Vec<String> {
        host.split('.').flat_map(|label| label.split('-').chain([label])).map(str::to_owned).collect()
    };
    links(text).iter().flat_map(|host| [below(host), parts(host)].concat()).collect()
}

/// Whether a text has a phone number: eight to fifteen digits that no word in front calls something else.
pub(super) fn has_phone(text: &str) -> bool {
    static RUN: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\+?\(?\d(?:[ ()/+.-]{0,2}\d){7,}").ok());
    static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let names = "tickets?|orders?|invoices?|cases?|ref|reference|issues?|bugs?|builds?|versions?|articles?|sku|items?|batch|parcels?|tracking|members?|contracts?|policy|serial|isbn|ean|jobs?|incidents?|id|booking|receipts?|transactions?|shipments?|tasks?";
        Regex::new(&format!(r"(?i)\b({names})\s*(number|no\.?|nr\.?|id|code)?\s*[:#]?\s*$")).ok()
    });
    static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^(?:19|20)\d\d-[01]\d-[0-3]\d").ok());
    let (Some(run), Some(other)) = (RUN.as_ref(), OTHER.as_ref()) else { return true };
    run.find_iter(text).any(|found| {
        let digits = found.as_str().chars().filter(char::is_ascii_digit).count();
        let before = text.get(..found.start()).unwrap_or_default();
        // A sign of numbers, but of no phone.
        let is_numbered = before.ends_with('#') && !found.as_str().starts_with('+');
        // A date, or a part of something longer such as an id, is no number to call.
        let digits_only = found.as_str().chars().all(|letter| letter.is_ascii_digit());
        let is_date = DAY.as_ref().is_some_and(|day| day.is_match(found.as_str()))
            || (digits == 8 && digits_only && found.as_str().starts_with("20"));
        let is_part = before.ends_with(|letter: char| letter.is_alphanumeric())
            || before
                .strip_suffix('-')
                .is_some_and(|front| front.ends_with(|letter: char| letter.is_alphanumeric()))
            || text
                .get(found.end()..)
                .is_some_and(|behind| behind.starts_with(|letter: char| letter.is_alphabetic()));
        if is_date || is_part {
            return false;
        }
        let is_called = || found.as_str().starts_with('+') || !other.is_match(before);
        (8..=15).contains(&digits) && !is_numbered && is_called()
    })
}

/// Sums of money, each up to the next whole: `450 EUR`, `€1,200.50`.
pub(super) fn amounts(text: &str) -> Vec<i64> {
    static MONEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let names = "eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|sek|nok|dkk|kr|pln|zł|złotych|zlotys?|czk|kč|huf|forints?|jpy|yen|inr|rupees?|cad|aud";
        let number = r"(\d{1,3}(?:[ ,.']\d{3})+|\d+)(?:[.,](\d{1,2}))?(\s?k)?";
        Regex::new(&format!(r"(?i)(?:(?:[€$£]|\b(?:{names}))\s?{number}|{number}\s?(?:[€$£]|(?:{names})\b))"))
            .ok()
    });
    let Some(money) = MONEY.as_ref() else { return vec![i64::MAX] };
    money
        .captures_iter(text)
        .filter_map(|found| {
            let group = |first: usize, other: usize| found.get(first).or_else(|| found.get(other));
            let digits: String = group(1, 4)?.as_str().chars().filter(char::is_ascii_digit).collect();
            let whole: i64 = digits.parse().ok()?;
            let cents = group(2, 5).is_some_and(|cents| cents.as_str().chars().any(|letter| letter != '0'));
            let factor = if group(3, 6).is_some() { 1000 } else { 1 };
            Some(whole.saturating_mul(factor).saturating_add(i64::from(cents)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_finds_its_own_example_and_not_plain_words() {
        let classes = KINDS.iter().map(|(name, ..)| (*name).to_owned());
        let more = [
            "link to grafana",
            "link to docs.google.com",
            "link not to acme.com",
            "amount of money above 300",
        ];
        for class in classes.chain(more.map(str::to_owned)) {
            let text = example(&class).unwrap();
            assert_eq!(holds(&text, &class), Some(true), "{class}: {text}");
            assert_eq!(holds("All is well on Monday, 3 plums.", &class), Some(false), "{class}");
        }
    }

    #[test]
    fn links_are_told_by_their_hosts() {
        let text = "see <https://grafana.acme.com/d/1|board> and https://www.acme.com.";
        assert_eq!(holds(text, "link to grafana"), Some(true));
        assert_eq!(holds(text, "link to acme.com"), Some(true));
        assert_eq!(holds(text, "link not to acme.com"), Some(false));
        assert_eq!(holds("google it at docs", "link to docs.google.com"), Some(false));
        assert_eq!(holds("https://acme.com.evil.example", "link not to acme.com"), Some(true));
    }

    #[test]
    fn sums_are_compared_whole() {
        for (text, is) in [
            ("the press costs 450 EUR", true),
            ("300 EUR", false),
            ("€300.50 all in", true),
            ("41,800 EUR plus transport", true),
            ("450 plums", false),
            ("1.200 euros", true),
            ("$2k", true),
        ] {
            assert_eq!(holds(text, "amount of money above 300"), Some(is), "{text}");
        }
    }
}
