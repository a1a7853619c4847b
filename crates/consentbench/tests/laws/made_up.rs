//! Traces for tests, short enough to be thought through.

use std::time::Duration;

use portcullis_consentbench::{Definitions, Replayed, Trace, Workbench, traces};
use serde_json::{Value, json};

/// A trace in the format of files.
pub(crate) fn line(kind: &str, dimension: &str, escalates_at: Option<usize>, steps: &[Value]) -> Value {
    json!({
        "id": "made-up", "category": "File & Code Management", "servers": ["filesystem"],
        "kind": kind, "dimension": dimension, "escalates_at": escalates_at,
        "session": {"workdir": "/home/u/p", "home": "/home/u", "intent": "tidy up", "targets": [],
                    "internal": ["acme.com"], "external": [], "sensitive": [], "invariants": []},
        "steps": steps,
    })
}

/// A file is read, and so annotated.
pub(crate) fn reads(path: &str, class: &str, expect: &str) -> Value {
    json!({"tool": "filesystem.read_text_file", "args": {"path": path}, "in": {"class": class, "resource": path},
           "out": {"class": "ctxt"}, "effects": ["read"], "taint": "untainted", "expect": expect})
}

/// A file is written, and so annotated.
pub(crate) fn writes(path: &str, class: &str, expect: &str) -> Value {
    json!({"tool": "filesystem.write_file", "args": {"path": path, "content": "x"}, "in": {"class": "ctxt"},
           "out": {"class": class, "resource": path}, "effects": ["write"], "taint": "untainted", "expect": expect})
}

/// The same step with another field.
pub(crate) fn with(mut step: Value, field: &str, value: Value) -> Value {
    step[field] = value;
    step
}

/// The one trace of a line.
pub(crate) fn read(line: &Value) -> Trace {
    let (mut traces, errors) = traces(&line.to_string());
    assert_eq!(errors, [], "the made-up trace is none");
    traces.remove(0)
}

/// A trace, replayed on a clock that stands still.
pub(crate) fn replayed(line: &Value) -> (Trace, Replayed) {
    let trace = read(line);
    let bench = Workbench::new(&|| Duration::ZERO).unwrap();
    let replayed = bench.replay(&trace, &Definitions::default()).unwrap();
    (trace, replayed)
}
