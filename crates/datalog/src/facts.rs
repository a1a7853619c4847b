//! The facts of one call.

use crate::limits::MOST_FACTS;
use crate::schema::{PredicateId, Schema};
use crate::value::{Kind, Value};

/// So many facts are made room for at once.
const USUAL_FACTS: usize = 64;
/// Where a chain ends.
const NOWHERE: u32 = u32::MAX;

/// What the host says about one call. A call has a handful of facts of each predicate, so all lie behind one another
/// in one place, and those of a predicate are chained.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    chains: Vec<Chain>,
    rows: Vec<Row>,
    values: Vec<Value<'a>>,
    /// Which of the first 64 predicates have facts or are unknown, a bit each.
    present: u64,
}

/// The facts of one predicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    first: u32,
    last: u32,
    arity: u8,
    /// The columns that hold numbers, a bit each.
    numbers: u16,
    is_unknown: bool,
}

impl Chain {
    /// Of a predicate with these columns that nothing is known of.
    pub(crate) fn new(columns: &[Kind]) -> Chain {
        Chain {
            first: NOWHERE,
            last: NOWHERE,
            arity: u8::try_from(columns.len()).unwrap_or(u8::MAX),
            numbers: bits(columns.iter().map(|kind| *kind == Kind::Number)),
            is_unknown: false,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Row {
    values: u32,
    next: u32,
}

/// Why a fact was not taken. Its predicate is unknown from then on, so that a lost fact never permits anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactError {
    /// It is not of the schema.
    #[error("there is no such predicate")]
    Predicate,
    /// It has more or fewer values than columns.
    #[error("a fact has a value for each column")]
    Arity,
    /// A text in a column of numbers, or the other way.
    #[error("a value is not of its column's kind")]
    Kind,
    /// There are too many.
    #[error("a call has at most {MOST_FACTS} facts")]
    TooMany,
}

impl<'a> Facts<'a> {
    /// None yet.
    pub fn new(schema: &Schema) -> Facts<'a> {
        let chains = schema.chains().to_vec();
        // Room for the facts of a usual call.
        let (rows, values) = (Vec::with_capacity(USUAL_FACTS), Vec::with_capacity(2 * USUAL_FACTS));
        Facts { present: beyond(chains.len()), chains, rows, values }
    }

    /// The host knows this.
    pub fn add(&mut self, predicate: PredicateId, values: &[Value<'a>]) -> Result<(), FactError> {
        let added = self.try_add(predicate, values);
        if added.is_err() {
            self.unknown(predicate);
        }
        added
    }

    fn try_add(&mut self, predicate: PredicateId, values: &[Value<'a>]) -> Result<(), FactError> {
        let chain = self.chains.get_mut(usize::from(predicate.0)).ok_or(FactError::Predicate)?;
        if values.len() != usize::from(chain.arity) {
            return Err(FactError::Arity);
        }
        for (column, value) in values.iter().enumerate() {
            let is_number = chain.numbers & (1 << column) != 0;
            match value {
                Value::Text(_) if is_number => return Err(FactError::Kind),
                Value::Number(_) if !is_number => return Err(FactError::Kind),
                Value::Text(_) | Value::Number(_) | Value::Unknown => {}
            }
        }
        if self.rows.len() >= MOST_FACTS {
            return Err(FactError::TooMany);
        }
        let number = |length: usize| u32::try_from(length).map_err(|_| FactError::TooMany);
        let (row, start) = (number(self.rows.len())?, number(self.values.len())?);
        match self.rows.get_mut(chain.last as usize) {
            Some(last) => last.next = row,
            None => chain.first = row,
        }
        chain.last = row;
        self.rows.push(Row { values: start, next: NOWHERE });
        self.values.extend_from_slice(values);
        self.present |= bit(predicate);
        Ok(())
    }

    /// The host could not find out all that there is of this predicate: anything may hold of it, and nothing.
    pub fn unknown(&mut self, predicate: PredicateId) {
        if let Some(chain) = self.chains.get_mut(usize::from(predicate.0)) {
            chain.is_unknown = true;
            self.present |= bit(predicate);
        }
    }

    /// Empties it for the next call, whose texts live elsewhere, and keeps the memory.
    #[must_use]
    pub fn recycle<'b>(mut self) -> Facts<'b> {
        for chain in &mut self.chains {
            *chain = Chain { first: NOWHERE, last: NOWHERE, is_unknown: false, ..*chain };
        }
        self.rows.clear();
        self.values.clear();
        // Collecting from an emptied vector of the same layout takes over its memory.
        let values = self.values.into_iter().map(|_| Value::Unknown).collect();
        Facts { present: beyond(self.chains.len()), chains: self.chains, rows: self.rows, values }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing is known; unknown predicates are something too.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.chains.iter().all(|chain| !chain.is_unknown)
    }

    /// Whether anything may hold of a predicate. One that these facts never heard of is such.
    pub(crate) fn is_unknown(&self, predicate: PredicateId) -> bool {
        self.chains.get(usize::from(predicate.0)).is_none_or(|chain| chain.is_unknown)
    }

    pub(crate) fn present(&self) -> u64 {
        self.present
    }

    /// The first fact of a predicate.
    pub(crate) fn first(&self, predicate: PredicateId) -> u32 {
        self.chains.get(usize::from(predicate.0)).map_or(NOWHERE, |chain| chain.first)
    }

    /// The values of a fact, its first so many, and the next fact of its predicate; nothing behind the last.
    pub(crate) fn row(&self, row: u32, arity: usize) -> Option<(&[Value<'a>], u32)> {
        let row = self.rows.get(row as usize)?;
        let start = row.values as usize;
        Some((self.values.get(start..start + arity)?, row.next))
    }
}

fn bits(set: impl Iterator<Item = bool>) -> u16 {
    set.enumerate().fold(0, |bits, (place, is_set)| bits | (u16::from(is_set) << place))
}

/// The bits of predicates that a schema does not have. A program may have been made for a larger one, and nothing is
/// known of those.
fn beyond(count: usize) -> u64 {
    u32::try_from(count).ok().and_then(|count| u64::MAX.checked_shl(count)).unwrap_or(0)
}

/// The bit of a predicate in [`Facts::present`]; none for the 65th and later ones.
pub(crate) fn bit(predicate: PredicateId) -> u64 {
    1_u64.checked_shl(u32::from(predicate.0)).unwrap_or(0)
}
