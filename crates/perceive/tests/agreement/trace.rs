//! The traces of ConsentBench: sessions, steps, and the facts that their authors wrote down.

use std::collections::BTreeSet;
use std::path::Path;

use portcullis_lattice::Class;
use portcullis_perceive::layout::{Ground, Layout};
use serde_json::Value;

/// One session with its calls.
pub(crate) struct Trace {
    /// What it is called.
    pub(crate) id: String,
    session: Value,
    /// The calls in order.
    pub(crate) steps: Vec<Step>,
    /// The definitions of tools that no catalogue has, where the trace carries them.
    pub(crate) tools: Vec<Value>,
}

/// One call, and what its author says of it.
pub(crate) struct Step {
    /// The short name of the server.
    pub(crate) server: String,
    /// The tool on it.
    pub(crate) tool: String,
    /// The arguments.
    pub(crate) arguments: Value,
    /// What the author says.
    pub(crate) facts: Facts,
    /// Whether the call is made: what is denied changes nothing.
    pub(crate) is_made: bool,
}

/// What is said of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    /// Where data comes from.
    pub(crate) input: Side,
    /// Where it goes.
    pub(crate) output: Side,
    /// What is done.
    pub(crate) effects: BTreeSet<String>,
    /// Whether a source is sensitive by itself.
    pub(crate) sensitive: bool,
    /// Whether free text goes along with a named source.
    pub(crate) payload: bool,
}

/// One side of a call: how far away it is, and the names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    /// The farthest class.
    pub(crate) class: &'static str,
    /// The names; `ctxt` for the context.
    pub(crate) names: BTreeSet<String>,
}

/// Every trace, in the order of files and lines.
pub(crate) fn all() -> Vec<Trace> {
    of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench"))
}

/// Every trace of a folder.
pub(crate) fn of(folder: &Path) -> Vec<Trace> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    texts.flat_map(|text| text.lines().map(trace).collect::<Vec<_>>()).collect()
}

impl Trace {
    /// The session, ready to place names.
    pub(crate) fn ground(&self) -> Ground {
        self.ground_with(Layout::default().accounts)
    }

    /// The session with these accounts of the user.
    pub(crate) fn ground_with(&self, accounts: Vec<String>) -> Ground {
        let list = |name: &str| strings(&self.session[name]);
        let text = |name: &str| self.session[name].as_str().unwrap().to_owned();
        let layout = Layout {
            workspace: text("workdir"),
            home: text("home"),
            targets: list("targets"),
            internal: list("internal"),
            external: list("external"),
            sensitive: list("sensitive"),
            accounts,
            ..Layout::default()
        };
        layout.ground().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }
}

/// The benchmark's word for a class.
pub(crate) fn word(class: Class) -> &'static str {
    match class {
        Class::Targets => "exact",
        Class::Workspace => "parent",
        Class::Local => "local",
        Class::Context => "ctxt",
        Class::Internal => "intnet",
        Class::External => "extnet",
    }
}

const CLASSES: [Class; 6] =
    [Class::Targets, Class::Workspace, Class::Local, Class::Context, Class::Internal, Class::External];

fn trace(line: &str) -> Trace {
    let trace: Value = serde_json::from_str(line).unwrap();
    let steps = trace["steps"].as_array().unwrap().iter().map(step).collect();
    let tools = trace["tools"].as_array().cloned().unwrap_or_default();
    Trace { id: trace["id"].as_str().unwrap().to_owned(), session: trace["session"].clone(), steps, tools }
}

fn step(step: &Value) -> Step {
    let (server, tool) = step["tool"].as_str().unwrap().split_once('.').unwrap();
    let facts = Facts {
        input: side(&step["in"]),
        output: side(&step["out"]),
        effects: strings(&step["effects"]).into_iter().collect(),
        sensitive: step["sensitive"] == true,
        payload: step["payload"] == true,
    };
    Step {
        server: server.to_owned(),
        tool: tool.to_owned(),
        arguments: step["args"].clone(),
        facts,
        is_made: step["expect"] != "Deny",
    }
}

fn side(fact: &Value) -> Side {
    let class = CLASSES.into_iter().map(word).find(|word| fact["class"] == **word).unwrap();
    let mut names: BTreeSet<String> = strings(&fact["resource"]).into_iter().collect();
    if names.is_empty() {
        names.insert("ctxt".to_owned());
    }
    Side { class, names }
}

/// A list of texts, one text, or none.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().map(|value| value.as_str().unwrap().to_owned()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}
