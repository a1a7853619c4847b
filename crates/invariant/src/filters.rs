//! Questions that rules ask about names and texts. A name that ends in `/**` stands for everything below it.

pub(crate) mod contents;
mod words;

use std::collections::BTreeSet;

use crate::english::is_file_end;
use crate::names;
pub(crate) use words::{is_bare_address, is_long_number, says, spaced, ungrouped};

/// Everything below a name is meant.
pub(crate) const BELOW: &str = "/**";

/// A name without its reach, and whether everything below it is meant.
pub(crate) fn parts(name: &str) -> (&str, bool) {
    match name.strip_suffix(BELOW) {
        Some(stem) => (if stem.is_empty() { "/" } else { stem }, true),
        None => (name, false),
    }
}

/// The last part of a name.
pub(crate) fn last(stem: &str) -> &str {
    stem.rsplit(['/', ':']).next().unwrap_or(stem)
}

/// Whether an argument, by its path of names, is called so or lies in one that is.
pub(crate) fn is_argument(path: &str, words: &str) -> bool {
    path.split('.').any(|name| is_in_words(name, words))
}

/// Whether a name, cut into words, is these. Nearly all names are told from others by their first letter.
fn is_in_words(name: &str, words: &str) -> bool {
    let first =
        |text: &str| text.bytes().find(u8::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    if name.is_ascii() && first(name) != first(words) {
        return false;
    }
    // A plain word stands for itself.
    let is_plain = name.bytes().all(|letter| letter.is_ascii_lowercase()) && !name.ends_with('s');
    if is_plain { name == words } else { names::joined(name) == words }
}

/// A date or a time in a text: the date as `20260306`, the day of the week, and the minute where there is one.
pub(crate) fn moment(text: &str) -> Option<(i64, i64, Option<i64>)> {
    let number = |date: jiff::civil::Date| {
        i64::from(date.year()) * 10_000 + i64::from(date.month()) * 100 + i64::from(date.day())
    };
    let day = |date: jiff::civil::Date| i64::from(date.weekday().to_monday_zero_offset());
    let text = text.trim();
    if text.len() <= 10
        && let Ok(date) = text.parse::<jiff::civil::Date>()
    {
        return Some((number(date), day(date), None));
    }
    // The clock on the wall counts, whatever the zone.
    let wall = text.get(..19).or_else(|| text.get(..16)).unwrap_or(text).trim_end_matches('Z');
    let at = wall.parse::<jiff::civil::DateTime>().ok()?;
    Some((number(at.date()), day(at.date()), Some(i64::from(at.hour()) * 60 + i64::from(at.minute()))))
}

/// Whether a name lies in a place, as a whole.
pub(crate) fn inside(name: &str, place: &str) -> bool {
    let (stem, _) = parts(name);
    below(stem, place)
}

fn below(name: &str, place: &str) -> bool {
    let place = place.strip_suffix('/').unwrap_or(place);
    match name.strip_prefix(place) {
        Some(rest) => rest.is_empty() || rest.starts_with('/') || place.is_empty(),
        None => false,
    }
}

/// Whether a name lies in a place, or reaches into it.
pub(crate) fn touches(name: &str, place: &str) -> bool {
    let (stem, is_whole) = parts(name);
    below(stem, place) || (is_whole && below(place, stem))
}

/// An answer about a name that is certain, unless it is no and something below the name may make it a yes.
pub(crate) fn perhaps(holds: bool, name: &str) -> Option<bool> {
    match holds {
        true => Some(true),
        false if parts(name).1 => None,
        false => Some(false),
    }
}

/// The same for what only things outside of this machine have: a host, an address, an id. Nothing below a folder has it.
pub(crate) fn perhaps_elsewhere(holds: bool, name: &str) -> Option<bool> {
    if name.starts_with('/') { Some(holds) } else { perhaps(holds, name) }
}

/// The host of a name: of a page, a mail address, a machine.
pub(crate) fn host(name: &str) -> Option<&str> {
    let (stem, _) = parts(name);
    if let Some(address) = stem.strip_prefix("mailto:") {
        return address.rsplit_once('@').map(|(_, host)| host);
    }
    let (_, rest) = stem.split_once("://")?;
    let authority = rest.split('/').next()?;
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = authority
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(authority, |(host, _)| host);
    (!host.is_empty()).then_some(host)
}

/// Whether a host is an address of this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    host == "[::1]"
        || host
            .strip_prefix("127.")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// Whether a name is at a host or below it.
pub(crate) fn at_host(name: &str, domain: &str) -> bool {
    let Some(host) = host(name) else { return false };
    (domain == "localhost" && is_loopback(host))
        || host.eq_ignore_ascii_case(domain)
        || (host.len() > domain.len()
            && host.get(host.len() - domain.len()..).is_some_and(|end| end.eq_ignore_ascii_case(domain))
            && host.get(..host.len() - domain.len()).is_some_and(|front| front.ends_with('.')))
}

/// Whether the host of a name, or the service that it belongs to, is called like this, which is in lower case.
pub(crate) fn host_like(name: &str, like: &str) -> bool {
    let Some(host) = host(name) else {
        let (stem, _) = parts(name);
        return stem.split_once(':').is_some_and(|(service, _)| service == like);
    };
    if like.contains('*') {
        return glob(host, like) || host.split('.').next().is_some_and(|label| glob(label, like));
    }
    let names = host.bytes().filter(|byte| *byte == b'.').count().max(1);
    // The Guardian is at theguardian.com.
    let is_it = |label: &str| {
        let plain = || label.bytes().filter(|byte| *byte != b'-');
        plain().eq(like.bytes()) || plain().eq(b"the".iter().copied().chain(like.bytes()))
    };
    host.split('.').take(names).any(|label| label == like || is_it(label))
}

/// Whether a text has the form of a pattern in which `*` is any text.
pub(crate) fn glob(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether the last part of a name is like this; `None` where something below it may be.
pub(crate) fn named(name: &str, like: &str) -> Option<bool> {
    let (stem, is_whole) = parts(name);
    let mut segments = stem.rsplit(['/', ':']);
    let last = segments.next().unwrap_or(stem);
    // A pattern with folders in it is tried on the end of the name; a plain name may also be a folder on the way.
    let is_named = match like.contains('/') {
        true => glob(stem, &format!("*/{like}")) || stem == like,
        false => {
            glob(last, like)
                || (like.starts_with("*.") && glob(&last.to_lowercase(), &like.to_lowercase()))
                || (!like.contains('*') && stem.split('/').any(|segment| segment == like))
        }
    };
    match is_named {
        true => Some(true),
        false if is_whole && !ends_as_file(stem) => None,
        false => Some(false),
    }
}

/// Whether a name ends as those of files do: then it is one, even where a folder could be meant.
pub(crate) fn ends_as_file(stem: &str) -> bool {
    let ending = last(stem).rsplit_once('.').filter(|(front, _)| !front.is_empty());
    ending.map(|(_, end)| end.to_lowercase()).is_some_and(|end| is_file_end(&end) || is_short_end(&end))
}

/// Whether it is an ending of a few letters that no folder is known to have. Nobody can list all programs and their files; taking
/// each of these for a folder would deny whatever is done to them.
fn is_short_end(end: &str) -> bool {
    const OF_FOLDERS: &[&str] = &["app", "git", "lproj", "new", "old", "orig", "save", "tmp", "venv"];
    (2..=5).contains(&end.len())
        && end.starts_with(|letter: char| letter.is_ascii_lowercase())
        && end.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        && !OF_FOLDERS.contains(&end)
}

/// Whether a folder on the way to a name is called so, by its name as it is and by its joined words; `None` where one
/// below may be.
pub(crate) fn in_folder(name: &str, folder: &str, wanted: &str) -> Option<bool> {
    let (stem, is_whole) = parts(name);
    let has_star = folder.contains('*');
    let mut words = String::new();
    let is_it = |segment: &str| match has_star {
        true => glob(&segment.to_lowercase(), &folder.to_lowercase()),
        false => segment.eq_ignore_ascii_case(folder) || names::rejoined(segment, &mut words) == wanted,
    };
    match (has_star || names::may_have(stem, wanted)) && stem.split(['/', ':']).any(is_it) {
        true => Some(true),
        // A file that is moved is named with all below it, and has nothing below it.
        false if is_whole && stem.starts_with('/') && !ends_as_file(stem) => None,
        false => Some(false),
    }
}

/// Whether a part of a name has these words, which are joined.
pub(crate) fn has_word(name: &str, wanted: &str) -> bool {
    let (stem, _) = parts(name);
    if !names::may_have(stem, wanted) {
        return false;
    }
    let is_file = stem.starts_with('/');
    let is_end = |letter: char| matches!(letter, '/' | ':' | '.' | '@' | '?');
    let last =
        stem.bytes().filter(|byte| is_end(char::from(*byte))).count().saturating_sub(usize::from(is_file));
    let mut buffer = String::new();
    stem.split(is_end).enumerate().any(|(at, segment)| {
        let words = names::rejoined(segment, &mut buffer);
        // Of folders the whole name counts, of files and other things each word.
        if is_file && at < last { words == wanted } else { names::stand_in(words, wanted) }
    })
}

/// Whether a name lies at a path inside a repository or an account.
pub(crate) fn has_path(name: &str, path: &str) -> bool {
    let (stem, _) = parts(name);
    if stem.starts_with('/') || stem.contains("://") {
        return false;
    }
    // From each `/`, for occurrences of the path may overlap; and from the beginning of an account: `obsidian:Daily/1.md`.
    let is_there = |at: usize| {
        let rest = stem.get(at + 1..).and_then(|rest| rest.strip_prefix(path));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    stem.find(':').is_some_and(is_there) || stem.match_indices('/').any(|(at, _)| is_there(at))
}

/// Whether a name itself has these words, which are joined. Services name by arguments what they have no id for, so only of folders something
/// below may be called so.
pub(crate) fn is_called(name: &str, wanted: &str) -> Option<bool> {
    match has_word(name, wanted) {
        false if name.starts_with('/') => perhaps(false, name),
        holds => Some(holds),
    }
}

/// Whether a name is or lies in something with this id.
pub(crate) fn has_id(name: &str, id: &str) -> bool {
    let (stem, _) = parts(name);
    let tail = stem.split_once(':').map_or(stem, |(_, tail)| tail);
    let plain = |text: &str| text.to_lowercase().replace('-', "");
    let (tail, id) = (plain(tail), plain(id));
    let id = id.trim_matches('/');
    !id.is_empty()
        && (tail == id
            || tail.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'))
            || tail.split(['/', '.']).any(|segment| segment == id)
            || tail.ends_with(&format!("/{id}"))
            || tail.contains(&format!("/{id}/")))
}

/// Whether a name is this address: of a person or of a calendar.
pub(crate) fn is_address(name: &str, address: &str) -> bool {
    let tail = parts(name).0.split_once(':').map(|(_, tail)| tail);
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(address))
}

/// Whether a name is a table of this name, or one in a schema or database of it.
pub(crate) fn is_table(name: &str, table: &str) -> bool {
    let (stem, _) = parts(name);
    let Some((service, tail)) = stem.split_once(':') else { return false };
    if tail.starts_with("//") || service == "mailto" {
        return false;
    }
    let last = tail.rsplit(['.', '/']).next().unwrap_or(tail);
    // All tables whose names begin so: `tmp_*`.
    if let Some(front) = table.strip_suffix('*') {
        return last.to_lowercase().starts_with(&front.to_lowercase());
    }
    tail.eq_ignore_ascii_case(table)
        || last.eq_ignore_ascii_case(table)
        || names::stem(&last.to_lowercase()) == names::stem(&table.to_lowercase())
        || tail.rsplit('.').skip(1).any(|holder| holder.eq_ignore_ascii_case(table))
}

/// What can be found in a text.
const CLASSES: &[&str] = &[
    "mail address",
    "link",
    "phone number",
    "card number",
    "bank account",
    "amount of money",
    "list of every column",
];

/// Everything that can be found in a text, by its name.
pub(crate) fn classes() -> Vec<&'static str> {
    CLASSES.iter().chain(contents::NAMES).copied().collect()
}

/// Whether a text holds something of a kind.
pub(crate) fn holds(text: &str, class: &str) -> Option<bool> {
    let decoded = decoded(text);
    Some(match class {
        "mail address" => has_address(&decoded),
        "link" => decoded.contains("http://") || decoded.contains("https://") || decoded.contains("www."),
        "phone number" => contents::has_phone(&decoded),
        "card number" => has_card(&decoded),
        "bank account" => has_bank_account(&decoded),
        "amount of money" => has_money(&decoded),
        "list of every column" => has_star(&decoded),
        _ => return contents::holds(&decoded, class),
    })
}

/// A text without the signs of addresses of pages.
fn decoded(text: &str) -> String {
    text.replace("%40", "@").replace("%2B", "+").replace("%2b", "+").replace("%20", " ")
}

/// Whatever the links in a text lead to: hosts, what they lie below, and parts of their names.
pub(crate) fn led_to(text: &str) -> BTreeSet<String> {
    contents::led_to(&decoded(text))
}

/// The largest sum of money in a text.
pub(crate) fn most_money(text: &str) -> Option<i64> {
    contents::amounts(&decoded(text)).into_iter().max()
}

fn has_address(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let is_part = |letter: char| letter.is_alphanumeric() || "._-+%".contains(letter);
        let before = text.get(..at).is_some_and(|front| front.chars().next_back().is_some_and(is_part));
        let domain: String = text
            .get(at + 1..)
            .unwrap_or_default()
            .chars()
            .take_while(|letter| letter.is_alphanumeric() || ".-".contains(*letter))
            .collect();
        before && domain.trim_end_matches('.').contains('.')
    })
}

