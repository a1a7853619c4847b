//! Stage 7: is every flow inside a granted boundary?

use jiff::Timestamp;
use portcullis_lattice::{Call, Decision, Judgement, Policy};

use crate::stage::{Finding, Stage};

/// What the stage gives.
pub(crate) struct Judged {
    pub(crate) finding: Finding,
    pub(crate) judgement: Judgement,
}

pub(crate) fn stage(policy: &Policy, call: &Call, now: Timestamp) -> Judged {
    let judgement = policy.decide(call, now);
    let reasons = match judgement.decision {
        // Nobody asks why something was permitted before it is looked up.
        Decision::Permit => Vec::new(),
        Decision::Ask | Decision::Deny => {
            let explanations = judgement.explain(policy, call);
            let explained = judgement.pairs.iter().zip(&explanations);
            let explained = explained.filter(|(pair, _)| pair.ground.decision() != Decision::Permit);
            explained.map(|(_, words)| format!("{}: {}", words.deed, words.because)).collect()
        }
    };
    let finding = Finding { stage: Stage::Consent, decision: judgement.decision, reasons };
    Judged { finding, judgement }
}
