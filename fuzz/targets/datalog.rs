//! Any text as a program over facts, and facts behind a line of dashes: reading never panics, problems point into the
//! text, what is accepted is printed so that it is read back, and evaluation with little fuel ends, the same way twice.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_datalog::{Facts, Fuel, Kind, Program, Schema, Source, Term, Value, read};

const PREDICATES: &[(&str, &[Kind])] = &[
    ("program", &[Kind::Text]),
    ("argument", &[Kind::Text]),
    ("output", &[Kind::Text, Kind::Text]),
    ("edge", &[Kind::Text, Kind::Text]),
    ("amount", &[Kind::Number]),
    ("login", &[]),
];

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (rules, facts) = text.split_once("\n---\n").unwrap_or((&text, ""));
    let schema = schema();
    let program = match Program::parse(rules, &schema) {
        Ok(program) => program,
        Err(problems) => {
            for problem in problems.as_slice() {
                let line = rules.split('\n').nth((problem.at.line as usize).wrapping_sub(1));
                let line = line.unwrap_or_else(|| panic!("{problem} points outside {rules:?}"));
                assert!(problem.at.column as usize <= line.chars().count() + 1, "{problem} in {line:?}");
                let shown = problem.to_string();
                let is_odd = |letter: char| letter.is_control() && letter != '\n';
                assert!(!shown.contains(is_odd), "{shown:?}");
            }
            return;
        }
    };
    let printed = program.to_string();
    let again = Program::parse(&printed, &schema).unwrap_or_else(|problems| panic!("{problems}\n{printed}"));
    assert_eq!(program.rules(), again.rules(), "{text:?} became {printed:?}");
    evaluate(&program, &again, facts, &schema);
});

/// Facts are written as rules without conditions; `_` is a value that is unknown, `unknown(name)` a whole predicate.
fn evaluate(program: &Program, again: &Program, text: &str, schema: &Schema) {
    let rows = read(text, Source::default()).unwrap_or_default();
    let mut facts = Facts::new(schema);
    for row in &rows {
        let values: Vec<Value<'_>> = row.head.arguments.iter().map(value).collect();
        match (schema.id(&row.head.predicate), values.first()) {
            // One that does not fit makes its predicate unknown, which is a case of its own.
            (Some(id), _) => _ = facts.add(id, &values),
            (None, Some(Value::Text(name))) => schema.id(name).into_iter().for_each(|id| facts.unknown(id)),
            (None, _) => {}
        }
    }
    let little = Fuel { facts: 200, steps: 5_000 };
    let more = Fuel { facts: 400, steps: 10_000 };
    let answers = program.evaluate(&facts, little);
    assert_eq!(answers, again.evaluate(&facts, little));
    if answers.is_ok() {
        assert_eq!(answers, program.evaluate(&facts, more), "more fuel changed an answer");
    }
}

fn schema() -> Schema {
    let mut schema = Schema::new();
    for (name, columns) in PREDICATES {
        schema.predicate(name, columns, "").expect("the names are good");
    }
    schema
}

fn value(term: &Term) -> Value<'_> {
    match term {
        Term::Constant(constant) => constant.value(),
        Term::Anonymous | Term::Variable(_) => Value::Unknown,
    }
}
