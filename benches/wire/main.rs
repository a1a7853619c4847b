//! How long it takes to read a message strictly, each beside the same text read into a tree of `serde_json`, which is
//! less strict and forgets the bytes.
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
    compare::run("one message", &cases::all()?);
    Ok(())
}
