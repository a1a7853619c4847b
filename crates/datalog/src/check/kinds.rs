//! Whether every variable and every column holds texts only or numbers only.
//!
//! Columns of derived predicates and variables are put into classes that must have one kind; what the schema says
//! and constants give classes their kinds.

use std::collections::BTreeMap;

use super::names::{Meaning, Names};
use crate::problem::Problems;
use crate::syntax::{Literal, Operator, Position, Rule, Source, Term};
use crate::value::{Constant, Kind};

/// Looks for clashes.
pub(super) fn check(rules: &[Rule], names: &Names<'_>, problems: &mut Problems) {
    let mut kinds = Kinds { classes: Vec::new(), columns: Vec::new() };
    for derived in &names.derived {
        kinds.columns.push(kinds.classes.len());
        (0..derived.arity).for_each(|_| _ = kinds.fresh());
    }
    for rule in rules {
        kinds.rule(rule, names, problems);
    }
}

struct Kinds<'a> {
    classes: Vec<Class<'a>>,
    /// For each derived predicate, the class of its first column.
    columns: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Class<'a> {
    /// Another one of the class, or itself.
    parent: usize,
    kind: Option<Evidence<'a>>,
}

/// What made a class have its kind.
#[derive(Clone, Copy)]
struct Evidence<'a> {
    kind: Kind,
    /// A predicate or an operator.
    by: &'a str,
    at: Position,
}

/// What an argument's place demands of it.
#[derive(Clone, Copy)]
enum Demand {
    Kind(Kind),
    Class(usize),
}

/// Where something is said about a term.
#[derive(Clone, Copy)]
struct Place<'a> {
    source: Source,
    at: Position,
    by: &'a str,
}

impl<'a> Kinds<'a> {
    fn fresh(&mut self) -> usize {
        self.classes.push(Class { parent: self.classes.len(), kind: None });
        self.classes.len() - 1
    }

    fn rule(&mut self, rule: &'a Rule, names: &Names<'_>, problems: &mut Problems) {
        let mut variables = BTreeMap::new();
        let heads = [&rule.head];
        let atoms = rule.body.iter().filter_map(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Compares(_) => None,
        });
        // The body first: what the facts are is more telling than what was made of them.
        for atom in atoms.chain(heads) {
            let place = Place { source: rule.source, at: atom.at, by: &atom.predicate };
            let Some(meaning) = names.sound(atom) else { continue };
            for (column, term) in atom.arguments.iter().enumerate() {
                let demand = match meaning {
                    Meaning::Goal(_) => Demand::Kind(Kind::Text),
                    Meaning::Word(word) => match names.schema.columns(word).get(column) {
                        Some(kind) => Demand::Kind(*kind),
                        None => continue,
                    },
                    Meaning::Derived(id) => match self.columns.get(id) {
                        Some(first) => Demand::Class(first + column),
                        None => continue,
                    },
                };
                self.demand(term, demand, place, &mut variables, problems);
            }
        }
        for literal in &rule.body {
            if let Literal::Compares(comparison) = literal {
                let demand = match comparison.operator {
                    Operator::Equal | Operator::NotEqual => Demand::Class(self.fresh()),
                    Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
                        Demand::Kind(Kind::Number)
                    }
                };
                let place =
                    Place { source: rule.source, at: comparison.at, by: comparison.operator.symbol() };
                for term in [&comparison.left, &comparison.right] {
                    self.demand(term, demand, place, &mut variables, problems);
                }
            }
        }
    }

    fn demand(
        &mut self,
        term: &'a Term,
        demand: Demand,
        place: Place<'a>,
        variables: &mut BTreeMap<&'a str, usize>,
        problems: &mut Problems,
    ) {
        let class = match term {
            Term::Variable(name) => match variables.get(&**name) {
                Some(class) => *class,
                None => {
                    let class = self.fresh();
                    variables.insert(name, class);
                    class
                }
            },
            Term::Constant(constant) => {
                let class = self.fresh();
                self.set(class, Evidence { kind: constant.kind(), by: place.by, at: place.at });
                class
            }
            Term::Anonymous => return,
        };
        let clash = match demand {
            Demand::Kind(kind) => self.set(class, Evidence { kind, by: place.by, at: place.at }),
            Demand::Class(other) => self.unite(class, other),
        };
        if let Some((had, gets)) = clash {
            let message = match term {
                Term::Constant(constant) => {
                    let (is, wants) = if had.kind == constant.kind() { (had, gets) } else { (gets, had) };
                    format!(
                        "{term} is {}, but `{}` wants {} there",
                        is.kind.words(),
                        place.by,
                        wants.kind.words()
                    )
                }
                Term::Variable(_) | Term::Anonymous => {
                    format!("`{term}` is {} and {}", had.kind.words(), gets.kind.words())
                }
            };
            problems.error((place.source, place.at), message, || {
                match term {
                    Term::Constant(Constant::Text(_)) => return "a number stands without quotes".to_owned(),
                    Term::Constant(Constant::Number(_)) => {
                        return "a text stands in double quotes".to_owned();
                    }
                    Term::Variable(_) | Term::Anonymous => {}
                }
                let tell = |one: Evidence<'_>| format!("{} by `{}` at {}", one.kind.words(), one.by, one.at);
                format!("it is {}, and {}", tell(had), tell(gets))
            });
        }
    }

    /// The one that stands for the class.
    fn root(&mut self, mut class: usize) -> usize {
        while let Some(parent) = self.classes.get(class).map(|class| class.parent)
            && parent != class
        {
            // Halving the way keeps later ones short.
            let grandparent = self.classes.get(parent).map_or(parent, |class| class.parent);
            if let Some(one) = self.classes.get_mut(class) {
                one.parent = grandparent;
            }
            class = grandparent;
        }
        class
    }

    fn set(&mut self, class: usize, evidence: Evidence<'a>) -> Option<(Evidence<'a>, Evidence<'a>)> {
        let root = self.root(class);
        let class = self.classes.get_mut(root)?;
        match class.kind {
            Some(had) if had.kind != evidence.kind => Some((had, evidence)),
            Some(_) => None,
            None => {
                class.kind = Some(evidence);
                None
            }
        }
    }

    fn unite(&mut self, one: usize, other: usize) -> Option<(Evidence<'a>, Evidence<'a>)> {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return None;
        }
        let gone = self.classes.get_mut(one)?;
        gone.parent = other;
        let evidence = gone.kind?;
        self.set(other, evidence).map(|(had, gets)| (gets, had))
    }
}
