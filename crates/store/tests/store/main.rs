//! The store, by its trait and by its files.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a test is about some of the cases, and fails on all others"
)]

mod exports;
mod files;
mod keys;
mod model;
mod processes;
mod sqlite;
mod suite;
mod tampering;
