//! How two definitions of a tool differ: not that a hash is another, but what was changed and what that means.

mod annotations;
mod class;
mod schema;
mod sink;
mod spelling;
mod values;
mod words;

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use class::Class;
pub(crate) use sink::name_words;
pub(crate) use spelling::distance;
pub use words::{Run, marked, words};

use crate::definition::{Definition, Part};
use crate::suspicion::{Around, Cue, Finding, LONGEST_PROSE, Weight, of_definition, outward, visible};

/// How many changes are told one by one.
const MOST_CHANGES: usize = 500;

/// Something that is other than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What it is, which also says how much it weighs.
    pub class: Class,
    /// The JSON pointer of what was changed.
    pub pointer: String,
    /// What was there, if anything was: a text as it is, all else as JSON.
    pub old: Option<String>,
    /// What is there now, if anything is.
    pub new: Option<String>,
}

/// All that is other than before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    /// The changes, the heaviest first.
    pub changes: Vec<Change>,
}

/// How a tool differs from what was approved. Empty only if the two have the same canonical form.
pub fn compare(approved: &Definition, current: &Definition) -> Difference {
    compare_among(approved, current, &Around::default())
}

/// The same, where it is known which other tools there are.
pub fn compare_among(approved: &Definition, current: &Definition, around: &Around) -> Difference {
    match approved.content() == current.content() {
        true => Difference::default(),
        false => compare_with(approved, current, around, of_definition(current, around)),
    }
}

/// The same, with what was found in the current one.
pub(crate) fn compare_with(
    approved: &Definition,
    current: &Definition,
    around: &Around,
    findings: Vec<Finding>,
) -> Difference {
    if approved.content() == current.content() {
        return Difference::default();
    }
    let mut changes = Changes::default();
    let parts: BTreeSet<Part> = approved.parts().into_iter().chain(current.parts()).collect();
    for part in parts {
        let (old, new) = (approved.part(&part), current.part(&part));
        if old != new {
            compare_part(&part, old, new, &mut changes);
        }
    }
    new_findings(approved, findings, around, &mut changes);
    if changes.list.is_empty() {
        // Every part was gone through, so this cannot be; if it is, nobody can say what it means.
        let (old, new) = (approved.canonical(), current.canonical());
        changes.add(Class::Unexplained, "", Some(old.to_owned()), Some(new.to_owned()));
    }
    changes.finish()
}

fn compare_part(part: &Part, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let pointer = crate::definition::pointer_to("", part.key());
    match part {
        Part::Name => changes.add_values(Class::Name, &pointer, old, new),
        Part::Title | Part::Description => values::text(&pointer, old, new, changes),
        Part::InputSchema => schema::compare(&pointer, old, new, schema::Side::Input, changes),
        Part::OutputSchema => schema::compare(&pointer, old, new, schema::Side::Output, changes),
        Part::Annotations => annotations::compare(&pointer, old, new, changes),
        Part::Execution => values::compare(Class::Execution, &pointer, old, new, changes),
        Part::Icons => values::compare(Class::Icons, &pointer, old, new, changes),
        Part::Meta => values::compare(Class::Metadata, &pointer, old, new, changes),
        Part::Unknown(_) => values::compare(Class::UnknownField, &pointer, old, new, changes),
    }
}

/// What is suspicious now and was not before, wherever it stands.
fn new_findings(approved: &Definition, findings: Vec<Finding>, around: &Around, changes: &mut Changes) {
    if findings.is_empty() {
        return;
    }
    let key = |finding: &Finding| (finding.cue, finding.words.clone());
    let known: BTreeSet<_> = of_definition(approved, around).iter().map(key).collect();
    for finding in findings {
        if !known.contains(&key(&finding)) {
            changes.add(class_of(finding.cue), &finding.pointer, None, Some(finding.words));
        }
    }
}

fn class_of(cue: Cue) -> Class {
    match (cue, cue.weight()) {
        (Cue::Icon, _) => Class::NewSink,
        (_, Weight::Dangerous) if cue.is_hidden() => Class::HiddenText,
        (_, Weight::Dangerous) => Class::Instruction,
        (_, Weight::Cosmetic | Weight::Glance) if cue.is_hidden() => Class::OddCharacters,
        (_, Weight::Cosmetic | Weight::Glance) => Class::Steering,
    }
}

impl Difference {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The weight of the heaviest change, if there is any.
    pub fn weight(&self) -> Option<Weight> {
        self.changes.iter().map(|change| change.class.weight()).max()
    }

    /// The classes of the changes.
    pub fn classes(&self) -> BTreeSet<Class> {
        self.changes.iter().map(|change| change.class).collect()
    }
}

/// A line or two for each change, without marks: what it is, where, what it was and what it is.
impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for change in &self.changes {
            writeln!(formatter, "{change}")?;
        }
        Ok(())
    }
}

impl Change {
    /// The texts word by word, for whoever shows them.
    pub fn runs(&self) -> Vec<Run> {
        words(self.old.as_deref().unwrap_or_default(), self.new.as_deref().unwrap_or_default())
    }

    /// In one line, with `[-old-]` and `{+new+}` around the words that changed.
    pub fn marked(&self) -> String {
        let place = visible(&self.pointer);
        format!("{} ({}) at `{place}`: {}", self.class.words(), self.class.weight(), marked(&self.runs()))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, weight, place) = (self.class.words(), self.class.weight(), visible(&self.pointer));
        write!(formatter, "{class} ({weight}) at `{place}`: ")?;
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(formatter, "was `{}`, is `{}`", visible(old), visible(new)),
            (Some(old), None) => write!(formatter, "was `{}`, is gone", visible(old)),
            (None, Some(new)) => write!(formatter, "is new: `{}`", visible(new)),
            (None, None) => formatter.write_str("changed"),
        }
    }
}

/// The changes found so far.
#[derive(Default)]
struct Changes {
    list: Vec<Change>,
    too_many: bool,
}

impl Changes {
    fn add(&mut self, class: Class, pointer: &str, old: Option<String>, new: Option<String>) {
        match self.list.len() < MOST_CHANGES {
            true => self.list.push(Change { class, pointer: pointer.to_owned(), old, new }),
            false => self.too_many = true,
        }
    }

    fn add_values(&mut self, class: Class, pointer: &str, old: Option<&Value>, new: Option<&Value>) {
        self.add(class, pointer, old.map(shown), new.map(shown));
    }

    /// A text that says for the first time where something is sent.
    fn destinations(&mut self, pointer: &str, old: &str, new: &str) {
        let mut added = outward(cut(new));
        if !added.is_empty() {
            let known = outward(cut(old));
            added.retain(|place| !known.contains(place));
        }
        if !added.is_empty() {
            let added: Vec<String> = added.into_iter().collect();
            self.add(Class::NewSink, pointer, None, Some(added.join(" ")));
        }
    }

    fn finish(mut self) -> Difference {
        if self.too_many {
            let rest = format!("more than {MOST_CHANGES} changes");
            self.list.push(Change {
                class: Class::Unexplained,
                pointer: String::new(),
                old: None,
                new: Some(rest),
            });
        }
        self.list.sort_by_key(|change| std::cmp::Reverse(change.class.weight()));
        Difference { changes: self.list }
    }
}

/// What is looked at of a text; if it is longer, that alone is dangerous.
fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST_PROSE)).unwrap_or_default()
}

/// A text as it is, all else as JSON.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
