//! One session, replayed.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use portcullis_gateway::{RecordedCall, RecordedLayout};
use portcullis_invariant::{Rulebook, Stated, Untold};
use portcullis_lattice::{Decision, Entry, Policy, Rule, RuleId, Topology};
use portcullis_monitor::{Again, Finding, PastCall, Stage, decide_again};

use super::calls::Call;
use super::standing::{Course, Standing};
use crate::commands::invariant::InvariantError;
use crate::failure::Failure;

/// A call, decided again.
pub(super) struct Replayed<'l> {
    pub(super) call: Call<'l>,
    /// What became of it; nothing if the log does not tell enough to decide it again.
    pub(super) after: Option<After>,
}

/// What is decided about a call.
pub(super) struct After {
    pub(super) decision: Decision,
    /// The strictest answer that is possible by what the log does not keep.
    pub(super) could_be: Decision,
    /// The rules in plain English because of which.
    pub(super) possible: Vec<String>,
    /// Why it is decided so.
    pub(super) reasons: Vec<String>,
    /// Whether a finding that was kept as it was asks or refuses.
    pub(super) is_kept: bool,
}

/// Sentences that were not asked then, compiled for those calls that were made without them.
struct Newly {
    stated: Vec<Stated>,
    /// Which of them are compiled.
    chosen: Vec<usize>,
    rulebook: Option<Rulebook>,
}

/// Rules compiled for one layout.
#[derive(Default)]
struct Compiled {
    /// The numbers of the rules.
    rules: Vec<u64>,
    layout: String,
    policy: Option<Policy>,
}

/// Decides the calls of a session again, in order.
pub(super) fn replay<'l>(
    calls: Vec<Call<'l>>,
    standing: &Standing<'_>,
    stated: Vec<Stated>,
    zone: &TimeZone,
    advance: &mut dyn FnMut(),
) -> Result<Vec<Replayed<'l>>, Failure> {
    let layouts = &standing.of_session.layouts;
    let topologies: BTreeMap<&str, Topology> = layouts
        .iter()
        .filter_map(|(name, layout)| Some((name.as_str(), layout.session.topology().ok()?)))
        .collect();
    let mut course = Course::default();
    let mut compiled = Compiled::default();
    let mut newly = Newly { stated, chosen: Vec::new(), rulebook: None };
    let mut replayed = Vec::new();
    for call in calls {
        let name = call.recorded.layout.as_deref().unwrap_or_default();
        let layout = layouts.get(name);
        let past = layout.and_then(|layout| past(&call, layout, standing));
        let after = match (past, topologies.get(name)) {
            (Some((past, dropped)), Some(topology)) => {
                let rules = standing.rules_at(call.sequence, &course);
                let policy = compiled.policy(&rules, name, topology, &standing.name);
                let rulebook = newly.at(|sentence| !standing.was_stated(sentence, layout, call.sequence))?;
                let again = decide_again(&past, policy, rulebook, zone, call.at);
                Some(after(&call, &past, again, policy, (standing, &course), dropped))
            }
            _ => None,
        };
        // What cannot be decided again went on as it did.
        let decision = after.as_ref().map_or(call.before, |(after, _)| after.decision);
        if let Some((number, _)) = call.answer.filter(|_| decision == Decision::Ask) {
            course.given.insert(number);
        }
        course.used.extend(after.iter().flat_map(|(_, consumed)| consumed));
        replayed.push(Replayed { call, after: after.map(|(after, _)| after) });
        advance();
    }
    Ok(replayed)
}

impl Compiled {
    fn policy(
        &mut self,
        rules: &[(u64, &Rule)],
        layout: &str,
        topology: &Topology,
        session: &str,
    ) -> &Policy {
        let numbers = rules.iter().map(|(id, _)| id);
        if !numbers.eq(&self.rules) || self.layout != layout {
            self.policy = None;
        }
        self.policy.get_or_insert_with(|| {
            layout.clone_into(&mut self.layout);
            self.rules = rules.iter().map(|(id, _)| *id).collect();
            let entry = |(id, rule): &(u64, &Rule)| Entry { id: RuleId(*id), rule: (*rule).clone() };
            Policy::compile(&rules.iter().map(entry).collect(), topology, session)
        })
    }
}

