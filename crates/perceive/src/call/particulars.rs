//! What stands in the command lines and the SQL of a call, piece by piece.

use crate::shell::Command;
use crate::sql::Statement;

/// So many commands of one call are told.
const MOST_COMMANDS: usize = 4096;

/// The commands and statements of a call. There are others only where a doubt of the call says so (`hides_commands`,
/// `hides_statements`), and behind a command that has no program.
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

    /// Adds the statements of a text.
    pub(super) fn add_statements(&mut self, statements: Vec<Statement>) {
        self.statements.extend(statements);
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
    fn too_many_commands_end_in_one_that_cannot_be_seen() {
        let mut particulars = Particulars::default();
        let known = Command { program: Some("ls".to_owned()), ..Command::default() };
        for _ in 0..3 {
            particulars.add_commands(vec![known.clone(); MOST_COMMANDS]);
        }
        assert_eq!(particulars.commands.len(), MOST_COMMANDS + 1);
        assert_eq!(particulars.commands.last(), Some(&Command::default()));
    }
}
