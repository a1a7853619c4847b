//! Facts about the things that a call uses.

use std::sync::Arc;

use portcullis_datalog::{PredicateId, Value};
use portcullis_lattice::{Effect, Effects, Realm, Realms};
use portcullis_perceive::{Act, Use};

use super::{CallFacts, Circumstances, reached};
use crate::schema::Ids;

/// Facts about one flow.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowFacts {
    effects: Vec<&'static str>,
    /// Each predicate with the names that it holds of.
    deeds: Vec<(Deed, Arc<str>)>,
    carries: Vec<String>,
    pub(super) is_secret: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Input,
    Output,
    Reads,
    Writes,
    Changes,
    Deletes,
    Moves,
    Copies,
    Runs,
    Sends,
    Involves,
}

impl Deed {
    pub(super) const fn predicate(self, ids: &Ids) -> PredicateId {
        match self {
            Deed::Input => ids.input,
            Deed::Output => ids.output,
            Deed::Reads => ids.reads,
            Deed::Writes => ids.writes,
            Deed::Changes => ids.changes,
            Deed::Deletes => ids.deletes,
            Deed::Moves => ids.moves,
            Deed::Copies => ids.copies,
            Deed::Runs => ids.runs,
            Deed::Sends => ids.sends,
            Deed::Involves => ids.involves,
        }
    }

    /// Its name, where the history counts it.
    const fn counted(self) -> Option<&'static str> {
        Some(match self {
            Deed::Reads => "reads",
            Deed::Writes => "writes",
            Deed::Changes => "changes",
            Deed::Deletes => "deletes",
            Deed::Moves => "moves",
            Deed::Runs => "runs",
            Deed::Sends => "sends",
            Deed::Input | Deed::Output | Deed::Copies | Deed::Involves => return None,
        })
    }
}

/// Facts about one thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ThingFacts {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) realms: Vec<&'static str>,
    pub(crate) is_public: bool,
    pub(crate) is_top_level: bool,
}

const RUNS: Effects = Effects::only(Effect::Exec).with(Effect::Spawn);

pub(super) fn add(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    for (at, act) in super::acts(call).enumerate() {
        let mut flow = flow(act);
        flow.is_secret = call.secrets.get(at).copied().unwrap_or(true);
        match call.carried.get(at) {
            Some(carried) => flow.carries.clone_from(carried),
            None => facts.is_untold = true,
        }
        facts.flows.push(flow);
        for used in act.deed.inputs.iter().chain(&act.deed.outputs) {
            for name in names(used) {
                let thing = thing(&name, used, call);
                if !facts.things.contains(&thing) {
                    facts.things.push(thing);
                }
            }
        }
    }
}

/// The names of a use: its own, and those of what exactly is used.
pub(super) fn names(used: &Use) -> Vec<String> {
    // Where it is known what exactly is used, it is not all below.
    let own = if used.details.is_empty() { reached(used).into_owned() } else { used.name.clone() };
    let mut names = vec![own];
    names.extend(used.details.iter().cloned());
    names
}

fn is_context(used: &Use) -> bool {
    used.name == "ctxt"
}

pub(super) fn flow(act: &Act) -> FlowFacts {
    let effects = act.deed.effects;
    let mut flow = FlowFacts { effects: effects.iter().map(Effect::name).collect(), ..FlowFacts::default() };
    let removes = effects.contains(Effect::Del);
    let writes = effects.contains(Effect::Write);
    let runs = effects.overlaps(RUNS);
    let content = effects.contains(Effect::Read) || writes || runs;
    for used in act.deed.inputs.iter().filter(|used| !is_context(used)) {
        for name in names(used) {
            let mut add = adding(&mut flow, &name);
            add(Deed::Input, true);
            add(Deed::Involves, true);
            // Listing names is looking, too.
            add(Deed::Reads, content);
            add(Deed::Changes, removes);
            add(Deed::Deletes, removes && !writes);
            add(Deed::Moves, removes && writes);
            add(Deed::Runs, runs);
            add(
                Deed::Copies,
                writes && !removes && act.deed.outputs.iter().any(|output| !is_context(output)),
            );
        }
    }
    for used in act.deed.outputs.iter().filter(|used| !is_context(used)) {
        for name in names(used) {
            let mut add = adding(&mut flow, &name);
            add(Deed::Output, true);
            add(Deed::Involves, true);
            add(Deed::Writes, writes);
            add(Deed::Changes, writes || removes);
            add(Deed::Deletes, removes && !writes);
            add(Deed::Runs, runs && !name.starts_with('/'));
            // What is put into one's own mailbox is not sent yet.
            add(Deed::Sends, (writes || runs) && !name.starts_with('/') && kind(&name) != "mailbox");
        }
    }
    flow
}

