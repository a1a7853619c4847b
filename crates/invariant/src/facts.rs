//! The facts of a call that rules are about.

mod arguments;
mod assigned;
mod commands;
mod did;
mod fields;
mod jobs;
mod marks;
mod measures;
mod names;
mod past;
mod ran;
mod resources;
mod same;
mod signs;
mod spoken;
mod times;

use std::borrow::Cow;

use jiff::civil::DateTime;
use portcullis_datalog::{Facts, PredicateId, Value};
use portcullis_perceive::layout::Ground;
use portcullis_perceive::shell::Command;
use portcullis_perceive::{Act, Perception};

pub(crate) use did::about;
pub use past::{PastCircumstances, Untold};
pub(crate) use signs::SIGNS;

use crate::history::{FORGOTTEN, History};
use crate::interest::Interest;
use crate::names::{append, joined};
use crate::schema::{Ids, Vocabulary};

/// What rules derive where a milestone is reached.
pub(crate) const MILESTONES: &str = "milestone";
/// What reading a page does to the host that it is on.
pub(crate) const READS_HOST: &str = "reads host";
/// Behind an act, the same to the day of what it schedules.
pub(crate) const ON_A_DAY: &str = " on a day";
/// How the history spells one, and what was done to what.
pub(crate) const MILESTONE: &str = "milestone ";
const DONE_TO: &str = "to ";
/// So much of what one call does to single things is remembered.
const MOST_DONE: usize = 256;

/// What the host knows of a call.
#[derive(Clone, Copy)]
pub struct Circumstances<'c> {
    /// What the server is called.
    pub server: &'c str,
    /// What the tool is called there.
    pub tool: &'c str,
    /// The arguments.
    pub arguments: &'c serde_json::Value,
    /// Whether the tool calls other tools, whose names and arguments are among its own.
    pub calls_tools: bool,
    /// The arguments that the tool knows, for those that are left out.
    pub known: &'c [&'c str],
    /// What it does, with particulars.
    pub perception: &'c Perception,
    /// Which acts carry secrets.
    pub secrets: &'c [bool],
    /// Which acts carry data from which places, by the names that rules have for them.
    pub carried: &'c [Vec<String>],
    /// How the session lies.
    pub ground: &'c Ground,
    /// The local time, where it is known.
    pub now: Option<DateTime>,
    /// What the rules ask about; the rest need not be found out.
    pub interest: &'c Interest,
    /// How many earlier calls of the session did what.
    pub history: &'c History,
}

/// The words of a tool's name and of its server's.
struct Called {
    words: String,
    /// Where the words of the tool end.
    tool: usize,
}

impl Called {
    fn of(call: &Circumstances<'_>) -> Called {
        let mut words = joined(call.tool);
        let tool = words.len();
        words.push(' ');
        append(call.server, &mut words);
        Called { words, tool }
    }

    fn tool(&self) -> &str {
        self.words.get(..self.tool).unwrap_or_default()
    }

    fn all(&self) -> &str {
        self.words.trim_ascii()
    }
}

