//! Objects of JSON whose members are all known: each is read by its name, and one more is an error.

use std::str::FromStr;

use jiff::Timestamp;
use portcullis_wire::json::Node;

/// What is wrong with a member, told without its value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    /// It is not there.
    #[error("`{place}` is missing")]
    Missing {
        /// The keys that lead to it.
        place: String,
    },
    /// It is there, and nothing is known of it.
    #[error("`{place}` is not known here; leave it out, or use a version of Portcullis that knows it")]
    Unknown {
        /// The keys that lead to it.
        place: String,
    },
    /// It is something else than it has to be.
    #[error("`{place}` has to be {expected}")]
    Wrong {
        /// The keys that lead to it.
        place: String,
        /// What it has to be.
        expected: &'static str,
    },
    /// It is longer than such a thing may be.
    #[error("`{place}` is longer than {limit}")]
    TooLong {
        /// The keys that lead to it.
        place: String,
        /// How many bytes or elements it may have.
        limit: usize,
    },
}

/// A text is at most this long, unless something else is said.
pub(crate) const LONGEST_TEXT: usize = 512;
/// A list has at most so many elements, unless something else is said.
pub(crate) const LONGEST_LIST: usize = 256;
/// How many characters of a key that somebody else chose are shown.
const LONGEST_KEY: usize = 64;

/// An object that is read member by member.
#[derive(Clone)]
pub(crate) struct Fields<'d> {
    node: Node<'d>,
    /// The keys that lead to the object, for messages.
    place: String,
}

impl<'d> Fields<'d> {
    /// An object that has no members but these.
    pub(crate) fn only(node: Node<'d>, place: &str, known: &[&str]) -> Result<Fields<'d>, FieldError> {
        let fields = Fields::some(node, place)?;
        match node.members().find(|(key, _)| !known.contains(&key.as_ref())) {
            Some((key, _)) => Err(FieldError::Unknown { place: fields.inside(&shown(&key)) }),
            None => Ok(fields),
        }
    }

    /// An object that may have other members as well.
    pub(crate) fn some(node: Node<'d>, place: &str) -> Result<Fields<'d>, FieldError> {
        match node.is_object() {
            true => Ok(Fields { node, place: place.to_owned() }),
            false if place.is_empty() => {
                Err(FieldError::Wrong { place: "the whole".to_owned(), expected: "an object" })
            }
            false => Err(FieldError::Wrong { place: place.to_owned(), expected: "an object" }),
        }
    }

    /// The keys that lead to a member.
    pub(crate) fn inside(&self, key: &str) -> String {
        if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) }
    }

    pub(crate) fn wrong(&self, key: &str, expected: &'static str) -> FieldError {
        FieldError::Wrong { place: self.inside(key), expected }
    }

    pub(crate) fn node(&self, key: &str) -> Result<Node<'d>, FieldError> {
        self.node.get(key).ok_or_else(|| FieldError::Missing { place: self.inside(key) })
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.node.get(key).is_some()
    }

    /// A text that says something, in characters that show.
    pub(crate) fn text(&self, key: &str) -> Result<String, FieldError> {
        self.text_of(self.node(key)?, key, LONGEST_TEXT)
    }

    pub(crate) fn long_text(&self, key: &str, limit: usize) -> Result<String, FieldError> {
        self.text_of(self.node(key)?, key, limit)
    }

    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<String>, FieldError> {
        self.has(key).then(|| self.text(key)).transpose()
    }

    /// A text that is read as something.
    pub(crate) fn read<T: FromStr>(&self, key: &str, expected: &'static str) -> Result<T, FieldError> {
        self.text(key)?.parse().map_err(|_| self.wrong(key, expected))
    }

    pub(crate) fn optional_read<T: FromStr>(
        &self,
        key: &str,
        expected: &'static str,
    ) -> Result<Option<T>, FieldError> {
        self.has(key).then(|| self.read(key, expected)).transpose()
    }

    pub(crate) fn time(&self, key: &str) -> Result<Timestamp, FieldError> {
        self.read(key, "a time such as `2026-01-31T12:00:00Z`")
    }

    pub(crate) fn optional_time(&self, key: &str) -> Result<Option<Timestamp>, FieldError> {
        self.has(key).then(|| self.time(key)).transpose()
    }

    /// Seconds since 1970, as tokens have them.
    pub(crate) fn seconds(&self, key: &str) -> Result<Timestamp, FieldError> {
        const EXPECTED: &str = "a time in whole seconds since 1970";
        let seconds = self.node(key)?.as_i64().ok_or_else(|| self.wrong(key, EXPECTED))?;
        Timestamp::from_second(seconds).map_err(|_| self.wrong(key, EXPECTED))
    }

    pub(crate) fn number(&self, key: &str) -> Result<u64, FieldError> {
        self.node(key)?.as_u64().ok_or_else(|| self.wrong(key, "a whole number"))
    }

    /// The elements of a list; none if it is not there.
    pub(crate) fn list(&self, key: &str, limit: usize) -> Result<Vec<Node<'d>>, FieldError> {
        let Some(list) = self.node.get(key) else { return Ok(Vec::new()) };
        if !list.is_array() {
            return Err(self.wrong(key, "a list"));
        }
        if list.items().count() > limit {
            return Err(FieldError::TooLong { place: self.inside(key), limit });
        }
        Ok(list.items().collect())
    }

    /// The texts of a list; none if it is not there.
    pub(crate) fn texts(&self, key: &str) -> Result<Vec<String>, FieldError> {
        self.list(key, LONGEST_LIST)?.into_iter().map(|item| self.text_of(item, key, LONGEST_TEXT)).collect()
    }

    /// The texts of a list, each read as something.
    pub(crate) fn reads<T: FromStr>(&self, key: &str, expected: &'static str) -> Result<Vec<T>, FieldError> {
        let read = |text: String| text.parse().map_err(|_| self.wrong(key, expected));
        self.texts(key)?.into_iter().map(read).collect()
    }

    fn text_of(&self, node: Node<'_>, key: &str, limit: usize) -> Result<String, FieldError> {
        let text = node.as_str().ok_or_else(|| self.wrong(key, "a text"))?;
        if text.len() > limit {
            return Err(FieldError::TooLong { place: self.inside(key), limit });
        }
        // Names are shown to people, who shall see all that is in them.
        if text.is_empty() || text.chars().any(hides) {
            return Err(self.wrong(key, "a text that is not empty and has no hidden characters"));
        }
        Ok(text.into_owned())
    }
}

/// Whether a letter cannot be seen, or moves those around it.
fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// A key that somebody else chose: visible characters of ASCII, and not many.
pub(crate) fn shown(key: &str) -> String {
    let visible = |letter: char| if matches!(letter, ' '..='~') && letter != '`' { letter } else { '?' };
    let mut letters = key.chars();
    let mut shown: String = letters.by_ref().take(LONGEST_KEY).map(visible).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}
