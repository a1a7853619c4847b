//! A profile, ready to be told.

use portcullis_lattice::Effect;
use portcullis_perceive::profile::{
    ArgumentPath, Assumption, DeedProfile, DeedWords, FlowProfile, Place, Profile, What,
};
use serde::Serialize;
use serde_json::Value;

/// What a tool does with which of its arguments.
#[derive(Serialize)]
pub(super) struct ProfileReport {
    /// Everything that it does; what holds counts, together.
    pub(super) deeds: Vec<DeedReport>,
    /// The inner call of a tool that calls others, in words.
    pub(super) calls: Option<String>,
    /// Which page a browser shows afterwards, in words.
    pub(super) opens: Option<String>,
    /// The arguments with free text that the agent writes.
    pub(super) text: Vec<String>,
    /// The arguments of the definition that the profile does not know.
    pub(super) unknown_arguments: Vec<String>,
    /// What was taken at its worst.
    pub(super) assumptions: Vec<AssumptionReport>,
}

/// One thing that a tool does.
#[derive(Serialize)]
pub(super) struct DeedReport {
    /// `flow`, `shell` or `sql`.
    kind: &'static str,
    /// What is done; nothing where a command line or SQL says it.
    effects: Vec<&'static str>,
    /// The arguments that decide it.
    arguments: Vec<String>,
    #[serde(flatten)]
    pub(super) words: WordsReport,
}

/// A deed in words.
#[derive(Serialize)]
pub(super) struct WordsReport {
    pub(super) when: Vec<String>,
    pub(super) does: String,
    /// Choices, of which the first that the call names counts.
    pub(super) from: Vec<Vec<String>>,
    pub(super) to: Vec<Vec<String>>,
}

/// What was taken at its worst.
#[derive(Serialize)]
pub(super) struct AssumptionReport {
    /// `effects`, `input` or `output`.
    about: &'static str,
    pub(super) words: String,
}

impl ProfileReport {
    pub(super) fn new(profile: &Profile, definition: &Value) -> ProfileReport {
        ProfileReport {
            deeds: profile.deeds.iter().map(DeedReport::new).collect(),
            calls: profile.calls.as_ref().map(ToString::to_string),
            opens: profile.opens.as_ref().map(ToString::to_string),
            text: profile.text.iter().map(ArgumentPath::to_string).collect(),
            unknown_arguments: unknown(profile, definition),
            assumptions: profile.assumptions.iter().map(AssumptionReport::new).collect(),
        }
    }
}

impl AssumptionReport {
    pub(super) fn new(assumption: &Assumption) -> AssumptionReport {
        AssumptionReport { about: assumption.about.name(), words: assumption.words.clone() }
    }
}

impl DeedReport {
    fn new(deed: &DeedProfile) -> DeedReport {
        let DeedWords { when, does, from, to } = deed.in_words();
        let (kind, effects, paths) = match &deed.what {
            What::Flow(FlowProfile { effects, from, to }) => {
                let places = from.iter().chain(to).flatten();
                let paths = places.flat_map(|place: &Place| place.kind.arguments()).collect();
                ("flow", effects.iter().map(Effect::name).collect(), paths)
            }
            What::Shell { command, folder } => {
                ("shell", Vec::new(), std::iter::once(command).chain(folder).collect())
            }
            What::Sql { text, .. } => ("sql", Vec::new(), vec![text]),
        };
        let paths: Vec<&ArgumentPath> = paths;
        let mut arguments: Vec<String> = Vec::new();
        for path in paths.into_iter().map(ArgumentPath::to_string) {
            if !arguments.contains(&path) {
                arguments.push(path);
            }
        }
        DeedReport { kind, effects, arguments, words: WordsReport { when, does, from, to } }
    }
}

/// The arguments that the definition lists and the profile does not know: calls that give them are doubted.
fn unknown(profile: &Profile, definition: &Value) -> Vec<String> {
    let properties = definition.pointer("/inputSchema/properties").and_then(Value::as_object);
    let names = properties.into_iter().flat_map(|properties| properties.keys());
    names.filter(|name| !profile.knows(name)).cloned().collect()
}
