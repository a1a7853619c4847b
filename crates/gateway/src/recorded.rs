//! What the audit log tells, read back. What is written in `guard/record` is read here.

use portcullis_lattice::{
    Call, Effect, Effects, Flow, Label, Reach, Realm, Realms, Resource, Server, Standing, Taint,
};
use portcullis_perceive::layout::Layout;
use serde::Deserialize;
use serde_json::Value;

/// What was decided about a call. Entries of older versions may lack what says how to decide it again.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct RecordedCall {
    /// The number of the call in its session.
    pub step: u64,
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The hash of the tool's definition.
    pub definition: String,
    /// From where it is known what the tool does.
    pub profile: String,
    /// How its calls are understood: `known` or `derived`.
    #[serde(default)]
    pub standing: Option<String>,
    /// Which layout the session had, as an entry of the kind `opened` tells it.
    #[serde(default)]
    pub layout: Option<String>,
    /// What answers call this very call, where it was asked about.
    #[serde(default)]
    pub call: Option<String>,
    /// `permit`, `ask` or `deny`.
    pub decision: String,
    /// What the call does.
    pub flows: Vec<RecordedFlow>,
    /// Whether the call uses only parts of what the flows name, which are not recorded.
    #[serde(default = "perhaps")]
    pub in_part: bool,
    /// Whether the tool calls other tools.
    #[serde(default = "perhaps")]
    pub delegates: bool,
    /// Whether the tool takes command lines or SQL.
    #[serde(default = "perhaps")]
    pub code: bool,
    /// Whether arguments have arguments of their own.
    #[serde(default = "perhaps")]
    pub nested: bool,
    /// What each stage found.
    pub findings: Vec<RecordedFinding>,
    /// The rules in plain English that it breaks, or that want a question.
    #[serde(default)]
    pub breaches: Option<Vec<RecordedBreach>>,
    /// The rules that it was decided by.
    pub rules: Vec<u64>,
    /// The arguments, as keyed hashes or as they were.
    pub arguments: Value,
}

/// One movement of data.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedFlow {
    /// Where it comes from.
    pub from: Vec<RecordedResource>,
    /// Where it goes.
    pub to: Vec<RecordedResource>,
    /// What is done.
    pub effects: Vec<String>,
    /// What it carries.
    pub carrying: Vec<String>,
}

/// A resource as a call uses it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedResource {
    /// Its name.
    pub name: String,
    /// How far the use reaches.
    pub reach: String,
    /// The realms that it touches.
    pub realms: Vec<String>,
}

/// What a stage found.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedFinding {
    /// Which stage.
    pub stage: String,
    /// What it wants.
    pub decision: String,
    /// Why.
    pub reasons: Vec<String>,
}

/// A rule in plain English that a call breaks, or that wants a question.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedBreach {
    /// The rule, as it was stated.
    pub rule: String,
    /// `deny` or `ask`.
    pub decision: String,
    /// Whether it was certain, or only could not be ruled out.
    pub certain: bool,
}

/// What a person answered.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedAnswer {
    /// The number of the question.
    pub question: String,
    /// What was chosen: `once`, `session-1`, `always-2`, `refuse`, `never`.
    pub choice: String,
    /// The same in words.
    pub words: String,
    /// The rules that it became.
    pub rules: Vec<String>,
    /// What the verdict calls the call that was asked about.
    #[serde(default)]
    pub call: Option<String>,
}

/// How a session lay when a gateway opened it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct RecordedLayout {
    /// What verdicts call it.
    pub layout: String,
    /// The layout itself.
    pub session: Layout,
    /// The rules in plain English that settings stated.
    #[serde(default)]
    pub stated: Vec<String>,
}

impl RecordedAnswer {
    /// Reads the body of an entry of the kind `answer`; nothing if it cannot be read.
    pub fn read(body: &str) -> Option<RecordedAnswer> {
        serde_json::from_str(body).ok()
    }

    /// Whether the call was allowed by it.
    pub fn allows(&self) -> bool {
        self.choice == "once" || self.is_for_session() || self.choice.starts_with("always-")
    }

    /// Whether its rules end with the session.
    pub fn is_for_session(&self) -> bool {
        self.choice.starts_with("session-")
    }
}

/// Of older entries this is not known.
fn perhaps() -> bool {
    true
}

impl RecordedCall {
    /// Reads the body of an entry of the kind `verdict`; nothing if it cannot be read.
    pub fn read(body: &str) -> Option<RecordedCall> {
        serde_json::from_str(body).ok()
    }

    /// The call as rules saw it; nothing if the entry does not tell enough.
    pub fn call(&self) -> Option<Call> {
        let standing = match self.standing.as_deref()? {
            "known" => Standing::Known,
            "derived" => Standing::Derived,
            _ => return None,
        };
        let flows = self.flows.iter().map(RecordedFlow::flow).collect::<Option<Vec<Flow>>>()?;
        Some(Call { server: Server { name: self.server.as_str().into(), standing }, flows })
    }
}

impl RecordedFlow {
    /// The flow; nothing if the entry does not tell enough.
    pub fn flow(&self) -> Option<Flow> {
        let side = |used: &[RecordedResource]| used.iter().map(RecordedResource::resource).collect();
        let effects = self.effects.iter().map(|name| Effect::from_name(name)).collect::<Option<Effects>>()?;
        let taint = self.carrying.iter().map(|name| Label::from_name(name)).collect::<Option<Taint>>()?;
        let (from, to): (Option<Vec<_>>, Option<Vec<_>>) = (side(&self.from), side(&self.to));
        Flow::new(from?, to?, taint, effects).ok()
    }
}

impl RecordedResource {
    fn resource(&self) -> Option<Resource> {
        let realms = self.realms.iter().map(|name| Realm::from_name(name)).collect::<Option<Realms>>()?;
        Resource::new(&self.name, Reach::from_name(&self.reach)?, realms).ok()
    }
}
