//! Calls of the past, decided again by other rules, as far as a log tells what they did.
//!
//! What a call does and carries is taken as it was recorded, and so is what those stages found whose grounds no log
//! keeps. Consent is decided anew, by the code that decides calls. Rules in plain English that came later are asked with the
//! facts that there are; what they cannot be told is unknown, so that the answer may be that nobody can say.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::{CallFacts, PastCircumstances, Rulebook, Untold};
use portcullis_lattice::{Call, Decision, Judgement, Policy};

use crate::session::{consent, invariants};
use crate::stage::{Finding, Stage};

/// A call of the past.
#[derive(Clone, Debug)]
pub struct PastCall {
    /// The tool.
    pub tool: String,
    /// What it did, as rules saw it.
    pub call: Call,
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// What of it was not recorded.
    pub untold: Untold,
    /// The folder that was worked in.
    pub workspace: String,
    /// What the other stages found, as it is to count again.
    pub kept: Vec<Finding>,
}

/// A rule in plain English that the call may break, by what is not recorded of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Possible {
    /// The rule.
    pub rule: String,
    /// What would follow.
    pub decision: Decision,
}

/// What is decided about a call of the past.
#[derive(Clone, Debug)]
pub struct Again {
    /// The strictest answer of all stages, as far as that can be said.
    pub decision: Decision,
    /// What each stage found, those that were kept first.
    pub findings: Vec<Finding>,
    /// What the rules say of it.
    pub judgement: Judgement,
    /// Rules in plain English that nobody can decide about.
    pub possible: Vec<Possible>,
}

impl Again {
    /// The strictest answer that is possible.
    pub fn could_be(&self) -> Decision {
        self.possible.iter().map(|possible| possible.decision).fold(self.decision, Decision::max)
    }
}

/// Decides a call of the past by these rules. `newly` are rules in plain English that were not asked then; times of day are
/// meant in this zone.
pub fn decide_again(
    past: &PastCall,
    policy: &Policy,
    newly: Option<&Rulebook>,
    zone: &TimeZone,
    at: Timestamp,
) -> Again {
    let judged = consent::stage(policy, &past.call, at);
    let mut findings = past.kept.clone();
    let mut possible = Vec::new();
    if let Some(rulebook) = newly {
        let facts = CallFacts::of_past(&PastCircumstances {
            tool: &past.tool,
            call: &past.call,
            arguments: &past.arguments,
            untold: past.untold,
            interest: rulebook.interest(),
            workspace: &past.workspace,
            now: zone.to_datetime(at),
        });
        let mut found = Finding { stage: Stage::Invariants, decision: Decision::Permit, reasons: Vec::new() };
        for breach in rulebook.judge(&facts) {
            let decision = invariants::decision(&breach);
            match breach.certain {
                true => {
                    found.decision = found.decision.max(decision);
                    found.reasons.push(invariants::words(&breach));
                }
                false => possible.push(Possible { rule: breach.reason, decision }),
            }
        }
        findings.push(found);
    }
    findings.push(judged.finding);
    let decision = findings.iter().map(|finding| finding.decision).max().unwrap_or(Decision::Ask);
    Again { decision, findings, judgement: judged.judgement, possible }
}
