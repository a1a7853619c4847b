//! Stage 4: from a call to flows with what they carry.

use portcullis_lattice::words::shown;
use portcullis_lattice::{Call, Decision, Effect, Effects, Reach};
use portcullis_perceive::json::each_text;
use portcullis_perceive::{Act, Deed, Doubt, Perceiver, Perception, Use};
use portcullis_taint::{Carried, Evidence, Match};

use super::Session;
use crate::call::ToolCall;
use crate::stage::{Finding, Stage};

/// What the stage gives to the next.
pub(super) struct Seen {
    pub(super) finding: Finding,
    pub(super) perception: Perception,
    pub(super) carried: Vec<Carried>,
    pub(super) call: Call,
}

pub(super) fn stage(session: &Session<'_>, call: &ToolCall<'_>) -> Seen {
    let tools = |name: &str| (call.tools)(name);
    let perceiver = Perceiver {
        ground: &session.ground,
        formats: session.formats,
        resolver: session.resolver,
        tools: &tools,
    };
    let mut perception = match session.invariants.is_needed() || session.protected.names_programs() {
        true => perceiver.call_with_particulars(call.profile, call.arguments, &session.memory),
        false => perceiver.call(call.profile, call.arguments, &session.memory),
    };
    let matches = matches(session, call);
    let credentials: Vec<&str> = perception.credentials.iter().map(String::as_str).collect();
    let evidence = Evidence { credentials: &credentials, matches: &matches };
    let carry = |act: &Act| session.labels.carried(session.step, act, session.ground.places(), &evidence);
    let mut carried: Vec<Carried> = perception.acts.iter().map(carry).collect();
    // What goes to another machine goes there as a whole; that is judged where it carries something.
    if let Some(sent) = call.remote.map(sent_to) {
        let whole = carry(&sent);
        let databases = portcullis_invariant::databases(call.arguments);
        if !whole.taint.is_empty() || session.invariants.follows(session.step, &sent, &databases) {
            perception.acts.push(sent);
            carried.push(whole);
        }
    }
    let mut reasons: Vec<String> = perception.doubts.iter().map(ToString::to_string).collect();
    reasons.extend(call.profile.signer.as_deref().map(signed));
    let mut decision = if perception.doubts.iter().any(is_open) { Decision::Ask } else { Decision::Permit };
    let flows = perception.acts.iter().zip(&carried);
    let flows =
        flows.map(|(act, carried)| session.ground.flow(act, carried.taint)).collect::<Result<Vec<_>, _>>();
    let flows = flows.unwrap_or_else(|error| {
        // What cannot be named cannot be judged.
        reasons.push(error.to_string());
        decision = Decision::Deny;
        Vec::new()
    });
    let call = Call { server: call.server(), flows };
    Seen { finding: Finding { stage: Stage::Perceive, decision, reasons }, perception, carried, call }
}

/// Whose word is taken for what the tool does.
fn signed(signer: &str) -> String {
    format!("what the tool does is declared in its definition, which {} signed", shown(signer))
}

/// Doubts that leave open what the call does. The others are answered by assuming the worst of what they are about.
fn is_open(doubt: &Doubt) -> bool {
    match doubt {
        Doubt::NoObject | Doubt::UnknownArgument(_) | Doubt::UnknownTool(_) => true,
        Doubt::Missing(_)
        | Doubt::Unreadable { .. }
        | Doubt::UnknownPage
        | Doubt::Shell(_)
        | Doubt::Sql(_) => false,
    }
}

/// The text of earlier results that stands in the arguments again.
fn matches(session: &Session<'_>, call: &ToolCall<'_>) -> Vec<Match> {
    let mut matches = Vec::new();
    if session.fingerprints.texts() > 0 {
        each_text(call.arguments, &mut |text| matches.extend(session.fingerprints.find(text).matches));
    }
    matches
}

/// The arguments as a whole, sent to a server on another machine.
fn sent_to(address: &str) -> Act {
    let deed = Deed {
        inputs: vec![Use::context()],
        outputs: vec![Use::new(address, Reach::One)],
        effects: Effects::only(Effect::Write),
    };
    Act { deed, payload: true }
}
