//! Definitions of real servers: how many of them are found suspicious, and that all of them can be read.
//!
//! They are third parties' and not in this project: they are looked for in `../shared/mcp-tools`, or below the folder that
//! `PORTCULLIS_SHARED` names; where they are not, nothing is checked, and that is said.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test reads files and fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use portcullis_identity::definition::Definition;
use portcullis_identity::difference::compare;
use portcullis_identity::names::Neighbourhood;
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::suspicion::{Around, Weight, of_definition};
use serde_json::Value;

fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var("PORTCULLIS_SHARED").map_or_else(|_| beside(), PathBuf::from).join("mcp-tools")
}

/// Tools by server.
fn servers() -> Option<BTreeMap<String, Vec<Value>>> {
    let folder = folder();
    let Ok(live) = std::fs::read_to_string(folder.join("live.jsonl")) else {
        eprintln!("SKIPPED: no definitions of real servers in {}", folder.display());
        return None;
    };
    let mut servers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in live.lines() {
        let mut entry: Value = serde_json::from_str(line).unwrap();
        let package = entry["package"].as_str().unwrap().to_owned();
        servers.entry(package).or_default().push(entry["tool"].take());
    }
    for entry in std::fs::read_dir(folder.join("catalogued")).unwrap() {
        let path = entry.unwrap().path();
        let mut listing: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let Value::Array(tools) = listing["tools"].take() else { panic!("{} has no tools", path.display()) };
        servers.entry(path.file_stem().unwrap().to_string_lossy().into_owned()).or_default().extend(tools);
    }
    Some(servers)
}

fn catalogued() -> BTreeSet<String> {
    let files = std::fs::read_dir(folder().join("catalogued")).unwrap();
    files.map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

fn names(tools: &[Value]) -> BTreeSet<String> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn few_real_definitions_are_called_dangerous() {
    let Some(servers) = servers() else { return };
    let (mut all, mut dangerous, mut glance, mut refused) = (0, 0, 0, 0);
    for (server, tools) in &servers {
        let others = servers.iter().filter(|(name, _)| *name != server).flat_map(|(_, tools)| names(tools));
        let (siblings, others) = (names(tools), others.collect::<BTreeSet<String>>());
        let around = Around::new(siblings.iter().map(String::as_str), others.iter().map(String::as_str));
        for tool in tools {
            all += 1;
            let definition = match Definition::parse(tool.to_string().as_bytes(), &[]) {
                Ok(definition) => definition,
                Err(error) => {
                    eprintln!("refused   {server} {}: {error}", tool["name"]);
                    refused += 1;
                    continue;
                }
            };
            let findings = of_definition(&definition, &around);
            let worst = findings.iter().map(|finding| finding.weight()).max();
            dangerous += usize::from(worst == Some(Weight::Dangerous));
            glance += usize::from(worst == Some(Weight::Glance));
            for finding in findings {
                eprintln!("{:<9} {server} {}: {finding}", finding.weight().to_string(), definition.name());
            }
        }
    }
    eprintln!("{all} real definitions: {dangerous} dangerous, {glance} worth a glance, {refused} refused");
    assert!(dangerous * 100 <= all, "{dangerous} of {all} real definitions are called dangerous");
    assert!(refused * 100 <= all, "{refused} of {all} real definitions are refused");
}

fn program(name: &str) -> ServerIdentity {
    ServerIdentity::Package {
        registry: "npm".to_owned(),
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        arguments: Vec::new(),
    }
}

#[test]
fn few_real_names_pass_for_others() {
    let Some(mut servers) = servers() else { return };
    // The catalogued ones are servers of the other list under shorter names.
    servers.retain(|server, _| !catalogued().contains(server));
    let mut around = Neighbourhood::default();
    for (server, tools) in &servers {
        names(tools).iter().for_each(|name| around.add(server, &program(server), name));
    }
    let (mut all, mut dangerous, mut glance) = (0, 0, 0);
    for (server, tools) in &servers {
        for name in names(tools) {
            all += 1;
            match around.like(server, &program(server), &name).first() {
                Some(neighbour) if neighbour.weight == Weight::Dangerous => {
                    dangerous += 1;
                    eprintln!("dangerous {server} {name}: {neighbour}");
                }
                Some(_) => glance += 1,
                None => {}
            }
        }
    }
    eprintln!("{all} real names: {dangerous} pass for others, {glance} are shared");
    // All of these servers at once, several of them for the same service: far more neighbours than anybody has.
    assert!(dangerous * 50 <= all, "{dangerous} of {all} real names are said to pass for others");
}

#[test]
fn a_real_definition_does_not_differ_from_itself() {
    let Some(servers) = servers() else { return };
    for tool in servers.values().flatten() {
        let compact = Definition::parse(tool.to_string().as_bytes(), &[]).unwrap();
        let pretty = Definition::parse(serde_json::to_string_pretty(tool).unwrap().as_bytes(), &[]).unwrap();
        assert_eq!(compact.content(), pretty.content());
        assert!(compare(&compact, &pretty).is_empty());
    }
}
