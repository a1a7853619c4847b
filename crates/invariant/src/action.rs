//! What can be done: how people say it, and how it shows on a call.

mod patterns;
mod shown;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) use patterns::{Matter, Patterns};
pub(crate) use shown::{CommandForm, PartForm, Setting, SettingValue, Shown, Words};

const ACTIONS: &str = include_str!("../data/actions.toml");
/// Acts by their everyday names, each table about one field.
const ACTS: &[(&str, &str)] = &[
    ("mail", include_str!("../data/acts/mail.toml")),
    ("chat", include_str!("../data/acts/chat.toml")),
    ("calendars", include_str!("../data/acts/calendars.toml")),
    ("repositories", include_str!("../data/acts/repositories.toml")),
    ("web", include_str!("../data/acts/web.toml")),
    ("notes", include_str!("../data/acts/notes.toml")),
    ("commands", include_str!("../data/acts/commands.toml")),
    ("databases", include_str!("../data/acts/databases.toml")),
    ("others", include_str!("../data/acts/others.toml")),
    ("files", include_str!("../data/acts/files.toml")),
    ("programs", include_str!("../data/acts/programs.toml")),
    ("messages", include_str!("../data/acts/messages.toml")),
    ("git", include_str!("../data/acts/git.toml")),
    ("github", include_str!("../data/acts/github.toml")),
    ("browsers", include_str!("../data/acts/browsers.toml")),
    ("several", include_str!("../data/acts/several.toml")),
    ("unlisted", include_str!("../data/acts/unlisted.toml")),
];

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
    /// Methods by which a server is asked.
    pub(crate) methods: Vec<String>,
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
    /// Something gets another name.
    pub(crate) renames: bool,
    /// Each edit keeps the text that it replaces.
    pub(crate) grows: bool,
    /// A file gets another ending.
    pub(crate) endings: bool,
    /// Files that go to another folder show it.
    pub(crate) relocates: bool,
    /// What comes from the network is run.
    pub(crate) piped: bool,
    /// The words count only where the call changes something.
    pub(crate) writing: bool,
    /// Other actions that it is not.
    pub(crate) not: Vec<String>,
    /// Words of a tool's name that say that it is not this.
    pub(crate) not_words: Vec<String>,
    pub(crate) unit: String,
    /// How it is said back, as something that is being done.
    pub(crate) told: String,
    /// A statement, an address, a text or a command line that shows it.
    pub(crate) example: String,
    /// Arguments with their values.
    pub(crate) settings: Vec<String>,
    /// Words of tools that settings, given arguments and texts count for.
    pub(crate) among: Vec<String>,
    /// Regular expressions for command lines, for addresses of pages, for texts and for SQL.
    pub(crate) lines: Vec<String>,
    pub(crate) urls: Vec<String>,
    pub(crate) texts: Vec<String>,
    pub(crate) sql: Vec<String>,
    /// What SQL must not have.
    pub(crate) sql_not: Vec<String>,
    /// Clauses that state the ban by themselves.
    pub(crate) keeps: Vec<String>,
    /// What is said of things that must not be so.
    pub(crate) predicates: Vec<String>,
    /// What must be at hand: `sql`.
    #[serde(rename = "for")]
    pub(crate) needs: String,
    /// Whether its words are understood only where nothing is left over.
    #[serde(skip)]
    pub(crate) is_exact: bool,
}

/// All of them.
pub(crate) struct Actions {
    all: Vec<Action>,
    /// How each of them shows.
    shown: Vec<Shown>,
    names: BTreeSet<String>,
}

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
    for (name, text) in ACTS {
        let acts: File = toml::from_str(text).map_err(|error| format!("acts/{name}.toml: {error}"))?;
        actions.extend(acts.action.into_iter().map(|act| Action { is_exact: true, ..act }));
    }
    for action in &mut actions {
        stems(&mut action.tools);
        stems(&mut action.among);
        stems(&mut action.choices);
        stems(&mut action.not_words);
    }
    let shown = actions.iter().map(Shown::of).collect();
    let names = actions.iter().map(|action| action.name.clone()).collect();
    Ok(Actions { all: actions, shown, names })
});

impl Actions {
    /// Those of this crate.
    pub(crate) fn built_in() -> Result<&'static Actions, String> {
        BUILT_IN.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Action> {
        self.all.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, number: usize) -> Option<&Action> {
        self.all.get(number)
    }

    /// One of them by its number, and how it shows.
    pub(crate) fn shown(&self, number: usize) -> Option<(&Action, &Shown)> {
        Some((self.all.get(number)?, self.shown.get(number)?))
    }

    /// Whether one of them is called so.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

impl Action {
    /// Whether it shows in arguments, texts or lines of a call.
    pub(crate) fn is_marked(&self) -> bool {
        !self.settings.is_empty() || Patterns::has(self)
    }
}
