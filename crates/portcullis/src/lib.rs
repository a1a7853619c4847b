//! The program: commands, configuration, wiring. What it decides, the other crates decide.

mod cli;
mod commands;
mod configuration;
mod confirm;
pub mod described;
mod failure;
mod gate;
mod host_streams;
mod links;
mod lister;
mod logins;
mod opening;
mod own_keys;
mod places;
mod servers;
mod sources;
mod trusted;
mod when;
mod whose;

pub use cli::{Cli, run};
