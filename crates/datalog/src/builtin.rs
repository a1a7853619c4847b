//! The filters that every program has, and the comparisons.

use memchr::memmem::Finder;
use regex::RegexBuilder;

use crate::limits::LARGEST_REGEX;
use crate::schema::Test;
use crate::syntax::Operator;
use crate::value::{Constant, Truth, Value};

type Prepare = fn(&[Option<&Constant>]) -> Result<Test, String>;

/// Name, meaning and preparation of each.
pub(crate) const FILTERS: &[(&str, &str, Prepare)] = &[
    ("starts_with", "the first text begins with the second", |constants| {
        Ok(prepared(constants, |text, part| text.as_bytes().starts_with(part.as_bytes())))
    }),
    ("ends_with", "the first text ends with the second", |constants| {
        Ok(prepared(constants, |text, part| text.as_bytes().ends_with(part.as_bytes())))
    }),
    ("contains", "the second text occurs in the first", contains),
    ("glob", "the text has the form of the pattern, in which `*` is any text", glob),
    ("matches", "the regular expression matches somewhere in the text", matches),
];

/// A question about a text and a part, of which either may be written out.
fn prepared(constants: &[Option<&Constant>], holds: fn(&str, &str) -> bool) -> Test {
    match constants {
        [Some(Constant::Text(text)), Some(Constant::Text(part))] => {
            let truth = Truth::from(holds(text, part));
            Box::new(move |_| truth)
        }
        [None, Some(Constant::Text(part))] => {
            let part = part.clone();
            single(move |text| holds(text, &part))
        }
        [Some(Constant::Text(text)), None] => {
            let text = text.clone();
            single(move |part| holds(&text, part))
        }
        _ => Box::new(move |values| match values {
            [Value::Text(text), Value::Text(part)] => Truth::from(holds(text, part)),
            _ => Truth::Unknown,
        }),
    }
}

fn contains(constants: &[Option<&Constant>]) -> Result<Test, String> {
    match constants {
        [None, Some(Constant::Text(part))] => {
            let finder = Finder::new(part.as_bytes()).into_owned();
            Ok(single(move |text| finder.find(text.as_bytes()).is_some()))
        }
        _ => Ok(prepared(constants, |text, part| text.contains(part))),
    }
}

/// A question about the one text that is not written out.
fn single(holds: impl Fn(&str) -> bool + Send + Sync + 'static) -> Test {
    Box::new(move |values| match values {
        [Value::Text(text)] => Truth::from(holds(text)),
        _ => Truth::Unknown,
    })
}

/// A question about a text and a pattern that was made ready; the text may be written out too.
fn patterned(constants: &[Option<&Constant>], holds: impl Fn(&str) -> bool + Send + Sync + 'static) -> Test {
    match constants {
        [Some(Constant::Text(text)), _] => {
            let truth = Truth::from(holds(text));
            Box::new(move |_| truth)
        }
        _ => single(holds),
    }
}

fn pattern<'c>(constants: &[Option<&'c Constant>]) -> Result<&'c str, String> {
    match constants {
        [_, Some(Constant::Text(pattern))] => Ok(pattern),
        _ => Err("the pattern must be written out as a text".to_owned()),
    }
}

fn matches(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let regex = RegexBuilder::new(pattern(constants)?).size_limit(LARGEST_REGEX).nest_limit(50).build();
    let regex = regex.map_err(|error| {
        if matches!(error, regex::Error::CompiledTooBig(_)) {
            return "the regular expression is too large".to_owned();
        }
        // The message draws the place over several lines; its last line says what is wrong.
        let message = error.to_string();
        let last = message.lines().last().unwrap_or_default();
        format!("the regular expression is wrong: {}", last.trim_start_matches("error: "))
    })?;
    Ok(patterned(constants, move |text| regex.is_match(text)))
}

fn glob(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let glob = Glob::new(pattern(constants)?)?;
    Ok(patterned(constants, move |text| glob.matches(text)))
}

/// Literal parts with any text between them.
struct Glob {
    first: String,
    /// In this order.
    middle: Vec<String>,
    /// `None` where there is no `*` at all.
    last: Option<String>,
}

impl Glob {
    fn new(pattern: &str) -> Result<Glob, String> {
        let mut parts = vec![String::new()];
        let mut letters = pattern.chars();
        while let Some(letter) = letters.next() {
            let literal = match letter {
                '*' => {
                    parts.push(String::new());
                    continue;
                }
                '\\' => match letters.next() {
                    Some(escaped @ ('*' | '\\')) => escaped,
                    _ => return Err("in a glob `\\` stands only before `*` or `\\`".to_owned()),
                },
                _ => letter,
            };
            if let Some(part) = parts.last_mut() {
                part.push(literal);
            }
        }
        let last = if parts.len() > 1 { parts.pop() } else { None };
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        Ok(Glob { first, middle: parts.filter(|part| !part.is_empty()).collect(), last })
    }

    /// The leftmost place of each part leaves the most room for the rest, so nothing is tried twice.
    fn matches(&self, text: &str) -> bool {
        let Some(last) = &self.last else {
            return text == self.first;
        };
        let rest = text.strip_prefix(&*self.first).and_then(|rest| rest.strip_suffix(&**last));
        let Some(mut rest) = rest else {
            return false;
        };
        for part in &self.middle {
            match rest.split_once(&**part) {
                Some((_, behind)) => rest = behind,
                None => return false,
            }
        }
        true
    }
}

impl Operator {
    /// Whether two values lie so. Texts have no order that anybody could rely on, and the checks let none get there.
    #[inline]
    pub(crate) fn compare(self, left: Value<'_>, right: Value<'_>) -> Truth {
        match (left, right) {
            (Value::Number(left), Value::Number(right)) => Truth::from(match self {
                Operator::Equal => left == right,
                Operator::NotEqual => left != right,
                Operator::Less => left < right,
                Operator::LessOrEqual => left <= right,
                Operator::Greater => left > right,
                Operator::GreaterOrEqual => left >= right,
            }),
            _ if self == Operator::NotEqual => left.meets(right).negated(),
            _ if self == Operator::Equal => left.meets(right),
            _ => Truth::Unknown,
        }
    }
}
