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
mod rulebook;
mod schema;
mod span;
mod trails;
mod write;

pub use facts::{CallFacts, Circumstances};
pub use hand::Hand;
pub use rulebook::{Breach, Rulebook, RulebookError, StateError, Stated};
pub use schema::Vocabulary;
pub use trails::Trails;
pub use write::{WriteError, Written, write};
