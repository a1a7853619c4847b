//! What the analysis of a command line gives: deeds, and the reasons why some were taken at their worst.

use crate::Deed;

/// Why something was taken at its worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doubt {
    /// The line is longer, deeper or busier than is read.
    TooLarge,
    /// At least one of the two grammars does not accept the text.
    Unreadable,
    /// The two grammars see different commands.
    GrammarsDisagree,
    /// The name of a command is computed while it runs.
    ComputedCommand,
    /// No table knows the program.
    UnknownProgram,
    /// An operand depends on something that only the running shell knows.
    UnnamedOperand,
    /// The working directory is not known any more.
    UnknownDirectory,
    /// A program is told to run a helper of the caller's choice.
    HelperProgram,
    /// A variable is set that makes programs load or run something else.
    LoaderVariable,
    /// An option that the table of the program does not know.
    UnknownOption,
}

impl Doubt {
    /// Whether the line may run commands that are not among those that were taken down.
    pub const fn hides_commands(self) -> bool {
        match self {
            Doubt::TooLarge
            | Doubt::Unreadable
            | Doubt::GrammarsDisagree
            | Doubt::ComputedCommand
            | Doubt::HelperProgram
            | Doubt::LoaderVariable => true,
            Doubt::UnknownProgram
            | Doubt::UnnamedOperand
            | Doubt::UnknownDirectory
            | Doubt::UnknownOption => false,
        }
    }

    /// The words people read.
    pub const fn reason(self) -> &'static str {
        match self {
            Doubt::TooLarge => "the command is too long or too deeply nested to be read",
            Doubt::Unreadable => "the command is not valid shell grammar",
            Doubt::GrammarsDisagree => "the command can be read in two ways",
            Doubt::ComputedCommand => "the name of a command is computed",
            Doubt::UnknownProgram => "a program is not known",
            Doubt::UnnamedOperand => "an operand is computed and cannot be named",
            Doubt::UnknownDirectory => "the working directory is computed",
            Doubt::HelperProgram => "an option names another program to run",
            Doubt::LoaderVariable => "a variable changes which code is run",
            Doubt::UnknownOption => "an option is not known",
        }
    }
}

/// All that was found in a command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Finding {
    /// What is done, in the order in which it was seen, without repetitions.
    pub deeds: Vec<Deed>,
    /// Why something was taken at its worst; sorted, without repetitions.
    pub doubts: Vec<Doubt>,
}
