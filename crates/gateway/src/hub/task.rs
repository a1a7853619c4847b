//! Which server has which task.

use std::collections::{HashMap, VecDeque};

/// So many tasks of one server are known; the oldest are forgotten first.
const MOST: usize = 1024;
/// A longer name of a task is refused.
const LONGEST: usize = 1024;

/// The tasks that servers have begun.
pub(super) struct Tasks {
    of: HashMap<String, usize>,
    /// By server, the oldest first. No server makes those of another be forgotten.
    begun: Vec<VecDeque<String>>,
}

impl Tasks {
    pub(super) fn new(servers: usize) -> Tasks {
        Tasks { of: HashMap::new(), begun: vec![VecDeque::new(); servers] }
    }

    /// The server that has a task.
    pub(super) fn server(&self, task: &str) -> Option<usize> {
        self.of.get(task).copied()
    }

    /// A server has this task. What another server has already is refused.
    pub(super) fn remember(&mut self, server: usize, task: &str) -> Result<(), &'static str> {
        if task.len() > LONGEST {
            return Err("the name of the task is too long");
        }
        match self.of.get(task) {
            Some(other) if *other == server => return Ok(()),
            Some(_) => return Err("another server has a task of that name"),
            None => {}
        }
        let Some(begun) = self.begun.get_mut(server) else { return Err("there is no such server") };
        begun.push_back(task.to_owned());
        self.of.insert(task.to_owned(), server);
        if begun.len() > MOST
            && let Some(oldest) = begun.pop_front()
        {
            self.of.remove(&oldest);
        }
        Ok(())
    }

    /// The server is gone, and its tasks with it.
    pub(super) fn forget(&mut self, server: usize) {
        let gone = self.begun.get_mut(server).map(std::mem::take).unwrap_or_default();
        for task in gone {
            self.of.remove(&task);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_server_takes_or_drives_out_the_tasks_of_another() {
        let mut tasks = Tasks::new(2);
        assert_eq!(tasks.remember(0, "t"), Ok(()));
        assert_eq!(tasks.remember(1, "t"), Err("another server has a task of that name"));
        for number in 0..3 * MOST {
            assert_eq!(tasks.remember(1, &number.to_string()), Ok(()));
        }
        assert_eq!(tasks.server("t"), Some(0));
        assert_eq!(tasks.server("0"), None);
        assert_eq!(tasks.of.len(), MOST + 1);
        tasks.forget(1);
        assert_eq!(tasks.of.len(), 1);
    }
}
