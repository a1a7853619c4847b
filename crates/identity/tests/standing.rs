//! The states of tools: sequences as data, and theorems over random ones.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test reads files and fails by panicking"
)]

#[path = "standing/sequences.rs"]
mod sequences;
#[path = "standing/theorems.rs"]
mod theorems;
#[path = "standing/world.rs"]
mod world;
