//! What the analyser finds in the shell commands of the benchmark, against the facts that its authors wrote down.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "the test reads the traces and tells what it found"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use portcullis_lattice::{Reach, Realm, Realms, Resource, Topology};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::shell::{Setting, analyse};
use portcullis_perceive::{Use, riskiest};
use serde_json::Value;

/// Of the steps with a command, at least this share is found with all three facts as written.
const FLOOR: f64 = 0.99;

#[derive(Default)]
struct Count {
    all: usize,
    inputs: usize,
    outputs: usize,
    effects: usize,
    together: usize,
    /// Steps whose source is as sensitive as their authors say.
    sensitive: usize,
}

/// What says which sources are sensitive; places are made once for all sessions that mark the same.
struct Judge {
    formats: Formats,
    places: BTreeMap<Vec<String>, Places>,
}

impl Judge {
    fn places(&mut self, marked: Vec<String>) -> &Places {
        self.places
            .entry(marked)
            .or_insert_with_key(|marked| Places::built_in().unwrap().with_marked(marked).unwrap())
    }
}

#[test]
fn the_riskiest_deed_is_what_the_authors_wrote_down() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut count = Count::default();
    let mut judge = Judge { formats: Formats::built_in().unwrap(), places: BTreeMap::new() };
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let trace: Value = serde_json::from_str(line).unwrap();
            for step in trace["steps"].as_array().unwrap() {
                if let Some(command) = step["args"]["command"].as_str() {
                    compare(&trace["session"], command, step, &mut judge, &mut count);
                }
            }
        }
    }
    let share = |part: usize| part as f64 / count.all as f64;
    println!(
        "{} commands: inputs {:.2} %, outputs {:.2} %, effects {:.2} %, all three {:.2} %, sensitive {:.2} %",
        count.all,
        100.0 * share(count.inputs),
        100.0 * share(count.outputs),
        100.0 * share(count.effects),
        100.0 * share(count.together),
        100.0 * share(count.sensitive)
    );
    assert!(count.all > 100, "the benchmark has shell commands");
    assert_eq!(count.sensitive, count.all, "steps that are as sensitive as written");
    assert!(share(count.together) >= FLOOR, "{:.4} is under {FLOOR}", share(count.together));
}

fn compare(session: &Value, command: &str, step: &Value, judge: &mut Judge, count: &mut Count) {
    let text = |name: &str| session[name].as_str().unwrap().to_owned();
    let setting = Setting { workdir: text("workdir"), home: text("home") };
    let finding = analyse(command, &setting, &NoLinks);
    for used in finding.deeds.iter().flat_map(|deed| deed.inputs.iter().chain(&deed.outputs)) {
        assert!(Resource::new(&used.name, used.reach, Realms::NETWORK).is_ok(), "{used:?} in `{command}`");
    }
    let topology = topology(session);
    let realm = |name: &str| {
        topology.resource(name, Reach::One).map_or(Realm::External, |named| named.highest_realm())
    };
    let found = riskiest(&finding.deeds, realm);
    let names = |side: &[Use]| side.iter().map(|used| used.name.clone()).collect::<BTreeSet<_>>();
    let inputs = found.as_ref().map(|found| names(&found.inputs)).unwrap_or_default();
    let outputs = found.as_ref().map(|found| names(&found.outputs)).unwrap_or_default();
    let effects: BTreeSet<String> =
        found.iter().flat_map(|found| found.effects.iter().map(|effect| effect.name().to_owned())).collect();
    let wanted: BTreeSet<String> =
        step["effects"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    let right = [inputs == told(&step["in"]), outputs == told(&step["out"]), effects == wanted];
    let marked: Vec<String> = session["sensitive"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    let uses = || found.iter().flat_map(|found| &found.inputs);
    let is_written = uses().all(|used| used.name == "ctxt") && judge.formats.any(command);
    let places = judge.places(marked);
    let holds = uses().any(|used| places.holds_secrets(used));
    if (holds || is_written) == step["sensitive"].as_bool().unwrap_or_default() {
        count.sensitive += 1;
    } else {
        println!("`{command}`: sensitive {} by its places, {} by its text", holds, is_written);
    }
    count.all += 1;
    count.inputs += usize::from(right[0]);
    count.outputs += usize::from(right[1]);
    count.effects += usize::from(right[2]);
    if right.iter().all(|one| *one) {
        count.together += 1;
    } else {
        println!(
            "`{command}`\n  wanted {} -> {} {wanted:?}\n  found {inputs:?} -> {outputs:?} {effects:?} {:?}",
            step["in"], step["out"], finding.doubts
        );
    }
}

/// The names that a fact holds; the context where it names none.
fn told(fact: &Value) -> BTreeSet<String> {
    match &fact["resource"] {
        Value::String(name) => BTreeSet::from([name.clone()]),
        Value::Array(names) => names.iter().map(|name| name.as_str().unwrap().to_owned()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            BTreeSet::from(["ctxt".to_owned()])
        }
    }
}

fn topology(session: &Value) -> Topology {
    let mut topology = Topology::new();
    topology.set_workspace(session["workdir"].as_str().unwrap()).unwrap();
    for internal in session["internal"].as_array().into_iter().flatten() {
        topology.add_internal(internal.as_str().unwrap()).unwrap();
    }
    for external in session["external"].as_array().into_iter().flatten() {
        topology.add_external(external.as_str().unwrap()).unwrap();
    }
    topology
}
