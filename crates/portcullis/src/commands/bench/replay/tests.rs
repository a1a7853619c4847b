//! Sessions that a real gateway recorded, decided again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod laws;
mod recording;

use std::collections::BTreeMap;
use std::path::Path;

use portcullis_lattice::{Entry, RuleId, Ruleset};
use portcullis_store::{EntryFilter, RuleFilter, Standing as Which, read_export};
use serde::Deserialize;
use serde_json::Value;

use super::log::Log;
use super::report::{Report, print};
use super::source::Source;
use super::standing::Change;
use recording::{Recording, Step};

/// Sessions, changes, and what they change.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// Sessions by name.
    session: BTreeMap<String, Session>,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    session: String,
    #[serde(default)]
    since: Vec<Step>,
    #[serde(default)]
    change: Tried,
    /// So many calls there are in all.
    calls: usize,
    #[serde(default)]
    changes: Vec<Expected>,
    /// Counts that are not zero, besides those of changes.
    #[serde(default)]
    counts: BTreeMap<String, u64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Tried {
    rules: Option<String>,
    add: Vec<String>,
    without: Vec<u64>,
    invariants: Option<Vec<String>>,
    invariant: Vec<String>,
    without_invariant: Vec<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// What the call does, in part.
    deed: String,
    kind: String,
    before: String,
    after: String,
    #[serde(default)]
    could_be: Option<String>,
    #[serde(default)]
    answer: Option<String>,
    /// Each of them is part of a reason.
    reasons: Vec<String>,
    /// What today's policy decides, if that is not what was decided then.
    #[serde(default)]
    today: Option<String>,
}

impl Tried {
    fn change(&self, log: &Log) -> Change {
        let highest = log.rules.len() as u64;
        let added = self.add.iter().zip(highest + 1..);
        Change {
            rules: self.rules.as_ref().map(|text| Ruleset::parse(text).unwrap().entries().to_vec()),
            added: added.map(|(text, id)| Entry { id: RuleId(id), rule: text.parse().unwrap() }).collect(),
            without: self.without.iter().copied().collect(),
            sentences: self.invariants.clone(),
            stated: self.invariant.clone(),
            unstated: self.without_invariant.iter().copied().collect(),
        }
    }
}

/// What a change of the policy changes in a recording.
fn replayed(recording: &Recording, tried: &Tried) -> Report {
    let source = Source::of_store(&*recording.store, None, None).unwrap();
    let change = tried.change(&source.log);
    super::report(&source, &change).unwrap()
}

fn cases() -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay/cases.toml");
    toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn each_change_changes_the_steps_that_it_should_and_for_the_reason() {
    let cases = cases();
    for case in &cases.case {
        let name = &case.name;
        let mut recording = Recording::new();
        recording.play(&cases.session[&case.session].steps);
        recording.play(&case.since);
        let report = serde_json::to_value(replayed(&recording, &case.change)).unwrap();
        assert_eq!(report["changed"], !case.changes.is_empty(), "{name}: {report:#}");
        let session = &report["sessions"][0];
        assert_eq!(session["calls"], case.calls, "{name}: {report:#}");
        let changes = session["changes"].as_array().unwrap();
        assert_eq!(changes.len(), case.changes.len(), "{name}: {report:#}");
        for (change, expected) in changes.iter().zip(&case.changes) {
            check(name, change, expected);
        }
        for count in ["undecided", "untold", "kept", "answered_once"] {
            let expected = case.counts.get(count).copied().unwrap_or(0);
            assert_eq!(session[count], expected, "{name}: {count}: {report:#}");
        }
    }
}

