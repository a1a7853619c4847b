//! Which rules are worth running for the facts of a call.
//!
//! A rule cannot fire unless all its conditions on facts are met, so one of them may stand for it: the one that is met
//! least often, which is one with a constant if there is any. Where the condition is on a derived predicate, what
//! stands for its rules stands for it.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::check::{Checked, Clause, Head, Operand, Part, Relation};
use crate::facts::Facts;
use crate::limits::MOST_RULES;
use crate::schema::{PredicateId, Schema, Word};
use crate::value::{Constant, Truth, Value};

/// A rule with more triggers is run always; a set that large would be met anyhow, and hostile programs could make
/// such sets for every rule.
const MOST_TRIGGERS: usize = 64;

/// A fact that may make a rule fire: one of a predicate, perhaps with a constant in a column.
type Key = (PredicateId, Option<(usize, Constant)>);

/// What has to be there for a rule to fire.
#[derive(Clone)]
enum Start {
    /// Perhaps nothing.
    Always,
    /// At least one of these.
    Any(BTreeSet<Key>),
}

/// The rules for goals by what makes them worth running. Rules are numbers of [`super::Code::goals`].
pub(crate) struct Triggers {
    always: Vec<usize>,
    predicates: Vec<ByPredicate>,
}

struct ByPredicate {
    predicate: PredicateId,
    arity: usize,
    /// Rules that any fact of it wakes.
    any: Vec<usize>,
    columns: Vec<ByColumn>,
}

struct ByColumn {
    column: usize,
    /// How long the texts are, a bit each; most facts are of another length than any of them.
    lengths: u64,
    rules: HashTable<(Constant, Vec<usize>)>,
    /// All of them, for when a value is unknown.
    all: Vec<usize>,
}

/// The rules that are worth running, a bit each.
pub(crate) struct Wanted(SmallVec<[u64; 8]>);

impl Triggers {
    pub(crate) fn new(goals: &[&Clause], checked: &Checked<'_>, schema: &Schema) -> Triggers {
        let rarity = Rarity::of(checked);
        let derived = derived_starts(checked, &rarity);
        let mut triggers = Triggers { always: Vec::new(), predicates: Vec::new() };
        let mut by_key: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (number, clause) in goals.iter().enumerate() {
            match start(clause, &derived, &rarity) {
                Start::Always => triggers.always.push(number),
                Start::Any(keys) => {
                    keys.into_iter().for_each(|key| by_key.entry(key).or_default().push(number));
                }
            }
        }
        for ((predicate, column), rules) in by_key {
            if triggers.predicates.last().is_none_or(|last| last.predicate != predicate) {
                let arity = schema.columns(Word::Predicate(predicate)).len();
                let fresh = ByPredicate { predicate, arity, any: Vec::new(), columns: Vec::new() };
                triggers.predicates.push(fresh);
            }
            if let Some(last) = triggers.predicates.last_mut() {
                last.insert(column, rules);
            }
        }
        triggers
    }

    /// The rules that these facts can make fire.
    pub(crate) fn wanted(&self, facts: &Facts<'_>, goals: usize) -> Wanted {
        let mut wanted = Wanted(SmallVec::from_elem(0, goals.div_ceil(64)));
        wanted.add(&self.always);
        for by_predicate in &self.predicates {
            by_predicate.wake(facts, &mut wanted);
        }
        wanted
    }
}

impl ByPredicate {
    fn insert(&mut self, column: Option<(usize, Constant)>, rules: Vec<usize>) {
        let Some((column, constant)) = column else {
            self.any.extend(rules);
            return;
        };
        // Keys are sorted, so that those of a column come together.
        if self.columns.last().is_none_or(|last| last.column != column) {
            self.columns.push(ByColumn { column, lengths: 0, rules: HashTable::new(), all: Vec::new() });
        }
        if let Some(last) = self.columns.last_mut() {
            last.all.extend(&rules);
            last.lengths |= length_bit(constant.value());
            let hash = constant.value().hash();
            last.rules.insert_unique(hash, (constant, rules), |(constant, _)| constant.value().hash());
        }
    }

    fn wake(&self, facts: &Facts<'_>, wanted: &mut Wanted) {
        let first = facts.first(self.predicate);
        let is_unknown = facts.is_unknown(self.predicate);
        if is_unknown {
            self.columns.iter().for_each(|column| wanted.add(&column.all));
        }
        if is_unknown || facts.row(first, self.arity).is_some() {
            wanted.add(&self.any);
        }
        for by_column in self.columns.iter().filter(|_| !is_unknown) {
            let mut next = first;
            while let Some((row, following)) = facts.row(next, self.arity) {
                next = following;
                match row.get(by_column.column) {
                    None | Some(Value::Unknown) => wanted.add(&by_column.all),
                    Some(value) => by_column.wake(*value, wanted),
                }
            }
        }
    }
}

