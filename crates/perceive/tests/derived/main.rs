//! Profiles derived from definitions alone.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it reads definitions and tells what it found"
)]

mod cases;
mod laws;
mod live;
mod pages;
mod third_party;
