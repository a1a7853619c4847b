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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_another_line_are_fed_by_their_own() {
        let line = || vec![Command::default(), Command { fed_by: vec![0], ..Command::default() }];
        let mut particulars = Particulars::default();
        particulars.add_commands(line());
        particulars.add_commands(line());
        let fed_by: Vec<&[usize]> = particulars.commands.iter().map(|one| one.fed_by.as_slice()).collect();
        assert_eq!(fed_by, [&[][..], &[0], &[], &[2]]);
    }

    #[test]
    fn what_is_too_much_ends_in_something_unknown() {
        let mut particulars = Particulars::default();
        let known = Command { program: Some("ls".to_owned()), ..Command::default() };
        for _ in 0..3 {
            particulars.add_commands(vec![known.clone(); MOST_COMMANDS]);
            particulars
                .add_statements(vec![Statement { has_star: true, ..Statement::default() }; MOST_STATEMENTS]);
        }
        assert_eq!(particulars.commands.len(), MOST_COMMANDS + 1);
        assert_eq!(particulars.commands.last(), Some(&Command::default()));
        assert_eq!(particulars.statements.len(), MOST_STATEMENTS + 1);
        assert_eq!(particulars.statements.last(), Some(&Statement::default()));
    }
}
