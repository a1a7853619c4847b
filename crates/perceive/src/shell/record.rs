//! Takes down the commands of a line while they are walked, for those who ask. Nothing here changes what is found.

use crate::Use;
use crate::paths::NoLinks;

use super::arguments::Argument;
use super::command::{Command, Host};
use super::stream::{Makers, OUTER, Stream};
use super::walk::{Shell, Walk};

/// So many commands are taken down.
pub(super) const MOST_COMMANDS: usize = 4096;
/// So many bytes of words are taken down.
const MOST_BYTES: usize = 256 * 1024;

/// What is taken down so far.
#[derive(Default)]
pub(super) struct Record {
    commands: Vec<Command>,
    /// The commands that are being run, each inside the one before.
    running: Vec<Running>,
    /// Variables that are set for the next command.
    pending: Vec<(String, Option<String>)>,
    host: Host,
    bytes: usize,
    is_full: bool,
    /// Steps of the walk that only this record needed.
    steps: usize,
    /// Whether what is walked is walked for this record alone.
    is_aside: bool,
}

/// A command that is being run.
struct Running {
    /// Which one it is; None if there was no room for it.
    at: Option<usize>,
    /// The places whose content it was given, or that a command inside it brought.
    given: Vec<Use>,
    /// Variables that it has and those that it sets for the commands inside it.
    assignments: Vec<(String, Option<String>)>,
}

impl Record {
    pub(super) fn finish(self) -> Vec<Command> {
        self.commands
    }

    /// How many commands there are.
    pub(super) fn len(&self) -> usize {
        self.commands.len()
    }

    /// Sets a variable for the next command.
    pub(super) fn assign(&mut self, name: &str, value: Option<&Argument>) {
        self.pending.push((name.to_owned(), value.and_then(literal)));
    }

    /// Sets a variable for the commands inside the one that is being run.
    pub(super) fn pass(&mut self, name: &str, value: &Argument) {
        if let Some(running) = self.running.last_mut() {
            running.assignments.push((name.to_owned(), literal(value)));
        }
    }

    fn begin(&mut self, program: &Argument, arguments: &[Argument], stdin: &Stream) {
        let mut assignments =
            self.running.last().map(|around| around.assignments.clone()).unwrap_or_default();
        assignments.append(&mut self.pending);
        let mut makers = stdin.makers.clone();
        let mut given = stdin.sources.clone();
        for argument in arguments.iter().chain([program]) {
            makers.join(&argument.makers);
            given.extend(argument.sources.iter().cloned());
        }
        let command = Command {
            program: name_of(program),
            words: arguments.iter().map(literal).collect(),
            assignments: assignments.clone(),
            fed_by: makers.into_list(),
            host: self.host.clone(),
            fetches: false,
        };
        let at = self.add(command);
        self.running.push(Running { at, given, assignments });
    }

    fn add(&mut self, command: Command) -> Option<usize> {
        let words = command.words.iter().flatten().map(String::len).sum::<usize>();
        let values = command.assignments.iter().map(|(name, _)| name.len()).sum::<usize>();
        let bytes = words + values + command.words.len() + command.fed_by.len();
        if self.is_full || self.commands.len() + 1 >= MOST_COMMANDS || self.bytes + bytes > MOST_BYTES {
            if !std::mem::replace(&mut self.is_full, true) {
                self.commands.push(Command::default());
            }
            return None;
        }
        self.bytes += bytes;
        self.commands.push(command);
        Some(self.commands.len() - 1)
    }

    /// A command that cannot be seen.
    fn add_unseen(&mut self, stdin: &Stream) {
        let fed_by = stdin.makers.clone().into_list();
        let host = self.host.clone();
        self.add(Command { fed_by, host, ..Command::default() });
    }

    /// What is taken in while a command runs is fetched by it, unless it was given to it.
    pub(super) fn take(&mut self, inputs: &[Use]) {
        let Some(running) = self.running.last() else { return };
        if !inputs.iter().any(|used| is_foreign(used) && !running.given.contains(used)) {
            return;
        }
        if let Some(command) = running.at.and_then(|at| self.commands.get_mut(at)) {
            command.fetches = true;
        }
    }

    fn end(&mut self, output: &mut Stream) {
        self.take(&output.sources);
        let Some(ended) = self.running.pop() else { return };
        // What went through it is not made by it; what commands inside it made is.
        output.makers.keep_behind(ended.at);
        if let Some(around) = self.running.last_mut() {
            around.given.extend(output.sources.iter().filter(|used| is_foreign(used)).cloned());
        }
    }

