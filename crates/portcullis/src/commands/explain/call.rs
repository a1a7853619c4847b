//! What a call does, ready to be told.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_lattice::{Class, Effect, Realm, Realms, Resource, Taint, words};
use portcullis_perceive::layout::Ground;
use portcullis_perceive::network::{self, Locator};
use portcullis_perceive::profile::{Profile, Source};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Act, Doubt, Memory, PageAfter, Perceiver, Use, derive};
use serde::Serialize;
use serde_json::Value;

use super::arguments::{CredentialReport, credentials};
use super::{ExplainArgs, ExplainError, Server};
use crate::failure::Failure;
use crate::links::Disk;

/// What a call is perceived in.
pub(super) struct Setting {
    ground: Ground,
    formats: Formats,
    memory: Memory,
}

impl Setting {
    pub(super) fn new(args: &ExplainArgs, server: &Server, source: Source) -> Result<Setting, Failure> {
        let mut layout = args.session.layout()?;
        if args.session.approved && source == Source::Derived {
            layout.accounts.push(derive::scheme(&server.name));
        }
        let page = args.page.as_deref().map(page).transpose()?;
        let ground = layout.ground().map_err(ExplainError::from)?;
        let formats = Formats::built_in().map_err(ExplainError::from)?;
        Ok(Setting { ground, formats, memory: Memory { page, ..Memory::default() } })
    }
}

/// The canonical name of the page that the browser shows.
fn page(text: &str) -> Result<String, ExplainError> {
    match network::locate(text) {
        Ok(Locator::Place(named)) => Ok(named.name),
        Ok(Locator::Context | Locator::File | Locator::Mail(_) | Locator::Opaque { .. }) | Err(_) => {
            Err(ExplainError::Page { page: text.to_owned() })
        }
    }
}

/// What one call does.
#[derive(Serialize)]
pub(super) struct CallReport {
    /// Everything that it does; nothing means that it was not understood.
    pub(super) flows: Vec<FlowReport>,
    /// Why something was taken at its worst.
    pub(super) doubts: Vec<String>,
    /// What is to be known about texts in the arguments.
    pub(super) notes: Vec<NoteReport>,
    /// The arguments that hold credentials.
    pub(super) credentials: Vec<CredentialReport>,
    /// The page that the browser shows afterwards.
    pub(super) page: PageReport,
}

/// One movement of data.
#[derive(Serialize)]
pub(super) struct FlowReport {
    /// What is done from each input to each output, in words.
    pub(super) words: Vec<String>,
    effects: Vec<&'static str>,
    #[serde(rename = "in")]
    pub(super) inputs: Vec<ResourceReport>,
    #[serde(rename = "out")]
    pub(super) outputs: Vec<ResourceReport>,
    /// Whether free text that the agent wrote goes along.
    pub(super) payload: bool,
}

/// A resource as the call uses it.
#[derive(Serialize)]
pub(super) struct ResourceReport {
    name: String,
    /// The resource in words.
    pub(super) words: String,
    reach: &'static str,
    pub(super) class: ClassReport,
    /// Whether the call opens it to everybody, whoever it belongs to.
    pub(super) public: bool,
    /// Whether it holds credentials by itself, or the user marked it sensitive.
    pub(super) holds_credentials: bool,
    /// What exactly is used of it.
    pub(super) details: Vec<String>,
}

/// Where a resource lies, seen from the session.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ClassReport {
    Target,
    Workspace,
    Local,
    Context,
    Internal,
    External,
}

/// Something about the text of an argument.
#[derive(Serialize)]
pub(super) struct NoteReport {
    pub(super) argument: String,
    pub(super) words: String,
    pub(super) suspicious: bool,
}

/// The page that the browser shows after the call.
#[derive(Serialize)]
#[serde(tag = "after", content = "name", rename_all = "lowercase")]
pub(super) enum PageReport {
    /// The one that it showed before.
    Same,
    /// This one.
    Known(String),
    /// Nobody knows.
    Unknown,
}

impl CallReport {
    pub(super) fn new(
        setting: &Setting,
        profile: &Profile,
        others: &BTreeMap<String, Arc<Profile>>,
        arguments: &Value,
    ) -> Result<CallReport, ExplainError> {
        let Setting { ground, formats, memory } = setting;
        let tools = |name: &str| others.get(name).map(|profile| &**profile);
        let perceiver = Perceiver { ground, formats, resolver: &Disk, tools: &tools };
        let perception = perceiver.call(profile, arguments, memory);
        let flows = perception.acts.iter().map(|act| FlowReport::new(ground, act));
        let notes = perception.notes.into_iter().map(|note| NoteReport {
            argument: note.argument,
            words: note.words,
            suspicious: note.is_suspicious,
        });
        Ok(CallReport {
            flows: flows.collect::<Result<_, _>>()?,
            doubts: perception.doubts.iter().map(Doubt::to_string).collect(),
            notes: notes.collect(),
            credentials: credentials(arguments, formats),
            page: match perception.page {
                PageAfter::Same => PageReport::Same,
                PageAfter::Known(name) => PageReport::Known(name),
                PageAfter::Unknown => PageReport::Unknown,
            },
        })
    }
}

impl FlowReport {
    fn new(ground: &Ground, act: &Act) -> Result<FlowReport, ExplainError> {
        let flow = ground.flow(act, Taint::EMPTY)?;
        let pairs =
            flow.inputs().iter().flat_map(|input| flow.outputs().iter().map(move |output| (input, output)));
        let side = |uses: &[Use], resources: &[Resource]| -> Vec<ResourceReport> {
            let both = uses.iter().zip(resources);
            both.map(|(place, resource)| ResourceReport {
                name: place.name.clone(),
                words: words::resource(resource),
                reach: place.reach.name(),
                class: ground.topology().class(resource).into(),
                public: place.realms == Some(Realms::only(Realm::External)),
                holds_credentials: ground.places().holds_secrets(place),
                details: place.details.clone(),
            })
            .collect()
        };
        Ok(FlowReport {
            words: pairs.map(|(input, output)| words::flow(&flow, input, output)).collect(),
            effects: flow.effects().iter().map(Effect::name).collect(),
            inputs: side(&act.deed.inputs, flow.inputs()),
            outputs: side(&act.deed.outputs, flow.outputs()),
            payload: act.payload,
        })
    }
}

impl From<Class> for ClassReport {
    fn from(class: Class) -> ClassReport {
        match class {
            Class::Targets => ClassReport::Target,
            Class::Workspace => ClassReport::Workspace,
            Class::Local => ClassReport::Local,
            Class::Context => ClassReport::Context,
            Class::Internal => ClassReport::Internal,
            Class::External => ClassReport::External,
        }
    }
}

impl ClassReport {
    /// Where that is, in words.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            ClassReport::Target => "named by the request",
            ClassReport::Workspace => "in the workspace",
            ClassReport::Local => "on this machine, outside the workspace",
            ClassReport::Context => "the agent's own",
            ClassReport::Internal => "in your organisation or own accounts",
            ClassReport::External => "outside your organisation",
        }
    }
}
