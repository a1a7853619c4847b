//! Simple commands: assignments, redirects, and the words that name a program and its arguments.

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, IoFileRedirectKind,
    IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind, SimpleCommand,
};
use portcullis_lattice::{Effect, Reach};

use crate::Use;

use super::arguments::Argument;
use super::finding::Doubt;
use super::place;
use super::stream::{FOUND, Makers, Stream, UNKNOWN, merge};
use super::walk::Walk;

/// Where the redirects of a command lead.
#[derive(Default)]
pub(super) struct Plan {
    /// What is read instead of the standard input.
    pub(super) stdin: Option<Stream>,
    /// Where the standard output goes instead; empty if it is dropped.
    stdout: Option<Vec<Use>>,
    /// Where other outputs go.
    others: Vec<Use>,
    /// Whether the standard output is shown as errors are.
    to_errors: bool,
}

impl Plan {
    /// Sends what a command wrote where it goes; gives what is left for the next.
    pub(super) fn deliver(self, walk: &mut Walk<'_>, output: Stream) -> Stream {
        if !self.others.is_empty() {
            walk.delivered(output.clone(), self.others);
        }
        match self.stdout {
            Some(places) => {
                walk.delivered(output, places);
                Stream::default()
            }
            None => {
                if self.to_errors {
                    walk.shown(output.clone());
                }
                output
            }
        }
    }
}

