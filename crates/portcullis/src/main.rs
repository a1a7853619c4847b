//! `portcullis`: a latticed gate between AI agents and the tools they call.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    portcullis::run(portcullis::Cli::parse(), &mut std::io::stdout())
}
