//! What is in force at each call of a replay.
//!
//! What changed while the session went on happens again where it happened. What changed after its last call counts from its
//! first call on, and so do the changes that are tried.

use std::collections::BTreeSet;

use portcullis_gateway::RecordedLayout;
use portcullis_invariant::{Stated, Written};
use portcullis_lattice::{Entry, Lifetime, Rule};
use portcullis_store::SessionId;

use super::log::{KnownRule, KnownSentence, Log, SessionLog};

/// What is changed, with everything read and found.
#[derive(Clone, Default)]
pub(super) struct Change {
    /// All rules, in place of those of the log.
    pub(super) rules: Option<Vec<Entry>>,
    /// Rules that are added.
    pub(super) added: Vec<Entry>,
    /// Rules that do not count.
    pub(super) without: BTreeSet<u64>,
    /// All sentences, in place of those that were stated.
    pub(super) sentences: Option<Vec<String>>,
    /// Sentences that are added.
    pub(super) stated: Vec<String>,
    /// Sentences that do not count.
    pub(super) unstated: BTreeSet<u64>,
}

impl Change {
    /// Whether nothing is changed.
    pub(super) fn is_none(&self) -> bool {
        self.rules.is_none()
            && self.sentences.is_none()
            && self.added.is_empty()
            && self.without.is_empty()
            && self.stated.is_empty()
            && self.unstated.is_empty()
    }
}

/// What is in force in the replay of one session.
pub(super) struct Standing<'s> {
    pub(super) log: &'s Log,
    pub(super) session: SessionId,
    /// What rules call it.
    pub(super) name: String,
    pub(super) of_session: &'s SessionLog,
    /// The number of the entry of the last call.
    pub(super) last: u64,
    pub(super) change: &'s Change,
    /// What settings state today; nothing where only the log counts.
    pub(super) settings: Option<Vec<String>>,
    /// Answers to questions of calls that are replayed.
    pub(super) answers: BTreeSet<u64>,
}

/// What came of the replay so far.
#[derive(Default)]
pub(super) struct Course {
    /// Answers to questions that were asked again.
    pub(super) given: BTreeSet<u64>,
    /// Rules for one call that were used.
    pub(super) used: BTreeSet<u64>,
}

impl<'s> Standing<'s> {
    /// The rules that count for the call of an entry, with their numbers.
    pub(super) fn rules_at(&self, sequence: u64, course: &Course) -> Vec<(u64, &'s Rule)> {
        let told = |entry: &'s Entry| (entry.id.0, &entry.rule);
        let mut rules: Vec<(u64, &Rule)> = match &self.change.rules {
            Some(rules) => rules.iter().map(told).collect(),
            None => {
                let counts = |known: &&KnownRule| self.gone(known, sequence, course).is_none();
                let known = self.log.rules.iter().filter(counts);
                known.filter_map(|known| Some((known.id, known.rule.as_ref()?))).collect()
            }
        };
        rules.extend(self.change.added.iter().map(told));
        rules.retain(|(id, _)| !course.used.contains(id));
        rules
    }

    /// Why a rule of the log does not count for the call of an entry; nothing if it does.
    fn gone(&self, known: &KnownRule, sequence: u64, course: &Course) -> Option<&'static str> {
        let is_elsewhere =
            |rule: &Rule| matches!(&rule.lifetime, Lifetime::Session(name) if **name != *self.name);
        let is_past = |number: u64| number < self.last;
        let is_own = known.answer.is_some_and(|answer| self.answers.contains(&answer));
        match () {
            () if self.change.without.contains(&known.id) => Some("is left out"),
            () if known.rule.as_ref().is_none_or(is_elsewhere) => Some("is for another session"),
            () if known.spent.is_some_and(|session| session != self.session) => Some("was used elsewhere"),
            () if known.revoked.is_some_and(|end| !is_past(end)) => Some("was revoked since"),
            () if known.revoked.is_some_and(|end| end < sequence) => Some("was revoked"),
            () if (is_own || is_past(known.added)) && known.added > sequence => Some("came later"),
            () if is_own && known.answer.is_none_or(|answer| !course.given.contains(&answer)) => {
                Some("was the answer to a question that is not asked any more")
            }
            () => None,
        }
    }

    /// Why rules by which a call was decided then do not count for it, in words.
    pub(super) fn why_gone(&self, ids: &[u64], sequence: u64, course: &Course) -> Vec<String> {
        let known = |id: &u64| self.log.rules.iter().find(|known| known.id == *id);
        let mut words = Vec::new();
        for known in ids.iter().filter_map(known) {
            let why = match (&self.change.rules, course.used.contains(&known.id)) {
                (Some(_), _) => Some("is replaced"),
                (None, true) => Some("is used up"),
                (None, false) => self.gone(known, sequence, course),
            };
            let said = known.rule.as_ref().map(ToString::to_string).unwrap_or_default();
            words.extend(why.map(|why| format!("rule {} (`{said}`), which decided then, {why}", known.id)));
        }
        words
    }

    /// Whether a sentence that was in force then still counts.
    pub(super) fn counts(&self, sentence: &str) -> bool {
        if self.change.stated.iter().any(|stated| stated == sentence) {
            return true;
        }
        if let Some(sentences) = &self.change.sentences {
            return sentences.iter().any(|stated| stated == sentence);
        }
        let is_kept = |known: &KnownSentence| {
            known.sentence == sentence
                && !self.change.unstated.contains(&known.id)
                && known.removed.is_none_or(|end| end < self.last)
        };
        let in_settings = match &self.settings {
            Some(today) => today.iter().any(|stated| stated == sentence),
            None => self.stated_by_settings(sentence),
        };
        in_settings || self.log.sentences.iter().any(is_kept)
    }

    fn stated_by_settings(&self, sentence: &str) -> bool {
        let mut stated = self.of_session.layouts.values().flat_map(|layout| &layout.stated);
        stated.any(|stated| stated == sentence)
    }

    /// Whether a sentence was in force at the call of an entry.
    pub(super) fn was_stated(&self, sentence: &str, layout: Option<&RecordedLayout>, sequence: u64) -> bool {
        let by_command = |known: &KnownSentence| {
            known.sentence == sentence
                && known.added < sequence
                && known.removed.is_none_or(|end| end > sequence)
        };
        layout.is_some_and(|layout| layout.stated.iter().any(|stated| stated == sentence))
            || self.log.sentences.iter().any(by_command)
    }

    /// The sentences that came after the last call or are tried: texts that are to be read, and those that were read.
    pub(super) fn newly(&self) -> (Vec<&'s str>, Vec<Stated>) {
        let tried = self.change.stated.iter().map(String::as_str);
        if let Some(sentences) = &self.change.sentences {
            return (sentences.iter().map(String::as_str).chain(tried).collect(), Vec::new());
        }
        let since = self.log.sentences.iter().filter(|known| {
            known.added > self.last && known.removed.is_none() && !self.change.unstated.contains(&known.id)
        });
        let since = since.map(|known| Stated {
            sentence: known.sentence.clone(),
            // Data that is followed is not recorded, so its sources are of no use.
            written: Written { text: known.datalog.clone(), sources: Vec::new() },
        });
        (tried.collect(), since.collect())
    }

    /// Sentences of today's settings that no gateway of the session knew.
    pub(super) fn newly_set(&self) -> Vec<String> {
        if self.change.sentences.is_some() {
            return Vec::new();
        }
        let today = self.settings.iter().flatten();
        today.filter(|sentence| !self.stated_by_settings(sentence)).cloned().collect()
    }
}
