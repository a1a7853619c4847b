//! Decisions, and what they rest on.

use alloc::boxed::Box;

use smallvec::SmallVec;

use crate::nearest::Nearest;
use crate::ruleset::RuleId;

/// What to do with a call; the later is the stricter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// The rules let it pass.
    Permit,
    /// The user has to be asked.
    Ask,
    /// The rules refuse it.
    Deny,
}

impl Decision {
    /// The word users read.
    pub const fn name(self) -> &'static str {
        match self {
            Decision::Permit => "permit",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }
}

/// The decision on a call, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The strictest over all pairs; a call without flows is asked about.
    pub decision: Decision,
    /// The decision on every pair of input and output, flow by flow.
    pub pairs: SmallVec<[PairJudgement; 2]>,
    /// The single-use rules that the call uses up if it goes ahead. Empty unless it is permitted.
    pub consumed: SmallVec<[RuleId; 2]>,
}

/// The decision on one input and one output of a flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairJudgement {
    /// The number of the flow in the call.
    pub flow: usize,
    /// The number of the input in the flow.
    pub input: usize,
    /// The number of the output in the flow.
    pub output: usize,
    /// Why it was decided so.
    pub ground: Ground,
}

/// Why a pair was decided as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    /// This allow covers it, and every deny about it is wider.
    Covered(RuleId),
    /// This deny catches it, and no allow is narrower.
    Caught(RuleId),
    /// An allow covers it and a deny catches it, and neither is the narrower.
    Conflict {
        /// What would let it pass.
        allow: RuleId,
        /// What would refuse it.
        deny: RuleId,
    },
    /// No rule is about it. The nearest allow, if there is any.
    Uncovered(Option<Box<Nearest>>),
}

impl Ground {
    /// What follows from it.
    pub fn decision(&self) -> Decision {
        match self {
            Ground::Covered(_) => Decision::Permit,
            Ground::Caught(_) => Decision::Deny,
            Ground::Conflict { .. } | Ground::Uncovered(_) => Decision::Ask,
        }
    }

    /// The rules that decided.
    pub fn rules(&self) -> impl Iterator<Item = RuleId> {
        let (first, second) = match self {
            Ground::Covered(rule) | Ground::Caught(rule) => (Some(*rule), None),
            Ground::Conflict { allow, deny } => (Some(*allow), Some(*deny)),
            Ground::Uncovered(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}
