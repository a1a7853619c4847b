//! Literal credentials in a text: an argument that an agent wrote, a result that a tool gave.
//!
//! The formats are data (`data/secret-formats.toml`), each with texts that it must and must not find. A finding says
//! where, never what: nothing here keeps or shows a credential.

mod plausible;

use core::ops::Range;

use regex::{Regex, RegexSet};
use serde::Deserialize;

const BUILT_IN: &str = include_str!("../data/secret-formats.toml");
/// The group of a pattern that is the credential itself, where the pattern needs words around it.
const GROUP: &str = "secret";

/// Where a text holds a credential.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    /// The bytes of the credential in the text.
    pub range: Range<usize>,
    /// The name of the format, as `github-token`.
    pub format: String,
}

/// Why a file of formats cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatsError {
    /// The file is no TOML of the expected form.
    #[error("the formats cannot be read: {0}")]
    Unreadable(String),
    /// A pattern is no regular expression, or too large.
    #[error("the pattern of `{format}` cannot be used: {problem}")]
    Pattern {
        /// The format's name.
        format: String,
        /// What is wrong with the pattern.
        problem: String,
    },
    /// An example is not found, or found though it must not be.
    #[error("example {number} of `{format}` is not treated as it says")]
    Example {
        /// The format's name.
        format: String,
        /// Which example, counted from 1 through both lists.
        number: usize,
    },
}

/// The formats of credentials that are known.
pub struct Formats {
    formats: Vec<Format>,
    set: RegexSet,
}

struct Format {
    name: String,
    pattern: Regex,
    check: Check,
    examples: Vec<Example>,
}

struct Example {
    text: String,
    is_found: bool,
}

/// What has to hold besides the pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Check {
    /// Nothing: the format speaks for itself.
    #[default]
    None,
    /// The first part is a JSON header that names an algorithm.
    Jwt,
    /// It looks as if a machine had made it.
    Random,
    /// It is no placeholder.
    Chosen,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    pattern: String,
    #[serde(default)]
    check: Check,
    /// Texts in parts, so that no scanner takes the file for a leak.
    found: Vec<Vec<String>>,
    not_found: Vec<Vec<String>>,
}

impl Formats {
    /// The formats that this program brings.
    pub fn built_in() -> Result<Formats, FormatsError> {
        Formats::parse(BUILT_IN)
    }

    /// Reads formats from TOML.
    pub fn parse(text: &str) -> Result<Formats, FormatsError> {
        let file: File =
            toml::from_str(text).map_err(|error| FormatsError::Unreadable(error.message().to_string()))?;
        let formats = file.format.into_iter().map(Format::new).collect::<Result<Vec<Format>, _>>()?;
        let set = RegexSet::new(formats.iter().map(|format| format.pattern.as_str()))
            .map_err(|error| FormatsError::Unreadable(error.to_string()))?;
        Ok(Formats { formats, set })
    }

    /// Whether every format finds its own examples and leaves the others alone.
    pub fn check(&self) -> Result<(), FormatsError> {
        for format in &self.formats {
            for (at, example) in format.examples.iter().enumerate() {
                let is_found = self.find(&example.text).iter().any(|finding| finding.format == format.name);
                if is_found != example.is_found {
                    return Err(FormatsError::Example { format: format.name.clone(), number: at + 1 });
                }
            }
        }
        Ok(())
    }

    /// The names of the formats.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.formats.iter().map(|format| format.name.as_str())
    }

    /// Every credential in the text, in its order.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        // Whether there is anything at all is asked first: it is much cheaper than asking what.
        if !self.set.is_match(text) {
            return Vec::new();
        }
        let hits = self.set.matches(text);
        let hit = hits.iter().filter_map(|at| self.formats.get(at));
        let mut findings: Vec<Finding> = hit.flat_map(|format| format.find(text)).collect();
        findings.sort_by(|left, right| {
            let key = |one: &Finding| (one.range.start, one.range.end);
            key(left).cmp(&key(right)).then_with(|| left.format.cmp(&right.format))
        });
        findings.dedup();
        findings
    }

    /// Whether the text holds a credential.
    pub fn any(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }
}

impl Format {
    fn new(entry: Entry) -> Result<Format, FormatsError> {
        let Entry { name, pattern, check, found, not_found } = entry;
        // Word boundaries of all the world's scripts would need the slow engine.
        let pattern = Regex::new(&pattern.replace(r"\b", r"(?-u:\b)"))
            .map_err(|error| FormatsError::Pattern { format: name.clone(), problem: error.to_string() })?;
        let examples = found.iter().map(|parts| Example { text: parts.concat(), is_found: true });
        let others = not_found.iter().map(|parts| Example { text: parts.concat(), is_found: false });
        Ok(Format { examples: examples.chain(others).collect(), name, pattern, check })
    }

    fn find<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Finding> + 'a {
        self.pattern.captures_iter(text).filter_map(|captures| {
            let secret = captures.name(GROUP).or_else(|| captures.get(0))?;
            let is_one = match self.check {
                Check::None => true,
                Check::Jwt => plausible::is_web_token(secret.as_str()),
                Check::Random => plausible::is_random(secret.as_str()),
                Check::Chosen => plausible::is_chosen(secret.as_str()),
            };
            is_one.then(|| Finding { range: secret.range(), format: self.name.clone() })
        })
    }
}
