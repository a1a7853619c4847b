//! Rules indexed by their locations, so that a decision looks at the few that matter.
//!
//! Each side has its distinct scopes, numbered with the narrower first, and a trie that finds those around a
//! resource. A rule stands in one *cell* for each pair of its scopes; cells are looked up by the pair of numbers.

use alloc::vec::Vec;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use jiff::Timestamp;

use crate::flags::{Effects, Taint};
use crate::rule::{Lifetime, Rule};
use crate::scope::Scope;
use crate::topology::Topology;

mod places;
mod trie;

pub(crate) use places::{Matches, Places, ScopeId};

/// Where an entry stands in the list that the index was built from.
pub(crate) type Position = u32;

/// One rule at one pair of its scopes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) position: Position,
    pub(crate) effects: Effects,
    pub(crate) taint: Taint,
    pub(crate) endurance: Endurance,
}

/// How a rule ends, as far as a decision needs to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Endurance {
    /// By being used.
    Single,
    /// At a time, if at all.
    Lasting(Option<Timestamp>),
}

impl Cell {
    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        !matches!(self.endurance, Endurance::Lasting(Some(end)) if end <= now)
    }
}

/// Rules of one action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) inputs: Places,
    pub(crate) outputs: Places,
    /// Where the cells of a pair of scopes begin and end in `cells`.
    ranges: HashMap<u64, (u32, u32), FixedState>,
    cells: Vec<Cell>,
}

impl Index {
    pub(crate) fn build<'r>(
        rules: impl Iterator<Item = (Position, &'r Rule)> + Clone,
        topology: &Topology,
    ) -> Index {
        let inputs = Places::build(
            rules.clone().map(|(_, rule)| (&rule.boundary.inputs, rule.boundary.effects)),
            topology,
        );
        let outputs = Places::build(
            rules.clone().map(|(_, rule)| (&rule.boundary.outputs, rule.boundary.effects)),
            topology,
        );
        let mut placed: Vec<(u64, Cell)> = Vec::new();
        for (position, rule) in rules {
            let cell = Cell {
                position,
                effects: rule.boundary.effects,
                taint: rule.boundary.taint,
                endurance: match rule.lifetime {
                    Lifetime::Once => Endurance::Single,
                    Lifetime::Until(end) => Endurance::Lasting(Some(end)),
                    Lifetime::Session(_) | Lifetime::Always => Endurance::Lasting(None),
                },
            };
            for input in numbers(&inputs, &rule.boundary.inputs) {
                placed.extend(
                    numbers(&outputs, &rule.boundary.outputs).map(|output| (pair(input, output), cell)),
                );
            }
        }
        placed.sort_by_key(|(pair, cell)| (*pair, cell.position));
        // A rule can name one place in two ways.
        placed.dedup_by_key(|(pair, cell)| (*pair, cell.position));
        let mut index =
            Index { inputs, outputs, ranges: HashMap::default(), cells: Vec::with_capacity(placed.len()) };
        for (pair, cell) in placed {
            let end = index.cells.len() as u32;
            let range = index.ranges.entry(pair).or_insert((end, end));
            index.cells.push(cell);
            range.1 = end + 1;
        }
        index
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// All rules at all their places.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter()
    }

    /// The rules that stand at this pair of scopes.
    pub(crate) fn at(&self, input: ScopeId, output: ScopeId) -> &[Cell] {
        let (start, end) = self.ranges.get(&pair(input, output)).copied().unwrap_or_default();
        self.cells.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The rules at all pairs of these scopes, the narrowest first.
    pub(crate) fn around<'i>(
        &'i self,
        inputs: &'i [ScopeId],
        outputs: &'i [ScopeId],
    ) -> impl Iterator<Item = (ScopeId, ScopeId, &'i Cell)> {
        inputs.iter().flat_map(move |&input| {
            outputs
                .iter()
                .flat_map(move |&output| self.at(input, output).iter().map(move |cell| (input, output, cell)))
        })
    }
}

fn pair(input: ScopeId, output: ScopeId) -> u64 {
    u64::from(input) << 32 | u64::from(output)
}

fn numbers<'p>(places: &'p Places, scopes: &'p [Scope]) -> impl Iterator<Item = ScopeId> {
    scopes.iter().filter_map(|scope| places.number(scope))
}
