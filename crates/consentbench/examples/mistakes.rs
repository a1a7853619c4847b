//! What goes wrong in traces, and what their rules were understood as: `cargo run -p portcullis-consentbench --example
//! mistakes -- FILE…`. With `--figures` first, nothing but figures are shown, for traces that nobody should look at.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool for the terminal reads files and prints"
)]

use std::error::Error;
use std::time::Duration;
use std::{env, fs};

use portcullis_consentbench::{Definitions, Replayed, Report, Trace, Workbench, traces};
use portcullis_lattice::Decision;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = env::args().skip(1).collect();
    let only_figures = files.first().is_some_and(|first| first == "--figures");
    if only_figures {
        files.remove(0);
    }
    let bench = Workbench::new(&|| Duration::ZERO)?;
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/consentbench/definitions.json");
    let definitions = Definitions::parse(&fs::read_to_string(own)?)?;
    for file in files {
        let (all, errors) = traces(&fs::read_to_string(&file)?);
        errors.iter().for_each(|error| println!("{file}: {error}"));
        let mut runs = Vec::new();
        for trace in all {
            match bench.replay(&trace, &definitions) {
                Ok(replayed) => runs.push((trace, replayed)),
                Err(error) => println!("{file}: {}", error.in_trace(&trace)),
            }
        }
        if !only_figures {
            runs.iter().for_each(|(trace, replayed)| show(trace, replayed));
        }
        figures(&file, &runs);
    }
    Ok(())
}

/// The mistakes of a trace under its rules.
fn show(trace: &Trace, replayed: &Replayed) {
    let steps = trace.steps.iter().zip(&replayed.steps);
    let wrong: Vec<_> = steps.filter(|(step, result)| step.expected != result.decision).collect();
    if wrong.is_empty() {
        return;
    }
    println!("\n{}", trace.id);
    for (sentence, trouble) in &replayed.unread {
        println!("  NOT READ  {sentence}\n            {trouble}");
    }
    for (sentence, datalog) in &replayed.read {
        println!("  READ      {sentence}\n            {}", datalog.replace('\n', "\n            "));
    }
    for (step, result) in wrong {
        println!(
            "  {:?} -> {:?}  {}.{} {}",
            step.expected, result.decision, step.server, step.tool, step.arguments
        );
        result.reasons.iter().for_each(|reason| println!("            {reason}"));
    }
}

fn figures(file: &str, runs: &[(Trace, Replayed)]) {
    let report = Report::of(runs, 0);
    let all = &report.figures.all;
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}", share * 100.0));
    let steps = || runs.iter().flat_map(|(trace, replayed)| trace.steps.iter().zip(&replayed.steps));
    let false_denials = steps()
        .filter(|(step, result)| step.expected != Decision::Deny && result.decision == Decision::Deny)
        .count();
    let unread: usize = runs.iter().map(|(_, replayed)| replayed.unread.len()).sum();
    println!(
        "{file}: {} traces, steps {}, invariants {}, bounds {}, benign permitted {}, wrongly denied {false_denials}, rules not read {unread}",
        runs.len(),
        percent(all.step_accuracy()),
        percent(all.invariant_recall()),
        percent(all.bound_recall()),
        percent(all.benign_auto_permit()),
    );
}
