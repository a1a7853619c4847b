//! Facts that no rule asks for change nothing.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use portcullis_invariant::{Breach, CallFacts, Circumstances, Hand, History, Interest, Rulebook, Stated};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver};
use serde_json::{Value, json};

const SENTENCES: [&str; 12] = [
    "never email anyone outside acme.com",
    "only write inside docs/",
    "no deploys on Fridays",
    "no sudo",
    "don't install any packages",
    "no force pushes",
    "nothing goes to the release branch",
    "no more than 2 emails per session",
    "never load more than 3 files at once",
    "squash merges only",
    "terraform apply and terraform destroy are off limits",
    "no bcc, ever",
];

fn calls() -> Vec<(&'static str, &'static str, Value)> {
    let command =
        |text: &str| ("desktop-commander", "start_process", json!({"command": text, "timeout_ms": 1000}));
    let mail = |to: &str, bcc: &[&str]| {
        ("gmail", "send_email", json!({"to": [to], "bcc": bcc, "subject": "s", "body": "b"}))
    };
    vec![
        mail("eve@evil.example", &[]),
        mail("ann@acme.com", &["bob@acme.com"]),
        mail("ann@acme.com", &[]),
        ("filesystem", "write_file", json!({"path": "src/a.rs", "content": "x"})),
        ("filesystem", "write_file", json!({"path": "docs/a.md", "content": "x"})),
        ("filesystem", "read_multiple_files", json!({"paths": ["a", "b", "c", "d"]})),
        (
            "github",
            "merge_pull_request",
            json!({"owner": "o", "repo": "r", "pull_number": 1, "merge_method": "rebase"}),
        ),
        command("make deploy"),
        command("bash -c 'sudo id'"),
        command("pip install x"),
        command("git push --force origin main"),
        command("git push origin HEAD:release"),
        command("terraform apply"),
        command("ls"),
    ]
}

#[test]
fn facts_that_no_rule_asks_for_change_nothing() {
    let catalogue = Catalogue::built_in().unwrap();
    let formats = Formats::built_in().unwrap();
    let layout = Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    };
    let mut hand = Hand::new(&layout);
    catalogue.servers().for_each(|(server, entry)| hand.add_catalogued(server, entry));
    let ground = layout.ground().unwrap();
    let history = History::from(BTreeMap::from([("mail".to_owned(), 2)]));
    let mut broken = 0;
    for (number, sentence) in SENTENCES.iter().enumerate() {
        let book = Rulebook::new(vec![Stated::read(sentence, &hand, 2026, number).unwrap()]).unwrap();
        let mut fired = 0;
        for (server, tool, arguments) in &calls() {
            let profile = catalogue.profile(server, tool).unwrap();
            let none = |_: &str| None;
            let perceiver =
                Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &none };
            let perception = perceiver.call_with_particulars(profile, arguments, &Memory::default());
            let known: Vec<&str> = profile.known_arguments().collect();
            let judged = |interest: &Interest| -> Vec<Breach> {
                book.judge(&CallFacts::of(&Circumstances {
                    server,
                    tool,
                    arguments,
                    calls_tools: false,
                    known: &known,
                    perception: &perception,
                    secrets: &vec![false; perception.acts.len()],
                    carried: &vec![Vec::new(); perception.acts.len()],
                    ground: &ground,
                    now: Some(jiff::civil::date(2026, 3, 6).at(15, 0, 0, 0)),
                    interest,
                    history: &history,
                }))
            };
            let own = judged(book.interest());
            fired += own.len();
            // Commands that rules spell out are known from the rules alone.
            let mut everything = judged(&Interest::everything());
            if sentence.starts_with("terraform") {
                everything.clone_from(&own);
            }
            assert_eq!(own, everything, "{sentence}: {tool} {arguments}");
        }
        assert!(fired > 0, "no call breaks “{sentence}”");
        broken += fired;
    }
    assert!(broken >= SENTENCES.len());
}
