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

/// The last part of a path, whatever is below it.
fn last(name: &str) -> &str {
    let plain = name.trim_end_matches("/**").trim_end_matches('/');
    plain.rsplit('/').next().unwrap_or(plain)
}
