//! Labels with their origins, as they are attached to something or carried by an act.

use portcullis_lattice::{Label, Taint};

use crate::origin::{Origin, Origins};

/// Labels, each with where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks(Vec<(Label, Origins)>);

impl Marks {
    /// One label of one origin.
    pub fn only(label: Label, origin: Origin) -> Marks {
        Marks(vec![(label, Origins::only(origin))])
    }

    /// One label of several origins.
    pub(crate) fn with(label: Label, origins: Origins) -> Marks {
        Marks(vec![(label, origins)])
    }

    /// The labels without their origins.
    pub fn taint(&self) -> Taint {
        self.0.iter().map(|(label, _)| *label).collect()
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The labels in their order, each with its origins.
    pub fn iter(&self) -> impl Iterator<Item = (Label, &Origins)> {
        self.0.iter().map(|(label, origins)| (*label, origins))
    }

    /// Adds other labels and origins.
    pub fn join(&mut self, other: &Marks) {
        for (label, origins) in &other.0 {
            match self.0.binary_search_by_key(label, |(label, _)| *label) {
                Ok(at) => {
                    if let Some((_, own)) = self.0.get_mut(at) {
                        own.join(origins);
                    }
                }
                Err(at) => self.0.insert(at, (*label, origins.clone())),
            }
        }
    }

    /// The same labels, arrived elsewhere in this step.
    pub(crate) fn arriving(&self, step: u64) -> Marks {
        Marks(self.0.iter().map(|(label, origins)| (*label, origins.arriving(step))).collect())
    }
}

/// What an act carries: the labels that count in the decision, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Carried {
    /// The labels.
    pub taint: Taint,
    /// The labels again, each with its origins.
    pub marks: Marks,
}

impl Carried {
    /// The origins in words, the earliest first and none twice: `~/.aws/credentials, read in step 3`.
    pub fn words(&self, home: Option<&str>) -> Vec<String> {
        let mut origins: Vec<&Origin> = self.marks.iter().flat_map(|(_, origins)| origins.iter()).collect();
        origins.sort();
        let mut told: Vec<String> = origins.into_iter().map(|origin| origin.words(home)).collect();
        told.dedup();
        let more = self.marks.iter().map(|(_, origins)| origins.more()).max().unwrap_or(0);
        if more > 0 {
            told.push(format!("and at least {more} more"));
        }
        told
    }

    pub(crate) fn join(&mut self, marks: &Marks) {
        self.taint = self.taint.join(marks.taint());
        self.marks.join(marks);
    }
}
