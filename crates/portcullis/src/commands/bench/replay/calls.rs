//! The calls of a session: what was decided first, what was answered, and what came of it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use portcullis_gateway::{RecordedAnswer, RecordedCall};
use portcullis_lattice::Decision;
use portcullis_monitor::{Finding, Stage};

use super::log::{Event, SessionLog};

/// A call of a session. Asked about, answered and made, it is still one.
pub(super) struct Call<'l> {
    /// The number of the entry that tells what was decided first.
    pub(super) sequence: u64,
    pub(super) at: Timestamp,
    pub(super) recorded: &'l RecordedCall,
    /// What was decided first.
    pub(super) before: Decision,
    /// What each stage found then, before anybody answered; nothing if that cannot be read.
    pub(super) findings: Option<Vec<Finding>>,
    /// The answer to the question, with the number of its entry.
    pub(super) answer: Option<(u64, &'l RecordedAnswer)>,
    /// Whether it was answered for this call alone.
    pub(super) is_answered_once: bool,
}

/// The calls of a session, in the order in which they were first decided, and how many cannot be read.
pub(super) fn calls(session: &SessionLog) -> (Vec<Call<'_>>, usize) {
    let answers = answers(session);
    let mut retried: BTreeSet<u64> = BTreeSet::new();
    let mut calls = Vec::new();
    let mut unreadable = session.unreadable;
    for (sequence, at, recorded) in decided(session) {
        if retried.contains(&sequence) {
            continue;
        }
        let Some(decision) = decision(&recorded.decision) else {
            unreadable += 1;
            continue;
        };
        let findings = findings(recorded);
        let answer = answers.iter().find(|(asked, _, _)| *asked == sequence);
        let answer = answer.map(|(_, number, answer)| (*number, *answer));
        if let Some((number, _)) = answer.filter(|(_, answer)| answer.allows()) {
            let is_retry = |(own, _, later): &(u64, Timestamp, &RecordedCall)| {
                *own > number && !retried.contains(own) && is_same(recorded, later)
            };
            let retry = decided(session).find(is_retry).filter(|(_, _, later)| later.decision == "permit");
            retried.extend(retry.map(|(own, _, _)| own));
        }
        // The question of a call that was approved may be in a part of the log that is not there.
        let is_approved = decision == Decision::Permit
            && findings.iter().flatten().any(|finding| finding.decision == Decision::Ask);
        calls.push(Call {
            sequence,
            at,
            recorded,
            before: if is_approved { Decision::Ask } else { decision },
            findings,
            answer,
            is_answered_once: is_approved || answer.is_some_and(|(_, answer)| answer.choice == "once"),
        });
    }
    (calls, unreadable)
}

fn decided(session: &SessionLog) -> impl Iterator<Item = (u64, Timestamp, &RecordedCall)> {
    session.events.iter().filter_map(|event| match event {
        Event::Decided(sequence, at, call) => Some((*sequence, *at, &**call)),
        Event::Answered(..) => None,
    })
}

/// Which question was answered by what: the numbers of both entries, and the answer.
fn answers(session: &SessionLog) -> Vec<(u64, u64, &RecordedAnswer)> {
    let mut linked: Vec<(u64, u64, &RecordedAnswer)> = Vec::new();
    let mut open: Vec<(u64, &str)> = Vec::new();
    for event in &session.events {
        match event {
            Event::Decided(sequence, _, call) if call.decision == "ask" => {
                open.extend(call.call.as_deref().map(|name| (*sequence, name)));
            }
            Event::Decided(..) => {}
            Event::Answered(number, answer) => {
                let is_meant = |(_, name): &(u64, &str)| Some(*name) == answer.call.as_deref();
                // Equal calls that wait have one question; an older one that nobody answered is over.
                if let Some(at) = open.iter().rposition(is_meant) {
                    linked.push((open.remove(at).0, *number, answer));
                    open.retain(|asked| !is_meant(asked));
                }
            }
        }
    }
    linked
}

/// Whether it is the same call, made again.
fn is_same(one: &RecordedCall, other: &RecordedCall) -> bool {
    (&one.server, &one.tool, &one.definition, &one.arguments)
        == (&other.server, &other.tool, &other.definition, &other.arguments)
}

pub(super) fn decision(name: &str) -> Option<Decision> {
    [Decision::Permit, Decision::Ask, Decision::Deny].into_iter().find(|decision| decision.name() == name)
}

/// What the stages found before anybody answered.
fn findings(recorded: &RecordedCall) -> Option<Vec<Finding>> {
    let read = |finding: &portcullis_gateway::RecordedFinding| {
        let stage = Stage::from_name(&finding.stage)?;
        let decision = decision(&finding.decision)?;
        Some(Finding { stage, decision, reasons: finding.reasons.clone() }.unapproved())
    };
    recorded.findings.iter().map(read).collect()
}
