//! Which part of a request a variable of a rule stands for.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_datalog::{Atom, Constant, Literal, Operator, Term};

use super::Misfit;
use super::values::COLUMNS;

/// What a flow does with a thing.
pub(super) const ROLES: &[&str] = &[
    "input", "output", "involves", "reads", "writes", "changes", "deletes", "moves", "copies", "runs",
    "sends",
];

/// A part of the context that there is one of in each request, for Cedar cannot look through a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// A flow of the call.
    Flow,
    /// Something that the flow does something with.
    Object,
    /// Something that the flow takes in.
    Source,
    /// Something that the flow goes to.
    Target,
    /// The time of the call.
    Now,
    /// A branch that the call is about.
    Branch,
    /// A program that the call runs.
    Program,
    /// A statement of SQL.
    Statement,
    /// Something that is scheduled.
    Event,
    /// An argument and its value.
    Argument,
    /// An argument and its number.
    Number,
    /// An argument and its short value.
    Choice,
    /// A text among the arguments.
    Text,
}

impl Slot {
    /// The attribute of the context.
    pub(super) fn name(self) -> &'static str {
        match self {
            Slot::Flow => "flow",
            Slot::Object => "object",
            Slot::Source => "source",
            Slot::Target => "target",
            Slot::Now => "now",
            Slot::Branch => "branch",
            Slot::Program => "program",
            Slot::Statement => "statement",
            Slot::Event => "event",
            Slot::Argument => "argument",
            Slot::Number => "number",
            Slot::Choice => "choice",
            Slot::Text => "text",
        }
    }

    /// The one whose facts have a name and a value.
    pub(super) fn valued(atom: &Atom) -> Option<Slot> {
        match (&*atom.predicate, atom.arguments.as_slice()) {
            ("argument", [_, _]) => Some(Slot::Argument),
            ("number", [_, _]) => Some(Slot::Number),
            ("text", [_, _]) => Some(Slot::Text),
            // A choice that is written out is a member of a set.
            ("choice", [_, Term::Variable(_)]) => Some(Slot::Choice),
            _ => None,
        }
    }

    pub(super) fn is_thing(self) -> bool {
        matches!(self, Slot::Object | Slot::Source | Slot::Target)
    }

    /// Whether there may be more of them than are told.
    pub(super) fn may_be_unknown(self) -> bool {
        matches!(self, Slot::Branch | Slot::Program | Slot::Statement | Slot::Event) || self.is_valued()
    }

    /// Whether it has a name and a value.
    pub(super) fn is_valued(self) -> bool {
        matches!(self, Slot::Argument | Slot::Number | Slot::Choice | Slot::Text)
    }
}

/// What a variable stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meant {
    pub(super) slot: Slot,
    /// The value in the context.
    pub(super) path: String,
}

/// What the variables of a body stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    meant: BTreeMap<String, Meant>,
}

/// The columns of a moment.
pub(super) const NOW: &[&str] = &["date", "weekday", "minute"];
/// The columns of what is scheduled.
pub(super) const EVENT: &[&str] = &["date", "weekday", "from", "to"];

impl Slots {
    /// Of a body in which every place of a role is a variable.
    pub(super) fn of(body: &[Literal]) -> Result<Slots, Misfit> {
        let mut slots = Slots::default();
        let things = things(body);
        for atom in body.iter().filter_map(holds) {
            if let Some(slot) = Slot::valued(atom) {
                slots.put_columns(&atom.arguments, slot, COLUMNS)?;
            }
            match (&*atom.predicate, atom.arguments.as_slice()) {
                ("now", columns) => slots.put_columns(columns, Slot::Now, NOW)?,
                ("event", columns) => slots.put_columns(columns, Slot::Event, EVENT)?,
                ("branch", [name]) => slots.put(name, Slot::Branch, "")?,
                ("program", [name]) => slots.put(name, Slot::Program, "")?,
                ("statement" | "without_where" | "unlimited", [statement, ..]) => {
                    slots.put(statement, Slot::Statement, "")?;
                }
                ("flow" | "secret" | "effect" | "carries", [flow, ..]) => slots.put(flow, Slot::Flow, "")?,
                (role, [flow, thing]) if ROLES.contains(&role) => {
                    slots.put(flow, Slot::Flow, "")?;
                    if let Term::Variable(name) = thing {
                        slots.put(thing, slot_of(things.get(&**name)), "")?;
                    }
                }
                _ => {}
            }
        }
        Ok(slots)
    }

