//! A call, perceived: from a profile and arguments to acts.

mod doubt;
mod items;
mod particulars;
mod places;
mod scan;

use std::borrow::Cow;
use std::collections::BTreeMap;

use portcullis_lattice::{Effect, Effects, Flow, FlowError, ParseError, Taint};
use serde_json::{Map, Value};

pub use doubt::Doubt;
pub use particulars::Particulars;
pub(crate) use scan::sent_to;

use crate::deed::{Act, Deed, Use};
use crate::layout::Ground;
use crate::paths::Resolver;
use crate::profile::{Condition, FlowProfile, Opens, Profile, What};
use crate::secrets::Formats;
use crate::{shell, sql};
use places::Reader;

/// How many tools may call one another in one call.
const MOST_INNER_CALLS: usize = 4;
/// So many arguments that nothing is known of are looked at one by one.
const MOST_UNKNOWN: usize = 512;

/// Everything that calls of a session are perceived with.
#[derive(Clone, Copy)]
pub struct Perceiver<'p> {
    /// How the session lies.
    pub ground: &'p Ground,
    /// The formats of credentials.
    pub formats: &'p Formats,
    /// Says which places are links.
    pub resolver: &'p dyn Resolver,
    /// The profiles of the server's tools by name, for tools that call tools.
    pub tools: &'p dyn Fn(&str) -> Option<&'p Profile>,
}

/// What of earlier calls the next one depends on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The page that the browser shows, by its canonical name.
    pub page: Option<String>,
    /// The pages of browsers that no catalogue knows, by the heads of their servers' names. They are kept apart, so that no
    /// server says what another one's browser shows.
    pub pages: BTreeMap<String, String>,
}

/// What a call does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Perception {
    /// Everything that it does. None at all means that it was not understood.
    pub acts: Vec<Act>,
    /// Why something was taken at its worst.
    pub doubts: Vec<Doubt>,
    /// What a person should know about the texts in the arguments.
    pub notes: Vec<Note>,
    /// The formats of credentials that stand in the arguments.
    pub credentials: Vec<String>,
    /// The page that the browser shows after the call.
    pub page: PageAfter,
    /// The server whose browser that is, where no catalogue knows it.
    pub browser: Option<String>,
    /// What stands in command lines and SQL, piece by piece; only for those who ask for it.
    pub particulars: Option<Particulars>,
}

/// The page that a browser shows after a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PageAfter {
    /// The one that it showed before.
    #[default]
    Same,
    /// This one, by its canonical name.
    Known(String),
    /// Another one, and nobody knows which.
    Unknown,
}

impl Memory {
    /// What is remembered when the call has been made.
    pub fn after(mut self, perception: &Perception) -> Memory {
        let page = match &perception.page {
            PageAfter::Same => return self,
            PageAfter::Known(name) => Some(name.clone()),
            PageAfter::Unknown => None,
        };
        match (&perception.browser, page) {
            (None, page) => self.page = page,
            (Some(browser), Some(page)) => drop(self.pages.insert(browser.clone(), page)),
            (Some(browser), None) => drop(self.pages.remove(browser)),
        }
        self
    }
}

/// Something about the text of an argument that the name made of it does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The argument.
    pub argument: String,
    /// What is to be known.
    pub words: String,
    /// Whether an honest caller has little reason to write it so.
    pub is_suspicious: bool,
}