/// The facts of a call, owned; [`CallFacts::fill`] hands them to the engine.
#[derive(Clone, Debug, Default)]
pub struct CallFacts<'c> {
    pub(crate) server: String,
    pub(crate) tool: String,
    pub(crate) did: Vec<String>,
    pub(crate) about: Vec<String>,
    pub(crate) flows: Vec<resources::FlowFacts<'c>>,
    pub(crate) things: Vec<resources::ThingFacts<'c>>,
    pub(crate) arguments: arguments::Arguments<'c>,
    pub(crate) measures: Vec<(String, Option<i64>)>,
    pub(crate) calls: Vec<(String, Option<i64>)>,
    /// What was done to what, and how often.
    pub(crate) calls_to: Vec<(String, String, Option<i64>)>,
    /// Milestones that earlier calls reached.
    pub(crate) earlier: Vec<String>,
    /// How many earlier calls reached which milestone.
    pub(crate) reached: Vec<(String, i64)>,
    /// Signs of the shell in its command lines.
    pub(crate) signs: Vec<&'static str>,
    /// What earlier calls did to what.
    pub(crate) earlier_to: Vec<(String, String)>,
    /// What its values have to do with those of earlier calls.
    pub(crate) same: same::SameFacts,
    /// Whether earlier calls did more than is remembered.
    pub(crate) has_forgotten: bool,
    /// Whether they reached more milestones than are remembered.
    pub(crate) has_lost_milestones: bool,
    /// Whether the history must say what was done to what.
    pub(crate) counts_things: bool,
    pub(crate) branches: Vec<Option<String>>,
    pub(crate) databases: Vec<String>,
    pub(crate) programs: Vec<Option<&'c str>>,
    pub(crate) statements: Vec<commands::StatementFacts>,
    pub(crate) now: Option<(i64, i64, i64)>,
    pub(crate) events: Vec<times::Event>,
    pub(crate) is_everything: bool,
    /// Whether it is not told what each flow carries.
    pub(crate) is_untold: bool,
    /// Whether some arguments were not looked at.
    pub(crate) is_cut: bool,
    /// Whether a command line or SQL could not be read: then nobody knows what it does.
    pub(crate) is_unread: bool,
    /// What of a call of the past nobody recorded.
    pub(crate) lost: Option<past::Lost>,
}

