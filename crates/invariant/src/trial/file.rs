//! Files of sentences with calls that must and must not break them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::DateTime;
use portcullis_perceive::layout::Layout;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Judged, Trial, TrialCall, TrialError};
use crate::meaning::Verdict;
use crate::rulebook::{Rulebook, Stated};
use crate::say::say;
use crate::toolbox::Toolbox;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    #[serde(default)]
    defaults: DefaultsForm,
    /// Definitions of tools as JSON, by their servers.
    #[serde(default)]
    tools: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    sentence: Vec<SentenceForm>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct DefaultsForm {
    session: SessionForm,
}

#[derive(Clone, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct SessionForm {
    #[serde(alias = "workspace")]
    workdir: String,
    home: String,
    targets: Vec<String>,
    internal: Vec<String>,
    external: Vec<String>,
    sensitive: Vec<String>,
    /// Servers whose things count as the user's own.
    approved: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentenceForm {
    text: String,
    verdict: Expected,
    session: Option<SessionForm>,
    now: Option<String>,
    /// Calls made before each of the others.
    #[serde(default)]
    before: Vec<CallForm>,
    #[serde(default)]
    fires: Vec<CallForm>,
    #[serde(default)]
    quiet: Vec<CallForm>,
    /// For people who read the file.
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallForm {
    tool: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    before: Vec<CallForm>,
    now: Option<String>,
}

/// What a sentence must come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// A rule that refuses calls.
    Deny,
    /// A rule that has the user asked.
    Ask,
    /// It must not be taken for a rule.
    Refuse,
}

/// What came of a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The counts.
    pub tally: Tally,
    /// Each sentence.
    pub sentences: Vec<SentenceReport>,
}

/// How many of which are as they must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Sentences that are rules.
    pub rules: usize,
    /// Those that were read.
    pub read: usize,
    /// Calls that must break their rule.
    pub fires: usize,
    /// Those that do.
    pub fired: usize,
    /// Calls that must not.
    pub quiet: usize,
    /// Those that do not.
    pub kept_quiet: usize,
    /// Sentences that must not be taken for rules.
    pub refuse: usize,
    /// Those that are not.
    pub refused: usize,
}

/// What came of a sentence.
#[derive(Clone, Debug, Serialize)]
pub struct SentenceReport {
    /// What was written.
    pub text: String,
    /// What it must come to.
    pub verdict: Expected,
    /// Why it was not read.
    pub unread: Option<String>,
    /// What it was understood to mean, in the words of the product.
    pub understood: Vec<String>,
    /// Whether it and all its calls are as they must be.
    pub is_as_stated: bool,
    /// Its calls.
    pub calls: Vec<TriedCall>,
}

/// What came of a call of a file.
#[derive(Clone, Debug, Serialize)]
pub struct TriedCall {
    /// The tool, with its server.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// Whether it must break the rule.
    pub must_fire: bool,
    /// Whether it is as it must be.
    pub is_as_stated: bool,
    /// The facts that made it break the rule.
    pub because: Vec<String>,
}

/// Tries every sentence of a file on its calls. Dates without a year belong to that of the calls, else to the one given.
pub fn run(text: &str, year: i16) -> Result<Report, TrialError> {
    run_shown(text, year, &mut |_| {})
}

