//! What rules in plain English cost: finding out the facts of a call and judging it by 20 and by 200 rules, beside
//! perceiving the same call, which has to be done anyway, and beside Cedar with the same rules; and reading a sentence.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where something is wrong"
)]

#[path = "../compare.rs"]
mod compare;
#[path = "../measure.rs"]
mod measure;
mod policies;

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use compare::Case;
use policies::Policies;
use portcullis_invariant::{CallFacts, Circumstances, Hand, History, Rulebook, Stated, Trails};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::{Ground, Layout};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver, Perception};
use serde_json::{Value, json};

const SENTENCES: [&str; 20] = [
    "never email anyone outside acme.com",
    "only write inside docs/",
    "no deploys on Fridays",
    "nothing from hr/ may leave this machine",
    "no sudo",
    "don't install any packages",
    "never touch journal.md",
    "no force pushes",
    "nothing goes to the release branch",
    "don't read anything under private/",
    "no UPDATE or DELETE without a WHERE clause",
    "stay off LinkedIn",
    "no direct messages to anybody",
    "never delete anything in photos/",
    "ask me before buying anything",
    "no meetings before 9:30",
    "never send customer data to external people",
    "no bcc, ever",
    "don't download more than 3 files at once",
    "never pipe a download into a shell",
];

/// With a reason, a time, several parts and leave.
const LONG: [&str; 3] = [
    "Please don't touch anything under migrations/ between 8:00 and 18:00, the shop is open then and we had trouble last time",
    "You may read the wiki as much as you like, but never post links to it in Slack, and no mails about it to people outside acme.com",
    "Nothing that was read from hr/ may end up in a mail, on a page or in a channel, however it gets there, not even in a draft",
];

/// Everything that a call is judged with.
struct Desk {
    ground: Ground,
    formats: Formats,
    profile: Profile,
    arguments: Value,
    perception: Perception,
    hand: Hand,
    history: History,
}

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

impl Desk {
    fn new(server: &str, tool: &str, arguments: Value) -> Desk {
        let catalogue = Catalogue::built_in().unwrap();
        let mut hand = Hand::new(&layout());
        catalogue.servers().for_each(|(server, entry)| hand.add_catalogued(server, entry));
        let profile = catalogue.profile(server, tool).unwrap().clone();
        let (ground, formats) = (layout().ground().unwrap(), Formats::built_in().unwrap());
        let mut desk = Desk {
            ground,
            formats,
            profile,
            arguments,
            perception: Perception::default(),
            hand,
            history: History::default(),
        };
        desk.perception = desk.perceive();
        desk
    }

    fn perceive(&self) -> Perception {
        let none = |_: &str| None;
        let perceiver =
            Perceiver { ground: &self.ground, formats: &self.formats, resolver: &NoLinks, tools: &none };
        perceiver.call_with_particulars(&self.profile, &self.arguments, &Memory::default())
    }

    fn rulebook(&self, rules: usize) -> (Rulebook, Trails) {
        let sentences = SENTENCES.iter().cycle().take(rules).enumerate();
        let stated = sentences.map(|(at, text)| Stated::read(text, &self.hand, 2026, at).unwrap());
        let rulebook = Rulebook::new(stated.collect()).unwrap();
        let mut trails = Trails::default();
        trails.add(rulebook.sources());
        (rulebook, trails)
    }

    fn judge(&self, rulebook: &Rulebook, trails: &Trails) -> usize {
        self.find_out(rulebook, trails, |facts| rulebook.judge(facts).len())
    }

