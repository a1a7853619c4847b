//! Definitions as honest projects and as others edit them: every change is told by its class and weighs what it should.
//!
//! `cases/bases.json` has definitions, `cases/changes/*.toml` patches of them (RFC 7386) with what is expected and why.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test reads files and fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use portcullis_identity::definition::Definition;
use portcullis_identity::difference::{Class, compare_among};
use portcullis_identity::suspicion::{Around, Weight};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    base: String,
    patch: String,
    /// What is changed in the base for both.
    before_patch: Option<String>,
    #[serde(default)]
    others: BTreeSet<String>,
    classes: BTreeSet<Class>,
    weight: Weight,
    why: String,
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder().join("changes")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        cases.extend(file.case);
    }
    cases
}

fn patched(mut value: Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    if !value.is_object() {
        value = Value::Object(serde_json::Map::new());
    }
    let members = value.as_object_mut().unwrap();
    for (key, patch) in patch {
        let old = members.remove(key).unwrap_or_default();
        if !patch.is_null() {
            members.insert(key.clone(), patched(old, patch));
        }
    }
    value
}

fn definition(value: &Value) -> Definition {
    Definition::parse(value.to_string().as_bytes(), &[]).unwrap()
}

#[test]
fn every_change_has_the_classes_and_the_weight_that_it_should() {
    let bases: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(folder().join("bases.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in cases() {
        let mut before = bases[&case.base].clone();
        let json =
            |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        if let Some(patch) = &case.before_patch {
            before = patched(before, &json(patch));
        }
        let after = patched(before.clone(), &json(&case.patch));
        let around = Around::new([], case.others.iter().map(String::as_str));
        let difference = compare_among(&definition(&before), &definition(&after), &around);
        if difference.classes() != case.classes || difference.weight() != Some(case.weight) {
            let (found, weight) = (difference.classes(), difference.weight());
            let expected = case.classes;
            wrong.push(format!(
                "{} ({}): {found:?} {weight:?}, not {expected:?} {:?}\n{difference}",
                case.name, case.why, case.weight
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn half_of_the_changes_are_honest_and_half_are_not() {
    let cases = cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "a name stands for two cases");
    let dangerous = cases.iter().filter(|case| case.weight == Weight::Dangerous).count();
    assert!(cases.len() >= 120 && dangerous * 5 >= cases.len() * 2 && dangerous * 5 <= cases.len() * 3);
    assert!(cases.iter().all(|case| !case.why.is_empty()));
}
