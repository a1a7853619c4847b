//! Twenty rules in plain English, judged by Portcullis, by `regorus` and by `biscuit-auth`, which are given much the same rules and
//! facts that somebody else found out.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where something is wrong"
)]

mod biscuit;
#[path = "../compare.rs"]
mod compare;
#[path = "../invariant/desk.rs"]
mod desk;
#[path = "../measure.rs"]
mod measure;
mod rego;

use std::hint::black_box;
use std::rc::Rc;

use compare::Case;
use desk::Desk;

/// A call as others are told of it.
pub(crate) struct Told {
    pub(crate) rego: &'static str,
    pub(crate) biscuit: &'static str,
    /// The same with something that a rule forbids, by which it is seen that the rules are looked at.
    pub(crate) broken: (&'static str, &'static str),
}

const FILE: Told = Told {
    rego: include_str!("calls/file.json"),
    biscuit: include_str!("calls/file.datalog"),
    broken: (include_str!("calls/file-broken.json"), include_str!("calls/file-broken.datalog")),
};
const MAIL: Told = Told {
    rego: include_str!("calls/mail.json"),
    biscuit: include_str!("calls/mail.datalog"),
    broken: (include_str!("calls/mail-broken.json"), include_str!("calls/mail-broken.datalog")),
};
const COMMAND: Told = Told {
    rego: include_str!("calls/command.json"),
    biscuit: include_str!("calls/command.datalog"),
    broken: (include_str!("calls/command-broken.json"), include_str!("calls/command-broken.datalog")),
};

/// Portcullis beside each of the others.
fn cases(names: [&'static str; 3], budget: f64, times: usize, desk: &Rc<Desk>, told: &Told) -> Vec<Case> {
    let rego = rego::Rego::new(times);
    assert!(rego.allows(told.rego) && !rego.allows(told.broken.0), "regorus: {}", names[0]);
    assert!(
        rego.machine_allows(told.rego) && !rego.machine_allows(told.broken.0),
        "its machine: {}",
        names[0]
    );
    let biscuit = biscuit::Biscuit::new(times);
    assert!(biscuit.allows(told.biscuit) && !biscuit.allows(told.broken.1), "biscuit: {}", names[0]);
    let others: [(&'static str, Box<dyn Fn()>); 3] = [
        ("regorus, its machine", rego.judging_by_machine(told.rego)),
        ("regorus, its engine", rego.judging(told.rego)),
        ("biscuit-auth", biscuit.judging(told.biscuit)),
    ];
    let case = |(name, (baseline_name, baseline)): (&'static str, (&'static str, Box<dyn Fn()>))| {
        let (rulebook, trails) = desk.rulebook(20 * times);
        let own = Rc::clone(desk);
        assert_eq!(own.judge(&rulebook, &trails), 0, "the calls of the benchmark break no rule");
        Case {
            name,
            budget: Some(budget),
            analyse: Box::new(move || {
                black_box(own.judge(&rulebook, &trails));
            }),
            baseline_name,
            baseline,
        }
    };
    names.into_iter().zip(others).map(case).collect()
}

/// What each case is called, beside which of the others.
const NAMES: [[&str; 3]; 4] = [
    ["file, 20 rules: machine", "file, 20 rules: engine", "file, 20 rules: biscuit"],
    ["mail, 20 rules: machine", "mail, 20 rules: engine", "mail, 20 rules: biscuit"],
    ["command line, 20 rules: machine", "command line, 20 rules: engine", "command line, 20 rules: biscuit"],
    ["mail, 200 rules: machine", "mail, 200 rules: engine", "mail, 200 rules: biscuit"],
];

fn main() {
    let [file, mail, command] = [desk::file(), desk::mail(), desk::command()].map(Rc::new);
    let [files, mails, commands, many] = NAMES;
    let all: Vec<Case> = [
        cases(files, 5.0, 1, &file, &FILE),
        cases(mails, 5.0, 1, &mail, &MAIL),
        cases(commands, 5.0, 1, &command, &COMMAND),
        cases(many, 30.0, 10, &mail, &MAIL),
    ]
    .into_iter()
    .flatten()
    .collect();
    compare::run("rules in plain English beside relatives", &all);
}