impl Newly {
    /// The rulebook of those that are to be asked.
    fn at(&mut self, is_asked: impl Fn(&str) -> bool) -> Result<Option<&Rulebook>, Failure> {
        let asked = self.stated.iter().enumerate().filter(|(_, stated)| is_asked(&stated.sentence));
        let chosen: Vec<usize> = asked.map(|(number, _)| number).collect();
        if chosen != self.chosen || self.rulebook.is_none() {
            let stated = chosen.iter().filter_map(|number| self.stated.get(*number).cloned()).collect();
            self.rulebook = Some(Rulebook::new(stated).map_err(InvariantError::from)?);
            self.chosen = chosen;
        }
        Ok(self.rulebook.as_ref().filter(|rulebook| !rulebook.is_empty()))
    }
}

/// The call as it is decided again, and the sentences that it broke then and that do not count any more.
fn past(
    call: &Call<'_>,
    layout: &RecordedLayout,
    standing: &Standing<'_>,
) -> Option<(PastCall, Vec<String>)> {
    let recorded = call.recorded;
    let mut dropped = Vec::new();
    let mut kept = Vec::new();
    for finding in call.findings.clone()? {
        match finding.stage {
            Stage::Identity | Stage::Control | Stage::Perceive => kept.push(finding),
            Stage::Invariants => kept.push(stated(recorded, finding, standing, &mut dropped)?),
            Stage::Consent => {}
        }
    }
    let past = PastCall {
        tool: recorded.tool.clone(),
        call: recorded.call()?,
        arguments: recorded
            .arguments
            .as_object()
            .into_iter()
            .flat_map(|named| named.keys().cloned())
            .collect(),
        untold: Untold {
            in_part: recorded.in_part,
            delegates: recorded.delegates,
            code: recorded.code,
            nested: recorded.nested,
        },
        workspace: layout.session.workspace.clone(),
        kept,
    };
    Some((past, dropped))
}

/// What was found then about sentences that still count. Nothing if it cannot be told which they were.
fn stated(
    recorded: &RecordedCall,
    found: Finding,
    standing: &Standing<'_>,
    dropped: &mut Vec<String>,
) -> Option<Finding> {
    let Some(breaches) = &recorded.breaches else {
        // Older entries do not tell the sentences apart.
        return Some(found);
    };
    let mut kept = Finding { decision: Decision::Permit, reasons: Vec::new(), ..found };
    for (breach, reason) in breaches.iter().zip(found.reasons) {
        if standing.counts(&breach.rule) {
            kept.decision = kept.decision.max(super::calls::decision(&breach.decision)?);
            kept.reasons.push(reason);
        } else {
            dropped.push(breach.rule.clone());
        }
    }
    Some(kept)
}

fn after(
    call: &Call<'_>,
    past: &PastCall,
    again: Again,
    policy: &Policy,
    (standing, course): (&Standing<'_>, &Course),
    dropped: Vec<String>,
) -> (After, Vec<u64>) {
    let kept = past.kept.iter().map(|finding| finding.decision).max().unwrap_or(Decision::Permit);
    let mut reasons: Vec<String> = match again.decision {
        Decision::Permit => {
            let explained = again.judgement.explain(policy, &past.call);
            explained.into_iter().map(|pair| format!("{}: {}", pair.deed, pair.because)).collect()
        }
        strictest @ (Decision::Ask | Decision::Deny) => {
            let decides = again.findings.iter().filter(|finding| finding.decision == strictest);
            decides.flat_map(|finding| finding.reasons.clone()).collect()
        }
    };
    if again.decision != call.before {
        reasons.extend(standing.why_gone(&call.recorded.rules, call.sequence, course));
        reasons.extend(dropped.iter().map(|rule| format!("the rule “{rule}” does not count any more")));
    }
    let consumed = match again.decision {
        Decision::Permit => again.judgement.consumed.iter().map(|rule| rule.0).collect(),
        Decision::Ask | Decision::Deny => Vec::new(),
    };
    let after = After {
        decision: again.decision,
        could_be: again.could_be(),
        possible: again.possible.into_iter().map(|possible| possible.rule).collect(),
        reasons,
        is_kept: kept != Decision::Permit,
    };
    (after, consumed)
}
