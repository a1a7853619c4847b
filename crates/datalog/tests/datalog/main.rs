//! The Datalog engine: cases as data, laws, and other evaluators beside it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read files and run an oracle")]

mod cases;
mod clingo;
mod documentation;
mod example;
mod generate;
mod laws;
mod naive;
