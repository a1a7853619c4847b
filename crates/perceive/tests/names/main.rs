//! The names that analysers give: cases written down as data, and what holds for every text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod cases;
#[cfg(unix)]
mod disk;
mod generators;
mod hosts;
mod properties;
