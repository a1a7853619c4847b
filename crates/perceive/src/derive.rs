//! The profile of a tool that nobody vouches for, from its definition alone.
//!
//! Names and descriptions are read as what they are: words of a stranger. A verb gives the effects, and what has none may
//! run anything. Arguments are placed by their names, types and formats. Annotations add effects and take none away. What
//! cannot be told is taken at its worst, in that dimension, and is named in the profile's assumptions.

mod arguments;
mod deeds;
mod definition;
mod ids;
mod manner;
mod vocabulary;
mod words;

pub use definition::{Definition, DefinitionError, Hints};
pub use vocabulary::vocabulary_error;
pub(crate) use words::words as name_words;

use std::sync::Arc;

use serde_json::Value;

use crate::profile::{
    Assumption, Condition, DeedProfile, Dimension, FlowProfile, InnerCall, Kind, Opens, Place, Profile,
    Source, Test, What,
};
use portcullis_lattice::{Effect, Effects, Reach};

use arguments::Roles;
use deeds::Deeds;
use manner::Told;
use vocabulary::{Vocabulary, Words, has};

/// Heads of names that mean something everywhere, and that no server may claim by its own name.
const RESERVED: [&str; 22] = [
    "mailto", "calendar", "http", "https", "ws", "wss", "ftp", "file", "ssh", "sftp", "git", "pkg", "tcp",
    "dns", "ctxt", "smb", "tel", "slack", "gmail", "notion", "db", "github",
];

/// The head of the names of a server's own resources: its name, as far as it can be one.
pub fn scheme(server: &str) -> String {
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        letter @ ('a'..='z' | '0'..='9') => letter,
        _ => '-',
    };
    let name: String = server.chars().map(plain).collect();
    let name = name.trim_matches('-');
    let starts_well = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if starts_well && !RESERVED.contains(&name) { name.to_owned() } else { format!("mcp-{name}") }
}

/// What a profile was derived from.
#[derive(Clone, PartialEq, Debug)]
pub struct Basis {
    /// The server.
    pub server: String,
    /// The tool's definition.
    pub definition: Definition,
}

/// What a call holds beyond what the schema tells.
pub struct Insides {
    /// The profile as if the schema listed it; nothing where no name in it says what it is for, which is nearly always.
    pub profile: Option<Profile>,
    /// Whether there is more than is looked at, so that it may hold anything.
    pub is_cut: bool,
}

impl Basis {
    /// The profile for a call with arguments that the definition does not list: these are understood by their names and
    /// values, as if it did. Nothing if it lists them all.
    pub fn for_arguments(&self, arguments: &Value) -> Option<Profile> {
        let complete = self.definition.with_arguments(arguments)?;
        Some(derived(&self.server, &complete))
    }

    /// What a call holds beyond what the schema tells: in objects of any form, in JSON that is a text.
    pub fn insides(&self, arguments: &Value) -> Insides {
        let told = self.definition.insides(arguments);
        let profile = (!told.properties.is_empty())
            .then(|| derived(&self.server, &self.definition.with_insides(told.properties)));
        Insides { profile, is_cut: told.is_cut }
    }
}

/// Derives the profile of a tool of a server.
pub fn derive(server: &str, definition: &Definition) -> Profile {
    let profile = derived(server, definition);
    let basis = Basis { server: server.to_owned(), definition: definition.clone() };
    Profile { basis: Vocabulary::get().map(|_| Arc::new(basis)), ..profile }
}

/// The same for one call, after which nobody asks what it was derived from.
fn derived(server: &str, definition: &Definition) -> Profile {
    let scheme = scheme(server);
    let Some(vocabulary) = Vocabulary::get() else { return worst(&scheme, definition) };
    let told = Told::by(definition, server, vocabulary);
    let roles = Roles::of(definition, &told, server, vocabulary);
    let mut deeds = Deeds::new(&scheme, &roles, definition);
    deeds.tell(&told);
    let mut profile = Profile {
        tool: definition.name.clone(),
        source: Source::Derived,
        deeds: deeds.finish(),
        text: roles.text.clone(),
        ignored: definition.properties.iter().map(|property| property.path()).collect(),
        opens: opens(&scheme, &told, &roles),
        calls: inner_call(definition, &told, vocabulary),
        assumptions: told.assumptions,
        signer: None,
        basis: None,
    };
    if definition.lists_nothing() {
        let words =
            "the definition does not list its arguments, so they are understood by their names".to_owned();
        profile.assumptions.push(Assumption { about: Dimension::Input, words });
    }
    if profile.calls.is_some() {
        // What the inner tool does counts.
        profile.deeds.clear();
    }
    profile
}

/// Which page a browser shows after the call: the one that it is told to open, another one where a tab is chosen.
fn opens(scheme: &str, told: &Told, roles: &Roles) -> Option<Opens> {
    let says = |list: &[&str]| told.words.iter().any(|word| list.contains(&word.as_str()));
    if !told.browses {
        return None;
    }
    let browser = Some(scheme.to_owned());
    if let (true, Some(url)) = (says(&["navigate", "goto", "visit", "open", "new", "go"]), roles.urls.first())
    {
        let absent = Condition { argument: url.clone(), test: Test::Absent };
        return Some(Opens { url: Some(url.clone()), when: Vec::new(), unknown: vec![absent], browser });
    }
    let chooses = says(&["select", "switch", "close", "new", "back", "forward", "navigate"]);
    let is_page = says(&["page", "tab", "window", "back", "forward", "navigate"]);
    (chooses && is_page).then(|| Opens { browser, ..Opens::default() })
}

/// Anything may be run: for a definition of which nothing can be told.
fn worst(scheme: &str, definition: &Definition) -> Profile {
    let everything = Place { reach: Reach::Subtree, ..Place::required(Kind::Fixed(format!("{scheme}:*"))) };
    let flow =
        FlowProfile { effects: Effects::only(Effect::Exec), from: Vec::new(), to: vec![vec![everything]] };
    let words = "nothing is known of the tool, so it may run anything".to_owned();
    Profile {
        tool: definition.name.clone(),
        source: Source::Derived,
        deeds: vec![DeedProfile { when: Vec::new(), what: What::Flow(flow) }],
        text: Vec::new(),
        ignored: definition.properties.iter().map(|property| property.path()).collect(),
        opens: None,
        calls: None,
        assumptions: vec![Assumption { about: Dimension::Effects, words }],
        signer: None,
        basis: None,
    }
}

/// Where a tool that calls tools has their name and arguments.
fn inner_call(definition: &Definition, told: &Told, vocabulary: &Vocabulary) -> Option<InnerCall> {
    if !told.runs() || !told.words.iter().any(|word| matches!(word.as_str(), "tool" | "tools" | "function")) {
        return None;
    }
    let listed = |list: &Words, name: &str| has(list, &name.replace(['_', '-'], "").to_lowercase());
    let tool = definition.properties.iter().find(|property| {
        property.is_text()
            && (listed(&vocabulary.arguments.tool, &property.name)
                || property.words.ends_with(&["name".into()]))
    })?;
    let inner = definition
        .properties
        .iter()
        .find(|property| !property.is_text() && listed(&vocabulary.arguments.inner, &property.name))?;
    Some(InnerCall { tool: tool.path(), arguments: inner.path() })
}
