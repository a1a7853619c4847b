//! What always holds on the wire, on texts and streams that nobody thought of.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod canonical;
mod framing;
mod json;
mod mcp;
mod random;
mod splice;
mod sse;
