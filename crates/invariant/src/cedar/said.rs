//! Questions about what a text says and holds, in Cedar's words.

use super::condition::{Condition, contains, like, literal};
use super::marks::{self, MARK, marked};
use crate::filters;

/// So many letters of the beginning and of the end of a text are told by themselves.
pub(super) const MOST_EDGE: usize = 256;

/// A text in which words are looked for.
struct Words {
    attribute: &'static str,
    is_letter: fn(char) -> bool,
}

const SAID: Words = Words { attribute: "said", is_letter: char::is_alphanumeric };
const SAID_NAMES: Words = Words { attribute: "said_names", is_letter: is_name_letter };
const SPACED: Words = Words { attribute: "spaced", is_letter: char::is_alphanumeric };

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A text as it is told for such questions: by attribute.
pub(super) fn views(text: &str) -> [(&'static str, String); 6] {
    let low = text.to_lowercase();
    let edge = |letters: &mut dyn Iterator<Item = char>| letters.take(MOST_EDGE).collect::<String>();
    let back = edge(&mut low.trim_end().chars().rev()).chars().rev().collect();
    [
        (SAID.attribute, marked(&low, SAID.is_letter)),
        (SAID_NAMES.attribute, marked(&low, SAID_NAMES.is_letter)),
        (SPACED.attribute, marked(&filters::spaced(&low), SPACED.is_letter)),
        ("digits", filters::ungrouped(&low)),
        ("front", edge(&mut low.trim_start().chars())),
        ("back", back),
    ]
}

/// Whether a text says something.
pub(super) fn says(path: &str, wanted: &str) -> Option<Condition> {
    let wanted = wanted.to_lowercase();
    let at_edge = |attribute: &str, pattern: String, part: &str| {
        (part.chars().count() <= MOST_EDGE).then(|| like(&format!("{path}.{attribute}"), &pattern))
    };
    if let Some(start) = wanted.strip_prefix('^') {
        return at_edge("front", format!("{}*", literal(start)), start);
    }
    if let Some(end) = wanted.strip_prefix('$') {
        return at_edge("back", format!("*{}", literal(end)), end);
    }
    let words = if wanted.contains('_') { SAID_NAMES } else { SAID };
    let mut ways = bounded(path, &words, &wanted)?;
    if let Some(group) = wanted.strip_prefix('@') {
        let pattern = marks::inside(&format!("<!{group}"), SAID.is_letter)?;
        ways.push(like(&format!("{path}.{}", SAID.attribute), &format!("*{pattern}*")));
        return Some(Condition::any(ways));
    }
    // What is spaced has no `_` left.
    if wanted.contains(' ') && !wanted.contains('_') {
        ways.extend(bounded(path, &SPACED, &wanted)?);
    }
    if filters::is_long_number(&wanted) {
        let digits = literal(&filters::ungrouped(&wanted));
        ways.push(like(&format!("{path}.digits"), &format!("*{digits}*")));
    }
    let is_plain = !wanted.contains(['@', '.']);
    let no_address = is_plain.then(|| Condition::plain(format!("{path}.address")).negated());
    Some(Condition::all(no_address.into_iter().chain([Condition::any(ways)])))
}

/// The ways in which words stand in a text, not inside others but as a plural.
fn bounded(path: &str, words: &Words, wanted: &str) -> Option<Vec<Condition>> {
    let is_word = |letter: Option<char>| letter.is_some_and(words.is_letter);
    let inner = marks::inside(wanted, words.is_letter)?;
    let front = if is_word(wanted.chars().next()) { format!("*{MARK}") } else { "*".to_owned() };
    let ends = match is_word(wanted.chars().next_back()) {
        true => vec![format!("{MARK}*"), format!("s{MARK} *"), format!("s{MARK}")],
        false => vec!["*".to_owned()],
    };
    let text = format!("{path}.{}", words.attribute);
    Some(ends.iter().map(|end| like(&text, &format!("{front}{inner}{end}"))).collect())
}

/// Whether a text holds something of a kind.
pub(super) fn holds(path: &str, class: &str) -> Option<Condition> {
    if let Some(above) = class.strip_prefix("amount of money above ") {
        let above: i64 = above.parse().ok()?;
        return Some(Condition::plain(format!("{path}.money > {above}")));
    }
    if let Some(host) = class.strip_prefix("link to ") {
        return Some(contains(&format!("{path}.links"), host));
    }
    // Whether there is a link to anything else is a question about each of them.
    kinds().any(|kind| kind == class).then(|| contains(&format!("{path}.holds"), class))
}

/// The kinds that need no more words.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    let is_open = |class: &&str| class.ends_with("HOST") || class.ends_with("NUMBER");
    filters::classes().into_iter().filter(move |class| !is_open(class))
}
