//! In which order the conditions of a rule are looked at.

use std::sync::Arc;

use crate::check::{Clause, Operand, Part, Relation};
use crate::facts;
use crate::schema::Prepared;
use crate::syntax::Operator;
use crate::value::Constant;

/// A rule, ready to run.
pub(crate) struct Plan {
    pub(crate) steps: Box<[Step]>,
    /// What is derived if all steps go well.
    pub(crate) outputs: Box<[Output]>,
    /// Whether the same is derived each time, so that once is enough.
    pub(crate) is_constant: bool,
    /// The predicates of the host without facts of which it cannot fire; see [`facts::bit`].
    pub(crate) required: u64,
    /// How many steps come before the first that needs a derived predicate.
    pub(crate) prefix: usize,
}

/// A condition.
pub(crate) enum Step {
    /// For each fact that fits.
    Scan(Scan),
    /// If no fact fits.
    Absent(Scan),
    /// If the filter says so.
    Ask { test: Prepared, inputs: Inputs, is_negated: bool },
    /// If two values lie so.
    Compare { left: Output, operator: Operator, right: Output },
}

/// What a filter is asked about.
pub(crate) enum Inputs {
    /// One variable, which need not be copied.
    One(usize),
    Several(Box<[Output]>),
}

/// Facts that are looked at, and what must be true of their columns.
pub(crate) struct Scan {
    pub(crate) relation: Relation,
    pub(crate) arity: usize,
    /// Only those that are new in this round.
    pub(crate) is_delta: bool,
    /// Its place among the conditions as they are written, for people are told facts in that order.
    pub(crate) order: usize,
    /// What is asked of a column. Constants come first, since most facts fail there.
    pub(crate) checks: Box<[(usize, Check)]>,
}

/// What is asked of a column.
#[derive(PartialEq)]
pub(crate) enum Check {
    /// It is this.
    Constant(Constant),
    /// It is what the variable is already.
    Same(usize),
    /// The variable becomes it.
    Bind(usize),
}

/// Where a value comes from.
pub(crate) enum Output {
    Constant(Constant),
    Slot(usize),
}

impl Plan {
    /// Plans a clause; where `delta` is given, that condition comes first and looks at new facts only.
    pub(crate) fn new(clause: &Clause, delta: Option<usize>) -> Plan {
        let mut planner =
            Planner { open: clause.parts.iter().enumerate().collect(), bound: 0, steps: Vec::new() };
        if let Some(place) = delta {
            planner.scan(place, true);
        }
        loop {
            planner.ask_what_is_known();
            match planner.most_selective() {
                Some(place) => planner.scan(place, false),
                None => break,
            }
        }
        let steps = planner.steps;
        let prefix = steps.iter().position(needs_derived).unwrap_or(steps.len());
        let outputs: Box<[Output]> = clause.outputs.iter().filter_map(output).collect();
        Plan {
            is_constant: outputs.iter().all(|output| matches!(output, Output::Constant(_))),
            required: clause.parts.iter().fold(0, |bits, part| bits | required(part)),
            steps: steps.into(),
            outputs,
            prefix,
        }
    }
}

impl Scan {
    /// Whether both look at the same facts in the same way.
    pub(crate) fn is_like(&self, other: &Scan) -> bool {
        self.relation == other.relation && self.is_delta == other.is_delta && self.checks == other.checks
    }
}

fn needs_derived(step: &Step) -> bool {
    match step {
        Step::Scan(scan) | Step::Absent(scan) => matches!(scan.relation, Relation::Derived(_)),
        Step::Ask { .. } | Step::Compare { .. } => false,
    }
}

fn required(part: &Part) -> u64 {
    match part {
        Part::Facts { relation: Relation::Given(id), is_negated: false, .. } => facts::bit(*id),
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => 0,
    }
}

fn operands(part: &Part) -> Vec<&Operand> {
    match part {
        Part::Facts { operands, .. } | Part::Filter { operands, .. } => operands.iter().collect(),
        Part::Compare { left, right, .. } => vec![left, right],
    }
}

fn output(operand: &Operand) -> Option<Output> {
    match operand {
        Operand::Constant(constant) => Some(Output::Constant(constant.clone())),
        Operand::Variable(slot) => Some(Output::Slot(*slot)),
        // The checks let none of these through where a value is needed.
        Operand::Any => None,
    }
}

struct Planner<'c> {
    /// With their places among all conditions.
    open: Vec<(usize, &'c Part)>,
    /// The variables that have a value by now, a bit each.
    bound: u64,
    steps: Vec<Step>,
}

