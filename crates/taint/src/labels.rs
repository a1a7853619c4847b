//! Γ: which names carry labels, and the context.
//!
//! Names that are labelled alone and names that are labelled with all below them are kept apart. The second kind is
//! rare and small, and it is the one that every lookup has to ask about each folder above a name.

mod deletion;
mod lifting;
mod lookup;

use std::collections::{BTreeMap, BTreeSet};

use portcullis_lattice::{Effect, Effects, Label, Reach, Taint};
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Use};

use crate::evidence::Evidence;
use crate::marks::{Carried, Marks};
use crate::name;
use crate::origin::{Cause, Origin};
use crate::pattern;

/// How many names are labelled at most, where nobody says otherwise.
pub const MOST_NAMES: usize = 10_000;
/// Fewer would leave no room for all files and everything else, each with a label of its own.
const FEWEST_NAMES: usize = 4;
/// A name longer than this is labelled by what contains it.
const LONGEST_NAME: usize = 1024;
/// Patterns in one folder are tried one by one; more than these are lifted to the folder.
const MOST_PATTERNS: usize = 16;

/// Effects with which data arrives at an output.
const DELIVERS: Effects =
    Effects::only(Effect::Read).with(Effect::Write).with(Effect::Exec).with(Effect::Spawn);
/// Effects whose doings are not seen.
const RUNS: Effects = Effects::only(Effect::Exec).with(Effect::Spawn);

/// The labels of all resources and of the context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    pub(crate) context: Marks,
    /// Names labelled alone.
    pub(crate) alone: BTreeMap<Box<str>, Marks>,
    /// Names labelled with everything below them.
    pub(crate) whole: BTreeMap<Box<str>, Marks>,
    /// Names with wildcards labelled with everything they mean, by the folder that bounds them.
    pub(crate) patterns: BTreeMap<Box<str>, BTreeMap<Box<str>, Marks>>,
    /// Those of `whole` that came by lifting. What all was lifted there is no longer known, a sensitive place perhaps, so
    /// no deletion lets them be forgotten.
    pub(crate) lifted: BTreeSet<Box<str>>,
    bound: usize,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels::new()
    }
}

impl Labels {
    /// No labels, with room for [`MOST_NAMES`].
    pub fn new() -> Labels {
        Labels::with_bound(MOST_NAMES)
    }

    /// No labels, with room for so many names. Over it labels are lifted to what contains them, never dropped.
    pub fn with_bound(names: usize) -> Labels {
        Labels {
            context: Marks::default(),
            alone: BTreeMap::new(),
            whole: BTreeMap::new(),
            patterns: BTreeMap::new(),
            lifted: BTreeSet::new(),
            bound: names.max(FEWEST_NAMES),
        }
    }

    /// How many names are labelled.
    pub fn count(&self) -> usize {
        self.alone.len() + self.whole.len() + self.patterns.values().map(BTreeMap::len).sum::<usize>()
    }

    /// The labels of the context.
    pub fn context(&self) -> &Marks {
        &self.context
    }

    /// What an act carries in this step: the labels of its sources; `secret` where a source holds secrets by its name or
    /// the arguments hold a credential; and the labels of every text that was found again, wherever it came from.
    pub fn carried(&self, step: u64, act: &Act, places: &Places, evidence: &Evidence<'_>) -> Carried {
        let mut carried = Carried::default();
        let mut written_by_agent = act.payload && act.deed.outputs.iter().any(|output| !is_context(output));
        for input in &act.deed.inputs {
            if is_context(input) {
                written_by_agent = true;
                continue;
            }
            if places.holds_secrets(input) {
                carried.join(&secret(Origin::new(step, sensitive_part(input), Cause::Place)));
            }
            self.look_up(input, &mut |marks| carried.join(marks));
        }
        if written_by_agent {
            carried.join(&self.context);
            for format in evidence.credentials {
                carried.join(&secret(Origin::new(step, name::CONTEXT, Cause::Argument((*format).into()))));
            }
        }
        for found in evidence.matches {
            let origin = Origin { arrived: step, ..Origin::new(found.step, &found.name, Cause::Content) };
            for label in found.taint.iter() {
                carried.join(&Marks::only(label, origin.clone()));
            }
        }
        carried
    }

    /// The labels that are attached to a use, without regard to what its name says.
    pub fn attached(&self, used: &Use) -> Carried {
        let mut carried = Carried::default();
        match is_context(used) {
            true => carried.join(&self.context),
            false => self.look_up(used, &mut |marks| carried.join(marks)),
        }
        carried
    }

    /// Whether nothing has a label, the context neither.
    pub fn is_empty(&self) -> bool {
        self.context.is_empty() && self.alone.is_empty() && self.whole.is_empty() && self.patterns.is_empty()
    }

