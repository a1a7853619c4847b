//! What rules ask about: facts that none of them reads need not be found out.

use std::collections::BTreeSet;

use portcullis_datalog::{Constant, Literal, Program, Rule, Term};

use crate::schema::Vocabulary;

/// What the rules in force ask about.
#[derive(Clone, Debug, Default)]
pub struct Interest {
    /// The actions they name; none where a rule asks for whatever was done.
    did: Option<BTreeSet<String>>,
    /// Commands that they spell out, such as `terraform apply`.
    pub(crate) spelled: Vec<String>,
    /// Whether arguments are asked for one by one.
    pub(crate) arguments: bool,
    /// Whether it is asked how much there is of something.
    pub(crate) measures: bool,
    /// Whether signs of the shell are asked for.
    pub(crate) signs: bool,
    /// Whether it is asked where something lies.
    pub(crate) realms: bool,
    /// Whether earlier calls are counted.
    pub(crate) counts: bool,
    /// Whether it is asked what earlier calls did, or did to what.
    pub(crate) order: bool,
}

impl Interest {
    pub(crate) fn of(program: &Program, vocabulary: &Vocabulary) -> Interest {
        let ids = &vocabulary.ids;
        let counts = program.uses(ids.calls);
        let named = named(program.rules(), &["did", "calls", "calls_to"]);
        let spelled = named.iter().flatten().filter(|text| is_command(text)).cloned().collect();
        Interest {
            did: named,
            spelled,
            arguments: program.uses(ids.argument),
            measures: program.uses(ids.measure),
            signs: program.uses(ids.sign),
            realms: program.uses(ids.realm),
            counts,
            order: [ids.calls_to, ids.earlier, ids.earlier_to, ids.reached]
                .into_iter()
                .any(|fact| program.uses(fact)),
        }
    }

    /// Everything, for those who want to see all facts.
    pub fn everything() -> Interest {
        Interest {
            did: None,
            spelled: Vec::new(),
            arguments: true,
            measures: true,
            signs: true,
            realms: true,
            counts: true,
            order: true,
        }
    }

    /// Whether a rule asks for this action.
    pub(crate) fn asks_for(&self, action: &str) -> bool {
        self.did.as_ref().is_none_or(|did| did.contains(action))
    }
}

/// The constants in the first column of predicates; none where a rule has a variable there.
fn named(rules: &[Rule], predicates: &[&str]) -> Option<BTreeSet<String>> {
    let mut named = BTreeSet::new();
    for literal in rules.iter().flat_map(|rule| &rule.body) {
        let (Literal::Holds(atom) | Literal::Fails(atom)) = literal else { continue };
        if !predicates.contains(&&*atom.predicate) {
            continue;
        }
        match atom.arguments.first() {
            Some(Term::Constant(Constant::Text(text))) => {
                named.insert(text.to_string());
            }
            _ => return None,
        }
    }
    Some(named)
}

/// A known program, perhaps with what it is told.
fn is_command(text: &str) -> bool {
    text.split(' ').next().is_some_and(portcullis_perceive::shell::knows_program)
}
