//! What a shell command does: a command line, read as bash would read it, to deeds.
//!
//! Nothing is run, and nothing is looked up but links, by a resolver that the caller brings. The line is parsed by two
//! independent grammars that must agree (`grammar`), walked as an interpreter would walk it (`walk`), and every command
//! is looked up in tables that say what its flags and operands mean (`program`). Whatever cannot be read or named is
//! taken at its worst, with a `Doubt` that says why.

mod archive;
mod arguments;
mod builtins;
mod command;
mod containers;
mod copy;
mod details;
mod editors;
mod fetch;
mod finding;
mod git;
mod grammar;
mod inner;
mod interpreters;
mod packages;
mod place;
mod program;
mod record;
mod remote;
mod search;
mod simple;
mod stream;
mod tables;
mod walk;
mod word;
mod wrappers;

pub use command::{Command, Host};
pub use finding::{Doubt, Finding};
pub use grammar::{MAX_LENGTH, MAX_STRUCTURE, MAX_SUBSTITUTIONS};
pub use tables::{known_programs, knows_program, tables_error};

use crate::paths::Resolver;

/// Where a command line is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The absolute working directory.
    pub workdir: String,
    /// The absolute home directory.
    pub home: String,
}

/// What a command line does when it is run in a setting. The resolver says which paths are links.
pub fn analyse(command: &str, setting: &Setting, resolver: &dyn Resolver) -> Finding {
    let mut walk = walk::Walk::new(setting, resolver);
    walk.line(command);
    walk.finish().0
}

/// The same, and every command that the line would run, in the order in which a shell would come to it, on every branch.
/// Commands may be missing from the list only where a doubt says so (`Doubt::hides_commands`); loops are walked more than
/// once, so that theirs may stand in it repeatedly.
pub fn analyse_with_commands(
    command: &str,
    setting: &Setting,
    resolver: &dyn Resolver,
) -> (Finding, Vec<Command>) {
    let mut walk = walk::Walk::new(setting, resolver);
    walk.record = Some(Box::default());
    walk.line(command);
    walk.finish()
}
