//! The facts that rules derived, for one predicate.

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::value::{Value, hash_all};

/// Below this a look at each row is faster than a hash.
const SMALL: usize = 8;

/// Rows, each once, and whether each is certain.
pub(super) struct Table<'a> {
    arity: usize,
    /// Whether all of it is derived.
    pub(super) is_done: bool,
    /// A few rows fit in place, for which nothing is allocated.
    values: SmallVec<[Value<'a>; 8]>,
    certain: SmallVec<[bool; 8]>,
    index: HashTable<usize>,
    /// Whether what is new is noted, for the next round.
    has_rounds: bool,
    /// Rows that are new since the last round, or have become certain.
    pub(super) fresh: Vec<usize>,
    /// The same for the round before.
    pub(super) delta: Vec<usize>,
}

/// What became of a row.
#[derive(PartialEq, Eq)]
pub(super) enum Inserted {
    New,
    /// It was there and is certain now.
    MoreCertain,
    Old,
}

impl<'a> Table<'a> {
    pub(super) fn new(arity: usize, has_rounds: bool) -> Table<'a> {
        Table {
            arity,
            has_rounds,
            is_done: false,
            values: SmallVec::new(),
            certain: SmallVec::new(),
            index: HashTable::new(),
            fresh: Vec::new(),
            delta: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.certain.len()
    }

    pub(super) fn row(&self, row: usize) -> Option<(&[Value<'a>], bool)> {
        let start = row * self.arity;
        Some((self.values.get(start..start + self.arity)?, *self.certain.get(row)?))
    }

    pub(super) fn insert(&mut self, values: &[Value<'a>], certain: bool) -> Inserted {
        let place = self.len();
        let (row, inserted) = match self.find(values) {
            Some(row) => match self.certain.get_mut(row) {
                Some(is_certain) if certain && !*is_certain => {
                    *is_certain = true;
                    (row, Inserted::MoreCertain)
                }
                _ => return Inserted::Old,
            },
            None => {
                self.values.extend_from_slice(values);
                self.certain.push(certain);
                (place, Inserted::New)
            }
        };
        if self.has_rounds {
            self.fresh.push(row);
        }
        if inserted == Inserted::New && self.len() > SMALL {
            self.index_from(if self.index.is_empty() { 0 } else { place });
        }
        inserted
    }

    fn find(&self, values: &[Value<'a>]) -> Option<usize> {
        let is_same = |row: &usize| self.row(*row).is_some_and(|(other, _)| other == values);
        if self.index.is_empty() {
            return (0..self.len()).find(is_same);
        }
        self.index.find(hash_all(values), is_same).copied()
    }

    fn index_from(&mut self, first: usize) {
        for row in first..self.len() {
            let Table { values, arity, index, .. } = self;
            let hash =
                |row: &usize| hash_all(values.get(row * *arity..(row + 1) * *arity).unwrap_or_default());
            index.insert_unique(hash(&row), row, hash);
        }
    }
}
