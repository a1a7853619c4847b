//! The mistakes, one by one, for whoever wants to know why.

use portcullis_lattice::Decision;
use serde::Serialize;
use serde_json::Value;

use crate::replay::{Replayed, StepResult};
use crate::trace::Trace;

/// A step that was decided otherwise than it should have been.
#[derive(Serialize, Debug)]
pub struct Mistake<'m> {
    /// The trace.
    pub trace: &'m str,
    /// The step, counted from 1.
    pub step: usize,
    /// `server.tool`.
    pub tool: String,
    /// The arguments.
    pub args: &'m Value,
    /// What should have been decided: `permit`, `ask` or `deny`.
    pub expected: &'static str,
    /// What was decided.
    pub got: &'static str,
    /// Why it was decided so.
    pub explanation: Vec<String>,
    /// The stated rule that the step breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violates: Option<&'m str>,
}

/// The mistakes of a trace, in the order of its steps.
pub fn of<'m>(trace: &'m Trace, replayed: &'m Replayed) -> impl Iterator<Item = Mistake<'m>> {
    let steps = trace.steps.iter().zip(&replayed.steps).zip(1..);
    let wrong = steps.filter(|((step, result), _)| result.decision != step.expected);
    wrong.map(|((step, result), number)| Mistake {
        trace: &trace.id,
        step: number,
        tool: format!("{}.{}", step.server, step.tool),
        args: &step.arguments,
        expected: step.expected.name(),
        got: result.decision.name(),
        explanation: explanation(result),
        violates: step.violates.as_deref(),
    })
}

/// The verdict's reasons; for a permit, which needs none, what was perceived and found covered.
fn explanation(result: &StepResult) -> Vec<String> {
    match result.decision {
        Decision::Permit => {
            result.acts.iter().map(|act| format!("{act}: covered by what was granted")).collect()
        }
        Decision::Ask | Decision::Deny => result.reasons.clone(),
    }
}
