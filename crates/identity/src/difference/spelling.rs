//! Whether two texts differ in spelling only.

use crate::suspicion::LONGEST_PROSE;

/// Longer ones are no words, and comparing them letter by letter would take long.
const LONGEST_WORD: usize = 40;

/// Whether the words are the same, but for case, punctuation and a letter or two in long plain words.
pub(super) fn is_same(old: &str, new: &str) -> bool {
    if old.len().max(new.len()) > LONGEST_PROSE {
        return false;
    }
    let (old, new) = (plain(old), plain(new));
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old == new || is_typo(old, new))
}

fn plain(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|letter: char| letter.is_ascii_punctuation()).to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

fn is_typo(old: &str, new: &str) -> bool {
    // Numbers, names, paths and addresses have no typos, and neither have words like `not` and `now`.
    let is_plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let shortest = old.len().min(new.len());
    let most = match shortest {
        0..4 => return false,
        4..7 => 1,
        7..LONGEST_WORD => 2,
        _ => return false,
    };
    // `encrypted` and `unencrypted` are two words.
    old.len().max(new.len()) < LONGEST_WORD + 3
        && is_plain(old)
        && is_plain(new)
        && !old.ends_with(new)
        && !new.ends_with(old)
        && distance(old, new) <= most
}

/// How many letters must be added, left out, changed or swapped with their neighbour.
pub(crate) fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let changed = at(&above, column) + usize::from(letter != other);
            let added = at(&above, column + 1).min(at(&current, column)) + 1;
            let is_swap = row > 0
                && column > 0
                && left.get(row - 1) == Some(other)
                && right.get(column - 1) == Some(letter);
            let swapped = if is_swap { at(&before, column - 1) + 1 } else { usize::MAX };
            current.push(changed.min(added).min(swapped));
        }
        before = std::mem::replace(&mut above, current);
    }
    at(&above, right.len())
}
