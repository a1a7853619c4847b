//! The stages that look at a call, and what they find.

use portcullis_lattice::Decision;

/// What is said behind the reasons of a question that was answered for one call.
const APPROVED: &str = "; approved for this call";

/// A stage of the way of a call, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// Is this the tool that was approved?
    Identity,
    /// Does it reach for the gate itself?
    Control,
    /// What does the call do?
    Perceive,
    /// Does it break a rule that the user stated?
    Invariants,
    /// Is every flow inside a granted boundary?
    Consent,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Stage; 5] =
        [Stage::Identity, Stage::Control, Stage::Perceive, Stage::Invariants, Stage::Consent];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Identity => "identity",
            Stage::Control => "control",
            Stage::Perceive => "perceive",
            Stage::Invariants => "invariants",
            Stage::Consent => "consent",
        }
    }

    /// The stage of this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// What a stage found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Which stage.
    pub stage: Stage,
    /// What it answers.
    pub decision: Decision,
    /// Why, one reason each.
    pub reasons: Vec<String>,
}

impl Finding {
    /// The user has approved what was asked about, for this one call.
    pub(crate) fn approve(&mut self) {
        if self.decision == Decision::Ask {
            self.decision = Decision::Permit;
            self.reasons.iter_mut().for_each(|reason| reason.push_str(APPROVED));
        }
    }

    /// What the stage found before the user approved the call, if the user did.
    #[must_use]
    pub fn unapproved(mut self) -> Finding {
        let approved = |reason: &String| reason.ends_with(APPROVED);
        if self.decision == Decision::Permit && self.reasons.iter().any(approved) {
            self.decision = Decision::Ask;
            for reason in &mut self.reasons {
                reason.truncate(reason.strip_suffix(APPROVED).map_or(reason.len(), str::len));
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_approved_is_told_as_it_was_before() {
        for decision in [Decision::Permit, Decision::Ask, Decision::Deny] {
            let reasons = vec!["a reason".to_owned(), "another".to_owned()];
            let found = Finding { stage: Stage::Consent, decision, reasons };
            let mut approved = found.clone();
            approved.approve();
            assert_eq!(approved != found, decision == Decision::Ask);
            assert_eq!(approved.unapproved(), found);
        }
    }

    #[test]
    fn every_stage_is_found_by_its_name() {
        for stage in Stage::ALL {
            assert_eq!(Stage::from_name(stage.name()), Some(stage));
        }
        assert_eq!(Stage::from_name("other"), None);
    }
}