/// Runs of digits with signs between them, of so many digits.
fn runs(text: &str, between: &[char]) -> Vec<String> {
    let mut runs = Vec::new();
    let mut run = String::new();
    let mut gap = 0;
    for letter in text.chars().chain(['\n']) {
        if letter.is_ascii_digit() {
            run.push(letter);
            gap = 0;
        } else if !run.is_empty() && between.contains(&letter) && gap < 2 {
            gap += 1;
        } else if !run.is_empty() {
            runs.push(std::mem::take(&mut run));
            gap = 0;
        }
    }
    runs
}

fn has_card(text: &str) -> bool {
    let is_valid = |digits: &String| {
        let sum: u32 = digits
            .chars()
            .rev()
            .enumerate()
            .filter_map(|(at, digit)| {
                let digit = digit.to_digit(10)?;
                Some(if at % 2 == 0 {
                    digit
                } else if digit > 4 {
                    digit * 2 - 9
                } else {
                    digit * 2
                })
            })
            .sum();
        (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
    };
    runs(text, &[' ', '-']).iter().any(is_valid)
}

/// `SELECT *` or `SELECT o.*`, as opposed to `count(*)` and products.
fn has_star(text: &str) -> bool {
    // Texts in quotes are no SQL.
    let plain: String = text.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let low = plain.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    low.match_indices("select").any(|(at, word)| {
        let list = low.get(at + word.len()..).unwrap_or_default();
        let list = list.split(" from ").next().unwrap_or(list).trim_start();
        let list = list.strip_prefix("distinct ").unwrap_or(list);
        list.split(',').map(str::trim).any(|item| item == "*" || item.ends_with(".*"))
    })
}

/// A number beside a currency: `12.400 €`, `EUR 980`, `450 euros`.
fn has_money(text: &str) -> bool {
    const SIGNS: &[char] = &['€', '$', '£', '¥'];
    const NAMES: &[&str] = &[
        "eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "pound", "pounds", "chf", "franken",
        "francs", "sek", "nok", "dkk", "kr", "cents", "yen", "bucks", "pln", "zł", "zloty", "zlotys",
        "złotych", "czk", "kč", "huf", "forint", "forints", "inr", "rupees", "aud", "cad",
    ];
    let low = text.to_lowercase();
    let spaced: String = low
        .chars()
        .flat_map(|letter| match SIGNS.contains(&letter) {
            true => vec![' ', letter, ' '],
            false => vec![letter],
        })
        .collect();
    let words: Vec<&str> = spaced
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | ':' | ';' | '!' | '?'))
        .filter(|word| !word.is_empty())
        .collect();
    let trim = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_alphanumeric() && !SIGNS.contains(&letter)).to_owned()
    };
    let is_money = |word: &str| {
        NAMES.contains(&word) || word.chars().all(|letter| SIGNS.contains(&letter)) && !word.is_empty()
    };
    let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
    let words: Vec<String> = words.into_iter().map(trim).collect();
    words.windows(2).any(|pair| match pair {
        [one, other] => (is_money(one) && is_number(other)) || (is_number(one) && is_money(other)),
        _ => false,
    })
}

