//! The taint of every step of the benchmark, from the facts that its authors wrote down.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the traces")]

use std::path::Path;

use portcullis_lattice::{Effect, Effects, Reach, Taint};
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Deed, Use};
use portcullis_taint::{Evidence, Labels};
use serde_json::Value;

/// The authors say which sources are sensitive, so only one place is: a detail that stands for their word.
const MARKED: &str = "/sensitive/by/the/author";

/// Steps that are judged otherwise than in the trace, with the reason. None is known.
const DEVIATIONS: &[(&str, usize, &str)] = &[];

#[test]
fn the_taint_of_every_step_is_what_the_trace_says() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let places = Places::parse(&format!(
        "place = [{{ name = 'marked', why = 'the author says so', patterns = ['**{MARKED}'], holds = ['{MARKED}'] }}]\n\
         [words]\nsecrets = []\nneutral = []\nharmless = []\ndata = []\ndocuments = []\nmanuals = []\n"
    ))
    .unwrap();
    places.check().unwrap();
    let (mut steps, mut tainted, mut wrong) = (0, 0, Vec::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let trace: Value = serde_json::from_str(line).unwrap();
            let mut labels = Labels::new();
            for (number, step) in (1..).zip(trace["steps"].as_array().unwrap()) {
                let found = replay(&mut labels, number, step, &places);
                let is_tainted = step["taint"] == "tainted";
                steps += 1;
                tainted += usize::from(is_tainted);
                if found.is_empty() == is_tainted {
                    wrong.push((trace["id"].as_str().unwrap().to_owned(), number as usize));
                }
            }
        }
    }
    let expected: Vec<(String, usize)> =
        DEVIATIONS.iter().map(|(trace, step, _)| ((*trace).to_owned(), *step)).collect();
    assert_eq!(wrong, expected, "of {steps} steps, {tainted} tainted");
    assert!(steps > 2000 && tainted > 150, "the benchmark has {steps} steps, {tainted} tainted");
}

/// Judges a step, and lets it happen unless it is denied. The benchmark's steps all succeed.
fn replay(labels: &mut Labels, number: u64, step: &Value, places: &Places) -> Taint {
    let effects: Effects = step["effects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| Effect::from_name(name.as_str().unwrap()).unwrap())
        .collect();
    let is_sensitive = step["sensitive"] == true;
    let mut inputs = uses(&step["in"], effects);
    if is_sensitive {
        inputs
            .iter_mut()
            .filter(|used| used.name != "ctxt")
            .for_each(|used| used.details = vec![MARKED.into()]);
    }
    let from_context = inputs.iter().any(|input| input.name == "ctxt");
    let credentials: &[&str] = if is_sensitive && from_context { &["literal"] } else { &[] };
    let deed = Deed { inputs, outputs: uses(&step["out"], Effects::ALL), effects };
    let act = Act { deed, payload: step["payload"] == true };
    let carried = labels.carried(number, &act, places, &Evidence { credentials, matches: &[] });
    if step["expect"] != "Deny" {
        labels.permit(number, &act, &carried);
        labels.deleted(&act, places);
    }
    carried.taint
}

/// The resources of one side. A whole account is listed if it is only read, and reached as a whole else.
fn uses(side: &Value, effects: Effects) -> Vec<Use> {
    if side["class"] == "ctxt" {
        return vec![Use::context()];
    }
    let resource = &side["resource"];
    let names: Vec<&str> = match resource.as_array() {
        Some(names) => names.iter().map(|name| name.as_str().unwrap()).collect(),
        None => vec![resource.as_str().unwrap()],
    };
    let reach = |name: &str| match name.ends_with(":*") {
        true if effects == Effects::only(Effect::Read) => Reach::Names,
        true => Reach::Subtree,
        false => Reach::One,
    };
    names.into_iter().map(|name| Use::new(name, reach(name))).collect()
}
