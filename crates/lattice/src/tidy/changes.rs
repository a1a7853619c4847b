//! The ways in which one rule can take the place of others.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use crate::refine::common;
use crate::rule::{Boundary, Lifetime, Rule};
use crate::ruleset::Entry;
use crate::scope::Scope;

/// One rule for two that differ in one side only, under the name of the first. It says exactly what both say.
pub(super) fn united(first: &Entry, second: &Entry) -> Option<Entry> {
    let (left, right) = (&first.rule, &second.rule);
    let alike = left.action == right.action
        && left.boundary.effects == right.boundary.effects
        && left.boundary.taint == right.boundary.taint
        && left.lifetime == right.lifetime
        && left.lifetime != Lifetime::Once
        && left.binding == right.binding
        && left.grantor == right.grantor;
    let same_inputs = same(&left.boundary.inputs, &right.boundary.inputs);
    let same_outputs = same(&left.boundary.outputs, &right.boundary.outputs);
    if !alike || !(same_inputs || same_outputs) {
        return None;
    }
    let boundary = Boundary {
        inputs: union(&left.boundary.inputs, &right.boundary.inputs),
        outputs: union(&left.boundary.outputs, &right.boundary.outputs),
        ..left.boundary.clone()
    };
    let rule = Rule { boundary, reason: both(&left.reason, &right.reason), ..left.clone() };
    Some(Entry { id: first.id, rule })
}

fn same(left: &[Scope], right: &[Scope]) -> bool {
    left.iter().all(|scope| right.contains(scope)) && right.iter().all(|scope| left.contains(scope))
}

fn union(left: &[Scope], right: &[Scope]) -> Vec<Scope> {
    let new = right.iter().filter(|scope| !left.contains(scope));
    left.iter().chain(new).cloned().collect()
}

fn both(left: &str, right: &str) -> Box<str> {
    match (left, right) {
        (reason, "") | ("", reason) => reason.into(),
        _ if left == right => left.into(),
        _ => format!("{left}; {right}").into(),
    }
}

/// The rule without one of its scopes, in every way that leaves some.
pub(super) fn narrowed(entry: &Entry) -> Vec<Entry> {
    let without = |boundary: &Boundary, side: fn(&mut Boundary) -> &mut Vec<Scope>| -> Vec<Boundary> {
        let mut whole = boundary.clone();
        let count = side(&mut whole).len();
        let narrower = |number: usize| {
            let mut narrower = boundary.clone();
            side(&mut narrower).remove(number);
            narrower
        };
        if count > 1 { (0..count).map(narrower).collect() } else { Vec::new() }
    };
    let inputs = without(&entry.rule.boundary, |boundary| &mut boundary.inputs);
    let outputs = without(&entry.rule.boundary, |boundary| &mut boundary.outputs);
    inputs.into_iter().chain(outputs).map(|boundary| with_boundary(entry, boundary)).collect()
}

/// The rule with two scopes of a side lifted to one that holds both, in every usual way, the narrowest first.
pub(super) fn lifted(entry: &Entry) -> Vec<(Scope, Entry)> {
    let lift = |boundary: &Boundary, side: fn(&mut Boundary) -> &mut Vec<Scope>| -> Vec<(Scope, Boundary)> {
        let mut whole = boundary.clone();
        let scopes = side(&mut whole).clone();
        let lifts = lifts(&scopes);
        let with = |scope: Scope, kept: Vec<Scope>| {
            let mut lifted = boundary.clone();
            *side(&mut lifted) = kept;
            side(&mut lifted).push(scope.clone());
            (scope, lifted)
        };
        lifts.into_iter().map(|(scope, kept)| with(scope, kept)).collect()
    };
    let inputs = lift(&entry.rule.boundary, |boundary| &mut boundary.inputs);
    let outputs = lift(&entry.rule.boundary, |boundary| &mut boundary.outputs);
    inputs
        .into_iter()
        .chain(outputs)
        .map(|(scope, boundary)| (scope, with_boundary(entry, boundary)))
        .collect()
}

/// A scope that holds two of these, and those that remain beside it.
fn lifts(scopes: &[Scope]) -> Vec<(Scope, Vec<Scope>)> {
    let mut found = Vec::new();
    for (number, left) in scopes.iter().enumerate() {
        for right in scopes.iter().skip(number + 1) {
            // Where a scope says how far out it lies, that is not for tidying to change.
            let (Scope::Named(first), Scope::Named(second)) = (left, right) else { continue };
            for pattern in common(first, second) {
                let inside = |scope: &Scope| matches!(scope, Scope::Named(names) if pattern.contains(names));
                let kept = scopes.iter().filter(|scope| !inside(scope)).cloned().collect();
                found.push((Scope::Named(pattern.clone()), kept));
            }
        }
    }
    found
}

fn with_boundary(entry: &Entry, boundary: Boundary) -> Entry {
    Entry { id: entry.id, rule: Rule { boundary, ..entry.rule.clone() } }
}
