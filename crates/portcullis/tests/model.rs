//! `portcullis invariant check --model`, with a server on this machine in place of a model.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "../../model/tests/wire/server.rs"]
mod server;

use std::net::TcpListener;
use std::process::{Command, Output};

use serde_json::Value;
use server::{Api, Reply, Server, error};

/// A key that no other text has in it.
const KEY: &str = "sk-portcullis-0123456789abcdef";

/// What no grammar will ever read.
const SENTENCE: &str = "Our letters are lanterns and outsiders are moths, so let no moth near a lantern";

const CASES: &str = r#"{"cases": [
  {"expect": "refuse", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["eve@evil.example"], "subject": "s", "body": "b"}}},
  {"expect": "refuse", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["ann@$internal", "eve@evil.example"], "subject": "s", "body": "b"}}},
  {"expect": "pass", "call": {"server": "gmail", "tool": "send_email", "arguments": {"to": ["ann@$internal"], "subject": "s", "body": "b"}}},
  {"expect": "pass", "now": "2026-03-06T18:40", "call": {"server": "gmail", "tool": "list_filters", "arguments": {}}}
]}"#;

const RULES: &str = r#"{"rules": ["deny(\"x\") :- did(\"mail\"), output(F, T), realm(T, \"external\")."]}"#;

/// Runs the program with settings of its own.
fn check(settings: &str, sentence: &str, arguments: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("portcullis.toml"), settings).unwrap();
    let here = ["--workspace", "/home/ann/report", "--home", "/home/ann", "--internal", "acme.com"];
    Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args(["invariant", "check", sentence, "--server", "gmail"])
        .args(here)
        .args(arguments)
        .env_clear()
        .env("PORTCULLIS_HOME", home.path())
        .env("KEY_OF_THE_TEST", KEY)
        // The keyring of whoever runs the tests is nobody's business.
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
        .output()
        .unwrap()
}

