//! What can be done: how people say it, and how it shows on a call.

use std::sync::LazyLock;

use serde::Deserialize;

const ACTIONS: &str = include_str!("../data/actions.toml");

/// Something that can be done.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Action {
    pub(crate) name: String,
    pub(crate) verbs: Vec<String>,
    pub(crate) nouns: Vec<String>,
    /// What the flows show, where they show it.
    pub(crate) deed: String,
    /// The kind of thing that it concerns.
    pub(crate) kind: String,
    /// Sets of words of a tool's name.
    pub(crate) tools: Vec<String>,
    /// Programs and the words behind them.
    pub(crate) commands: Vec<String>,
    /// Arguments that are given.
    pub(crate) given: Vec<String>,
    /// Arguments that are given and true.
    pub(crate) given_true: Vec<String>,
    /// Values of arguments.
    pub(crate) choices: Vec<String>,
    /// Kinds of SQL statements.
    pub(crate) statements: Vec<String>,
    /// Words of what is clicked on.
    pub(crate) elements: Vec<String>,
    /// An effect that shows it.
    pub(crate) effect: String,
    /// Something is sent to things of this kind.
    pub(crate) sends: String,
    /// Something is written to things of this kind.
    pub(crate) writes: String,
    /// A search engine is asked.
    pub(crate) engines: bool,
    /// Something is brought from the network.
    pub(crate) fetches: bool,
    /// A file goes to the network.
    pub(crate) uploads: bool,
    /// What comes from the network is run.
    pub(crate) piped: bool,
    /// The words count only where the call changes something.
    pub(crate) writing: bool,
    /// Other actions that it is not.
    pub(crate) not: Vec<String>,
    /// Words of a tool's name that say that it is not this.
    pub(crate) not_words: Vec<String>,
    pub(crate) unit: String,
}

/// All of them.
pub(crate) struct Actions(Vec<Action>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    action: Vec<Action>,
}

static BUILT_IN: LazyLock<Result<Actions, String>> = LazyLock::new(|| {
    let file: File = toml::from_str(ACTIONS).map_err(|error| format!("actions.toml: {error}"))?;
    let stems = |sets: &mut Vec<String>| {
        for set in sets {
            *set = set.split(' ').map(crate::names::stem).collect::<Vec<_>>().join(" ");
        }
    };
    let mut actions = file.action;
    for action in &mut actions {
        stems(&mut action.tools);
        stems(&mut action.choices);
        stems(&mut action.not_words);
    }
    Ok(Actions(actions))
});

impl Actions {
    /// Those of this crate.
    pub(crate) fn built_in() -> Result<&'static Actions, String> {
        BUILT_IN.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Action> {
        self.0.iter()
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Action> {
        self.0.get(number)
    }
}
