//! The facts of a call of which only its flows were recorded. Everything else may be anything.

use std::borrow::Cow;

use jiff::civil::DateTime;
use portcullis_datalog::PredicateId;
use portcullis_lattice::{Call, Flow, Reach, Realm, Realms, Resource};
use portcullis_perceive::{Act, Deed, Use};

use super::resources::{self, flow, names, placed};
use super::{CallFacts, did, times};
use crate::interest::Interest;
use crate::schema::Ids;

/// What was recorded of a call.
#[derive(Clone, Copy)]
pub struct PastCircumstances<'c> {
    /// What the tool is called.
    pub tool: &'c str,
    /// What the call did, through which server.
    pub call: &'c Call,
    /// The names of its arguments.
    pub arguments: &'c [String],
    /// What of it was not recorded.
    pub untold: Untold,
    /// What the rules ask about.
    pub interest: &'c Interest,
    /// The folder that was worked in.
    pub workspace: &'c str,
    /// The local time.
    pub now: DateTime,
}

/// What of a call was not recorded. The values of arguments never are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Untold {
    /// It used only parts of what its flows name, and these have no names here.
    pub in_part: bool,
    /// Its tool calls other tools, and which is not known.
    pub delegates: bool,
    /// Its tool takes command lines or SQL.
    pub code: bool,
    /// Its arguments have arguments of their own, whose names are not known.
    pub nested: bool,
}

/// What of a call nobody can find out any more.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    /// What is done to parts that have no name here.
    deeds: Vec<resources::Deed>,
    /// Whether something of it may be open to everybody.
    has_public: bool,
    /// Whether words of its arguments may show what it does.
    is_open: bool,
    untold: Untold,
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
        let mut lost = Lost { deeds: Vec::new(), has_public: false, is_open: false, untold: past.untold };
        for recorded in &past.call.flows {
            let act = act(recorded, past);
            let mut flow = flow(&act).into_owned();
            flow.is_secret = !recorded.taint().is_empty();
            if past.untold.in_part {
                lost.deeds.extend(flow.kinds());
            }
            facts.flows.push(flow);
            let resources = recorded.inputs().iter().chain(recorded.outputs());
            for (used, resource) in act.deed.inputs.iter().chain(&act.deed.outputs).zip(resources) {
                lost.has_public |= resource.realms() == Realms::only(Realm::External);
                for name in names(used) {
                    let name = Cow::Owned(name.into_owned());
                    let thing = placed(name, resource.realms(), past.workspace);
                    if !facts.things.contains(&thing) {
                        facts.things.push(thing);
                    }
                }
            }
        }
        lost.is_open = did::add_past(&mut facts, past);
        facts.lost = Some(lost);
        facts
    }
}

fn act(flow: &Flow, past: &PastCircumstances<'_>) -> Act {
    // Where parts are used, a name does not stand for all below it.
    let reach = |resource: &Resource| if past.untold.in_part { Reach::One } else { resource.reach() };
    let used = |resource: &Resource| Use::new(resource.name(), reach(resource));
    let side = |resources: &[Resource]| resources.iter().map(used).collect();
    let deed = Deed { inputs: side(flow.inputs()), outputs: side(flow.outputs()), effects: flow.effects() };
    Act { deed, payload: true }
}

impl Lost {
    /// The predicates of which anything may hold.
    pub(super) fn predicates(&self, ids: &Ids) -> Vec<PredicateId> {
        // What arguments say, and what earlier calls left.
        let mut unknown = vec![
            ids.argument,
            ids.number,
            ids.given,
            ids.choice,
            ids.text,
            ids.measure,
            ids.branch,
            ids.database,
            ids.event,
            ids.everything,
            ids.company,
            ids.carries,
            ids.calls,
            ids.calls_to,
            ids.earlier,
            ids.reached,
            ids.earlier_to,
            ids.earlier_same,
            ids.earlier_other,
        ];
        if self.untold.code || self.untold.delegates {
            unknown.extend([
                ids.sign,
                ids.program,
                ids.statement,
                ids.without_where,
                ids.unlimited,
                ids.about,
            ]);
        }
        unknown.extend(self.is_open.then_some(ids.did));
        unknown.extend(self.has_public.then_some(ids.public));
        unknown.extend(self.untold.delegates.then_some(ids.tool));
        unknown.extend(self.deeds.iter().map(|deed| deed.predicate(ids)));
        if !self.deeds.is_empty() {
            unknown.extend([ids.kind, ids.realm, ids.top_level, ids.public]);
        }
        unknown
    }
}
