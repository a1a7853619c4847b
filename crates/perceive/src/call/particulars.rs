//! What stands in the command lines and the SQL of a call, piece by piece.

use crate::shell::Command;
use crate::sql::Statement;

/// So many commands of one call are told.
const MOST_COMMANDS: usize = 4096;
/// So many statements of one call are told.
const MOST_STATEMENTS: usize = 4096;

/// The commands and statements of a call. Some may be missing where a doubt of the call says so; a call without doubts has
/// no others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Particulars {
    /// Every command that its command lines would run.
    pub commands: Vec<Command>,
    /// Every statement of its SQL.
    pub statements: Vec<Statement>,
}

impl Particulars {
    /// Adds the commands of a line. Where they are too many, one that cannot be seen stands for all that are left out.
    pub(super) fn add_commands(&mut self, commands: Vec<Command>) {
        let before = self.commands.len();
        if before + commands.len() <= MOST_COMMANDS {
            let behind = |mut command: Command| {
                command.fed_by.iter_mut().for_each(|at| *at += before);
                command
            };
            self.commands.extend(commands.into_iter().map(behind));
        } else if self.commands.last() != Some(&Command::default()) {
            self.commands.push(Command::default());
        }
    }

    /// Adds the statements of a text, in the same manner.
    pub(super) fn add_statements(&mut self, statements: Vec<Statement>) {
        if self.statements.len() + statements.len() <= MOST_STATEMENTS {
            self.statements.extend(statements);
        } else if self.statements.last() != Some(&Statement::default()) {
            self.statements.push(Statement::default());
        }
    }
}
