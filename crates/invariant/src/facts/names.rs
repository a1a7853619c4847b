//! Whether something that is moved is called otherwise afterwards.

use super::CallFacts;

/// Whether a call gives a file or a folder another name.
pub(super) fn renames(facts: &CallFacts<'_>) -> bool {
    let moves = facts.flows.iter().filter(|flow| flow.has_effect("write") && flow.has_effect("del"));
    moves.into_iter().any(|flow| {
        let new: Vec<&str> = flow.outputs().map(last).collect();
        flow.inputs().map(last).any(|old| {
            // A folder that a file goes to has no ending.
            let is_other = |new: &&str| *new != old && (new.contains('.') || !old.contains('.'));
            !new.is_empty() && !old.is_empty() && new.iter().all(is_other)
        })
    })
}

/// Whether a file goes to another folder, whatever it is called there.
pub(super) fn relocates(facts: &CallFacts<'_>) -> bool {
    let mut moves = facts.flows.iter().filter(|flow| flow.has_effect("write") && flow.has_effect("del"));
    moves.any(|flow| {
        let is_elsewhere = |new: &str| flow.inputs().all(|old| folder(old) != folder(new));
        flow.outputs().any(is_elsewhere)
    })
}

/// The folder that a path lies in.
fn folder(name: &str) -> &str {
    let plain = name.trim_end_matches("/**").trim_end_matches('/');
    plain.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path, whatever is below it.
fn last(name: &str) -> &str {
    let plain = name.trim_end_matches("/**").trim_end_matches('/');
    plain.rsplit('/').next().unwrap_or(plain)
}
