//! What is perceived of the calls in ConsentBench, against the facts that its authors wrote down.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it reads traces and tells what it found"
)]

mod catalogued;
mod compare;
mod derived;
mod trace;
