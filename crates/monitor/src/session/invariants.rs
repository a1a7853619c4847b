//! Stage 5: does the call break a rule that the user stated?

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::meaning::Verdict as Answer;
use portcullis_invariant::{Breach, CallFacts, Circumstances, History, Rulebook, SavedTrail, Trails};
use portcullis_lattice::Decision;
use portcullis_perceive::{Act, Perception};
use portcullis_taint::{Carried, SnapshotError};

use super::Session;
use crate::call::ToolCall;
use crate::stage::{Finding, Stage};

/// The rules that the user stated, and what they have to know of earlier calls.
pub(super) struct Invariants {
    rulebook: Option<Rulebook>,
    trails: Trails,
    history: History,
    /// The zone in which "after 6 pm" is meant.
    zone: TimeZone,
}

/// What the stage gives.
pub(super) struct Checked {
    pub(super) finding: Finding,
    pub(super) breaches: Vec<Breach>,
    /// The databases that it names.
    pub(super) databases: Vec<String>,
    /// What of the call the history counts.
    pub(super) counted: Vec<String>,
}

impl Invariants {
    pub(super) fn none() -> Invariants {
        Invariants {
            rulebook: None,
            trails: Trails::default(),
            history: History::default(),
            zone: TimeZone::UTC,
        }
    }

    /// Puts rules into force. Data that is followed already is followed on.
    pub(super) fn set(&mut self, rulebook: Rulebook, zone: TimeZone) {
        self.trails.add(rulebook.sources());
        self.rulebook = Some(rulebook).filter(|rulebook| !rulebook.is_empty());
        self.zone = zone;
    }

    /// Whether an act carries data that rules follow.
    pub(super) fn follows(&self, step: u64, act: &Act, databases: &[String]) -> bool {
        self.trails
            .carried(step, std::slice::from_ref(act), databases)
            .iter()
            .any(|carried| !carried.is_empty())
    }

    /// Whether the particulars of calls are needed.
    pub(super) fn is_needed(&self) -> bool {
        self.rulebook.is_some()
    }

    /// Takes note of a call that is made, and says whether it left something.
    pub(super) fn observe(
        &mut self,
        step: u64,
        perception: &Perception,
        counted: &[String],
        databases: &[String],
    ) -> bool {
        let follows = self.trails.observe(step, &perception.acts, databases);
        self.history.add(counted);
        follows || !counted.is_empty()
    }

    /// How often what was done.
    pub(super) fn counts(&self) -> &History {
        &self.history
    }

    /// Where followed data has got to.
    pub(super) fn saved_trails(&self) -> Vec<SavedTrail> {
        self.trails.save()
    }

    /// Goes on from what was saved.
    pub(super) fn load(&mut self, counts: History, trails: Vec<SavedTrail>) -> Result<(), SnapshotError> {
        self.history = counts;
        self.trails.load(trails)
    }
}

pub(super) fn stage(
    session: &Session<'_>,
    call: &ToolCall<'_>,
    perception: &Perception,
    carried: &[Carried],
    now: Timestamp,
) -> Checked {
    let invariants = &session.invariants;
    let Some(rulebook) = &invariants.rulebook else {
        let finding = Finding { stage: Stage::Invariants, decision: Decision::Permit, reasons: Vec::new() };
        return Checked { finding, breaches: Vec::new(), databases: Vec::new(), counted: Vec::new() };
    };
    let known: Vec<&str> = call.profile.known_arguments().collect();
    let secrets: Vec<bool> = carried.iter().map(|carried| !carried.taint.is_empty()).collect();
    let databases = portcullis_invariant::databases(call.arguments);
    let followed = invariants.trails.carried(session.step, &perception.acts, &databases);
    let circumstances = Circumstances {
        server: call.server,
        tool: &call.profile.tool,
        arguments: call.arguments,
        calls_tools: call.profile.calls.is_some(),
        known: &known,
        perception,
        secrets: &secrets,
        carried: &followed,
        ground: &session.ground,
        now: Some(invariants.zone.to_datetime(now)),
        interest: rulebook.interest(),
        history: &invariants.history,
    };
    let facts = CallFacts::of(&circumstances);
    let breaches = rulebook.judge_all(&circumstances, &facts);
    let decision = breaches.iter().map(decision).max().unwrap_or(Decision::Permit);
    let reasons = breaches.iter().map(words).collect();
    let finding = Finding { stage: Stage::Invariants, decision, reasons };
    Checked { finding, breaches, counted: rulebook.counted(&facts), databases }
}

pub(crate) fn decision(breach: &Breach) -> Decision {
    match breach.verdict {
        Answer::Deny => Decision::Deny,
        Answer::Ask => Decision::Ask,
    }
}

pub(crate) fn words(breach: &Breach) -> String {
    let rule = portcullis_lattice::words::shown(&breach.reason);
    let because = match breach.because.is_empty() {
        true => String::new(),
        false => format!(" ({})", breach.because.join(", ")),
    };
    match (breach.verdict, breach.certain) {
        (Answer::Deny, true) => format!("it breaks the rule “{rule}”{because}"),
        (Answer::Deny, false) => format!("it cannot be ruled out that it breaks the rule “{rule}”{because}"),
        (Answer::Ask, _) => format!("the rule “{rule}” wants a question each time{because}"),
    }
}
