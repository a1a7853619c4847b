//! Names with wildcards, as shells leave them in an operand (`/p/*.txt`).
//!
//! Two questions with different safe sides: whether two names *may* be about the same thing (then labels are carried),
//! and whether a name is *surely* among those that a pattern means (then a deletion may forget it).

use portcullis_lattice::Reach;
use portcullis_perceive::Use;

use crate::name;

/// What shells expand. Of these only `*` is read; a segment with another may be anything.
const WILD: [char; 4] = ['*', '?', '[', '{'];
const UNREAD: [char; 3] = ['?', '[', '{'];

/// The folder that bounds what a use can mean, if its name has wildcards; nothing if it names one thing.
pub(crate) fn stem(key: &str, reach: Reach) -> Option<&str> {
    (reach != Reach::One && is_wild(key)).then(|| holder(key))
}

/// The nearest thing that contains the key and has no wildcard in its name.
pub(crate) fn holder(key: &str) -> &str {
    name::ancestors(key).find(|above| !is_wild(above)).unwrap_or(key)
}

fn is_wild(key: &str) -> bool {
    name::segments(key).any(|segment| segment.contains(WILD))
}

/// Whether two names, one or both with wildcards, may mean the same thing or one that contains the other. Both lie
/// below the same stem, or the answer is no.
pub(crate) fn may_meet(left: &str, right: &str) -> bool {
    if name::head(left) != name::head(right) {
        return false;
    }
    for (left, right) in name::segments(left).zip(name::segments(right)) {
        if [left, right].iter().any(|segment| segment.contains('{')) {
            return true;
        }
        let meet = match (left.contains(WILD), right.contains(WILD)) {
            (false, false) => left == right,
            (true, false) => left.contains(UNREAD) || matches(left, right),
            (false, true) => right.contains(UNREAD) || matches(right, left),
            (true, true) => true,
        };
        if !meet {
            return false;
        }
    }
    true
}

/// Whether the pattern surely means `key` or something that contains it. A shell's `*` leaves out what begins with a
/// dot, so that is never sure.
pub(crate) fn surely_holds(pattern: &str, key: &str) -> bool {
    let holds = |(glob, segment): (&str, &str)| {
        let hidden = segment.starts_with('.') && !glob.starts_with('.');
        !glob.contains(UNREAD) && !hidden && matches(glob, segment)
    };
    name::head(pattern) == name::head(key)
        && name::depth(pattern) <= name::depth(key)
        && !name::segments(key).any(|segment| segment.contains(WILD))
        && name::segments(pattern).zip(name::segments(key)).all(holds)
}

/// Whether `*` in the glob can stand for what makes it the text. Linear, for only the last `*` is ever tried again.
fn matches(glob: &str, text: &str) -> bool {
    let Some((first, rest)) = glob.split_once('*') else { return glob == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        match text.find(part).and_then(|at| text.get(at + part.len()..)) {
            Some(after) => text = after,
            None => return false,
        }
    }
    true
}

/// The key of a use and, if it has wildcards, its stem.
pub(crate) fn parts(used: &Use) -> (&str, Option<&str>) {
    let key = name::key(&used.name);
    (key, stem(key, used.reach))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_bound_by_their_folder() {
        assert_eq!(stem("/p/a/*.txt", Reach::Subtree), Some("/p/a"));
        assert_eq!(stem("/p/*/b.txt", Reach::Names), Some("/p"));
        assert_eq!(stem("/p/*.txt", Reach::One), None);
        assert_eq!(stem("db:hr.*", Reach::Subtree), Some("db:"));
        assert_eq!(stem("db:", Reach::Subtree), None);
    }

    #[test]
    fn what_may_meet_is_wider_than_what_surely_holds() {
        assert!(may_meet("/p/*.txt", "/p/a.txt") && surely_holds("/p/*.txt", "/p/a.txt"));
        assert!(may_meet("/p/*", "/p/.hidden") && !surely_holds("/p/*", "/p/.hidden"));
        assert!(may_meet("/p/?.txt", "/p/a.txt") && !surely_holds("/p/?.txt", "/p/a.txt"));
        assert!(may_meet("/p/{a,b/c}", "/p/b/c/d") && !surely_holds("/p/{a,b/c}", "/p/b/c/d"));
        assert!(!may_meet("/p/*.txt", "/p/a.rs") && !may_meet("/p/*", "/q/a"));
        assert!(may_meet("/p/a*c*e", "/p/abcde") && !may_meet("/p/a*c*e", "/p/abde"));
        assert!(may_meet("/p/*.txt", "/p/x.txt/deeper") && surely_holds("/p/*.txt", "/p/x.txt/deeper"));
    }
}