impl<'c> CallFacts<'c> {
    /// Finds out the facts of a call.
    pub fn of(call: &Circumstances<'c>) -> CallFacts<'c> {
        let mut facts = CallFacts {
            server: call.server.to_lowercase(),
            tool: [call.server, ".", call.tool].concat(),
            ..CallFacts::default()
        };
        let called = Called::of(call);
        facts.arguments = arguments::Arguments::of(call.arguments, call.interest);
        resources::add(&mut facts, call);
        commands::add(&mut facts, call);
        spoken::add(&mut facts, commands_of(call));
        assigned::add(&mut facts, call.interest);
        fields::add(&mut facts, call.arguments, call.interest);
        let (events, is_whole) = times::events(call.arguments, call.interest);
        facts.events = events;
        // What a tool calls with another tool's name is not looked into here.
        facts.is_cut = !is_whole || facts.arguments.is_cut || call.calls_tools;
        facts.is_unread |= call.calls_tools;
        facts.now = call.now.map(times::moment);
        did::add(&mut facts, call, &called);
        did::add_spelled(&mut facts, call);
        if call.interest.signs {
            let lines = facts.arguments.texts().filter(|(name, _)| arguments::is_command(name));
            facts.signs = lines.flat_map(|(_, line)| signs::signs(line)).collect();
        }
        if call.interest.measures {
            measures::add(&mut facts, call, &called);
        }
        facts.has_forgotten = (call.interest.counts || call.interest.order) && !call.history.is_whole();
        if call.interest.counts {
            facts.count(call);
        }
        if call.interest.order {
            facts.remember(call);
        }
        same::add(&mut facts, call);
        facts
    }

    fn count(&mut self, call: &Circumstances<'_>) {
        let counted = self.counted().into_iter().map(|action| {
            let count = counting_this(call.history.count(&action));
            (action, count)
        });
        self.calls = counted.collect();
    }

    /// What earlier calls did, as far as a rule asks.
    fn remember(&mut self, call: &Circumstances<'_>) {
        self.counts_things = true;
        self.has_lost_milestones = !call.history.has_all_milestones();
        for (key, action, name) in self.done_to() {
            self.calls_to.push((action, name, counting_this(call.history.count(&key))));
        }
        for (key, count) in call.history.counts() {
            if let Some(name) = key.strip_prefix(MILESTONE) {
                self.earlier.push(name.to_owned());
                self.reached.push((name.to_owned(), i64::try_from(count).unwrap_or(i64::MAX)));
            } else if let Some((deed, name)) =
                key.strip_prefix(DONE_TO).and_then(|rest| rest.split_once('\t'))
            {
                self.earlier_to.push((deed.to_owned(), name.to_owned()));
            }
        }
    }

    /// What the call does to what, with the key that the history has for it.
    fn done_to(&self) -> Vec<(String, String, String)> {
        let mut done: Vec<(String, String, String)> = Vec::new();
        let mut add = |action: &str, name: &str| {
            let key = format!("{DONE_TO}{action}\t{name}");
            if done.len() < MOST_DONE && !done.iter().any(|(own, _, _)| *own == key) {
                done.push((key, action.to_owned(), name.to_owned()));
            }
        };
        for flow in &self.flows {
            flow.deeds_to().for_each(|(deed, name)| add(deed, name));
            for action in &self.did {
                flow.outputs().for_each(|name| add(action, name));
            }
            let pages = flow.inputs().filter(|name| name.starts_with("http"));
            pages.filter_map(crate::filters::host).for_each(|host| add(READS_HOST, host));
        }
        for event in &self.events {
            let date = event.date().to_string();
            self.did.iter().for_each(|action| add(&[action, ON_A_DAY].concat(), &date));
        }
        done
    }

    /// Whether earlier calls did more than is remembered, or had more values.
    pub(crate) fn forgot(&self) -> bool {
        self.has_forgotten || !self.same.lost.is_empty()
    }

    /// What the call did in words.
    pub fn did(&self) -> &[String] {
        &self.did
    }

    /// Everything that the history of the session counts of the call.
    pub fn counted(&self) -> Vec<String> {
        let mut counted = self.did.clone();
        counted.extend(self.about.iter().map(|noun| format!("about {noun}")));
        for flow in &self.flows {
            for deed in flow.deeds() {
                if !counted.iter().any(|own| own == deed) {
                    counted.push(deed.to_owned());
                }
            }
        }
        if self.counts_things {
            let done = self.done_to();
            counted.extend((done.len() >= MOST_DONE).then(|| FORGOTTEN.to_owned()));
            counted.extend(done.into_iter().map(|(key, _, _)| key));
        }
        counted.extend(self.same.kept.iter().cloned());
        counted
    }

    /// Hands the facts to the engine.
    pub fn fill<'a>(&'a self, vocabulary: &Vocabulary) -> Facts<'a> {
        self.fill_used(vocabulary, &|_| true)
    }

    /// The same, but those that nobody uses.
    pub(crate) fn fill_used<'a>(
        &'a self,
        vocabulary: &Vocabulary,
        is_used: &dyn Fn(PredicateId) -> bool,
    ) -> Facts<'a> {
        let mut facts = Facts::new(vocabulary.schema());
        let mut unknown = Vec::new();
        // A fact that is refused makes its predicate unknown, which is as closed as can be.
        self.tell(
            vocabulary,
            &mut |predicate, values| {
                if is_used(predicate) {
                    let _ = facts.add(predicate, values);
                }
            },
            &mut |predicate| unknown.push(predicate),
        );
        unknown.into_iter().for_each(|predicate| facts.unknown(predicate));
        facts
    }

    /// Tells each fact, and then the predicates of which there may be more.
    pub(crate) fn tell<'a>(
        &'a self,
        vocabulary: &Vocabulary,
        add: &mut dyn FnMut(PredicateId, &[Value<'a>]),
        unknown: &mut dyn FnMut(PredicateId),
    ) {
        let ids = &vocabulary.ids;
        add(ids.server, &[Value::Text(&self.server)]);
        add(ids.tool, &[Value::Text(&self.tool)]);
        for action in &self.did {
            add(ids.did, &[Value::Text(action)]);
        }
        for noun in &self.about {
            add(ids.about, &[Value::Text(noun)]);
        }
        for (number, flow) in (0i64..).zip(&self.flows) {
            flow.fill(number, ids, add);
        }
        for thing in &self.things {
            thing.fill(ids, add);
        }
        self.arguments.fill(ids, add);
        self.same.fill(ids, add);
        self.fill_rest(ids, add);
        // What could not be found out may be anything.
        let unread = [ids.did, ids.sign, ids.program, ids.statement, ids.without_where, ids.unlimited];
        let cut = [
            ids.did,
            ids.tool,
            ids.about,
            ids.argument,
            ids.number,
            ids.given,
            ids.choice,
            ids.text,
            ids.sign,
            ids.measure,
            ids.branch,
            ids.database,
            ids.event,
            ids.everything,
            ids.company,
        ];
        let unread = unread.into_iter().filter(|_| self.is_unread);
        let cut = cut.into_iter().filter(|_| self.is_cut);
        let carries = self.is_untold.then_some(ids.carries);
        let forgotten = self.has_forgotten.then_some(ids.earlier_to);
        let reached = [ids.earlier, ids.reached].into_iter().filter(|_| self.has_lost_milestones);
        let same = [ids.earlier_same, ids.earlier_other].into_iter().filter(|_| self.same.is_cut);
        let done = (self.calls_to.len() >= MOST_DONE).then_some(ids.calls_to);
        let open = unread.chain(cut).chain(carries).chain(forgotten).chain(reached).chain(same).chain(done);
        open.for_each(&mut *unknown);
        if let Some(lost) = &self.lost {
            lost.predicates(ids).into_iter().for_each(unknown);
        }
    }

    fn fill_rest<'a>(&'a self, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let text = |text: &'a Option<String>| text.as_deref().map_or(Value::Unknown, Value::Text);
        let number = |number: &Option<i64>| number.map_or(Value::Unknown, Value::Number);
        for (unit, amount) in &self.measures {
            add(ids.measure, &[Value::Text(unit), number(amount)]);
        }
        for (action, count) in &self.calls {
            add(ids.calls, &[Value::Text(action), number(count)]);
        }
        for (action, name, count) in &self.calls_to {
            add(ids.calls_to, &[Value::Text(action), Value::Text(name), number(count)]);
        }
        for milestone in &self.earlier {
            add(ids.earlier, &[Value::Text(milestone)]);
        }
        for (milestone, count) in &self.reached {
            add(ids.reached, &[Value::Text(milestone), Value::Number(*count)]);
        }
        for sign in &self.signs {
            add(ids.sign, &[Value::Text(sign)]);
        }
        for (deed, name) in &self.earlier_to {
            add(ids.earlier_to, &[Value::Text(deed), Value::Text(name)]);
        }
        for branch in &self.branches {
            add(ids.branch, &[text(branch)]);
        }
        for database in &self.databases {
            add(ids.database, &[Value::Text(database)]);
        }
        for program in &self.programs {
            add(ids.program, &[program.map_or(Value::Unknown, Value::Text)]);
        }
        for (number, statement) in (0i64..).zip(&self.statements) {
            statement.fill(number, ids, add);
        }
        if let Some((date, weekday, minute)) = self.now {
            add(ids.now, &[Value::Number(date), Value::Number(weekday), Value::Number(minute)]);
        }
        for event in &self.events {
            event.fill(ids, add);
        }
        if self.is_everything {
            add(ids.everything, &[]);
        }
        if self.did.iter().any(|action| action == "invite") {
            add(ids.company, &[]);
        }
    }
}

