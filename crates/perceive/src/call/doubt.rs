//! Why something was taken at its worst.

use std::fmt;

use crate::{shell, sql};

/// Why something was taken at its worst.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doubt {
    /// The arguments are no object.
    NoObject,
    /// An argument that must be there is left out.
    Missing(String),
    /// An argument could not be read as what it should be.
    Unreadable {
        /// Which one.
        argument: String,
        /// What is wrong with it.
        why: String,
    },
    /// An argument that the tool's profile does not know.
    UnknownArgument(String),
    /// The page that the browser shows is not known.
    UnknownPage,
    /// A tool is called through another one, and nothing is known of it.
    UnknownTool(String),
    /// A command line was not understood in full.
    Shell(shell::Doubt),
    /// SQL was not understood in full.
    Sql(sql::Doubt),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::NoObject => f.write_str("the arguments are no object"),
            Doubt::Missing(argument) => write!(f, "`{argument}` is missing"),
            Doubt::Unreadable { argument, why } => write!(f, "`{argument}`: {why}"),
            Doubt::UnknownArgument(argument) => write!(f, "nothing is known of the argument `{argument}`"),
            Doubt::UnknownPage => f.write_str("the page that the browser shows is not known"),
            Doubt::UnknownTool(tool) => write!(f, "nothing is known of the inner tool `{tool}`"),
            Doubt::Shell(doubt) => f.write_str(doubt.reason()),
            Doubt::Sql(doubt) => write!(f, "{doubt}"),
        }
    }
}
