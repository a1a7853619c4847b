//! Rules and calls at random: whatever can be exported decides as the engine does, known or not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jiff::Span;
use jiff::civil::DateTime;
use portcullis_invariant::cedar::{self, Policy};
use portcullis_invariant::meaning::Place;
use portcullis_invariant::trial::{Judged, Trial, TrialCall};
use portcullis_invariant::{Rulebook, Stated, Toolbox, Written};
use portcullis_perceive::layout::{Ground, Layout};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::evaluator::{Evaluator, Said, engine};

pub(crate) static TOOLS: LazyLock<Toolbox> = LazyLock::new(|| {
    let mut tools = Toolbox::new().unwrap();
    tools.connect_all();
    let arguments = json!({"database": {"type": "string"}, "collection": {"type": "string"}, "limit": {"type": "number"}});
    let find = json!({"name": "find", "inputSchema": {"type": "object", "properties": arguments}});
    tools.define("mongodb", &find).unwrap();
    tools
});

pub(crate) static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let layout = Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    };
    layout.ground().unwrap()
});

/// Conditions on something of a flow, which `§` stands for. The places that they ask for lie around the names of calls.
fn of_thing() -> Vec<String> {
    let places = [
        "/home/u/p",
        "/home/u/p/hr",
        "/home/u/p/hr/",
        "/",
        "/home/u/p/hr/pay-list.csv",
        "https://docs.acme.com/a",
    ];
    let filters = [
        ("named", "*.csv"),
        ("named", "*.CSV"),
        ("named", "pay*"),
        ("named", "hr"),
        ("named", "hr/*"),
        ("named", ".*"),
        ("last_matches", "\\p{Lu}"),
        ("last_matches", "-"),
        ("in_folder", "hr"),
        ("in_folder", "Human Resources"),
        ("has_word", "pay"),
        ("has_word", "pay lists"),
        ("has_word", "acme"),
        ("is_called", "list"),
        ("has_path", "hr/pay-list.csv"),
        ("has_path", "src"),
        ("has_path", "C04ENG"),
        ("at_host", "acme.com"),
        ("at_host", "ACME.com"),
        ("at_host", "evil.example"),
        ("at_host", "localhost"),
        ("host_like", "acme"),
        ("host_like", "slack"),
        ("host_like", "mydocs"),
        ("host_like", "my-docs"),
        ("host_like", "guardian"),
        ("is_address", "Ann@acme.com"),
        ("has_id", "C04-ENG"),
        ("has_id", "acme/web"),
        ("has_id", "orders"),
        ("has_id", "web"),
        ("is_table", "orders"),
        ("is_table", "public.order"),
        ("is_table", "public"),
        ("glob", "mailto:ann@*"),
        ("glob", "*/\\*"),
        ("starts_with", "/home/u/p/"),
        ("ends_with", "/**"),
        ("contains", "hr"),
    ];
    let facts = [
        "kind(§, \"file\")",
        "kind(§, \"person\")",
        "kind(§, _)",
        "realm(§, \"internal\")",
        "realm(§, \"external\")",
        "public(§)",
        "top_level(§)",
        "on_network(§)",
        "is_person(§)",
        "own(F, §)",
        "earlier_to(\"reads\", §)",
        "earlier_to(_, §)",
    ];
    let around = places.into_iter().flat_map(|place| [("inside", place), ("touches", place)]);
    let filters = around.chain(filters).map(|(filter, with)| format!("{filter}(§, {with:?})"));
    let either = both(filters.chain(facts.map(str::to_owned)));
    let written =
        ["§ != \"mailto:ann@acme.com\"", "§ = \"/home/u/p/hr/**\"", "\"/home/u/p/hr/pay-list.csv\" != §"];
    either.into_iter().chain(written.map(str::to_owned)).collect()
}

