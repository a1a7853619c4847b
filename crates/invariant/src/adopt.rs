//! Rules that somebody wrote, made this user's: with the real places in them, and with names of their own.

use std::collections::BTreeSet;

use portcullis_datalog::{Atom, Comparison, Constant, Goal, Literal, Position, Rule, Term};

use crate::facts::MILESTONES;
use crate::stand_in::Places;

/// Makes rules this user's.
pub(crate) struct Adopter<'a> {
    pub(crate) places: &'a Places,
    /// What the rules derive.
    pub(crate) own: &'a BTreeSet<String>,
    /// Makes the names of helping predicates unlike those of other rules.
    pub(crate) prefix: &'a str,
    /// What refused calls are told, if it is not what the rules say.
    pub(crate) reason: Option<&'a str>,
}

/// What came of it.
pub(crate) struct Adopted {
    pub(crate) rules: Vec<Rule>,
    /// Words that stand for nothing here, and where.
    pub(crate) problems: Vec<(Position, String)>,
}

impl Adopter<'_> {
    pub(crate) fn adopt(&self, rules: Vec<Rule>) -> Adopted {
        let mut problems = Vec::new();
        let rules = rules.into_iter().map(|rule| self.rule(rule, &mut problems)).collect();
        Adopted { rules, problems }
    }

    fn rule(&self, rule: Rule, problems: &mut Vec<(Position, String)>) -> Rule {
        let is_goal = is_goal(&rule.head.predicate);
        let mut head = self.atom(rule.head, problems);
        if let Some(reason) = self.reason.filter(|_| is_goal) {
            head.arguments = vec![Term::text(reason)];
        }
        let body = rule.body.into_iter().map(|literal| match literal {
            Literal::Holds(atom) => Literal::Holds(self.atom(atom, problems)),
            Literal::Fails(atom) => Literal::Fails(self.atom(atom, problems)),
            Literal::Compares(Comparison { left, operator, right, at }) => {
                let (left, right) = (self.term(left, at, problems), self.term(right, at, problems));
                Literal::Compares(Comparison { left, operator, right, at })
            }
        });
        Rule { head, body: body.collect(), source: rule.source }
    }

    fn atom(&self, atom: Atom, problems: &mut Vec<(Position, String)>) -> Atom {
        let Atom { predicate, arguments, at } = atom;
        if matches!(&*predicate, MILESTONES | "earlier") {
            let arguments = arguments.into_iter().map(|term| self.milestone(term, at, problems)).collect();
            return Atom { predicate, arguments, at };
        }
        let predicate = match self.own.contains(&*predicate) && !is_goal(&predicate) {
            true => format!("{}_{predicate}", self.prefix).into(),
            false => predicate,
        };
        let arguments = arguments.into_iter().map(|term| self.term(term, at, problems)).collect();
        Atom { predicate, arguments, at }
    }

    /// A milestone under a name of its own: one that another rule waits for would lift that rule.
    fn milestone(&self, term: Term, at: Position, problems: &mut Vec<(Position, String)>) -> Term {
        match &term {
            Term::Constant(Constant::Text(name)) => Term::text(&format!("{} {name}", self.prefix)),
            Term::Constant(Constant::Number(_)) | Term::Variable(_) | Term::Anonymous => {
                problems.push((at, "a milestone is named by a text".to_owned()));
                term
            }
        }
    }

    fn term(&self, term: Term, at: Position, problems: &mut Vec<(Position, String)>) -> Term {
        let Term::Constant(Constant::Text(text)) = &term else { return term };
        match self.places.text(text) {
            Ok(text) => Term::text(&text),
            Err(problem) => {
                problems.push((at, problem));
                term
            }
        }
    }
}

fn is_goal(predicate: &str) -> bool {
    Goal::ALL.iter().any(|goal| goal.name() == predicate)
}