    pub(super) fn meant(&self, variable: &str) -> Option<&Meant> {
        self.meant.get(variable)
    }

    fn put_columns(&mut self, terms: &[Term], slot: Slot, columns: &[&str]) -> Result<(), Misfit> {
        terms.iter().zip(columns).try_for_each(|(term, column)| self.put(term, slot, column))
    }

    fn put(&mut self, term: &Term, slot: Slot, column: &str) -> Result<(), Misfit> {
        let Term::Variable(name) = term else { return Ok(()) };
        let root = format!("context.{}", slot.name());
        let path = if column.is_empty() { root } else { format!("{root}.{column}") };
        let meant = Meant { slot, path };
        match self.meant.get(&**name) {
            Some(before) if *before == meant => Ok(()),
            Some(_) => Err(Misfit::Joined),
            // A request has one of each.
            None if self.meant.values().any(|own| own.path == meant.path) => Err(Misfit::Two(slot.name())),
            None => {
                self.meant.insert(name.to_string(), meant);
                Ok(())
            }
        }
    }
}

/// The roles that each variable for a thing has.
fn things(body: &[Literal]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut things: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for atom in body.iter().filter_map(holds) {
        if let [_, Term::Variable(name)] = atom.arguments.as_slice()
            && ROLES.contains(&&*atom.predicate)
        {
            things.entry(name).or_default().insert(&*atom.predicate);
        }
    }
    things
}

fn slot_of(roles: Option<&BTreeSet<&str>>) -> Slot {
    let has = |role: &str| roles.is_some_and(|roles| roles.contains(role));
    match (has("input"), has("output")) {
        (true, _) => Slot::Source,
        (false, true) => Slot::Target,
        (false, false) => Slot::Object,
    }
}

fn holds(literal: &Literal) -> Option<&Atom> {
    match literal {
        Literal::Holds(atom) => Some(atom),
        Literal::Fails(_) | Literal::Compares(_) => None,
    }
}

/// A body in which places of facts that requests are made for are variables: what is written out there is compared.
pub(super) fn with_variables(body: &[Literal]) -> Vec<Literal> {
    let mut fresh = 0;
    let mut lifted = Vec::new();
    let mut compared = Vec::new();
    for literal in body {
        let Literal::Holds(atom) = literal else {
            lifted.push(literal.clone());
            continue;
        };
        let mut atom = atom.clone();
        let is_role = ROLES.contains(&&*atom.predicate);
        let is_moment = matches!(&*atom.predicate, "now" | "event");
        let is_flow = matches!(&*atom.predicate, "flow" | "secret" | "effect" | "carries");
        let is_valued = Slot::valued(&atom).is_some();
        let is_statement = matches!(&*atom.predicate, "statement" | "without_where" | "unlimited");
        for (column, term) in atom.arguments.iter_mut().enumerate() {
            let lifts = is_role || is_moment || is_valued || (column == 0 && (is_flow || is_statement));
            if !lifts || matches!(term, Term::Variable(_)) {
                continue;
            }
            fresh += 1;
            let variable = Term::variable(&format!("written {fresh}"));
            if let Term::Constant(constant) = std::mem::replace(term, variable.clone()) {
                compared.push(equal(variable, constant));
            }
        }
        lifted.push(Literal::Holds(atom));
    }
    lifted.extend(compared);
    lifted
}

fn equal(left: Term, right: Constant) -> Literal {
    let at = portcullis_datalog::Position::default();
    let right = Term::Constant(right);
    Literal::Compares(portcullis_datalog::Comparison { left, operator: Operator::Equal, right, at })
}
