//! Messages of usual sizes.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;

use portcullis_wire::framing::Lines;
use portcullis_wire::json::{Document, Limits};
use portcullis_wire::mcp::{ToolCall, list_tools};
use portcullis_wire::rpc::{Incoming, Message};
use portcullis_wire::splice::Splice;
use serde_json::Value;

use crate::compare::Case;

const BASELINE: &str = "serde_json, a tree";

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    let call = call();
    let list = list(28)?;
    let text = text()?;
    let rows = rows()?;
    Ok(vec![
        read("call, 157 B", Some(1.0), &call)?,
        judge("call, 157 B, with its envelope", Some(1.0), &call)?,
        read("list of tools, 16 kB", Some(100.0), &list)?,
        filter("list of tools, 16 kB, one taken out", None, &list)?,
        read("result, 1 MB of text", Some(5000.0), &text)?,
        read("result, 1 MB of rows", Some(10_000.0), &rows)?,
        read("keys, 10,000 in one object", None, &keys()?)?,
        lines("lines, 100 calls", None, &call)?,
    ])
}

/// Reads a text into a document.
fn read(name: &'static str, budget: Option<f64>, text: &str) -> Result<Case, Box<dyn Error>> {
    Document::parse(text, &Limits::default())?;
    let bytes = text.to_owned();
    Ok(Case {
        name,
        budget,
        analyse: Box::new(move || {
            let _ = black_box(Document::parse(black_box(bytes.as_str()), &Limits::default()));
        }),
        baseline_name: BASELINE,
        baseline: tree(text)?,
    })
}

/// Reads a call as far as it has to be known to be judged.
fn judge(name: &'static str, budget: Option<f64>, text: &str) -> Result<Case, Box<dyn Error>> {
    let bytes = text.to_owned();
    let name_of = |text: &str| {
        let document = Document::parse(text, &Limits::default()).ok()?;
        let Ok(Incoming::One(Message::Request { params, .. })) = Message::read(&document) else {
            return None;
        };
        ToolCall::read(params).ok().map(|call| call.name.len())
    };
    if name_of(text).is_none() {
        return Err("the call is none".into());
    }
    Ok(Case {
        name,
        budget,
        analyse: Box::new(move || {
            black_box(name_of(black_box(&bytes)));
        }),
        baseline_name: BASELINE,
        baseline: tree(text)?,
    })
}

/// Reads a list and takes a tool out of it; the other one does the same with a tree and writes it again.
fn filter(name: &'static str, budget: Option<f64>, text: &str) -> Result<Case, Box<dyn Error>> {
    let without = |text: &str| {
        let document = Document::parse(text, &Limits::default()).ok()?;
        let listing = list_tools(document.root().get("result")?).ok()?;
        let mut splice = Splice::new(&document);
        splice.remove(listing.items.get(3)?.node);
        splice.finish().ok()
    };
    let without_in_tree = |text: &str| {
        let mut tree: Value = serde_json::from_str(text).ok()?;
        tree.get_mut("result")?.get_mut("tools")?.as_array_mut()?.remove(3);
        serde_json::to_vec(&tree).ok()
    };
    if without(text).map(|edited| serde_json::from_slice::<Value>(&edited).ok())
        != without_in_tree(text).map(|edited| serde_json::from_slice(&edited).ok())
    {
        return Err("the two lists differ".into());
    }
    let (ours, theirs) = (text.to_owned(), text.to_owned());
    Ok(Case {
        name,
        budget,
        analyse: Box::new(move || {
            black_box(without(black_box(&ours)));
        }),
        baseline_name: "serde_json, a tree and back",
        baseline: Box::new(move || {
            black_box(without_in_tree(black_box(&theirs)));
        }),
    })
}

/// Cuts a stream into lines; the other one only looks for their ends.
fn lines(name: &'static str, budget: Option<f64>, call: &str) -> Result<Case, Box<dyn Error>> {
    let stream = format!("{call}\n").repeat(100);
    let other = stream.clone();
    Ok(Case {
        name,
        budget,
        analyse: Box::new(move || {
            let mut lines = Lines::new(1 << 20);
            for chunk in stream.as_bytes().chunks(4096) {
                lines.push(black_box(chunk));
                while let Some(line) = lines.next_line() {
                    black_box(line);
                }
            }
        }),
        baseline_name: "lines of a text, copied",
        baseline: Box::new(move || {
            black_box(&other).lines().for_each(|line| drop(black_box(line.to_owned())));
        }),
    })
}

fn tree(text: &str) -> Result<Box<dyn Fn()>, Box<dyn Error>> {
    serde_json::from_str::<Value>(text)?;
    let text = text.to_owned();
    Ok(Box::new(move || {
        let _ = black_box(serde_json::from_str::<Value>(black_box(&text)));
    }))
}

fn call() -> String {
    let text = r#"{"method":"tools/call","params":{"name":"read_text_file","arguments":{"path":"/home/u/project/a.rs"},"_meta":{"progressToken":4}},"jsonrpc":"2.0","id":4}"#;
    // Some spaces make the size that others were measured with.
    format!("{text:<157}")
}

fn list(tools: usize) -> Result<String, Box<dyn Error>> {
    let mut text = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":["#.to_owned();
    for tool in 0..tools {
        let comma = if tool == 0 { "" } else { "," };
        write!(
            text,
            r#"{comma}{{"name":"tool_{tool}","description":"Reads the file at the given path and returns its lines.\nFails if there is none, or if the path is outside of the folders that are allowed. \"Head\" and \"tail\" choose lines.","inputSchema":{{"type":"object","properties":{{"path":{{"type":"string","description":"Where the file is"}},"head":{{"type":"number","minimum":1}},"tail":{{"type":"number","minimum":1}}}},"required":["path"],"additionalProperties":false}},"annotations":{{"readOnlyHint":true,"openWorldHint":false}}}}"#
        )?;
    }
    text.push_str("]}}");
    Ok(text)
}

fn text() -> Result<String, Box<dyn Error>> {
    let line = r#"    let name = \"value\"; // nothing to see here, only a line of code\n"#;
    let mut text = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""#.to_owned();
    text.extend(std::iter::repeat_n(line, 1_000_000 / line.len()));
    write!(text, r#""}}]}}}}"#)?;
    Ok(text)
}

fn rows() -> Result<String, Box<dyn Error>> {
    let mut text = r#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"rows":[{}"#.to_owned();
    for row in 0..11_000 {
        write!(
            text,
            r#",{{"id":{row},"name":"Ann Example","city":"Springfield","amount":{row}.25,"open":true,"note":null}}"#
        )?;
    }
    text.push_str("]}}}");
    Ok(text)
}

fn keys() -> Result<String, Box<dyn Error>> {
    let mut text = r#"{"a":0"#.to_owned();
    for key in 0..10_000 {
        write!(text, r#","some_longer_key_{key}":0"#)?;
    }
    text.push('}');
    Ok(text)
}
