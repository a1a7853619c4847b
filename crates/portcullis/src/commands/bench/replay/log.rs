//! The audit log, as far as a replay needs it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use portcullis_gateway::{RecordedAnswer, RecordedCall, RecordedLayout, kind};
use portcullis_lattice::{Lifetime, Rule};
use portcullis_store::{Entry, SessionId};
use serde::Deserialize;

/// What the log tells of sessions, rules and sentences.
#[derive(Default)]
pub(super) struct Log {
    /// The sessions that are wanted, with what happened in them.
    pub(super) sessions: BTreeMap<SessionId, SessionLog>,
    /// Every rule that ever was, in the order in which they came to be.
    pub(super) rules: Vec<KnownRule>,
    /// Every sentence that a command ever stated, in that order.
    pub(super) sentences: Vec<KnownSentence>,
    /// The only session that is wanted; all of them if there is none.
    only: Option<SessionId>,
}

/// What happened in a session, in order.
#[derive(Default)]
pub(super) struct SessionLog {
    /// Calls and answers.
    pub(super) events: Vec<Event>,
    /// How it lay, by the names that verdicts have for it.
    pub(super) layouts: BTreeMap<String, RecordedLayout>,
    /// So many verdicts cannot be read at all.
    pub(super) unreadable: usize,
}

impl SessionLog {
    /// Whether no call was made in it.
    pub(super) fn is_empty(&self) -> bool {
        self.last().is_none() && self.unreadable == 0
    }

    /// The number of the entry of the last call.
    pub(super) fn last(&self) -> Option<u64> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Decided(sequence, ..) => Some(*sequence),
            Event::Answered(..) => None,
        })
    }
}

/// Something that happened in a session, with the number of its entry.
pub(super) enum Event {
    Decided(u64, Timestamp, Box<RecordedCall>),
    Answered(u64, RecordedAnswer),
}

/// A rule, and when it came and went, by the numbers of entries.
pub(super) struct KnownRule {
    /// Its number in the store.
    pub(super) id: u64,
    /// What it says; nothing if that cannot be read.
    pub(super) rule: Option<Rule>,
    pub(super) added: u64,
    /// The answer that it came by.
    pub(super) answer: Option<u64>,
    pub(super) revoked: Option<u64>,
    /// The session that used it up, if it was for one call.
    pub(super) spent: Option<SessionId>,
}

/// A sentence that a command stated.
pub(super) struct KnownSentence {
    pub(super) id: u64,
    pub(super) sentence: String,
    pub(super) datalog: String,
    pub(super) added: u64,
    pub(super) removed: Option<u64>,
}

#[derive(Deserialize)]
struct AddedRule {
    rule: String,
}

#[derive(Deserialize)]
struct Numbered {
    id: String,
}

#[derive(Deserialize)]
struct AddedSentence {
    sentence: String,
    datalog: String,
}

impl Log {
    /// An empty one that keeps what happens in a session, or in all.
    pub(super) fn of(only: Option<SessionId>) -> Log {
        Log { only, ..Log::default() }
    }

    /// Takes the next entry.
    pub(super) fn take(&mut self, entry: &Entry) {
        let sequence = entry.sequence;
        match entry.kind.as_str() {
            kind::OPENED => {
                let opened = serde_json::from_str::<RecordedLayout>(&entry.body).ok();
                if let (Some(session), Some(opened)) = (self.wanted(entry), opened) {
                    session.layouts.insert(opened.layout.clone(), opened);
                }
            }
            kind::VERDICT => self.take_verdict(entry),
            kind::ANSWER => self.take_answer(entry),
            kind::RULE_ADDED => {
                let added = serde_json::from_str::<AddedRule>(&entry.body).ok();
                self.add_rule(added.and_then(|added| added.rule.parse().ok()), sequence, None);
            }
            kind::RULE_REVOKED => {
                let id = number(&entry.body);
                if let Some(rule) = self.rules.iter_mut().find(|rule| Some(rule.id) == id) {
                    rule.revoked.get_or_insert(sequence);
                }
            }
            kind::INVARIANT_ADDED => self.add_sentence(entry),
            kind::INVARIANT_REMOVED => {
                let id = number(&entry.body);
                if let Some(known) = self.sentences.iter_mut().find(|known| Some(known.id) == id) {
                    known.removed.get_or_insert(sequence);
                }
            }
            _ => {}
        }
    }

    fn wanted(&mut self, entry: &Entry) -> Option<&mut SessionLog> {
        let session = entry.session.filter(|session| self.only.is_none_or(|only| only == *session))?;
        Some(self.sessions.entry(session).or_default())
    }

    fn take_verdict(&mut self, entry: &Entry) {
        let is_once = |known: &KnownRule| {
            known.spent.is_none() && known.rule.as_ref().is_some_and(|rule| rule.lifetime == Lifetime::Once)
        };
        let may_spend = self.rules.iter().any(is_once);
        if !may_spend && self.only.is_some_and(|only| entry.session != Some(only)) {
            return;
        }
        let read = RecordedCall::read(&entry.body);
        if let Some(call) = read.as_ref().filter(|call| call.decision == "permit") {
            let used = |known: &&mut KnownRule| is_once(known) && call.rules.contains(&known.id);
            self.rules.iter_mut().filter(used).for_each(|known| known.spent = entry.session);
        }
        let Some(session) = self.wanted(entry) else { return };
        match read {
            Some(call) => session.events.push(Event::Decided(entry.sequence, entry.time, Box::new(call))),
            None => session.unreadable += 1,
        }
    }

    fn take_answer(&mut self, entry: &Entry) {
        let Some(answer) = RecordedAnswer::read(&entry.body) else { return };
        for text in &answer.rules {
            let lifetime = match entry.session.filter(|_| answer.is_for_session()) {
                Some(session) => Lifetime::Session(session.to_string().into()),
                None => Lifetime::Always,
            };
            let rule = text.parse::<Rule>().ok().map(|rule| Rule { lifetime, ..rule });
            self.add_rule(rule, entry.sequence, Some(entry.sequence));
        }
        if let Some(session) = self.wanted(entry) {
            session.events.push(Event::Answered(entry.sequence, answer));
        }
    }

    /// Rules are numbered in the order in which they come to be.
    fn add_rule(&mut self, rule: Option<Rule>, added: u64, answer: Option<u64>) {
        let id = self.rules.last().map_or(1, |last| last.id + 1);
        self.rules.push(KnownRule { id, rule, added, answer, revoked: None, spent: None });
    }

    fn add_sentence(&mut self, entry: &Entry) {
        let id = self.sentences.last().map_or(1, |last| last.id + 1);
        let read = serde_json::from_str::<AddedSentence>(&entry.body).ok();
        let (sentence, datalog) = read.map_or_else(Default::default, |read| (read.sentence, read.datalog));
        self.sentences.push(KnownSentence { id, sentence, datalog, added: entry.sequence, removed: None });
    }
}

fn number(body: &str) -> Option<u64> {
    serde_json::from_str::<Numbered>(body).ok()?.id.parse().ok()
}
