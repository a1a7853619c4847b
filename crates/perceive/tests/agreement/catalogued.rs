//! What is perceived of the calls in ConsentBench, through the catalogue, against the facts that its authors wrote down.
//!
//! The two agree except where `agreement/deviations.toml` says why not. A new disagreement fails the test, and so does one
//! that is listed and gone: the figures below can only be changed on purpose.
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use portcullis_lattice::Taint;
use portcullis_perceive::catalogue::{Catalogue, ServerEntry};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver};
use serde::Deserialize;

use crate::compare::{FIELDS, compared, facts};
use crate::trace::{self, Step, Trace};

/// Of how many steps how many agree, in the order of [`FIELDS`].
const AGREED: [(&str, usize, [usize; 5]); 13] = [
    ("brave-search", 8, [8, 8, 8, 8, 8]),
    ("desktop-commander", 327, [325, 326, 327, 327, 327]),
    ("fetch", 92, [90, 92, 92, 92, 92]),
    ("filesystem", 350, [350, 350, 350, 350, 350]),
    ("git", 147, [147, 147, 147, 147, 135]),
    ("github", 181, [181, 181, 181, 181, 181]),
    ("gmail", 179, [179, 178, 179, 179, 144]),
    ("google-calendar", 128, [128, 128, 128, 128, 128]),
    ("notion", 171, [167, 171, 171, 171, 171]),
    ("playwright", 135, [135, 135, 135, 135, 135]),
    ("postgres", 104, [104, 104, 104, 104, 104]),
    ("slack", 177, [177, 177, 177, 177, 177]),
    ("tavily", 58, [58, 58, 58, 58, 58]),
];

/// Why some steps are perceived otherwise than written down.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviations {
    deviation: Vec<Deviation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deviation {
    field: String,
    right: String,
    reason: String,
    steps: Vec<String>,
}

/// What was found for one server.
#[derive(Default)]
struct Count {
    steps: usize,
    agreed: [usize; 5],
}

#[test]
fn calls_are_perceived_as_the_authors_wrote_them_down() {
    let catalogue = Catalogue::built_in().unwrap_or_else(|error| panic!("{error}"));
    let formats = Formats::built_in().unwrap();
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for trace in trace::all() {
        replay(&trace, &catalogue, &formats, &mut counts, &mut found);
    }
    println!("{:18} {:>5}  {}", "server", "steps", FIELDS.map(|field| format!("{field:>10}")).concat());
    for (server, count) in &counts {
        println!(
            "{server:18} {:>5}  {}",
            count.steps,
            count.agreed.map(|part| format!("{part:>10}")).concat()
        );
    }
    let listed = listed();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(new.is_empty(), "not listed as deviations: {new:?}");
    assert!(gone.is_empty(), "listed as deviations, and agree: {gone:?}");
    let counted: Vec<_> =
        counts.iter().map(|(server, count)| (server.as_str(), count.steps, count.agreed)).collect();
    assert_eq!(counted, AGREED, "the figures of what agrees");
}

/// The deviations that are listed, as `cd-0001#3 in`.
fn listed() -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agreement/deviations.toml");
    let deviations: Deviations = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut listed = BTreeSet::new();
    for deviation in deviations.deviation {
        assert!(FIELDS.contains(&deviation.field.as_str()), "{}", deviation.field);
        assert!(["ours", "theirs"].contains(&deviation.right.as_str()), "{}", deviation.right);
        assert!(!deviation.reason.is_empty(), "a deviation has a reason");
        for step in deviation.steps {
            assert!(listed.insert(format!("{step} {}", deviation.field)), "{step} stands there twice");
        }
    }
    listed
}

fn replay(
    trace: &Trace,
    catalogue: &Catalogue,
    formats: &Formats,
    counts: &mut BTreeMap<String, Count>,
    found: &mut BTreeSet<String>,
) {
    let ground = trace.ground();
    let mut memory = Memory::default();
    for (at, step) in trace.steps.iter().enumerate() {
        let Some(entry) = catalogue.server(&step.server) else { continue };
        let profile = profile(entry, step);
        let tools = |name: &str| catalogue.profile(&step.server, name);
        let perceiver = Perceiver { ground: &ground, formats, resolver: &NoLinks, tools: &tools };
        let perception = perceiver.call(profile, &step.arguments, &memory);
        for act in &perception.acts {
            ground.flow(act, Taint::EMPTY).unwrap_or_else(|error| panic!("{act}: {error}"));
        }
        let facts = facts(&perception, &ground);
        let name = format!("{}#{}", trace.id, at + 1);
        let count = counts.entry(step.server.clone()).or_default();
        count.steps += 1;
        for (number, agrees) in compared(&facts, &step.facts).into_iter().enumerate() {
            count.agreed[number] += usize::from(agrees);
            if !agrees {
                println!("{name} {} {}: {}", FIELDS[number], step.tool, step.arguments);
                println!("   wanted {:?}\n   found  {facts:?} {:?}", step.facts, perception.doubts);
                found.insert(format!("{name} {}", FIELDS[number]));
            }
        }
        if step.is_made {
            memory = memory.after(&perception);
        }
    }
}

fn profile<'c>(entry: &'c ServerEntry, step: &Step) -> &'c Profile {
    let found = entry.tools().find(|(name, _)| *name == step.tool);
    found.map(|(_, profile)| profile).unwrap_or_else(|| panic!("no profile of {}", step.tool))
}
