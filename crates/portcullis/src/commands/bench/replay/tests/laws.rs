//! What holds for every session.

use portcullis_lattice::Decision;
use proptest::prelude::*;

use super::super::One;
use super::super::calls::calls;
use super::super::source::Source;
use super::super::standing::Change;
use super::recording::{Recording, Step};
use super::{Tried, replayed};

/// Each case is a store of its own, so there are few unless more are asked for.
fn config() -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(48), failure_persistence: None, ..ProptestConfig::default() }
}

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

/// Sentences about places, people, tools, words, amounts, order and times.
const SENTENCES: &[&str] = &[
    "Never write to /home/u/p/sub.",
    "Never read anything outside the workspace.",
    "Ask before sending mail.",
    "Never send mail outside acme.com.",
    "Never send mail to more than 3 people.",
    "Never send an email with more than 3 words.",
    "Never delete anything.",
    "Never use the tool write_file.",
    "Never move files.",
    "Ask before you write a file that ends in .md.",
    "Read a file before you write it.",
    "Never write more than 2 files.",
    "Never write files after 6 pm.",
    "Never write drafts.",
];

fn plain_call() -> impl Strategy<Value = Step> {
    let texts = [
        ("files.read_file", "path = 'a.md'"),
        ("files.read_file", "path = '/etc/hosts'"),
        ("files.write_file", "path = 'b.md'\ncontent = 'one two three four'"),
        ("files.write_file", "path = 'sub/draft.txt'\ncontent = 'x'"),
        ("files.list_directory", "path = 'sub'"),
        ("files.move_file", "source = 'a.md'\ndestination = 'sub/a.md'"),
        ("gmail.send_email", "to = ['ann@acme.com']\nsubject = 's'\nbody = 'one two three four five'"),
        ("gmail.send_email", "to = ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org']\nsubject = 's'\nbody = 'b'"),
        ("gmail.delete_email", "messageId = '195d3b07c2aa91e4'"),
        ("gmail.search_emails", "query = 'draft'"),
    ];
    prop::sample::select(texts.to_vec()).prop_map(|(tool, text)| Step {
        tool: Some(tool.to_owned()),
        arguments: Some(toml::from_str(text).unwrap()),
        wait: 1,
        ..Step::default()
    })
}

/// What was decided about each call.
fn decided(recording: &Recording) -> Vec<Decision> {
    let source = Source::of_store(&*recording.store, None, None).unwrap();
    let (calls, _) = calls(&source.log.sessions[&recording.session()]);
    calls.iter().map(|call| call.before).collect()
}

/// What is decided about each call with a sentence more, and what it could be.
fn decided_again(recording: &Recording, sentence: &str) -> Vec<(Decision, Decision)> {
    let source = Source::of_store(&*recording.store, None, None).unwrap();
    let id = recording.session();
    let one = One { log: &source.log, id, session: &source.log.sessions[&id], settings: None };
    let change = Change { stated: vec![sentence.to_owned()], ..Change::default() };
    let (replayed, _) = one.replayed(&change, &mut || ()).unwrap();
    let after = replayed.iter().map(|call| call.after.as_ref().unwrap());
    after.map(|after| (after.decision, after.could_be)).collect()
}

#[test]
fn sentences_that_only_look_at_places_and_people_are_decided_for_certain() {
    let mut recording = Recording::new();
    for text in ["path = 'sub/a.txt'\ncontent = 'x'", "path = 'a.txt'\ncontent = 'x'"] {
        let arguments = Some(toml::from_str(text).unwrap());
        recording.play(&[Step { tool: Some("files.write_file".to_owned()), arguments, ..Step::default() }]);
    }
    let (deny, ask) = ((Decision::Deny, Decision::Deny), (Decision::Ask, Decision::Ask));
    assert_eq!(decided_again(&recording, SENTENCES[0]), [deny, ask]);
    assert_eq!(decided_again(&recording, SENTENCES[2]), [ask, ask]);
}

proptest! {
    #![proptest_config(config())]

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

    #[test]
    fn a_new_sentence_is_decided_as_a_gateway_would_have_or_not_at_all(
        steps in prop::collection::vec(plain_call(), 1..8),
        sentence in prop::sample::select(SENTENCES.to_vec()),
    ) {
        let allow = "allow read, write, del from ctxt, @workspace to ctxt, @workspace";
        let allow = Step { add: Some(allow.to_owned()), ..Step::default() };
        let state = Step { state: Some(sentence.to_owned()), ..Step::default() };
        let (mut with, mut without) = (Recording::new(), Recording::new());
        with.play(&[allow.clone(), state]);
        with.play(&steps);
        without.play(&[allow]);
        without.play(&steps);
        let again = decided_again(&without, sentence);
        for ((live, (after, could_be)), step) in decided(&with).into_iter().zip(again).zip(&steps) {
            prop_assert!(
                after <= live && live <= could_be,
                "“{sentence}”: {step:?} was decided {live:?}, and again {after:?}, perhaps {could_be:?}"
            );
        }
    }
}