/// Conditions on the whole call.
fn of_call() -> Vec<String> {
    let plain = [
        "did(\"mail\")",
        "did(\"delete\")",
        "did(_)",
        "about(\"file\")",
        "given(\"cc\")",
        "choice(_, \"squash\")",
        "database(\"shop\")",
        "program(\"rm\")",
        "branch(\"main\")",
        "server(\"gmail\")",
        "tool(\"gmail.send_email\")",
        "everything",
        "company",
        "measure(\"file\", _)",
        "some_choice",
        "earlier(\"looked\")",
        "earlier(_)",
    ];
    let joined = [
        "choice(A, \"squash\"), has_word(A, \"method\")",
        "program(P), P != \"ls\"",
        "program(P), not glob(P, \"r*\")",
        "branch(B), glob(B, \"release/*\")",
        "branch(B), not glob(B, \"main\"), not ends_with(B, \"x\")",
        "measure(\"recipient\", N), N > 1",
        "measure(\"row\", N), 5 > N",
        "measure(\"result\", N), N >= 10",
        "measure(\"file\", N), N <= 1",
        "calls(\"mail\", C), C > 1",
        "calls(\"reads\", C), C = 1",
        "now(D, W, M), during(D, W, M, \"fri 16:00-24:00\")",
        "now(D, W, M), during(D, W, M, \"thu fri 15:00-16:00\")",
        "now(D, W, M), during(D, W, M, \"2026-03-07..\")",
        "now(D, W, M), not during(D, W, M, \"mon fri mar 09:00-17:00 18:00-19:00\")",
        "now(D, W, M), during(D, W, M, \"day1-6\")",
        "now(D, W, M), not during(D, W, M, \"day7-31\")",
        "now(D, W, M), W = 4, M < 1000",
        "event(E, G, H, I), event_during(E, G, H, I, \"2026-03-01.. 12:00-13:00\")",
        "event(E, G, H, I), event_during(E, G, H, I, \"11:00-12:30\")",
        "event(E, G, H, I), event_during(E, G, H, I, \"13:30-14:00\")",
        "event(E, G, H, I), not event_during(E, G, H, I, \"sat sun\")",
        "event(E, G, H, I), event_within(E, G, H, I, \"day6-6 12:00-14:00\")",
        "event(E, G, H, I), not event_within(E, G, H, I, \"11:00-13:00 13:00-14:00\")",
        "argument(J, V), is_argument(J, \"path\"), ends_with(V, \".csv\")",
        "argument(J, V), is_argument(J, \"merge method\"), V != \"\", not matches(V, \"(?is)^Squash$\")",
        "argument(J, V), is_argument(J, \"command\"), matches(V, \"(?i)(^|[^A-Za-z0-9_])hr([^A-Za-z0-9_]|$)\")",
        "argument(J, V), is_argument(J, \"start\"), date_during(V, \"fri 12:00-13:00\")",
        "argument(J, V), is_argument(J, \"end\"), not date_during(V, \"sat sun\")",
        "argument(J, V), is_argument(J, \"to\"), date_during(V, \"mon\")",
        "argument(\"path\", V), not matches(V, \"\\\\p{Lu}\")",
        "argument(J, V), starts_with(J, \"attendees\"), holds(V, \"mail address\")",
        "argument(J, \"x\"), has_word(J, \"content\")",
        "number(K, L), is_argument(K, \"limit\"), L < 5",
        "number(K, L), has_word(K, \"timeout\"), L != 5",
        "choice(O, U), has_word(O, \"merge method\"), not starts_with(U, \"re\")",
        "choice(_, U), ends_with(U, \"ash\")",
        "text(Y, X), says(X, \"hr\")",
        "text(Y, X), has_word(Y, \"command\"), not says(X, \"^rm\"), says(X, \"$main\")",
        "text(Y, X), says(X, \"order_items\"), not says(X, \"order\")",
        "text(Y, X), holds(X, \"link to acme\")",
        "text(Y, X), not holds(X, \"mail address\"), holds(X, \"list of every column\")",
        "statement(Q, \"delete\")",
        "statement(Q, \"select\"), unlimited(Q)",
        "without_where(Q), not statement(Q, \"update\")",
    ];
    both(plain.map(str::to_owned)).into_iter().chain(joined.map(str::to_owned)).collect()
}

/// Each condition and its opposite.
fn both(conditions: impl IntoIterator<Item = String>) -> Vec<String> {
    conditions.into_iter().flat_map(|condition| [format!("not {condition}"), condition]).collect()
}

/// Conditions on a flow and what it uses.
fn of_flow() -> impl Strategy<Value = Vec<String>> {
    let deed =
        select(vec!["reads", "writes", "changes", "deletes", "moves", "copies", "runs", "sends", "involves"]);
    let object =
        (deed, vec(select(of_thing()), 0..3)).prop_map(|(deed, of)| part(format!("{deed}(F, R)"), "R", &of));
    let source = vec(select(of_thing()), 0..2).prop_map(|of| part("input(F, S)".to_owned(), "S", &of));
    let target = vec(select(of_thing()), 0..3).prop_map(|of| part("output(F, T)".to_owned(), "T", &of));
    let flow = select(vec![
        "flow(F)",
        "secret(F)",
        "not secret(F)",
        "carries(F, \"hr\")",
        "not carries(F, \"hr\")",
        "effect(F, \"write\")",
    ]);
    let optional = |strategy: BoxedStrategy<Vec<String>>| prop_oneof![Just(Vec::new()), strategy];
    let flow = vec(flow, 0..2).prop_map(|all| all.into_iter().map(str::to_owned).collect::<Vec<_>>());
    (object, optional(source.boxed()), optional(target.boxed()), flow)
        .prop_map(|(object, source, target, flow)| [object, source, target, flow].concat())
}

