//! What always holds of labels, on sequences of acts that nobody thought of; and agreement with a naive model.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod differential;
mod lifting;
mod naive;
mod patterns;
mod provenance;
mod snapshots;
mod travel;
mod world;
