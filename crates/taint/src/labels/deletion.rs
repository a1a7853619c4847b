//! What a deletion that succeeded lets be forgotten: what was surely destroyed, and is not sensitive by its name.

use std::collections::BTreeMap;

use portcullis_lattice::{Effect, Reach};
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Use};

use super::lookup::below;
use super::{Labels, is_context};
use crate::marks::Marks;
use crate::{name, pattern};

impl Labels {
    /// Forgets the labels of what an act deleted. To be called when its result says that it succeeded, and not when
    /// there is none: what may still be there is still labelled.
    ///
    /// Kept are the labels of places that are sensitive by their names; of a whole scheme or disk, which is named where
    /// nobody knows what exactly is meant; of uses whose details say that only some of them is meant; and of what the
    /// same act writes. What was labelled with all below it is forgotten only with all below it, and what was lifted not
    /// at all.
    ///
    /// Says whether something may have been forgotten.
    pub fn deleted(&mut self, act: &Act, places: &Places) -> bool {
        if !act.deed.effects.contains(Effect::Del) || self.count() == 0 {
            return false;
        }
        let writes = act.deed.effects.contains(Effect::Write);
        for input in &act.deed.inputs {
            let stays = writes && act.deed.outputs.iter().any(|output| output.name == input.name);
            let is_vague = name::is_whole(name::key(&input.name)) || !input.details.is_empty();
            if !is_context(input) && !stays && !is_vague && !places.holds_secrets(input) {
                self.forget(input, places);
            }
        }
        true
    }

    fn forget(&mut self, used: &Use, places: &Places) {
        let (key, stem) = pattern::parts(used);
        let is_sensitive = |name: &str, reach| places.holds_secrets(&Use::new(name::shown(name), reach));
        let forgettable = |name: &str| !is_sensitive(name, Reach::One) && !is_sensitive(name, Reach::Subtree);
        if forgettable(key) {
            self.alone.remove(key);
        }
        if used.reach != Reach::Subtree {
            return;
        }
        let folder = stem.unwrap_or(key);
        let is_gone = |labelled: &str| {
            forgettable(labelled) && (stem.is_none() || pattern::surely_holds(key, labelled))
        };
        let gone = |kept: &BTreeMap<Box<str>, Marks>| -> Vec<Box<str>> {
            below(kept, folder).map(|(name, _)| name).filter(|name| is_gone(name)).map(Box::from).collect()
        };
        gone(&self.alone).iter().for_each(|name| drop(self.alone.remove(name)));
        for name in gone(&self.whole).iter().filter(|name| !self.lifted.contains(*name)) {
            self.whole.remove(name);
        }
        match stem {
            Some(stem) => {
                if let Some(inside) = self.patterns.get_mut(stem) {
                    inside.remove(key);
                }
            }
            None => {
                if forgettable(key) && !self.lifted.contains(key) {
                    self.whole.remove(key);
                }
                self.forget_patterns(key, &forgettable);
            }
        }
        self.patterns.retain(|_, inside| !inside.is_empty());
    }

    /// Forgets the patterns that lie in a folder.
    fn forget_patterns(&mut self, folder: &str, forgettable: &impl Fn(&str) -> bool) {
        let stems = self.patterns.iter_mut();
        for (_, inside) in stems.filter(|(stem, _)| &***stem == folder || name::is_below(folder, stem)) {
            inside.retain(|labelled, _| !forgettable(labelled));
        }
    }
}
