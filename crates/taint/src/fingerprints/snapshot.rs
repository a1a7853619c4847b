//! Fingerprints as the store keeps them: hashes and where they came from, no text and no key.

use std::sync::Arc;

use hashbrown::HashSet;
use portcullis_lattice::{Label, Taint};
use serde::{Deserialize, Serialize};

use super::sieve::Sieve;
use super::table::{Spot, Table};
use super::{Fingerprints, Key, Limits, SHORTEST, Source, WINDOW};

/// A text that is hashed to see whether a key is the same.
const KEY_CHECK: &[u8] = b"portcullis fingerprints";

/// Why a snapshot is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FingerprintsError {
    /// It was made with another key: nothing in it could ever be found.
    #[error("the fingerprints were made with another key")]
    OtherKey,
    /// A label is unknown, perhaps from a newer version.
    #[error("the label `{0}` is not known to this version")]
    UnknownLabel(String),
    /// An entry cannot have been written by this program.
    #[error("the fingerprints are damaged: {0}")]
    Damaged(&'static str),
}

/// All that is remembered, to be kept in any format that serde knows. A version or field that is not known is refused
/// when it is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "version")]
pub enum FingerprintsSnapshot {
    /// The first form.
    #[serde(rename = "portcullis-fingerprints-1")]
    First(Body),
}

/// What a snapshot of the first form holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    key_check: u64,
    stride: u32,
    left_out: u64,
    sources: Vec<Text>,
    windows: Vec<Window>,
    secrets: Vec<Short>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    step: u64,
    name: Arc<str>,
    labels: Vec<String>,
    whole: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    hash: u64,
    source: u32,
    start: u32,
    count: u32,
    pinned: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Short {
    prefix: u64,
    whole: u64,
    length: usize,
    source: u32,
    start: u32,
    count: u32,
}

impl Fingerprints {
    /// All that is remembered.
    pub fn snapshot(&self) -> FingerprintsSnapshot {
        let text = |source: &Source| Text {
            step: source.step,
            name: source.name.clone(),
            labels: source.taint.iter().map(|label| label.name().to_owned()).collect(),
            whole: source.whole,
        };
        let window = |(hash, spot): (u64, Spot)| {
            let Spot { source, start, count, is_pinned: pinned } = spot;
            Window { hash, source, start, count, pinned }
        };
        FingerprintsSnapshot::First(Body {
            key_check: self.hash(KEY_CHECK),
            stride: self.stride,
            left_out: self.left_out,
            sources: self.sources.iter().map(text).collect(),
            windows: self.table.all_windows().into_iter().map(window).collect(),
            secrets: self
                .table
                .all_secrets()
                .into_iter()
                .map(|(prefix, secret)| Short {
                    prefix,
                    whole: secret.whole,
                    length: secret.length,
                    source: secret.spot.source,
                    start: secret.spot.start,
                    count: secret.spot.count,
                })
                .collect(),
        })
    }

    /// What was remembered, or an error and nothing. A search is slower afterwards, for the table that lets most
    /// positions be passed over is never kept.
    pub fn restore(
        key: Key,
        limits: Limits,
        snapshot: &FingerprintsSnapshot,
    ) -> Result<Fingerprints, FingerprintsError> {
        let FingerprintsSnapshot::First(body) = snapshot;
        let mut restored = Fingerprints::new(key, limits);
        if restored.hash(KEY_CHECK) != body.key_check {
            return Err(FingerprintsError::OtherKey);
        }
        if !body.stride.is_power_of_two() {
            return Err(FingerprintsError::Damaged("the stride is no power of two"));
        }
        restored.sources = body.sources.iter().map(Text::source).collect::<Result<Vec<_>, _>>()?;
        restored.table = table(body, &restored.sources)?;
        (restored.stride, restored.left_out) = (body.stride, body.left_out);
        (restored.beginnings, restored.whole_windows) = (Sieve::open(key), Sieve::open(key));
        restored.thin();
        Ok(restored)
    }
}

fn table(body: &Body, sources: &[Source]) -> Result<Table, FingerprintsError> {
    let known: HashSet<u32, foldhash::fast::FixedState> =
        (0..sources.len()).filter_map(|number| u32::try_from(number).ok()).collect();
    let check = |source: u32, start: u32, count: u32| {
        let is_sound = known.contains(&source) && start.checked_add(count).is_some();
        if is_sound { Ok(()) } else { Err(FingerprintsError::Damaged("a hash belongs to no text")) }
    };
    let mut table = Table::default();
    for Window { hash, source, start, count, pinned } in &body.windows {
        check(*source, *start, *count)?;
        let spot = Spot::new(*source, *start, *count);
        table.add_window(*hash, if *pinned { spot.pinned() } else { spot }, sources);
    }
    for Short { prefix, whole, length, source, start, count } in &body.secrets {
        check(*source, *start, *count)?;
        if !(SHORTEST..WINDOW).contains(length) {
            return Err(FingerprintsError::Damaged("a short secret is too short or too long"));
        }
        table.add_secret(*prefix, *whole, *length, Spot::new(*source, *start, *count).pinned());
    }
    Ok(table)
}

impl Text {
    fn source(&self) -> Result<Source, FingerprintsError> {
        let label = |name: &String| {
            Label::from_name(name).ok_or_else(|| FingerprintsError::UnknownLabel(name.clone()))
        };
        let taint: Taint =
            self.labels.iter().map(label).collect::<Result<Vec<_>, _>>()?.into_iter().collect();
        Ok(Source { step: self.step, name: self.name.clone(), taint, whole: self.whole })
    }
}
