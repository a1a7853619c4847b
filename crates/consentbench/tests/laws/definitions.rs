//! Where the definitions of tools come from.

use std::time::Duration;

use portcullis_consentbench::{Definitions, Workbench};
use portcullis_lattice::Decision::{Ask, Permit};
use serde_json::{Value, json};

use crate::made_up::{line, read};

fn notes(tool: &str, expect: &str) -> Value {
    json!({"tool": format!("notes.{tool}"), "args": {"id": "n1"}, "in": {"class": "intnet", "resource": "notes:n1"},
           "out": {"class": "ctxt"}, "effects": ["read"], "taint": "untainted", "expect": expect})
}

fn tool(name: &str, description: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
    json!({"name": name, "description": description, "inputSchema": schema})
}

fn session() -> Value {
    let mut line = line("benign", "none", None, &[notes("fetch", "Ask"), notes("fetch", "Allow")]);
    line["servers"] = json!(["notes"]);
    line
}

fn acts(line: &Value, definitions: &Definitions) -> Vec<String> {
    let bench = Workbench::new(&|| Duration::ZERO).unwrap();
    let replayed = bench.replay(&read(line), definitions).unwrap();
    assert_eq!(replayed.steps.iter().map(|step| step.decision).collect::<Vec<_>>(), [Ask, Permit]);
    replayed.steps[0].acts.clone()
}

#[test]
fn a_tool_that_nobody_defines_is_named() {
    let bench = Workbench::new(&|| Duration::ZERO).unwrap();
    let trace = read(&session());
    let error = bench.replay(&trace, &Definitions::default()).unwrap_err().in_trace(&trace);
    assert_eq!((error.line, &*error.field), (1, "steps[0].tool"));
    assert!(error.problem.contains("defines it"), "{error}");
}

#[test]
fn definitions_at_hand_stand_in_for_missing_ones_and_never_replace_others() {
    let text = json!({"notes": {"tools": [tool("fetch", "Delete a note")]}}).to_string();
    let definitions = Definitions::parse(&text).unwrap();
    assert!(acts(&session(), &definitions)[0].starts_with("del "), "the definition at hand counts");

    let mut own = session();
    own["tools"] = json!([tool("fetch", "Show a note")]);
    assert!(acts(&own, &definitions)[0].starts_with("read "), "the trace's own definition counts");

    let text = json!({"filesystem": {"tools": [tool("read_text_file", "Delete a file")]}}).to_string();
    let known = line(
        "benign",
        "none",
        None,
        &[
            crate::made_up::reads("/home/u/p/a", "parent", "Ask"),
            crate::made_up::reads("/home/u/p/a", "parent", "Allow"),
        ],
    );
    let definitions = Definitions::parse(&text).unwrap();
    assert!(acts(&known, &definitions)[0].starts_with("read "), "the catalogue counts");
}

#[test]
fn a_file_that_is_none_is_told() {
    let problem = |text: &str| Definitions::parse(text).unwrap_err().to_string();
    assert!(problem("[]").starts_with("an object of servers was expected"));
    assert_eq!(problem(r#"{"notes": []}"#), "notes.tools: a list was expected");
    assert_eq!(
        problem(r#"{"notes": {"tools": [{"name": "a"}, {}]}}"#),
        "notes.tools[1]: a tool's definition is an object with a `name`"
    );
    assert!(problem(r#"{"notes": {"tools": []}, "notes": {"tools": []}}"#).contains("notes"));
}
