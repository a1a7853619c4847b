//! Beside clingo, an engine that shares nothing with ours: the same goals for generated programs with recursion,
//! negation and comparisons. The interpreter that has it is named by `PORTCULLIS_CLINGO_PYTHON`; `scripts/test` sets
//! that, and everywhere else the test says that it did not run.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use portcullis_datalog::{Fuel, Program, Rule};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::example::{self, Situation};
use crate::generate::{self, Choices};

const PROGRAMS: usize = 1_000;

#[test]
fn clingo_reaches_the_same_goals() {
    let Some(python) = std::env::var_os("PORTCULLIS_CLINGO_PYTHON") else {
        let message = "NOT RUN: clingo_reaches_the_same_goals, since PORTCULLIS_CLINGO_PYTHON is not set\n";
        // Past the test runner, which would keep it to itself.
        std::io::stderr().write_all(message.as_bytes()).unwrap();
        return;
    };
    let batch = batch();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/datalog/oracle.py");
    let mut process =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(batch.as_bytes()));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{told}");
    assert_eq!(told.trim(), format!("solved {PROGRAMS} with clingo 5.8.2"), "{told}");
}

fn batch() -> String {
    let schema = example::schema();
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 100..500);
    let mut batch = String::new();
    let mut reached = 0;
    for _ in 0..PROGRAMS {
        let bytes = bytes.new_tree(&mut runner).unwrap().current();
        let mut choices = Choices::new(&bytes);
        choices.has_filters = false;
        let situation = Situation { rows: choices.facts(), unknown: Vec::new() };
        let mut rules = choices.rules();
        rules.extend(generate::everything_told());
        let program = Program::compile(rules, &schema).unwrap_or_else(|problems| panic!("{problems}"));
        let facts = situation.facts(&schema);
        let answers = program.evaluate(&facts, Fuel::default()).unwrap();
        let expected: BTreeSet<String> =
            answers.iter().map(|answer| format!("{}({})", answer.goal.name(), answer.reason)).collect();
        reached += expected.len();
        let facts: String = situation.rows.iter().map(|fact: &Rule| format!("{fact}\n")).collect();
        let case = serde_json::json!({ "program": format!("{facts}{program}"), "expected": expected });
        batch += &format!("{case}\n");
    }
    assert!(reached > 5 * PROGRAMS, "the programs say too little to compare: {reached} goals");
    batch
}