fn has_bank_account(text: &str) -> bool {
    let plain: String = text.chars().filter(|letter| *letter != ' ').collect();
    let letters: Vec<char> = plain.chars().collect();
    letters.windows(15).any(|window| match window {
        [a, b, c, d, rest @ ..] => {
            a.is_ascii_uppercase()
                && b.is_ascii_uppercase()
                && c.is_ascii_digit()
                && d.is_ascii_digit()
                && rest.iter().all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_moved_is_no_folder_whatever_program_made_it() {
        assert_eq!(named("/p/song.mscz/**", "*.pdf"), Some(false));
        assert_eq!(named("/p/song.PDF/**", "*.pdf"), Some(true));
        for folder in ["/p/songs/**", "/p/conf.d/**", "/p/v1.2/**", "/p/.hidden/**"] {
            assert_eq!(named(folder, "*.pdf"), None, "{folder}");
        }
    }

    #[test]
    fn nothing_below_a_folder_is_a_host_or_an_address() {
        assert_eq!(perhaps(false, "/home/u/p/src/**"), None);
        assert_eq!(perhaps_elsewhere(false, "/home/u/p/src/**"), Some(false));
        assert_eq!(perhaps_elsewhere(false, "github:acme/**"), None);
        assert_eq!(perhaps_elsewhere(true, "https://www.linkedin.com/**"), Some(true));
    }
}
