//! What flows between commands: where data came from and what it says.

use crate::Use;

/// Stands in a text for a part that only the running shell knows. Not a character, so no text holds it by itself.
pub(super) const UNKNOWN: char = '\u{FFFF}';
/// Stands in a text for each of the places that a search before found.
pub(super) const FOUND: char = '\u{FFFE}';

/// What a command writes to its standard output, or reads from its standard input.
#[derive(Clone, Debug, Default)]
pub(super) struct Stream {
    /// The places whose content flows; empty for what the agent wrote itself.
    pub(super) sources: Vec<Use>,
    /// The places whose names flow, for `xargs` and the like.
    pub(super) names: Vec<Use>,
    /// The very text, where it is known.
    pub(super) text: Option<String>,
    /// Whether a program of unknown make wrote it, so that anything may be in it.
    pub(super) made_by_program: bool,
    /// Whether it is only the answer to what was sent, which the sending tells already.
    pub(super) is_answer: bool,
    /// Whether anything flows at all.
    pub(super) open: bool,
    /// The commands that write it, where they are taken down.
    pub(super) makers: Makers,
}

/// Stands for the command around, which is not taken down yet.
pub(super) const OUTER: usize = usize::MAX;

/// The commands that something comes from, where they are taken down. Where it comes from is no part of what it is: two
/// texts that differ in nothing else are the same. Each stands here once, in order.
#[derive(Clone, Debug, Default, Eq)]
pub(super) struct Makers(Vec<usize>);

impl PartialEq for Makers {
    fn eq(&self, _: &Makers) -> bool {
        true
    }
}

impl Makers {
    /// The command around.
    pub(super) fn outer() -> Makers {
        Makers(vec![OUTER])
    }

    pub(super) fn join(&mut self, other: &Makers) {
        other.0.iter().for_each(|maker| self.add(*maker));
    }

    fn add(&mut self, maker: usize) {
        if let Err(at) = self.0.binary_search(&maker) {
            self.0.insert(at, maker);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied()
    }

    /// Leaves a command and those that were taken down behind it.
    pub(super) fn keep_behind(&mut self, at: Option<usize>) {
        self.0.retain(|maker| at.is_some_and(|at| *maker > at && *maker != OUTER));
        at.into_iter().for_each(|at| self.add(at));
    }

    /// The commands as a list.
    pub(super) fn into_list(self) -> Vec<usize> {
        self.0
    }
}

impl Stream {
    /// Content of places.
    pub(super) fn of(sources: Vec<Use>) -> Stream {
        Stream { sources, open: true, ..Stream::default() }
    }

    /// A text that the agent wrote.
    pub(super) fn literal(text: String) -> Stream {
        Stream { text: Some(text), open: true, ..Stream::default() }
    }

    /// Adds what another command wrote to the same place.
    pub(super) fn join(&mut self, other: Stream) {
        self.text = match (self.open, other.open) {
            (false, _) => other.text,
            (_, false) => self.text.take(),
            _ => None,
        };
        self.is_answer =
            (self.is_answer || self.sources.is_empty()) && (other.is_answer || other.sources.is_empty());
        self.open |= other.open;
        self.makers.join(&other.makers);
        self.made_by_program |= other.made_by_program;
        merge(&mut self.sources, other.sources);
        merge(&mut self.names, other.names);
    }
}

/// Adds what is not there yet.
pub(super) fn merge(into: &mut Vec<Use>, more: Vec<Use>) {
    for used in more {
        if !into.contains(&used) {
            into.push(used);
        }
    }
}
