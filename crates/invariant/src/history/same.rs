//! Values that earlier calls of a session had, in bounded space: the oldest are forgotten first.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

/// How the history spells that a call which did something had a value. Nothing that a call does is spelled so.
pub(crate) const SAME: &str = "\tsame ";
/// So many values are remembered.
pub(crate) const MOST_SAME: usize = 4_096;
/// So long what was done may be spelled, with its value.
const LONGEST: usize = 256;
/// Of so many acts it is told one by one that values were forgotten.
const MOST_LOST: usize = 64;
/// So many bytes of a digest are kept: nobody finds two values that share them.
const DIGEST: usize = 16;
/// Stands for every act.
const ANY: &str = "";

/// Which values calls that did something had, as digests: what was in a call is nobody's business afterwards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Same {
    /// What was done with which value, and when last.
    seen: BTreeMap<String, u64>,
    /// Acts of whose values some were forgotten.
    lost: BTreeSet<String>,
    latest: u64,
}

/// A value as it is remembered.
pub(crate) fn digest(value: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let nibbles =
        Sha256::digest(value.as_bytes()).into_iter().take(DIGEST).flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.filter_map(|nibble| DIGITS.get(usize::from(nibble))).map(|digit| char::from(*digit)).collect()
}

/// How the history spells that a call which did this had a value with this digest.
pub(crate) fn had(act: &str, digest: &str) -> String {
    format!("{SAME}{act}\t{digest}")
}

/// How it spells that such a call had values that are not remembered.
pub(crate) fn lost(act: &str) -> String {
    had(act, "")
}

impl Same {
    /// The moment of the next call.
    pub(super) fn next(&self) -> u64 {
        self.latest.saturating_add(1)
    }

    /// Takes note of what [`had`] or [`lost`] spelled.
    pub(super) fn put(&mut self, key: &str, when: u64) {
        let key = key.strip_prefix(SAME).unwrap_or(key);
        self.latest = self.latest.max(when);
        match key.rsplit_once('\t') {
            Some((act, "")) => self.lose(act),
            Some(_) if key.len() <= LONGEST => {
                let last = self.seen.entry(key.to_owned()).or_insert(when);
                *last = when.max(*last);
                if self.seen.len() > MOST_SAME {
                    self.forget_oldest();
                }
            }
            _ => self.lose(ANY),
        }
    }

    fn lose(&mut self, act: &str) {
        let is_kept = self.lost.len() < MOST_LOST && act.len() <= LONGEST;
        self.lost.insert(if is_kept { act } else { ANY }.to_owned());
    }

    /// A quarter at once, so that this is seldom done.
    fn forget_oldest(&mut self) {
        let mut moments: Vec<u64> = self.seen.values().copied().collect();
        moments.sort_unstable();
        let last = moments.get(moments.len() / 4).copied().unwrap_or(self.latest);
        let old: Vec<String> =
            self.seen.iter().filter(|(_, when)| **when <= last).map(|(key, _)| key.clone()).collect();
        for key in old {
            self.seen.remove(&key);
            self.lose(key.rsplit_once('\t').map_or(ANY, |(act, _)| act));
        }
    }

    /// Whether a call that did this is remembered to have had a value with this digest.
    pub(super) fn has(&self, act: &str, digest: &str) -> bool {
        self.seen.contains_key([act, "\t", digest].concat().as_str())
    }

    /// Whether values of calls that did this were forgotten.
    pub(super) fn has_lost(&self, act: &str) -> bool {
        self.lost.contains(act) || self.lost.contains(ANY)
    }

    /// Everything that was done with values.
    pub(super) fn acts(&self) -> BTreeSet<&str> {
        let seen = self.seen.keys().filter_map(|key| key.rsplit_once('\t')).map(|(act, _)| act);
        seen.chain(self.lost.iter().map(String::as_str)).collect()
    }

    /// As it is kept.
    pub(super) fn kept(self) -> impl Iterator<Item = (String, u64)> {
        let latest = self.latest;
        let lost = self.lost.into_iter().map(move |act| (lost(&act), latest));
        self.seen.into_iter().map(|(key, when)| (format!("{SAME}{key}"), when)).chain(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(values: usize) -> Same {
        let mut same = Same::default();
        for number in 0..values {
            let now = same.next();
            same.put(&had("view", &digest(&number.to_string())), now);
        }
        same
    }

    #[test]
    fn the_oldest_values_are_forgotten_first_and_the_act_is_known_to_have_had_more() {
        let same = filled(MOST_SAME);
        assert!(same.has("view", &digest("0")) && !same.has_lost("view"), "all that fits");
        let same = filled(3 * MOST_SAME);
        assert!(same.seen.len() <= MOST_SAME);
        assert!(same.has("view", &digest(&(3 * MOST_SAME - 1).to_string())));
        assert!(!same.has("view", &digest("0")) && same.has_lost("view"));
        assert!(!same.has_lost("merge"), "of other acts nothing was forgotten");
    }

    #[test]
    fn a_value_that_is_used_again_is_not_old() {
        let mut same = filled(MOST_SAME);
        let now = same.next();
        same.put(&had("view", &digest("0")), now);
        same.put(&had("view", &digest("one more")), now);
        assert!(same.has("view", &digest("0")) && !same.has("view", &digest("1")));
    }

    #[test]
    fn what_is_spelled_too_long_or_lost_too_often_is_lost_for_every_act() {
        let mut long = Same::default();
        long.put(&had(&"x".repeat(LONGEST), &digest("1")), 1);
        assert!(long.has_lost("view") && long.seen.is_empty());
        let mut many = Same::default();
        (0..=2 * MOST_LOST).for_each(|number| many.put(&lost(&number.to_string()), 1));
        assert!(many.has_lost("view") && many.lost.len() <= MOST_LOST + 1);
    }

    #[test]
    fn a_digest_tells_values_apart_and_does_not_show_them() {
        assert_eq!(digest("17"), digest("17"));
        assert_ne!(digest("17"), digest("71"));
        assert_eq!(digest("a secret").len(), 2 * DIGEST);
    }
}