impl ByColumn {
    fn wake(&self, value: Value<'_>, wanted: &mut Wanted) {
        if self.lengths & length_bit(value) == 0 {
            return;
        }
        let is_same = |constant: &Constant| constant.value().meets(value) == Truth::Yes;
        let found = self.rules.find(value.hash(), |(constant, _)| is_same(constant));
        if let Some((_, rules)) = found {
            wanted.add(rules);
        }
    }
}

/// The bit of a length; the last is for all longer ones, the first for numbers too.
fn length_bit(value: Value<'_>) -> u64 {
    1 << value.text().map_or(0, str::len).min(63)
}

impl Wanted {
    fn add(&mut self, rules: &[usize]) {
        for rule in rules {
            if let Some(word) = self.0.get_mut(rule / 64) {
                *word |= 1 << (rule % 64);
            }
        }
    }

    /// Takes the lowest number.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let (place, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(place * 64 + bit)
    }

    /// Takes this number, if it is there.
    pub(crate) fn take(&mut self, rule: usize) -> bool {
        let Some(word) = self.0.get_mut(rule / 64) else { return false };
        let bit = 1 << (rule % 64);
        let is_there = *word & bit != 0;
        *word &= !bit;
        is_there
    }
}

/// What has to be there for each derived predicate to hold.
fn derived_starts(checked: &Checked<'_>, rarity: &Rarity) -> Vec<Start> {
    let mut by_head: Vec<Vec<&Clause>> = vec![Vec::new(); checked.names.derived.len()];
    for clause in &checked.clauses {
        if let Head::Derived(id) = clause.head
            && let Some(list) = by_head.get_mut(id)
        {
            list.push(clause);
        }
    }
    let mut starts = vec![Start::Any(BTreeSet::new()); checked.names.derived.len()];
    for (number, members) in checked.strata.groups.iter().enumerate() {
        let clauses = || members.iter().filter_map(|member| by_head.get(*member)).flatten();
        // What is derived from the group itself goes back to what was derived otherwise, so it adds nothing.
        let is_own = |part: &Part| match part {
            Part::Facts { relation: Relation::Derived(id), is_negated: false, .. } => {
                checked.strata.group_of.get(*id) == Some(&number)
            }
            Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => false,
        };
        let base = clauses().filter(|clause| !clause.parts.iter().any(is_own));
        let whole =
            base.fold(Start::Any(BTreeSet::new()), |whole, clause| whole.or(start(clause, &starts, rarity)));
        for member in members {
            if let Some(place) = starts.get_mut(*member) {
                *place = whole.clone();
            }
        }
    }
    starts
}

/// The best that can stand for a clause.
fn start(clause: &Clause, derived: &[Start], rarity: &Rarity) -> Start {
    let candidates = clause.parts.iter().flat_map(|part| match part {
        Part::Facts { relation: Relation::Given(_), is_negated: false, .. } => {
            keys(part).map(|key| Start::Any(BTreeSet::from([key]))).collect()
        }
        Part::Facts { relation: Relation::Derived(id), is_negated: false, .. } => {
            derived.get(*id).cloned().into_iter().collect()
        }
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => Vec::new(),
    });
    candidates.min_by_key(|start| rarity.cost(start)).unwrap_or(Start::Always)
}

/// What can stand for a condition on the call's facts: its predicate, or a constant in one of its columns.
fn keys(part: &Part) -> impl Iterator<Item = Key> {
    let (relation, operands) = match part {
        Part::Facts { relation: Relation::Given(id), operands, is_negated: false } => {
            (Some(*id), &**operands)
        }
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => (None, &[][..]),
    };
    let constants = operands.iter().enumerate().filter_map(move |(column, operand)| match operand {
        Operand::Constant(constant) => Some((relation?, Some((column, constant.clone())))),
        Operand::Variable(_) | Operand::Any => None,
    });
    relation.map(|id| (id, None)).into_iter().chain(constants)
}

/// How many rules name a constant. One that many name is one that many calls have.
struct Rarity(BTreeMap<Key, usize>);

impl Rarity {
    fn of(checked: &Checked<'_>) -> Rarity {
        let mut counts = BTreeMap::new();
        for key in checked.clauses.iter().flat_map(|clause| clause.parts.iter().flat_map(keys)) {
            *counts.entry(key).or_insert(0) += 1;
        }
        Rarity(counts)
    }

    /// The lower, the better; that of a whole predicate is above that of any constant.
    fn cost(&self, start: &Start) -> usize {
        let cost = |key: &Key| match key {
            (_, Some(_)) => self.0.get(key).copied().unwrap_or(1),
            (_, None) => MOST_RULES,
        };
        match start {
            Start::Always => usize::MAX,
            Start::Any(keys) => keys.iter().map(cost).sum(),
        }
    }
}

impl Start {
    fn or(self, other: Start) -> Start {
        match (self, other) {
            (Start::Any(mut keys), Start::Any(others)) if keys.len() + others.len() <= MOST_TRIGGERS => {
                keys.extend(others);
                Start::Any(keys)
            }
            _ => Start::Always,
        }
    }
}
