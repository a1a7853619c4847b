//! What is at hand when a sentence is read: the session's folders and the tools that are connected. Words of a rule are
//! looked up here, so that "squash merges only" finds the argument it means.

mod own;

use std::collections::{BTreeMap, BTreeSet};

use portcullis_perceive::catalogue::ServerEntry;
use portcullis_perceive::layout::Layout;
use serde_json::Value;

use crate::english::Trouble;
use crate::names;
pub(crate) use own::{OwnArgument, OwnTool};

/// What holds things, as tools call it.
const HOLDERS: &[&str] = &[
    "bucket",
    "project",
    "team",
    "workspace",
    "board",
    "zone",
    "namespace",
    "base",
    "vault",
    "space",
    "organization",
];

/// How deep arguments are looked into.
const DEEPEST: usize = 8;

/// What is at hand.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    pub(crate) layout: Layout,
    /// Full names of tools.
    tools: BTreeSet<String>,
    /// Words of the tools' names.
    words: BTreeSet<String>,
    /// Words of the arguments' names.
    parameters: BTreeSet<String>,
    /// The arguments' names as words.
    arguments: BTreeSet<String>,
    /// Servers that list tools without saying what arguments they take.
    unsaid: BTreeSet<String>,
    /// Servers that say it of some tool.
    said: BTreeSet<String>,
    /// Values that arguments may take, as words, with the names of the arguments.
    choices: BTreeMap<String, BTreeSet<String>>,
    /// The names of all tools' arguments as words, with the tools that take them.
    takers: BTreeMap<String, BTreeSet<String>>,
    /// The tools by the words of their full names.
    by_word: BTreeMap<String, BTreeSet<String>>,
    /// What tools are about: an issue for `create_issue`.
    topics: BTreeSet<String>,
    servers: BTreeSet<String>,
    /// Words of arguments' names of tools that list themselves.
    own_parameters: BTreeSet<String>,
    /// Words of their names.
    own_words: BTreeSet<String>,
    /// Values of their arguments.
    own_values: BTreeSet<String>,
    /// What descriptions call values: `urgent` is 1 of `priority`.
    called: BTreeMap<String, (String, String)>,
    /// Words of the descriptions of tools and arguments.
    described: BTreeSet<String>,
    /// Tools that list themselves.
    own: Vec<OwnTool>,
}

impl Hand {
    /// A session without tools.
    pub fn new(layout: &Layout) -> Hand {
        Hand { layout: layout.clone(), ..Hand::default() }
    }

    /// Adds a tool by its definition, as a server lists it.
    pub fn add(&mut self, server: &str, definition: &Value) {
        let Some(name) = definition.get("name").and_then(Value::as_str) else { return };
        self.add_named(server, name, &[]);
        self.own_words.extend(names::words(name));
        self.describe(definition);
        self.own.push(OwnTool::of(server, name, definition));
        let before = self.own_parameters.len();
        if let Some(schema) = definition.get("inputSchema") {
            self.schema(schema, "", DEEPEST);
            let mut own = BTreeSet::new();
            arguments_in(schema, DEEPEST, &mut own);
            own.into_iter().for_each(|argument| self.add_taker(argument, server, name));
        }
        match self.own_parameters.len() > before {
            true => drop(self.unsaid.remove(server)),
            false if !self.said.contains(server) => drop(self.unsaid.insert(server.to_owned())),
            false => {}
        }
        if self.own_parameters.len() > before {
            self.said.insert(server.to_owned());
        }
    }

    /// Adds a tool of which only the names of its arguments are known.
    pub fn add_named(&mut self, server: &str, name: &str, parameters: &[&str]) {
        self.servers.insert(server.to_lowercase());
        let full = format!("{server}.{name}");
        for word in names::words(&full) {
            self.by_word.entry(word).or_default().insert(full.clone());
        }
        // A dot in the name of a server would end it.
        let own = full.split_once('.').map_or(name, |(_, name)| name);
        self.topics.extend(crate::facts::about(&names::joined(own)));
        self.tools.insert(full);
        self.words.extend(names::words(name));
        for parameter in parameters {
            self.add_taker(names::words(parameter).join(" "), server, name);
            self.add_parameter(parameter);
        }
    }

    fn add_taker(&mut self, argument: String, server: &str, tool: &str) {
        self.takers.entry(argument).or_default().insert(format!("{server}.{tool}"));
    }

    fn add_parameter(&mut self, name: &str) {
        let words = names::words(name);
        self.arguments.insert(words.join(" "));
        self.parameters.extend(words);
    }

