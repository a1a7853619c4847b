//! The commands of a line, one by one.

/// A simple command that a line would run. A program that runs another and the one that it runs are two commands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    /// The program's name without its folder. None for a name that only the running shell knows, and for commands that
    /// cannot be seen: those that another machine, a container or a package runner would make of a text nobody can read.
    pub program: Option<String>,
    /// What stands behind the program, as it is after expansion; None for a word that is not known in full, which may
    /// also be several words or none. A pattern of files is kept as it is written, unless it could match an option.
    pub words: Vec<Option<String>>,
    /// The variables that are set for it, by itself or by the programs that run it; None for a value that is not known.
    pub assignments: Vec<(String, Option<String>)>,
    /// Which of the commands before or after give it something to read or to run: through a pipe, through a process
    /// substitution, or through a substitution among its words. Only those that do so directly, in order.
    pub fed_by: Vec<usize>,
    /// Where it runs.
    pub host: Host,
    /// Whether it brings something from beyond this machine.
    pub fetches: bool,
}

/// The machine that a command runs on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Host {
    /// This one, or a container on it.
    #[default]
    Here,
    /// Another one, by its name.
    Named(String),
    /// Another one whose name is not known.
    Unknown,
}
