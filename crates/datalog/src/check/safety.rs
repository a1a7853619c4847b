//! Whether every variable gets its value from a fact, or from a constant it is equal to.

use std::collections::BTreeSet;

use super::names::{Meaning, Names};
use crate::problem::Problems;
use crate::schema::Word;
use crate::syntax::{Atom, Literal, Operator, Position, Rule, Term};

/// Looks for variables without a value.
pub(super) fn check(rules: &[Rule], names: &Names<'_>, problems: &mut Problems) {
    for rule in rules {
        let bound = bound(rule, names);
        let mut terms = |terms: &[&Term], at: Position, what: &str| {
            for term in terms {
                let is_bound = term.name().is_none_or(|name| bound.contains(name));
                if is_bound && **term != Term::Anonymous {
                    continue;
                }
                let message = format!("nothing gives `{term}` a value {what}");
                problems.error((rule.source, at), message, || match term {
                    Term::Variable(name) => {
                        format!("add a condition with `{name}` that is a fact and not negated")
                    }
                    Term::Anonymous | Term::Constant(_) => {
                        "`_` is for conditions on facts; use a variable that such a condition has".to_owned()
                    }
                });
            }
        };
        terms(&arguments(&rule.head), rule.head.at, "in what the rule derives");
        for literal in &rule.body {
            match literal {
                Literal::Compares(comparison) => {
                    terms(&[&comparison.left, &comparison.right], comparison.at, "in the comparison");
                }
                Literal::Holds(atom) | Literal::Fails(atom) if is_filter(atom, names) => {
                    terms(&arguments(atom), atom.at, &format!("in the filter `{}`", atom.predicate));
                }
                Literal::Fails(atom) => {
                    // Here `_` is fine: there is no such fact, whatever stands in that column.
                    let named: Vec<_> =
                        arguments(atom).into_iter().filter(|term| **term != Term::Anonymous).collect();
                    terms(&named, atom.at, "in the negated condition");
                }
                Literal::Holds(_) => {}
            }
        }
    }
}

fn arguments(atom: &Atom) -> Vec<&Term> {
    atom.arguments.iter().collect()
}

fn is_filter(atom: &Atom, names: &Names<'_>) -> bool {
    matches!(names.meaning(&atom.predicate), Some(Meaning::Word(Word::Filter(_))))
}

/// The variables that have a value once all conditions on facts are met.
fn bound<'r>(rule: &'r Rule, names: &Names<'_>) -> BTreeSet<&'r str> {
    let mut bound = BTreeSet::new();
    let mut equal = Vec::new();
    for literal in &rule.body {
        match literal {
            Literal::Holds(atom) if !is_filter(atom, names) => {
                bound.extend(atom.arguments.iter().filter_map(Term::name));
            }
            Literal::Compares(comparison) if comparison.operator == Operator::Equal => {
                equal.push((&comparison.left, &comparison.right));
            }
            Literal::Holds(_) | Literal::Fails(_) | Literal::Compares(_) => {}
        }
    }
    loop {
        let before = bound.len();
        for (left, right) in &equal {
            for (from, to) in [(left, right), (right, left)] {
                let has_value = match from {
                    Term::Variable(name) => bound.contains(&**name),
                    Term::Constant(_) => true,
                    Term::Anonymous => false,
                };
                bound.extend(to.name().filter(|_| has_value));
            }
        }
        if bound.len() == before {
            return bound;
        }
    }
}