fn part(fact: String, variable: &str, conditions: &[String]) -> Vec<String> {
    let named = conditions.iter().map(|condition| condition.replace('§', variable));
    std::iter::once(fact).chain(named).collect()
}

fn rule() -> impl Strategy<Value = String> {
    let flows = prop_oneof![1 => Just(Vec::new()), 3 => of_flow()];
    let goal = select(vec!["deny", "must_ask"]);
    (goal, vec(select(of_call()), 0..3), flows).prop_map(|(goal, call, flows)| {
        let mut body: Vec<String> = Vec::new();
        // Two conditions on the same variables would be about two facts.
        for one in call {
            let head = one.split('(').next().unwrap_or_default().to_owned();
            if !body.iter().any(|own| own.starts_with(&head)) {
                body.push(one);
            }
        }
        body.extend(flows);
        let body = if body.is_empty() { "did(_)".to_owned() } else { body.join(", ") };
        rule_of(goal, &body)
    })
}

pub(crate) fn rule_of(goal: &str, body: &str) -> String {
    format!("{goal}(\"r\") :- {body}.")
}

/// What rules may derive from.
const DERIVED: &str = r#"
some_choice :- choice(A, "rebase"), has_word(A, "merge method").
some_choice :- measure("row", N), N > 7.
milestone("looked") :- reads(_, R), kind(R, "file").
own(F, R) :- involves(F, R), at_host(R, "acme.com").
own(F, R) :- involves(F, R), kind(R, "file"), not named(R, "*.csv").
"#;

/// Calls that show much of what there is to ask about.
fn calls() -> Vec<(&'static str, &'static str, Value)> {
    let command =
        |text: &str| ("desktop-commander", "start_process", json!({"command": text, "timeout_ms": 1000}));
    let mail = |to: Value, cc: Value| {
        ("gmail", "send_email", json!({"to": to, "cc": cc, "subject": "s", "body": "b"}))
    };
    let event = |start: &str, end: &str| {
        let with = json!([{"email": "eve@evil.example"}]);
        let arguments =
            json!({"calendarId": "primary", "summary": "s", "start": start, "end": end, "attendees": with});
        ("google-calendar", "create-event", arguments)
    };
    let query = |text: &str| ("postgres", "query", json!({"sql": text}));
    vec![
        mail(json!(["ann@acme.com"]), json!([])),
        mail(json!(["eve@evil.example", "ann@acme.com"]), json!(["bob@mail.acme.com"])),
        ("filesystem", "read_file", json!({"path": "hr/pay-list.csv"})),
        ("filesystem", "write_file", json!({"path": "/home/u/p/a.md", "content": "x"})),
        (
            "filesystem",
            "move_file",
            json!({"source": "hr/pay-list.csv", "destination": "Human Resources/x.CSV"}),
        ),
        ("filesystem", "directory_tree", json!({"path": "hr"})),
        ("filesystem", "read_multiple_files", json!({"paths": ["hr/notes.txt", "src/.env"]})),
        ("fetch", "fetch", json!({"url": "https://docs.acme.com/a/b"})),
        ("fetch", "fetch", json!({"url": "https://my-docs.evil.example/hr"})),
        ("fetch", "fetch", json!({"url": "https://www.theguardian.com/uk"})),
        ("fetch", "fetch", json!({"url": "http://127.0.0.1:8080/hr"})),
        ("slack", "slack_post_message", json!({"channel_id": "C04ENG", "text": "x"})),
        (
            "github",
            "merge_pull_request",
            json!({"owner": "acme", "repo": "web", "pull_number": 1, "merge_method": "squash"}),
        ),
        (
            "github",
            "merge_pull_request",
            json!({"owner": "acme", "repo": "web", "pull_number": 1, "merge_method": "rebase"}),
        ),
        (
            "github",
            "create_or_update_file",
            json!({"owner": "acme", "repo": "web", "path": "src/hr/pay-list.csv", "content": "x", "message": "m", "branch": "release/1"}),
        ),
        event("2026-03-06T12:30:00", "2026-03-06T13:30:00"),
        event("2026-03-06T11:45:00", "2026-03-06T12:00:00"),
        event("2026-03-07T14:00:00", "2026-03-07T14:00:00"),
        ("mongodb", "find", json!({"database": "shop", "collection": "orders", "limit": 3})),
        query("SELECT * FROM orders"),
        query("DELETE FROM public.orders"),
        query("UPDATE order_items SET a = 1 WHERE b = 2"),
        query("SELECT FROM WHERE ("),
        command("rm -r hr"),
        command("ls"),
        command("$(cat x) | sh"),
        command("git push origin HEAD:main"),
        command("cp -r hr/ /mnt/x && curl https://acme.com/up -T hr/pay-list.csv"),
        command("terraform apply"),
    ]
}

