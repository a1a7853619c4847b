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
mod desk;
#[path = "../measure.rs"]
mod measure;
mod policies;

use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

use compare::Case;
use desk::{Desk, SENTENCES};
use policies::Policies;
use portcullis_invariant::Stated;

/// With a reason, a time, several parts and leave.
const LONG: [&str; 3] = [
    "Please don't touch anything under migrations/ between 8:00 and 18:00, the shop is open then and we had trouble last time",
    "You may read the wiki as much as you like, but never post links to it in Slack, and no mails about it to people outside acme.com",
    "Nothing that was read from hr/ may end up in a mail, on a page or in a channel, however it gets there, not even in a draft",
];

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
    let [file, mail, shell] = [desk::file(), desk::mail(), desk::command()].map(Rc::new);
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
