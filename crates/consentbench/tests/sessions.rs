//! Sessions whose users state rules, each file written by one person who did not know what the program can read. Those in `seen`
//! were looked at; of those in `unseen` nothing but the figures is shown, so that they go on telling how rules are read that
//! nobody here has seen. Figures may rise; they do not fall.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the sessions; the crate itself does not")]
#![expect(clippy::print_stdout, reason = "what is not as stated is what a reader of a failed run looks for")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use portcullis_consentbench::{Definitions, Replayed, Report, Trace, Workbench, traces};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    /// Whether its mistakes may be shown.
    shown: bool,
    step_accuracy: f64,
    invariant_recall: f64,
    benign_auto_permit: f64,
}

#[test]
fn rules_in_other_peoples_words_hold_at_least_as_well_as_ever() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(own.join(path)).unwrap();
    let definitions = Definitions::parse(&read("../../benchmarks/consentbench/definitions.json")).unwrap();
    let floors: BTreeMap<String, Floor> = toml::from_str(&read("tests/sessions/floor.toml")).unwrap();
    let bench = Workbench::new(&|| Duration::ZERO).unwrap();
    let mut below = Vec::new();
    for (name, floor) in floors {
        let (all, errors) = traces(&written(&own.join("tests/sessions").join(&name)));
        assert_eq!(errors, [], "{name}");
        let replay = |trace: Trace| match bench.replay(&trace, &definitions) {
            Ok(replayed) => (trace, replayed),
            Err(error) => panic!("{name}: {}: {}", trace.id, error.in_trace(&trace)),
        };
        let runs: Vec<(Trace, Replayed)> = all.into_iter().map(replay).collect();
        if floor.shown {
            runs.iter().for_each(tell);
        }
        let figures = Report::of(&runs, 0).figures.all;
        let shares = [
            ("step accuracy", figures.step_accuracy(), floor.step_accuracy),
            ("invariant recall", figures.invariant_recall(), floor.invariant_recall),
            ("benign calls permitted", figures.benign_auto_permit(), floor.benign_auto_permit),
        ];
        for (what, share, floor) in shares {
            let share = share.unwrap_or_else(|| panic!("{name}: there is nothing to measure {what} by"));
            println!("{name}: {what} {share:.4}");
            if share < floor {
                below.push(format!("{name}: {what} {share:.4} < {floor}"));
            }
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
}

/// All sessions of a folder.
fn written(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// The steps of a session that came out otherwise than they should.
fn tell((trace, replayed): &(Trace, Replayed)) {
    for (sentence, trouble) in &replayed.unread {
        println!("  {}: not read: {sentence:?}: {trouble}", trace.id);
    }
    for (step, result) in trace.steps.iter().zip(&replayed.steps) {
        if step.expected != result.decision {
            println!(
                "  {}: {:?} instead of {:?}: {}.{} {}",
                trace.id, result.decision, step.expected, step.server, step.tool, step.arguments
            );
        }
    }
}
