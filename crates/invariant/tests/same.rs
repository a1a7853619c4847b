//! Rules that want the same value in an earlier call: "look at a pull request's checks before you merge it".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use portcullis_invariant::cedar::export;
use portcullis_invariant::meaning::{Case, Meaning, Test, Verdict};
use portcullis_invariant::trial::{Trial, TrialCall};
use portcullis_invariant::{
    Breach, CallFacts, History, PastCircumstances, Rulebook, Stated, Toolbox, Untold, write,
};
use portcullis_lattice::{Call, Server, Standing};
use portcullis_perceive::layout::{Ground, Layout};
use proptest::prelude::*;
use serde_json::{Value, json};

const FULL: &str = "the session has done more different things than are remembered";

struct Desk {
    tools: Toolbox,
    ground: Ground,
}

impl Desk {
    fn new() -> Desk {
        let mut tools = Toolbox::new().unwrap();
        ["gmail", "filesystem", "github"].iter().for_each(|server| tools.connect(server).unwrap());
        let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
        Desk { tools, ground: layout.ground().unwrap() }
    }

    /// What the last of some calls breaks.
    fn breaches(&self, book: &Rulebook, history: &History, calls: &[TrialCall]) -> Vec<Breach> {
        let mut trial = Trial::new(&self.tools, &self.ground, book).after(history.clone());
        let tried = calls.iter().map(|call| trial.call(call, None).unwrap().breaches);
        tried.last().unwrap_or_default()
    }
}

/// A tool that is not called unless (or once) an earlier call did something with the same value.
fn book(tool: &str, what: &[&str], names: &[&str], is: bool) -> Rulebook {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let same = Test::EarlierSame { what: texts(what), names: texts(names), is };
    let tool = Test::Tool { names: vec![tool.to_owned()], is: true };
    let case = Case { tests: vec![tool, same], ..Case::default() };
    let written = write(&[Meaning { verdict: Verdict::Deny, cases: vec![case] }], "r", "rule_0").unwrap();
    Rulebook::new(vec![Stated { sentence: "r".into(), written }]).unwrap()
}

fn looked_at_first() -> Rulebook {
    book("github.merge_pull_request", &["reads"], &["pull number"], false)
}

fn call(server: &str, tool: &str, arguments: Value) -> TrialCall {
    TrialCall { server: server.into(), tool: tool.into(), arguments }
}

fn pull(tool: &str, number: Value) -> TrialCall {
    call("github", tool, json!({"owner": "o", "repo": "r", "pull_number": number}))
}

fn look(number: i64) -> TrialCall {
    pull("get_pull_request_status", json!(number))
}

fn merge(number: i64) -> TrialCall {
    pull("merge_pull_request", json!(number))
}

/// A history of which nobody knows which values calls had that did this.
fn forgetful(act: &str) -> History {
    History::from(BTreeMap::from([(format!("\tsame {act}\t"), 1)]))
}

#[test]
fn what_was_not_looked_at_is_not_merged() {
    let (desk, book, none) = (Desk::new(), looked_at_first(), History::default());
    let breaks = |calls: &[TrialCall]| desk.breaches(&book, &none, calls);
    assert_eq!(breaks(&[look(7), merge(7)]), []);
    assert_eq!(breaks(&[look(7), look(8), merge(7)]), []);
    let text = pull("get_pull_request_status", json!("7"));
    assert_eq!(breaks(&[text, merge(7)]), [], "a number that is written as a text");
    let issue = call("github", "get_issue", json!({"owner": "o", "repo": "r", "issue_number": 7}));
    assert_eq!(breaks(&[issue, merge(7)]), [], "whatever the argument was called");
    for calls in [vec![merge(7)], vec![look(8), merge(7)], vec![look(17), look(70), merge(7)]] {
        assert!(breaks(&calls).iter().any(|breach| breach.certain), "{calls:?}");
    }
    let nameless = call("github", "merge_pull_request", json!({"owner": "o", "repo": "r"}));
    assert!(!breaks(&[look(7), nameless]).is_empty(), "which one is not said");
    assert_eq!(breaks(&[look(8)]), [], "looking is free");
}

#[test]
fn that_two_calls_both_say_true_or_nothing_is_no_value_that_they_share() {
    let (desk, none) = (Desk::new(), History::default());
    let book = book("github.merge_pull_request", &["reads"], &["squash", "commit title"], false);
    let with = |tool: &str, value: Value| {
        call("github", tool, json!({"owner": "o", "pull_number": 7, "squash": value, "commit_title": " "}))
    };
    for value in [json!(true), json!(false), json!("")] {
        let calls = [with("get_pull_request", value.clone()), with("merge_pull_request", value)];
        assert!(!desk.breaches(&book, &none, &calls).is_empty(), "{calls:?}");
    }
}

