//! How long it takes to verify signed definitions of tools, beside the bare signature, which is what none can do without.
#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark prints, and its sizes are fixed in the line above"
)]

use std::error::Error;

mod cases;
#[path = "../compare.rs"]
mod compare;
#[path = "../measure.rs"]
mod measure;

fn main() -> Result<(), Box<dyn Error>> {
    compare::run("verifying definitions", &cases::all()?);
    Ok(())
}
