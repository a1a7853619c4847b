//! Calls that may be examples: the shapes of tools, filled with what a rule is about.

use serde_json::{Value, json};

use crate::names;
use crate::toolbox::{Tool, Toolbox};
use crate::trial::TrialCall;

use super::matter::Matter;
use super::shape::{Class, HALF_HOUR, Leaf, Shape, folder, moment, put, shapes};

/// So many values are put into one place.
const MOST_VALUES: usize = 12;
/// So many where two places are filled at once.
const MOST_OF_PAIR: usize = 3;
/// So many calls are made of one shape.
const MOST_OF_SHAPE: usize = 90;

/// A call that may be an example.
pub(super) struct Candidate {
    pub(super) call: TrialCall,
    /// How far it is from a plain call of its tool: how much was changed, and how late it was thought of.
    pub(super) strangeness: (usize, usize),
}

pub(super) fn candidates(tools: &Toolbox, matter: &Matter) -> Vec<Candidate> {
    let mut all = Vec::new();
    for tool in tools.tools() {
        let mut own: Vec<(Value, usize)> = Vec::new();
        for (late, shape) in shapes(&tool, tools, matter).iter().enumerate() {
            for (arguments, changes) in filled(shape, matter).into_iter().take(MOST_OF_SHAPE) {
                if own.iter().all(|(known, _)| *known != arguments) {
                    own.push((arguments, changes + late));
                }
            }
        }
        all.extend(own.into_iter().enumerate().map(|(number, (arguments, changes))| Candidate {
            call: call(&tool, arguments),
            strangeness: (changes, number),
        }));
    }
    all
}

fn call(tool: &Tool<'_>, arguments: Value) -> TrialCall {
    let arguments = crate::ordered::ordered(&arguments);
    TrialCall { server: tool.server.to_owned(), tool: tool.name.to_owned(), arguments }
}

/// A shape with other values in one place, in two, or with one argument more; and how many that are.
fn filled(shape: &Shape, matter: &Matter) -> Vec<(Value, usize)> {
    let mut filled = vec![(shape.arguments.clone(), 0)];
    let values: Vec<(&Leaf, Vec<Value>)> =
        shape.leaves.iter().map(|leaf| (leaf, values(leaf, shape, matter))).collect();
    let with = |changes: &[(&Leaf, &Value)]| {
        let mut arguments = shape.arguments.clone();
        for (leaf, value) in changes {
            put(&mut arguments, &leaf.at, (*value).clone());
            if leaf.class == (Class::Time { ends: false }) {
                end_with(shape, leaf, value, &mut arguments);
            }
        }
        arguments
    };
    for (leaf, own) in &values {
        filled.extend(own.iter().take(MOST_VALUES).map(|value| (with(&[(leaf, value)]), 1)));
    }
    filled.extend(besides(shape, matter).into_iter().map(|arguments| (arguments, 1)));
    for (number, (one, first)) in values.iter().enumerate() {
        for (other, second) in values.iter().skip(number + 1) {
            // What lies in another is changed with it.
            if other.at.starts_with(&one.at) {
                continue;
            }
            for value in first.iter().take(MOST_OF_PAIR) {
                let pairs = second.iter().take(MOST_OF_PAIR);
                filled.extend(pairs.map(|more| (with(&[(one, value), (other, more)]), 2)));
            }
        }
    }
    filled
}

/// What begins at another time ends at another time.
fn end_with(shape: &Shape, begins: &Leaf, value: &Value, arguments: &mut Value) {
    let Some(at) = value.as_str().and_then(|text| text.parse().ok()) else { return };
    let beside = |leaf: &&Leaf| {
        let folder = |at: &str| at.rsplit_once('/').map(|(front, _)| front.to_owned());
        leaf.class == (Class::Time { ends: true }) && folder(&leaf.at) == folder(&begins.at)
    };
    for leaf in shape.leaves.iter().filter(beside) {
        put(arguments, &leaf.at, json!(moment(at, HALF_HOUR)));
    }
}

/// Values for a place.
fn values(leaf: &Leaf, shape: &Shape, matter: &Matter) -> Vec<Value> {
    let texts = |values: &[String]| values.iter().map(|value| json!(value)).collect();
    match &leaf.class {
        Class::Path => {
            matter.paths.iter().map(|path| json!(matter.placed(path, shape.is_remote()))).collect()
        }
        Class::Folder => {
            let placed = matter.paths.iter().map(|path| matter.placed(path, shape.is_remote()));
            placed.map(|path| json!(folder(&path))).collect()
        }
        Class::Address => texts(&matter.addresses),
        Class::Page => texts(&matter.pages),
        Class::Statement => texts(&matter.statements),
        Class::Command => texts(&matter.commands),
        Class::Branch => texts(&matter.branches),
        Class::Text => texts(&matter.texts),
        Class::Time { ends: false } => matter.starts.iter().map(|at| json!(moment(*at, 0))).collect(),
        Class::Time { ends: true } => {
            let last = matter.starts.last();
            let lasting = matter.minutes.iter();
            last.map(|at| lasting.map(|minutes| json!(moment(*at, *minutes))).collect()).unwrap_or_default()
        }
        Class::Id => matter.ids.iter().chain(&matter.choices).map(|value| json!(value)).collect(),
        Class::Number => matter.numbers.iter().map(|number| json!(number)).collect(),
        Class::Flag => vec![json!(true), json!(false)],
        Class::Choice(values) => values.iter().take(8).map(|value| json!(value)).collect(),
        Class::List(items) => {
            let Some(Value::Array(own)) = shape.arguments.pointer(&leaf.at) else { return Vec::new() };
            let Some(first) = own.first() else { return Vec::new() };
            let lengths = matter.lengths.iter();
            lengths
                .map(|length| (0..*length).map(|at| numbered(first, items.as_deref(), at)).collect())
                .collect()
        }
    }
}

/// One of several items, each another.
fn numbered(item: &Value, class: Option<&Class>, at: usize) -> Value {
    let Some(text) = item.as_str() else { return item.clone() };
    match class {
        Some(Class::Address) => {
            let host = text.rsplit_once('@').map_or(text, |(_, host)| host);
            json!(format!("person{}@{host}", at + 1))
        }
        Some(Class::Path) => match text.rsplit_once('/') {
            Some((front, last)) => json!(format!("{front}/{}-{last}", at + 1)),
            None => json!(format!("{}-{text}", at + 1)),
        },
        _ => json!(format!("{text}{}", at + 1)),
    }
}

/// The shape with one argument more, where the rule speaks of it.
fn besides(shape: &Shape, matter: &Matter) -> Vec<Value> {
    let is_meant = |name: &str, value: &Value| {
        let words = names::words(name);
        let value = value.as_str().map(names::words);
        let has = |wanted: &String| names::has_words(&words, &names::words(wanted));
        matter.given.iter().any(has)
            || value.is_some_and(|value| matter.choices.iter().any(|choice| names::words(choice) == value))
            || matter.choices.iter().any(has)
    };
    let meant = shape.optional.iter().filter(|(name, value)| is_meant(name, value));
    meant
        .filter_map(|(name, value)| {
            let mut arguments = shape.arguments.clone();
            arguments.as_object_mut()?.insert(name.clone(), value.clone());
            Some(arguments)
        })
        .collect()
}
