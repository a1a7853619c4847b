//! Programs as data: those that are refused and with which words, those that run and what they answer.

use portcullis_datalog::{Fuel, Program};
use serde::Deserialize;

use crate::example;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refused {
    case: Vec<Refusal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    name: String,
    program: String,
    /// All problems as they are told.
    problems: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Running {
    case: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    name: String,
    program: String,
    #[serde(default)]
    warnings: String,
    calls: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    #[serde(default)]
    facts: String,
    #[serde(default)]
    unknown: Vec<String>,
    answers: Vec<String>,
}

#[test]
fn bad_programs_are_refused_with_place_and_hint() {
    let refused: Refused = toml::from_str(include_str!("../data/refused.toml")).unwrap();
    let schema = example::schema();
    let mut wrong = Vec::new();
    for case in refused.case {
        let told = match Program::parse(&case.program, &schema) {
            Ok(program) => format!("accepted, as\n{program}"),
            Err(problems) => problems.to_string(),
        };
        if told.trim() != case.problems.trim() {
            wrong.push(format!("== {}\n{}\n-- is told\n{told}", case.name, case.program));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_programs_answer_and_say_why() {
    let running: Running = toml::from_str(include_str!("../data/running.toml")).unwrap();
    let schema = example::schema();
    let mut wrong = Vec::new();
    for case in running.case {
        let program = example::program(&case.program, &schema);
        let warnings: Vec<String> = program.warnings().iter().map(ToString::to_string).collect();
        if warnings.join("\n").trim() != case.warnings.trim() {
            wrong.push(format!("== {}\n-- warns\n{}", case.name, warnings.join("\n")));
        }
        for call in case.calls {
            let situation = example::Situation::read(&call.facts, &call.unknown);
            let facts = situation.facts(&schema);
            let answers = program.evaluate(&facts, Fuel::default()).unwrap();
            let answers: Vec<String> = answers.iter().map(example::line).collect();
            if answers != call.answers {
                let unknown = call.unknown;
                wrong.push(format!("== {}\n{} {unknown:?}\n-- answers\n{answers:#?}", case.name, call.facts));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
