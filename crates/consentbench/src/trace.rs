//! Traces, as the format of ConsentBench has them.

mod fields;

use jiff::civil::DateTime;
use portcullis_lattice::{Class, Decision, Effects};
use serde_json::Value;

use fields::Fields;

/// What is wrong with a line of a file of traces.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {field}: {problem}")]
pub struct TraceError {
    /// The line, counted from 1.
    pub line: usize,
    /// The field, such as `steps[2].args`; `-` if the line is no JSON.
    pub field: String,
    /// What is wrong with it.
    pub problem: String,
}

/// One agent session.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The line of its file, counted from 1.
    pub line: usize,
    /// What it is called.
    pub id: String,
    /// What it is about.
    pub category: String,
    /// The servers that are connected.
    pub servers: Vec<String>,
    /// What it shows.
    pub kind: Kind,
    /// What the escalating step crosses.
    pub dimension: String,
    /// The step that escalates, counted from 1.
    pub escalates_at: Option<usize>,
    /// The folder that is worked in.
    pub workdir: String,
    /// The user's home folder.
    pub home: String,
    /// What the user asked for.
    pub intent: String,
    /// Paths that the request names.
    pub targets: Vec<String>,
    /// What belongs to the user's organisation.
    pub internal: Vec<String>,
    /// Exceptions from it.
    pub external: Vec<String>,
    /// What the user marked sensitive.
    pub sensitive: Vec<String>,
    /// Rules in plain English.
    pub invariants: Vec<String>,
    /// The local time, where a rule speaks of time.
    pub now: Option<DateTime>,
    /// The calls.
    pub steps: Vec<Step>,
    /// The definitions of tools that no catalogue has.
    pub tools: Vec<Value>,
}

/// What a trace shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Every call after the first grants stays inside them.
    Benign,
    /// One step leaves the granted boundary.
    Bound,
    /// Some step breaks a rule that the user stated.
    Invariant,
}

/// One call with the facts about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The server.
    pub server: String,
    /// The tool on it.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// Fact: where data comes from.
    pub input: Side,
    /// Fact: where it goes.
    pub output: Side,
    /// Fact: what is done.
    pub effects: Effects,
    /// Fact: whether what flows is tainted.
    pub tainted: bool,
    /// Fact: the stated rule that it breaks.
    pub violates: Option<String>,
    /// Fact: whether a stated rule wants a question each time.
    pub must_ask: bool,
    /// What the simulated user answers.
    pub answer: Answer,
    /// What should be decided.
    pub expected: Decision,
}

/// One side of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// How far away it is.
    pub class: Class,
    /// The names; none for the context.
    pub resources: Vec<String>,
}

/// What the simulated user answers if a step asks: the call's own lattice point, widened or bound to patterns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Another class for the input.
    pub input: Option<Class>,
    /// Another class for the output.
    pub output: Option<Class>,
    /// Other effects.
    pub effects: Option<Effects>,
    /// Whether tainted data is meant.
    pub tainted: Option<bool>,
    /// Patterns that bind the input; none for any resource of the class.
    pub input_patterns: Vec<String>,
    /// Patterns that bind the output.
    pub output_patterns: Vec<String>,
}

/// The traces of a file. Lines that are none are told, and the rest is read.
pub fn traces(text: &str) -> (Vec<Trace>, Vec<TraceError>) {
    let (mut traces, mut errors) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        match trace(line, number) {
            Ok(trace) => traces.push(trace),
            Err((field, problem)) => errors.push(TraceError { line: number, field, problem }),
        }
    }
    (traces, errors)
}

/// A field and what is wrong with it.
type Wrong = (String, String);

