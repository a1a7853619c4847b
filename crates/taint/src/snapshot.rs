//! Γ as the store keeps it: what concerns files belongs to the workspace, the rest to the session.

use std::collections::BTreeSet;

use portcullis_lattice::{Label, Reach};
use portcullis_perceive::Use;
use serde::{Deserialize, Serialize};

use crate::labels::Labels;
use crate::marks::Marks;
use crate::name;
use crate::origin::Origins;

/// Which part of Γ a snapshot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The labels of files, which outlive a session.
    Files,
    /// The labels of the context and of all that is no file.
    Session,
}

/// Why a snapshot is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It is the other part.
    #[error("the snapshot of the {found} was given where that of the {wanted} is needed")]
    OtherPart {
        /// What was needed.
        wanted: &'static str,
        /// What was given.
        found: &'static str,
    },
    /// A label is unknown, perhaps from a newer version. To leave it out would lose it.
    #[error("the label `{0}` is not known to this version")]
    UnknownLabel(String),
    /// An entry cannot have been written by this program.
    #[error("the entry of `{0}` does not belong here or has no sound origin")]
    Unsound(String),
}

/// A part of Γ, plain and without methods, to be kept in any format that serde knows. A version or field that is not
/// known is refused when it is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "version")]
pub enum Snapshot {
    /// The first form.
    #[serde(rename = "portcullis-taint-1")]
    First(Body),
}

/// What a snapshot of the first form holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    part: Part,
    context: Vec<Mark>,
    names: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    covers: Covers,
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Covers {
    Alone,
    Subtree,
    Lifted,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    label: String,
    origins: Origins,
}

impl Labels {
    /// One part of Γ. The two together are all of it, apart from the bound.
    pub fn snapshot(&self, part: Part) -> Snapshot {
        let context = match part {
            Part::Files => Vec::new(),
            Part::Session => written(&self.context),
        };
        let patterns = self.patterns.values().flatten();
        let entries = self.alone.iter().map(|entry| (Covers::Alone, entry));
        let covers = |key: &str| if self.lifted.contains(key) { Covers::Lifted } else { Covers::Subtree };
        let entries = entries.chain(self.whole.iter().map(|entry| (covers(entry.0), entry)));
        let entries = entries.chain(patterns.map(|entry| (Covers::Subtree, entry)));
        let names = entries
            .filter(|(_, (key, _))| name::is_file(key) == (part == Part::Files))
            .map(|(covers, (key, marks))| Entry { name: name::shown(key), covers, marks: written(marks) });
        Snapshot::First(Body { part, context, names: names.collect() })
    }

    /// Γ from its two parts, or an error and nothing. If it has more names than the bound, it is lifted.
    pub fn restore(bound: usize, files: &Snapshot, session: &Snapshot) -> Result<Labels, SnapshotError> {
        let mut labels = Labels::with_bound(bound);
        for (wanted, Snapshot::First(body)) in [(Part::Files, files), (Part::Session, session)] {
            if body.part != wanted {
                return Err(SnapshotError::OtherPart { wanted: wanted.word(), found: body.part.word() });
            }
            if !body.context.is_empty() {
                if wanted == Part::Files {
                    return Err(SnapshotError::Unsound(name::CONTEXT.to_owned()));
                }
                labels.attach(&Use::context(), &read(name::CONTEXT, &body.context)?);
            }
            for entry in &body.names {
                let is_here = name::is_file(&entry.name) == (wanted == Part::Files);
                if !is_here || entry.name == name::CONTEXT {
                    return Err(SnapshotError::Unsound(entry.name.clone()));
                }
                let marks = read(&entry.name, &entry.marks)?;
                match entry.covers {
                    Covers::Alone => labels.attach(&Use::new(entry.name.as_str(), Reach::One), &marks),
                    Covers::Subtree => labels.attach(&Use::new(entry.name.as_str(), Reach::Subtree), &marks),
                    Covers::Lifted => labels.attach_lifted(name::key(&entry.name), &marks),
                }
            }
        }
        labels.keep_to_bound();
        Ok(labels)
    }
}

impl Part {
    fn word(self) -> &'static str {
        match self {
            Part::Files => "files",
            Part::Session => "session",
        }
    }
}

fn written(marks: &Marks) -> Vec<Mark> {
    marks
        .iter()
        .map(|(label, origins)| Mark { label: label.name().to_owned(), origins: origins.clone() })
        .collect()
}

fn read(name: &str, marks: &[Mark]) -> Result<Marks, SnapshotError> {
    let unsound = || SnapshotError::Unsound(name.to_owned());
    let mut seen: BTreeSet<Label> = BTreeSet::new();
    let mut read = Marks::default();
    for mark in marks {
        let label =
            Label::from_name(&mark.label).ok_or_else(|| SnapshotError::UnknownLabel(mark.label.clone()))?;
        if !mark.origins.is_sound() || !seen.insert(label) {
            return Err(unsound());
        }
        read.join(&Marks::with(label, mark.origins.clone()));
    }
    if read.is_empty() { Err(unsound()) } else { Ok(read) }
}
