//! Which of many examples say most.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Example, Examples, MOST_SHOWN, Sample};

/// Calls of one tool that are more alike than this say the same, on a scale to 1.
const ALIKE: f64 = 0.75;

pub(super) fn choose(mut samples: Vec<Sample>) -> Examples {
    samples.sort_by_key(|sample| sample.rank);
    let (mut fires, quiet): (Vec<Sample>, Vec<Sample>) = samples.into_iter().partition(|sample| sample.fires);
    if fires.iter().any(|sample| !sample.is_doubtful) {
        fires.retain(|sample| !sample.is_doubtful);
    }
    let fires = varied(fires);
    let quiet = near(&fires, quiet);
    Examples { fires, quiet }
}

/// The best of different servers, then of different tools, then those that are little alike.
fn varied(samples: Vec<Sample>) -> Vec<Example> {
    let mut chosen: Vec<Example> = Vec::new();
    let is_new: [fn(&Example, &Example) -> bool; 3] = [
        |one, other| one.call.server != other.call.server,
        |one, other| one.call.tool != other.call.tool,
        |one, other| likeness(one, other) < ALIKE,
    ];
    for differs in is_new {
        for sample in &samples {
            if chosen.len() < MOST_SHOWN && chosen.iter().all(|own| differs(own, &sample.example)) {
                chosen.push(sample.example.clone());
            }
        }
    }
    chosen
}

fn likeness(one: &Example, other: &Example) -> f64 {
    let text = |example: &Example| example.call.arguments.to_string();
    strsim::normalized_levenshtein(&text(one), &text(other))
}

/// Those that are most like the ones that fire.
fn near(fires: &[Example], quiet: Vec<Sample>) -> Vec<Example> {
    let mut chosen: Vec<Example> = Vec::new();
    for example in fires {
        let new = quiet.iter().filter(|sample| !chosen.contains(&sample.example));
        let nearest = new.min_by_key(|sample| (sample.is_doubtful, distance(example, &sample.example)));
        chosen.extend(nearest.map(|sample| sample.example.clone()));
    }
    chosen.truncate(MOST_SHOWN);
    chosen
}

/// How much one differs from another: in the tool, in how many arguments, in what came before, in how many letters.
fn distance(one: &Example, other: &Example) -> (bool, bool, usize, usize, usize) {
    let (left, right) = (leaves(&one.call.arguments), leaves(&other.call.arguments));
    let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
    let differing = keys.filter(|key| left.get(*key) != right.get(*key)).count();
    let besides = usize::from(one.now != other.now) + usize::from(one.before != other.before);
    let letters = strsim::levenshtein(&one.call.arguments.to_string(), &other.call.arguments.to_string());
    (
        one.call.server != other.call.server,
        one.call.tool != other.call.tool,
        differing + besides,
        one.before.len().abs_diff(other.before.len()),
        letters,
    )
}

/// The values of arguments by their places.
fn leaves(arguments: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![(String::new(), arguments)];
    while let Some((path, value)) = waiting.pop() {
        match value {
            Value::Object(entries) => {
                waiting.extend(entries.iter().map(|(key, value)| (format!("{path}/{key}"), value)));
            }
            Value::Array(items) => {
                waiting.extend(items.iter().enumerate().map(|(at, value)| (format!("{path}/{at}"), value)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                found.insert(path, value.to_string());
            }
        }
    }
    found
}
