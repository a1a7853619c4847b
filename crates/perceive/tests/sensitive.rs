//! Places of credentials: every entry's own examples, and the facts of ConsentBench.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the traces")]

use std::path::Path;
use std::sync::LazyLock;

use portcullis_lattice::Reach;
use portcullis_perceive::Use;
use portcullis_perceive::sensitive::{Places, PlacesError};
use serde_json::Value;

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::built_in().unwrap());

fn used(name: &str, reach: Reach) -> Use {
    Use::new(name, reach)
}

#[test]
fn every_place_treats_its_examples_as_it_says() {
    PLACES.check().unwrap();
    assert!(PLACES.entries().count() >= 20);
    assert!(PLACES.entries().all(|(_, why)| !why.is_empty()));
}

#[test]
fn an_entry_whose_example_fails_is_refused() {
    let words =
        "[words]\nsecrets = []\nneutral = []\nharmless = []\ndata = []\ndocuments = []\nmanuals = []\n";
    let entry = "[[place]]\nname = 'x'\nwhy = 'y'\npatterns = ['**/a']\nholds = ['/b']\n";
    let error = Places::parse(&format!("{words}{entry}")).unwrap().check().unwrap_err();
    assert_eq!(error, PlacesError::Example { place: "x".into(), name: "/b".into() });
}

#[test]
fn a_folder_of_credentials_is_one_only_as_a_whole() {
    let folder = "/home/u/.ssh";
    assert!(!PLACES.holds_secrets(&used(folder, Reach::Names)));
    assert!(!PLACES.holds_secrets(&used(folder, Reach::One)));
    assert!(PLACES.holds_secrets(&used(folder, Reach::Subtree)));
    assert!(!PLACES.holds_secrets(&used("/home/u", Reach::Subtree)));
}

#[test]
fn what_a_user_marked_counts_as_written() {
    let marked = ["db:hr.*", "/home/u/hr/**", "**/*.tfstate", "slack:C1"].map(String::from);
    let places = Places::built_in().unwrap().with_marked(&marked).unwrap();
    for name in ["db:hr.reviews", "/home/u/hr", "/home/u/hr/a/b", "github:a/b/c.tfstate", "slack:C1"] {
        assert!(places.holds_secrets(&used(name, Reach::One)), "{name}");
    }
    for name in ["db:hrx", "/home/u/hrx", "slack:C12", "/home/U/hr/a"] {
        assert!(!places.holds_secrets(&used(name, Reach::One)), "{name}");
    }
}

/// Of every step that reads a path or a file on GitHub.
#[test]
fn the_facts_of_consentbench_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let (mut steps, mut sensitive, mut wrong) = (0_usize, 0_usize, Vec::new());
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let trace: Value = serde_json::from_str(line).unwrap();
            let marked = strings(&trace["session"]["sensitive"]);
            let places = marked_places(&marked);
            for step in trace["steps"].as_array().unwrap() {
                let names = names(step);
                if names.is_empty() {
                    continue;
                }
                steps += 1;
                let found = names.iter().any(|name| holds(&places, name));
                let wanted = step["sensitive"] == true;
                sensitive += usize::from(wanted);
                if found != wanted {
                    wrong.push(format!("{} {} {names:?} wanted {wanted}", trace["id"], step["tool"]));
                }
            }
        }
    }
    assert!(steps > 700 && sensitive > 25, "{steps} steps, {sensitive} sensitive");
    assert!(
        wrong.is_empty(),
        "{} of {steps} ({sensitive} sensitive) wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Without marks the places of this program, made once; with marks their own.
fn marked_places(marked: &[String]) -> Option<Places> {
    (!marked.is_empty()).then(|| Places::built_in().unwrap().with_marked(marked).unwrap())
}

fn holds(places: &Option<Places>, name: &str) -> bool {
    places.as_ref().unwrap_or(&PLACES).holds_secrets(&used(name, Reach::One))
}

/// What the step reads: its paths, and the file inside a repository where it names one.
fn names(step: &Value) -> Vec<String> {
    let tool = step["tool"].as_str().unwrap();
    let mut names: Vec<String> = strings(&step["in"]["resource"]);
    names.retain(|name| name.starts_with('/') || name.starts_with("github:"));
    let inside: Vec<String> = match tool {
        "github.get_file_contents" => strings(&step["args"]["path"]),
        "git.git_add" => strings(&step["args"]["files"]),
        _ => Vec::new(),
    };
    let whole: Vec<String> =
        names.iter().flat_map(|name| inside.iter().map(move |path| format!("{name}/{path}"))).collect();
    names.extend(whole);
    names
}

fn strings(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(ToString::to_string);
    match value.as_array() {
        Some(list) => list.iter().map(|value| text(value).unwrap()).collect(),
        None => text(value).into_iter().collect(),
    }
}
