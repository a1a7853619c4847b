//! Shapes of calls: arguments with places where values can be put.

use jiff::ToSpan;
use serde_json::{Map, Value, json};

use crate::names;
use crate::toolbox::{Tool, Toolbox};

use super::matter::Matter;

/// How long events last where a rule does not say.
pub(super) const HALF_HOUR: i64 = 30;
/// How deep arguments are looked into.
const DEEPEST: usize = 5;

/// Arguments of a tool, with the places of their values.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) arguments: Value,
    pub(super) leaves: Vec<Leaf>,
    /// Arguments that could be given besides.
    pub(super) optional: Vec<(String, Value)>,
}

/// A value in arguments.
#[derive(Clone)]
pub(super) struct Leaf {
    /// Where it stands, as JSON points at it.
    pub(super) at: String,
    pub(super) class: Class,
}

/// What a value is for.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Class {
    Path,
    /// A path of a folder.
    Folder,
    Address,
    Page,
    Statement,
    Command,
    Branch,
    Text,
    Time {
        ends: bool,
    },
    Id,
    Number,
    Flag,
    Choice(Vec<String>),
    /// A list, by the class of its items where these are texts.
    List(Option<Box<Class>>),
}

/// The shapes of calls of a tool: as the catalogue's examples have them, or as its definition says.
pub(super) fn shapes(tool: &Tool<'_>, tools: &Toolbox, matter: &Matter) -> Vec<Shape> {
    let entry = tools.catalogue().server(tool.server).filter(|_| tool.definition.is_none());
    let values = |name: &str| -> Option<Vec<String>> {
        let mut all = entry.into_iter().flat_map(|entry| entry.values(tool.name));
        all.find(|(argument, _)| *argument == name).map(|(_, values)| values.to_vec())
    };
    let (templates, mut optional) = match (tool.definition, entry) {
        (Some(definition), _) => defined(definition),
        (None, Some(entry)) => {
            let read = |text: &str| {
                serde_json::from_str::<Value>(text)
                    .ok()
                    .filter(Value::is_object)
                    .map(|value| crate::ordered::ordered(&value))
            };
            (entry.example_arguments(tool.name).filter_map(read).collect(), Vec::new())
        }
        (None, None) => (Vec::new(), Vec::new()),
    };
    if let Some(entry) = entry {
        for (argument, values) in entry.values(tool.name).filter(|(name, _)| tool.profile.knows(name)) {
            optional.extend(values.iter().map(|value| (argument.to_owned(), json!(value))));
        }
        let known = tool.profile.known_arguments().filter(|name| values(name).is_none());
        optional.extend(known.map(|name| (name.to_owned(), json!(true))));
    }
    let schema = tool.definition.and_then(|definition| definition.get("inputSchema"));
    templates
        .into_iter()
        .map(|arguments| {
            let mut leaves = Vec::new();
            let choices =
                |name: &str| values(name).or_else(|| schema.and_then(|schema| listed(schema, name)));
            walk(&arguments, "", "", DEEPEST, &choices, &mut leaves);
            let mut shape = Shape { arguments, leaves, optional: optional.clone() };
            shape.settle(matter);
            shape
        })
        .collect()
}

impl Shape {
    /// Puts values of the session where the template has those of another one.
    fn settle(&mut self, matter: &Matter) {
        for leaf in &self.leaves {
            let plain = match &leaf.class {
                Class::Path => Some(matter.placed(&matter.plain_path(), self.is_remote())),
                Class::Folder => Some(folder(&matter.placed(&matter.plain_path(), self.is_remote()))),
                Class::Address => Some(matter.plain_address.clone()),
                Class::Page => matter.pages.last().cloned(),
                Class::Statement => matter.statements.last().cloned(),
                Class::Command => matter.commands.last().cloned(),
                Class::Branch => matter.branches.last().cloned(),
                Class::Text => matter.texts.last().cloned(),
                Class::Time { ends } => {
                    matter.starts.last().map(|at| moment(*at, if *ends { HALF_HOUR } else { 0 }))
                }
                Class::Id | Class::Number | Class::Flag | Class::Choice(_) | Class::List(_) => None,
            };
            if let Some(plain) = plain {
                put(&mut self.arguments, &leaf.at, json!(plain));
            }
        }
    }
}

impl Shape {
    /// Whether its paths lie in a repository elsewhere, and not on this machine.
    pub(super) fn is_remote(&self) -> bool {
        ["repo", "repository", "project_id"].iter().any(|name| self.arguments.get(name).is_some())
    }
}

/// The folder that a path of a file lies in; what has no ending is a folder itself.
pub(super) fn folder(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((front, last)) if last.contains('.') && !front.is_empty() => front.to_owned(),
        _ => path.to_owned(),
    }
}

