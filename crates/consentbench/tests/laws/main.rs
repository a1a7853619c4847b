//! What always holds of traces, their replay, their figures and the reports about them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod baselines;
mod definitions;
mod grants;
mod made_up;
mod reader;
mod reports;
mod score;
