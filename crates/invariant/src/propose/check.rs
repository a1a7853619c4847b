//! Rules of a model are checked as those of anybody else, and more: what could never fire, or is about tools and
//! arguments that nobody has, is a misunderstanding.

use std::collections::BTreeSet;

use portcullis_datalog::{Goal, Literal, Problem, Rule, Source, read};

use super::Task;
use super::answer::Rules;
use crate::adopt::{Adopted, Adopter};
use crate::aloud;
use crate::examples;
use crate::facts::MILESTONES;
use crate::known::Known;
use crate::meaning::Place;
use crate::rulebook::{Rulebook, RulebookError, Stated};
use crate::schema::Vocabulary;
use crate::stand_in::Places;
use crate::trial::{Trial, TrialError};
use crate::write::Written;

/// Rules that may be proposed.
pub(super) struct Checked {
    pub(super) stated: Stated,
    pub(super) says: Vec<String>,
    pub(super) book: Rulebook,
}

/// Checks rules, or says all that is wrong with them.
pub(super) fn check(rules: &Rules, task: &Task<'_>) -> Result<Checked, Vec<String>> {
    let places = Places::of(task.ground.layout());
    let read = read_all(&rules.rules)?;
    let written: Vec<String> = read.iter().map(ToString::to_string).collect();
    let mut problems = Vec::new();
    let own: BTreeSet<String> = read.iter().map(|rule| rule.head.predicate.to_string()).collect();
    let vocabulary = Vocabulary::built_in().map_err(|why| vec![why])?;
    let taken = vocabulary.schema().words().filter(|(name, ..)| own.contains(*name));
    problems.extend(taken.map(|(name, ..)| format!("`{name}` is told of a call and cannot be derived")));
    problems
        .extend(read.iter().filter(|rule| stops_all(rule)).map(|rule| format!("`{rule}` stops every call")));
    problems.extend(milestones(&read, &own));
    let adopter = Adopter { places: &places, own: &own, prefix: task.prefix, reason: Some(task.sentence) };
    let Adopted { rules: read, problems: unplaced } = adopter.adopt(read);
    problems.extend(unplaced.into_iter().map(|(_, problem)| problem));
    let sources = sources(rules, &places, &mut problems);
    let unknown = Known::of(task.tools).problems(&read, &sources);
    problems.extend(unknown.into_iter().map(|unknown| unknown.message));
    if !problems.is_empty() {
        return Err(problems);
    }
    let text = read.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let stated = Stated { sentence: task.sentence.to_owned(), written: Written { text, sources } };
    let book = Rulebook::new(vec![stated.clone()]).map_err(|error| match error {
        RulebookError::Datalog(problems) => {
            problems.as_slice().iter().map(|one| told(one, &written)).collect()
        }
        RulebookError::Vocabulary(why) => vec![why],
    })?;
    let odd: Vec<String> = book.warnings().iter().map(|one| told(one, &written)).collect();
    if !odd.is_empty() {
        return Err(odd);
    }
    let says = aloud::say(&read, &stated.written.sources);
    Ok(Checked { stated, says, book })
}

fn stops_all(rule: &Rule) -> bool {
    let is_goal = Goal::ALL.iter().any(|goal| goal.name() == &*rule.head.predicate);
    is_goal && rule.body.is_empty()
}

/// Milestones are shared by all rules, so no proposal has any.
fn milestones(rules: &[Rule], own: &BTreeSet<String>) -> Vec<String> {
    let told = |literal: &Literal| match literal {
        Literal::Holds(atom) | Literal::Fails(atom) if &*atom.predicate == "earlier" => {
            Some(format!("`{atom}`: milestones are for all rules; use `earlier_to` or `calls`"))
        }
        Literal::Holds(_) | Literal::Fails(_) | Literal::Compares(_) => None,
    };
    let stated =
        own.contains(MILESTONES).then(|| format!("`{MILESTONES}` is for all rules and cannot be derived"));
    rules.iter().flat_map(|rule| &rule.body).filter_map(told).chain(stated).collect()
}

fn read_all(texts: &[String]) -> Result<Vec<Rule>, Vec<String>> {
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for text in texts {
        match read(text, Source::default()) {
            Ok(read) => rules.extend(read),
            Err(found) => {
                let of_this = |one: &Problem| format!("in `{text}`: {}; {}", one.message, one.hint);
                problems.extend(found.as_slice().iter().map(of_this));
            }
        }
    }
    if problems.is_empty() { Ok(rules) } else { Err(problems) }
}

/// A problem with the rule as the model wrote it; rules stand on a line each.
fn told(problem: &Problem, written: &[String]) -> String {
    let Problem { at, message, hint, .. } = problem;
    let rule = usize::try_from(at.line).ok().and_then(|line| written.get(line.checked_sub(1)?));
    format!("in `{}`: {message}; {hint}", rule.map_or("the rules", String::as_str))
}

/// Whether plain calls of all tools are stopped, where there is more than one tool.
pub(super) fn stops_everything(book: &Rulebook, task: &Task<'_>) -> Result<bool, TrialError> {
    let calls = examples::plain_calls(task.tools, task.ground.layout());
    for call in &calls {
        let tried = Trial::new(task.tools, task.ground, book).call(call, Some(task.now))?;
        if tried.breaches.is_empty() {
            return Ok(false);
        }
    }
    Ok(calls.len() > 1)
}

/// The places to follow, each under its name.
fn sources(rules: &Rules, places: &Places, problems: &mut Vec<String>) -> Vec<(String, Place)> {
    let mut sources = Vec::new();
    for (name, source) in &rules.follow {
        match source.place(places) {
            Ok(_) if source.is_empty() => problems.push(format!("`follow` says no place for `{name}`")),
            Ok(place) => sources.push((name.clone(), place)),
            Err(problem) => problems.push(problem),
        }
    }
    sources
}
