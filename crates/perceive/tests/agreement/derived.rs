//! Servers that no catalogue knows: profiles derived from their definitions alone.
//!
//! The definitions are texts of third parties and stay in `../shared`, beside the repository. Where they are absent the
//! checks say so and pass.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use portcullis_perceive::derive::{Definition, derive, scheme};
use portcullis_perceive::layout::OWN_ACCOUNTS;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver};
use serde_json::Value;

use crate::compare::{FIELDS, compared, facts};
use crate::trace::{self, Step, Trace};

/// Of how many steps how many agree, in the order of [`FIELDS`], and in how many there is one act.
const UNCATALOGUED: [(&str, usize, [usize; 5]); 5] = [
    ("firecrawl", 48, [48; 5]),
    ("gitlab", 33, [33; 5]),
    ("memory", 25, [25; 5]),
    ("mongodb", 48, [48; 5]),
    ("sentry", 17, [17; 5]),
];

/// The servers of the catalogue, derived as if there were none: how many steps there are, and in how many the effects, the
/// class of the input and the class of the output agree. Names differ, for the catalogue's are its own.
const AS_IF_UNKNOWN: [(&str, usize, [usize; 3]); 11] = [
    ("brave-search", 8, [8, 8, 8]),
    ("fetch", 92, [92, 92, 92]),
    ("filesystem", 350, [350, 350, 350]),
    ("git", 147, [141, 99, 147]),
    ("github", 181, [181, 159, 168]),
    ("gmail", 179, [179, 179, 179]),
    ("google-calendar", 128, [128, 122, 128]),
    ("notion", 171, [166, 169, 162]),
    ("postgres", 104, [104, 104, 104]),
    ("slack", 177, [177, 172, 163]),
    ("tavily", 58, [58, 55, 58]),
];

/// What a browser shows and what a shell runs is known of the catalogue's servers alone.
const NEEDS_CATALOGUE: [&str; 2] = ["playwright", "desktop-commander"];

fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PORTCULLIS_SHARED").map(PathBuf::from);
    let root = root.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let found = Some(root.join(path)).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped: `../shared/{path}` is absent, so nothing is compared with it");
    }
    found
}

#[test]
fn servers_that_no_catalogue_knows_are_perceived_as_the_authors_wrote_them_down() {
    let Some(folder) = shared("consentbench/traces") else { return };
    let mut counts: BTreeMap<String, (usize, [usize; 5])> = BTreeMap::new();
    for trace in trace::of(&folder).iter().filter(|trace| !trace.tools.is_empty()) {
        each(
            trace,
            |step| trace.tools.iter().find(|tool| tool["name"] == step.tool).cloned(),
            |step, agreed| {
                let count = counts.entry(step.server.clone()).or_default();
                count.0 += 1;
                agreed.iter().zip(&mut count.1).for_each(|(agrees, sum)| *sum += usize::from(*agrees));
            },
        );
    }
    println!("{counts:?}");
    let counted: Vec<_> =
        counts.iter().map(|(server, (steps, agreed))| (server.as_str(), *steps, *agreed)).collect();
    assert_eq!(counted, UNCATALOGUED);
}

#[test]
fn servers_of_the_catalogue_are_perceived_much_alike_without_it() {
    let Some(folder) = shared("mcp-tools/catalogued") else { return };
    let mut tools: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let server = file.file_stem().unwrap().to_string_lossy().into_owned();
        let listed: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        tools.insert(server, listed["tools"].as_array().unwrap().clone());
    }
    let mut counts: BTreeMap<String, (usize, [usize; 3])> = BTreeMap::new();
    for trace in trace::all() {
        let known = |step: &Step| {
            let listed =
                tools.get(&step.server).filter(|_| !NEEDS_CATALOGUE.contains(&step.server.as_str()))?;
            listed.iter().find(|tool| tool["name"] == step.tool).cloned()
        };
        each_classes(&trace, known, |step, agreed| {
            let count = counts.entry(step.server.clone()).or_default();
            count.0 += 1;
            agreed.iter().zip(&mut count.1).for_each(|(agrees, sum)| *sum += usize::from(*agrees));
        });
    }
    let counted: Vec<_> =
        counts.iter().map(|(server, (steps, agreed))| (server.as_str(), *steps, *agreed)).collect();
    assert_eq!(counted, AS_IF_UNKNOWN);
}

/// Perceives every step of which there is a definition, and tells in which fields it agrees.
fn each(trace: &Trace, tool: impl Fn(&Step) -> Option<Value>, mut tell: impl FnMut(&Step, [bool; 5])) {
    perceive(trace, tool, |step, found| {
        let agreed = compared(found, &step.facts);
        for (field, _) in FIELDS.iter().zip(agreed).filter(|(_, agrees)| !agrees) {
            println!(
                "{} {field} {} {}\n   {found:?}\n   {:?}",
                trace.id, step.tool, step.arguments, step.facts
            );
        }
        tell(step, agreed);
    });
}

fn each_classes(
    trace: &Trace,
    tool: impl Fn(&Step) -> Option<Value>,
    mut tell: impl FnMut(&Step, [bool; 3]),
) {
    perceive(trace, tool, |step, found| {
        let wanted = &step.facts;
        tell(
            step,
            [
                found.effects == wanted.effects,
                found.input.class == wanted.input.class,
                found.output.class == wanted.output.class,
            ],
        );
    });
}

fn perceive(
    trace: &Trace,
    tool: impl Fn(&Step) -> Option<Value>,
    mut tell: impl FnMut(&Step, &crate::trace::Facts),
) {
    static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().unwrap());
    let formats = &*FORMATS;
    let mut accounts: Vec<String> = OWN_ACCOUNTS.map(String::from).into();
    accounts.extend(trace.steps.iter().map(|step| scheme(&step.server)));
    accounts.sort();
    accounts.dedup();
    let ground = trace.ground_with(accounts);
    let perceiver = Perceiver { ground: &ground, formats, resolver: &NoLinks, tools: &|_: &str| None };
    for step in &trace.steps {
        let Some(definition) = tool(step) else { continue };
        let profile = derive(&step.server, &Definition::read(&definition).unwrap());
        let perception = perceiver.call(&profile, &step.arguments, &Memory::default());
        tell(step, &facts(&perception, &ground));
    }
}
