//! What a program says about a call, and why.

use std::fmt::{self, Display, Formatter};

use crate::syntax::Source;
use crate::value::Value;

/// What rules are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// `must_ask(reason)`: whatever else permits the call, the user is asked.
    MustAsk,
    /// `deny(reason)`: the call is refused.
    Deny,
}

/// A goal that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// Which.
    pub goal: Goal,
    /// Why, as the rule says; unknown if the rule takes it from a fact that is.
    pub reason: Value<'a>,
    /// The rule, by its place among those that were compiled.
    pub rule: usize,
    /// The text that the rule came from.
    pub source: Source,
    /// Whether it holds whatever the unknown facts are. If not, it may hold.
    pub certain: bool,
    /// The facts that satisfied the rule's conditions, in the order in which these are written.
    pub because: Vec<Because<'a>>,
}

/// A fact that satisfied a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Because<'a> {
    /// Its predicate, the host's or one that rules derive.
    pub predicate: &'a str,
    /// Its values; all unknown if the predicate is.
    pub values: Vec<Value<'a>>,
}

/// How much work one evaluation may be. Time is not counted: the same call has the same answer on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fuel {
    /// Facts that are derived, answers included.
    pub facts: u64,
    /// Facts that are looked at and filters that are asked; a long text counts as several.
    pub steps: u64,
}

/// The fuel ran out. Nothing is known about the call then, and it must not pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// Too many facts were derived.
    #[error("the rules derive more facts from this call than they may")]
    Facts,
    /// Too much was looked at.
    #[error("the rules take more steps for this call than they may")]
    Steps,
}

impl Goal {
    /// Both.
    pub const ALL: [Goal; 2] = [Goal::MustAsk, Goal::Deny];

    /// The predicate that rules derive.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Deny => "deny",
            Goal::MustAsk => "must_ask",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Goal> {
        Goal::ALL.into_iter().find(|goal| goal.name() == name)
    }
}

impl Default for Fuel {
    /// Far more than a sensible program needs for a call, and over in some milliseconds.
    fn default() -> Fuel {
        Fuel { facts: 10_000, steps: 1_000_000 }
    }
}

impl Fuel {
    pub(crate) fn step(&mut self, cost: u64) -> Result<(), Exhausted> {
        self.steps = self.steps.checked_sub(cost).ok_or(Exhausted::Steps)?;
        Ok(())
    }

    pub(crate) fn fact(&mut self) -> Result<(), Exhausted> {
        self.facts = self.facts.checked_sub(1).ok_or(Exhausted::Facts)?;
        Ok(())
    }
}

impl Display for Because<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.predicate)?;
        for (place, value) in self.values.iter().enumerate() {
            formatter.write_str(if place == 0 { "(" } else { ", " })?;
            write!(formatter, "{value}")?;
        }
        formatter.write_str(if self.values.is_empty() { "" } else { ")" })
    }
}
