//! Rules as policies of Cedar, for other programs that decide by them and as a second opinion in tests.
//!
//! A rule is exported as a whole or not at all: each of its alternatives becomes a `forbid` that holds exactly where the
//! rule fires, also where it fires because something is not known. Cedar cannot look through a set, so a call is put to
//! it in several requests: see [`SCHEMA`].

mod condition;
mod expand;
mod expressions;
mod marks;
mod moments;
mod names;
mod request;
mod said;
mod slots;
mod thing;
mod translate;
mod values;

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use portcullis_datalog::{Constant, Goal, Rule, Term};

use crate::meaning::Verdict;
use crate::rulebook::Rulebook;
use condition::Condition;
use expand::Derived;
pub use request::{Request, RequestError, requests};
pub use slots::Slot;

/// What policies are about, as a schema of Cedar.
pub const SCHEMA: &str = include_str!("../data/calls.cedarschema");

/// A rule, exported or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// What the user wrote.
    pub sentence: String,
    /// The policies, or why there are none.
    pub policies: Result<Vec<Policy>, Misfit>,
}

/// A `forbid`. It is printed as Cedar reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Its name, unlike that of any other.
    pub id: String,
    /// What a refused call is told.
    pub reason: String,
    /// What follows: a question has an annotation that says so, for Cedar only knows refusals.
    pub verdict: Verdict,
    /// What requests have to be made for.
    pub slots: BTreeSet<Slot>,
    condition: Condition,
}

/// Why a rule cannot be said in Cedar.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// Cedar has no way to ask this about a text.
    #[error("Cedar has no words for `{0}`")]
    Filter(String),
    /// The schema has no place for it.
    #[error("the schema has no place for `{0}` as it is asked here")]
    Fact(String),
    /// It needs two of what a request has one of.
    #[error("it is about two things that are the `{0}` of one request")]
    Two(&'static str),
    /// Values are tied to each other.
    #[error("it compares values in a way that Cedar cannot")]
    Joined,
    /// A negation over everything that there is of something.
    #[error("an exception asks about all of something, which Cedar cannot look through")]
    ForAll,
    /// It stands on itself.
    #[error("it stands on itself, and Cedar has no recursion")]
    Recursion,
    /// Its reason is taken from a fact.
    #[error("its reason is taken from a fact")]
    Reason,
    /// What is asked for has no words, or too many in a row.
    #[error("it asks for no word, or for more than {} in a row", names::MOST_WORDS)]
    Words,
    /// It has too many alternatives.
    #[error("it has too many alternatives")]
    TooMany,
}

/// Exports rules, each as a whole or not at all.
pub fn export(book: &Rulebook) -> Vec<Exported> {
    let rules = book.rules();
    let of = |(number, stated): (u32, &crate::rulebook::Stated)| {
        let own = |rule: &&Rule| rule.source.0 == number && goal(rule).is_some();
        let own: Vec<&Rule> = rules.iter().filter(own).collect();
        Exported { sentence: stated.sentence.clone(), policies: policies(&own, rules, number) }
    };
    (0u32..).zip(book.stated()).map(of).collect()
}

fn goal(rule: &Rule) -> Option<Goal> {
    Goal::ALL.into_iter().find(|goal| goal.name() == &*rule.head.predicate)
}

fn policies(own: &[&Rule], all: &[Rule], number: u32) -> Result<Vec<Policy>, Misfit> {
    let mut derived = Derived::of(all);
    let mut policies: Vec<Policy> = Vec::new();
    for rule in own {
        let [Term::Constant(Constant::Text(reason))] = rule.head.arguments.as_slice() else {
            return Err(Misfit::Reason);
        };
        let verdict = match goal(rule) {
            Some(Goal::MustAsk) => Verdict::Ask,
            Some(Goal::Deny) | None => Verdict::Deny,
        };
        for body in derived.bodies(&rule.body)? {
            let translate::Translated { condition, slots } = translate::translate(&body, &mut derived)?;
            let id = format!("rule-{}.{}", number + 1, policies.len() + 1);
            policies.push(Policy { id, reason: reason.to_string(), verdict, slots, condition });
        }
    }
    Ok(policies)
}

impl Display for Policy {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "@id({})", condition::text(&self.id))?;
        writeln!(formatter, "@reason({})", condition::text(&self.reason))?;
        if self.verdict == Verdict::Ask {
            writeln!(formatter, "@verdict(\"ask\")")?;
        }
        writeln!(formatter, "forbid (principal, action == Action::\"call\", resource)")?;
        let lines: Vec<String> = self.condition.lines().iter().map(|line| format!("  {line}")).collect();
        write!(formatter, "when {{\n{}\n}};", lines.join(" &&\n"))
    }
}
