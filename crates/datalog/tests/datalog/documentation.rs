//! The manual says nothing that is not so: every example in it is run.

use portcullis_datalog::{Fuel, Program};

use crate::example::{self, Situation};

const MANUAL: &str = include_str!("../../../../docs/datalog.md");

#[test]
fn the_manual_is_right() {
    let schema = example::schema();
    let (mut program, mut facts, mut checked) = (String::new(), String::new(), 0);
    for (kind, text) in blocks(MANUAL) {
        match kind {
            "datalog" => program = text,
            "facts" => facts = text,
            "answers" => {
                let (known, unknown) = facts.split_once("unknown ").unwrap_or((&facts, ""));
                let unknown: Vec<String> =
                    unknown.split_whitespace().map(|name| name.trim_end_matches('.').to_owned()).collect();
                let situation = Situation::read(known, &unknown);
                let program = example::program(&program, &schema);
                assert_eq!(program.warnings(), [], "{program}");
                let facts = situation.facts(&schema);
                let answers = program.evaluate(&facts, Fuel::default()).unwrap();
                let told: String = answers.iter().map(|answer| example::line(answer) + "\n").collect();
                assert_eq!(told, text, "{program}");
                checked += 1;
            }
            "problems" => {
                let told = Program::parse(&program, &schema).unwrap_err().to_string();
                assert_eq!(told + "\n", text, "{program}");
                checked += 1;
            }
            other => panic!("the manual has a block of `{other}`, which nothing checks"),
        }
    }
    let written = blocks(MANUAL).iter().filter(|(kind, _)| *kind == "datalog").count();
    assert_eq!(checked, written, "a program in the manual has no result");
}

fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((kind, inside.map(|line| format!("{line}\n")).collect()));
        }
    }
    blocks
}
