//! Facts about the things that a call uses.

use std::borrow::Cow;

use portcullis_datalog::{PredicateId, Value};
use portcullis_lattice::{Effect, Effects, Reach, Realm, Realms};
use portcullis_perceive::{Act, Use};

use super::{CallFacts, Circumstances, reached};
use crate::schema::Ids;

/// Facts about one flow.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowFacts<'c> {
    effects: Effects,
    /// The names that it is about, each once.
    names: Vec<Cow<'c, str>>,
    /// Each predicate with the names that it holds of, by their places.
    deeds: Vec<(Deed, usize)>,
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
pub(crate) struct ThingFacts<'c> {
    pub(crate) name: Cow<'c, str>,
    pub(crate) kind: &'static str,
    pub(crate) realms: Realms,
    pub(crate) is_public: bool,
    pub(crate) is_top_level: bool,
}

const RUNS: Effects = Effects::only(Effect::Exec).with(Effect::Spawn);

pub(super) fn add<'c>(facts: &mut CallFacts<'c>, call: &Circumstances<'c>) {
    for (at, act) in super::acts(call).enumerate() {
        let mut flow = flow(act);
        flow.is_secret = call.secrets.get(at).copied().unwrap_or(true);
        match call.carried.get(at) {
            Some(carried) => flow.carries.clone_from(carried),
            None => facts.is_untold = true,
        }
        facts.flows.push(flow);
        for used in act.deed.inputs.iter().chain(&act.deed.outputs) {
            let realms = if call.interest.realms { realms(used, call) } else { Realms::EMPTY };
            let is_public = used.realms == Some(Realms::only(Realm::External));
            for name in names(used) {
                let thing = ThingFacts { is_public, ..placed(name, realms, &call.ground.layout().workspace) };
                if !facts.things.contains(&thing) {
                    facts.things.push(thing);
                }
            }
        }
    }
}

/// The names of a use: its own, and those of what exactly is used.
pub(super) fn names(used: &Use) -> impl Iterator<Item = Cow<'_, str>> {
    // Where it is known what exactly is used, it is not all below.
    let own = if used.details.is_empty() { reached(used) } else { Cow::Borrowed(used.name.as_str()) };
    std::iter::once(own).chain(used.details.iter().map(|detail| Cow::Borrowed(detail.as_str())))
}

fn is_context(used: &Use) -> bool {
    used.name == "ctxt"
}

pub(super) fn flow(act: &Act) -> FlowFacts<'_> {
    let effects = act.deed.effects;
    let mut flow = FlowFacts { effects, ..FlowFacts::default() };
    let removes = effects.contains(Effect::Del);
    let writes = effects.contains(Effect::Write);
    let runs = effects.overlaps(RUNS);
    let content = effects.contains(Effect::Read) || writes || runs;
    let has_target = act.deed.outputs.iter().any(|output| !is_context(output));
    for name in act.deed.inputs.iter().filter(|used| !is_context(used)).flat_map(names) {
        let may_change = runs && is_database(&name);
        let at = flow.place(name);
        let mut add = |deed, holds: bool| {
            if holds {
                flow.add(deed, at);
            }
        };
        add(Deed::Input, true);
        add(Deed::Involves, true);
        // Listing names is looking, too.
        add(Deed::Reads, content);
        add(Deed::Changes, removes || may_change);
        add(Deed::Writes, may_change);
        add(Deed::Deletes, (removes && !writes) || may_change);
        add(Deed::Moves, removes && writes);
        add(Deed::Runs, runs);
        add(Deed::Copies, writes && !removes && has_target);
    }
    for name in act.deed.outputs.iter().filter(|used| !is_context(used)).flat_map(names) {
        let is_elsewhere = !name.starts_with('/');
        // What is put into one's own mailbox is not sent yet.
        let is_sent = (writes || runs) && is_elsewhere && kind(&name) != "mailbox";
        let may_change = runs && is_database(&name);
        let at = flow.place(name);
        let mut add = |deed, holds: bool| {
            if holds {
                flow.add(deed, at);
            }
        };
        add(Deed::Output, true);
        add(Deed::Involves, true);
        // It may use whatever is there as well.
        add(Deed::Input, may_change);
        add(Deed::Reads, may_change);
        add(Deed::Writes, writes || may_change);
        add(Deed::Changes, writes || removes || may_change);
        add(Deed::Deletes, (removes && !writes) || may_change);
        add(Deed::Runs, runs && is_elsewhere);
        add(Deed::Sends, is_sent);
    }
    flow
}

/// A database or something in it: code that runs there, and SQL that nobody can read, may do anything to it.
fn is_database(name: &str) -> bool {
    name == "db/**" || name.starts_with("db:")
}

/// Where a name lies. One that nobody can read lies anywhere.
fn realms(used: &Use, call: &Circumstances<'_>) -> Realms {
    natural_realms(used)
        .unwrap_or_else(|| call.ground.resource(used).map_or(Realms::ALL, |resource| resource.realms()))
}