/// A moment so many minutes after another, as calendars write it.
pub(super) fn moment(at: jiff::civil::DateTime, minutes: i64) -> String {
    let at = at.checked_add(minutes.minutes()).unwrap_or(at);
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

pub(super) fn put(arguments: &mut Value, at: &str, value: Value) {
    if let Some(place) = arguments.pointer_mut(at) {
        *place = value;
    }
}

fn walk(
    value: &Value,
    at: &str,
    name: &str,
    depth: usize,
    choices: &dyn Fn(&str) -> Option<Vec<String>>,
    leaves: &mut Vec<Leaf>,
) {
    if depth == 0 {
        return;
    }
    let mut add = |class| leaves.push(Leaf { at: at.to_owned(), class });
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let key_at = key.replace('~', "~0").replace('/', "~1");
                walk(value, &format!("{at}/{key_at}"), key, depth - 1, choices, leaves);
            }
        }
        Value::Array(items) => {
            let class = items.first().and_then(Value::as_str).map(|text| Box::new(class(name, text)));
            add(Class::List(class));
            for (number, item) in items.iter().enumerate().take(2) {
                walk(item, &format!("{at}/{number}"), name, depth - 1, choices, leaves);
            }
        }
        Value::String(text) => add(choices(name).map_or_else(|| class(name, text), Class::Choice)),
        Value::Number(_) => add(Class::Number),
        Value::Bool(_) => add(Class::Flag),
        Value::Null => {}
    }
}

/// What a text is for, by the name of its argument and by what it looks like.
fn class(name: &str, text: &str) -> Class {
    let words = names::words(name);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let is_statement = || {
        ["select ", "insert ", "update ", "commit;"]
            .iter()
            .any(|start| text.to_lowercase().starts_with(start))
    };
    let is_address = || text.contains('@') && !text.contains([':', '/']);
    let is_path = || text.starts_with(['/', '~']) || text.starts_with("./");
    let is_id = words.last().is_some_and(|word| word == "id") && words.len() > 1;
    match () {
        () if is_id || has(&["shell"]) => Class::Id,
        () if has(&["sql", "statement"]) || is_statement() => Class::Statement,
        () if has(&["command", "cmd"]) => Class::Command,
        () if text.starts_with("http") || has(&["url", "uri", "link"]) => Class::Page,
        () if has(&["to", "cc", "bcc", "recipient", "email", "mail", "attendee", "forward"])
            || is_address() =>
        {
            Class::Address
        }
        () if has(&["branch", "ref", "base", "head"]) => Class::Branch,
        () if has(&["folder", "directory", "dir"]) || (has(&["repo"]) && has(&["path"])) => Class::Folder,
        () if has(&["path", "file", "filename", "destination", "source"]) || is_path() => Class::Path,
        () if has(&["start", "end", "begin"]) => Class::Time { ends: has(&["end"]) },
        () if has(&["text", "body", "content", "message", "subject", "summary", "description", "title"])
            || has(&["comment", "note", "query", "prompt", "input", "string", "element"]) =>
        {
            Class::Text
        }
        () => Class::Id,
    }
}

/// The values that a schema lists for an argument, at whatever depth.
fn listed(schema: &Value, name: &str) -> Option<Vec<String>> {
    let mut waiting = vec![(schema, 0usize)];
    while let Some((schema, depth)) = waiting.pop() {
        let properties = schema.get("properties").and_then(Value::as_object);
        if let Some(found) = properties.and_then(|properties| properties.get(name)) {
            let values = found.get("enum").and_then(Value::as_array)?;
            return Some(values.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        }
        if depth < DEEPEST {
            let below = properties.into_iter().flat_map(|properties| properties.values());
            waiting.extend(below.chain(schema.get("items")).map(|below| (below, depth + 1)));
        }
    }
    None
}

/// Arguments as a definition lists them: those that a call needs, with those that it may have besides.
fn defined(definition: &Value) -> (Vec<Value>, Vec<(String, Value)>) {
    let Some(schema) = definition.get("inputSchema") else {
        return (vec![Value::Object(Map::new())], Vec::new());
    };
    let needed = filled(schema, DEEPEST);
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut optional = Vec::new();
    let mut all = needed.clone();
    for (name, property) in properties.into_iter().flatten() {
        if needed.get(name).is_some() {
            continue;
        }
        let value = filled(property, DEEPEST - 1);
        match property.get("enum").and_then(Value::as_array) {
            Some(values) => optional.extend(values.iter().map(|value| (name.clone(), value.clone()))),
            None => optional.push((name.clone(), value.clone())),
        }
        if let Some(all) = all.as_object_mut() {
            all.insert(name.clone(), value);
        }
    }
    let shapes = if all == needed { vec![needed] } else { vec![needed, all] };
    (shapes, optional)
}

/// A plausible value of a schema.
fn filled(schema: &Value, depth: usize) -> Value {
    if let Some(first) = schema.get("enum").and_then(Value::as_array).and_then(|values| values.first()) {
        return first.clone();
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        Some(kind) => kind.as_str(),
        None => schema.get("properties").map(|_| "object"),
    };
    match kind {
        Some("object") if depth > 0 => {
            let needed = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let properties = schema.get("properties").and_then(Value::as_object);
            let entries = needed.filter_map(Value::as_str).filter_map(|name| {
                let property = properties?.get(name)?;
                Some((name.to_owned(), filled(property, depth - 1)))
            });
            Value::Object(entries.collect())
        }
        Some("array") if depth > 0 => {
            Value::Array(schema.get("items").map(|items| filled(items, depth - 1)).into_iter().collect())
        }
        Some("boolean") => json!(false),
        Some("integer" | "number") => json!(1),
        Some("object") => json!({}),
        Some("array") => json!([]),
        _ => json!("a"),
    }
}