/// How often something was done, this call included; nothing where nobody remembers.
fn counting_this(before: Option<u64>) -> Option<i64> {
    before.map(|before| i64::try_from(before).unwrap_or(i64::MAX).saturating_add(1))
}

/// The databases that the arguments of a call name, for data that is followed from one.
pub fn databases(arguments: &serde_json::Value) -> Vec<String> {
    commands::databases(&arguments::Arguments::of(arguments, &Interest::default()))
}

/// The commands of a call.
fn commands_of<'c>(call: &Circumstances<'c>) -> &'c [Command] {
    call.perception.particulars.as_ref().map_or(&[], |particulars| &particulars.commands)
}

/// The acts of a call that do something to others than the agent.
pub(crate) fn acts<'c>(call: &Circumstances<'c>) -> impl Iterator<Item = &'c Act> {
    call.perception.acts.iter()
}

/// A name with its reach, as rules have it.
pub(crate) use resources::kind;

pub(crate) fn reached(used: &portcullis_perceive::Use) -> Cow<'_, str> {
    match used.reach {
        portcullis_lattice::Reach::Subtree => {
            let stem = used.name.trim_end_matches("/**").trim_end_matches('/').trim_end_matches(":*");
            Cow::Owned([stem, crate::filters::BELOW].concat())
        }
        portcullis_lattice::Reach::One | portcullis_lattice::Reach::Names => {
            Cow::Borrowed(used.name.as_str())
        }
    }
}
