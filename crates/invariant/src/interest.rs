//! What rules ask about: facts that none of them reads need not be found out.

use std::collections::BTreeSet;

use portcullis_datalog::{Constant, Literal, Program, Rule, Term};

use crate::action::{Action, Actions, Shown};
use crate::facts::ON_A_DAY;
use crate::names;
use crate::schema::Vocabulary;

/// What the rules in force ask about.
#[derive(Clone, Debug, Default)]
pub struct Interest {
    /// The actions they name; none where a rule asks for whatever was done.
    did: Option<BTreeSet<String>>,
    /// The bits of their names, see [`names::mark`].
    did_marks: u64,
    /// The actions that have to be known for that, by their numbers: what an action is not has to be known as well. None where
    /// all have to.
    bearing: Option<Vec<usize>>,
    /// The units that amounts are asked in; none where a rule asks for any.
    units: Option<BTreeSet<String>>,
    /// Their bits.
    unit_marks: u64,
    /// Commands that they spell out, such as `terraform apply`.
    pub(crate) spelled: Vec<String>,
    /// Whether arguments are asked for one by one.
    pub(crate) arguments: bool,
    /// Whether their numbers are.
    pub(crate) numbers: bool,
    /// Whether it is asked how much there is of something.
    pub(crate) measures: bool,
    /// Whether it is asked how long texts are.
    pub(crate) sizes: bool,
    /// Whether it is asked when something takes place, or how long.
    pub(crate) events: bool,
    /// Whether signs of the shell are asked for.
    pub(crate) signs: bool,
    /// Whether databases are asked for by their names.
    pub(crate) databases: bool,
    /// Whether it is asked where something lies.
    pub(crate) realms: bool,
    /// Whether earlier calls are counted.
    pub(crate) counts: bool,
    /// Whether it is asked what earlier calls did, or did to what.
    pub(crate) order: bool,
    /// Whether it is asked which values earlier calls had.
    pub(crate) same: bool,
    /// Which acts are meant by that; none where a rule asks for whatever was done.
    same_acts: Option<BTreeSet<String>>,
}

impl Interest {
    pub(crate) fn of(program: &Program, vocabulary: &Vocabulary) -> Interest {
        let ids = &vocabulary.ids;
        let counts = program.uses(ids.calls);
        let named = named(program.rules(), &["did", "calls", "calls_to", "earlier_same", "earlier_other"]);
        let bearing = named.as_ref().and_then(bearing);
        let measures = program.uses(ids.measure);
        let is_act = |text: &&String| Actions::built_in().is_ok_and(|actions| actions.has(text));
        let is_line = |text: &&String| is_command(text) || (text.contains(' ') && !is_act(text));
        let spelled = named.iter().flatten().filter(is_line).cloned().collect();
        let days = program.uses(ids.calls_to)
            && named.as_ref().is_none_or(|named| named.iter().any(|text| text.ends_with(ON_A_DAY)));
        let units = self::named(program.rules(), &["measure"]);
        Interest {
            did_marks: names::marks(named.iter().flatten().map(String::as_str)),
            did: named,
            bearing,
            sizes: measures && units.as_ref().is_none_or(|units| units.iter().any(|unit| is_size(unit))),
            unit_marks: names::marks(units.iter().flatten().map(String::as_str)),
            units,
            spelled,
            arguments: program.uses(ids.argument),
            numbers: program.uses(ids.number),
            measures,
            events: measures || program.uses(ids.event) || days,
            signs: program.uses(ids.sign),
            databases: program.uses(ids.database),
            realms: program.uses(ids.realm),
            counts,
            order: [ids.calls_to, ids.earlier, ids.earlier_to, ids.reached]
                .into_iter()
                .any(|fact| program.uses(fact)),
            same: program.uses(ids.earlier_same) || program.uses(ids.earlier_other),
            same_acts: self::named(program.rules(), &["earlier_same", "earlier_other"]),
        }
    }

    /// Everything, for those who want to see all facts.
    pub fn everything() -> Interest {
        Interest {
            did: None,
            did_marks: u64::MAX,
            bearing: None,
            units: None,
            unit_marks: u64::MAX,
            spelled: Vec::new(),
            arguments: true,
            numbers: true,
            measures: true,
            sizes: true,
            events: true,
            signs: true,
            databases: true,
            realms: true,
            counts: true,
            order: true,
            same: true,
            same_acts: None,
        }
    }

    /// Everything, and the commands that these rules spell out, which nobody else knows.
    #[must_use]
    pub fn widened(&self) -> Interest {
        Interest { spelled: self.spelled.clone(), ..Interest::everything() }
    }

    /// Whether a rule asks for this action.
    pub(crate) fn asks_for(&self, action: &str) -> bool {
        let may_ask =
            |did: &BTreeSet<String>| self.did_marks & names::mark(action) != 0 && did.contains(action);
        self.did.as_ref().is_none_or(may_ask)
    }

    /// Whether a rule asks which values earlier calls had that did this.
    pub(crate) fn asks_same(&self, act: &str) -> bool {
        self.same && self.same_acts.as_ref().is_none_or(|acts| acts.contains(act))
    }

    /// What must have been done by earlier calls whose values are asked for; none where it may be anything.
    pub(crate) fn same_acts(&self) -> Option<impl Iterator<Item = &str>> {
        self.same_acts.as_ref().map(|acts| acts.iter().map(String::as_str))
    }

    /// Whether a rule asks how much there is in this unit.
    pub(crate) fn asks_in(&self, unit: &str) -> bool {
        let may_ask =
            |units: &BTreeSet<String>| self.unit_marks & names::mark(unit) != 0 && units.contains(unit);
        self.units.as_ref().is_none_or(may_ask)
    }

    /// The actions that have to be known, and how they show.
    pub(crate) fn bearing<'a>(
        &'a self,
        actions: &'a Actions,
    ) -> impl Iterator<Item = (&'a Action, &'a Shown)> {
        let some = self.bearing.iter().flatten().copied();
        let all = if self.bearing.is_none() { actions.len() } else { 0 };
        some.chain(0..all).filter_map(|number| actions.shown(number))
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

/// The actions that are asked for, and those that one of them is not.
fn bearing(asked: &BTreeSet<String>) -> Option<Vec<usize>> {
    let actions = Actions::built_in().ok()?;
    let bears = |action: &Action| {
        asked.contains(&action.name)
            || actions.iter().any(|other| asked.contains(&other.name) && other.not.contains(&action.name))
    };
    Some(actions.iter().enumerate().filter(|(_, action)| bears(action)).map(|(number, _)| number).collect())
}

/// A known program, perhaps with what it is told.
fn is_command(text: &str) -> bool {
    text.split(' ').next().is_some_and(portcullis_perceive::shell::knows_program)
}

/// Whether a unit is one of the length of texts, perhaps of some: `line`, `line of body`.
fn is_size(unit: &str) -> bool {
    let unit = unit.split_once(" of ").map_or(unit, |(unit, _)| unit);
    matches!(unit, "line" | "character" | "word" | "byte" | "sentence")
}
