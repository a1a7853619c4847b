//! Builtins of the shell: they change what the shell remembers.

use portcullis_lattice::Reach;

use crate::paths::{NoLinks, Resolver};

use super::arguments::{Argument, Order, divide};
use super::finding::Doubt;
use super::place;
use super::program::{Run, takes_from};
use super::stream::{Stream, UNKNOWN};
use super::walk::Walk;

impl Walk<'_> {
    /// A builtin.
    pub(super) fn builtin(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "cd" | "pushd" | "chdir" => {
                let operand = run
                    .arguments
                    .iter()
                    .find(|argument| !matches!(argument.text.as_str(), "-P" | "-L" | "--"));
                let target = operand.cloned().unwrap_or_else(|| Argument::plain(&self.setting.home));
                // A shell takes `..` from what it calls its directory, unless it is told to ask the system.
                let is_physical = run.arguments.iter().any(|argument| argument.text == "-P");
                let resolver = if is_physical { self.resolver } else { &NoLinks };
                self.change_directory(&target, resolver);
            }
            "popd" => self.shell.workdir = None,
            "pwd" => {
                let text = self.shell.workdir.clone().unwrap_or_else(|| UNKNOWN.to_string());
                return Some(Stream { text: Some(text), ..Stream::of(Vec::new()) });
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declaration(run),
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" => {
                for argument in run.arguments.iter().filter(|argument| !argument.text.starts_with('-')) {
                    let mut value = Argument::plain(&UNKNOWN.to_string());
                    if run.name != "unset" {
                        value.sources = run.stdin.sources.clone();
                        value.makers = run.stdin.makers.clone();
                    }
                    self.shell.variables.insert(argument.text.clone(), value);
                }
                self.shown(run.stdin.clone());
            }
            "source" | "." => return Some(self.sourced(run)),
            "eval" => return Some(self.evaluated(run)),
            "alias" => self.aliases(run),
            "trap" => {
                if let Some(script) = run.arguments.first() {
                    let output = self.code(script, &[], Stream::default());
                    self.shown(output);
                }
            }
            "history" => self.history(run),
            "test" | "[" => {}
            "enable" | "bind" | "complete" | "compgen" | "hash" | "fc" if !run.arguments.is_empty() => {
                self.worst(Doubt::HelperProgram);
            }
            "printf" if run.arguments.first().is_some_and(|first| first.text == "-v") => {
                if let Some(name) = run.arguments.get(1) {
                    let mut value = Argument::plain(&UNKNOWN.to_string());
                    run.arguments.iter().for_each(|argument| value.join_origin(argument));
                    self.shell.variables.insert(name.text.clone(), value);
                }
            }
            _ => return None,
        }
        Some(Stream::default())
    }

    /// Changes the working directory; the resolver says which links are followed on the way.
    pub(super) fn change_directory(&mut self, target: &Argument, resolver: &dyn Resolver) {
        if !target.is_known() || target.has_glob || target.text == "-" || target.text.starts_with('+') {
            self.doubt(Doubt::UnknownDirectory);
            self.shell.workdir = None;
            return;
        }
        let base = self.shell.workdir.clone();
        self.shell.workdir = match base {
            Some(base) => place::path(&base, &target.text, resolver),
            None if target.text.starts_with('/') => place::path(place::ROOT, &target.text, resolver),
            None => None,
        };
    }

    fn declaration(&mut self, run: &Run<'_>) {
        for argument in run.arguments.iter().filter(|argument| !argument.text.starts_with('-')) {
            if let Some((name, value)) = argument.text.split_once('=') {
                self.set_variable(name.trim_end_matches('+'), argument.with_text(value));
            }
        }
    }

    fn sourced(&mut self, run: &Run<'_>) -> Stream {
        let Some(file) = run.arguments.first() else { return Stream::default() };
        let inputs = if file.is_process { file.sources.clone() } else { self.places(file, Reach::One) };
        // It may set anything.
        let names: Vec<String> = self.shell.variables.keys().cloned().collect();
        names.iter().for_each(|name| self.forget(name));
        self.executed(inputs, run.stdin.clone())
    }

    /// `eval` runs in this very shell, so what it changes stays.
    fn evaluated(&mut self, run: &Run<'_>) -> Stream {
        let texts: Vec<&str> = run.arguments.iter().map(|argument| argument.text.as_str()).collect();
        let text = texts.join(" ");
        for argument in run.arguments.iter().filter(|argument| !argument.sources.is_empty()) {
            self.deed(argument.sources.clone(), Vec::new(), portcullis_lattice::Effect::Exec.into());
        }
        if text.contains(UNKNOWN) {
            self.worst(Doubt::ComputedCommand);
        }
        self.script(&text, run.stdin.clone())
    }

    fn aliases(&mut self, run: &Run<'_>) {
        for argument in run.arguments {
            if let Some((name, value)) = argument.text.split_once('=') {
                if !argument.is_known() {
                    self.worst(Doubt::ComputedCommand);
                }
                self.shell.aliases.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// The history can be filled with any text and written to any file.
    fn history(&mut self, run: &Run<'_>) {
        let divided = divide(run.arguments, Order::Mixed, &takes_from(&["-d", "-s", "-p"]));
        let written = divided.has(&["-a", "-w"]);
        let default = Argument::plain(&format!("{}/.bash_history", self.setting.home));
        let files = if divided.operands.is_empty() { vec![default] } else { divided.operands.clone() };
        let places = self.all_places(&files, Reach::One);
        if written {
            self.changed(places);
        } else if !divided.has(&["-s", "-c", "-d"]) {
            self.shows(places);
        }
    }
}