    /// Adds a server of the catalogue with all its tools.
    pub fn add_catalogued(&mut self, server: &str, entry: &ServerEntry) {
        for (tool, profile) in entry.tools() {
            let known: Vec<&str> = profile.known_arguments().collect();
            self.add_named(server, tool, &known);
            for (argument, values) in entry.values(tool) {
                self.add_parameter(argument);
                self.add_taker(names::words(argument).join(" "), server, tool);
                values.iter().for_each(|value| self.add_choice(value, argument));
            }
        }
    }

    fn describe(&mut self, described: &Value) {
        let text = described.get("description").and_then(Value::as_str).unwrap_or_default();
        self.described.extend(text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase));
    }

    /// `0 none, 1 urgent, 2 high`: what numbers are called.
    fn described_values(&mut self, property: &Value, parameter: &str) {
        let text = property.get("description").and_then(Value::as_str).unwrap_or_default();
        for part in text.split([',', ';', '(', ')', '.']) {
            let mut words = part.split_whitespace();
            let number = words.next().map(|number| number.trim_end_matches([':', '=']));
            let called: Vec<&str> = words.filter(|word| !matches!(*word, "=" | "is" | "-" | "for")).collect();
            if let (Some(number), [name]) =
                (number.and_then(|number| number.parse::<i64>().ok()), called.as_slice())
            {
                self.called.insert(name.to_lowercase(), (parameter.to_owned(), number.to_string()));
            }
        }
    }

    /// The argument and the value that a description calls so.
    pub(crate) fn called(&self, word: &str) -> Option<&(String, String)> {
        self.called.get(word)
    }

    fn add_choice(&mut self, value: &str, parameter: &str) {
        let words = names::words(value).join(" ");
        if !words.is_empty() {
            self.choices.entry(words).or_default().insert(parameter.to_owned());
        }
    }

    fn schema(&mut self, schema: &Value, parameter: &str, depth: usize) {
        if depth == 0 {
            return;
        }
        let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        for value in values.chain(schema.get("const")).filter_map(Value::as_str) {
            self.add_choice(value, parameter);
            self.own_values.insert(names::words(value).join(" "));
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.add_parameter(name);
            self.own_parameters.extend(names::words(name));
            self.describe(property);
            self.described_values(property, name);
            self.schema(property, name, depth - 1);
        }
        if let Some(items) = schema.get("items") {
            self.schema(items, parameter, depth - 1);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for one in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.schema(one, parameter, depth - 1);
            }
        }
    }

    /// The arguments of tools whose names have all of these words; of all tools where there are none.
    pub(crate) fn arguments_of(&self, nouns: &[String]) -> Arguments<'_> {
        let tools = (!nouns.is_empty()).then(|| self.tools_about(nouns).collect());
        Arguments { takers: &self.takers, tools }
    }

    /// The full names of the tools whose full names have all of these words.
    fn tools_about<'n, 'h: 'n>(&'h self, nouns: &'n [String]) -> Box<dyn Iterator<Item = &'h str> + 'n> {
        let Some((first, others)) = nouns.split_first() else {
            return Box::new(self.tools.iter().map(String::as_str));
        };
        let has = |tool: &str, noun: &String| self.by_word.get(noun).is_some_and(|own| own.contains(tool));
        let tools = self.by_word.get(first).into_iter().flatten().map(String::as_str);
        Box::new(tools.filter(move |tool| others.iter().all(|noun| has(tool, noun))))
    }

    /// Whether a tool's name has all of these words.
    pub(crate) fn has_tool_about(&self, nouns: &[String]) -> bool {
        self.tools_about(nouns).next().is_some()
    }

    /// The full names of the tools whose own names have all of these words.
    pub(crate) fn tools_named(&self, words: &[String]) -> Vec<String> {
        let has = |tool: &&str| {
            let own = names::words(own_name(tool));
            words.iter().all(|word| own.contains(word))
        };
        self.tools_about(words).filter(has).map(str::to_owned).collect()
    }

    /// Whether a tool is about this: an issue for `create_issue`.
    pub(crate) fn is_about(&self, noun: &str) -> bool {
        self.topics.contains(noun)
    }

    /// Whether the name of a tool begins with this word, and something follows: `mute` of `mute_host`.
    pub(crate) fn is_first_word(&self, word: &str) -> bool {
        self.by_word.get(word).into_iter().flatten().any(|tool| {
            let words = names::words(own_name(tool));
            words.len() > 1 && words.first().is_some_and(|first| first == word)
        })
    }

    /// Whether command lines can be run.
    pub(crate) fn runs_commands(&self) -> bool {
        ["command", "cmd"].iter().any(|word| self.parameters.contains(*word))
    }

    /// Whether calls may have arguments that nobody knows of, or no tool is known at all.
    fn is_open(&self) -> bool {
        self.tools.is_empty() || !self.unsaid.is_empty()
    }

    /// That no tool has an argument of this name, if none has.
    pub(crate) fn missing(&self, name: &str) -> Option<Trouble> {
        let is_there = names::words(name).iter().all(|word| self.has_parameter(word));
        let is_missing = !is_there && !self.is_open();
        is_missing
            .then(|| Trouble::NoArgument { name: name.to_owned(), nearest: self.nearest_parameter(name) })
    }

    /// An argument's name that is like this one.
    fn nearest_parameter(&self, name: &str) -> Option<String> {
        let near = |own: &&String| {
            strsim::damerau_levenshtein(own, name) <= 2
                || own.split(' ').any(|word| name.contains(word) && word.len() > 3)
        };
        self.arguments.iter().find(near).cloned()
    }

    /// Whether calls show channels by their names, or nobody knows how they do.
    pub(crate) fn knows_channel_names(&self) -> bool {
        !self.arguments.contains("channel id")
            || ["channel", "channel name"].iter().any(|name| self.arguments.contains(*name))
    }

    /// The full name of a tool that a word names, with or without its server.
    pub(crate) fn tool(&self, word: &str) -> Option<String> {
        if !word.contains(['_', '-', '.']) {
            return None;
        }
        let fits = |tool: &&String| {
            tool.eq_ignore_ascii_case(word)
                || tool.split_once('.').is_some_and(|(_, name)| name.eq_ignore_ascii_case(word))
        };
        self.tools.iter().find(fits).cloned()
    }

    /// Whether any name at hand has this word.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let stem = names::stem(word);
        self.words.contains(&stem) || self.parameters.contains(&stem) || self.choices.contains_key(&stem)
    }

    pub(crate) fn has_tool_word(&self, word: &str) -> bool {
        self.words.contains(&names::stem(word))
    }

    /// Whether a word is a program that command lines can run, and commands can be run.
    pub(crate) fn has_program(&self, word: &str) -> bool {
        let runs = ["command", "process", "shell", "terminal", "bash", "exec"]
            .iter()
            .any(|own| self.words.contains(*own) || self.parameters.contains(*own));
        runs && word.len() > 1 && portcullis_perceive::shell::knows_program(word)
    }

    /// Whether files can be read or written: here or in a repository.
    pub(crate) fn has_files(&self) -> bool {
        self.runs_commands() || ["path", "file"].iter().any(|word| self.parameters.contains(*word))
    }

    /// Whether files of this machine can be read or written.
    pub(crate) fn has_local_files(&self) -> bool {
        let does = |verb: &str| self.has_tool_about(&[verb.to_owned(), "file".to_owned()]);
        self.runs_commands() || self.words.contains("directory") || does("read") || does("write")
    }

    /// Whether tools that list themselves take paths, which may be those of a place of their own.
    pub(crate) fn has_own_paths(&self) -> bool {
        ["path", "filepath", "file", "folder", "directory"]
            .iter()
            .any(|word| self.own_parameters.contains(*word))
    }

    /// The full names of the tools that have an argument.
    pub(crate) fn tools_with(&self, argument: &str) -> Vec<String> {
        self.takers.get(argument).into_iter().flatten().cloned().collect()
    }

    /// Whether pages of the web can be fetched.
    pub(crate) fn has_web(&self) -> bool {
        ["url", "website", "site"].iter().any(|word| self.parameters.contains(*word))
    }

    pub(crate) fn has_parameter(&self, word: &str) -> bool {
        self.parameters.contains(&names::stem(word))
    }

    /// Whether an argument's name has this very word.
    pub(crate) fn has_argument_word(&self, word: &str) -> bool {
        self.parameters.contains(word)
    }

    /// The word of an argument's name, where a tool that lists itself has it.
    pub(crate) fn own_parameter(&self, word: &str) -> Option<String> {
        let stem = names::stem(word);
        self.own_parameters.contains(&stem).then_some(stem)
    }

    /// The argument that says what holds things: a bucket, a project, a team.
    pub(crate) fn holder(&self) -> Option<&'static str> {
        let mut own = HOLDERS.iter().filter(|word| self.own_parameters.contains(**word));
        own.next().copied().filter(|_| own.next().is_none())
    }

    /// Whether the name of a tool that lists itself has this word.
    pub(crate) fn has_own_word(&self, word: &str) -> bool {
        self.own_words.contains(&names::stem(word))
    }

    /// Whether an argument says that such things are included: `include_images`.
    pub(crate) fn includes(&self, word: &str) -> bool {
        !word.is_empty() && self.arguments.contains(&format!("include {word}"))
    }

    /// The tools that list themselves.
    pub(crate) fn own_tools(&self) -> &[OwnTool] {
        &self.own
    }

    /// Whether all tools list themselves.
    pub(crate) fn is_own(&self) -> bool {
        !self.own_words.is_empty() && self.words == self.own_words
    }

    /// Whether a word names what holds things.
    pub(crate) fn is_holder(&self, word: &str) -> bool {
        HOLDERS.contains(&word)
    }

    /// Values of arguments that begin with this word, of tools that list themselves: `public-read` for `public`.
    pub(crate) fn own_choices(&self, word: &str) -> Vec<String> {
        let begins = |choice: &&String| choice.split(' ').next() == Some(word);
        self.own_values.iter().filter(begins).cloned().collect()
    }

    /// The one server whose name begins with this word: `brave-search` for Brave.
    pub(crate) fn server_like(&self, word: &str) -> Option<String> {
        let mut fits = self.servers.iter().filter(|server| server.split(['-', '_']).next() == Some(word));
        fits.next().filter(|_| fits.next().is_none()).cloned()
    }

    /// Whether a value of an argument begins so: `resolved` for "resolve".
    pub(crate) fn has_value_like(&self, word: &str) -> bool {
        word.len() > 3
            && self
                .choices
                .range(word.to_owned()..)
                .map(|(choice, _)| choice)
                .take_while(|choice| choice.starts_with(word))
                .any(|choice| choice.strip_prefix(word).is_some_and(|rest| matches!(rest, "d" | "ed" | "")))
    }

    pub(crate) fn has_server(&self, word: &str) -> bool {
        self.servers.contains(word)
    }

    /// The names of the arguments that take this value, if any does.
    pub(crate) fn choice(&self, words: &str) -> Option<&BTreeSet<String>> {
        self.choices.get(&names::words(words).join(" "))
    }

    /// A value of an argument that begins with this word: `replace` for `replace_content`.
    pub(crate) fn choices_with(&self, word: &str) -> Vec<String> {
        let stem = names::stem(word);
        let fits = |choice: &&String| choice.split(' ').next() == Some(stem.as_str());
        let near = self.choices.range(stem.clone()..).map(|(choice, _)| choice);
        near.take_while(|choice| choice.starts_with(&stem)).filter(fits).cloned().collect()
    }

    /// A word of an argument's name that begins like this one: `recurrence` for `recurring`.
    pub(crate) fn parameter_like(&self, word: &str) -> Option<String> {
        if self.parameters.contains(word) {
            return Some(word.to_owned());
        }
        let beginning = word.get(..5).filter(|_| word.len() >= 6)?;
        self.parameters.range(beginning.to_owned()..).next().filter(|own| own.starts_with(beginning)).cloned()
    }

    /// Whether a description has this word: of what a tool or an argument does.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        word.len() > 3 && self.described.contains(word)
    }

    /// Whether meetings can be made and nothing else is at hand.
    pub(crate) fn is_calendar_only(&self) -> bool {
        self.servers.len() == 1 && self.has_calendar()
    }

    /// Whether meetings can be made.
    pub(crate) fn has_calendar(&self) -> bool {
        ["event", "meeting", "appointment", "calendar"].iter().any(|word| self.words.contains(*word))
    }
}

