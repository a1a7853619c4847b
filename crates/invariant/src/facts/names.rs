//! Whether something that is moved is called otherwise afterwards, and whether an edit only adds.

use super::CallFacts;
use crate::names;

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

/// Whether a call gives a file another ending.
pub(super) fn changes_ending(facts: &CallFacts<'_>) -> bool {
    let mut moves = facts.flows.iter().filter(|flow| flow.has_effect("write") && flow.has_effect("del"));
    moves.any(|flow| {
        let new: Vec<&str> = flow.outputs().map(last).collect();
        let is_other = |new: &&str, old: &str| ending(new).is_some_and(|end| Some(end) != ending(old));
        flow.inputs()
            .map(last)
            .any(|old| ending(old).is_some() && !new.is_empty() && new.iter().all(|new| is_other(new, old)))
    })
}

/// Whether every edit of a call keeps the text that it replaces.
pub(super) fn only_adds(facts: &CallFacts<'_>) -> bool {
    let is_text = |name: &str| names::has(name, &["text", "string", "str"]);
    let is_new = |name: &str| names::has(name, &["new"]) && is_text(name);
    let old: Vec<&str> =
        facts.arguments.replaced().filter(|(name, _)| is_text(name)).map(|(_, text)| text).collect();
    let new: Vec<&str> =
        facts.arguments.texts().filter(|(name, _)| is_new(name)).map(|(_, text)| text).collect();
    !old.is_empty() && old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| keeps(old, new))
}

/// Whether all lines of a text stand in another, whole and in their order. Where nothing is replaced, nobody knows what is: some tools
/// write the whole file then.
fn keeps(old: &str, new: &str) -> bool {
    let mut lines = new.lines();
    !old.trim().is_empty() && old.lines().all(|line| lines.any(|own| own == line))
}

/// What a file ends with behind its last dot.
fn ending(name: &str) -> Option<&str> {
    name.trim_start_matches('.').rsplit_once('.').map(|(_, end)| end)
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

#[cfg(test)]
mod tests {
    use super::keeps;

    #[test]
    fn only_whole_lines_in_their_order_are_kept() {
        assert!(keeps("flask", "flask\nhttpx"));
        assert!(keeps("a\nb", "a\nnew\nb"));
        for (old, new) in [("1", "100"), ("no", "now"), ("a\nb", "b\na"), ("a\na", "a"), ("", "all anew")] {
            assert!(!keeps(old, new), "{old:?} {new:?}");
        }
    }
}
