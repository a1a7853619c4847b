//! Rules that users write in Datalog.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use portcullis_invariant::by_hand::{ByHand, ByHandError, Handwritten, by_hand};
use portcullis_invariant::trial::{Trial, TrialCall};
use portcullis_invariant::{Rulebook, Stated, Toolbox};
use portcullis_perceive::layout::{Ground, Layout};
use serde_json::{Value, json};

struct Desk {
    tools: Toolbox,
    layout: Layout,
    ground: Ground,
}

impl Desk {
    fn new() -> Desk {
        let mut tools = Toolbox::new().unwrap();
        ["gmail", "filesystem", "desktop-commander"].iter().for_each(|server| tools.connect(server).unwrap());
        let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
        let ground = layout.clone().ground().unwrap();
        Desk { tools, layout, ground }
    }

    fn read(&self, text: &str, follow: &[String]) -> Result<Handwritten, ByHandError> {
        by_hand(&ByHand {
            sentence: "What it is for",
            text,
            follow,
            tools: &self.tools,
            ground: &self.ground,
            now: jiff::civil::date(2026, 3, 3).at(10, 0, 0, 0),
            prefix: "stated_7",
        })
    }

    /// How many rules each call breaks, one after another.
    fn broken(&self, stated: Vec<Stated>, calls: &[TrialCall]) -> Vec<usize> {
        let book = Rulebook::new(stated).unwrap();
        let mut trial = Trial::new(&self.tools, &self.ground, &book);
        calls.iter().map(|call| trial.call(call, None).unwrap().breaches.len()).collect()
    }
}

fn call(server: &str, tool: &str, arguments: Value) -> TrialCall {
    TrialCall { server: server.into(), tool: tool.into(), arguments }
}

fn command(text: &str) -> TrialCall {
    call("desktop-commander", "start_process", json!({"command": text, "timeout_ms": 1000}))
}

#[test]
fn no_rule_that_is_written_by_hand_lifts_another() {
    let desk = Desk::new();
    let hand = desk.tools.hand(&desk.layout);
    let push = Stated::read("No push before the tests have run.", &hand, 2026, 0).unwrap();
    let except = Stated::read("Never delete anything except in build/.", &hand, 2026, 1).unwrap();
    // Whatever the others wait for or make an exception of, it is derived for every call.
    let mut text = "deny(\"never\") :- did(\"mail\"), given(\"bcc\").\n".to_owned();
    for written in [&push.written.text, &except.written.text] {
        for line in written.lines() {
            let head = line.split(" :- ").next().unwrap().trim_end_matches('.');
            if !head.starts_with("deny(") {
                let variables = head.contains('(') && !head.contains('"');
                let body =
                    if variables { head.replace(|letter: char| letter != 'R', "") } else { String::new() };
                let body = if body.is_empty() { "server(_)".into() } else { "involves(_, R)".to_owned() };
                text.push_str(&format!("{head} :- {body}.\n"));
            }
        }
    }
    assert!(text.contains("milestone("), "{text}");
    let own = desk.read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}")).stated;
    let calls = [command("ls"), command("git push origin main"), command("rm -r src")];
    let without = desk.broken(vec![push.clone(), except.clone()], &calls);
    assert_eq!(without, [0, 1, 1]);
    assert_eq!(desk.broken(vec![push, except, own], &calls), without);
}

#[test]
fn a_milestone_of_ones_own_is_waited_for() {
    let desk = Desk::new();
    let text = "milestone(\"looked\") :- program(\"ls\").\n\
                deny(\"look first\") :- program(\"rm\"), not earlier(\"looked\").\n";
    let rules = desk.read(text, &[]).unwrap();
    assert_eq!(rules.odd, []);
    let calls = [command("rm a"), command("ls"), command("rm a")];
    assert_eq!(desk.broken(vec![rules.stated], &calls), [1, 0, 0]);
}

#[test]
fn data_is_followed_from_where_it_is_said() {
    let desk = Desk::new();
    let text = "deny(\"salaries stay here\") :- sends(F, R), carries(F, \"salaries\"), on_network(R).\n";
    let rules = desk.read(text, &["salaries=path:$workspace/hr".to_owned()]).unwrap();
    let mail = call("gmail", "send_email", json!({"to": ["a@b.example"], "subject": "s", "body": "b"}));
    let read = |path: &str| call("filesystem", "read_file", json!({"path": path}));
    let stated = rules.stated;
    let plain = [read("/home/u/p/a.md"), mail.clone()];
    assert_eq!(desk.broken(vec![stated.clone()], &plain), [0, 0]);
    assert_eq!(desk.broken(vec![stated], &[read("/home/u/p/hr/pay.csv"), mail]), [0, 1]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let desk = Desk::new();
    let wrong = [
        ("deny(\"x\") :- did(\"mail\")", "1:24"),
        ("deny(\"x\") :-\n  not output(F, R).", "2:7"),
        ("deny(\"x\") :- given(\"colour\").", "1:14"),
        ("deny(\"x\") :- argument(\"colour\", V), V = \"red\".", "1:14"),
        ("% all of it\ndeny(\"x\") :- server(\"gmial\").", "2:14"),
        ("deny(\"x\") :- carries(F, \"hr\").", "1:14"),
        ("deny(\"x\") :- kind(R, \"flie\").", "1:14"),
        ("milestone(X) :- program(X).\ndeny(\"x\") :- program(\"ls\").", "1:1"),
        ("deny(\"x\") :- output(F, R), inside(R, \"$internal\").", "1:28"),
        ("output(F, R) :- input(F, R).\ndeny(\"x\") :- output(F, R).", "1:1"),
        ("helper(F) :- flow(F).", "1:1"),
        ("", "1:1"),
    ];
    for (text, place) in wrong {
        match desk.read(text, &[]) {
            Err(ByHandError::Problems(problems)) => {
                let first = problems.first().unwrap();
                assert_eq!(first.at.to_string(), place, "{text}: {first}");
                assert!(!first.hint.is_empty());
            }
            Err(error) => panic!("{text}: {error}"),
            Ok(_) => panic!("{text}"),
        }
    }
    for follow in ["hr", "hr=folder", "=folder:hr", "hr=room:7", "hr=folder:"] {
        let told = desk.read("deny(\"x\") :- program(\"ls\").", &[follow.to_owned()]);
        assert!(matches!(told, Err(ByHandError::Follow(_))), "{follow}");
    }
}