fn trial_call((server, tool, arguments): (&str, &str, Value)) -> TrialCall {
    TrialCall { server: server.into(), tool: tool.into(), arguments }
}

pub(crate) fn friday() -> DateTime {
    jiff::civil::date(2026, 3, 6).at(16, 0, 0, 0)
}

fn book(texts: &[String]) -> Rulebook {
    let stated = texts.iter().map(String::as_str).chain([DERIVED]).map(|text| {
        let sources = vec![("hr".into(), Place::Folder("hr".into()))];
        Stated { sentence: "r".into(), written: Written { text: text.to_owned(), sources } }
    });
    Rulebook::new(stated.collect()).unwrap_or_else(|error| panic!("{error}\n{texts:?}"))
}

/// Those of several rules that can be exported.
pub(crate) fn fitting(texts: &[String]) -> Vec<String> {
    let exported = cedar::export(&book(texts)).into_iter().zip(texts);
    exported.filter(|(exported, _)| exported.policies.is_ok()).map(|(_, text)| text.clone()).collect()
}

/// A rule, ready for both evaluators.
pub(crate) struct Rules {
    pub(crate) book: Rulebook,
    policies: Vec<Policy>,
    evaluator: Evaluator,
}

impl Rules {
    pub(crate) fn read(texts: &[String]) -> Rules {
        let book = book(texts);
        let exported = cedar::export(&book).into_iter().zip(texts);
        let policies = exported.flat_map(|(exported, text)| {
            exported.policies.unwrap_or_else(|misfit| panic!("{misfit}\n{text}"))
        });
        let policies: Vec<Policy> = policies.collect();
        let evaluator = Evaluator::new(&policies);
        Rules { book, policies, evaluator }
    }

    /// What the engine and Cedar say of a call, the last one made.
    pub(crate) fn asked(
        &self,
        trial: &mut Trial<'_>,
        call: &TrialCall,
        now: DateTime,
    ) -> [BTreeSet<Said>; 2] {
        let mut said = [BTreeSet::new(), BTreeSet::new()];
        let show = &mut |judged: &Judged<'_>| {
            said = [engine(judged), self.evaluator.verdicts(judged)];
        };
        trial.call_shown(call, Some(now), show).unwrap();
        said
    }

    pub(crate) fn text(&self) -> String {
        self.policies.iter().map(|policy| format!("{policy}\n")).collect()
    }
}

/// Compares rules on all calls, each made first and once more on a Saturday. Most rules must tell calls apart.
fn on_all_calls(texts: &[String]) {
    let rules = Rules::read(texts);
    let mut broken: BTreeMap<usize, usize> = BTreeMap::new();
    for call in calls().into_iter().map(trial_call) {
        let mut trial = Trial::new(&TOOLS, &GROUND, &rules.book);
        for now in [friday(), friday().saturating_add(Span::new().hours(17))] {
            let [engine, cedar] = rules.asked(&mut trial, &call, now);
            let differ = engine.symmetric_difference(&cedar).filter_map(|(rule, _)| texts.get(rule - 1));
            assert_eq!(engine, cedar, "{call:?}: {:?}", differ.collect::<Vec<_>>());
            engine.iter().for_each(|(rule, _)| *broken.entry(*rule).or_default() += 1);
        }
    }
    let times = |rule| broken.get(&rule).copied().unwrap_or_default();
    let blunt = texts.iter().zip(1..).filter(|(_, rule)| !(1..2 * calls().len()).contains(&times(*rule)));
    let blunt: Vec<&String> = blunt.map(|(text, _)| text).collect();
    assert!(blunt.len() * 5 < texts.len(), "all calls or none break {blunt:#?}");
}

#[test]
fn each_condition_on_a_call_decides_as_the_rule_does() {
    on_all_calls(&of_call().iter().map(|condition| rule_of("deny", condition)).collect::<Vec<_>>());
}

#[test]
fn each_condition_on_a_thing_decides_as_the_rule_does() {
    let on =
        |condition: &String| rule_of("must_ask", &format!("involves(F, R), {}", condition.replace('§', "R")));
    on_all_calls(&of_thing().iter().map(on).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_exported_rule_decides_as_the_rule_does(
        text in rule(),
        before in vec(select(calls()).prop_map(trial_call), 0..3),
        asked in vec(select(calls()).prop_map(trial_call), 1..4),
    ) {
        let rules = Rules::read(std::slice::from_ref(&text));
        let mut trial = Trial::new(&TOOLS, &GROUND, &rules.book);
        for call in before.iter().chain(&asked) {
            let [engine, cedar] = rules.asked(&mut trial, call, friday());
            prop_assert_eq!(engine, cedar, "{:?}\n{}\n{}", call, text, rules.text());
        }
    }
}
