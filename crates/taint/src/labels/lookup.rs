//! From a use to the labels that it meets: those of its name, of everything above, and of what lies below if it
//! reaches there.

use std::collections::BTreeMap;
use std::ops::Bound;

use portcullis_lattice::Reach;
use portcullis_perceive::Use;

use super::Labels;
use crate::marks::Marks;
use crate::{name, pattern};

impl Labels {
    /// Tells every label that a use meets.
    pub(super) fn look_up(&self, used: &Use, tell: &mut impl FnMut(&Marks)) {
        // In most sessions nothing is labelled, and then there is nothing to take apart.
        if self.alone.is_empty() && self.whole.is_empty() && self.patterns.is_empty() {
            return;
        }
        let (key, stem) = pattern::parts(used);
        self.alone.get(key).into_iter().for_each(&mut *tell);
        self.whole.get(key).into_iter().for_each(&mut *tell);
        self.look_above(key, stem.is_some(), used.reach, tell);
        if used.reach == Reach::Subtree {
            self.look_below(key, stem, tell);
        }
    }

    fn look_above(&self, key: &str, is_wild: bool, reach: Reach, tell: &mut impl FnMut(&Marks)) {
        if !self.whole.is_empty() {
            name::ancestors(key).filter_map(|above| self.whole.get(above)).for_each(&mut *tell);
        }
        if self.patterns.is_empty() {
            return;
        }
        for inside in name::ancestors(key).filter_map(|above| self.patterns.get(above)) {
            for (labelled, marks) in inside {
                let is_met = match (reach, is_wild) {
                    (Reach::Subtree, _) => pattern::may_meet(labelled, key),
                    // A listing by a pattern is not tainted by one of what it lists.
                    (_, true) => &**labelled == key,
                    (_, false) => {
                        name::depth(labelled) <= name::depth(key) && pattern::may_meet(labelled, key)
                    }
                };
                is_met.then(|| tell(marks));
            }
        }
    }

    fn look_below(&self, key: &str, stem: Option<&str>, tell: &mut impl FnMut(&Marks)) {
        let folder = stem.unwrap_or(key);
        let is_met = |labelled: &str| stem.is_none() || pattern::may_meet(labelled, key);
        for kept in [&self.alone, &self.whole] {
            below(kept, folder).filter(|(name, _)| is_met(name)).for_each(|(_, marks)| tell(marks));
        }
        if self.patterns.is_empty() {
            return;
        }
        // What is bounded by the folder itself was asked for above it only if the name has wildcards.
        let here = self.patterns.get(folder).filter(|_| stem.is_none());
        for inside in below(&self.patterns, folder).map(|(_, inside)| inside).chain(here) {
            inside.iter().filter(|(name, _)| is_met(name)).for_each(|(_, marks)| tell(marks));
        }
    }
}

/// The entries below a key, without its own.
pub(super) fn below<'k, T>(
    kept: &'k BTreeMap<Box<str>, T>,
    outer: &str,
) -> impl Iterator<Item = (&'k str, &'k T)> {
    // Where nothing is kept, no text has to be made.
    let found = (!kept.is_empty()).then(|| {
        let begins = name::below_begins(outer);
        let outer = outer.to_owned();
        kept.range::<str, _>((Bound::Included(begins.as_str()), Bound::Unbounded))
            .map(|(name, kept)| (&**name, kept))
            .take_while(move |(name, _)| name.starts_with(begins.as_str()))
            .filter(move |(name, _)| name::is_below(&outer, name))
    });
    found.into_iter().flatten()
}
