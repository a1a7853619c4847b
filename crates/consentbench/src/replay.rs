//! A trace, replayed through the monitor.

use core::time::Duration;
use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::english::named_among;
use portcullis_invariant::{Hand, Rulebook, RulebookError, Stated};
use portcullis_lattice::{Decision, ParseError, Policy, Ruleset};
use portcullis_monitor::{Outcome, Session, ToolCall, ToolStanding, Verdict};
use portcullis_perceive::catalogue::{Catalogue, CatalogueError};
use portcullis_perceive::derive::{Definition, DefinitionError, derive, scheme};
use portcullis_perceive::layout::{Layout, LayoutError};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::{Formats, FormatsError};
use portcullis_taint::{Fingerprints, Key, Limits};

use crate::definitions::{Definitions, names};
use crate::grant;
use crate::trace::{Step, Trace, TraceError};

/// A session that does not say when it was is held on a working day, in the middle of the week and of the morning, so that
/// rules about nights and weekends have nothing to say.
const DEFAULT_NOW: jiff::civil::DateTime = jiff::civil::date(2026, 1, 14).at(11, 0, 0, 0);

/// What every replay needs: the catalogue, the formats of credentials, and a clock.
pub struct Workbench<'w> {
    catalogue: Catalogue,
    formats: Formats,
    /// How much time has passed, for the times of decisions.
    clock: &'w dyn Fn() -> Duration,
}