/// The arguments of tools, as words.
pub(crate) struct Arguments<'h> {
    takers: &'h BTreeMap<String, BTreeSet<String>>,
    /// Only those of these tools.
    tools: Option<BTreeSet<&'h str>>,
}

impl Arguments<'_> {
    pub(crate) fn contains(&self, name: &(impl AsRef<str> + ?Sized)) -> bool {
        self.takers.get(name.as_ref()).is_some_and(|tools| self.are_meant(tools))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.takers.iter().filter(|(_, tools)| self.are_meant(tools)).map(|(name, _)| name.as_str())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    fn are_meant(&self, tools: &BTreeSet<String>) -> bool {
        self.tools.as_ref().is_none_or(|own| tools.iter().any(|tool| own.contains(tool.as_str())))
    }
}

/// The name of a tool without its server.
fn own_name(tool: &str) -> &str {
    tool.split_once('.').map_or(tool, |(_, name)| name)
}

/// The names of all arguments that a schema has, as words, at whatever depth.
fn arguments_in(schema: &Value, depth: usize, found: &mut BTreeSet<String>) {
    if depth == 0 {
        return;
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        found.insert(names::words(name).join(" "));
        arguments_in(property, depth - 1, found);
    }
    let several = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
    for inner in several.flatten().chain(schema.get("items")) {
        arguments_in(inner, depth - 1, found);
    }
}
