//! The facts that rules derived, for one predicate.

use hashbrown::HashTable;

use crate::value::{Value, hash_all};

/// Below this a look at each row is faster than a hash.
const SMALL: usize = 8;

/// Rows, each once, and whether each is certain.
pub(super) struct Table<'a> {
    arity: usize,
    values: Vec<Value<'a>>,
    certain: Vec<bool>,
    index: HashTable<usize>,
    /// Rows that are new since the last round, or have become certain, while rounds are counted.
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
    pub(super) fn new(arity: usize) -> Table<'a> {
        Table {
            arity,
            values: Vec::new(),
            certain: Vec::new(),
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
        let inserted = match self.find(values) {
            Some(row) => match self.certain.get_mut(row) {
                Some(is_certain) if certain && !*is_certain => {
                    *is_certain = true;
                    self.fresh.push(row);
                    Inserted::MoreCertain
                }
                _ => Inserted::Old,
            },
            None => {
                self.values.extend_from_slice(values);
                self.certain.push(certain);
                self.fresh.push(place);
                Inserted::New
            }
        };
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
