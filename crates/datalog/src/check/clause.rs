//! Rules with names resolved and equalities gone: what is equal to a constant is that constant, what is equal to a
//! variable is that variable. A constant in a condition is what rules are found by, so this also makes them faster.

use std::collections::BTreeMap;

use super::names::{Meaning, Names};
use crate::answer::Goal;
use crate::problem::Problems;
use crate::schema::{PredicateId, Prepared, Word};
use crate::syntax::{Atom, Comparison, Literal, Operator, Position, Rule, Term};
use crate::value::{Constant, Truth};

/// A rule made ready for planning.
pub(crate) struct Clause {
    /// Its place among the rules.
    pub(crate) rule: usize,
    pub(crate) head: Head,
    /// What the head says; none is [`Operand::Any`].
    pub(crate) outputs: Vec<Operand>,
    pub(crate) parts: Vec<Part>,
    /// Where a condition stands that can never hold, and why.
    pub(crate) impossible: Option<(Position, String)>,
}

/// What a clause derives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Goal(Goal),
    Derived(usize),
}

/// Where facts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// Among those of the call.
    Given(PredicateId),
    /// Among those that rules derive.
    Derived(usize),
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    Variable(usize),
    Constant(Constant),
    Any,
}

/// A condition.
pub(crate) enum Part {
    Facts {
        relation: Relation,
        operands: Vec<Operand>,
        is_negated: bool,
    },
    /// With what the test is given.
    Filter {
        test: Prepared,
        operands: Vec<Operand>,
        is_negated: bool,
    },
    Compare {
        left: Operand,
        operator: Operator,
        right: Operand,
    },
}

/// Makes clauses of all rules in which every name has a meaning.
pub(super) fn build(rules: &[Rule], names: &Names<'_>, problems: &mut Problems) -> Vec<Clause> {
    let numbered = rules.iter().enumerate();
    numbered.filter_map(|(place, rule)| clause(place, rule, names, problems)).collect()
}

fn clause(place: usize, rule: &Rule, names: &Names<'_>, problems: &mut Problems) -> Option<Clause> {
    let mut equalities = Equalities::of(rule);
    let head = match names.sound(&rule.head)? {
        Meaning::Goal(goal) => Head::Goal(goal),
        Meaning::Derived(id) => Head::Derived(id),
        Meaning::Word(_) => return None,
    };
    let mut parts = Vec::new();
    let mut impossible = equalities.clash.take();
    for literal in &rule.body {
        let is_negated = matches!(literal, Literal::Fails(_));
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                let operands = equalities.operands(atom);
                parts.push(part(rule, atom, operands, is_negated, names, problems)?);
            }
            Literal::Compares(comparison) if comparison.operator == Operator::Equal => {}
            Literal::Compares(Comparison { left, operator, right, at }) => {
                let (left, right) = (equalities.operand(left), equalities.operand(right));
                match compare(&left, *operator, &right) {
                    Truth::Yes => {}
                    Truth::No => {
                        impossible.get_or_insert((*at, format!("`{literal}` is never true")));
                    }
                    Truth::Unknown => parts.push(Part::Compare { left, operator: *operator, right }),
                }
            }
        }
    }
    Some(Clause { rule: place, head, outputs: equalities.operands(&rule.head), parts, impossible })
}