/// Adds deeds to one thing, each once.
fn adding(flow: &mut FlowFacts, name: &str) -> impl FnMut(Deed, bool) {
    let shared: Arc<str> = name.into();
    move |deed, holds| {
        let is_new = || !flow.deeds.iter().any(|(own, other)| *own == deed && *other == shared);
        if holds && is_new() {
            flow.deeds.push((deed, Arc::clone(&shared)));
        }
    }
}

fn thing(name: &str, used: &Use, call: &Circumstances<'_>) -> ThingFacts {
    let realms = || {
        let plain =
            Use { name: used.name.clone(), reach: used.reach, details: Vec::new(), realms: used.realms };
        call.ground.resource(&plain).map_or(Realms::ALL, |resource| resource.realms())
    };
    let realms = if call.interest.realms { realms() } else { Realms::EMPTY };
    let is_public = used.realms == Some(Realms::only(Realm::External));
    ThingFacts { is_public, ..placed(name, realms, &call.ground.layout().workspace) }
}

/// A thing in these realms, as its name tells it.
pub(super) fn placed(name: &str, realms: Realms, workspace: &str) -> ThingFacts {
    let kind = kind(name);
    let workspace = workspace.trim_end_matches('/');
    let rest = crate::filters::parts(name).0.strip_prefix(workspace).and_then(|rest| rest.strip_prefix('/'));
    ThingFacts {
        name: name.to_owned(),
        kind,
        realms: realms.iter().map(realm).collect(),
        is_public: false,
        is_top_level: kind == "file" && rest.is_some_and(|rest| !rest.is_empty() && !rest.contains('/')),
    }
}

fn realm(realm: Realm) -> &'static str {
    match realm {
        Realm::Context => "context",
        Realm::Local => "local",
        Realm::Internal => "internal",
        Realm::External => "external",
    }
}

/// What a name is.
pub(crate) fn kind(name: &str) -> &'static str {
    if name.starts_with('/') {
        return "file";
    }
    let (head, tail) = name.split_once(':').unwrap_or((name, ""));
    match head {
        "ctxt" => "context",
        "http" | "https" => "page",
        "mailto" => "person",
        "ssh" | "ftp" | "sftp" | "smb" | "tcp" => "host",
        "slack" => match tail.chars().next() {
            Some('D' | 'U' | 'W') => "direct",
            _ => "channel",
        },
        "github" | "gitlab" | "bitbucket" => "repository",
        "db" => "table",
        "calendar" => "calendar",
        "gmail" => "mailbox",
        "notion" => "note",
        "pkg" => "package",
        _ => "account",
    }
}

impl FlowFacts {
    pub(super) fn fill<'a>(&'a self, number: i64, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let flow = Value::Number(number);
        add(ids.flow, &[flow]);
        for effect in &self.effects {
            add(ids.effect, &[flow, Value::Text(effect)]);
        }
        for (deed, name) in &self.deeds {
            add(deed.predicate(ids), &[flow, Value::Text(name)]);
        }
        for source in &self.carries {
            add(ids.carries, &[flow, Value::Text(source)]);
        }
        if self.is_secret {
            add(ids.secret, &[flow]);
        }
    }

    /// What is done in it, to whatever.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Deed> {
        self.deeds.iter().map(|(deed, _)| *deed)
    }

    /// The deeds of the flow by their names, for counting.
    pub(crate) fn deeds(&self) -> impl Iterator<Item = &'static str> {
        self.deeds.iter().filter_map(|(deed, _)| deed.counted())
    }

    /// The deeds of the flow with what they are done to.
    pub(crate) fn deeds_to(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.deeds.iter().filter_map(|(deed, name)| Some((deed.counted()?, &**name)))
    }

    pub(crate) fn is_writing(&self) -> bool {
        self.effects.iter().any(|effect| *effect != "read")
    }

    pub(crate) fn has_effect(&self, effect: &str) -> bool {
        self.effects.contains(&effect)
    }

    /// The names that something is sent or written to.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &str> {
        self.deeds.iter().filter(|(deed, _)| *deed == Deed::Output).map(|(_, name)| &**name)
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> {
        self.deeds.iter().filter(|(deed, _)| *deed == Deed::Input).map(|(_, name)| &**name)
    }
}

impl ThingFacts {
    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let name = Value::Text(&self.name);
        add(ids.kind, &[name, Value::Text(self.kind)]);
        for realm in &self.realms {
            add(ids.realm, &[name, Value::Text(realm)]);
        }
        if self.is_public {
            add(ids.public, &[name]);
        }
        if self.is_top_level {
            add(ids.top_level, &[name]);
        }
    }
}
