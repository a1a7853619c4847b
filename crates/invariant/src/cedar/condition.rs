//! Conditions of Cedar policies, and how they are written.

use std::fmt::{self, Display, Formatter};

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// As it is written; nothing weaker than a comparison.
    Plain(String),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
}

/// What is known of a condition.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// When it holds by what is told.
    pub(super) holds: Condition,
    /// When nobody can say that it does not.
    pub(super) may_hold: Option<Condition>,
    /// When nobody can say that it does, whatever is told.
    pub(super) may_fail: Option<Condition>,
}

/// Which worlds count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Worlds {
    /// It must hold in one that fits what is known.
    Some,
    /// It must hold in all of them.
    All,
}

impl Worlds {
    /// Those that count below a negation.
    pub(super) fn turned(self) -> Worlds {
        match self {
            Worlds::Some => Worlds::All,
            Worlds::All => Worlds::Some,
        }
    }
}

impl Condition {
    pub(super) fn plain(text: impl Into<String>) -> Condition {
        Condition::Plain(text.into())
    }

    pub(super) fn never() -> Condition {
        Condition::plain("false")
    }

    pub(super) fn always() -> Condition {
        Condition::plain("true")
    }

    pub(super) fn negated(self) -> Condition {
        match self {
            Condition::Not(inner) => *inner,
            own @ (Condition::Plain(_) | Condition::All(_) | Condition::Any(_)) => {
                Condition::Not(Box::new(own))
            }
        }
    }

    /// All of them, the same ones once.
    pub(super) fn all(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let inner = |part| if let Condition::All(inner) = part { inner } else { vec![part] };
        let mut all = different(parts.into_iter().flat_map(inner), &Condition::always());
        match all.len() {
            0 => Condition::always(),
            1 => all.remove(0),
            _ => Condition::All(all),
        }
    }

    /// One of them.
    pub(super) fn any(parts: impl IntoIterator<Item = Condition>) -> Condition {
        let inner = |part| if let Condition::Any(inner) = part { inner } else { vec![part] };
        let mut any = different(parts.into_iter().flat_map(inner), &Condition::never());
        match any.len() {
            0 => Condition::never(),
            1 => any.remove(0),
            _ => Condition::Any(any),
        }
    }

    /// The parts that must all hold, for a line each.
    pub(super) fn lines(&self) -> &[Condition] {
        match self {
            Condition::All(parts) => parts,
            Condition::Plain(_) | Condition::Any(_) | Condition::Not(_) => std::slice::from_ref(self),
        }
    }
}

impl Answer {
    /// An answer that is always known.
    pub(super) fn certain(holds: Condition) -> Answer {
        Answer { holds, may_hold: None, may_fail: None }
    }

    /// A condition that may hold by what is not told.
    pub(super) fn perhaps(holds: Condition, may_hold: Condition) -> Answer {
        Answer { holds, may_hold: Some(may_hold), may_fail: None }
    }

    /// As a condition that holds or does not, in the worlds that count.
    pub(super) fn within(self, worlds: Worlds) -> Condition {
        match worlds {
            Worlds::Some => Condition::any([Some(self.holds), self.may_hold].into_iter().flatten()),
            Worlds::All => self.holds,
        }
    }

    /// The same of its opposite.
    pub(super) fn fails_within(self, worlds: Worlds) -> Condition {
        let Answer { holds, may_hold, may_fail } = self;
        match worlds {
            Worlds::Some => Condition::any(std::iter::once(holds.negated()).chain(may_fail)),
            Worlds::All => Condition::any(std::iter::once(holds).chain(may_hold).chain(may_fail)).negated(),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let list = |formatter: &mut Formatter<'_>, parts: &[Condition], sign: &str| {
            for (place, part) in parts.iter().enumerate() {
                formatter.write_str(if place == 0 { "(" } else { sign })?;
                write!(formatter, "{part}")?;
            }
            formatter.write_str(")")
        };
        match self {
            Condition::Plain(text) => formatter.write_str(text),
            Condition::All(parts) => list(formatter, parts, " && "),
            Condition::Any(parts) => list(formatter, parts, " || "),
            // `(a || b)` brings its own parentheses.
            Condition::Not(inner) if matches!(**inner, Condition::All(_) | Condition::Any(_)) => {
                write!(formatter, "!{inner}")
            }
            Condition::Not(inner) => write!(formatter, "!({inner})"),
        }
    }
}

/// Each condition once, and one that changes nothing not at all.
fn different(parts: impl Iterator<Item = Condition>, nothing: &Condition) -> Vec<Condition> {
    let mut different: Vec<Condition> = Vec::new();
    for part in parts {
        if part != *nothing && !different.contains(&part) {
            different.push(part);
        }
    }
    different
}

/// A text in quotes.
pub(super) fn text(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text inside a pattern, where `*` is a letter like others.
pub(super) fn literal(text: &str) -> String {
    escaped(text).replace('*', "\\*")
}

/// A pattern in which `*` is any text, as `like` takes it.
pub(super) fn like(path: &str, pattern: &str) -> Condition {
    Condition::plain(format!("{path} like \"{pattern}\""))
}

pub(super) fn equal(path: &str, value: &str) -> Condition {
    Condition::plain(format!("{path} == {}", text(value)))
}

pub(super) fn contains(set: &str, value: &str) -> Condition {
    Condition::plain(format!("{set}.contains({})", text(value)))
}

/// Whether there may be more facts of a predicate than are told.
pub(super) fn unknown(predicate: &str) -> Condition {
    contains("context.unknown", predicate)
}

/// Whether not even what is told of a predicate is sure.
pub(super) fn doubted(predicate: &str) -> Condition {
    contains("context.doubted", predicate)
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            // Punctuation and signs that show.
            ' '..='~' | '\u{2010}'..='\u{2027}' | '\u{20a0}'..='\u{2bff}' => escaped.push(letter),
            letter if letter.is_alphanumeric() => escaped.push(letter),
            // Whatever might not, or turn what follows round.
            letter => escaped.push_str(&format!("\\u{{{:x}}}", u32::from(letter))),
        }
    }
    escaped
}