fn trace(text: &str, line: usize) -> Result<Trace, Wrong> {
    let value =
        portcullis_perceive::json::strict(text).map_err(|error| ("-".to_owned(), error.to_string()))?;
    let trace = Fields::new("", &value)?;
    let session = trace.object("session")?;
    let steps = trace.list("steps")?;
    let escalates_at = trace.optional_count("escalates_at")?;
    let escalates_somewhere = escalates_at.is_some_and(|at| (1..=steps.len()).contains(&at));
    let steps = steps.iter().enumerate().map(|(at, step)| step_of(&format!("steps[{at}]"), step));
    let kind = trace
        .word("kind", &[("benign", Kind::Benign), ("bound", Kind::Bound), ("invariant", Kind::Invariant)])?;
    if kind == Kind::Bound && !escalates_somewhere {
        // Else the escalation would be missing from the figures without a word.
        return Err(trace.wrong("escalates_at", "the number of a step was expected, from 1"));
    }
    let now = session.optional_text("now")?;
    let now =
        now.map(|text| text.parse::<DateTime>().map_err(|error| session.wrong("now", &error.to_string())));
    Ok(Trace {
        line,
        id: trace.text("id")?,
        category: trace.text("category")?,
        servers: trace.texts("servers")?,
        kind,
        dimension: trace.text("dimension")?,
        escalates_at,
        workdir: session.text("workdir")?,
        home: session.text("home")?,
        intent: session.text("intent")?,
        targets: session.texts("targets")?,
        internal: session.texts("internal")?,
        external: session.texts("external")?,
        sensitive: session.texts("sensitive")?,
        invariants: session.texts("invariants")?,
        now: now.transpose()?,
        steps: steps.collect::<Result<_, _>>()?,
        tools: if trace.has("tools") { trace.list("tools")?.clone() } else { Vec::new() },
    })
}

fn step_of(path: &str, value: &Value) -> Result<Step, Wrong> {
    let step = Fields::new(path, value)?;
    let tool = step.text("tool")?;
    let (server, tool) =
        tool.split_once('.').ok_or_else(|| step.wrong("tool", "`server.tool` was expected"))?;
    let decisions = [("Allow", Decision::Permit), ("Ask", Decision::Ask), ("Deny", Decision::Deny)];
    let arguments = value.get("args").filter(|arguments| arguments.is_object());
    Ok(Step {
        server: server.to_owned(),
        tool: tool.to_owned(),
        arguments: arguments.cloned().ok_or_else(|| step.wrong("args", "an object was expected"))?,
        input: side(&step.object("in")?)?,
        output: side(&step.object("out")?)?,
        effects: step.effects("effects")?.ok_or_else(|| step.wrong("effects", "a list was expected"))?,
        tainted: step.has("taint") && step.word("taint", &[("tainted", true), ("untainted", false)])?,
        violates: step.optional_text("violates")?,
        must_ask: step.flag("must_ask")?.unwrap_or(false),
        answer: match value.get("grant") {
            None => Answer::default(),
            Some(_) => answer(&step.object("grant")?)?,
        },
        expected: step.word("expect", &decisions)?,
    })
}

const CLASSES: [(&str, Class); 6] = [
    ("exact", Class::Targets),
    ("parent", Class::Workspace),
    ("local", Class::Local),
    ("ctxt", Class::Context),
    ("intnet", Class::Internal),
    ("extnet", Class::External),
];

fn side(side: &Fields<'_>) -> Result<Side, Wrong> {
    Ok(Side { class: side.word("class", &CLASSES)?, resources: side.texts("resource")? })
}

fn answer(grant: &Fields<'_>) -> Result<Answer, Wrong> {
    let class = |name: &str| grant.has(name).then(|| grant.word(name, &CLASSES)).transpose();
    let is_refined = grant.word("mode", &[("basic", false), ("refined", true)])?;
    let patterns = |name: &str| if is_refined { grant.texts(name) } else { Ok(Vec::new()) };
    Ok(Answer {
        input: class("in")?,
        output: class("out")?,
        effects: grant.effects("effects")?,
        tainted: grant.flag("tainted")?,
        input_patterns: patterns("in_pattern")?,
        output_patterns: patterns("out_pattern")?,
    })
}
