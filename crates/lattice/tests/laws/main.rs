//! The laws of the lattice: an independent evaluator, theorems, text and the recorded sessions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "the engine does no I/O; its tests read traces and how long to run"
)]

mod consentbench;
mod differential;
mod found;
mod generators;
mod language;
mod lattice_laws;
mod naive;
mod oracle;
mod refinement;
mod text;
mod theorems;
