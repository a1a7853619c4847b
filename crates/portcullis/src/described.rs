//! Calls described in JSON, for `portcullis decide` and for histories.
//!
//! Unknown fields and repeated ones are refused: a description that says something nobody reads is a mistake.

use jiff::Timestamp;
use portcullis_lattice::{
    Call, Effect, Effects, Flow, FlowError, Label, ParseError, Reach, Realm, Realms, Resource, Server,
    Standing, Taint, Topology,
};
use portcullis_perceive::layout::{Layout, LayoutError};
use serde::Deserialize;

mod shapes;

/// A call and the session it is made in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedCall {
    /// How the session is laid out.
    #[serde(default)]
    pub session: DescribedSession,
    /// Through which server the call goes.
    #[serde(default)]
    pub server: DescribedServer,
    /// When it is made; the present if it is not said.
    #[serde(default)]
    pub now: Option<String>,
    /// What it does.
    pub flows: Vec<DescribedFlow>,
}

/// The layout of a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DescribedSession {
    /// What it is called, for rules that hold for one session.
    pub name: String,
    /// The folder that is worked in.
    pub workspace: Option<String>,
    /// Paths that the user's request names.
    pub targets: Vec<String>,
    /// Domains and patterns of the organisation.
    pub internal: Vec<String>,
    /// Exceptions from these.
    pub external: Vec<String>,
    /// Schemes whose names are the user's own accounts.
    pub own_accounts: Vec<String>,
}

impl Default for DescribedSession {
    fn default() -> DescribedSession {
        DescribedSession {
            name: "default".into(),
            workspace: None,
            targets: Vec::new(),
            internal: Vec::new(),
            external: Vec::new(),
            own_accounts: Layout::default().accounts,
        }
    }
}

/// A server, and how its calls are understood.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedServer {
    /// Who it was started as.
    pub name: String,
    /// `known` from the catalogue or a verified definition, or `derived` from what it says of itself.
    pub standing: DescribedStanding,
}

/// How the calls of a server are understood.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DescribedStanding {
    /// From the catalogue or from a verified definition.
    Known,
    /// From what the server says of itself.
    Derived,
}

impl Default for DescribedServer {
    fn default() -> DescribedServer {
        DescribedServer { name: "unnamed".into(), standing: DescribedStanding::Derived }
    }
}

/// A flow of a call. A side that is left out is the agent's context.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedFlow {
    /// Where data comes from.
    #[serde(default, rename = "in")]
    pub inputs: Resources,
    /// Where it goes.
    #[serde(default, rename = "out")]
    pub outputs: Resources,
    /// What is done.
    pub effects: Vec<String>,
    /// What the data carries.
    #[serde(default)]
    pub taint: Vec<String>,
}

/// One resource, or a list of them.
#[derive(Clone, Debug)]
pub struct Resources(Vec<DescribedResource>);

/// The agent's context.
impl Default for Resources {
    fn default() -> Resources {
        Resources(vec![DescribedResource::Name(Resource::context().name().into())])
    }
}

/// A resource: its name, or its name with how it is used.
#[derive(Clone, Debug)]
pub enum DescribedResource {
    /// One thing, in the realm where the session says it lies.
    Name(String),
    /// More about it.
    Detailed(DetailedResource),
}

/// A resource with its reach and realms.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetailedResource {
    /// The canonical name.
    pub name: String,
    /// `one`, `names` or `subtree`.
    #[serde(default)]
    pub reach: Option<String>,
    /// The realms that the use touches, where that is not what the session says.
    #[serde(default)]
    pub realms: Option<Vec<String>>,
}

/// Why a description is none.
#[derive(Debug, thiserror::Error)]
pub enum DescribedError {
    /// It is no JSON of the right shape.
    #[error("{0}\n  = `portcullis decide --help` shows a described call")]
    Json(#[from] serde_json::Error),
    /// It is JSON, and no object.
    #[error("a described call is an object\n  = `portcullis decide --help` shows one")]
    NoObject,
    /// Its session cannot be laid out.
    #[error("session.{own}{0}", own = own_if_account(.0))]
    Session(#[from] LayoutError),
    /// Realms are said of something that has its realm by nature.
    #[error(
        "{0}: a path and the context have their realm by nature; `realms` is for names beyond this machine"
    )]
    Realms(String),
    /// A name in it is none.
    #[error("{field}: {error}")]
    Name {
        /// Where in the description.
        field: String,
        /// What is wrong.
        error: ParseError,
    },
    /// A word in it is unknown.
    #[error("{field}: `{word}` is not known; it is one of {known}")]
    Word {
        /// Where in the description.
        field: String,
        /// The word.
        word: String,
        /// The words that are.
        known: String,
    },
    /// A flow in it is none.
    #[error("{field}: {error}")]
    Flow {
        /// Where in the description.
        field: String,
        /// What is wrong.
        error: FlowError,
    },
    /// The time in it is none.
    #[error("now: `{0}` is no time with an offset, such as 2026-12-01T09:30:00Z")]
    Time(String),
}