    /// Commands since `start`, up to `end`, that read what a command around them writes get to know which one that is.
    pub(super) fn settle(&mut self, start: usize, end: usize, makers: &Makers) {
        for command in self.commands.iter_mut().take(end).skip(start) {
            if command.fed_by.contains(&OUTER) {
                command.fed_by.retain(|at| *at != OUTER);
                command.fed_by.extend(makers.iter());
                command.fed_by.sort_unstable();
                command.fed_by.dedup();
            }
        }
    }
}

impl Walk<'_> {
    /// A command begins, if that is taken down.
    pub(super) fn begin_command(&mut self, program: &Argument, arguments: &[Argument], stdin: &Stream) {
        if let Some(record) = &mut self.record {
            record.begin(program, arguments, stdin);
        }
    }

    /// The command that began last ends.
    pub(super) fn end_command(&mut self, output: &mut Stream) {
        if let Some(record) = &mut self.record {
            record.end(output);
        }
    }

    /// How many commands were taken down.
    pub(super) fn recorded(&self) -> usize {
        self.record.as_ref().map_or(0, |record| record.len())
    }

    /// Commands that were to read what this one writes (`>(…)`) get to know it.
    pub(super) fn settle(&mut self, start: usize, end: usize, output: &Stream) {
        if let Some(record) = &mut self.record {
            record.settle(start, end, &output.makers);
        }
    }

    /// A command that cannot be seen, if commands are taken down.
    pub(super) fn unseen(&mut self, stdin: &Stream) {
        if let Some(record) = &mut self.record {
            record.add_unseen(stdin);
        }
    }

    fn has_unseen(&self, start: usize) -> bool {
        let since = self.record.iter().flat_map(|record| record.commands.iter().skip(start));
        since.into_iter().any(|command| command.program.is_none())
    }

    /// Where commands are being run.
    pub(super) fn host_now(&self) -> Host {
        self.record.as_ref().map(|record| record.host.clone()).unwrap_or_default()
    }

    /// Walks commands only to take them down: what they do is told otherwise, or not at all. On another machine, or in a
    /// container, nothing is known of what this shell remembers.
    pub(super) fn aside(&mut self, host: Option<Host>, run: impl FnOnce(&mut Self) -> Stream) -> Makers {
        let Some(record) = &mut self.record else { return Makers::default() };
        let outer = std::mem::replace(&mut record.is_aside, true);
        // All that is walked aside shares one budget, and takes nothing from the other.
        let steps = if outer { None } else { Some(std::mem::replace(&mut self.steps, record.steps)) };
        let host_before = record.host.clone();
        let (shell, functions) = match host {
            None => (self.shell.clone(), self.functions.clone()),
            Some(host) => {
                record.host = host;
                (std::mem::replace(&mut self.shell, Shell::elsewhere()), std::mem::take(&mut self.functions))
            }
        };
        let resolver = std::mem::replace(&mut self.resolver, &NoLinks);
        let (deeds, doubts) = (std::mem::take(&mut self.deeds), std::mem::take(&mut self.doubts));
        let makers = self.taken_down(run);
        (self.deeds, self.doubts, self.resolver) = (deeds, doubts, resolver);
        (self.shell, self.functions) = (shell, functions);
        if let Some(record) = &mut self.record {
            record.host = host_before;
            record.is_aside = outer;
            if let Some(steps) = steps {
                record.steps = std::mem::replace(&mut self.steps, steps);
            }
        }
        makers
    }

    /// Runs what has nothing to do but to be taken down; where commands may be hidden, one that cannot be seen says so.
    fn taken_down(&mut self, run: impl FnOnce(&mut Self) -> Stream) -> Makers {
        let start = self.recorded();
        let mut output = Stream::default();
        if self.enter() {
            output = run(self);
            self.leave();
        }
        if self.doubts.iter().any(|doubt| doubt.hides_commands()) && !self.has_unseen(start) {
            self.unseen(&Stream::default());
        }
        output.makers
    }
}

/// The name of a program without its folder; `@scope/name` is the name of a package.
fn name_of(program: &Argument) -> Option<String> {
    let is_known = program.is_known() && !program.is_process && !program.has_number;
    if !is_known || (program.has_glob && program.text != "[") {
        return None;
    }
    let is_package = program.text.starts_with('@');
    let name = if is_package { Some(program.text.as_str()) } else { program.text.rsplit('/').next() };
    name.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// A word, if it is known in full.
fn literal(word: &Argument) -> Option<String> {
    let may_be_option = word.has_glob && word.text.starts_with(['-', '*', '?', '[']);
    let is_known = word.is_known() && !word.is_process && !word.has_number;
    (is_known && !may_be_option).then(|| word.text.clone())
}

/// Whether a place lies beyond this machine.
fn is_foreign(used: &Use) -> bool {
    !used.name.starts_with('/') && used.name != "ctxt" && !used.name.starts_with("db:")
}
