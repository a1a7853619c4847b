//! How long it takes to judge a listing of 200 tools against what was approved, beside the same text read into a tree of
//! `serde_json`, which judges nothing.
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
    compare::run("a listing of 200 tools", &cases::all()?);
    Ok(())
}