/// A described call, understood.
#[derive(Clone, Debug)]
pub struct Understood {
    /// The call.
    pub call: Call,
    /// The layout of its session.
    pub topology: Topology,
    /// The name of its session.
    pub session: String,
    /// When it is made, if that was said.
    pub now: Option<Timestamp>,
}

/// Accounts are called `own_accounts` in a description.
fn own_if_account(error: &LayoutError) -> &'static str {
    match error {
        LayoutError::Account(_) | LayoutError::Name { field: "accounts", .. } => "own_",
        LayoutError::Name { .. } | LayoutError::Path { .. } | LayoutError::Sensitive(_) => "",
    }
}

impl DescribedCall {
    /// Reads a description.
    pub fn parse(text: &str) -> Result<DescribedCall, DescribedError> {
        // A list of the fields' values would do for serde, but not for a reader.
        match text.trim_start().starts_with('[') {
            true => Err(DescribedError::NoObject),
            false => Ok(serde_json::from_str(text)?),
        }
    }

    /// Makes the call out of it.
    pub fn understand(&self) -> Result<Understood, DescribedError> {
        let topology = self.session.topology()?;
        let flows = self.flows.iter().enumerate();
        let flows = flows.map(|(number, flow)| flow.understand(&format!("flows[{number}]"), &topology));
        let standing = match self.server.standing {
            DescribedStanding::Known => Standing::Known,
            DescribedStanding::Derived => Standing::Derived,
        };
        let server = Server { name: self.server.name.as_str().into(), standing };
        let time = |text: &String| text.parse::<Timestamp>().map_err(|_| DescribedError::Time(text.clone()));
        Ok(Understood {
            call: Call { server, flows: flows.collect::<Result<_, _>>()? },
            topology,
            session: self.session.name.clone(),
            now: self.now.as_ref().map(time).transpose()?,
        })
    }
}

impl DescribedSession {
    fn topology(&self) -> Result<Topology, LayoutError> {
        let layout = Layout {
            workspace: self.workspace.clone().unwrap_or_default(),
            // A description names places in full.
            home: String::new(),
            targets: self.targets.clone(),
            internal: self.internal.clone(),
            external: self.external.clone(),
            accounts: self.own_accounts.clone(),
            ..Layout::default()
        };
        layout.topology()
    }
}

impl DescribedFlow {
    fn understand(&self, field: &str, topology: &Topology) -> Result<Flow, DescribedError> {
        let inputs = side(&self.inputs, &format!("{field}.in"), topology)?;
        let outputs = side(&self.outputs, &format!("{field}.out"), topology)?;
        let effects = words(&self.effects, &format!("{field}.effects"), Effect::ALL, Effect::name)?;
        let taint = words(&self.taint, &format!("{field}.taint"), Label::ALL, Label::name)?;
        let (effects, taint) = (Effects::from_iter(effects), Taint::from_iter(taint));
        Flow::new(inputs, outputs, taint, effects)
            .map_err(|error| DescribedError::Flow { field: field.into(), error })
    }
}

fn side(
    Resources(side): &Resources,
    field: &str,
    topology: &Topology,
) -> Result<Vec<Resource>, DescribedError> {
    side.iter().map(|resource| resource.understand(field, topology)).collect()
}

impl DescribedResource {
    fn understand(&self, field: &str, topology: &Topology) -> Result<Resource, DescribedError> {
        let wrong = |error| DescribedError::Name { field: field.into(), error };
        let DetailedResource { name, reach, realms } = match self {
            DescribedResource::Name(name) => return topology.resource(name, Reach::One).map_err(wrong),
            DescribedResource::Detailed(detailed) => detailed,
        };
        let reach = words(reach, &format!("{field}.reach"), &Reach::ALL, Reach::name)?;
        let reach = reach.first().copied().unwrap_or(Reach::One);
        match realms {
            None => topology.resource(name, reach).map_err(wrong),
            Some(_) if name.starts_with('/') || name == Resource::context().name() => {
                Err(DescribedError::Realms(field.into()))
            }
            Some(realms) => {
                let realms = words(realms, &format!("{field}.realms"), Realm::ALL, Realm::name)?;
                Resource::new(name, reach, Realms::from_iter(realms)).map_err(wrong)
            }
        }
    }
}

/// The members of a closed vocabulary that the words name.
fn words<'w, T: Copy>(
    words: impl IntoIterator<Item = &'w String>,
    field: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<Vec<T>, DescribedError> {
    let known = || all.iter().map(|member| name(*member)).collect::<Vec<_>>().join(", ");
    let member = |word: &String| {
        all.iter().copied().find(|member| name(*member) == word).ok_or_else(|| DescribedError::Word {
            field: field.into(),
            word: word.clone(),
            known: known(),
        })
    };
    words.into_iter().map(member).collect()
}
