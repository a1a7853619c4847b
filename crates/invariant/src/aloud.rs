//! Rules in Datalog, read aloud: so that a user sees what a rule says, and not what somebody says that it does.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use portcullis_datalog::{Atom, Comparison, Constant, Literal, Operator, Rule, Term};

use crate::meaning::Place;
use crate::say::say_source;

const PHRASES: &str = include_str!("../data/propose/phrases.toml");

/// How each fact and filter is read: `{1}` is its first column.
static READ: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| toml::from_str(PHRASES).unwrap_or_default());

/// Each rule, and below it its conditions, a line each; then where the data comes from that they follow.
pub(crate) fn say(rules: &[Rule], sources: &[(String, Place)]) -> Vec<String> {
    let followed =
        |(name, place): &(String, Place)| format!("“{name}” is data that comes from {}.", say_source(place));
    rules.iter().flat_map(rule).chain(sources.iter().map(followed)).collect()
}

fn rule(rule: &Rule) -> Vec<String> {
    let begins = match &*rule.head.predicate {
        "deny" => "Refused is a call of which all of this holds:".to_owned(),
        "must_ask" => "Asked about each time is a call of which all of this holds:".to_owned(),
        _ if rule.body.is_empty() => format!("{}.", atom(&rule.head)),
        _ => format!("{}, if all of this holds:", atom(&rule.head)),
    };
    std::iter::once(begins).chain(rule.body.iter().map(|one| format!("  {}", literal(one)))).collect()
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Holds(own) => atom(own),
        Literal::Fails(own) => format!("it is not so that {}", atom(own)),
        Literal::Compares(Comparison { left, operator, right, .. }) => {
            let lies = match operator {
                Operator::Equal => "is",
                Operator::NotEqual => "is not",
                Operator::Less => "is less than",
                Operator::LessOrEqual => "is at most",
                Operator::Greater => "is more than",
                Operator::GreaterOrEqual => "is at least",
            };
            format!("{} {lies} {}", term(left), term(right))
        }
    }
}

fn atom(atom: &Atom) -> String {
    let terms: Vec<String> = atom.arguments.iter().map(term).collect();
    match READ.get(&*atom.predicate) {
        Some(phrase) => fill(phrase, &terms),
        None if terms.is_empty() => format!("`{}` holds", atom.predicate),
        None => format!("`{}` holds of {}", atom.predicate, terms.join(", ")),
    }
}

/// A phrase with the terms in their places. In one pass, for a term may look like a place.
fn fill(phrase: &str, terms: &[String]) -> String {
    let mut filled = String::new();
    let mut rest = phrase;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (place, behind) = after.split_once('}').unwrap_or((after, ""));
        let term = place.parse::<usize>().ok().and_then(|place| terms.get(place.checked_sub(1)?));
        filled.push_str(term.map_or("?", String::as_str));
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

fn term(term: &Term) -> String {
    match term {
        Term::Variable(name) => name.to_string(),
        Term::Anonymous => "anything".to_owned(),
        Term::Constant(Constant::Text(text)) => format!("“{text}”"),
        Term::Constant(Constant::Number(number)) => number.to_string(),
    }
}
