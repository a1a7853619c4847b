//! Rules that a model proposes: scripted answers instead of a model, and what becomes of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::wildcard_enum_match_arm, reason = "the other errors are told")]
#![allow(clippy::disallowed_methods, reason = "it reads the repository, not the engine")]

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use portcullis_invariant::propose::{Ask, Prompt, Proposal, ProposeError, Task, propose};
use portcullis_invariant::{Toolbox, Vocabulary};
use portcullis_perceive::layout::{Ground, Layout};
use serde::Deserialize;
use serde_json::Value;

/// Answers one after another.
#[derive(Default)]
struct Script {
    answers: VecDeque<String>,
    prompts: Vec<Prompt>,
}

#[derive(Debug, thiserror::Error)]
#[error("the script has ended")]
struct Ended;

impl Ask for Script {
    type Error = Ended;

    fn ask(&mut self, prompt: &Prompt) -> Result<String, Ended> {
        self.prompts.push(prompt.clone());
        self.answers.pop_front().ok_or(Ended)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// The calls that most cases are tried on.
    calls: String,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    #[serde(default = "usual_sentence")]
    sentence: String,
    /// Answers with calls, if not the usual ones.
    cases: Option<Vec<String>>,
    /// Answers with rules.
    rules: Vec<String>,
    /// The rule that is proposed, as Datalog.
    proposed: Option<String>,
    /// How often rules were asked for.
    rounds: Option<usize>,
    /// How many calls are not as they must be.
    #[serde(default)]
    wrong: usize,
    /// What was wrong with answers, in order, or a part of it.
    #[serde(default)]
    failed: Vec<String>,
    /// Why nothing is proposed.
    error: Option<String>,
}

fn usual_sentence() -> String {
    "mails for strangers are none of your business".to_owned()
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn tools() -> Toolbox {
    let mut tools = Toolbox::new().unwrap();
    ["gmail", "filesystem", "desktop-commander"].iter().for_each(|server| tools.connect(server).unwrap());
    tools
}

fn ground() -> Ground {
    let layout = Layout {
        workspace: "/home/ann/report".into(),
        home: "/home/ann".into(),
        internal: vec!["kestrel.example".into()],
        ..Layout::default()
    };
    layout.ground().unwrap()
}

fn run(sentence: &str, answers: Vec<String>) -> (Result<Proposal, ProposeError<Ended>>, Script) {
    let mut script = Script { answers: answers.into(), ..Script::default() };
    let (tools, ground) = (tools(), ground());
    let now = jiff::civil::date(2026, 3, 3).at(10, 0, 0, 0);
    let task = Task { sentence, tools: &tools, ground: &ground, now, prefix: "rule_0" };
    (propose(&task, &mut script), script)
}

#[test]
fn a_model_may_answer_anything_and_only_rules_that_hold_are_proposed() {
    let file: File =
        toml::from_str(&std::fs::read_to_string(here("tests/cases/propose.toml")).unwrap()).unwrap();
    for case in file.case {
        let about = &case.about;
        let answers = case.cases.clone().unwrap_or_else(|| vec![file.calls.clone()]);
        let (outcome, script) = run(&case.sentence, [answers, case.rules.clone()].concat());
        assert!(script.answers.is_empty(), "{about}: not all answers were asked for");
        match (outcome, &case.error) {
            (Ok(proposal), None) => compare(&case, &proposal),
            (Err(error), Some(expected)) => refused(&case, &error, expected),
            (Ok(proposal), Some(_)) => panic!("{about}: {proposal:#?}"),
            (Err(error), None) => panic!("{about}: {error}"),
        }
    }
}

fn compare(case: &Case, proposal: &Proposal) {
    let about = &case.about;
    assert_eq!(Some(proposal.stated.written.text.as_str()), case.proposed.as_deref(), "{about}");
    assert_eq!(Some(proposal.rounds), case.rounds, "{about}");
    assert_eq!(proposal.wrong().count(), case.wrong, "{about}: {:#?}", proposal.wrong().collect::<Vec<_>>());
    assert_eq!(proposal.holds(), case.wrong == 0, "{about}");
    told(case, &proposal.failed);
    assert!(!proposal.says.is_empty(), "{about}");
}

fn refused(case: &Case, error: &ProposeError<Ended>, expected: &str) {
    let none = Vec::new();
    let (what, failed) = match error {
        ProposeError::NoRule(failed) => ("no rule".to_owned(), failed),
        ProposeError::NoCases(failed) => ("no calls".to_owned(), failed),
        error => (error.to_string(), &none),
    };
    assert_eq!(what, expected, "{}", case.about);
    told(case, failed);
}

/// Each answer that failed is told, with this in what is said of it.
fn told(case: &Case, failed: &[String]) {
    assert_eq!(failed.len(), case.failed.len(), "{}: {failed:#?}", case.about);
    for (told, expected) in failed.iter().zip(&case.failed) {
        assert!(told.contains(expected), "{}: “{expected}” is not in “{told}”", case.about);
    }
}

const CASES: &str = r#"{"cases": [
  {"expect": "refuse", "call": {"server": "filesystem", "tool": "write_file", "arguments": {"path": "$workspace/src/a.md", "content": "x"}}},
  {"expect": "refuse", "call": {"server": "filesystem", "tool": "write_file", "arguments": {"path": "$home/a.md", "content": "x"}}},
  {"expect": "pass", "call": {"server": "filesystem", "tool": "write_file", "arguments": {"path": "$workspace/docs/a.md", "content": "x"}}},
  {"expect": "pass", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["bob@$internal"], "subject": "s", "body": "b"}}}
]}"#;

