//! The facts of a call of which only its flows were recorded. Everything else may be anything.

use jiff::civil::DateTime;
use portcullis_datalog::PredicateId;
use portcullis_lattice::{Call, Flow, Reach, Realm, Realms, Resource};
use portcullis_perceive::{Act, Deed, Use};

use super::resources::{self, flow, names, placed};
use super::{CallFacts, times};
use crate::schema::Ids;

/// What was recorded of a call.
#[derive(Clone, Copy)]
pub struct PastCircumstances<'c> {
    /// What the tool is called.
    pub tool: &'c str,
    /// What the call did, through which server.
    pub call: &'c Call,
    /// Whether it used only parts of what its flows name, which were not recorded.
    pub in_part: bool,
    /// Whether the tool calls other tools.
    pub delegates: bool,
    /// The folder that was worked in.
    pub workspace: &'c str,
    /// The local time.
    pub now: DateTime,
}

/// What of a call nobody recorded.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// What is done to parts that have no name here.
    deeds: Vec<resources::Deed>,
    /// Whether something of it may be open to everybody.
    has_public: bool,
    delegates: bool,
}

impl CallFacts<'_> {
    /// The facts of a call of the past. What depends on its arguments or on earlier calls is unknown.
    pub fn of_past(past: &PastCircumstances<'_>) -> CallFacts<'static> {
        let mut facts = CallFacts {
            server: past.call.server.name.to_lowercase(),
            tool: format!("{}.{}", past.call.server.name, past.tool),
            now: Some(times::moment(past.now)),
            ..CallFacts::default()
        };
        let mut lost = Lost { deeds: Vec::new(), has_public: false, delegates: past.delegates };
        for recorded in &past.call.flows {
            let act = act(recorded, past);
            let mut flow = flow(&act);
            flow.is_secret = !recorded.taint().is_empty();
            if past.in_part {
                lost.deeds.extend(flow.kinds());
            }
            facts.flows.push(flow);
            let resources = recorded.inputs().iter().chain(recorded.outputs());
            for (used, resource) in act.deed.inputs.iter().chain(&act.deed.outputs).zip(resources) {
                lost.has_public |= resource.realms() == Realms::only(Realm::External);
                for name in names(used) {
                    let thing = placed(&name, resource.realms(), past.workspace);
                    if !facts.things.contains(&thing) {
                        facts.things.push(thing);
                    }
                }
            }
        }
        facts.lost = Some(lost);
        facts
    }
}

fn act(flow: &Flow, past: &PastCircumstances<'_>) -> Act {
    // Where parts are used, a name does not stand for all below it.
    let reach = |resource: &Resource| if past.in_part { Reach::One } else { resource.reach() };
    let used = |resource: &Resource| Use::new(resource.name(), reach(resource));
    let side = |resources: &[Resource]| resources.iter().map(used).collect();
    let deed = Deed { inputs: side(flow.inputs()), outputs: side(flow.outputs()), effects: flow.effects() };
    Act { deed, payload: true }
}

impl Lost {
    /// The predicates of which anything may hold.
    pub(super) fn predicates(&self, ids: &Ids) -> Vec<PredicateId> {
        // What arguments say.
        let mut unknown = vec![
            ids.did,
            ids.about,
            ids.argument,
            ids.number,
            ids.given,
            ids.choice,
            ids.text,
            ids.measure,
            ids.branch,
            ids.database,
            ids.program,
            ids.statement,
            ids.without_where,
            ids.unlimited,
            ids.event,
            ids.everything,
            ids.company,
        ];
        // What earlier calls left.
        unknown.extend([ids.carries, ids.calls, ids.calls_to, ids.earlier, ids.earlier_to]);
        unknown.extend(self.has_public.then_some(ids.public));
        unknown.extend(self.delegates.then_some(ids.tool));
        unknown.extend(self.deeds.iter().map(|deed| deed.predicate(ids)));
        if !self.deeds.is_empty() {
            unknown.extend([ids.kind, ids.realm, ids.top_level, ids.public]);
        }
        unknown
    }
}
