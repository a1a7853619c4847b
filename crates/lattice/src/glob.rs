//! Globs over one segment of a name: `*` stands for any run of characters, everything else for itself.
//!
//! Three questions are asked of them. *Containment* has a pleasant answer: the alphabet is larger than any
//! glob, so a glob `a` lies inside `b` exactly if `b` matches the text of `a` with its stars read as a letter
//! that `b` does not know. Since `*` never equals a literal character of `b`, the text of `a` can be used as
//! it is. By the same argument a glob inside a union of globs is inside one of them, which makes the meet
//! below exact.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::order::maximal;

/// Whether every text of `inner` is a text of `outer`. Either may be a plain text.
pub(crate) fn contains(outer: &str, inner: &str) -> bool {
    let (outer, inner) = (outer.as_bytes(), inner.as_bytes());
    let (mut o, mut i) = (0, 0);
    // Where to resume if the literal run after the latest star turns out not to fit.
    let mut resume: Option<(usize, usize)> = None;
    while let Some(&letter) = inner.get(i) {
        match outer.get(o) {
            Some(b'*') => {
                resume = Some((o + 1, i));
                o += 1;
            }
            Some(&expected) if expected == letter => {
                o += 1;
                i += 1;
            }
            _ => match resume {
                Some((after_star, taken)) => {
                    resume = Some((after_star, taken + 1));
                    o = after_star;
                    i = taken + 1;
                }
                None => return false,
            },
        }
    }
    outer.get(o..).unwrap_or_default().iter().all(|&rest| rest == b'*')
}

/// Whether some text belongs to both globs.
pub(crate) fn overlaps(left: &str, right: &str) -> bool {
    // A plain text has itself alone in common with anything, so that it is enough to look for it there.
    if !right.contains('*') {
        return contains(left, right);
    }
    if !left.contains('*') {
        return contains(right, left);
    }
    let (left, right) = (left.as_bytes(), right.as_bytes());
    // `row[j]`: the part of `left` read so far and `right[..j]` have a text in common.
    let mut row = vec![false; right.len() + 1];
    for (i, &l) in core::iter::once(&0).chain(left).enumerate() {
        let mut diagonal = false;
        for j in 0..=right.len() {
            let above = row.get(j).copied().unwrap_or(false);
            let before = j > 0 && row.get(j - 1).copied().unwrap_or(false);
            let r = if j > 0 { right.get(j - 1).copied().unwrap_or(0) } else { 0 };
            let now = if i == 0 {
                j == 0 || (r == b'*' && before)
            } else {
                let star = [l, r].contains(&b'*') && (above || before);
                star || (l == r && j > 0 && diagonal)
            };
            diagonal = above;
            if let Some(cell) = row.get_mut(j) {
                *cell = now;
            }
        }
    }
    row.last().copied().unwrap_or(false)
}

/// The globs whose union is exactly what both match; empty if they have nothing in common.
///
/// The number of results grows with the ways in which literal runs can interleave. Names are short and globs
/// have few stars, so this is small in practice; it is not used on the path of a call.
pub(crate) fn meet(left: &str, right: &str) -> Vec<Box<str>> {
    if contains(left, right) {
        return vec![right.into()];
    }
    if contains(right, left) {
        return vec![left.into()];
    }
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut found: Vec<Box<str>> = Vec::new();
    interleave(&left, &right, &mut String::new(), &mut found);
    maximal(found, |outer, inner| contains(outer, inner))
}

/// Adds to `found` every way of reading `left` and `right` as one text, in front of which `read` stands.
fn interleave(left: &[char], right: &[char], read: &mut String, found: &mut Vec<Box<str>>) {
    let mut step = |left: &[char], right: &[char], letter: Option<char>| {
        let length = read.len();
        // Two stars in a row say nothing that one does not.
        read.extend(letter.filter(|&letter| letter != '*' || !read.ends_with('*')));
        interleave(left, right, read, found);
        read.truncate(length);
    };
    match (left.split_first(), right.split_first()) {
        (None, None) => found.push(read.as_str().into()),
        (Some(('*', rest)), Some(('*', other))) => {
            step(rest, right, Some('*'));
            step(left, other, Some('*'));
        }
        (Some(('*', rest)), None) => step(rest, right, None),
        (None, Some(('*', other))) => step(left, other, None),
        (Some(('*', rest)), Some((letter, other))) => {
            step(rest, right, None);
            step(left, other, Some(*letter));
        }
        (Some((letter, rest)), Some(('*', other))) => {
            step(left, other, None);
            step(rest, right, Some(*letter));
        }
        (Some((l, rest)), Some((r, other))) if l == r => step(rest, other, Some(*l)),
        _ => {}
    }
}
