//! What was decided about a call, and everything that it rests on.

use portcullis_invariant::Breach;
use portcullis_lattice::{Call, Decision, Judgement};
use portcullis_perceive::Perception;
use portcullis_taint::Carried;

use crate::stage::Finding;

/// What was decided about a call.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The strictest answer of all stages.
    pub decision: Decision,
    /// What each stage found, in their order.
    pub findings: Vec<Finding>,
    /// What the call does.
    pub perception: Perception,
    /// What each act carries.
    pub carried: Vec<Carried>,
    /// The call as rules see it.
    pub call: Call,
    /// What the rules say of it.
    pub judgement: Judgement,
    /// The rules of the user that it breaks, or that want a question.
    pub breaches: Vec<Breach>,
    /// What tells this very call from others.
    pub(crate) identity: String,
    /// The databases that it names.
    pub(crate) databases: Vec<String>,
    /// What of the call the session counts.
    pub(crate) counted: Vec<String>,
    /// The number of the call in its session.
    pub(crate) step: u64,
    /// The state of the rules that it was decided by.
    pub(crate) version: u64,
}

impl Verdict {
    /// The number of the call in its session, from 1.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// What tells this very call from others, and what it would do: an approval is for exactly that. Empty unless the call
    /// is asked about.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The rules of the user that want a question each time.
    pub fn must_ask(&self) -> Vec<&Breach> {
        self.breaches
            .iter()
            .filter(|breach| breach.verdict == portcullis_invariant::meaning::Verdict::Ask)
            .collect()
    }

    /// Every reason, the strictest stages first.
    pub fn reasons(&self) -> Vec<&str> {
        let mut findings: Vec<&Finding> = self.findings.iter().collect();
        findings.sort_by(|one, other| other.decision.cmp(&one.decision).then(one.stage.cmp(&other.stage)));
        findings.iter().flat_map(|finding| finding.reasons.iter().map(String::as_str)).collect()
    }
}
