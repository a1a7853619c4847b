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
pub(crate) use strsim::osa_distance as distance;
