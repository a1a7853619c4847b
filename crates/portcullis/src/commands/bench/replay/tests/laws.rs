//! What holds for every session.

use proptest::prelude::*;

use super::recording::{Recording, Step};
use super::{Tried, replayed};

fn call() -> impl Strategy<Value = Step> {
    let paths = ["a.md", "b.md", "sub/c.md", "/etc/hosts", "/home/u/.ssh/id_rsa"];
    let file = (
        prop::sample::select(vec!["files.read_file", "files.write_file"]),
        prop::sample::select(paths.to_vec()),
    )
        .prop_map(|(tool, path)| (tool.to_owned(), format!("path = '{path}'\ncontent = 'x'")));
    let mail = prop::sample::select(vec!["ann@acme.com", "eve@evil.example"])
        .prop_map(|to| ("gmail.send_email".to_owned(), format!("to = ['{to}']\nsubject = 's'\nbody = 'b'")));
    let answers = ["once", "session-1", "always-1", "session-2", "refuse", "never", ""];
    (prop_oneof![4 => file, 1 => mail], prop::sample::select(answers.to_vec())).prop_map(
        |((tool, text), answer)| {
            let mut arguments: toml::Table = toml::from_str(&text).unwrap();
            if tool == "files.read_file" {
                arguments.remove("content");
            }
            Step {
                tool: Some(tool),
                arguments: Some(arguments),
                answer: Some(answer.to_owned()),
                wait: 1,
                ..Step::default()
            }
        },
    )
}

fn command() -> impl Strategy<Value = Step> {
    let rules = [
        "allow read from @workspace to ctxt",
        "allow write from ctxt to /home/u/p/a.md once",
        "allow write from ctxt to @workspace until 2026-11-15T10:00:05Z",
        "deny write from anywhere to /home/u/p/sub/**",
        "deny read from /etc/** to anywhere",
        "allow write from ctxt to mailto:*@acme.com",
    ];
    let sentences = ["Never write to /home/u/p/sub.", "Ask before sending mail.", "Never read /etc/hosts."];
    let add = prop::sample::select(rules.to_vec())
        .prop_map(|rule| Step { add: Some(rule.to_owned()), ..Step::default() });
    let state = prop::sample::select(sentences.to_vec())
        .prop_map(|sentence| Step { state: Some(sentence.to_owned()), ..Step::default() });
    let revoke = (1..4_u64).prop_map(|id| Step { revoke: Some(id), ..Step::default() });
    let remove = (1..3_u64).prop_map(|id| Step { remove: Some(id), ..Step::default() });
    prop_oneof![4 => add, 2 => state, 1 => revoke, 1 => remove]
}

fn session() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(prop_oneof![4 => call(), 1 => command()], 1..12)
}

/// A session that ends with a call, so that nothing was changed since.
fn finished() -> impl Strategy<Value = Vec<Step>> {
    (session(), call()).prop_map(|(mut steps, last)| {
        steps.push(last);
        steps
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn replaying_with_the_policy_unchanged_changes_nothing(steps in finished()) {
        let mut recording = Recording::new();
        recording.play(&steps);
        let report = serde_json::to_value(replayed(&recording, &Tried::default())).unwrap();
        prop_assert_eq!(&report["changed"], false, "{:#}", report);
        prop_assert_eq!(&report["total"]["same"], &report["total"]["calls"], "{:#}", report);
    }

    #[test]
    fn every_call_is_counted_once_and_every_change_is_told(
        steps in finished(),
        without in 1..4_u64,
        deny in any::<bool>(),
    ) {
        let mut recording = Recording::new();
        recording.play(&steps);
        let add = if deny { "deny write from anywhere to @workspace" } else { "allow read, write from ctxt, @workspace to ctxt, @workspace" };
        let tried = Tried { add: vec![add.to_owned()], without: vec![without], ..Tried::default() };
        let report = serde_json::to_value(replayed(&recording, &tried)).unwrap();
        let count = |key: &str| report["total"][key].as_u64().unwrap();
        let changed = ["newly_asked", "newly_permitted", "newly_denied", "no_longer_asked", "undecided"];
        let changed: u64 = changed.into_iter().map(count).sum();
        prop_assert_eq!(count("calls"), count("same") + count("untold") + changed);
        let told = report["sessions"][0]["changes"].as_array().unwrap();
        prop_assert_eq!(told.len() as u64, changed);
        for change in told {
            prop_assert!(change["kind"] == "undecided" || change["before"] != change["after"]);
            prop_assert!(!change["reasons"].as_array().unwrap().is_empty(), "{:#}", change);
        }
    }

    #[test]
    fn one_more_deny_permits_nothing(steps in finished()) {
        // A question that is not asked grants nothing. That goes for "never again" too, which is no grant.
        let mut steps = steps;
        let is_never = |step: &&mut Step| step.answer.as_deref() == Some("never");
        steps.iter_mut().filter(is_never).for_each(|step| step.answer = None);
        let mut recording = Recording::new();
        recording.play(&steps);
        let tried = Tried { add: vec!["deny read, write from anywhere to anywhere".to_owned()], ..Tried::default() };
        let report = serde_json::to_value(replayed(&recording, &tried)).unwrap();
        for key in ["newly_permitted", "no_longer_asked"] {
            prop_assert_eq!(&report["total"][key], 0, "{:#}", report);
        }
    }
}
