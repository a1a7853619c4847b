//! What hosts do today, replayed on the same traces.

use std::collections::BTreeSet;

use portcullis_lattice::Decision;

use crate::trace::Trace;

/// A way to ask that knows nothing of flows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Baseline {
    /// Ask for each tool once, then always allow it.
    Tool,
    /// Ask for each server once, then always allow it.
    Server,
    /// Ask for every call.
    EveryCall,
}

impl Baseline {
    /// All of them, in the order of tables.
    pub const ALL: [Baseline; 3] = [Baseline::Tool, Baseline::Server, Baseline::EveryCall];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::Tool => "always allow, by tool",
            Baseline::Server => "always allow, by server",
            Baseline::EveryCall => "ask for every call",
        }
    }

    /// The word for scripts.
    pub const fn key(self) -> &'static str {
        match self {
            Baseline::Tool => "tool",
            Baseline::Server => "server",
            Baseline::EveryCall => "every_call",
        }
    }

    /// What it decides about each step. The user answers as in the trace: a call that should be refused is refused, and
    /// nothing is allowed by that.
    pub fn replay(self, trace: &Trace) -> Vec<Decision> {
        let mut allowed: BTreeSet<String> = BTreeSet::new();
        let mut decide = |step: &crate::trace::Step| {
            let key = match self {
                Baseline::Tool => format!("{}.{}", step.server, step.tool),
                Baseline::Server => step.server.clone(),
                Baseline::EveryCall => return Decision::Ask,
            };
            if allowed.contains(&key) {
                return Decision::Permit;
            }
            if step.expected != Decision::Deny {
                allowed.insert(key);
            }
            Decision::Ask
        };
        trace.steps.iter().map(&mut decide).collect()
    }
}