fn part(
    rule: &Rule,
    atom: &Atom,
    operands: Vec<Operand>,
    is_negated: bool,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Option<Part> {
    match names.sound(atom)? {
        Meaning::Goal(_) => None,
        Meaning::Derived(id) => Some(Part::Facts { relation: Relation::Derived(id), operands, is_negated }),
        Meaning::Word(Word::Predicate(id)) => {
            Some(Part::Facts { relation: Relation::Given(id), operands, is_negated })
        }
        Meaning::Word(Word::Filter(id)) => {
            let constants: Vec<_> = operands
                .iter()
                .map(|operand| match operand {
                    Operand::Constant(constant) => Some(constant),
                    Operand::Variable(_) | Operand::Any => None,
                })
                .collect();
            match names.schema.prepare(id, &constants) {
                Ok(test) => {
                    let mut operands = operands;
                    // The engine's own filters know their constants.
                    if names.schema.is_own(id) {
                        operands.retain(|operand| matches!(operand, Operand::Variable(_)));
                    }
                    Some(Part::Filter { test: test.into(), operands, is_negated })
                }
                Err(reason) => {
                    problems.error(
                        (rule.source, atom.at),
                        format!("in `{}`: {reason}", atom.predicate),
                        || format!("`{}`: {}", atom.predicate, names.schema.meaning(Word::Filter(id))),
                    );
                    None
                }
            }
        }
    }
}

/// The answer, if the rule alone gives it.
fn compare(left: &Operand, operator: Operator, right: &Operand) -> Truth {
    match (left, right) {
        (Operand::Constant(left), Operand::Constant(right)) => operator.compare(left.value(), right.value()),
        (Operand::Variable(left), Operand::Variable(right)) if left == right => Truth::from(matches!(
            operator,
            Operator::Equal | Operator::LessOrEqual | Operator::GreaterOrEqual
        )),
        _ => Truth::Unknown,
    }
}

/// What the `=` of a rule say.
struct Equalities<'r> {
    variables: BTreeMap<&'r str, usize>,
    /// For each variable another one that is equal to it, or itself.
    parents: Vec<usize>,
    constants: Vec<Option<Constant>>,
    clash: Option<(Position, String)>,
}

impl<'r> Equalities<'r> {
    fn of(rule: &'r Rule) -> Equalities<'r> {
        let mut equalities = Equalities {
            variables: BTreeMap::new(),
            parents: Vec::new(),
            constants: Vec::new(),
            clash: None,
        };
        for literal in &rule.body {
            match literal {
                Literal::Compares(comparison) => {
                    equalities.number(&comparison.left);
                    equalities.number(&comparison.right);
                    if comparison.operator == Operator::Equal && !equalities.unite(comparison) {
                        let clash = format!("`{literal}` contradicts another condition");
                        equalities.clash.get_or_insert((comparison.at, clash));
                    }
                }
                Literal::Holds(atom) | Literal::Fails(atom) => {
                    atom.arguments.iter().for_each(|term| equalities.number(term));
                }
            }
        }
        equalities
    }

    fn number(&mut self, term: &'r Term) {
        if let Some(name) = term.name() {
            let next = self.parents.len();
            if *self.variables.entry(name).or_insert(next) == next {
                self.parents.push(next);
                self.constants.push(None);
            }
        }
    }

    fn root(&self, name: &str) -> Option<usize> {
        let mut at = *self.variables.get(name)?;
        while let Some(parent) = self.parents.get(at)
            && *parent != at
        {
            at = *parent;
        }
        Some(at)
    }

    /// Whether it goes together with the other equalities.
    fn unite(&mut self, comparison: &Comparison) -> bool {
        match (self.operand(&comparison.left), self.operand(&comparison.right)) {
            (Operand::Constant(left), Operand::Constant(right)) => left == right,
            (Operand::Variable(variable), Operand::Constant(constant))
            | (Operand::Constant(constant), Operand::Variable(variable)) => {
                if let Some(place) = self.constants.get_mut(variable) {
                    *place = Some(constant);
                }
                true
            }
            (Operand::Variable(left), Operand::Variable(right)) => {
                if let Some(parent) = self.parents.get_mut(left) {
                    *parent = right;
                }
                true
            }
            // Refused elsewhere.
            (Operand::Any, _) | (_, Operand::Any) => true,
        }
    }

    fn operand(&self, term: &Term) -> Operand {
        match term {
            Term::Constant(constant) => Operand::Constant(constant.clone()),
            Term::Anonymous => Operand::Any,
            Term::Variable(name) => match self.root(name) {
                None => Operand::Any,
                Some(root) => match self.constants.get(root) {
                    Some(Some(constant)) => Operand::Constant(constant.clone()),
                    _ => Operand::Variable(root),
                },
            },
        }
    }

    fn operands(&self, atom: &Atom) -> Vec<Operand> {
        atom.arguments.iter().map(|term| self.operand(term)).collect()
    }
}
