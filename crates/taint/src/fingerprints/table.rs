//! Hashes, and where in which text they come from.

use hashbrown::HashMap;
use portcullis_lattice::Taint;

use super::Source;

/// A window that stands in more texts than this is told of the first ones, unless a later one brings a new label.
const MOST_SPOTS: usize = 4;
/// As many short secrets with the same beginning are told apart.
const MOST_ALIKE: usize = 8;

/// A piece of a remembered text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) source: u32,
    /// The number of its first character, white space not counted.
    pub(super) start: u32,
    pub(super) count: u32,
    /// Whether it stays when windows are thinned out.
    pub(super) is_pinned: bool,
}

impl Spot {
    pub(super) fn new(source: u32, start: u32, count: u32) -> Spot {
        Spot { source, start, count, is_pinned: false }
    }

    pub(super) fn pinned(self) -> Spot {
        Spot { is_pinned: true, ..self }
    }
}

/// A short secret, kept under the hash of its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Secret {
    pub(super) whole: u64,
    pub(super) length: usize,
    pub(super) spot: Spot,
}

type Hashes<T> = HashMap<u64, Vec<T>, foldhash::fast::FixedState>;

#[derive(Clone, Default)]
pub(super) struct Table {
    windows: Hashes<Spot>,
    secrets: Hashes<Secret>,
    length: usize,
}

impl Table {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) fn add_window(&mut self, hash: u64, spot: Spot, sources: &[Source]) {
        let spots = self.windows.entry(hash).or_default();
        let taint =
            |spot: &Spot| sources.get(spot.source as usize).map_or(Taint::EMPTY, |source| source.taint);
        let known = spots.iter().fold(Taint::EMPTY, |known, spot| known.join(taint(spot)));
        let is_full = spots.len() >= MOST_SPOTS && taint(&spot).is_subset(known);
        let same = spots.iter_mut().find(|kept| kept.source == spot.source && kept.start == spot.start);
        match same {
            Some(kept) => kept.is_pinned |= spot.is_pinned,
            None if is_full => {}
            None => {
                spots.push(spot);
                self.length += 1;
            }
        }
    }

    pub(super) fn add_secret(&mut self, prefix: u64, whole: u64, length: usize, spot: Spot) {
        let secrets = self.secrets.entry(prefix).or_default();
        let secret = Secret { whole, length, spot };
        if secrets.len() < MOST_ALIKE && !secrets.contains(&secret) {
            secrets.push(secret);
            self.length += 1;
        }
    }

    pub(super) fn windows(&self, hash: u64) -> &[Spot] {
        self.windows.get(&hash).map_or(&[], Vec::as_slice)
    }

    pub(super) fn secrets(&self, prefix: u64) -> &[Secret] {
        self.secrets.get(&prefix).map_or(&[], Vec::as_slice)
    }

    /// Forgets windows that do not begin at a multiple of the stride.
    pub(super) fn thin(&mut self, stride: u32) {
        self.windows.retain(|_, spots| {
            spots.retain(|spot| spot.is_pinned || spot.start.is_multiple_of(stride));
            !spots.is_empty()
        });
        let windows: usize = self.windows.values().map(Vec::len).sum();
        self.length = windows + self.secrets.values().map(Vec::len).sum::<usize>();
    }

    /// All windows by their hashes, in an order that does not depend on the table.
    pub(super) fn all_windows(&self) -> Vec<(u64, Spot)> {
        let mut windows: Vec<_> = flattened(&self.windows).collect();
        windows.sort_by_key(|(hash, spot)| (spot.source, spot.start, *hash));
        windows
    }

    /// All short secrets by the hashes of their beginnings, in such an order.
    pub(super) fn all_secrets(&self) -> Vec<(u64, Secret)> {
        let mut secrets: Vec<_> = flattened(&self.secrets).collect();
        secrets.sort_by_key(|(hash, secret)| (secret.spot, *hash, secret.length));
        secrets
    }
}

fn flattened<T: Copy>(hashes: &Hashes<T>) -> impl Iterator<Item = (u64, T)> {
    hashes.iter().flat_map(|(hash, kept)| kept.iter().map(|one| (*hash, *one)))
}
