//! What is wrong with a trace is named, and the rest is read.

use portcullis_consentbench::traces;
use serde_json::{Value, json};

use crate::made_up::{line, reads, with};

fn good() -> Value {
    let granted = with(reads("/home/u/p/a", "parent", "Ask"), "grant", json!({"mode": "basic"}));
    line("bound", "input", Some(2), &[granted, reads("/etc/hosts", "local", "Ask")])
}

/// A good trace in which one place, given as a JSON pointer, is something else.
fn changed(pointer: &str, value: Value) -> Value {
    let mut line = good();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    line.pointer_mut(parent).unwrap()[name] = value;
    line
}

#[test]
fn every_malformed_field_is_named() {
    assert_eq!(traces(&good().to_string()).1, []);
    let cases = [
        ("/id", json!(null), "id", "is missing"),
        ("/id", json!(7), "id", "a text was expected"),
        ("/category", json!(null), "category", "is missing"),
        ("/servers", json!([1]), "servers", "texts were expected"),
        ("/kind", json!("evil"), "kind", "`evil` is none of benign, bound, invariant"),
        ("/dimension", json!(null), "dimension", "is missing"),
        ("/escalates_at", json!("2"), "escalates_at", "a number was expected"),
        ("/escalates_at", json!(null), "escalates_at", "the number of a step was expected, from 1"),
        ("/escalates_at", json!(0), "escalates_at", "the number of a step was expected, from 1"),
        ("/escalates_at", json!(3), "escalates_at", "the number of a step was expected, from 1"),
        ("/tools", json!({}), "tools", "a list was expected"),
        ("/session", json!([]), "session", "an object was expected"),
        ("/session/workdir", json!(null), "session.workdir", "is missing"),
        ("/session/home", json!(1), "session.home", "a text was expected"),
        ("/session/targets", json!([{}]), "session.targets", "texts were expected"),
        ("/steps", json!({}), "steps", "a list was expected"),
        ("/steps", json!([1]), "steps[0]", "an object was expected"),
        ("/steps/1/tool", json!("read"), "steps[1].tool", "`server.tool` was expected"),
        ("/steps/1/args", json!([]), "steps[1].args", "an object was expected"),
        ("/steps/1/in", json!(null), "steps[1].in", "is missing"),
        ("/steps/1/in/resource", json!(4), "steps[1].in.resource", "texts were expected"),
        ("/steps/0/effects", json!([]), "steps[0].effects", "is empty"),
        ("/steps/0/effects", json!(["peek"]), "steps[0].effects", "`peek` is no effect"),
        ("/steps/0/taint", json!("a bit"), "steps[0].taint", "`a bit` is none of tainted, untainted"),
        ("/steps/0/must_ask", json!("yes"), "steps[0].must_ask", "true or false was expected"),
        ("/steps/0/expect", json!("Maybe"), "steps[0].expect", "`Maybe` is none of Allow, Ask, Deny"),
        ("/steps/0/grant/mode", json!("wide"), "steps[0].grant.mode", "`wide` is none of basic, refined"),
        ("/steps/0/grant/tainted", json!(1), "steps[0].grant.tainted", "true or false was expected"),
    ];
    // An escalation beyond the last step follows from an empty list of steps, so lists of steps are tried as benign.
    for (pointer, value, field, problem) in cases {
        let mut line = changed(pointer, value);
        if pointer == "/steps" {
            line["kind"] = json!("benign");
        }
        let (read, errors) = traces(&format!("\n{line}\n"));
        assert_eq!(read, [], "{pointer} was accepted");
        assert_eq!(errors.len(), 1, "{pointer}");
        assert_eq!(
            (errors[0].line, &*errors[0].field, &*errors[0].problem),
            (2, field, problem),
            "{pointer}"
        );
    }
}

#[test]
fn an_unknown_class_and_a_bad_time_are_named() {
    let line = changed("/steps/1/out/class", json!("moon"));
    assert_eq!(traces(&line.to_string()).1[0].field, "steps[1].out.class");
    let line = changed("/session/now", json!("half past nine"));
    assert_eq!(traces(&line.to_string()).1[0].field, "session.now");
}

#[test]
fn bad_lines_do_not_stop_the_rest() {
    let text = format!("{}\n{{\"id\": 1, \"id\": 2}}\n\nno json\n{}\n", good(), good());
    let (read, errors) = traces(&text);
    assert_eq!(read.iter().map(|trace| trace.line).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(
        errors.iter().map(|error| (error.line, &*error.field)).collect::<Vec<_>>(),
        [(2, "-"), (4, "-")]
    );
}
