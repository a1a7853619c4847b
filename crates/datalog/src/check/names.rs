//! What each name means, and whether it is used as its meaning allows.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::Goal;
use crate::limits::{LONGEST_NAME, LONGEST_TEXT, MOST_ARGUMENTS, MOST_LITERALS, MOST_VARIABLES};
use crate::problem::Problems;
use crate::schema::{Schema, Word};
use crate::syntax::{Atom, Literal, Position, Rule, Source, Term, is_predicate_name, is_variable_name};
use crate::value::Constant;

/// What a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Goal(Goal),
    Word(Word),
    /// Rules derive it.
    Derived(usize),
}

/// The names of a program.
pub(crate) struct Names<'a> {
    pub(crate) schema: &'a Schema,
    /// Those that rules derive, in the order of their first rules.
    pub(crate) derived: Vec<Derived<'a>>,
    by_name: BTreeMap<&'a str, usize>,
}

/// A predicate that rules derive.
pub(crate) struct Derived<'a> {
    pub(crate) name: &'a str,
    pub(crate) arity: usize,
    pub(crate) at: (Source, Position),
}

impl<'a> Names<'a> {
    /// The names that the heads of rules bring in.
    pub(crate) fn collect(rules: &'a [Rule], schema: &'a Schema) -> Names<'a> {
        let mut names = Names { schema, derived: Vec::new(), by_name: BTreeMap::new() };
        for rule in rules {
            let name = &*rule.head.predicate;
            if names.meaning(name).is_none() {
                names.by_name.insert(name, names.derived.len());
                let at = (rule.source, rule.head.at);
                names.derived.push(Derived { name, arity: rule.head.arguments.len(), at });
            }
        }
        names
    }

    pub(crate) fn meaning(&self, name: &str) -> Option<Meaning> {
        let goal = Goal::named(name).map(Meaning::Goal);
        let word = || self.schema.find(name).map(Meaning::Word);
        goal.or_else(word).or_else(|| self.by_name.get(name).copied().map(Meaning::Derived))
    }

    /// The meaning of an atom that has as many arguments as it should.
    pub(crate) fn sound(&self, atom: &Atom) -> Option<Meaning> {
        self.meaning(&atom.predicate).filter(|meaning| self.arity(*meaning) == atom.arguments.len())
    }

    fn arity(&self, meaning: Meaning) -> usize {
        match meaning {
            Meaning::Goal(_) => 1,
            Meaning::Word(word) => self.schema.columns(word).len(),
            Meaning::Derived(id) => self.derived.get(id).map_or(0, |derived| derived.arity),
        }
    }

    pub(super) fn check(&self, rules: &[Rule], problems: &mut Problems) {
        for rule in rules {
            if problems.is_full() {
                return;
            }
            self.check_size(rule, problems);
            self.check_head(rule, problems);
            for literal in &rule.body {
                if let Literal::Holds(atom) | Literal::Fails(atom) = literal {
                    self.check_condition(rule.source, atom, problems);
                }
            }
        }
    }

    fn check_head(&self, rule: &Rule, problems: &mut Problems) {
        let (head, place) = (&rule.head, (rule.source, rule.head.at));
        let name = &head.predicate;
        match self.meaning(name) {
            Some(Meaning::Word(word)) => {
                let what = match word {
                    Word::Predicate(_) => "comes from the call",
                    Word::Filter(_) => "is a filter",
                };
                let message = format!("`{name}` {what} and cannot be derived by a rule");
                let hint = || format!("choose another name; `{name}`: {}", self.schema.meaning(word));
                problems.error(place, message, hint);
            }
            Some(Meaning::Goal(_)) if head.arguments.len() != 1 => {
                let message = format!("`{name}` has one argument, the reason, not {}", head.arguments.len());
                problems.error(place, message, || format!("write `{name}(\"why\") :- …`"));
            }
            Some(Meaning::Derived(_)) => self.check_arity(place, head, problems),
            Some(Meaning::Goal(_)) | None => {}
        }
    }

    fn check_condition(&self, source: Source, atom: &Atom, problems: &mut Problems) {
        let (name, place) = (&atom.predicate, (source, atom.at));
        match self.meaning(name) {
            Some(Meaning::Goal(_)) => {
                let message = format!("`{name}` is what rules are for and cannot be a condition");
                problems.error(place, message, || "derive a predicate of your own and use it in both rules");
            }
            Some(Meaning::Word(_) | Meaning::Derived(_)) => self.check_arity(place, atom, problems),
            None => {
                let message = format!("there is no predicate `{name}`");
                problems.error(place, message, || self.suggestion(name));
            }
        }
    }

    fn check_arity(&self, place: (Source, Position), atom: &Atom, problems: &mut Problems) {
        let Some(meaning) = self.meaning(&atom.predicate) else { return };
        let (expected, found) = (self.arity(meaning), atom.arguments.len());
        if expected == found {
            return;
        }
        let name = &atom.predicate;
        let plural = if expected == 1 { "argument" } else { "arguments" };
        let message = format!("`{name}` has {expected} {plural}, not {found}");
        problems.error(place, message, || match meaning {
            Meaning::Word(word) => format!("`{name}`: {}", self.schema.meaning(word)),
            Meaning::Derived(id) => {
                let first = self.derived.get(id).map_or(Position::default(), |derived| derived.at.1);
                format!("its first rule is at {first}")
            }
            Meaning::Goal(_) => format!("write `{name}(\"why\")`"),
        });
    }

    /// The name that was probably meant, or those that there are.
    fn suggestion(&self, name: &str) -> String {
        let known = || self.schema.names().chain(self.derived.iter().map(|derived| derived.name));
        let allowed = |other: &str| 1 + other.len() / 4;
        // Comparing takes time by the product of the lengths, so long names and the thousandth go without.
        let is_like = |other: &&str| {
            name.len().max(other.len()) <= 40 && name.len().abs_diff(other.len()) <= allowed(other)
        };
        let likely = known().filter(is_like).take(1_000);
        let near = likely.map(|other| (strsim::damerau_levenshtein(name, other), other)).min();
        match near.filter(|(distance, other)| *distance <= allowed(other)) {
            Some((_, other)) => match self.meaning(other) {
                Some(Meaning::Word(word)) => {
                    format!("did you mean `{other}`: {}?", self.schema.meaning(word))
                }
                _ => format!("did you mean `{other}`?"),
            },
            None => {
                let some: Vec<_> = known().take(12).map(|name| format!("`{name}`")).collect();
                format!("there are, among others, {}", some.join(", "))
            }
        }
    }

    /// What the reader of texts would not let through; rules may also come from a program.
    fn check_size(&self, rule: &Rule, problems: &mut Problems) {
        let mut variables = BTreeSet::new();
        let mut complain = |at: Position, message: String| {
            problems.error(
                (rule.source, at),
                message,
                || "the rule was made by a program that has to change",
            );
        };
        if rule.body.len() > MOST_LITERALS {
            complain(rule.head.at, format!("a rule has at most {MOST_LITERALS} conditions"));
        }
        let mut terms: Vec<(Position, &Term)> = Vec::new();
        let atoms = rule.body.iter().filter_map(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Compares(_) => None,
        });
        for atom in atoms.chain([&rule.head]) {
            if !is_predicate_name(&atom.predicate) || atom.predicate.len() > LONGEST_NAME {
                complain(atom.at, format!("`{}` is no name of a predicate", atom.predicate.escape_debug()));
            }
            if atom.arguments.len() > MOST_ARGUMENTS {
                complain(atom.at, format!("a predicate has at most {MOST_ARGUMENTS} arguments"));
            }
            terms.extend(atom.arguments.iter().map(|term| (atom.at, term)));
        }
        for literal in &rule.body {
            if let Literal::Compares(comparison) = literal {
                terms.extend([(comparison.at, &comparison.left), (comparison.at, &comparison.right)]);
            }
        }
        for (at, term) in terms {
            match term {
                Term::Variable(name) => {
                    variables.insert(name);
                    if !is_variable_name(name) || name.len() > LONGEST_NAME {
                        complain(at, format!("`{}` is no name of a variable", name.escape_debug()));
                    }
                }
                Term::Constant(Constant::Text(text)) if text.len() > LONGEST_TEXT => {
                    complain(at, format!("a text has at most {LONGEST_TEXT} bytes"));
                }
                Term::Constant(_) | Term::Anonymous => {}
            }
        }
        if variables.len() > MOST_VARIABLES {
            complain(rule.head.at, format!("a rule has at most {MOST_VARIABLES} variables"));
        }
    }
}
