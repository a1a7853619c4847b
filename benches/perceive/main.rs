//! How long it takes to perceive a whole call, beside reading its arguments as JSON, which happens to every call; and to
//! find the profile by which it is perceived.
#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark prints, and its sizes are fixed in the line above"
)]

use std::error::Error;

mod calls;
#[path = "../compare.rs"]
mod compare;
mod definitions;
#[path = "../measure.rs"]
mod measure;
#[path = "../texts.rs"]
mod texts;

fn main() -> Result<(), Box<dyn Error>> {
    let mut cases = calls::all()?;
    cases.extend(definitions::all()?);
    compare::run("one call", &cases);
    Ok(())
}
