//! The commands, a module each.

use std::io::{self, Read, Write};
use std::path::Path;

use portcullis_lattice::Ruleset;
use serde::Serialize;

use crate::described::{DescribedCall, Understood};
use crate::failure::Failure;

pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod bundle;
pub(crate) mod connect;
pub(crate) mod decide;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod invariant;
pub(crate) mod issuers;
pub(crate) mod keys;
pub(crate) mod login;
pub(crate) mod logins;
pub(crate) mod logout;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod serve;
mod served;
pub(crate) mod sessions;
pub(crate) mod sign;
pub(crate) mod tools;
pub(crate) mod verify;
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

/// One line of answers for scripts, about texts that others wrote: all that is not plain ASCII is escaped, so that it says the
/// same and steers no terminal.
fn print_plain_json_line(answer: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *out, Plain);
    answer.serialize(&mut serializer)?;
    writeln!(out)
}

/// Strings in ASCII alone.
struct Plain;

impl serde_json::ser::Formatter for Plain {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut units = [0; 2];
        for letter in fragment.chars() {
            if (' '..='~').contains(&letter) {
                write!(writer, "{letter}")?;
                continue;
            }
            for unit in letter.encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_steers_no_terminal_and_says_the_same() {
        for text in
            ["plain", "a\u{1b}[31mb", "\u{9b}2J", "\u{202e}x\u{200b}", "grün 😀 \"quoted\" \\", "\n\t\u{7f}"]
        {
            let mut line = Vec::new();
            print_plain_json_line(&text, &mut line).unwrap();
            assert!(line.iter().all(|byte| (b' '..=b'~').contains(byte) || *byte == b'\n'), "{line:?}");
            assert_eq!(serde_json::from_slice::<String>(&line).unwrap(), text);
        }
    }
}