    /// What an act carries of data from certain places: the labels of its sources, and a new one where a source is such a
    /// place. For rules that follow data wherever it goes, each with labels of its own.
    pub fn followed(&self, step: u64, act: &Act, is_source: &dyn Fn(&Use) -> bool) -> Carried {
        let mut carried = Carried::default();
        let mut written_by_agent = act.payload && act.deed.outputs.iter().any(|output| !is_context(output));
        for input in &act.deed.inputs {
            if is_context(input) {
                written_by_agent = true;
                continue;
            }
            if is_source(input) {
                carried.join(&secret(Origin::new(step, sensitive_part(input), Cause::Place)));
            }
            self.look_up(input, &mut |marks| carried.join(marks));
        }
        if written_by_agent {
            carried.join(&self.context);
        }
        carried
    }

    /// Every output gains what the act carries, once it is made. Code that is run adds nothing by itself.
    /// Says whether there was something to gain.
    pub fn follow(&mut self, step: u64, act: &Act, carried: &Carried) -> bool {
        if carried.marks.is_empty() || !act.deed.effects.overlaps(DELIVERS) {
            return false;
        }
        for output in &act.deed.outputs {
            self.attach(output, &carried.marks.arriving(step));
        }
        true
    }

    /// What a Permit adds, in the moment it is made: every output gains what the act carries, and what code was run
    /// for is `secret` from then on. The second concerns the output's name alone: installing a package into a folder
    /// does not label every file in it. Says whether there was something to add.
    pub fn permit(&mut self, step: u64, act: &Act, carried: &Carried) -> bool {
        let effects = act.deed.effects;
        let (delivers, runs) =
            (effects.overlaps(DELIVERS) && !carried.marks.is_empty(), effects.overlaps(RUNS));
        for output in &act.deed.outputs {
            if delivers {
                self.attach(output, &carried.marks.arriving(step));
            }
            if runs {
                let from = act.deed.inputs.first().map_or(name::CONTEXT, |input| &input.name);
                let ran = secret(Origin::new(step, from, Cause::Ran));
                self.attach(&Use { reach: Reach::One, ..output.clone() }, &ran);
            }
        }
        delivers || runs
    }

    /// What the result of a permitted act adds if it holds credentials of these formats: the context that got it is
    /// secret, and so is the source if it was a single thing.
    pub fn found_in_result(&mut self, step: u64, act: &Act, formats: &[&str]) {
        let named: Vec<&Use> = act.deed.inputs.iter().filter(|input| !is_context(input)).collect();
        let from = named.first().map_or(name::CONTEXT, |input| &input.name).to_owned();
        for format in formats {
            let marks = secret(Origin::new(step, &from, Cause::Result((*format).into())));
            self.context.join(&marks);
            if let [single] = named.as_slice()
                && single.reach == Reach::One
            {
                self.attach(single, &marks);
            }
        }
    }

    /// Attaches labels to a use, with all below it if it reaches so far.
    pub(crate) fn attach(&mut self, used: &Use, marks: &Marks) {
        if is_context(used) {
            self.context.join(marks);
            return;
        }
        let (key, stem) = pattern::parts(used);
        match stem {
            _ if key.len() > LONGEST_NAME => {
                let mut holder = pattern::holder(key);
                while let Some(above) = name::parent(holder).filter(|_| holder.len() > LONGEST_NAME) {
                    holder = above;
                }
                self.attach_lifted(holder, marks);
            }
            _ if used.reach != Reach::Subtree => self.alone.entry(key.into()).or_default().join(marks),
            None => self.attach_whole(key, marks),
            Some(stem) => self.attach_pattern(stem, key, marks),
        }
        self.keep_to_bound();
    }

    pub(crate) fn keep_to_bound(&mut self) {
        if self.count() > self.bound {
            self.lift();
        }
    }

    fn attach_whole(&mut self, key: &str, marks: &Marks) {
        self.whole.entry(key.into()).or_default().join(marks);
    }

    /// Labels of things inside, kept by what contains them.
    pub(crate) fn attach_lifted(&mut self, key: &str, marks: &Marks) {
        self.lifted.insert(key.into());
        self.attach_whole(key, marks);
    }

    fn attach_pattern(&mut self, stem: &str, key: &str, marks: &Marks) {
        let inside = self.patterns.entry(stem.into()).or_default();
        inside.entry(key.into()).or_default().join(marks);
        if inside.len() > MOST_PATTERNS
            && let Some(inside) = self.patterns.remove(stem)
        {
            inside.values().for_each(|marks| self.attach_lifted(stem, marks));
        }
    }

    /// Every label there is, for a quick answer that nothing is tainted.
    pub fn taint(&self) -> Taint {
        let names = self.alone.values().chain(self.whole.values());
        let patterns = self.patterns.values().flat_map(BTreeMap::values);
        names.chain(patterns).fold(self.context.taint(), |taint, marks| taint.join(marks.taint()))
    }
}

fn secret(origin: Origin) -> Marks {
    Marks::only(Label::Secret, origin)
}

pub(crate) fn is_context(used: &Use) -> bool {
    used.name == name::CONTEXT
}

/// What to tell of a sensitive use: the one thing in it that is known, else its name.
fn sensitive_part(used: &Use) -> &str {
    match used.details.as_slice() {
        [detail] => detail,
        _ => &used.name,
    }
}
