//! The catalogue against the definitions that the servers really serve.
//!
//! The definitions are other people's texts and no part of this repository. They are looked for beside it, in
//! `../shared/mcp-tools/catalogued`, or below the folder that `PORTCULLIS_SHARED` names; where they are not, nothing is
//! compared, and the test says so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it looks for files and says what it found"
)]

use std::path::PathBuf;

use portcullis_perceive::catalogue::Catalogue;
use serde_json::Value;

#[test]
fn every_tool_and_argument_that_servers_offer_is_covered() {
    let shared = std::env::var("PORTCULLIS_SHARED").map(PathBuf::from);
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = shared.unwrap_or_else(|_| beside()).join("mcp-tools/catalogued");
    if !folder.is_dir() {
        println!("skipped: {} is absent", folder.display());
        return;
    }
    let catalogue = Catalogue::built_in().unwrap_or_else(|error| panic!("{error}"));
    let (mut problems, mut tools, mut arguments) = (Vec::new(), 0, 0);
    for (server, _) in catalogue.servers() {
        let text = std::fs::read_to_string(folder.join(format!("{server}.json"))).unwrap();
        let served: Value = serde_json::from_str(&text).unwrap();
        for tool in served.get("tools").and_then(Value::as_array).unwrap() {
            let name = tool.get("name").and_then(Value::as_str).unwrap();
            tools += 1;
            let Some(profile) = catalogue.profile(server, name) else {
                problems.push(format!("{server}: {name} is not in the catalogue"));
                continue;
            };
            let properties = tool.pointer("/inputSchema/properties").and_then(Value::as_object);
            let offered: Vec<&str> =
                properties.into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
            arguments += offered.len();
            let missing = offered.iter().filter(|argument| !profile.knows(argument));
            problems.extend(missing.map(|argument| format!("{server}: {name}: `{argument}` is not covered")));
            let invented = profile.known_arguments().filter(|argument| !offered.contains(argument));
            problems.extend(invented.map(|argument| format!("{server}: {name}: there is no `{argument}`")));
        }
        let is_served = |name: &str| {
            let tools = served.get("tools").and_then(Value::as_array).unwrap();
            tools.iter().any(|tool| tool.get("name").and_then(Value::as_str) == Some(name))
        };
        let entry = catalogue.server(server).unwrap();
        let gone = entry.tools().map(|(tool, _)| tool).filter(|tool| !is_served(tool));
        problems.extend(gone.map(|tool| format!("{server}: {tool} is not served")));
    }
    println!("{tools} tools with {arguments} arguments compared");
    assert!(tools > 150, "only {tools} tools found in {}", folder.display());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
