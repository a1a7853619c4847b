//! The commands, a module each.

use std::io::{Read, Write};
use std::path::Path;

use portcullis_lattice::Ruleset;
use serde::Serialize;

use crate::described::{DescribedCall, Understood};
use crate::failure::Failure;

pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod connect;
pub(crate) mod decide;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod invariant;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod watch;

/// The text of a file, or of standard input for `-`.
fn read(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    text.map_err(|error| Failure::Read { path: path.into(), error })
}

fn read_rules(path: &Path) -> Result<Ruleset, Failure> {
    Ruleset::parse(&read(path)?).map_err(|error| Failure::Rules { path: path.into(), error: error.into() })
}

fn understand(path: &Path, line: Option<usize>, text: &str) -> Result<Understood, Failure> {
    let understood = DescribedCall::parse(text).and_then(|described| described.understand());
    understood.map_err(|error| Failure::Call { path: path.into(), line, error: error.into() })
}

/// One line of answers for scripts.
fn print_json_line(answer: &impl Serialize, out: &mut impl Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, answer)?;
    writeln!(out)
}

/// An answer for scripts. Its fields come in the order of their declaration, whatever else is built.
fn print_json(answer: &impl Serialize, out: &mut impl Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, answer)?;
    writeln!(out)
}
