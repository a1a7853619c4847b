//! Over the bound, labels move to what contains them: less precise, never fewer.
//!
//! The folder with the most labelled names directly in it goes first, among equals the deepest, then the first by name.
//! Everything below it becomes one label with all below it. Where no folder has two, the deepest names move up one step,
//! so that they meet. Only then whole schemes and the root of all files take what is left, and at the very end one label
//! stands for everything that is no file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Labels;
use super::lookup::below;
use crate::marks::Marks;
use crate::{name, pattern};

/// A folder with labelled names directly in it.
struct Crowd {
    folder: Box<str>,
    names: usize,
    depth: usize,
}

impl Labels {
    /// Makes room, more than is needed at once: else the next label would have to lift again.
    pub(super) fn lift(&mut self) {
        let goal = self.bound - self.bound / 4;
        while self.count() > goal {
            let crowds = self.next_crowds();
            if crowds.is_empty() {
                break;
            }
            for crowd in crowds {
                if self.count() <= goal {
                    break;
                }
                self.lift_into(&crowd.folder);
            }
        }
    }

    /// The folders to lift into next, in order.
    fn next_crowds(&self) -> Vec<Crowd> {
        let last_resort = |crowd: &Crowd| match &*crowd.folder {
            name::ELSEWHERE => 2,
            folder if name::is_whole(folder) => 1,
            _ => 0,
        };
        let mut crowds = self.crowds();
        let first = crowds.iter().map(last_resort).min();
        crowds.retain(|crowd| Some(last_resort(crowd)) == first);
        if crowds.iter().any(|crowd| crowd.names > 1) {
            crowds.retain(|crowd| crowd.names > 1);
        } else {
            let deepest = crowds.iter().map(|crowd| crowd.depth).max();
            crowds.retain(|crowd| Some(crowd.depth) == deepest);
        }
        crowds.sort_by(|left, right| {
            let key = |one: &Crowd| (Reverse(one.names), Reverse(one.depth));
            key(left).cmp(&key(right)).then_with(|| left.folder.cmp(&right.folder))
        });
        crowds
    }

    fn crowds(&self) -> Vec<Crowd> {
        let mut names: BTreeSet<&str> = BTreeSet::new();
        names.extend(self.alone.keys().map(|key| &**key));
        names.extend(self.whole.keys().map(|key| &**key));
        names.extend(self.patterns.values().flat_map(|inside| inside.keys().map(|key| &**key)));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        // One that has no larger thing holds itself, and stays.
        for name in names.into_iter().filter(|name| name::parent(name).is_some()) {
            *counts.entry(pattern::holder(name)).or_default() += 1;
        }
        // A name that is labelled alone and with all below it takes two places, and one when it is lifted to itself.
        for twice in self.alone.keys().filter(|key| self.whole.contains_key(*key)) {
            *counts.entry(twice).or_default() += 2;
        }
        let crowd = |(folder, names): (&str, usize)| Crowd {
            folder: folder.into(),
            names,
            depth: name::depth(folder),
        };
        counts.into_iter().map(crowd).collect()
    }

    /// Everything below a folder becomes one label of it and all below it.
    fn lift_into(&mut self, folder: &str) {
        let mut marks = self.alone.remove(folder).unwrap_or_default();
        for kept in [&mut self.alone, &mut self.whole] {
            let names: Vec<Box<str>> = below(kept, folder).map(|(name, _)| name.into()).collect();
            names.iter().filter_map(|name| kept.remove(name)).for_each(|found| marks.join(&found));
        }
        self.lifted.retain(|key| !name::is_below(folder, key));
        let inside = |stem: &str| stem == folder || name::is_below(folder, stem);
        let stems: Vec<Box<str>> = self.patterns.keys().filter(|stem| inside(stem)).cloned().collect();
        for patterns in stems.iter().filter_map(|stem| self.patterns.remove(stem)) {
            patterns.values().for_each(|found: &Marks| marks.join(found));
        }
        // A folder that an earlier one took with it has nothing left to lift.
        if !marks.is_empty() {
            self.attach_lifted(folder, &marks);
        }
    }
}
