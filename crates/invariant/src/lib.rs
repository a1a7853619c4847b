//! Rules that users state in plain English.
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

mod action;
pub mod english;
mod hand;
pub mod meaning;
mod names;

pub use hand::Hand;