#[test]
fn every_value_of_a_list_must_have_been_seen() {
    let (desk, none) = (Desk::new(), History::default());
    let read = |id: &str| call("gmail", "read_email", json!({"messageId": id}));
    let delete = |ids: &[&str]| call("gmail", "batch_delete_emails", json!({"messageIds": ids}));
    let unread = book("gmail.batch_delete_emails", &["reads"], &["message ids"], false);
    assert_eq!(desk.breaches(&unread, &none, &[read("m1"), read("m2"), delete(&["m1", "m2"])]), []);
    assert!(!desk.breaches(&unread, &none, &[read("m1"), delete(&["m1", "m2"])]).is_empty());
    let once_read = book("gmail.batch_delete_emails", &["reads"], &["message ids"], true);
    assert!(!desk.breaches(&once_read, &none, &[read("m1"), delete(&["m1", "m2"])]).is_empty());
    assert_eq!(desk.breaches(&once_read, &none, &[read("m3"), delete(&["m1", "m2"])]), []);
}

#[test]
fn what_may_have_been_forgotten_stops_a_call_with_words() {
    let desk = Desk::new();
    for is in [false, true] {
        let book = book("github.merge_pull_request", &["reads"], &["pull number"], is);
        let breaches = desk.breaches(&book, &forgetful("reads"), &[merge(7)]);
        let [breach] = breaches.as_slice() else { panic!("{breaches:?}") };
        assert!(!breach.certain && breach.because.iter().any(|because| because == FULL), "{breach:?}");
        let other = desk.breaches(&book, &forgetful("writes"), &[merge(7)]);
        assert_eq!(other.is_empty(), is, "what writes had is not asked: {other:?}");
    }
    let again = desk.breaches(&looked_at_first(), &forgetful("reads"), &[look(7), merge(7)]);
    assert_eq!(again, [], "what is remembered counts");
}

#[test]
fn a_call_with_more_values_than_are_kept_is_not_taken_for_one_without_them() {
    let (desk, none) = (Desk::new(), History::default());
    let paths: Vec<String> = (0..40).map(|number| format!("/home/u/p/{number}.md")).collect();
    let many = call("filesystem", "read_multiple_files", json!({ "paths": paths }));
    let write = |path: &str| call("filesystem", "write_file", json!({"path": path, "content": "x"}));
    let calls = [many, write("/home/u/p/39.md")];
    for is in [false, true] {
        let book = book("filesystem.write_file", &["reads"], &["path"], is);
        assert!(!desk.breaches(&book, &none, &calls).is_empty(), "{is}");
    }
}

#[test]
fn of_a_past_call_nobody_knows_which_values_were_had_before() {
    let server = Server { name: "github".into(), standing: Standing::Known };
    let past = Call { server, flows: Vec::new() };
    for is in [false, true] {
        let book = book("github.merge_pull_request", &["reads"], &["pull number"], is);
        let facts = CallFacts::of_past(&PastCircumstances {
            tool: "merge_pull_request",
            call: &past,
            arguments: &["pull_number".to_owned()],
            untold: Untold { in_part: false, delegates: false, code: false, nested: false },
            interest: book.interest(),
            workspace: "/home/u/p",
            now: jiff::civil::date(2026, 3, 6).at(15, 0, 0, 0),
        });
        let breaches = book.judge(&facts);
        assert!(breaches.iter().any(|breach| !breach.certain), "{is}: {breaches:?}");
    }
}

#[test]
fn rules_about_values_of_earlier_calls_are_not_exported() {
    for is in [false, true] {
        let book = book("github.merge_pull_request", &["reads"], &["pull number"], is);
        assert!(export(&book).pop().unwrap().policies.is_err(), "{is}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The theorem: a call passes exactly if an earlier call is known to have had its value, and where values were
    /// forgotten nothing passes that did not pass before.
    #[test]
    fn a_call_passes_exactly_if_an_earlier_call_had_its_value(
        steps in prop::collection::vec((any::<bool>(), any::<bool>(), 0i64..6), 1..24),
        forgets in any::<bool>(),
    ) {
        let desk = Desk::new();
        let (unless, once) = (looked_at_first(), book("github.merge_pull_request", &["reads"], &["pull number"], true));
        let history = if forgets { forgetful("reads") } else { History::default() };
        let mut guarded = Trial::new(&desk.tools, &desk.ground, &unless).after(history.clone());
        let mut barred = Trial::new(&desk.tools, &desk.ground, &once).after(history);
        let mut seen = BTreeSet::new();
        for (is_merge, is_text, number) in steps {
            let value = if is_text { json!(number.to_string()) } else { json!(number) };
            let tool = if is_merge { "merge_pull_request" } else { "get_pull_request" };
            let call = pull(tool, value);
            let is_refused = !guarded.call(&call, None).unwrap().breaches.is_empty();
            let is_barred = !barred.call(&call, None).unwrap().breaches.is_empty();
            prop_assert_eq!(is_refused, is_merge && !seen.contains(&number));
            prop_assert_eq!(is_barred, is_merge && (forgets || seen.contains(&number)));
            if !is_merge {
                seen.insert(number);
            }
        }
    }
}
