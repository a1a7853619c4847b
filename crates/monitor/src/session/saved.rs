//! What of a session outlives a process, as the store keeps it.
//!
//! Several processes may carry one session on: each loads what the others saved before it decides. A part is saved in the
//! transaction that records the call which changed it.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_invariant::{History, SavedTrail};
use portcullis_perceive::Memory;
use portcullis_taint::{
    Fingerprints, FingerprintsError, FingerprintsSnapshot, Labels, MOST_NAMES, Part as LabelsPart, Snapshot,
    SnapshotError,
};
use serde::{Deserialize, Serialize};

use super::Session;

/// A part of a session's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The labels of files, which belong to the workspace and outlive the session.
    Files,
    /// The labels of all other things and of the context.
    Labels,
    /// The hashes of texts that are to be found again.
    Texts,
    /// What earlier calls have left for later ones: counts, the page shown, data that rules follow.
    Calls,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::Files, Part::Labels, Part::Texts, Part::Calls];

    /// What it is called in a store.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Files => "files",
            Part::Labels => "labels",
            Part::Texts => "texts",
            Part::Calls => "calls",
        }
    }
}

/// Why a saved part is not taken. Nothing of it is then in force, and no call may be decided without it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not written as this version writes it.
    #[error("the saved {part} of the session cannot be read: {error}")]
    Form {
        /// Which part.
        part: &'static str,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// Its labels are unsound.
    #[error("the saved labels of the session cannot be used: {0}")]
    Labels(#[from] SnapshotError),
    /// Its texts are unsound, or were hashed with another key.
    #[error("the saved texts of the session cannot be used: {0}")]
    Texts(#[from] FingerprintsError),
}

/// What earlier calls have left.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Calls {
    page: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pages: BTreeMap<String, String>,
    counts: History,
    trails: Vec<SavedTrail>,
}

/// Parts that changed since they were last saved or loaded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Unsaved(BTreeSet<Part>);

impl Unsaved {
    pub(super) fn add(&mut self, part: Part) {
        self.0.insert(part);
    }

    pub(super) fn add_labels(&mut self) {
        self.0.extend([Part::Files, Part::Labels]);
    }
}

impl Session<'_> {
    /// Writes the parts that changed since the last time, each as a text. Whoever cannot keep them must load the session
    /// anew, for what is written counts as saved.
    pub fn take_unsaved(&mut self) -> Vec<(Part, String)> {
        let parts = std::mem::take(&mut self.unsaved);
        parts.0.into_iter().map(|part| (part, self.write(part))).collect()
    }

    /// Whether something changed that was not saved.
    pub fn has_unsaved(&self) -> bool {
        !self.unsaved.0.is_empty()
    }

    fn write(&self, part: Part) -> String {
        let written = match part {
            Part::Files => serde_json::to_string(&self.labels.snapshot(LabelsPart::Files)),
            Part::Labels => serde_json::to_string(&self.labels.snapshot(LabelsPart::Session)),
            Part::Texts => serde_json::to_string(&self.fingerprints.snapshot()),
            Part::Calls => serde_json::to_string(&Calls {
                page: self.memory.page.clone(),
                pages: self.memory.pages.clone(),
                counts: self.invariants.counts().clone(),
                trails: self.invariants.saved_trails(),
            }),
        };
        // Maps with texts for keys, numbers and texts: there is nothing that cannot be written. An empty text would be
        // refused when it is loaded, so that nothing is lost unseen.
        written.unwrap_or_default()
    }

    /// Puts the session where the saved parts say it is, `step` being the number of the next call. A part that was never
    /// saved is as at the beginning. After an error the session is not to be used.
    pub fn load(&mut self, step: u64, saved: &dyn Fn(Part) -> Option<String>) -> Result<(), LoadError> {
        let labels = |part, kept| match saved(part) {
            Some(text) => read::<Snapshot>(part, &text),
            None => Ok(Labels::new().snapshot(kept)),
        };
        let files = labels(Part::Files, LabelsPart::Files)?;
        let rest = labels(Part::Labels, LabelsPart::Session)?;
        self.labels = Labels::restore(MOST_NAMES, &files, &rest)?;
        self.fingerprints = match saved(Part::Texts) {
            Some(text) => {
                let (key, limits) = (self.fingerprints.key(), self.fingerprints.limits());
                Fingerprints::restore(key, limits, &read::<FingerprintsSnapshot>(Part::Texts, &text)?)?
            }
            None => Fingerprints::new(self.fingerprints.key(), self.fingerprints.limits()),
        };
        let calls = match saved(Part::Calls) {
            Some(text) => read::<Calls>(Part::Calls, &text)?,
            None => {
                Calls { page: None, pages: BTreeMap::new(), counts: History::default(), trails: Vec::new() }
            }
        };
        self.memory = Memory { page: calls.page, pages: calls.pages };
        self.invariants.load(calls.counts, calls.trails)?;
        self.step = step.max(1);
        self.unsaved = Unsaved::default();
        self.approved.clear();
        self.version += 1;
        Ok(())
    }
}

fn read<'t, T: Deserialize<'t>>(part: Part, text: &'t str) -> Result<T, LoadError> {
    serde_json::from_str(text).map_err(|error| LoadError::Form { part: part.name(), error })
}
