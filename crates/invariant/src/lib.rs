//! Rules that users state in plain English.
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

mod action;
pub mod english;
mod facts;
mod filters;
mod hand;
pub mod meaning;
mod names;
mod schema;
mod span;
mod write;

pub use facts::{CallFacts, Circumstances};
pub use hand::Hand;
pub use schema::Vocabulary;
pub use write::{WriteError, Written, write};
