//! Two texts, word by word.
//!
//! Written by hand and not taken from a library: those that are well kept bound their work by a clock, and here the same
//! two texts must give the same answer on a loaded machine.

use crate::suspicion::visible;

/// A run of text that is in both, only in the old, or only in the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    /// In both.
    Same(String),
    /// Only in the old one.
    Old(String),
    /// Only in the new one.
    New(String),
}

/// How many edits are looked for; texts that differ by more are told as replaced between what they have in common.
const MOST_EDITS: usize = 600;

/// The runs of two texts. The old one is what is in both and in the old; the new one likewise.
pub fn words(old: &str, new: &str) -> Vec<Run> {
    let (old, new) = (pieces(old), pieces(new));
    let front = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let (old_rest, new_rest) = (old.get(front..).unwrap_or_default(), new.get(front..).unwrap_or_default());
    let back =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(one, other)| one == other).count();
    let old_middle = old_rest.get(..old_rest.len() - back).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - back).unwrap_or_default();

    let mut runs = Runs::default();
    old.iter().take(front).for_each(|piece| runs.push(Kind::Same, piece));
    match kept(old_middle, new_middle) {
        Some(kept) => interleave(old_middle, new_middle, &kept, &mut runs),
        None => {
            old_middle.iter().for_each(|piece| runs.push(Kind::Old, piece));
            new_middle.iter().for_each(|piece| runs.push(Kind::New, piece));
        }
    }
    old_rest.iter().skip(old_rest.len() - back).for_each(|piece| runs.push(Kind::Same, piece));
    runs.runs
}

/// Words, the blanks between them, and marks of punctuation, each by itself.
fn pieces(text: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        _ if letter.is_alphanumeric() || letter == '_' => 0,
        _ if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, letter) in text.char_indices() {
        let ends = before.is_some_and(|before| kind(before) != kind(letter) || kind(letter) == 2);
        if ends {
            pieces.extend(text.get(start..at));
            start = at;
        }
        before = Some(letter);
    }
    pieces.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

/// The pairs of places of the pieces that stay, by Myers' greedy algorithm; none if there are too many edits.
fn kept(old: &[&str], new: &[&str]) -> Option<Vec<(usize, usize)>> {
    let most = (old.len() + new.len()).min(MOST_EDITS) as isize;
    let width = (2 * most + 3) as usize;
    let middle = most + 1;
    let read = |row: &[usize], diagonal: isize| row.get((middle + diagonal) as usize).copied().unwrap_or(0);
    let mut furthest = vec![0_usize; width];
    let mut history: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most {
        history.push(furthest.clone());
        let mut diagonal = -edits;
        while diagonal <= edits {
            let down = diagonal == -edits
                || diagonal != edits && read(&furthest, diagonal - 1) < read(&furthest, diagonal + 1);
            let mut x = if down { read(&furthest, diagonal + 1) } else { read(&furthest, diagonal - 1) + 1 };
            while step(old, new, x, diagonal) {
                x += 1;
            }
            if let Some(slot) = furthest.get_mut((middle + diagonal) as usize) {
                *slot = x;
            }
            if x >= old.len() && x as isize - diagonal >= new.len() as isize {
                return Some(walk_back(&history, edits, diagonal, x, middle));
            }
            diagonal += 2;
        }
    }
    None
}

/// Whether the pieces at this place are the same.
fn step(old: &[&str], new: &[&str], x: usize, diagonal: isize) -> bool {
    let y = x as isize - diagonal;
    usize::try_from(y).is_ok_and(|y| old.get(x).is_some_and(|piece| new.get(y) == Some(piece)))
}

fn walk_back(
    history: &[Vec<usize>],
    edits: isize,
    mut diagonal: isize,
    mut x: usize,
    middle: isize,
) -> Vec<(usize, usize)> {
    let mut kept = Vec::new();
    for edit in (0..=edits).rev() {
        let row = history.get(edit as usize).map(Vec::as_slice).unwrap_or_default();
        let read = |diagonal: isize| row.get((middle + diagonal) as usize).copied().unwrap_or(0);
        let down = diagonal == -edit || diagonal != edit && read(diagonal - 1) < read(diagonal + 1);
        let previous = if down { diagonal + 1 } else { diagonal - 1 };
        let start = if edit == 0 { 0 } else { read(previous) };
        let after = if edit == 0 || down { start } else { start + 1 };
        while x > after {
            x -= 1;
            kept.push((x, (x as isize - diagonal) as usize));
        }
        x = start;
        diagonal = previous;
    }
    kept.reverse();
    kept
}

fn interleave(old: &[&str], new: &[&str], kept: &[(usize, usize)], runs: &mut Runs) {
    let (mut x, mut y) = (0, 0);
    for (next_x, next_y) in kept.iter().copied().chain([(old.len(), new.len())]) {
        old.iter().take(next_x).skip(x).for_each(|piece| runs.push(Kind::Old, piece));
        new.iter().take(next_y).skip(y).for_each(|piece| runs.push(Kind::New, piece));
        if let Some(piece) = old.get(next_x) {
            runs.push(Kind::Same, piece);
        }
        (x, y) = (next_x + 1, next_y + 1);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Same,
    Old,
    New,
}

#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
}

impl Runs {
    fn push(&mut self, kind: Kind, piece: &str) {
        match (kind, self.runs.last_mut()) {
            (Kind::Same, Some(Run::Same(text)))
            | (Kind::Old, Some(Run::Old(text)))
            | (Kind::New, Some(Run::New(text))) => text.push_str(piece),
            (Kind::Same, _) => self.runs.push(Run::Same(piece.to_owned())),
            (Kind::Old, _) => self.runs.push(Run::Old(piece.to_owned())),
            (Kind::New, _) => self.runs.push(Run::New(piece.to_owned())),
        }
    }
}

/// The runs as one text with marks: `[-old-]` and `{+new+}`. What is not seen is written out.
pub fn marked(runs: &[Run]) -> String {
    let mut text = String::new();
    for run in runs {
        text.push_str(&match run {
            Run::Same(same) => visible(same),
            Run::Old(old) => format!("[-{}-]", visible(old)),
            Run::New(new) => format!("{{+{}+}}", visible(new)),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_that_changed_are_marked() {
        let cases = [
            ("Reads a file.", "Reads a file.", "Reads a file."),
            ("Reads a fiel.", "Reads a file.", "Reads a [-fiel-]{+file+}."),
            ("Reads a file.", "Reads a large file at once.", "Reads a {+large +}file{+ at once+}."),
            ("", "New", "{+New+}"),
            ("Old", "", "[-Old-]"),
            ("a\u{200b}b", "ab", "[-a\\u{200b}b-]{+ab+}"),
        ];
        for (old, new, expected) in cases {
            assert_eq!(marked(&words(old, new)), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn runs_make_up_both_texts(old in "[ab c.]{0,40}", new in "[ab c.]{0,40}") {
            let runs = words(&old, &new);
            let side = |keep: fn(&Run) -> &str| runs.iter().map(keep).collect::<String>();
            prop_assert_eq!(side(|run| match run { Run::Same(text) | Run::Old(text) => text, Run::New(_) => "" }), old);
            prop_assert_eq!(side(|run| match run { Run::Same(text) | Run::New(text) => text, Run::Old(_) => "" }), new);
        }
    }
}
