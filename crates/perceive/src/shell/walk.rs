//! The walk through a program, in the order in which a shell would run it, on every branch.

use std::collections::BTreeMap;
use std::rc::Rc;

use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundCommand, CompoundList, ExtendedTestExpr, FunctionBody, Pipeline,
    RedirectList, SeparatorOperator,
};
use portcullis_lattice::{Effect, Effects, Reach};

use crate::paths::{NoLinks, Resolver};
use crate::{Deed, Use};

use super::arguments::Argument;
use super::finding::{Doubt, Finding};
use super::place::{self, context};
use super::record::Record;
use super::stream::{FOUND, Stream, UNKNOWN};
use super::{Setting, grammar};

/// So deep may grammar, substitutions, nested shells and functions nest together.
const MAX_NESTING: usize = 40;
/// So many commands are walked; loops and functions count as often as they are walked.
const MAX_STEPS: usize = 4096;
/// So many different deeds are told apart.
const MAX_DEEDS: usize = 512;
/// So many values does a loop take one by one.
const MAX_TURNS: usize = 16;

/// What a shell remembers from one command to the next.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Shell {
    /// The working directory, while it is known.
    pub(super) workdir: Option<String>,
    /// Variables whose value is known, or known to be unknown.
    pub(super) variables: BTreeMap<String, Argument>,
    /// Aliases.
    pub(super) aliases: BTreeMap<String, String>,
    /// What `FOUND` stands for.
    pub(super) found: Vec<Use>,
}

impl Shell {
    /// What is known of a shell somewhere else: nothing, and not even where its home is.
    pub(super) fn elsewhere() -> Shell {
        let home = ("HOME".to_owned(), Argument::plain(&UNKNOWN.to_string()));
        Shell { variables: BTreeMap::from([home]), ..Shell::default() }
    }
}

/// The walk through one command line.
pub(super) struct Walk<'s> {
    pub(super) setting: &'s Setting,
    pub(super) resolver: &'s dyn Resolver,
    pub(super) shell: Shell,
    pub(super) functions: BTreeMap<String, Rc<FunctionBody>>,
    pub(super) deeds: Vec<Deed>,
    pub(super) doubts: Vec<Doubt>,
    nesting: usize,
    pub(super) steps: usize,
    /// The commands, where somebody asks for them.
    pub(super) record: Option<Box<Record>>,
}

