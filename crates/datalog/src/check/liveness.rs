//! Which rules can fire and matter to a goal; the others are warned about and left out.

use super::clause::{Clause, Head, Part, Relation};
use super::names::Names;
use crate::problem::Problems;
use crate::syntax::Rule;

/// The clauses that are worth planning.
pub(super) fn live(
    clauses: Vec<Clause>,
    rules: &[Rule],
    names: &Names<'_>,
    warnings: &mut Problems,
) -> Vec<Clause> {
    let possible = possible(&clauses, names.derived.len());
    let useful = useful(&clauses, names.derived.len());
    for (derived, is_useful) in names.derived.iter().zip(&useful) {
        if !is_useful {
            let message = format!("no `deny` and no `must_ask` depends on `{}`", derived.name);
            warnings.warning(derived.at, message, "its rules do nothing; use it or take it out");
        }
    }
    let is_live = |clause: &Clause| {
        let Some(rule) = rules.get(clause.rule) else { return false };
        if let Some((at, reason)) = &clause.impossible {
            let message = format!("this rule can never fire: {reason}");
            warnings.warning((rule.source, *at), message, "take it out or correct the condition");
            return false;
        }
        let missing = needed(clause).find(|derived| !flag(&possible, *derived));
        if let Some(derived) = missing.and_then(|derived| names.derived.get(derived)) {
            let message = format!("this rule can never fire: `{}` never holds", derived.name);
            let hint = "every rule for it needs it already, or can never fire itself";
            warnings.warning((rule.source, rule.head.at), message, hint);
            return false;
        }
        match clause.head {
            Head::Goal(_) => true,
            Head::Derived(id) => flag(&useful, id),
        }
    };
    let mut is_live = is_live;
    clauses.into_iter().filter(|clause| is_live(clause)).collect()
}

/// The derived predicates that must hold for a clause to fire.
fn needed(clause: &Clause) -> impl Iterator<Item = usize> {
    clause.parts.iter().filter_map(|part| match part {
        Part::Facts { relation: Relation::Derived(id), is_negated: false, .. } => Some(*id),
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => None,
    })
}

/// The derived predicates that a clause asks about.
fn mentioned(clause: &Clause) -> impl Iterator<Item = usize> {
    clause.parts.iter().filter_map(|part| match part {
        Part::Facts { relation: Relation::Derived(id), .. } => Some(*id),
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => None,
    })
}

/// Which derived predicates can hold for some facts: those with a clause all of whose needs can.
fn possible(clauses: &[Clause], count: usize) -> Vec<bool> {
    let mut possible = vec![false; count];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut missing: Vec<usize> = clauses.iter().map(|clause| needed(clause).count()).collect();
    let mut ready = Vec::new();
    for (place, clause) in clauses.iter().enumerate().filter(|(_, clause)| clause.impossible.is_none()) {
        needed(clause).for_each(|id| waiting.get_mut(id).into_iter().for_each(|list| list.push(place)));
        if missing.get(place) == Some(&0) {
            ready.push(place);
        }
    }
    while let Some(place) = ready.pop() {
        let Some(Head::Derived(id)) = clauses.get(place).map(|clause| clause.head) else { continue };
        let Some(is_possible) = possible.get_mut(id).filter(|is_possible| !**is_possible) else { continue };
        *is_possible = true;
        for waiting in waiting.get(id).into_iter().flatten() {
            if let Some(missing) = missing.get_mut(*waiting) {
                *missing -= 1;
                if *missing == 0 {
                    ready.push(*waiting);
                }
            }
        }
    }
    possible
}

/// Which derived predicates a goal depends on.
fn useful(clauses: &[Clause], count: usize) -> Vec<bool> {
    let mut useful = vec![false; count];
    let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut open: Vec<usize> = Vec::new();
    for (place, clause) in clauses.iter().enumerate() {
        match clause.head {
            Head::Goal(_) => open.push(place),
            Head::Derived(id) => by_head.get_mut(id).into_iter().for_each(|list| list.push(place)),
        }
    }
    while let Some(clause) = open.pop().and_then(|place| clauses.get(place)) {
        for id in mentioned(clause) {
            if let Some(is_useful) = useful.get_mut(id).filter(|is_useful| !**is_useful) {
                *is_useful = true;
                open.extend(by_head.get(id).into_iter().flatten());
            }
        }
    }
    useful
}

fn flag(flags: &[bool], at: usize) -> bool {
    flags.get(at).copied().unwrap_or(false)
}
