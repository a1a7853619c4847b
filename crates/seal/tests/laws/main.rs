//! What always holds of signatures, on definitions that nobody thought of.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod bundles;
mod definitions;
mod others;
mod random;
#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../support/signer.rs"]
mod signer;
mod versions;