#[test]
fn nothing_is_told_of_where_the_user_works_and_the_two_questions_are_independent() {
    let wrong = r#"{"rules": ["deny(\"x\") :- writes(F, R), inside(R, \"$workspace\")."]}"#;
    let right = r#"{"rules": ["deny(\"x\") :- writes(F, R), kind(R, \"file\"), not inside(R, \"$workspace/docs\")."]}"#;
    let (outcome, script) =
        run("documentation is all you may change", vec![CASES.into(), wrong.into(), right.into()]);
    let proposal = outcome.unwrap();
    assert!(proposal.holds());
    assert_eq!(proposal.rounds, 2);
    let [cases, first, second] = script.prompts.as_slice() else { panic!("three questions") };
    for prompt in &script.prompts {
        for secret in ["/home/ann", "report", "kestrel.example"] {
            let told = format!("{}{}", prompt.system.replace("/home/ann/a.md", ""), prompt.user);
            assert!(!told.contains(secret), "{secret} in {told}");
        }
        let user: Value = serde_json::from_str(&prompt.user).unwrap();
        assert_eq!(user["sentence"], "documentation is all you may change");
        assert!(user["tools"].as_array().unwrap().len() > 20);
    }
    assert!(!cases.system.contains(":-") && !cases.user.contains("deny("), "rules are not told");
    assert!(!first.user.contains("\"expect\""), "calls are not told");
    assert!(!first.user.contains("earlier"));
    let told: Value = serde_json::from_str(&second.user).unwrap();
    assert_eq!(told["earlier"]["answer"], wrong);
    assert_eq!(
        told["earlier"]["problems"],
        serde_json::json!([
            "filesystem.write_file {\"content\":\"x\",\"path\":\"$home/a.md\"} must be refused and is passed",
            "filesystem.write_file {\"content\":\"x\",\"path\":\"$workspace/docs/a.md\"} must be passed and is refused \
             because of writes(0, \"$workspace/docs/a.md\")",
        ])
    );
}

#[test]
fn a_proposal_is_read_aloud_in_our_own_words() {
    let rules = r#"{"rules": ["outsider(T) :- output(_, T), is_person(T), not at_host(T, \"kestrel.example\").",
        "must_ask(\"Harmless, just say yes\") :- did(\"mail\"), outsider(T), measure(\"recipient\", N), N >= 1."]}"#;
    let cases = r#"{"cases": [
      {"expect": "ask", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["eve@evil.example"], "subject": "s", "body": "b"}}},
      {"expect": "ask", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["bob@kestrel.example"], "cc": ["eve@evil.example"], "subject": "s", "body": "b"}}},
      {"expect": "pass", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["bob@kestrel.example"], "subject": "s", "body": "b"}}},
      {"expect": "pass", "call": {"server": "filesystem", "tool": "read_file", "arguments": {"path": "a.md"}}}
    ]}"#;
    let (outcome, _) = run("strangers get mail when I say so", vec![cases.into(), rules.into()]);
    let proposal = outcome.unwrap();
    assert_eq!(
        proposal.says,
        [
            "`rule_0_outsider` holds of T, if all of this holds:",
            "  the flow anything goes to T",
            "  T is somebody's address",
            "  it is not so that T is at the host “kestrel.example” or below it",
            "Asked about each time is a call of which all of this holds:",
            "  the words of the call show that it does “mail”",
            "  `rule_0_outsider` holds of T",
            "  there is so much of “recipient”: N",
            "  N is at least 1",
        ]
    );
    // What a refused call is told is the user's sentence, whatever a model would have it say.
    assert!(proposal.stated.written.text.contains("must_ask(\"strangers get mail when I say so\")"));
    assert!(proposal.holds());
}

#[test]
fn every_word_of_the_vocabulary_can_be_read_aloud() {
    let phrases: toml::Table =
        toml::from_str(&std::fs::read_to_string(here("data/propose/phrases.toml")).unwrap()).unwrap();
    let schema = Vocabulary::built_in().unwrap().schema();
    for (name, columns, _) in schema.words() {
        let phrase = phrases.get(name).and_then(toml::Value::as_str);
        let phrase = phrase.unwrap_or_else(|| panic!("phrases.toml has nothing for `{name}`"));
        for column in 1..=columns.len() {
            assert!(phrase.contains(&format!("{{{column}}}")), "`{name}`: {phrase}");
        }
    }
    assert_eq!(phrases.len(), schema.words().count(), "a phrase for something that is not there");
}

#[test]
fn the_examples_that_models_are_shown_are_rules() {
    let manual = std::fs::read_to_string(here("data/propose/rules.md")).unwrap();
    let examples: Vec<&str> = manual.lines().filter(|line| line.starts_with("{\"rules\"")).collect();
    assert!(examples.len() >= 3);
    for example in examples {
        let (outcome, _) =
            run("mails for strangers are none of your business", vec![CASES.into(), example.into()]);
        // They are about other things than the calls; that they are read as far as that is all that is asked.
        match outcome.unwrap_err() {
            ProposeError::Ask(Ended) => {}
            error => panic!("{example}: {error}"),
        }
    }
}
