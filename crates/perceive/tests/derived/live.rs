//! The tools of 56 published servers, derived without any help from the catalogue: agreement with what they say of
//! themselves (`readOnlyHint`), and every disagreement judged by hand.
//!
//! Hints are claims, not truths. What counts more: no tool that destroys, sends or runs something is perceived as a mere
//! look. The names of the tools that are looks are listed in full (`looks.txt`), so that each was read by a person.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_lattice::{Effect, Effects};
use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::profile::{DeedProfile, Profile, Test, What};
use serde::Deserialize;
use serde_json::Value;

use crate::third_party::shared;

/// Of the tools that give a hint: how many agree with it, how many agree unless an argument asks for more than they claim,
/// and how many there are.
const AGREED: (usize, usize, usize) = (420, 16, 458);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    tool: Vec<JudgedTool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JudgedTool {
    package: String,
    name: String,
    /// What the tool claims: whether it only looks.
    claims_to_look: bool,
    /// Whether the tool looks as it claims, unless an argument asks for more.
    #[serde(default)]
    unless: bool,
    /// Who is right: `we`, or they, and we are merely `strict`.
    right: String,
    reason: String,
}

struct Live {
    package: String,
    definition: Definition,
    profile: Profile,
}

fn live() -> Option<Vec<Live>> {
    let text = shared("mcp-tools/live.jsonl")?;
    let tool = |line: &str| {
        let entry: Value = serde_json::from_str(line).expect("an entry");
        let package = entry["package"].as_str().expect("a package").to_owned();
        let definition = Definition::read(&entry["tool"]).expect("a definition");
        let profile = derive(&package, &definition);
        Live { package, definition, profile }
    };
    Some(text.lines().map(tool).collect())
}

impl Live {
    /// Whether no call of it, whatever its arguments, does more than look.
    fn only_looks(&self) -> bool {
        // An address to send something to can stand in any object; that is about the call, not about the tool.
        let is_tools = |deed: &&DeedProfile| !deed.when.iter().any(|condition| condition.test == Test::Sends);
        self.profile.calls.is_none() && self.profile.deeds.iter().filter(is_tools).all(looks)
    }

    /// Whether it only looks, unless an argument that may be left out asks for more.
    fn usually_looks(&self) -> bool {
        let is_asked_for = |test: &Test| {
            matches!(test, Test::Given | Test::Has(_) | Test::Sends)
                || *test == Test::Is(vec![Value::Bool(true)])
        };
        let is_extra = |deed: &&DeedProfile| deed.when.iter().any(|condition| is_asked_for(&condition.test));
        self.profile.calls.is_none() && self.profile.deeds.iter().filter(|deed| !is_extra(deed)).all(looks)
    }

    fn key(&self) -> (String, String) {
        (self.package.clone(), self.definition.name.clone())
    }
}

fn looks(deed: &DeedProfile) -> bool {
    match &deed.what {
        What::Flow(flow) => flow.effects == Effects::only(Effect::Read),
        What::Shell { .. } | What::Sql { .. } => false,
    }
}

#[test]
fn published_tools_agree_with_their_hints_or_the_disagreement_is_judged() {
    let Some(tools) = live() else { return };
    let judged: Judged = toml::from_str(include_str!("judged.toml")).expect("judgements");
    let mut servers: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for tool in &tools {
        let Some(claim) = tool.definition.hints.read_only else { continue };
        let count = servers.entry(&tool.package).or_default();
        count.2 += 1;
        let unless = claim && !tool.only_looks() && tool.usually_looks();
        count.1 += usize::from(unless);
        if claim == tool.only_looks() {
            count.0 += 1;
        } else {
            found.insert((tool.package.clone(), tool.definition.name.clone(), claim, unless));
        }
    }
    let sums = servers.values().fold((0, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2));
    println!("{:42} {:>6} {:>6} {:>4}", "package", "agree", "unless", "of");
    for (package, (agreed, unless, all)) in servers.iter().chain([(&"all", &sums)]) {
        println!("{package:42} {agreed:>6} {unless:>6} {all:>4}");
    }
    for tool in &judged.tool {
        assert!(tool.right != "they", "{}: perceived as less than it is", tool.name);
        assert!(["we", "strict"].contains(&tool.right.as_str()), "{}: {}", tool.name, tool.right);
        assert!(tool.reason.len() > 10, "{}: a judgement has a reason", tool.name);
    }
    let listed: BTreeSet<_> = judged
        .tool
        .iter()
        .map(|tool| (tool.package.clone(), tool.name.clone(), tool.claims_to_look, tool.unless))
        .collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(new.is_empty(), "disagreements that nobody judged: {new:#?}");
    assert!(gone.is_empty(), "judged, and now agree: {gone:#?}");
    assert_eq!(sums, AGREED);
}

#[test]
fn every_tool_that_is_perceived_as_a_mere_look_was_read_by_a_person() {
    let Some(tools) = live() else { return };
    let listed: BTreeSet<(String, String)> = include_str!("looks.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .filter_map(|line| line.split_once(' ').map(|(package, name)| (package.to_owned(), name.to_owned())))
        .collect();
    let found: BTreeSet<_> = tools.iter().filter(|tool| tool.only_looks()).map(Live::key).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(new.is_empty(), "perceived as mere looks, and not in the list: {new:#?}");
    assert!(gone.is_empty(), "in the list, and perceived as more: {gone:#?}");
    println!("{} of {} tools are mere looks", found.len(), tools.len());
}
