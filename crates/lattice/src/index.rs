//! Rules indexed by their locations, so that a decision looks at the few that matter.
//!
//! Each side has its distinct scopes, numbered with the narrower first, and a trie that finds those around a
//! resource. A rule stands in one *cell* for each pair of its scopes. Cells are sorted by the two numbers, so
//! that those of one input are a *row*, in which an output is searched for; most rows are so short that this
//! is a glance.

use alloc::vec::Vec;

use jiff::Timestamp;

use crate::flags::{Effects, Taint};
use crate::rule::{Lifetime, Rule};
use crate::scope::Scope;
use crate::topology::Topology;

mod places;
mod trie;

pub(crate) use places::{Place, Places};
pub(crate) use trie::{Matches, ScopeId};

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
    fn new(position: Position, rule: &Rule) -> Cell {
        let endurance = match rule.lifetime {
            Lifetime::Once => Endurance::Single,
            Lifetime::Until(end) => Endurance::Lasting(Some(end)),
            Lifetime::Session(_) | Lifetime::Always => Endurance::Lasting(None),
        };
        Cell { position, effects: rule.boundary.effects, taint: rule.boundary.taint, endurance }
    }

    pub(crate) fn holds(&self, now: Timestamp) -> bool {
        !matches!(self.endurance, Endurance::Lasting(Some(end)) if end <= now)
    }
}

/// Rules of one action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    pub(crate) inputs: Places,
    pub(crate) outputs: Places,
    /// Where the row of an input begins in `columns`, and one more for where the last ends.
    rows: Vec<u32>,
    /// The outputs that occur with an input, ascending in each row, and where their cells are.
    columns: Vec<Column>,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    output: ScopeId,
    start: u32,
    end: u32,
}

impl Index {
    pub(crate) fn build<'r>(
        rules: impl Iterator<Item = (Position, &'r Rule)> + Clone,
        topology: &Topology,
    ) -> Index {
        let side = |scopes: fn(&Rule) -> &Vec<Scope>| {
            Places::build(rules.clone().map(|(_, rule)| (scopes(rule), rule.boundary.effects)), topology)
        };
        let (inputs, input_numbers) = side(|rule| &rule.boundary.inputs);
        let (outputs, output_numbers) = side(|rule| &rule.boundary.outputs);
        let mut placed: Vec<(ScopeId, ScopeId, Cell)> = Vec::new();
        for (position, rule) in rules {
            let cell = Cell::new(position, rule);
            for input in rule.boundary.inputs.iter().filter_map(|scope| input_numbers.get(scope)) {
                for output in rule.boundary.outputs.iter().filter_map(|scope| output_numbers.get(scope)) {
                    placed.push((*input, *output, cell));
                }
            }
        }
        placed.sort_unstable_by_key(|(input, output, cell)| (*input, *output, cell.position));
        // A rule can name one place in two ways.
        placed.dedup_by_key(|(input, output, cell)| (*input, *output, cell.position));
        let mut index = Index { inputs, outputs, ..Index::default() };
        for column in placed.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
            let Some(&(input, output, _)) = column.first() else { continue };
            // Begins the row, unless it has begun, and those of inputs without any output before it.
            index.rows.resize(index.rows.len().max(input as usize + 1), index.columns.len() as u32);
            let start = index.cells.len() as u32;
            index.cells.extend(column.iter().map(|(_, _, cell)| *cell));
            index.columns.push(Column { output, start, end: index.cells.len() as u32 });
        }
        index.rows.push(index.columns.len() as u32);
        index
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The outputs that occur with an input.
    fn row(&self, input: ScopeId) -> &[Column] {
        let bounds = self.rows.get(input as usize..).and_then(|rows| rows.first_chunk());
        let [start, end] = bounds.copied().unwrap_or_default();
        self.columns.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The cells of an output in a row.
    fn cells_in(&self, row: &[Column], output: ScopeId) -> &[Cell] {
        let found = row.binary_search_by_key(&output, |column| column.output);
        let column = found.ok().and_then(|position| row.get(position));
        column
            .and_then(|column| self.cells.get(column.start as usize..column.end as usize))
            .unwrap_or_default()
    }

    /// The rules at all pairs of these scopes, the narrowest first.
    pub(crate) fn around<'i>(
        &'i self,
        inputs: &'i [ScopeId],
        outputs: &'i [ScopeId],
    ) -> impl Iterator<Item = (ScopeId, ScopeId, &'i Cell)> {
        let rows = inputs.iter().map(|&input| (input, self.row(input)));
        rows.filter(|(_, row)| may_occur(row, outputs)).flat_map(move |(input, row)| {
            outputs.iter().flat_map(move |&output| {
                self.cells_in(row, output).iter().map(move |cell| (input, output, cell))
            })
        })
    }
}

/// Whether some of `outputs` may stand in a row. Most rows are short; passing over one is then much faster
/// than searching it for each output.
fn may_occur(row: &[Column], outputs: &[ScopeId]) -> bool {
    row.len() >= outputs.len() || row.iter().any(|column| outputs.contains(&column.output))
}
