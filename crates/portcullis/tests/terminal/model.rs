//! What a model proposes is put into force by a person, and by nobody else.

#[path = "../../../model/tests/wire/server.rs"]
#[expect(dead_code, reason = "the tests of the wire look at more of it")]
mod server;

use crate::home::{Home, is_possible};
use server::{Api, Reply, Server};

/// What no grammar will ever read.
const SENTENCE: &str = "The vault dreams, and dreamers are not to be woken";

const CASES: &str = r#"{"cases": [
  {"expect": "refuse", "call": {"server": "filesystem", "tool": "write_file", "arguments": {"path": "$workspace/vault/a.md", "content": "x"}}},
  {"expect": "refuse", "call": {"server": "filesystem", "tool": "read_file", "arguments": {"path": "$workspace/vault/a.md"}}},
  {"expect": "pass", "call": {"server": "filesystem", "tool": "write_file", "arguments": {"path": "$workspace/a.md", "content": "x"}}},
  {"expect": "pass", "call": {"server": "filesystem", "tool": "read_file", "arguments": {"path": "$workspace/a.md"}}}
]}"#;
const RULES: &str = r#"{"rules": ["deny(\"x\") :- involves(F, R), touches(R, \"$workspace/vault\")."]}"#;
/// It stops some of what it must, and more.
const TOO_MUCH: &str = r#"{"rules": ["deny(\"x\") :- writes(F, R), kind(R, \"file\")."]}"#;

/// A model that gives these rules, and a home whose settings name it.
fn home(rules: &[&str]) -> (Home, Server) {
    let replies = std::iter::once(CASES).chain(rules.iter().copied());
    let server = Server::start(Api::Ollama, replies.map(|text| Reply::Text(text.into())).collect());
    let home = Home::new();
    let state = home.path().join("state");
    std::fs::create_dir_all(&state).unwrap();
    let url = server.url(Api::Ollama);
    let settings = format!("[model]\nprovider = 'ollama'\nname = 'model-x'\nurl = '{url}'\n");
    std::fs::write(state.join("portcullis.toml"), settings).unwrap();
    (home, server)
}

const ADD: &[&str] = &["invariant", "add", SENTENCE, "--model", "--server", "filesystem"];

#[test]
fn a_proposal_counts_once_a_person_confirms_it() {
    if !is_possible() {
        return;
    }
    let (home, server) = home(&[RULES]);
    let seen = home.terminal(ADD, &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert_eq!(server.seen().len(), 2);
    for told in ["proposes a rule, which is not in force", "lies in", "it is rule 1"] {
        assert!(seen.output.contains(told), "{told}: {}", seen.output);
    }
    let call = r#"[{"path": "vault/a.md", "content": "hello"}]"#;
    let refused = String::from_utf8(home.host(call, &[]).wait_with_output().unwrap().stdout).unwrap();
    assert!(refused.contains(SENTENCE) && !refused.contains("written"), "{refused}");
    let recorded = home.says(&["audit", "list", "--json"]).output;
    assert!(recorded.contains("model-x (ollama, 127.0.0.1)"), "{recorded}");
}

#[test]
fn a_proposal_that_a_person_turns_down_is_not_kept() {
    if !is_possible() {
        return;
    }
    let (home, server) = home(&[RULES]);
    let seen = home.terminal(ADD, &[("Type yes:", "no\n")]);
    assert_eq!(seen.status, 1, "{}", seen.output);
    server.seen();
    assert!(!home.says(&["invariant", "list"]).output.contains(SENTENCE));
}

#[test]
fn a_proposal_that_does_not_do_what_the_model_expects_is_not_offered() {
    if !is_possible() {
        return;
    }
    let (home, server) = home(&[TOO_MUCH; 3]);
    let seen = home.terminal(ADD, &[]);
    assert_eq!(seen.status, 1, "{}", seen.output);
    server.seen();
    assert!(
        seen.output.contains("do not rely on it") && !seen.output.contains("Type yes"),
        "{}",
        seen.output
    );
}

#[test]
fn nobody_but_a_person_has_a_model_asked_for_a_rule() {
    let (home, server) = home(&[]);
    let seen = home.says(ADD);
    assert_eq!(seen.status, 2, "{}", seen.output);
    assert!(seen.output.contains("this needs a person at a terminal"), "{}", seen.output);
    let seen = home.says(&[ADD, &["--yes"]].concat());
    assert_eq!(seen.status, 2, "{}", seen.output);
    assert!(seen.output.contains("cannot be used with"), "{}", seen.output);
    drop(server);
}