/// Settings that name a server.
fn asking(form: &str, url: &str) -> String {
    let model = format!("[model]\nprovider = \"{form}\"\nname = \"model-x\"\nurl = \"{url}\"\n");
    format!("{model}key_env = \"KEY_OF_THE_TEST\"\ntimeout = 2\n")
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_proposal_is_shown_with_what_it_says_and_does() {
    let replies = vec![Reply::Text(CASES.into()), Reply::Text(RULES.into())];
    let server = Server::start(Api::Anthropic, replies);
    let output = check(&asking("anthropic", &server.url(Api::Anthropic)), SENTENCE, &["--model"]);
    let (told, complaint) = texts(&output);
    assert_eq!((output.status.code(), complaint.as_str()), (Some(1), ""));
    let expected = r#"
  model-x (anthropic, 127.0.0.1) proposes a rule, which is not in force; read what it says

  as Datalog
    deny("Our letters are lanterns and outsiders are moths, so let no moth near a lantern") :- did("mail"), output(F, T), realm(T, "external").

  which says
    Refused is a call of which all of this holds:
      the words of the call show that it does “mail”
      the flow F goes to T
      T lies here: “external”

  tried on calls that the model thought of
    ok    refused
    gmail.send_email {"body":"b","subject":"s","to":["eve@evil.example"]}
    ok    refused
    gmail.send_email {"body":"b","subject":"s","to":["ann@acme.com","eve@evil.example"]}
    ok    passes
    gmail.send_email {"body":"b","subject":"s","to":["ann@acme.com"]}
    ok    passes
    gmail.list_filters {}
      at 2026-03-06T18:40
"#;
    assert!(told.ends_with(expected), "{told}");
    let seen = server.seen();
    for request in &seen {
        let sent = request.body["messages"].to_string();
        assert!(sent.contains(SENTENCE) && sent.contains("send_email"), "{sent}");
        assert!(!sent.contains("/home/ann") && !sent.contains("@acme.com\\\",\\\"eve"), "{sent}");
    }
}

#[test]
fn a_proposal_for_scripts() {
    let replies = vec![Reply::Text(CASES.into()), Reply::Text("{}".into()), Reply::Text(RULES.into())];
    let server = Server::start(Api::Ollama, replies);
    let settings = asking("ollama", &server.url(Api::Ollama));
    let (told, _) = texts(&check(&settings, SENTENCE, &["--model", "--json"]));
    server.seen();
    let report: Value = serde_json::from_str(&told).unwrap();
    let proposal = &report[0]["proposal"];
    assert_eq!(report[0]["understood"], false);
    assert_eq!(proposal["model"], "model-x (ollama, 127.0.0.1)");
    assert_eq!(proposal["proposed"]["holds"], true);
    assert_eq!(proposal["proposed"]["rounds"], 2);
    assert_eq!(proposal["proposed"]["cases"][2]["verdict"], "passes");
    let failed = proposal["proposed"]["failed"][0].as_str().unwrap();
    assert!(failed.contains("missing field `rules`"), "{failed}");
}

#[test]
fn whatever_a_server_does_the_key_is_in_no_output() {
    let echo = |api, status| Reply::Json(status, error(api, status, &format!("wrong key {KEY}")));
    let (mail, open) = (Api::Anthropic, Api::OpenAi);
    let told = [
        (mail, echo(mail, 401), "does not accept the key (401)"),
        (open, echo(open, 429), "is asked too often"),
        (open, echo(open, 500), "answered with 500"),
        (mail, Reply::Text(format!("{{\"cases\": [\"{KEY}\"]}}")), "repeats the key"),
        (mail, Reply::Raw(200, KEY.as_bytes().to_vec()), "has not the form"),
        (open, Reply::Elsewhere(format!("https://{KEY}.example/")), "sends elsewhere (307)"),
        (mail, Reply::CutOff, "cannot be asked"),
        (open, Reply::Endless, "is longer than"),
        (Api::Ollama, Reply::Silence, "did not answer in 2 seconds"),
    ];
    for (api, reply, expected) in told {
        for options in [&["--model"][..], &["--model", "--json"][..]] {
            let server = Server::start(api, vec![reply.clone()]);
            let form = match api {
                Api::Anthropic => "anthropic",
                Api::OpenAi => "openai",
                Api::Ollama => "ollama",
            };
            let output = check(&asking(form, &server.url(api)), SENTENCE, options);
            server.seen();
            let (told, complaint) = texts(&output);
            assert_eq!(output.status.code(), Some(1), "{told}{complaint}");
            assert!(told.contains(expected), "{expected}: {told}");
            assert!(!told.contains(KEY) && !complaint.contains(KEY), "{told}{complaint}");
        }
    }
}

#[test]
fn nothing_is_sent_unless_it_is_asked_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = asking("ollama", &format!("http://{}", listener.local_addr().unwrap()));
    let (told, _) = texts(&check(&settings, SENTENCE, &[]));
    assert!(told.contains("is no rule that can be enforced") && !told.contains("proposes"), "{told}");
    // What the grammar reads is nobody else's business either.
    let (told, _) = texts(&check(&settings, "Never send mail.", &["--model"]));
    assert!(told.contains("understood as"), "{told}");
    listener.set_nonblocking(true).unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

#[test]
fn settings_that_do_not_do_are_told_before_anything_is_sent() {
    let wrong = [
        ("", "no model can be asked: say which form the provider speaks: anthropic, openai or ollama; "),
        ("[model]\nprovider = 'ollama'", "no model can be asked: say the name of the model; "),
        (
            "[model]\nprovider = 'openai'\nname = 'x'",
            "the environment variable `OPENAI_API_KEY`, which holds the key of the provider, is not set, and no keyring can be \
             reached from here; set the variable\n",
        ),
        (
            "[model]\nprovider = 'ollama'\nname = 'x'\nurl = 'http://10.0.0.7'",
            "the provider is elsewhere and would be asked without encryption; use `https`, or allow http; ",
        ),
        ("[model]\nkey = 'sk-secret'", "unknown field `key`"),
    ];
    for (settings, expected) in wrong {
        let output = check(settings, SENTENCE, &["--model"]);
        let (told, complaint) = texts(&output);
        assert_eq!((output.status.code(), told.as_str()), (Some(2), ""));
        assert!(complaint.contains(expected), "{complaint}");
    }
}
