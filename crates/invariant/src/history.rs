//! What earlier calls of a session did, and how often, in bounded space.

pub(crate) mod same;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::facts::MILESTONE;
use same::{SAME, Same};

/// So many different things are remembered.
pub const MOST_KEYS: usize = 8_192;
/// So long their names may be, taken together.
pub(crate) const MOST_BYTES: usize = 1 << 22;
/// Stands for what there was no room for. Nothing that a call does is spelled so.
pub(crate) const FORGOTTEN: &str = "\tforgotten";
/// Stands for milestones that there was no room for.
const LOST_MILESTONE: &str = "\tmilestone";
/// In front of what was done since something was forgotten: it may have been done before, and nobody knows how often.
const SINCE: &str = "\tsince ";

/// What earlier calls of a session did, and how often.
///
/// A session that does ever new things fills it. From then on what was not in it may have been done any number of times:
/// rules that ask for it cannot rule out that they are broken. Milestones and values have room of
/// their own.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, u64>", into = "BTreeMap<String, u64>")]
pub struct History {
    counts: BTreeMap<String, u64>,
    bytes: usize,
    same: Same,
}

impl History {
    /// Takes note of what a call did.
    pub fn add(&mut self, what: &[String]) {
        let now = self.same.next();
        for what in what {
            match what.starts_with(SAME) {
                true => self.same.put(what, now),
                false => self.put(what.clone(), 1),
            }
        }
    }

    fn put(&mut self, what: String, times: u64) {
        if let Some(count) = self.counts.get_mut(&what) {
            *count = count.saturating_add(times);
            return;
        }
        let is_mark = what == FORGOTTEN || what == LOST_MILESTONE;
        let is_milestone = what.starts_with(MILESTONE);
        if !self.is_whole() && !is_mark && !is_milestone && !what.starts_with(SINCE) {
            return self.put(format!("{SINCE}{what}"), times);
        }
        // Milestones have room of their own, for rules name them; a rule may have a call name them.
        let room = if is_milestone { 2 } else { 1 };
        let is_full = self.counts.len() >= room * MOST_KEYS
            || self.bytes.saturating_add(what.len()) > room * MOST_BYTES;
        if is_full && !is_mark {
            let mark = if is_milestone { LOST_MILESTONE } else { FORGOTTEN };
            return self.put(mark.to_owned(), 1);
        }
        self.bytes = self.bytes.saturating_add(what.len());
        self.counts.insert(what, times);
    }

    /// How many earlier calls did this; nothing if it may have been forgotten.
    pub(crate) fn count(&self, what: &str) -> Option<u64> {
        match self.counts.get(what) {
            Some(count) => Some(*count),
            None => self.is_whole().then_some(0),
        }
    }

    /// Whether nothing was forgotten.
    pub fn is_whole(&self) -> bool {
        !self.counts.contains_key(FORGOTTEN)
    }

    /// Whether no milestone was forgotten.
    pub(crate) fn has_all_milestones(&self) -> bool {
        !self.counts.contains_key(LOST_MILESTONE)
    }

    /// Whether a call that did this is remembered to have had a value with this digest.
    pub(crate) fn had(&self, act: &str, digest: &str) -> bool {
        self.same.has(act, digest)
    }

    /// Whether calls that did this may have had values that are not remembered.
    pub(crate) fn has_lost_values(&self, act: &str) -> bool {
        self.same.has_lost(act)
    }

    /// What calls did whose values are remembered.
    pub(crate) fn acts_with_values(&self) -> BTreeSet<&str> {
        self.same.acts()
    }

    /// Everything that is remembered, with how often it was done, at least.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counts.iter().map(|(what, count)| (what.strip_prefix(SINCE).unwrap_or(what), *count))
    }
}

impl From<BTreeMap<String, u64>> for History {
    /// What was kept is bounded too, whoever kept it.
    fn from(counts: BTreeMap<String, u64>) -> History {
        let (same, counts): (Vec<_>, Vec<_>) =
            counts.into_iter().partition(|(what, _)| what.starts_with(SAME));
        // What is known comes before the mark that something is not.
        let (marks, known): (Vec<_>, Vec<_>) =
            counts.into_iter().partition(|(what, _)| what.starts_with('\t'));
        let mut history = History::default();
        same.into_iter().for_each(|(what, when)| history.same.put(&what, when));
        known.into_iter().chain(marks).for_each(|(what, times)| history.put(what, times));
        history
    }
}

impl From<History> for BTreeMap<String, u64> {
    fn from(history: History) -> BTreeMap<String, u64> {
        let mut kept = history.counts;
        kept.extend(history.same.kept());
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> History {
        let mut history = History::default();
        history.add(&["mail".to_owned()]);
        for number in 0..2 * MOST_KEYS {
            history.add(&[format!("to sends\tmailto:p{number}@acme.com")]);
        }
        history
    }

    #[test]
    fn a_history_is_bounded_however_much_is_done() {
        let mut history = full();
        assert_eq!(history.counts.len(), MOST_KEYS + 1, "all that fits, and the mark");
        history.add(&["x".repeat(MOST_BYTES)]);
        assert!(history.bytes < MOST_BYTES);
        let mut long = History::default();
        for letter in ["a", "b", "c", "d", "e"] {
            long.add(&[letter.repeat(1 << 20)]);
        }
        assert_eq!((long.counts.len(), long.is_whole()), (5, false), "four long names and the mark");
    }

    #[test]
    fn what_was_not_forgotten_is_counted_on_and_the_rest_is_unknown() {
        let mut history = full();
        assert!(!history.is_whole());
        history.add(&["mail".to_owned()]);
        assert_eq!(history.count("mail"), Some(2));
        assert_eq!(history.count("push"), None);
        assert_eq!(History::default().count("push"), Some(0));
        let mut cut = History::default();
        cut.add(&[FORGOTTEN.to_owned(), "push".to_owned()]);
        cut.add(&["push".to_owned()]);
        assert_eq!(cut.count("push"), None, "twice at least");
        assert!(cut.counts().any(|(what, _)| what == "push"), "but done");
        history.add(&[format!("{MILESTONE}tests")]);
        assert_eq!(history.count(&format!("{MILESTONE}tests")), Some(1), "milestones have room of their own");
        assert!(history.has_all_milestones());
        (0..3 * MOST_KEYS).for_each(|number| history.add(&[format!("{MILESTONE}{number}")]));
        assert!(!history.has_all_milestones() && history.counts.len() <= 2 * MOST_KEYS + 2);
    }

    #[test]
    fn a_history_is_kept_with_what_it_forgot() {
        let history = full();
        let kept = serde_json::to_string(&history).unwrap();
        assert_eq!(serde_json::from_str::<History>(&kept).unwrap(), history);
        let mut valued = History::default();
        for number in 0..2 * same::MOST_SAME {
            valued.add(&[same::had("view", &same::digest(&number.to_string())), "view".to_owned()]);
        }
        let kept = serde_json::to_string(&valued).unwrap();
        let loaded = serde_json::from_str::<History>(&kept).unwrap();
        assert_eq!(loaded, valued);
        assert!(loaded.is_whole() && loaded.has_lost_values("view") && !loaded.has_lost_values("merge"));
        let many: BTreeMap<String, u64> = (0..3 * MOST_KEYS).map(|number| (number.to_string(), 1)).collect();
        let loaded = History::from(many);
        assert!(!loaded.is_whole() && loaded.counts.len() <= MOST_KEYS + 1);
    }
}
