//! The program: commands, configuration, wiring. What it decides, the other crates decide.

mod cli;
mod commands;
pub mod described;
mod failure;
mod links;

pub use cli::{Cli, run};