/// Why acts are no flows.
#[derive(Debug, thiserror::Error)]
pub enum FlowsError {
    /// A name is not canonical.
    #[error(transparent)]
    Name(#[from] ParseError),
    /// A flow is impossible.
    #[error(transparent)]
    Flow(#[from] FlowError),
}

impl<'p> Perceiver<'p> {
    /// What a call does, as the profile of its tool has it.
    pub fn call(&self, profile: &Profile, arguments: &Value, memory: &Memory) -> Perception {
        self.perceived(profile, arguments, memory, Perception::default())
    }

    /// The same, with the commands and statements in its arguments. That takes a little longer and changes nothing else.
    pub fn call_with_particulars(&self, profile: &Profile, arguments: &Value, memory: &Memory) -> Perception {
        let particulars = Some(Particulars::default());
        self.perceived(profile, arguments, memory, Perception { particulars, ..Perception::default() })
    }

    fn perceived(
        &self,
        profile: &Profile,
        arguments: &Value,
        memory: &Memory,
        mut perception: Perception,
    ) -> Perception {
        self.perceive(profile, arguments, memory, MOST_INNER_CALLS, &mut perception);
        perception.credentials = scan::credentials(arguments, self.formats);
        perception.doubts.sort();
        perception.doubts.dedup();
        perception
    }

    fn perceive(
        &self,
        profile: &Profile,
        arguments: &Value,
        memory: &Memory,
        depth: usize,
        perception: &mut Perception,
    ) {
        let mut reader = Reader::new(self, arguments, memory);
        let unlisted = profile.basis.as_ref().and_then(|basis| {
            let complete = basis.for_arguments(arguments)?;
            if !basis.definition.lists_nothing() {
                // A server may well pass over what it does not list, and do what it does without it.
                self.deeds(profile, &mut reader, perception);
                self.unknown(profile, &mut reader, perception);
            }
            Some(complete)
        });
        let known = profile;
        let profile = unlisted.as_ref().unwrap_or(known);
        self.deeds(profile, &mut reader, perception);
        self.insides(known, &mut reader, perception);
        if let Some(opens) = &profile.opens {
            perception.page = reader.opened(opens);
            perception.browser.clone_from(&opens.browser);
        }
        self.unknown(profile, &mut reader, perception);
        perception.doubts.append(&mut reader.doubts);
        perception.notes.append(&mut reader.notes);
        if let Some(inner) = &profile.calls {
            let tools = inner.tool.values(arguments);
            let name = tools.first().and_then(|name| name.as_str()).unwrap_or_default();
            let inner_arguments = inner.arguments.values(arguments).into_iter().next();
            let inner_arguments =
                inner_arguments.map_or_else(|| Cow::Owned(Value::Object(Map::new())), scan::decoded);
            match (self.tools)(name).filter(|_| depth > 0) {
                Some(profile) => self.perceive(profile, &inner_arguments, memory, depth - 1, perception),
                None => perception.doubts.push(Doubt::UnknownTool(name.to_owned())),
            }
        }
    }

    /// What a derived profile cannot say of arguments that may hold anything: the values tell. That only adds, for whoever
    /// writes the arguments must not choose what a tool is taken for.
    fn insides(&self, profile: &Profile, reader: &mut Reader<'_, '_>, perception: &mut Perception) {
        let Some(told) = profile.basis.as_ref().map(|basis| basis.insides(reader.arguments)) else { return };
        if let Some(profile) = told.profile {
            self.deeds(&profile, reader, perception);
        }
        if told.is_cut {
            let (argument, why) =
                ("arguments".to_owned(), "more stands in them than is looked at".to_owned());
            perception.doubts.push(Doubt::Unreadable { argument, why });
            let effects = Effects::only(Effect::Write);
            let deed = Deed { inputs: vec![Use::context()], outputs: places::any_place().into(), effects };
            perception.add(Act { deed, payload: true });
        }
    }

    /// Everything that a profile says of the arguments.
    fn deeds(&self, profile: &Profile, reader: &mut Reader<'_, '_>, perception: &mut Perception) {
        let arguments = reader.arguments;
        let text_goes_along = profile.text.iter().any(|path| !path.values(arguments).is_empty());
        for deed in profile.deeds.iter().filter(|deed| all_hold(&deed.when, arguments)) {
            match &deed.what {
                What::Flow(flow) => {
                    let deed = reader.flow(flow);
                    perception.add(Act { payload: text_goes_along, deed });
                }
                What::Shell { command, folder } => {
                    let folder = folder.as_ref().and_then(|path| reader.folder(path));
                    for text in reader.texts(command) {
                        self.shell(&text, folder.as_deref(), reader, perception);
                    }
                }
                What::Sql { text, dialect } => {
                    for text in reader.statements(text) {
                        self.sql(&text, *dialect, reader, perception);
                    }
                }
            }
        }
    }

    fn shell(
        &self,
        command: &str,
        folder: Option<&str>,
        reader: &mut Reader<'_, '_>,
        perception: &mut Perception,
    ) {
        let layout = self.ground.layout();
        let setting = shell::Setting {
            workdir: folder.unwrap_or(&layout.workspace).to_owned(),
            home: layout.home.clone(),
        };
        let finding = match &mut perception.particulars {
            Some(particulars) if reader.told.insert(("shell", command.to_owned())) => {
                let (finding, commands) = shell::analyse_with_commands(command, &setting, self.resolver);
                particulars.add_commands(commands);
                finding
            }
            _ => shell::analyse(command, &setting, self.resolver),
        };
        perception.add_all(finding.deeds);
        perception.doubts.extend(finding.doubts.into_iter().map(Doubt::Shell));
    }

    fn sql(
        &self,
        text: &str,
        dialect: Option<sql::Dialect>,
        reader: &mut Reader<'_, '_>,
        perception: &mut Perception,
    ) {
        let folder = sql::Folder(None);
        let reading = match &mut perception.particulars {
            Some(particulars) if reader.told.insert(("sql", text.to_owned())) => {
                let (reading, statements) = sql::read_with_statements(text, dialect, folder, self.resolver);
                particulars.add_statements(statements);
                reading
            }
            _ => sql::read(text, dialect, folder, self.resolver),
        };
        perception.add_all(reading.deeds);
        perception.doubts.extend(reading.doubts.into_iter().map(Doubt::Sql));
    }

    /// Arguments that the profile does not know may mean anything: what they name may be written to.
    fn unknown(&self, profile: &Profile, reader: &mut Reader<'_, '_>, perception: &mut Perception) {
        let Value::Object(entries) = reader.arguments else {
            if !reader.arguments.is_null() {
                perception.doubts.push(Doubt::NoObject);
            }
            return;
        };
        let known = profile.known();
        let unknown = entries.iter().filter(|(name, _)| known.binary_search(&name.as_str()).is_err());
        for (number, (name, value)) in unknown.enumerate() {
            perception.doubts.push(Doubt::UnknownArgument(name.clone()));
            let is_last = number == MOST_UNKNOWN;
            let places = if is_last { places::any_place().into() } else { reader.anything(name, value) };
            if !places.is_empty() {
                let effects = Effects::only(Effect::Write);
                let deed = Deed { inputs: vec![Use::context()], outputs: places, effects };
                perception.add(Act { deed, payload: true });
            }
            if is_last {
                let why = "one of more unknown arguments than are looked at".to_owned();
                perception.doubts.push(Doubt::Unreadable { argument: name.clone(), why });
                break;
            }
        }
    }
}

/// Whether all conditions may hold.
fn all_hold(conditions: &[Condition], arguments: &Value) -> bool {
    conditions.iter().all(|condition| condition.may_hold(arguments))
}

impl Perception {
    fn add(&mut self, act: Act) {
        if !self.acts.contains(&act) {
            self.acts.push(act);
        }
    }

    fn add_all(&mut self, deeds: Vec<Deed>) {
        for deed in deeds {
            self.add(Act { deed, payload: false });
        }
    }

    /// The deeds alone.
    pub fn deeds(&self) -> Vec<Deed> {
        self.acts.iter().map(|act| act.deed.clone()).collect()
    }
}

impl Ground {
    /// An act as a flow of this session, with the labels that it carries.
    pub fn flow(&self, act: &Act, taint: Taint) -> Result<Flow, FlowsError> {
        let side =
            |uses: &[Use]| uses.iter().map(|place| self.resource(place)).collect::<Result<Vec<_>, _>>();
        Ok(Flow::new(side(&act.deed.inputs)?, side(&act.deed.outputs)?, taint, act.deed.effects)?)
    }
}

impl Reader<'_, '_> {
    fn opened(&mut self, opens: &Opens) -> PageAfter {
        if !opens.unknown.is_empty() && all_hold(&opens.unknown, self.arguments) {
            return PageAfter::Unknown;
        }
        if !all_hold(&opens.when, self.arguments) {
            return PageAfter::Same;
        }
        match opens.url.as_ref().and_then(|url| self.page(url)) {
            Some(name) => PageAfter::Known(name),
            None => PageAfter::Unknown,
        }
    }

    fn flow(&mut self, flow: &FlowProfile) -> Deed {
        let inputs = self.side(&flow.from, flow.effects);
        let outputs = self.side(&flow.to, flow.effects);
        Deed { inputs, outputs, effects: flow.effects }
    }
}
