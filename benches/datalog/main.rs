//! What rules over the facts of a call cost: 20 and 200 of them on one call that none of them stops, which is what most
//! calls are, and one that one of them does; beside Cedar (which is never stopped) with a forbid for each.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and fails by panicking"
)]

use std::cell::Cell;
use std::hint::black_box;

use portcullis_datalog::{Facts, Fuel, Program};

use crate::baseline::Baseline;
use crate::compare::Case;
use crate::workload::{Failure, Host};

mod baseline;
#[path = "../compare.rs"]
mod compare;
#[path = "../measure.rs"]
mod measure;
mod workload;

fn main() -> Result<(), Failure> {
    let mut cases = vec![filling()?];
    for (count, name, budget) in [(20, "20 rules, none fires", 2.0), (200, "200 rules, none fires", 10.0)] {
        cases.push(evaluation(count, name, budget, None)?);
    }
    cases.push(evaluation(20, "20 rules, one fires", 2.0, Some("deny(\"late\") :- label(\"internal\").\n"))?);
    compare::run("the rules of a call", &cases);
    Ok(())
}

/// Facts are filled anew for each call.
fn filling() -> Result<Case, Failure> {
    let host = Host::new()?;
    let program = workload::program(20, &host)?;
    let kept = Cell::new(Some(Facts::new(&host.schema)));
    let analyse = move || {
        let mut facts = kept.take().map_or_else(|| Facts::new(&host.schema), Facts::recycle);
        // That they are taken is seen once, below.
        let _ = host.fill(&program, &mut facts);
        kept.set(Some(black_box(facts)));
    };
    Ok(Case {
        name: "filling 28 facts",
        budget: None,
        analyse: Box::new(analyse),
        baseline_name: "Cedar, 20 forbids",
        baseline: cedar(20)?,
    })
}

fn evaluation(count: usize, name: &'static str, budget: f64, more: Option<&str>) -> Result<Case, Failure> {
    let host = Host::new()?;
    let mut program = workload::program(count, &host)?;
    if let Some(more) = more {
        program = Program::parse(&format!("{program}{more}"), &host.schema)?;
    }
    let mut facts = Facts::new(&host.schema);
    host.fill(&program, &mut facts)?;
    let expected = usize::from(more.is_some());
    let told = program.evaluate(&facts, Fuel::default())?.len();
    if told != expected || !program.warnings().is_empty() {
        return Err(format!("{told} answers of `{name}`, not {expected}, or warnings").into());
    }
    println!("{name}: {} facts", facts.len());
    Ok(Case {
        name,
        budget: Some(budget),
        analyse: Box::new(move || _ = black_box(program.evaluate(black_box(&facts), Fuel::default()))),
        baseline_name: if count == 20 { "Cedar, 20 forbids" } else { "Cedar, 200 forbids" },
        baseline: cedar(count)?,
    })
}

/// The same rules for Cedar, which has to agree that none fires.
fn cedar(count: usize) -> Result<Box<dyn Fn()>, Failure> {
    let baseline = Baseline::new(count)?;
    match baseline.allows() {
        true => Ok(Box::new(move || _ = black_box(baseline.allows()))),
        false => Err("Cedar decides differently".into()),
    }
}
