//! A session that does ever new things: what is remembered is bounded, and what is not remembered stops calls.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_invariant::meaning::Verdict;
use portcullis_invariant::trial::{Trial, TrialCall};
use portcullis_invariant::{Breach, History, MOST_KEYS, Rulebook, Stated, Toolbox};
use portcullis_perceive::layout::{Ground, Layout};
use serde_json::{Value, json};

const FULL: &str = "the session has done more different things than are remembered";

struct Desk {
    tools: Toolbox,
    layout: Layout,
    ground: Ground,
}

impl Desk {
    fn new() -> Desk {
        let mut tools = Toolbox::new().unwrap();
        ["gmail", "filesystem"].iter().for_each(|server| tools.connect(server).unwrap());
        let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
        let ground = layout.clone().ground().unwrap();
        Desk { tools, layout, ground }
    }

    fn book(&self, sentence: &str) -> Rulebook {
        let hand = self.tools.hand(&self.layout);
        Rulebook::new(vec![Stated::read(sentence, &hand, 2026, 0).unwrap()]).unwrap()
    }

    /// What a call breaks after others.
    fn breaches(&self, sentence: &str, history: &History, calls: &[TrialCall]) -> Vec<Breach> {
        let book = self.book(sentence);
        let mut trial = Trial::new(&self.tools, &self.ground, &book).after(history.clone());
        let tried = calls.iter().map(|call| trial.call(call, None).unwrap().breaches);
        tried.last().unwrap_or_default()
    }
}

/// All that fits, and more.
fn full() -> History {
    let mut history = History::default();
    (0..=MOST_KEYS).for_each(|number| history.add(&[format!("something {number}")]));
    assert!(!history.is_whole());
    history
}

fn call(server: &str, tool: &str, arguments: Value) -> TrialCall {
    TrialCall { server: server.into(), tool: tool.into(), arguments }
}

fn mail(to: &str) -> TrialCall {
    call("gmail", "send_email", json!({"to": [to], "subject": "s", "body": "b"}))
}

fn edit(path: &str) -> TrialCall {
    call("filesystem", "write_file", json!({"path": path, "content": "x"}))
}

fn reading(path: &str) -> TrialCall {
    call("filesystem", "read_file", json!({"path": path}))
}

#[test]
fn what_may_have_been_forgotten_stops_a_call_with_words() {
    let desk = Desk::new();
    let cases = [
        ("No more than 2 emails per session.", Verdict::Deny, mail("ann@acme.com")),
        ("Ask me before sending more than 2 emails per session.", Verdict::Ask, mail("ann@acme.com")),
        ("Read a file before you edit it.", Verdict::Deny, edit("/home/u/p/a.md")),
    ];
    for (sentence, verdict, call) in cases {
        let breaches = desk.breaches(sentence, &full(), std::slice::from_ref(&call));
        let [breach] = breaches.as_slice() else { panic!("{sentence}: {breaches:?}") };
        assert_eq!((breach.verdict, breach.certain), (verdict, false), "{sentence}");
        assert!(breach.because.iter().any(|because| because == FULL), "{sentence}: {breach:?}");
    }
}

#[test]
fn a_full_history_stops_nothing_that_no_rule_asks_about() {
    let desk = Desk::new();
    for sentence in ["No more than 2 emails per session.", "Read a file before you edit it."] {
        let breaches = desk.breaches(sentence, &full(), &[reading("/home/u/p/a.md")]);
        assert_eq!(breaches, [], "{sentence}");
    }
    assert_eq!(desk.breaches("Never delete anything.", &full(), &[mail("ann@acme.com")]), []);
}

#[test]
fn what_was_done_before_it_was_full_counts_as_it_is() {
    let desk = Desk::new();
    // The first mail is counted while there is room.
    let mut history = History::default();
    let book = desk.book("No more than 2 emails per session.");
    history.add(&["mail".to_owned(), "send".to_owned(), "sends".to_owned()]);
    (0..=MOST_KEYS).for_each(|number| history.add(&[format!("something {number}")]));
    let mut trial = Trial::new(&desk.tools, &desk.ground, &book).after(history);
    assert_eq!(trial.call(&mail("ann@acme.com"), None).unwrap().breaches, []);
    let third = trial.call(&mail("ann@acme.com"), None).unwrap().breaches;
    assert!(third.iter().any(|breach| breach.certain), "{third:?}");
}

#[test]
fn an_empty_history_is_known_to_be_empty() {
    let desk = Desk::new();
    let none = History::default();
    assert_eq!(desk.breaches("No more than 2 emails per session.", &none, &[mail("ann@acme.com")]), []);
    let read_first = [reading("/home/u/p/a.md"), edit("/home/u/p/a.md")];
    assert_eq!(desk.breaches("Read a file before you edit it.", &none, &read_first), []);
    let breaches = desk.breaches("Read a file before you edit it.", &none, &[edit("/home/u/p/a.md")]);
    assert!(breaches.iter().any(|breach| breach.certain), "{breaches:?}");
}

#[test]
fn a_call_to_more_people_than_are_counted_is_not_taken_for_harmless() {
    let desk = Desk::new();
    let many: Vec<String> = (0..400).map(|number| format!("p{number}@acme.com")).collect();
    let all = call("gmail", "send_email", json!({"to": many, "subject": "s", "body": "b"}));
    let sentence = "Never mail the same person more than once.";
    let breaches = desk.breaches(sentence, &History::default(), &[all, mail("p399@acme.com")]);
    assert!(!breaches.is_empty(), "the last of them was mailed already");
}
