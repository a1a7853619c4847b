//! Rules tried on calls: a small session in which they are judged as in a real one. Tests use it, and users who want to
//! know whether a sentence does what they mean.

mod file;

use jiff::civil::DateTime;
use portcullis_lattice::{Effect, Effects, Reach};
use portcullis_perceive::layout::{Ground, LayoutError};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::{Act, Deed, Memory, Perceiver, Use};
use serde_json::Value;

use crate::facts::{CallFacts, Circumstances};
use crate::history::History;
use crate::rulebook::{Breach, Rulebook, RulebookError};
use crate::toolbox::{Toolbox, ToolboxError};
use crate::trails::Trails;

pub use file::{Expected, Report, SentenceReport, Tally, TriedCall, run, run_shown};

/// A call that is tried.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialCall {
    /// What the server is called.
    pub server: String,
    /// What the tool is called there.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
}

/// What a call was judged by, for those who want to judge it a second time.
#[derive(Clone, Copy)]
pub struct Judged<'j> {
    /// The rules.
    pub book: &'j Rulebook,
    /// The facts of the call.
    pub facts: &'j CallFacts<'j>,
    /// What the rules said of it.
    pub breaches: &'j [Breach],
}

/// What came of a call.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The rules that it breaks, or that want a question.
    pub breaches: Vec<Breach>,
    /// What it does, as it was perceived.
    pub acts: Vec<String>,
    /// What its words show, as rules see it.
    pub did: Vec<String>,
    /// Whether anything about it had to be taken at its worst.
    pub is_doubted: bool,
}

/// Why nothing can be tried.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// Nobody knows the tool.
    #[error("there is no tool `{tool}` of a server `{server}`")]
    UnknownTool {
        /// Of which server.
        server: String,
        /// Which.
        tool: String,
    },
    /// The text of a file of sentences is none.
    #[error("{0}")]
    File(Box<toml::de::Error>),
    /// A tool's name lacks its server.
    #[error("`{0}` is no tool; tools are written `server.tool`")]
    NoServer(String),
    /// A definition in a file of sentences is no JSON.
    #[error("a definition of a tool of `{server}`: {error}")]
    Definition {
        /// Of which server.
        server: String,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A time is none.
    #[error("`{0}` is no time such as 2026-03-06T18:40")]
    Time(String),
    /// A tool cannot be connected.
    #[error(transparent)]
    Tools(#[from] ToolboxError),
    /// Rules cannot be put into force at all.
    #[error(transparent)]
    Rules(#[from] RulebookError),
    /// The session cannot be laid out.
    #[error("the session: {0}")]
    Layout(Box<LayoutError>),
}

impl From<LayoutError> for TrialError {
    fn from(error: LayoutError) -> TrialError {
        TrialError::Layout(Box::new(error))
    }
}

/// A session in which calls are tried one after another.
#[derive(Clone)]
pub struct Trial<'t> {
    tools: &'t Toolbox,
    ground: &'t Ground,
    book: &'t Rulebook,
    memory: Memory,
    trails: Trails,
    history: History,
    step: u64,
}

impl<'t> Trial<'t> {
    /// A session in which nothing has happened yet.
    pub fn new(tools: &'t Toolbox, ground: &'t Ground, book: &'t Rulebook) -> Trial<'t> {
        let mut trails = Trails::default();
        trails.add(book.sources());
        Trial { tools, ground, book, memory: Memory::default(), trails, history: History::default(), step: 1 }
    }

    /// The same session after all that a history tells of.
    #[must_use]
    pub fn after(self, history: History) -> Trial<'t> {
        Trial { history, ..self }
    }

    /// Whether the agent has seen data that a rule follows: what it sends from now on may be that.
    pub(crate) fn follows_something(&self) -> bool {
        let somebody = Use::new("mailto:somebody@elsewhere.example", Reach::One);
        let deed = Deed {
            inputs: vec![Use::context()],
            outputs: vec![somebody],
            effects: Effects::only(Effect::Write),
        };
        let told = Act { deed, payload: true };
        self.trails.carried(self.step, &[told], &[]).iter().any(|names| !names.is_empty())
    }

    /// Tries a call, which then has been made.
    pub fn call(&mut self, call: &TrialCall, now: Option<DateTime>) -> Result<Tried, TrialError> {
        self.call_shown(call, now, &mut |_| {})
    }

    /// The same, and shows what it was judged by.
    pub fn call_shown(
        &mut self,
        call: &TrialCall,
        now: Option<DateTime>,
        show: &mut dyn FnMut(&Judged<'_>),
    ) -> Result<Tried, TrialError> {
        let TrialCall { server, tool, arguments } = call;
        let profile = self
            .tools
            .profile(server, tool)
            .ok_or_else(|| TrialError::UnknownTool { server: server.clone(), tool: tool.clone() })?;
        let others = |name: &str| self.tools.profile(server, name);
        let perceiver = Perceiver {
            ground: self.ground,
            formats: self.tools.formats(),
            resolver: &NoLinks,
            tools: &others,
        };
        let perception = perceiver.call_with_particulars(profile, arguments, &self.memory);
        let known: Vec<&str> = profile.known_arguments().collect();
        let places = self.ground.places();
        let has_credentials = !perception.credentials.is_empty();
        let secrets: Vec<bool> = perception
            .acts
            .iter()
            .map(|act| has_credentials || act.deed.inputs.iter().any(|used| places.holds_secrets(used)))
            .collect();
        let databases = crate::facts::databases(arguments);
        let carried = self.trails.carried(self.step, &perception.acts, &databases);
        let circumstances = Circumstances {
            server,
            tool,
            arguments,
            calls_tools: profile.calls.is_some(),
            known: &known,
            perception: &perception,
            secrets: &secrets,
            carried: &carried,
            ground: self.ground,
            now,
            interest: self.book.interest(),
            history: &self.history,
        };
        let facts = CallFacts::of(&circumstances);
        // Whoever looks at the facts of the whole call sees what follows from these.
        show(&Judged { book: self.book, facts: &facts, breaches: &self.book.judge(&facts) });
        let breaches = self.book.judge_all(&circumstances, &facts);
        self.trails.observe(self.step, &perception.acts, &databases);
        let (did, counted) = (facts.did().to_vec(), self.book.counted(&facts));
        self.history.add(&counted);
        self.memory = std::mem::take(&mut self.memory).after(&perception);
        self.step += 1;
        let is_doubted = !perception.doubts.is_empty();
        let acts = perception.acts.iter().map(ToString::to_string).collect();
        Ok(Tried { breaches, acts, did, is_doubted })
    }
}