fn check(name: &str, change: &Value, expected: &Expected) {
    let deeds = change["deeds"].to_string();
    assert!(deeds.contains(&expected.deed), "{name}: {}: {change:#}", expected.deed);
    let today = expected.today.as_ref().unwrap_or(&expected.before);
    let words = [
        ("kind", &expected.kind),
        ("before", &expected.before),
        ("after", &expected.after),
        ("today", today),
    ];
    for (key, word) in words {
        assert_eq!(change[key], word.as_str(), "{name}: {key}: {change:#}");
    }
    assert_eq!(change["could_be"].as_str(), expected.could_be.as_deref(), "{name}: {change:#}");
    assert_eq!(change["answer"].as_str(), expected.answer.as_deref(), "{name}: {change:#}");
    let reasons = change["reasons"].as_array().unwrap().iter().chain(change["may_break"].as_array().unwrap());
    let reasons: Vec<&str> = reasons.map(|reason| reason.as_str().unwrap()).collect();
    assert!(!expected.reasons.is_empty(), "{name}: a change has a reason");
    for reason in &expected.reasons {
        assert!(
            reasons.iter().any(|told| told.contains(reason)),
            "{name}: `{reason}` is not in {reasons:#?}"
        );
    }
}

#[test]
fn nothing_is_written() {
    let cases = cases();
    let mut recording = Recording::new();
    recording.play(&cases.session["mixed"].steps);
    let store = &recording.store;
    let state = || {
        let head = store.head().unwrap();
        let versions = (store.policy_version().unwrap(), store.versions(recording.session()).unwrap());
        let kept = (store.rules(RuleFilter::All).unwrap(), store.invariants(Which::All).unwrap());
        (head, versions, kept, store.entries(&EntryFilter::default()).unwrap(), store.mark().unwrap())
    };
    let before = state();
    for case in cases.case.iter().filter(|case| case.session == "mixed") {
        replayed(&recording, &case.change);
    }
    assert_eq!(state(), before);
}

#[test]
fn an_export_is_replayed_as_its_store_is() {
    let cases = cases();
    for case in cases.case.iter().filter(|case| case.session == "mixed") {
        let mut recording = Recording::new();
        recording.play(&cases.session["mixed"].steps);
        recording.play(&case.since);
        let mut export = Vec::new();
        recording.store.export(0, &mut export, &mut |_| ()).unwrap();
        let mut log = Log::of(None);
        read_export(&mut export.as_slice(), None, &mut |entry| log.take(entry)).unwrap();
        let change = case.change.change(&log);
        let of_export = super::report(&Source::of_log(log), &change).unwrap();
        let of_store = replayed(&recording, &case.change);
        let json = |report: &Report| serde_json::to_value((&report.tried, &report.sessions)).unwrap();
        assert_eq!(json(&of_export), json(&of_store), "{}", case.name);
    }
}

#[test]
fn what_names_and_rules_say_is_made_safe_to_show() {
    let mut recording = Recording::new();
    let step: Step = toml::from_str(
        "tool = 'files.write_file'\narguments = { path = \"a\\u001b[2Jb.md\", content = 'x' }\ngets = ['ask']",
    )
    .unwrap();
    recording.play(&[step]);
    let tried = Tried { add: vec!["deny write from anywhere to @workspace".to_owned()], ..Tried::default() };
    let mut out = Vec::new();
    print(&replayed(&recording, &tried), &mut out).unwrap();
    let told = String::from_utf8(out).unwrap();
    assert!(told.contains("newly denied"), "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn entries_that_tell_too_little_are_counted_and_left_as_they_were() {
    let recording = Recording::new();
    recording.note(r#"{"step":1,"server":"files","tool":"write_file"}"#);
    recording.note(
        r#"{"step":1,"server":"files","tool":"write_file","definition":"","profile":"catalogue","decision":"permit",
            "flows":[],"findings":[],"rules":[],"arguments":{}}"#
            .replace('\n', "")
            .as_str(),
    );
    let tried = Tried { add: vec!["deny write from anywhere to anywhere".to_owned()], ..Tried::default() };
    let report = serde_json::to_value(replayed(&recording, &tried)).unwrap();
    assert_eq!((&report["total"]["calls"], &report["total"]["untold"]), (&2.into(), &2.into()), "{report:#}");
    assert_eq!(report["changed"], false);
}