impl Planner<'_> {
    /// All tests whose variables have values, cheap ones first. What asks about derived facts waits until the facts
    /// of the call had their chance to fail.
    fn ask_what_is_known(&mut self) {
        let given_left = self.open.iter().any(|(_, part)| {
            matches!(part, Part::Facts { relation: Relation::Given(_), is_negated: false, .. })
        });
        let rank = |part: &Part| match part {
            Part::Compare { .. } => Some(0),
            Part::Facts { relation: Relation::Given(_), is_negated: true, .. } => Some(1),
            Part::Filter { .. } => Some(2),
            Part::Facts { relation: Relation::Derived(_), is_negated: true, .. } if !given_left => Some(3),
            Part::Facts { .. } => None,
        };
        for wanted in 0..4 {
            let mut place = 0;
            while let Some((_, part)) = self.open.get(place) {
                if rank(part) == Some(wanted) && operands(part).into_iter().all(|one| self.is_known(one)) {
                    let (_, part) = self.open.remove(place);
                    self.steps.extend(test(part));
                } else {
                    place += 1;
                }
            }
        }
    }

    fn is_known(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Variable(slot) => self.bound & slot_bit(*slot) != 0,
            Operand::Constant(_) | Operand::Any => true,
        }
    }

    /// The condition on facts that probably leaves the fewest to look at; the first of several.
    fn most_selective(&self) -> Option<usize> {
        let score = |part: &Part| match part {
            Part::Facts { relation, operands, is_negated: false } => {
                let columns = operands.iter().map(|operand| match operand {
                    Operand::Constant(_) => 8,
                    Operand::Variable(_) if self.is_known(operand) => 6,
                    Operand::Variable(_) | Operand::Any => -1,
                });
                let is_given = matches!(relation, Relation::Given(_));
                Some(columns.sum::<i32>() + if is_given { 20 } else { 0 })
            }
            Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => None,
        };
        let scored =
            self.open.iter().enumerate().filter_map(|(place, (_, part))| Some((score(part)?, place)));
        scored.max_by_key(|(score, place)| (*score, std::cmp::Reverse(*place))).map(|(_, place)| place)
    }

    fn scan(&mut self, place: usize, is_delta: bool) {
        if place >= self.open.len() {
            return;
        }
        let (order, Part::Facts { relation, operands, .. }) = self.open.remove(place) else { return };
        let mut constants = Vec::new();
        let mut checks = Vec::new();
        for (column, operand) in operands.iter().enumerate() {
            match operand {
                Operand::Constant(constant) => constants.push((column, Check::Constant(constant.clone()))),
                Operand::Variable(slot) if self.is_known(operand) => {
                    checks.push((column, Check::Same(*slot)))
                }
                Operand::Variable(slot) => {
                    self.bound |= slot_bit(*slot);
                    checks.push((column, Check::Bind(*slot)));
                }
                Operand::Any => {}
            }
        }
        constants.extend(checks);
        let checks = constants.into();
        self.steps.push(Step::Scan(Scan {
            relation: *relation,
            arity: operands.len(),
            is_delta,
            order,
            checks,
        }));
    }
}

fn test(part: &Part) -> Option<Step> {
    match part {
        Part::Facts { is_negated: false, .. } => None,
        Part::Facts { relation, operands, .. } => {
            let checks = operands.iter().enumerate().filter_map(|(column, operand)| match operand {
                Operand::Constant(constant) => Some((column, Check::Constant(constant.clone()))),
                Operand::Variable(slot) => Some((column, Check::Same(*slot))),
                Operand::Any => None,
            });
            let checks = checks.collect();
            Some(Step::Absent(Scan {
                relation: *relation,
                arity: operands.len(),
                is_delta: false,
                order: 0,
                checks,
            }))
        }
        Part::Filter { test, operands, is_negated } => Some(Step::Ask {
            test: Arc::clone(test),
            inputs: match &**operands {
                [Operand::Variable(slot)] => Inputs::One(*slot),
                _ => Inputs::Several(operands.iter().filter_map(output).collect()),
            },
            is_negated: *is_negated,
        }),
        Part::Compare { left, operator, right } => {
            Some(Step::Compare { left: output(left)?, operator: *operator, right: output(right)? })
        }
    }
}

/// Rules have at most as many variables as there are bits.
pub(crate) fn slot_bit(slot: usize) -> u64 {
    u32::try_from(slot).ok().and_then(|slot| 1_u64.checked_shl(slot)).unwrap_or(0)
}
