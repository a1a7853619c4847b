//! Every sentence of `cases/sentences`, in different people's words, tried on calls that must and must not break it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the repository, not the engine")]
#![expect(clippy::print_stdout, reason = "what is not as stated is what a reader of a failed run looks for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portcullis_invariant::trial::{Expected, SentenceReport, Tally, run};
use serde::Deserialize;

/// The year of dates that say none.
const YEAR: i16 = 2026;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    read: f64,
    fired: f64,
    kept_quiet: f64,
    /// None where no sentence must be refused, for a share of nothing says nothing.
    refused: Option<f64>,
}

/// Only their figures are shown: whoever tunes on them measures nothing.
const HELD: &[&str] = &["fourth", "eighth"];

#[test]
fn sentences_do_what_they_say_at_least_as_well_as_ever() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/sentences");
    let floors = std::fs::read_to_string(folder.join("floor.toml")).unwrap();
    let floors: BTreeMap<String, Floor> = toml::from_str(&floors).unwrap();
    let mut below = Vec::new();
    for (name, floor) in &floors {
        let mut tally = Tally::default();
        let files = files(&folder.join(name));
        assert!(!files.is_empty(), "{name} has no sentences");
        for path in files {
            let text = std::fs::read_to_string(&path).unwrap();
            let report = run(&text, YEAR).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if !HELD.contains(&name.as_str()) {
                report.sentences.iter().for_each(tell);
            }
            tally = tally.plus(report.tally);
        }
        println!("{name}: {tally:?}");
        let shares = [
            ("read", share(tally.read, tally.rules), Some(floor.read)),
            ("fired", share(tally.fired, tally.fires), Some(floor.fired)),
            ("kept quiet", share(tally.kept_quiet, tally.quiet), Some(floor.kept_quiet)),
            ("refused", share(tally.refused, tally.refuse), floor.refused),
        ];
        assert_eq!(
            floor.refused.is_some(),
            tally.refuse > 0,
            "{name}: a floor where there is something to refuse"
        );
        for (what, share, floor) in shares {
            let Some(floor) = floor else { continue };
            println!("{name}: {what} {share:.2} %");
            if share < floor {
                below.push(format!("{name}: {what} {share:.2} % < {floor} %"));
            }
        }
    }
    let folders = std::fs::read_dir(&folder).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), floors.len(), "every folder needs a floor");
    assert!(below.is_empty(), "{}", below.join("\n"));
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn share(good: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { 100.0 * good as f64 / all as f64 }
}

fn tell(sentence: &SentenceReport) {
    let text = &sentence.text;
    match (&sentence.unread, sentence.verdict) {
        (None, Expected::Refuse) => println!("  taken for a rule: {text:?}"),
        (Some(error), Expected::Deny | Expected::Ask) => println!("  not read: {text:?}: {error}"),
        (Some(_), Expected::Refuse) | (None, Expected::Deny | Expected::Ask) => {}
    }
    for call in sentence.calls.iter().filter(|call| !call.is_as_stated && sentence.unread.is_none()) {
        let what = if call.must_fire { "does not break" } else { "breaks" };
        println!("  {} {} {what} {text:?} {:?}", call.tool, call.arguments, call.because);
    }
}
