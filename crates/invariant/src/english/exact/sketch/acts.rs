//! Acts that everybody puts otherwise, by the words that tell them: see `sketches.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{OPEN, Rules, Sketch, did, has, is_literal, refused, says};
use crate::english::exact::done::acts::Table;
use crate::english::exact::{Exact, words};
use crate::english::lexicon::base_marks;
use crate::english::token::Token;
use crate::names::marks;

const SKETCHES: &str = include_str!("../../../../data/sketches.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sketch: Vec<Entry>,
}

/// How a kind of act is told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    acts: Vec<String>,
    /// What states the ban by itself.
    #[serde(default)]
    says: Vec<Pattern>,
    /// What is banned where it stands in a part that forbids.
    #[serde(default)]
    denied: Vec<Pattern>,
    /// Words of which the sentence must have one.
    #[serde(default)]
    with: Vec<String>,
    /// Words with which it is something else.
    #[serde(default)]
    not: Vec<String>,
    /// Whether other readers come first.
    #[serde(default)]
    is_late: bool,
    /// Whether numbers and names beside it change nothing.
    #[serde(default)]
    names_more: bool,
}

/// A pattern, with the bits of the words that it needs: of each of these, one must be there.
#[derive(Deserialize)]
#[serde(from = "String")]
struct Pattern {
    text: String,
    needs: Vec<u64>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Pattern {
        let is_needed = |item: &&str| !item.ends_with('?') && !matches!(*item, "@" | "..");
        let needs = text.split(' ').filter(is_needed).map(|item| marks(item.split('|'))).collect();
        Pattern { text, needs }
    }
}

static BUILT_IN: LazyLock<Vec<Entry>> =
    LazyLock::new(|| toml::from_str::<File>(SKETCHES).map(|file| file.sketch).unwrap_or_default());

impl Exact<'_> {
    /// A ban on acts, all that a sentence tells.
    pub(super) fn sketched_acts(&self, sketch: &Sketch<'_>, late: bool) -> Option<Rules> {
        let only_then = self.is_only_then(sketch);
        if sketch.has(OPEN) || (sketch.has(&["only", "just"]) && !only_then) {
            return None;
        }
        let table = Table::built_in()?;
        let said = base_marks(sketch.tokens);
        let mut acts: Vec<&str> = Vec::new();
        for entry in BUILT_IN
            .iter()
            .filter(|entry| (late || !entry.is_late) && is_told(entry, sketch, said, only_then))
        {
            acts.extend(entry.acts.iter().map(String::as_str).filter(|act| table.can_do(act, self.hand)));
        }
        if acts.is_empty() {
            return None;
        }
        let is_told_by =
            |entry: &Entry, part: &[Token]| (late || !entry.is_late) && tells(entry, part, said, only_then);
        let more = sketch.denying().filter(|part| !BUILT_IN.iter().any(|entry| is_told_by(entry, part)));
        let more: Rules = more.filter_map(|part| self.clause(words::core(part))).flatten().collect();
        let tests = self.sketched_time(sketch)?;
        acts.sort_unstable();
        acts.dedup();
        let mut rules = refused(did(&acts), tests);
        rules.extend(more);
        Some(rules)
    }
}

/// Whether a sentence tells an act; without a word that forbids where the act is left to a time.
fn is_told(entry: &Entry, sketch: &Sketch<'_>, said: u64, only_then: bool) -> bool {
    let is_open = |part: &&[Token]| entry.names_more || only_then || !part.iter().any(is_literal);
    let mut parts = sketch.parts.iter().copied().filter(is_open);
    if !parts.any(|part| tells(entry, part, said, only_then)) {
        return false;
    }
    let any = |words: &[String]| {
        has(sketch.tokens, &words.iter().flat_map(|word| word.split(' ')).collect::<Vec<_>>())
    };
    !any(&entry.not) && (entry.with.is_empty() || any(&entry.with))
}

/// Whether a part of a sentence tells an act.
fn tells(entry: &Entry, part: &[Token], said: u64, only_then: bool) -> bool {
    let is_near = |pattern: &&Pattern| pattern.needs.iter().all(|need| need & said != 0);
    let says_of = |patterns: &[Pattern]| {
        patterns.iter().filter(is_near).any(|pattern| says(part, &[pattern.text.as_str()]))
    };
    says_of(&entry.says) || ((super::denies(part) || only_then) && says_of(&entry.denied))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sketches_can_be_read_and_their_acts_are_known() {
        let file: File = toml::from_str(SKETCHES).unwrap();
        let actions = crate::action::Actions::built_in().unwrap();
        for act in file.sketch.iter().flat_map(|entry| &entry.acts) {
            assert!(actions.iter().any(|action| action.name == *act), "{act}");
        }
    }
}