impl Walk<'_> {
    pub(super) fn simple(&mut self, simple: &SimpleCommand, stdin: Stream) -> Stream {
        let start = self.recorded();
        let mut arguments = Vec::new();
        let mut assignments = Vec::new();
        let mut redirects = Vec::new();
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => assignments.push(assignment),
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => redirects.push(redirect),
                CommandPrefixOrSuffixItem::Word(_) | CommandPrefixOrSuffixItem::ProcessSubstitution(..) => {}
            }
        }
        if let Some(word) = &simple.word_or_name {
            self.expand_into(&word.value, &mut arguments);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            match item {
                CommandPrefixOrSuffixItem::Word(word) => self.expand_into(&word.value, &mut arguments),
                CommandPrefixOrSuffixItem::AssignmentWord(_, word) => {
                    arguments.push(self.expand_whole(&word.value));
                }
                CommandPrefixOrSuffixItem::IoRedirect(redirect) => redirects.push(redirect),
                CommandPrefixOrSuffixItem::ProcessSubstitution(kind, subshell) => {
                    let before = self.shell.clone();
                    let fed = self.fed(kind);
                    let output = self.list(&subshell.list, &fed);
                    self.shell = before;
                    arguments.push(self.process_argument(kind, output));
                }
            }
        }
        let before = (!assignments.is_empty()).then(|| self.shell.variables.clone());
        assignments.iter().for_each(|assignment| self.assign(assignment));
        let mut plan = self.redirects(redirects.into_iter());
        let stdin = plan.stdin.take().unwrap_or(stdin);
        if arguments.is_empty() {
            return plan.deliver(self, Stream::default());
        }
        if let Some(before) = before {
            self.record_assignments(&assignments);
            self.shell.variables = before;
        }
        let end = self.recorded();
        let output = self.run(&arguments, stdin);
        self.settle(start, end, &output);
        plan.deliver(self, output)
    }

    fn record_assignments(&mut self, assignments: &[&Assignment]) {
        let Some(record) = &mut self.record else { return };
        for assignment in assignments {
            match &assignment.name {
                AssignmentName::VariableName(name) => record.assign(name, self.shell.variables.get(name)),
                AssignmentName::ArrayElementName(name, _) => record.assign(name, None),
            }
        }
    }

    fn assign(&mut self, assignment: &Assignment) {
        let (name, index) = match &assignment.name {
            AssignmentName::VariableName(name) => (name, None),
            AssignmentName::ArrayElementName(name, index) => (name, Some(index)),
        };
        if let Some(index) = index {
            self.rescan(index);
        }
        match &assignment.value {
            AssignmentValue::Scalar(word) if index.is_none() && !assignment.append => {
                let value = self.expand_whole(&word.value);
                self.set_variable(name, value);
            }
            AssignmentValue::Scalar(word) => {
                let added = self.expand_whole(&word.value);
                let mut value = Argument::plain(&UNKNOWN.to_string());
                self.shell.variables.get(name).into_iter().for_each(|before| value.join_origin(before));
                value.join_origin(&added);
                self.set_variable(name, value);
            }
            AssignmentValue::Array(elements) => {
                let mut value = Argument::plain(&UNKNOWN.to_string());
                for (index, element) in elements {
                    if let Some(index) = index {
                        self.rescan(&index.value);
                    }
                    for argument in self.expand(&element.value) {
                        value.join_origin(&argument);
                    }
                }
                self.set_variable(name, value);
            }
        }
    }

    /// Sets a variable; one that decides which code programs run is code by itself.
    pub(super) fn set_variable(&mut self, name: &str, value: Argument) {
        if super::tables::loads_code(name) && !super::tables::is_harmless_helper(&value.text) {
            self.worst(Doubt::LoaderVariable);
        }
        self.shell.variables.insert(name.to_owned(), value);
    }

    pub(super) fn redirects<'r>(&mut self, redirects: impl Iterator<Item = &'r IoRedirect>) -> Plan {
        let mut plan = Plan::default();
        for redirect in redirects {
            self.redirect(redirect, &mut plan);
        }
        plan
    }

    fn redirect(&mut self, redirect: &IoRedirect, plan: &mut Plan) {
        match redirect {
            IoRedirect::File(descriptor, kind, target) => self.file_redirect(*descriptor, kind, target, plan),
            IoRedirect::HereDocument(_, document) => {
                let stream = if document.requires_expansion {
                    let value = self.here_document(&document.doc.value);
                    Stream { text: Some(value.text), makers: value.makers, ..Stream::of(value.sources) }
                } else {
                    Stream::literal(document.doc.value.clone())
                };
                plan.stdin = Some(stream);
            }
            IoRedirect::HereString(_, word) => {
                let value = self.expand_whole(&word.value);
                let stream = Stream::of(value.sources);
                plan.stdin = Some(Stream { text: Some(value.text), makers: value.makers, ..stream });
            }
            IoRedirect::OutputAndError(word, _) => {
                let target = self.expand_whole(&word.value);
                let places = self.written(&target);
                plan.stdout = Some(places);
            }
        }
    }

    /// A here-document in which parameters and substitutions count, but quotes do not.
    fn here_document(&mut self, text: &str) -> Argument {
        let quoted = format!("\"{}\"", text.replace('"', "\\\""));
        self.expand_whole(&quoted)
    }

    fn file_redirect(
        &mut self,
        descriptor: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        plan: &mut Plan,
    ) {
        let target = match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                self.expand_whole(&word.value)
            }
            IoFileRedirectTarget::Fd(number) => Argument::plain(&number.to_string()),
            IoFileRedirectTarget::ProcessSubstitution(kind, subshell) => {
                let before = self.shell.clone();
                let fed = self.fed(kind);
                let output = self.list(&subshell.list, &fed);
                self.shell = before;
                self.process_argument(kind, output)
            }
        };
        match kind {
            IoFileRedirectKind::Read => plan.stdin = Some(self.read_from(&target)),
            IoFileRedirectKind::ReadAndWrite => {
                plan.stdin = Some(self.read_from(&target));
                let places = self.written(&target);
                merge(&mut plan.others, places);
            }
            IoFileRedirectKind::Write | IoFileRedirectKind::Append | IoFileRedirectKind::Clobber => {
                self.output_redirect(descriptor, &target, plan);
            }
            IoFileRedirectKind::DuplicateInput => {
                if !is_descriptor(&target.text) {
                    plan.stdin = Some(self.read_from(&target));
                } else if is_opened(&target.text) {
                    self.doubt(Doubt::UnnamedOperand);
                    plan.stdin = Some(Stream::of(vec![place::any_file()]));
                }
            }
            IoFileRedirectKind::DuplicateOutput => {
                if !is_descriptor(&target.text) {
                    self.output_redirect(descriptor, &target, plan);
                } else if is_opened(&target.text) && descriptor.unwrap_or(1) <= 2 {
                    self.doubt(Doubt::UnnamedOperand);
                    plan.stdout = Some(vec![place::any_file(), place::any_host()]);
                } else if descriptor.unwrap_or(1) == 1 {
                    plan.to_errors = true;
                }
            }
        }
    }

    fn output_redirect(&mut self, descriptor: Option<i32>, target: &Argument, plan: &mut Plan) {
        let places = self.written(target);
        match descriptor {
            None | Some(1) => plan.stdout = Some(places),
            Some(_) => merge(&mut plan.others, places),
        }
    }

    /// What an argument gives whoever reads from it.
    pub(super) fn read_from(&mut self, argument: &Argument) -> Stream {
        let makers = if argument.is_process { argument.makers.clone() } else { Makers::default() };
        Stream { makers, ..Stream::of(self.readable(argument)) }
    }

    /// The places that an argument names when its content is read.
    pub(super) fn readable(&mut self, argument: &Argument) -> Vec<Use> {
        if argument.is_process {
            return argument.sources.clone();
        }
        match special_file(&argument.text) {
            Some(places) => places,
            None => self.places(argument, Reach::One),
        }
    }

    /// The places that an argument names when it is written to; none for the terminal and `/dev/null`.
    pub(super) fn written(&mut self, argument: &Argument) -> Vec<Use> {
        self.readable(argument)
    }

    /// The places that an argument names.
    pub(super) fn places(&mut self, argument: &Argument, reach: Reach) -> Vec<Use> {
        let text = argument.text.as_str();
        if let Some(at) = text.find(FOUND) {
            return self.found_places(text, at);
        }
        if text.contains(UNKNOWN) {
            self.doubt(Doubt::UnnamedOperand);
            return vec![place::any_file()];
        }
        let reach = if argument.has_glob { Reach::Subtree } else { reach };
        match self.shell.workdir.take() {
            Some(workdir) => {
                let files = self.files(&workdir, text, reach);
                self.shell.workdir = Some(workdir);
                files
            }
            None if text.starts_with('/') => self.files(place::ROOT, text, reach),
            None => {
                self.doubt(Doubt::UnknownDirectory);
                vec![place::any_file()]
            }
        }
    }

    /// Every place that a path below a directory may mean; any, if that cannot be said.
    pub(super) fn files(&mut self, directory: &str, text: &str, reach: Reach) -> Vec<Use> {
        place::files(directory, text, reach, self.resolver).unwrap_or_else(|| {
            self.doubt(Doubt::UnnamedOperand);
            vec![place::any_file()]
        })
    }

    /// Places below what a search found, or below the directory that is written before it.
    fn found_places(&mut self, text: &str, at: usize) -> Vec<Use> {
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        if !after.contains("..") && !text.contains(UNKNOWN) && !self.shell.found.is_empty() {
            match before.rsplit_once('/') {
                Some((directory, _)) => {
                    let directory = if directory.is_empty() { "/" } else { directory };
                    return self.places(&Argument::plain(directory), Reach::Subtree);
                }
                None if before.is_empty() => return self.shell.found.clone(),
                None => {}
            }
        }
        self.doubt(Doubt::UnnamedOperand);
        vec![place::any_file()]
    }

    /// What a process substitution is fed with: nothing, or whatever its command will write into it.
    fn fed(&mut self, kind: &ProcessSubstitutionKind) -> Stream {
        match kind {
            ProcessSubstitutionKind::Read => Stream::default(),
            ProcessSubstitutionKind::Write => {
                self.doubt(Doubt::UnnamedOperand);
                Stream { makers: Makers::outer(), ..Stream::of(vec![place::any_file()]) }
            }
        }
    }

    /// A file that is sent or shown, told as a read to the context.
    pub(super) fn shows(&mut self, places: Vec<Use>) {
        if !places.is_empty() {
            self.deed(places, Vec::new(), Effect::Read.into());
        }
    }
}

fn is_descriptor(text: &str) -> bool {
    text == "-" || text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a descriptor is one that something opened before, a file or a connection.
fn is_opened(text: &str) -> bool {
    text.trim_end_matches('-').parse::<u32>().is_ok_and(|number| number > 2)
}

/// Files that stand for no file: terminals, descriptors, nothing, a connection.
fn special_file(text: &str) -> Option<Vec<Use>> {
    if let Some(connection) = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/")) {
        let (host, port) = connection.split_once('/').unwrap_or((connection, ""));
        let text = if port.is_empty() { host.to_owned() } else { format!("{host}:{port}") };
        return Some(vec![place::bare_host("tcp", &text)]);
    }
    let plain = matches!(
        text,
        "/dev/null"
            | "/dev/stdout"
            | "/dev/stderr"
            | "/dev/stdin"
            | "/dev/tty"
            | "/dev/zero"
            | "/dev/urandom"
            | "/dev/random"
    );
    (plain || text.starts_with("/dev/fd/")).then(Vec::new)
}
