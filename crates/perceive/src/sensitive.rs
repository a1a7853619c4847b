//! Places that hold credentials by themselves, wherever they are: known by name, without a look inside.
//!
//! The places are data (`data/sensitive-places.toml`), each with names that are and are not one. Besides, a file whose
//! name says that it *holds* a secret (`publish_token.txt`) is one; source code that handles secrets
//! (`token_parser.py`) is not.

mod says;

use std::sync::LazyLock;

use portcullis_lattice::Reach;
use regex::{RegexSet, RegexSetBuilder};
use serde::Deserialize;

use crate::deed::Use;
use says::Words;

const BUILT_IN: &str = include_str!("../data/sensitive-places.toml");
/// Names with these heads are files, after so many segments that say where.
const FILES: &[(&str, usize)] =
    &[("github:", 2), ("gitlab:", 2), ("s3://", 1), ("gs://", 1), ("ssh://", 1), ("sftp://", 1), ("/", 0)];

/// Why a file of places cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacesError {
    /// The file is no TOML of the expected form.
    #[error("the places cannot be read: {0}")]
    Unreadable(String),
    /// A pattern is too large.
    #[error("the patterns cannot be used: {0}")]
    Pattern(String),
    /// A name is not treated as its entry says.
    #[error("`{name}` is not treated as the entry `{place}` says")]
    Example {
        /// The entry's name.
        place: String,
        /// The example.
        name: String,
    },
}

/// The places that are known to hold credentials, and those that a user marked.
#[derive(Clone)]
pub struct Places {
    known: Patterns,
    never: Patterns,
    marked: Patterns,
    words: Words,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    words: Words,
    place: Vec<Entry>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    why: String,
    /// Names: `*` stays inside a segment, `**/` in front matches any depth, `/**` at the end all below.
    #[serde(default)]
    patterns: Vec<String>,
    /// What is no credential although a pattern, of this entry or another, says so.
    #[serde(default)]
    except: Vec<String>,
    holds: Vec<String>,
    #[serde(default)]
    holds_not: Vec<String>,
}

impl Places {
    /// The places that this program knows. They are read once, for it takes long enough to be felt.
    pub fn built_in() -> Result<Places, PlacesError> {
        static PLACES: LazyLock<Result<Places, PlacesError>> = LazyLock::new(|| Places::parse(BUILT_IN));
        PLACES.clone()
    }

    /// Reads places from TOML.
    pub fn parse(text: &str) -> Result<Places, PlacesError> {
        let file: File =
            toml::from_str(text).map_err(|error| PlacesError::Unreadable(error.message().to_string()))?;
        let all = |list: fn(&Entry) -> &Vec<String>| Patterns::new(file.place.iter().flat_map(list));
        let (known, never) = (all(|entry| &entry.patterns)?, all(|entry| &entry.except)?);
        let marked = Patterns::new([])?;
        Ok(Places { known, never, marked, words: file.words, entries: file.place })
    }

    /// The same places and those that a user marked: patterns over whole names (`db:hr.*`, `/home/u/hr/**`), or over
    /// the end of any name with `**/` in front.
    pub fn with_marked(self, patterns: &[String]) -> Result<Places, PlacesError> {
        Ok(Places { marked: Patterns::exact(patterns)?, ..self })
    }

    /// Whether every entry holds for its own examples.
    pub fn check(&self) -> Result<(), PlacesError> {
        for entry in &self.entries {
            let wrong = |name: &&String, wanted: bool| self.holds_secrets(&one(name)) != wanted;
            let missed = entry.holds.iter().find(|name| wrong(name, true));
            if let Some(name) = missed.or_else(|| entry.holds_not.iter().find(|name| wrong(name, false))) {
                return Err(PlacesError::Example { place: entry.name.clone(), name: name.clone() });
            }
        }
        Ok(())
    }

