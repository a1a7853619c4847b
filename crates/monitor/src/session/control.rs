//! Stage 0: does the call reach for the gate itself?
//!
//! An agent that may change what guards it is not guarded. No call may change, delete or run Portcullis, its state and
//! its settings, or the settings by which a host starts servers and hooks. No rule, grant or approval lifts that.

use portcullis_lattice::{Call, Decision, Effect, Effects, Flow, ParseError, Reach, Region, Resource, Scope};
use portcullis_lattice::{catches, words};
use portcullis_perceive::{Perception, paths};

use super::Session;
use crate::stage::{Finding, Stage};

/// What changes, deletes or runs what is on either side of a flow.
const TOUCHES: Effects =
    Effects::only(Effect::Write).with(Effect::Del).with(Effect::Exec).with(Effect::Spawn);
/// What does so to where data comes from.
const USES_UP: Effects = Effects::only(Effect::Del).with(Effect::Exec).with(Effect::Spawn);
/// Code that runs in a folder may do anything in it; that is for consent to weigh.
const RUNS: Effects = Effects::only(Effect::Exec).with(Effect::Spawn);

/// What guards the agent, and must not be touched by it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Protected {
    places: Vec<Scope>,
    programs: Vec<String>,
}

impl Protected {
    /// These places, as rules write them (`/home/u/.config/portcullis/**`), and programs of these names.
    pub fn new<P: AsRef<str>>(places: &[P], programs: &[P]) -> Result<Protected, ParseError> {
        let places = places.iter().map(|place| place.as_ref().parse()).collect::<Result<Vec<Scope>, _>>()?;
        let programs = programs.iter().map(|program| program.as_ref().to_owned()).collect();
        Ok(Protected { places, programs })
    }

    /// Whether the commands of calls are needed.
    pub(super) fn names_programs(&self) -> bool {
        !self.programs.is_empty()
    }
}

pub(super) fn stage(session: &Session<'_>, perception: &Perception, call: &Call) -> Finding {
    let protected = &session.protected;
    let mut decision = Decision::Permit;
    let mut reasons: Vec<String> = Vec::new();
    for touch in call.flows.iter().flat_map(|flow| touches(session, flow)) {
        decision = decision.max(touch.decision());
        let reason = touch.words();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    for command in perception.particulars.iter().flat_map(|particulars| &particulars.commands) {
        let program = command.program.as_deref().filter(|program| is_protected(protected, program));
        let program = program
            .map(|program| format!("an agent must not run `{program}`, which guards it; run it yourself"));
        let named = command.words.iter().flatten().find_map(|word| unaccounted(session, word, call));
        let named = named.map(|place| format!("a command in it names {place}, which guards the agent"));
        for reason in program.into_iter().chain(named) {
            decision = Decision::Deny;
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    Finding { stage: Stage::Control, decision, reasons }
}

/// A protected place that a word of a command names, although nothing that the call is known to do concerns it: a folder
/// to go to, the file of a database.
fn unaccounted(session: &Session<'_>, word: &str, call: &Call) -> Option<String> {
    let ground = &session.ground;
    // A setting is named behind its option: `--db=/home/u/x`.
    let word = word.split_once('=').map_or(word, |(_, value)| value);
    let named = paths::name(word, &ground.layout().base(), session.resolver).ok()?;
    let resource = ground.topology().resource(&named.name, Reach::One).ok()?;
    let catches = |place: &Scope, resource: &Resource| catches(place, resource, ground.topology());
    let place = session.protected.places.iter().find(|place| catches(place, &resource))?;
    let uses = call.flows.iter().flat_map(|flow| flow.inputs().iter().chain(flow.outputs()));
    let is_known = uses.into_iter().any(|used| catches(place, used));
    (!is_known).then(|| words::scope(place))
}

fn is_protected(protected: &Protected, program: &str) -> bool {
    let name = program.strip_suffix(".exe").unwrap_or(program);
    protected.programs.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Something protected that a flow reaches.
struct Touch<'f> {
    place: &'f Scope,
    by: &'f Resource,
    effects: Effects,
    /// Whether it is named itself, and not only lies in a tree that is named.
    is_meant: bool,
}

fn touches<'f>(session: &'f Session<'_>, flow: &'f Flow) -> impl Iterator<Item = Touch<'f>> {
    let outputs = flow.outputs().iter().map(|output| (output, TOUCHES));
    let inputs = flow.inputs().iter().map(|input| (input, USES_UP));
    let sides = outputs.chain(inputs).filter(|(_, effects)| flow.effects().overlaps(*effects));
    let topology = session.ground.topology();
    sides.flat_map(move |(by, effects)| {
        let touched = session.protected.places.iter().filter(|place| catches(place, by, topology));
        touched
            .map(move |place| Touch {
                place,
                by,
                effects: flow.effects().meet(effects),
                is_meant: by.reach() != Reach::Subtree || Region::resolve(place, topology).covers(by),
            })
            .filter(|touch| touch.is_meant || !touch.effects.overlaps(RUNS))
    })
}

impl Touch<'_> {
    /// What names a protected place is refused, and so is the deletion of a tree that holds one. Writing into such a tree
    /// happens in every workspace, and may overwrite it: each time is asked about.
    fn decision(&self) -> Decision {
        if self.is_meant || self.effects.contains(Effect::Del) { Decision::Deny } else { Decision::Ask }
    }

    fn words(&self) -> String {
        let place = words::scope(self.place);
        match self.is_meant {
            true => format!("it would {} {place}, which guards the agent", verb(self.effects)),
            false => {
                let tree = words::resource(self.by);
                format!("it would {} {tree}, and perhaps {place}, which guards the agent", verb(self.effects))
            }
        }
    }
}

fn verb(effects: Effects) -> &'static str {
    match () {
        () if effects.overlaps(RUNS) => "run",
        () if effects.contains(Effect::Del) => "delete",
        () => "change",
    }
}
