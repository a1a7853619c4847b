//! Definitions that real servers serve, through a relay and through a hub: what a host gets is what they served.
//!
//! The definitions are third parties' and not in this project: they are looked for in `../shared/mcp-tools`, or below the
//! folder that `PORTCULLIS_SHARED` names; where they are not, nothing is compared, and that is said.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it looks for files and says what it found"
)]

#[path = "support/ground.rs"]
mod ground;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ground::Ground;
use portcullis_gateway::{Act, HubAct};
use serde_json::{Value, json};

/// The tools of each server, as texts.
fn served() -> Option<BTreeMap<String, Vec<String>>> {
    let named = std::env::var("PORTCULLIS_SHARED").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = named.unwrap_or_else(|_| beside()).join("mcp-tools");
    if !folder.is_dir() {
        println!("left out: {} is absent", folder.display());
        return None;
    }
    let mut served: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.join("live.jsonl")).unwrap().lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        served
            .entry(entry["package"].as_str().unwrap().to_owned())
            .or_default()
            .push(entry["tool"].to_string());
    }
    for file in std::fs::read_dir(folder.join("catalogued")).unwrap() {
        let path = file.unwrap().path();
        let entry: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let tools = entry["tools"].as_array().unwrap().iter().map(Value::to_string).collect();
        served.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), tools);
    }
    Some(served)
}

fn greeting(id: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "result": {"protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}})
    .to_string()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

#[test]
fn a_relay_passes_definitions_on_byte_for_byte() {
    let Some(served) = served() else { return };
    let ground = Ground::new();
    let mut count = 0;
    for (server, tools) in &served {
        let mut relay = ground.relay("s");
        relay.from_host(INITIALIZE.into(), ground.now);
        relay.from_server(greeting(&json!(0)).into_bytes(), ground.now);
        relay.from_host(LIST.into(), ground.now);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{}]}}}}"#, tools.join(","));
        let heard = relay.from_server(answer.clone().into_bytes(), ground.now);
        let heard = heard.into_iter().find_map(|act| match act {
            Act::ToHost(bytes) => Some(String::from_utf8(bytes).unwrap()),
            Act::ToServer(_) | Act::Call(..) | Act::Note(_) => None,
        });
        assert_eq!(heard.as_ref(), Some(&answer), "{server}");
        count += tools.len();
    }
    println!("{count} definitions of {} servers compared", served.len());
    assert!(count > 500, "only {count} definitions");
}

#[test]
fn a_hub_changes_nothing_but_names() {
    let Some(served) = served() else { return };
    let ground = Ground::new();
    let names: Vec<String> = (0..served.len()).map(|number| format!("s{number}")).collect();
    let mut hub = ground.hub(&names).unwrap();
    let answer_all =
        |hub: &mut portcullis_gateway::Hub, acts: Vec<HubAct>, result: &dyn Fn(usize, &Value) -> String| {
            let mut heard = Vec::new();
            for act in acts {
                if let HubAct::ToServer(server, bytes) = act {
                    let asked: Value = serde_json::from_slice(&bytes).unwrap();
                    let answer = result(server, &asked["id"]);
                    for act in hub.from_server(server, answer.into_bytes(), ground.now) {
                        if let HubAct::ToHost(bytes) = act {
                            heard.push(serde_json::from_slice::<Value>(&bytes).unwrap());
                        }
                    }
                }
            }
            heard
        };
    let acts = hub.from_host(INITIALIZE.into(), ground.now);
    answer_all(&mut hub, acts, &|_, id| greeting(id));
    let acts = hub.from_host(LIST.into(), ground.now);
    let lists: Vec<&Vec<String>> = served.values().collect();
    let heard = answer_all(&mut hub, acts, &|server, id| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{}]}}}}"#, lists[server].join(","))
    });
    let shown = heard.last().unwrap()["result"]["tools"].as_array().unwrap().clone();
    let expected: Vec<(usize, Value)> = lists
        .iter()
        .enumerate()
        .flat_map(|(server, tools)| {
            tools.iter().map(move |tool| (server, serde_json::from_str(tool).unwrap()))
        })
        .collect();
    assert_eq!(shown.len(), expected.len());
    let mut distinct = std::collections::BTreeSet::new();
    for (mut shown, (server, mut own)) in shown.into_iter().zip(expected) {
        let name = shown["name"].take();
        own["name"].take();
        assert!(name.as_str().unwrap().starts_with(&format!("s{server}__")), "{name}");
        assert!(distinct.insert(name.to_string()), "{name} is shown twice");
        assert_eq!(shown, own, "{name}");
    }
}
