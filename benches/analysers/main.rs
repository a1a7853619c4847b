//! How long the analysers take to read one argument, each beside something well known that reads the same text.
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
#[path = "../texts.rs"]
mod texts;

fn main() -> Result<(), Box<dyn Error>> {
    compare::run("one argument", &cases::all()?);
    Ok(())
}
