//! Tests of one form made one: "reddit or quora" is any of two sites.

use super::Draft;
use crate::english::frame::{Role, Slot};
use crate::meaning::{Saying, Test};

/// What several nouns say: any of them, unless they are what alone is allowed.
pub(super) fn join_alternatives(draft: &mut Draft, alternatives: Vec<Vec<Test>>, slot: &Slot, begins: usize) {
    let all = slot.only || slot.role == Role::Without || alternatives.len() < 2;
    if all {
        for test in alternatives.into_iter().flatten() {
            // What another slot says holds besides.
            match draft.tests.len() > begins {
                true => push_merged(draft, test),
                false => draft.tests.push(test),
            }
        }
        return;
    }
    let simple = alternatives.iter().all(|tests| tests.len() == 1);
    if simple && let Some(test) = united(&alternatives) {
        draft.tests.push(test);
        return;
    }
    draft.tests.push(Test::Any(alternatives));
}

/// Tests of one form as one test of several values.
pub(super) fn united(alternatives: &[Vec<Test>]) -> Option<Test> {
    let mut tests = alternatives.iter().flatten().cloned();
    let mut first = tests.next()?;
    for test in tests {
        if !unite(&mut first, &test) {
            return None;
        }
    }
    Some(first)
}

pub(super) fn push_merged(draft: &mut Draft, test: Test) {
    let is_united = draft.tests.last_mut().is_some_and(|last| unite(last, &test));
    if !is_united {
        draft.tests.push(test);
    }
}

/// Adds the values of one test to another, if they have the same form.
pub(super) fn unite(first: &mut Test, other: &Test) -> bool {
    match (first, other) {
        (Test::Says { what, parameter, is }, Test::Says { what: more, parameter: own, is: same })
            if parameter == own && is == same =>
        {
            what.extend(more.iter().cloned())
        }
        (Test::Choice { values, parameter, is }, Test::Choice { values: more, parameter: own, is: same })
            if parameter == own && is == same =>
        {
            values.extend(more.iter().cloned())
        }
        (Test::Branch { patterns, is }, Test::Branch { patterns: more, is: same }) if is == same => {
            patterns.extend(more.iter().cloned())
        }
        (Test::Did { actions, is }, Test::Did { actions: more, is: same }) if is == same => {
            actions.extend(more.iter().cloned())
        }
        (Test::Tool { names, is }, Test::Tool { names: more, is: same }) if is == same => {
            names.extend(more.iter().cloned())
        }
        (Test::Program { names, is }, Test::Program { names: more, is: same }) if is == same => {
            names.extend(more.iter().cloned())
        }
        (Test::About { nouns, is }, Test::About { nouns: more, is: same }) if is == same => {
            nouns.extend(more.iter().cloned())
        }
        (Test::Concerns(names), Test::Concerns(more)) => names.extend(more.iter().cloned()),
        _ => return false,
    }
    true
}

pub(super) fn push_branches(draft: &mut Draft, patterns: Vec<String>, is: bool) {
    if let Some(Test::Branch { patterns: before, is: own }) = draft.tests.last_mut()
        && *own == is
    {
        before.extend(patterns);
        return;
    }
    draft.tests.push(Test::Branch { patterns, is });
}

pub(super) fn push_choice(draft: &mut Draft, values: Vec<String>, parameter: Option<String>, is: bool) {
    if let Some(Test::Choice { values: before, is: own, .. }) = draft.tests.last_mut()
        && *own == is
    {
        before.extend(values);
        return;
    }
    draft.tests.push(Test::Choice { values, parameter, is });
}

pub(super) fn push_says(draft: &mut Draft, says: Vec<Saying>, parameter: Option<String>, is: bool) {
    if let Some(Test::Says { what, is: own, .. }) = draft.tests.last_mut()
        && *own == is
    {
        what.extend(says);
        return;
    }
    draft.tests.push(Test::Says { what: says, parameter, is });
}
