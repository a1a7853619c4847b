//! The development traces, all of them, through the monitor. Figures may rise; they do not fall.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the traces; the crate itself does not")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use portcullis_consentbench::{Definitions, Kind, Replayed, Report, Trace, Workbench, json, traces};
use portcullis_lattice::{Class, Decision, Effects};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench")
}

fn definitions() -> Definitions {
    Definitions::parse(&fs::read_to_string(folder().join("definitions.json")).unwrap()).unwrap()
}

fn all_traces() -> Vec<Trace> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let (read, errors) = traces(&fs::read_to_string(&path).unwrap());
        assert_eq!(errors, [], "{}", path.display());
        all.extend(read);
    }
    all
}

fn replayed(traces: Vec<Trace>) -> Vec<(Trace, Replayed)> {
    let bench = Workbench::new(&|| Duration::ZERO).unwrap();
    let definitions = definitions();
    let replay = |trace: Trace| match bench.replay(&trace, &definitions) {
        Ok(replayed) => (trace, replayed),
        Err(error) => panic!("{}: {}", trace.id, error.in_trace(&trace)),
    };
    traces.into_iter().map(replay).collect()
}

static RUNS: LazyLock<Vec<(Trace, Replayed)>> = LazyLock::new(|| replayed(all_traces()));

/// The numbers of a file of floors, each with the place of its figure in the report.
fn bounds(table: &toml::Value, at: &str, found: &mut Vec<(String, f64)>) {
    match table {
        toml::Value::Table(entries) => {
            entries.iter().for_each(|(key, value)| bounds(value, &format!("{at}/{key}"), found));
        }
        toml::Value::Float(bound) => found.push((at.to_owned(), *bound)),
        toml::Value::Integer(bound) => found.push((at.to_owned(), *bound as f64)),
        toml::Value::String(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Array(_) => panic!("{at}: {table} is no number"),
    }
}

fn bounds_of(file: &toml::Value, part: &str) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    bounds(&file[part], "", &mut found);
    assert!(!found.is_empty(), "no {part}");
    found
}

#[test]
fn no_figure_is_below_its_floor_or_above_its_ceiling() {
    let file: toml::Value =
        fs::read_to_string(folder().join("floor.toml")).unwrap().parse::<toml::Table>().unwrap().into();
    let report = serde_json::to_value(json::report(&Report::of(&RUNS, 0))).unwrap();
    let figure = |place: &str| {
        let figure = report.pointer(place).and_then(Value::as_f64);
        figure.unwrap_or_else(|| panic!("floor.toml speaks of {place}, which was not measured"))
    };
    let (floors, ceilings) = (bounds_of(&file, "floor"), bounds_of(&file, "ceiling"));
    let mut wrong = Vec::new();
    for (place, floor) in &floors {
        if figure(place) < *floor {
            wrong.push(format!("{place} is {}, below {floor}", figure(place)));
        }
    }
    for (place, ceiling) in &ceilings {
        if figure(place) > *ceiling {
            wrong.push(format!("{place} is {}, above {ceiling}", figure(place)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let is_bound = |place: &String| floors.iter().chain(&ceilings).any(|(bound, _)| bound == place);
    let numbers = report.as_object().unwrap().iter().filter(|(_, value)| value.is_number());
    let free: Vec<String> =
        numbers.map(|(key, _)| format!("/{key}")).filter(|place| !is_bound(place)).collect();
    assert!(free.is_empty(), "floor.toml says nothing of {free:?}");
}

/// Everything about a step that its author noted for the oracle.
fn scrambled(mut trace: Trace) -> Trace {
    trace.kind = if trace.kind == Kind::Benign { Kind::Invariant } else { Kind::Benign };
    trace.category.push('?');
    trace.dimension.push('?');
    trace.escalates_at = None;
    // What should be asked about is answered with the facts of the call, and so they stay there.
    for step in trace.steps.iter_mut().filter(|step| step.expected != Decision::Ask) {
        let elsewhere = |class| if class == Class::External { Class::Targets } else { Class::External };
        step.input.class = elsewhere(step.input.class);
        step.output.class = elsewhere(step.output.class);
        step.input.resources = vec!["/nowhere".to_owned()];
        step.output.resources = vec!["https://nowhere.example".to_owned()];
        step.effects = Effects::ALL;
        step.tainted = !step.tainted;
        step.violates = if step.violates.is_some() { None } else { Some("nothing at all".to_owned()) };
        step.must_ask = !step.must_ask;
        step.answer.input = Some(Class::External);
        step.answer.effects = Some(Effects::ALL);
        step.answer.tainted = Some(true);
    }
    trace
}

#[test]
fn the_monitor_never_sees_the_facts() {
    let again = replayed(all_traces().into_iter().map(scrambled).collect());
    let mut compared = 0;
    for ((trace, before), (_, after)) in RUNS.iter().zip(&again) {
        for (at, (one, other)) in before.steps.iter().zip(&after.steps).enumerate() {
            let told = format!("{}, step {}", trace.id, at + 1);
            assert_eq!(one.decision, other.decision, "{told}");
            assert_eq!((&one.reasons, &one.acts), (&other.reasons, &other.acts), "{told}");
            assert_eq!(one.is_overgranted, other.is_overgranted, "{told}");
            compared += 1;
        }
    }
    assert!(compared > 2_000, "only {compared} steps were compared");
}

#[test]
fn every_definition_at_hand_is_needed_and_describes_itself() {
    let text = fs::read_to_string(folder().join("definitions.json")).unwrap();
    let servers: Value = serde_json::from_str(&text).unwrap();
    let traces = all_traces();
    for (server, answer) in servers.as_object().unwrap() {
        for tool in answer["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let mut steps = traces.iter().flat_map(|trace| &trace.steps);
            assert!(
                steps.any(|step| step.server == *server && step.tool == name),
                "{server}.{name} is never called"
            );
            assert!(tool["description"].as_str().is_some_and(|words| !words.is_empty()), "{server}.{name}");
        }
    }
}