impl<'s> Walk<'s> {
    pub(super) fn new(setting: &'s Setting, resolver: &'s dyn Resolver) -> Walk<'s> {
        let is_absolute = setting.workdir.starts_with('/');
        let workdir = is_absolute.then(|| place::path(place::ROOT, &setting.workdir, &NoLinks)).flatten();
        Walk {
            setting,
            resolver,
            shell: Shell { workdir, variables: BTreeMap::new(), aliases: BTreeMap::new(), found: Vec::new() },
            functions: BTreeMap::new(),
            deeds: Vec::new(),
            doubts: Vec::new(),
            nesting: 0,
            steps: 0,
            record: None,
        }
    }

    /// Walks a whole command line, whose output the agent sees.
    pub(super) fn line(&mut self, text: &str) {
        // The marks of the analysis itself must not be written by those whom it judges.
        if text.contains([UNKNOWN, FOUND, '\0']) {
            self.worst(Doubt::Unreadable);
            return;
        }
        let output = self.script(text, Stream::default());
        self.shown(output);
    }

    pub(super) fn finish(mut self) -> (Finding, Vec<super::Command>) {
        // A command that names nothing still answers from where it is run.
        if self.deeds.is_empty() {
            let inputs = self.workdir_uses();
            self.deed(inputs, Vec::new(), Effect::Read.into());
        }
        self.doubts.sort_unstable();
        self.doubts.dedup();
        let commands = self.record.map(|record| record.finish()).unwrap_or_default();
        (Finding { deeds: self.deeds, doubts: self.doubts }, commands)
    }

    /// Walks a text as a script with this standard input; gives its standard output.
    pub(super) fn script(&mut self, text: &str, stdin: Stream) -> Stream {
        if !self.enter() {
            return Stream::default();
        }
        let output = match grammar::read(text) {
            Ok((program, doubt)) => {
                if let Some(doubt) = doubt {
                    self.worst(doubt);
                }
                let mut output = Stream::default();
                for list in &program.complete_commands {
                    output.join(self.list(list, &stdin));
                }
                output
            }
            Err(doubt) => {
                self.worst(doubt);
                Stream { made_by_program: true, ..Stream::of(self.workdir_uses()) }
            }
        };
        self.leave();
        output
    }

    /// Walks a text in a shell of its own, and gives what it writes.
    pub(super) fn captured(&mut self, text: &str) -> Stream {
        let before = self.shell.clone();
        let output = self.script(text, Stream::default());
        self.shell = before;
        output
    }

    /// Goes one level deeper, if there is room; else takes the worst.
    pub(super) fn enter(&mut self) -> bool {
        if self.nesting >= MAX_NESTING || self.steps >= MAX_STEPS || self.deeds.len() >= MAX_DEEDS {
            self.worst(Doubt::TooLarge);
            return false;
        }
        self.nesting += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// Counts a command.
    fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps >= MAX_STEPS || self.deeds.len() >= MAX_DEEDS {
            self.worst(Doubt::TooLarge);
            return false;
        }
        true
    }

    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// Anything may be run.
    pub(super) fn worst(&mut self, doubt: Doubt) {
        self.doubt(doubt);
        let inputs = self.workdir_uses();
        self.deed(inputs, vec![context()], Effect::Exec.into());
    }

    pub(super) fn deed(&mut self, inputs: Vec<Use>, outputs: Vec<Use>, effects: Effects) {
        if let Some(record) = &mut self.record {
            record.take(&inputs);
        }
        let or_context = |side: Vec<Use>| if side.is_empty() { vec![context()] } else { side };
        let deed = Deed { inputs: or_context(inputs), outputs: or_context(outputs), effects };
        if !self.deeds.contains(&deed) {
            self.deeds.push(deed);
        }
    }

    /// Whether some deed takes its data from a place.
    pub(super) fn is_told(&self, used: &Use) -> bool {
        self.deeds.iter().any(|deed| deed.inputs.contains(used))
    }

    /// What reaches the agent's eyes.
    pub(super) fn shown(&mut self, stream: Stream) {
        if !stream.sources.is_empty() && !stream.made_by_program && !stream.is_answer {
            self.deed(stream.sources, Vec::new(), Effect::Read.into());
        }
    }

    /// What is written to places.
    pub(super) fn delivered(&mut self, stream: Stream, outputs: Vec<Use>) {
        if outputs.is_empty() {
            return;
        }
        let program = if stream.made_by_program { Effects::only(Effect::Exec) } else { Effects::EMPTY };
        self.deed(stream.sources, outputs, program.with(Effect::Write));
    }

    /// The working directory, or any place if it is not known.
    pub(super) fn workdir_uses(&mut self) -> Vec<Use> {
        match self.shell.workdir.clone() {
            Some(directory) => self.files(&directory, ".", Reach::One),
            None => {
                self.doubt(Doubt::UnknownDirectory);
                vec![place::any_file()]
            }
        }
    }

    /// Sets a variable to a text that is not known.
    pub(super) fn forget(&mut self, name: &str) {
        self.shell.variables.insert(name.to_owned(), Argument::plain(&UNKNOWN.to_string()));
    }

    pub(super) fn list(&mut self, list: &CompoundList, stdin: &Stream) -> Stream {
        let mut output = Stream::default();
        for item in &list.0 {
            match item.1 {
                SeparatorOperator::Sequence => output.join(self.and_or(&item.0, stdin)),
                SeparatorOperator::Async => output.join(self.background(|walk| walk.and_or(&item.0, stdin))),
            }
        }
        output
    }

    /// Something that is left running: what it runs is spawned.
    pub(super) fn background(&mut self, run: impl FnOnce(&mut Self) -> Stream) -> Stream {
        let before = self.shell.clone();
        let earlier = std::mem::take(&mut self.deeds);
        let output = run(self);
        self.shell = before;
        let mut spawned = false;
        for deed in std::mem::replace(&mut self.deeds, earlier) {
            let runs = deed.effects.overlaps(Effects::only(Effect::Exec).with(Effect::Spawn));
            spawned |= runs;
            let effects =
                if runs { deed.effects.minus(Effect::Exec.into()).with(Effect::Spawn) } else { deed.effects };
            self.deed(deed.inputs, deed.outputs, effects);
        }
        if !spawned {
            let inputs = self.workdir_uses();
            self.deed(inputs, Vec::new(), Effect::Spawn.into());
        }
        output
    }

    fn and_or(&mut self, list: &AndOrList, stdin: &Stream) -> Stream {
        let mut output = self.pipeline(&list.first, stdin);
        for more in &list.additional {
            match more {
                AndOr::And(pipeline) => output.join(self.pipeline(pipeline, stdin)),
                AndOr::Or(pipeline) => {
                    let before = self.shell.clone();
                    output.join(self.pipeline(pipeline, stdin));
                    self.reunite(before);
                }
            }
        }
        output
    }

    /// After a branch that may or may not have been taken: what differs is not known any more.
    fn reunite(&mut self, other: Shell) {
        if self.shell.workdir != other.workdir {
            self.shell.workdir = None;
        }
        let names: Vec<String> = self.shell.variables.keys().chain(other.variables.keys()).cloned().collect();
        for name in names {
            let (one, two) = (self.shell.variables.get(&name), other.variables.get(&name));
            if one != two {
                let mut value = Argument::plain(&UNKNOWN.to_string());
                [one, two].into_iter().flatten().for_each(|origin| value.join_origin(origin));
                self.shell.variables.insert(name, value);
            } else if let (Some(value), Some(two)) = (self.shell.variables.get_mut(&name), two) {
                value.makers.join(&two.makers);
            }
        }
        self.shell.aliases.extend(other.aliases);
    }

    fn pipeline(&mut self, pipeline: &Pipeline, stdin: &Stream) -> Stream {
        if let [command] = pipeline.seq.as_slice() {
            return self.command(command, stdin.clone());
        }
        let mut stream = stdin.clone();
        // Each command has a shell of its own, and few change it.
        let before = self.shell.clone();
        for command in &pipeline.seq {
            stream = self.command(command, stream);
            if self.shell != before {
                self.shell = before.clone();
            }
        }
        stream
    }

    fn command(&mut self, command: &Command, stdin: Stream) -> Stream {
        if !self.step() {
            return Stream::default();
        }
        match command {
            Command::Simple(simple) => self.simple(simple, stdin),
            Command::Compound(compound, redirects) => self.redirected(compound, redirects.as_ref(), stdin),
            Command::Function(function) => {
                let body = Rc::new(function.body.clone());
                self.functions.insert(function.fname.value.clone(), body);
                Stream::default()
            }
            Command::ExtendedTest(test, redirects) => {
                let plan = self.redirects(redirects.iter().flat_map(|list| &list.0));
                self.test(&test.expr);
                plan.deliver(self, Stream::default())
            }
        }
    }

    pub(super) fn redirected(
        &mut self,
        compound: &CompoundCommand,
        redirects: Option<&RedirectList>,
        stdin: Stream,
    ) -> Stream {
        if !self.enter() {
            return Stream::default();
        }
        let start = self.recorded();
        let mut plan = self.redirects(redirects.iter().flat_map(|list| &list.0));
        let stdin = plan.stdin.take().unwrap_or(stdin);
        let end = self.recorded();
        let output = self.compound(compound, stdin);
        self.settle(start, end, &output);
        let output = plan.deliver(self, output);
        self.leave();
        output
    }

    fn compound(&mut self, compound: &CompoundCommand, stdin: Stream) -> Stream {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => {
                self.rescan(&arithmetic.expr.value);
                Stream::default()
            }
            CompoundCommand::ArithmeticForClause(clause) => {
                for expression in
                    [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten()
                {
                    self.rescan(&expression.value);
                }
                self.repeated(|walk| walk.list(&clause.body.list, &stdin))
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list, &stdin),
            CompoundCommand::Subshell(subshell) => {
                let before = self.shell.clone();
                let output = self.list(&subshell.list, &stdin);
                self.shell = before;
                output
            }
            CompoundCommand::ForClause(clause) => {
                let values = clause.values.as_ref().map(|words| {
                    words.iter().flat_map(|word| self.expand(&word.value)).collect::<Vec<Argument>>()
                });
                self.for_each(&clause.variable_name, values, &clause.body.list, &stdin)
            }
            CompoundCommand::CaseClause(clause) => {
                self.expand(&clause.value.value);
                for pattern in clause.cases.iter().flat_map(|case| &case.patterns) {
                    self.rescan(&pattern.value);
                }
                let bodies: Vec<&CompoundList> =
                    clause.cases.iter().filter_map(|case| case.cmd.as_ref()).collect();
                self.branches(&bodies, &stdin)
            }
            CompoundCommand::IfClause(clause) => {
                let mut output = self.list(&clause.condition, &stdin);
                let mut bodies = vec![&clause.then];
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        output.join(self.list(condition, &stdin));
                    }
                    bodies.push(&other.body);
                }
                output.join(self.branches(&bodies, &stdin));
                output
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.repeated(|walk| {
                    let mut output = walk.list(&clause.0, &stdin);
                    output.join(walk.list(&clause.1.list, &stdin));
                    output
                })
            }
            CompoundCommand::Coprocess(coprocess) => {
                self.background(|walk| walk.command(&coprocess.body, stdin))
            }
        }
    }

    /// Bodies of which one, or none, is run.
    fn branches(&mut self, bodies: &[&CompoundList], stdin: &Stream) -> Stream {
        let before = self.shell.clone();
        let mut reunited = before.clone();
        let mut output = Stream::default();
        for body in bodies {
            self.shell = before.clone();
            output.join(self.list(body, stdin));
            self.reunite(reunited);
            reunited = self.shell.clone();
        }
        output
    }

    /// A body that is run any number of times: what the first turn changes, the next ones do not know.
    fn repeated(&mut self, mut body: impl FnMut(&mut Self) -> Stream) -> Stream {
        let before = self.shell.clone();
        let mut output = body(self);
        if self.shell != before {
            self.reunite(before);
            output.join(body(self));
        }
        output
    }

    fn for_each(
        &mut self,
        name: &str,
        values: Option<Vec<Argument>>,
        body: &CompoundList,
        stdin: &Stream,
    ) -> Stream {
        let turns = match values {
            Some(values) if values.len() <= MAX_TURNS => values,
            _ => vec![Argument::plain(&UNKNOWN.to_string())],
        };
        let mut output = Stream::default();
        for mut value in turns {
            // A glob stands for names that the directory holds, so the loop names what the glob names.
            value.has_glob = false;
            self.shell.variables.insert(name.to_owned(), value);
            output.join(self.list(body, stdin));
        }
        output
    }

    fn test(&mut self, expression: &ExtendedTestExpr) {
        match expression {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left);
                self.test(right);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner),
            ExtendedTestExpr::UnaryTest(_, word) => {
                self.expand_whole(&word.value);
            }
            ExtendedTestExpr::BinaryTest(_, left, right) => {
                self.expand_whole(&left.value);
                self.expand_whole(&right.value);
            }
        }
    }
}
