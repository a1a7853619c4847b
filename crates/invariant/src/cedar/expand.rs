//! Rules without the predicates that rules derive: each is replaced by what it is derived from.

use std::collections::BTreeMap;

use portcullis_datalog::{Atom, Comparison, Literal, Operator, Position, Rule, Term};

use super::Misfit;

/// More alternatives than these are no policy that anybody can read.
const MOST_BODIES: usize = 256;

/// The rules of a program, by what they derive.
pub(super) struct Derived<'r> {
    rules: BTreeMap<&'r str, Vec<&'r Rule>>,
    /// For names of variables that no other rule has.
    fresh: usize,
}

impl<'r> Derived<'r> {
    pub(super) fn of(rules: &'r [Rule]) -> Derived<'r> {
        let mut derived: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
        for rule in rules {
            derived.entry(&rule.head.predicate).or_default().push(rule);
        }
        Derived { rules: derived, fresh: 0 }
    }

    pub(super) fn derives(&self, predicate: &str) -> bool {
        self.rules.contains_key(predicate)
    }

    /// The alternatives of a body, in which nothing that is derived is left but under `not`.
    pub(super) fn bodies(&mut self, body: &[Literal]) -> Result<Vec<Vec<Literal>>, Misfit> {
        self.expanded(body, &mut Vec::new())
    }

    /// The alternatives of an atom that rules derive.
    pub(super) fn alternatives(&mut self, atom: &Atom) -> Result<Vec<Vec<Literal>>, Misfit> {
        self.bodies(&[Literal::Holds(atom.clone())])
    }

    fn expanded(&mut self, body: &[Literal], above: &mut Vec<String>) -> Result<Vec<Vec<Literal>>, Misfit> {
        let mut bodies: Vec<Vec<Literal>> = vec![Vec::new()];
        for literal in body {
            let more = match literal {
                Literal::Holds(atom) if self.derives(&atom.predicate) => self.inlined(atom, above)?,
                Literal::Holds(_) | Literal::Fails(_) | Literal::Compares(_) => vec![vec![literal.clone()]],
            };
            let product =
                bodies.iter().flat_map(|body| more.iter().map(|add| [body.as_slice(), add].concat()));
            bodies = product.collect();
            if bodies.len() > MOST_BODIES {
                return Err(Misfit::TooMany);
            }
        }
        Ok(bodies)
    }

    /// What an atom is derived from, said of its own terms.
    fn inlined(&mut self, atom: &Atom, above: &mut Vec<String>) -> Result<Vec<Vec<Literal>>, Misfit> {
        if above.iter().any(|own| **own == *atom.predicate) {
            return Err(Misfit::Recursion);
        }
        above.push(atom.predicate.to_string());
        let mut bodies = Vec::new();
        for rule in self.rules.get(&*atom.predicate).cloned().unwrap_or_default() {
            let body = self.applied(rule, atom);
            bodies.extend(self.expanded(&body, above)?);
        }
        above.pop();
        Ok(bodies)
    }

    /// The body of a rule with the terms of an atom in place of its own.
    fn applied(&mut self, rule: &Rule, atom: &Atom) -> Vec<Literal> {
        self.fresh += 1;
        let mut named: BTreeMap<&str, Term> = BTreeMap::new();
        let mut body = Vec::new();
        for (own, given) in rule.head.arguments.iter().zip(&atom.arguments) {
            match own {
                _ if *given == Term::Anonymous => {}
                Term::Variable(name) => match named.get(&**name) {
                    Some(before) => body.push(equal(before.clone(), given.clone())),
                    None => {
                        named.insert(name, given.clone());
                    }
                },
                Term::Constant(_) => body.push(equal(given.clone(), own.clone())),
                Term::Anonymous => {}
            }
        }
        let fresh = self.fresh;
        let term = |term: &Term| match term {
            Term::Variable(name) => {
                named.get(&**name).cloned().unwrap_or_else(|| Term::variable(&format!("{name} {fresh}")))
            }
            Term::Anonymous | Term::Constant(_) => term.clone(),
        };
        let within = |atom: &Atom| Atom::new(&atom.predicate, atom.arguments.iter().map(&term).collect());
        body.extend(rule.body.iter().map(|literal| match literal {
            Literal::Holds(atom) => Literal::Holds(within(atom)),
            Literal::Fails(atom) => Literal::Fails(within(atom)),
            Literal::Compares(Comparison { left, operator, right, at }) => Literal::Compares(Comparison {
                left: term(left),
                operator: *operator,
                right: term(right),
                at: *at,
            }),
        }));
        body
    }
}

fn equal(left: Term, right: Term) -> Literal {
    Literal::Compares(Comparison { left, operator: Operator::Equal, right, at: Position::default() })
}
