//! A set of rules as it is kept and written: in order, each with its id.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::error::ParseError;
use crate::rule::Rule;

/// What a rule is called. In a file of rules it is the number of the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub u64);

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A rule and its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What it is called.
    pub id: RuleId,
    /// What it says.
    pub rule: Rule,
}

/// Rules with ids, each id once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ruleset {
    entries: Vec<Entry>,
}

/// Why a file of rules was not read. Nothing of it is then in force.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct RulesetError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: ParseError,
}

impl Ruleset {
    /// No rules.
    pub fn new() -> Ruleset {
        Ruleset::default()
    }

    /// Reads rules, one a line; empty lines and lines that begin with `#` are passed over. One bad line, and
    /// nothing is read.
    pub fn parse(text: &str) -> Result<Ruleset, RulesetError> {
        let mut entries = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let rule = line.parse().map_err(|error| RulesetError { line: number, error })?;
            entries.push(Entry { id: RuleId(number), rule });
        }
        Ok(Ruleset { entries })
    }

    /// The rules, in their order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The rule of this name.
    pub fn rule(&self, id: RuleId) -> Option<&Rule> {
        self.entries.iter().find(|entry| entry.id == id).map(|entry| &entry.rule)
    }

    /// Adds a rule under a new id, higher than every other.
    pub fn add(&mut self, rule: Rule) -> RuleId {
        let highest = self.entries.iter().map(|entry| entry.id.0).max().unwrap_or(0);
        let id = RuleId(highest + 1);
        self.entries.push(Entry { id, rule });
        id
    }

    /// Takes a rule out. The next decision no longer knows it.
    pub fn revoke(&mut self, id: RuleId) -> Option<Rule> {
        let position = self.entries.iter().position(|entry| entry.id == id)?;
        Some(self.entries.remove(position).rule)
    }

    /// Takes out the rules whose time is over, and returns them.
    pub fn expire(&mut self, now: jiff::Timestamp) -> Vec<Entry> {
        self.entries.extract_if(.., |entry| entry.rule.is_over(now)).collect()
    }
}

impl FromIterator<Entry> for Ruleset {
    /// Of entries with the same id the last counts.
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Ruleset {
        let mut entries: Vec<Entry> = entries.into_iter().collect();
        let mut seen: HashSet<RuleId, FixedState> = HashSet::default();
        entries.reverse();
        entries.retain(|entry| seen.insert(entry.id));
        entries.reverse();
        Ruleset { entries }
    }
}

/// The file that [`Ruleset::parse`] reads, without the comments. Lines are counted anew.
impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.iter().try_for_each(|entry| writeln!(f, "{}", entry.rule))
    }
}

/// The words of a rule, for people.
impl Entry {
    /// `rule 3: allow read from …`
    pub fn headline(&self) -> String {
        alloc::format!("rule {}: {}", self.id, self.rule)
    }
}