/// Why there can be no replays.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The catalogue is not readable.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The formats of credentials are not readable.
    #[error(transparent)]
    Formats(#[from] FormatsError),
    /// The rules of the session cannot be put into force.
    #[error(transparent)]
    Rulebook(#[from] RulebookError),
    /// A session cannot be laid out.
    #[error("{0}")]
    Layout(#[from] LayoutError),
    /// A tool's definition is none.
    #[error("{0}")]
    Definition(#[from] DefinitionError),
    /// A step calls a tool of which nothing is known.
    #[error("neither the trace nor the catalogue nor a file of definitions defines it")]
    UnknownTool(usize),
    /// A grant has a pattern that is none.
    #[error("{error}")]
    Grant {
        /// Which step, from 0.
        step: usize,
        /// What is wrong.
        error: ParseError,
    },
}

impl ReplayError {
    /// The same as a fault of the trace, with its line and the field that is to blame.
    pub fn in_trace(&self, trace: &Trace) -> TraceError {
        let field = match self {
            // Not the trace's fault, but the whole line could not be replayed.
            ReplayError::Catalogue(_) | ReplayError::Formats(_) => "-".to_owned(),
            ReplayError::Layout(_) => "session".to_owned(),
            ReplayError::Rulebook(_) => "session.invariants".to_owned(),
            ReplayError::Definition(_) => "tools".to_owned(),
            ReplayError::UnknownTool(step) => format!("steps[{step}].tool"),
            ReplayError::Grant { step, .. } => format!("steps[{step}].grant"),
        };
        TraceError { line: trace.line, field, problem: self.to_string() }
    }
}

/// What came out of one trace.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What was decided about each step.
    pub steps: Vec<StepResult>,
    /// The sentences that were not understood as rules, each with the reason.
    pub unread: Vec<(String, String)>,
    /// The sentences that were understood, each as Datalog.
    pub read: Vec<(String, String)>,
}

/// What was decided about a step.
#[derive(Clone, Debug)]
pub struct StepResult {
    /// The decision.
    pub decision: Decision,
    /// Why; empty for what was permitted.
    pub reasons: Vec<String>,
    /// What the call was perceived to do.
    pub acts: Vec<String>,
    /// Whether it was permitted only through a rule for the product's own flows that the trace's grants do not contain.
    pub is_overgranted: bool,
    /// How long the decision took.
    pub took: Duration,
}

/// A trace in the middle of its replay.
pub struct Replay<'r> {
    trace: &'r Trace,
    session: Session<'r>,
    profiles: BTreeMap<(String, String), Profile>,
    /// What the trace's own grants allow, without the product's flows.
    granted: Ruleset,
    clock: &'r dyn Fn() -> Duration,
    now: Timestamp,
    unread: Vec<(String, String)>,
    read: Vec<(String, String)>,
}

impl<'w> Workbench<'w> {
    /// The product's own catalogue and formats.
    pub fn new(clock: &'w dyn Fn() -> Duration) -> Result<Workbench<'w>, ReplayError> {
        Ok(Workbench { catalogue: Catalogue::built_in()?, formats: Formats::built_in()?, clock })
    }

    /// Replays a trace. The definitions are for tools that neither it nor the catalogue defines.
    pub fn replay(&self, trace: &Trace, definitions: &Definitions) -> Result<Replayed, ReplayError> {
        let mut replay = Replay::new(self, trace, definitions)?;
        let steps = trace.steps.iter().enumerate();
        let steps = steps.map(|(at, step)| replay.step(at, step)).collect::<Result<_, _>>()?;
        Ok(Replayed { steps, unread: replay.unread, read: replay.read })
    }

    /// What is at hand when the rules of a session are read: the tools of its servers.
    fn hand(&self, trace: &Trace, definitions: &Definitions, layout: &Layout) -> Hand {
        let mut hand = Hand::new(layout);
        for server in &trace.servers {
            if let Some(entry) = self.catalogue.server(server) {
                hand.add_catalogued(server, entry);
            }
        }
        for step in &trace.steps {
            let own = trace.tools.iter().find(|tool| names(tool, &step.tool));
            if self.catalogue.server(&step.server).is_none()
                && let Some(definition) = own.or_else(|| definitions.find(&step.server, &step.tool))
            {
                hand.add(&step.server, definition);
            }
        }
        // Tools that are offered and not called are at hand as well.
        if let [server] = trace.servers.as_slice() {
            trace.tools.iter().for_each(|definition| hand.add(server, definition));
        }
        hand
    }

    /// The profiles of the tools that a trace calls: from its own definitions, else from the catalogue, else from those
    /// at hand.
    fn profiles(
        &self,
        trace: &Trace,
        definitions: &Definitions,
    ) -> Result<BTreeMap<(String, String), Profile>, ReplayError> {
        let mut profiles = BTreeMap::new();
        for (at, step) in trace.steps.iter().enumerate() {
            let key = (step.server.clone(), step.tool.clone());
            if profiles.contains_key(&key) {
                continue;
            }
            let derived = |definition| Ok(derive(&step.server, &Definition::read(definition)?));
            let given = trace.tools.iter().find(|tool| names(tool, &step.tool));
            let profile = match (given, self.catalogue.profile(&step.server, &step.tool)) {
                (Some(definition), _) => derived(definition),
                (None, Some(profile)) => Ok(profile.clone()),
                (None, None) => match definitions.find(&step.server, &step.tool) {
                    Some(definition) => derived(definition),
                    None => Err(ReplayError::UnknownTool(at)),
                },
            }?;
            profiles.insert(key, profile);
        }
        Ok(profiles)
    }
}

/// The rules of a session, read as a user's would be. A sentence that is not understood is not in force.
fn rulebook(trace: &Trace, hand: &Hand) -> Result<(Rulebook, Vec<(String, String)>), ReplayError> {
    let year = trace.now.unwrap_or(DEFAULT_NOW).year();
    let mut stated = Vec::new();
    let mut unread = Vec::new();
    for (number, sentence) in trace.invariants.iter().enumerate() {
        match Stated::read(sentence, hand, year, number) {
            Ok(rule) => stated.push(rule),
            Err(error) => unread.push((sentence.clone(), error.to_string())),
        }
    }
    Ok((Rulebook::new(stated)?, unread))
}

impl<'r> Replay<'r> {
    fn new(
        bench: &'r Workbench<'_>,
        trace: &'r Trace,
        definitions: &Definitions,
    ) -> Result<Replay<'r>, ReplayError> {
        let profiles = bench.profiles(trace, definitions)?;
        let mut accounts = Layout::default().accounts;
        // The user has approved the servers that are connected.
        let unknown = trace.servers.iter().filter(|server| bench.catalogue.server(server).is_none());
        accounts.extend(unknown.map(|server| scheme(server)));
        let layout = Layout {
            workspace: trace.workdir.clone(),
            home: trace.home.clone(),
            targets: trace.targets.clone(),
            internal: trace.internal.clone(),
            external: trace.external.clone(),
            sensitive: trace.sensitive.clone(),
            accounts,
            names: named_among(std::iter::once(&trace.intent).chain(&trace.invariants).map(String::as_str)),
            ..Layout::default()
        };
        let fingerprints = Fingerprints::new(Key::new([0; 16]), Limits::default());
        let hand = bench.hand(trace, definitions, &layout);
        let mut session = Session::new(&trace.id, layout.ground()?, &bench.formats, &NoLinks, fingerprints);
        let now = trace.now.unwrap_or(DEFAULT_NOW);
        let now = TimeZone::UTC.to_timestamp(now).unwrap_or(Timestamp::UNIX_EPOCH);
        let (rulebook, unread) = rulebook(trace, &hand)?;
        let stated = rulebook.stated().iter();
        let read = stated.map(|rule| (rule.sentence.clone(), rule.written.text.clone())).collect();
        session.set_invariants(rulebook, TimeZone::UTC);
        let granted = Ruleset::new();
        Ok(Replay { trace, session, profiles, granted, clock: bench.clock, now, unread, read })
    }

    /// Decides a step, then goes on as the trace says.
    fn step(&mut self, at: usize, step: &Step) -> Result<StepResult, ReplayError> {
        let (verdict, took) = self.decide(at, step)?;
        let is_overgranted = verdict.decision == Decision::Permit && !self.is_granted(&verdict);
        let result = StepResult {
            decision: verdict.decision,
            reasons: verdict.reasons().into_iter().map(str::to_owned).collect(),
            acts: verdict.perception.acts.iter().map(ToString::to_string).collect(),
            is_overgranted,
            took,
        };
        if step.expected == Decision::Ask && !step.must_ask {
            self.grant(at, step, &verdict)?;
        }
        if step.expected != Decision::Deny {
            self.session.observe(&verdict);
            self.session.completed(&verdict, Outcome::Success);
        }
        Ok(result)
    }

    fn decide(&self, at: usize, step: &Step) -> Result<(Verdict, Duration), ReplayError> {
        let key = (step.server.clone(), step.tool.clone());
        let profile = self.profiles.get(&key).ok_or(ReplayError::UnknownTool(at))?;
        let tools = |name: &str| self.profiles.get(&(step.server.clone(), name.to_owned()));
        let call = ToolCall {
            server: &step.server,
            remote: None,
            profile,
            tools: &tools,
            arguments: &step.arguments,
            standing: ToolStanding::APPROVED,
        };
        let before = (self.clock)();
        let verdict = self.session.decide(&call, self.now);
        Ok((verdict, (self.clock)().saturating_sub(before)))
    }

    /// Whether the trace's grants alone allow what was permitted.
    fn is_granted(&self, verdict: &Verdict) -> bool {
        let policy = Policy::compile(&self.granted, self.session.ground().topology(), &self.trace.id);
        policy.decide(&verdict.call, self.now).decision == Decision::Permit
    }

    fn grant(&mut self, at: usize, step: &Step, verdict: &Verdict) -> Result<(), ReplayError> {
        let wrong = |error| ReplayError::Grant { step: at, error };
        let granted = grant::granted(step).map_err(wrong)?;
        let own = grant::own(step, &verdict.call, self.session.ground().topology()).map_err(wrong)?;
        self.granted.add(granted.clone());
        self.session.add_rule(granted);
        for rule in own {
            self.session.add_rule(rule);
        }
        Ok(())
    }
}