/// The same, and shows what each call of a sentence was judged by; those before it are not shown.
pub fn run_shown(text: &str, year: i16, show: &mut dyn FnMut(&Judged<'_>)) -> Result<Report, TrialError> {
    let file: FileForm = toml::from_str(text).map_err(|error| TrialError::File(Box::new(error)))?;
    let mut tools = Toolbox::new()?;
    tools.connect_all();
    for (server, definitions) in &file.tools {
        for definition in definitions {
            let definition = serde_json::from_str(definition)
                .map_err(|error| TrialError::Definition { server: server.clone(), error })?;
            tools.define(server, &definition)?;
        }
    }
    let mut report = Report::default();
    for sentence in &file.sentence {
        let session = sentence.session.as_ref().unwrap_or(&file.defaults.session);
        let tried = sentence.tried(&tools, session.layout(), year, show)?;
        report.tally.add(&tried);
        report.sentences.push(tried);
    }
    Ok(report)
}

impl SessionForm {
    fn layout(&self) -> Layout {
        let SessionForm { workdir, home, targets, internal, external, sensitive, approved } = self.clone();
        let mut layout =
            Layout { workspace: workdir, home, targets, internal, external, sensitive, ..Layout::default() };
        layout.accounts.extend(approved.iter().map(|server| portcullis_perceive::derive::scheme(server)));
        layout
    }
}

impl SentenceForm {
    fn tried(
        &self,
        tools: &Toolbox,
        layout: Layout,
        year: i16,
        show: &mut dyn FnMut(&Judged<'_>),
    ) -> Result<SentenceReport, TrialError> {
        let mut servers = BTreeSet::new();
        for call in self.before.iter().chain(&self.fires).chain(&self.quiet) {
            call.servers(&mut servers)?;
        }
        let hand = tools.hand_of(&layout, |server| servers.is_empty() || servers.contains(server));
        let first = self.now.as_ref().or_else(|| self.fires.iter().find_map(|call| call.now.as_ref()));
        let year = first.map(|now| time(now)).transpose()?.map_or(year, |now| now.year());
        let reading = crate::english::read(&self.text, &hand, year);
        let understood = reading.map_or_else(|_| Vec::new(), |reading| say(&reading.meanings));
        let read = Stated::read(&self.text, &hand, year, 0).map_err(|error| error.to_string());
        let book = read.and_then(|stated| Rulebook::new(vec![stated]).map_err(|error| error.to_string()));
        let mut report = SentenceReport {
            text: self.text.clone(),
            verdict: self.verdict,
            unread: book.as_ref().err().cloned(),
            understood,
            is_as_stated: book.is_ok() != (self.verdict == Expected::Refuse),
            calls: Vec::new(),
        };
        let book = match book {
            Ok(book) => book,
            // Without a rule every call is quiet.
            Err(_) => Rulebook::empty()?,
        };
        let ground = layout.ground()?;
        for (calls, must_fire) in [(&self.fires, true), (&self.quiet, false)] {
            for call in calls {
                let tried = self.try_call(call, must_fire, Trial::new(tools, &ground, &book), show)?;
                report.is_as_stated &= tried.is_as_stated;
                report.calls.push(tried);
            }
        }
        Ok(report)
    }

    fn try_call(
        &self,
        call: &CallForm,
        must_fire: bool,
        mut trial: Trial<'_>,
        show: &mut dyn FnMut(&Judged<'_>),
    ) -> Result<TriedCall, TrialError> {
        let now = call.now.as_ref().or(self.now.as_ref()).map(|now| time(now)).transpose()?;
        for before in self.before.iter().chain(&call.before) {
            trial.call(&before.call()?, now)?;
        }
        let tried = trial.call_shown(&call.call()?, now, show)?;
        let wanted = if self.verdict == Expected::Ask { Verdict::Ask } else { Verdict::Deny };
        let breach = tried.breaches.iter().find(|breach| !must_fire || breach.verdict == wanted);
        Ok(TriedCall {
            tool: call.tool.clone(),
            arguments: call.args.clone(),
            must_fire,
            is_as_stated: breach.is_some() == must_fire,
            because: breach.map(|breach| breach.because.clone()).unwrap_or_default(),
        })
    }
}

impl CallForm {
    fn names(&self) -> Result<(&str, &str), TrialError> {
        self.tool.split_once('.').ok_or_else(|| TrialError::NoServer(self.tool.clone()))
    }

    fn call(&self) -> Result<TrialCall, TrialError> {
        let (server, tool) = self.names()?;
        let none = || Value::Object(serde_json::Map::new());
        let arguments = if self.args.is_null() { none() } else { self.args.clone() };
        Ok(TrialCall { server: server.to_owned(), tool: tool.to_owned(), arguments })
    }

    fn servers<'c>(&'c self, servers: &mut BTreeSet<&'c str>) -> Result<(), TrialError> {
        servers.insert(self.names()?.0);
        self.before.iter().try_for_each(|before| before.servers(servers))
    }
}

fn time(text: &str) -> Result<DateTime, TrialError> {
    text.parse().map_err(|_| TrialError::Time(text.to_owned()))
}

impl Tally {
    fn add(&mut self, sentence: &SentenceReport) {
        let is_read = sentence.unread.is_none();
        if sentence.verdict == Expected::Refuse {
            self.refuse += 1;
            self.refused += usize::from(!is_read);
        } else {
            self.rules += 1;
            self.read += usize::from(is_read);
        }
        for call in &sentence.calls {
            let (all, good) = match call.must_fire {
                true => (&mut self.fires, &mut self.fired),
                false => (&mut self.quiet, &mut self.kept_quiet),
            };
            *all += 1;
            *good += usize::from(call.is_as_stated);
        }
    }

    /// This and another together.
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            rules: self.rules + other.rules,
            read: self.read + other.read,
            fires: self.fires + other.fires,
            fired: self.fired + other.fired,
            quiet: self.quiet + other.quiet,
            kept_quiet: self.kept_quiet + other.kept_quiet,
            refuse: self.refuse + other.refuse,
            refused: self.refused + other.refused,
        }
    }

    /// Whether everything is as it must be.
    pub fn is_perfect(&self) -> bool {
        self.rules == self.read
            && self.fires == self.fired
            && self.quiet == self.kept_quiet
            && self.refuse == self.refused
    }
}