    fn find_out<T>(&self, rulebook: &Rulebook, trails: &Trails, with: impl FnOnce(&CallFacts<'_>) -> T) -> T {
        let known: Vec<&str> = self.profile.known_arguments().collect();
        let carried = trails.carried(1, &self.perception.acts, &[]);
        let secrets = vec![false; self.perception.acts.len()];
        let facts = CallFacts::of(&Circumstances {
            server: "filesystem",
            tool: &self.profile.tool,
            arguments: &self.arguments,
            calls_tools: false,
            known: &known,
            perception: &self.perception,
            secrets: &secrets,
            carried: &carried,
            ground: &self.ground,
            now: Some(jiff::civil::date(2026, 3, 5).at(15, 0, 0, 0)),
            interest: rulebook.interest(),
            history: &self.history,
        });
        with(&facts)
    }
}

fn case(name: &'static str, budget: f64, rules: usize, desk: &Rc<Desk>) -> Case {
    let (rulebook, trails) = desk.rulebook(rules);
    assert_eq!(desk.judge(&rulebook, &trails), 0, "the calls of the benchmark break no rule");
    let (own, other) = (Rc::clone(desk), Rc::clone(desk));
    Case {
        name,
        budget: Some(budget),
        analyse: Box::new(move || {
            black_box(own.judge(&rulebook, &trails));
        }),
        baseline_name: "perceiving the call",
        baseline: Box::new(move || {
            black_box(other.perceive());
        }),
    }
}

/// The same beside Cedar, which is asked about facts that somebody else found out.
fn beside_cedar(name: &'static str, budget: f64, rules: usize, desk: &Rc<Desk>) -> Case {
    let (rulebook, trails) = desk.rulebook(rules);
    let policies = desk.find_out(&rulebook, &trails, |facts| Policies::of(&rulebook, facts));
    assert!(policies.allow(), "the calls of the benchmark break no rule");
    println!("{name}: {} of {rules} rules can be said in Cedar", policies.rules);
    let own = Rc::clone(desk);
    Case {
        name,
        budget: Some(budget),
        analyse: Box::new(move || {
            black_box(own.judge(&rulebook, &trails));
        }),
        baseline_name: "Cedar, the same rules",
        baseline: Box::new(move || {
            black_box(policies.allow());
        }),
    }
}

/// Reading sentences, one after the other.
fn reading(name: &'static str, sentences: &'static [&'static str], desk: &Rc<Desk>) -> Case {
    let (reader, other) = (Rc::clone(desk), Rc::clone(desk));
    let next = Cell::new(0);
    Case {
        name,
        budget: Some(5_000.0),
        analyse: Box::new(move || {
            let at = next.replace((next.get() + 1) % sentences.len());
            black_box(Stated::read(sentences[at], &reader.hand, 2026, 0).unwrap());
        }),
        baseline_name: "perceiving a call",
        baseline: Box::new(move || {
            black_box(other.perceive());
        }),
    }
}

fn main() {
    let write = json!({"path": "docs/api/rows.md", "content": "# Rows\n\nA row has an id and a name.\n"});
    let file = Rc::new(Desk::new("filesystem", "write_file", write));
    let mail = json!({"to": ["ann@acme.com"], "subject": "Minutes", "body": "They are in the wiki."});
    let mail = Rc::new(Desk::new("gmail", "send_email", mail));
    let command = json!({"command": "grep -rn todo src | sort | head -20", "timeout_ms": 1000});
    let shell = Rc::new(Desk::new("desktop-commander", "start_process", command));
    let cases = [
        case("file, 20 rules", 5.0, 20, &file),
        case("file, 200 rules", 30.0, 200, &file),
        case("mail, 20 rules", 5.0, 20, &mail),
        case("mail, 200 rules", 30.0, 200, &mail),
        case("command line, 20 rules", 5.0, 20, &shell),
        case("command line, 200 rules", 30.0, 200, &shell),
        beside_cedar("file, 20 rules, beside Cedar", 5.0, 20, &file),
        beside_cedar("mail, 20 rules, beside Cedar", 5.0, 20, &mail),
        beside_cedar("command line, 20 rules, beside Cedar", 5.0, 20, &shell),
        beside_cedar("mail, 200 rules, beside Cedar", 30.0, 200, &mail),
        reading("reading a sentence", &SENTENCES, &file),
        reading("reading a long sentence", &LONG, &file),
    ];
    compare::run("rules in plain English", &cases);
}