    /// The entries: their names and why they are there.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.why.as_str()))
    }

    /// Whether what is used holds secrets by itself. A listing shows names only and never does, unless a user marked it;
    /// a folder as a whole does if it is a place of credentials from top to bottom (`~/.ssh`).
    pub fn holds_secrets(&self, place: &Use) -> bool {
        if self.marked.matches(&place.name) {
            return true;
        }
        if !place.details.is_empty() {
            return place.details.iter().any(|name| {
                self.marked.matches(name) || self.named_so(name, Reach::One) || self.is_file_of(name)
            });
        }
        place.reach != Reach::Names && self.named_so(&place.name, place.reach)
    }

    /// The same for a file that some service keeps: what comes after the service's own head is a path.
    fn is_file_of(&self, name: &str) -> bool {
        let is_account = |head: &&str| head.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let path = name.split_once(':').filter(|(head, path)| is_account(head) && !path.starts_with('/'));
        path.is_some_and(|(head, path)| head != "db" && self.named_so(&format!("/{path}"), Reach::One))
    }

    /// Whether the name is that of a place of credentials.
    fn named_so(&self, name: &str, reach: Reach) -> bool {
        if name.starts_with("db:") {
            return self.known.matches(name);
        }
        let Some(path) = file_part(name) else { return false };
        let whole = if reach == Reach::Subtree { format!("{path}/*") } else { path.to_string() };
        let is_file = |path: &str| self.known.matches(path) || self.words.say(path);
        (is_file(path) || self.known.matches(&whole)) && !self.never.matches(path)
    }
}

fn one(name: &str) -> Use {
    Use::new(name, Reach::One)
}

/// The path inside whatever holds the file.
fn file_part(name: &str) -> Option<&str> {
    let (head, segments) = FILES.iter().find(|(head, _)| name.starts_with(head))?;
    let mut path = name.strip_prefix(head)?;
    for _ in 0..*segments {
        path = path.split_once('/')?.1;
    }
    (!path.is_empty()).then_some(path)
}

/// Patterns over names, all tried at once.
#[derive(Clone)]
struct Patterns(RegexSet);

impl Patterns {
    /// Without regard to case: some disks have none, and a credential is one however it is spelt.
    /// A folder is no credential, what lies in it is.
    fn new<'a>(patterns: impl IntoIterator<Item = &'a String>) -> Result<Patterns, PlacesError> {
        Patterns::compiled(patterns.into_iter().map(|pattern| expression(pattern, BELOW)), CaseCounts::No)
    }

    /// What a user marked is meant as written, the folder included.
    fn exact(patterns: &[String]) -> Result<Patterns, PlacesError> {
        Patterns::compiled(
            patterns.iter().map(|pattern| expression(pattern, STEM_AND_BELOW)),
            CaseCounts::Yes,
        )
    }

    fn compiled(
        expressions: impl Iterator<Item = String>,
        case_counts: CaseCounts,
    ) -> Result<Patterns, PlacesError> {
        let set = RegexSetBuilder::new(expressions)
            .case_insensitive(case_counts == CaseCounts::No)
            .size_limit(32 << 20)
            .build();
        set.map(Patterns).map_err(|error| PlacesError::Pattern(error.to_string()))
    }

    fn matches(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseCounts {
    Yes,
    No,
}

/// What a final `/**` means.
const BELOW: &str = r"(?s:/.+)\z";
const STEM_AND_BELOW: &str = r"(?s:/.+)?\z";

/// A pattern as a regular expression.
fn expression(pattern: &str, below: &str) -> String {
    let (start, rest) = match pattern.strip_prefix("**/") {
        Some(rest) => (r"\A(?s:.*[/:])?", rest),
        None => (r"\A", pattern),
    };
    let (rest, end) = match rest.strip_suffix("/**") {
        Some(stem) => (stem, below),
        None => (rest, r"\z"),
    };
    let middle: Vec<String> = rest.split('*').map(regex::escape).collect();
    format!("{start}{}{end}", middle.join("[^/]*"))
}
