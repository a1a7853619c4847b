//! A second evaluator: rules exported as policies of Cedar decide every call as the engine does.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "what does not fit is what a reader of a failed run looks for")]

mod evaluator;
mod laws;
mod sentences;
mod words;