/// The realms of names that lie in the same place in each session, told without taking them apart: the context, and paths
/// of plain letters.
fn natural_realms(used: &Use) -> Option<Realms> {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-';
    // A dot with a letter behind it is the name's own.
    let is_path = |name: &str| {
        let mut before = b' ';
        name.bytes().all(|letter| {
            let fits = match letter {
                b'/' => is_plain(before) || before == b' ',
                b'.' => is_plain(before) || before == b'/',
                _ => is_plain(letter) && (before != b' '),
            };
            before = letter;
            fits
        }) && is_plain(before)
    };
    match used.name.as_str() {
        "ctxt" if used.reach == Reach::One => Some(Realms::only(Realm::Context)),
        name if is_path(name) => Some(Realms::only(Realm::Local)),
        _ => None,
    }
}

/// A thing in these realms, as its name tells it.
pub(super) fn placed<'c>(name: Cow<'c, str>, realms: Realms, workspace: &str) -> ThingFacts<'c> {
    let kind = kind(&name);
    let workspace = workspace.trim_end_matches('/');
    let rest = crate::filters::parts(&name).0.strip_prefix(workspace).and_then(|rest| rest.strip_prefix('/'));
    let is_top_level = kind == "file" && rest.is_some_and(|rest| !rest.is_empty() && !rest.contains('/'));
    ThingFacts { name, kind, realms, is_public: false, is_top_level }
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
        // Whatever is in a database.
        "db/**" => "table",
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

impl<'c> FlowFacts<'c> {
    /// The place of a name, which is new or known.
    fn place(&mut self, name: Cow<'c, str>) -> usize {
        let known = self.names.iter().position(|own| *own == name);
        known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// Adds a deed to the name at a place, once.
    fn add(&mut self, deed: Deed, at: usize) {
        if !self.deeds.contains(&(deed, at)) {
            self.deeds.push((deed, at));
        }
    }

    pub(super) fn fill<'a>(&'a self, number: i64, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let flow = Value::Number(number);
        add(ids.flow, &[flow]);
        for effect in self.effects.iter() {
            add(ids.effect, &[flow, Value::Text(effect.name())]);
        }
        for (deed, name) in self.named() {
            add(deed.predicate(ids), &[flow, Value::Text(name)]);
        }
        for source in &self.carries {
            add(ids.carries, &[flow, Value::Text(source)]);
        }
        if self.is_secret {
            add(ids.secret, &[flow]);
        }
    }

    /// The same without what it borrows.
    pub(super) fn into_owned(self) -> FlowFacts<'static> {
        let names = self.names.into_iter().map(|name| Cow::Owned(name.into_owned())).collect();
        FlowFacts {
            names,
            effects: self.effects,
            deeds: self.deeds,
            carries: self.carries,
            is_secret: self.is_secret,
        }
    }

    fn named(&self) -> impl Iterator<Item = (Deed, &str)> {
        self.deeds.iter().filter_map(|(deed, at)| Some((*deed, &**self.names.get(*at)?)))
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
        self.named().filter_map(|(deed, name)| Some((deed.counted()?, name)))
    }

    pub(crate) fn is_writing(&self) -> bool {
        self.effects.iter().any(|effect| effect != Effect::Read)
    }

    pub(crate) fn has_effect(&self, effect: &str) -> bool {
        self.effects.iter().any(|own| own.name() == effect)
    }

    /// The names that something is sent or written to.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &str> {
        self.named().filter(|(deed, _)| *deed == Deed::Output).map(|(_, name)| name)
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> {
        self.named().filter(|(deed, _)| *deed == Deed::Input).map(|(_, name)| name)
    }
}

impl ThingFacts<'_> {
    pub(super) fn fill<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let name = Value::Text(&self.name);
        add(ids.kind, &[name, Value::Text(self.kind)]);
        for own in self.realms.iter() {
            add(ids.realm, &[name, Value::Text(realm(own))]);
        }
        if self.is_public {
            add(ids.public, &[name]);
        }
        if self.is_top_level {
            add(ids.top_level, &[name]);
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_perceive::layout::Layout;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn names_that_lie_in_the_same_place_everywhere_lie_there_for_the_session(
            name in "ctxt|mailto:[a-z]{1,3}@[a-z]{1,3}|/?([a-zA-Z0-9._~* :=@-]{0,4}/?){0,4}",
            reach in prop::sample::select(vec![Reach::One, Reach::Names, Reach::Subtree]),
            public in any::<bool>(),
        ) {
            let layout = Layout {
                workspace: "/home/u/p".into(),
                home: "/home/u".into(),
                internal: vec!["acme.com".into()],
                ..Layout::default()
            };
            let ground = layout.ground().unwrap();
            let realms = public.then_some(Realms::only(Realm::External));
            let used = Use { realms, ..Use::new(name, reach) };
            if let Some(natural) = natural_realms(&used) {
                prop_assert_eq!(natural, ground.resource(&used).unwrap().realms());
            }
        }
    }
}
