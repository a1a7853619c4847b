//! What a model answers: strict JSON of a stated form, bounded, or refused.

use std::collections::BTreeMap;

use portcullis_perceive::json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Case, Task};
use crate::meaning::{Place, Verdict};
use crate::ordered::ordered;
use crate::stand_in::Places;
use crate::trial::TrialCall;

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 1 << 16;
const MOST_RULES: usize = 32;
const LONGEST_RULE: usize = 4_000;
const MOST_SOURCES: usize = 16;
const LEAST_CASES: usize = 2;
const MOST_CASES: usize = 24;
const MOST_BEFORE: usize = 8;
/// The longest arguments of a call, as JSON.
const LONGEST_ARGUMENTS: usize = 1 << 14;

/// Rules as a model gives them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    pub(super) rules: Vec<String>,
    /// Where data comes from that the rules follow, by the names that they have for it.
    #[serde(default)]
    pub(super) follow: BTreeMap<String, Source>,
}

/// A place that data comes from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum Source {
    Path(String),
    Folder(String),
    Named(String),
    Word(String),
    Domain(String),
    Address(String),
    Table(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    cases: Vec<CaseForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseForm {
    expect: Expectation,
    call: CallForm,
    #[serde(default)]
    before: Vec<CallForm>,
    now: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallForm {
    server: String,
    tool: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

/// What must follow on a call.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expectation {
    Refuse,
    Ask,
    Pass,
}

impl Expectation {
    pub(super) fn of(verdict: Option<Verdict>) -> Expectation {
        match verdict {
            Some(Verdict::Deny) => Expectation::Refuse,
            Some(Verdict::Ask) => Expectation::Ask,
            None => Expectation::Pass,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Expectation::Refuse => "refused",
            Expectation::Ask => "asked about",
            Expectation::Pass => "passed",
        }
    }

    fn verdict(self) -> Option<Verdict> {
        match self {
            Expectation::Refuse => Some(Verdict::Deny),
            Expectation::Ask => Some(Verdict::Ask),
            Expectation::Pass => None,
        }
    }
}

impl Source {
    /// The place, with what stands for the user's folders put in.
    pub(super) fn place(&self, places: &Places) -> Result<Place, String> {
        Ok(match self {
            Source::Path(path) => Place::Path(places.text(path)?),
            Source::Folder(folder) => Place::Folder(folder.clone()),
            Source::Named(named) => Place::Named(named.clone()),
            Source::Word(word) => Place::Word(word.clone()),
            Source::Domain(domain) => Place::Domain(places.text(domain)?),
            Source::Address(address) => Place::Address(places.text(address)?),
            Source::Table(table) => Place::Table(table.clone()),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Source::Path(text)
            | Source::Folder(text)
            | Source::Named(text)
            | Source::Word(text)
            | Source::Domain(text)
            | Source::Address(text)
            | Source::Table(text) => text.trim().is_empty(),
        }
    }
}

/// Reads an answer with rules.
pub(super) fn rules(text: &str) -> Result<Rules, String> {
    let rules: Rules = read(text)?;
    if rules.rules.len() > MOST_RULES || rules.follow.len() > MOST_SOURCES {
        return Err(format!("there may be {MOST_RULES} rules and {MOST_SOURCES} places to follow at most"));
    }
    if rules.rules.iter().any(|rule| rule.len() > LONGEST_RULE) {
        return Err(format!("a rule may have {LONGEST_RULE} letters at most"));
    }
    Ok(rules)
}

/// Reads an answer with calls.
pub(super) fn cases(text: &str, task: &Task<'_>) -> Result<Vec<Case>, String> {
    let Cases { cases } = read(text)?;
    if cases.len() > MOST_CASES {
        return Err(format!("there may be {MOST_CASES} cases at most"));
    }
    let places = Places::of(task.ground.layout());
    let cases = cases.into_iter().map(|case| case.case(task, &places)).collect::<Result<Vec<_>, _>>()?;
    let passing = cases.iter().filter(|case| case.expected.is_none()).count();
    if passing < LEAST_CASES || cases.len() - passing < LEAST_CASES {
        return Err(
            "at least two calls must be refused or asked about, and at least two must pass".to_owned()
        );
    }
    Ok(cases)
}

impl CaseForm {
    fn case(self, task: &Task<'_>, places: &Places) -> Result<Case, String> {
        if self.before.len() > MOST_BEFORE {
            return Err(format!("there may be {MOST_BEFORE} calls before another at most"));
        }
        let time =
            |text: String| text.parse().map_err(|_| "`now` is no time such as 2026-03-06T18:40".to_owned());
        Ok(Case {
            before: self.before.into_iter().map(|call| call.call(task, places)).collect::<Result<_, _>>()?,
            call: self.call.call(task, places)?,
            now: self.now.map(time).transpose()?,
            expected: self.expect.verdict(),
        })
    }
}

impl CallForm {
    fn call(self, task: &Task<'_>, places: &Places) -> Result<TrialCall, String> {
        let CallForm { server, tool, arguments } = self;
        let Some(profile) = task.tools.profile(&server, &tool) else {
            return Err(format!("there is no tool `{tool}` of a server `{server}`"));
        };
        if let Some(name) = arguments.keys().find(|name| !profile.knows(name)) {
            return Err(format!("`{server}.{tool}` has no argument `{name}`"));
        }
        let mut arguments = Value::Object(arguments);
        if arguments.to_string().len() > LONGEST_ARGUMENTS {
            return Err(format!("arguments may have {LONGEST_ARGUMENTS} letters at most"));
        }
        places.put(&mut arguments)?;
        Ok(TrialCall { server, tool, arguments: ordered(&arguments) })
    }
}

/// Reads strict JSON of a form. Many models put it between the marks of a code block, which may be all around it.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    if text.len() > LONGEST_ANSWER {
        return Err(format!("the answer may have {LONGEST_ANSWER} letters at most"));
    }
    let text = text.trim();
    let inner = text.strip_prefix("```json").or_else(|| text.strip_prefix("```"));
    let text = inner.and_then(|inner| inner.strip_suffix("```")).unwrap_or(text);
    let wrong = |error: serde_json::Error| format!("the answer is not JSON of the stated form: {error}");
    serde_json::from_value(json::strict(text).map_err(wrong)?).map_err(wrong)
}
