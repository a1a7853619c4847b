//! Programs that copy, move and link files on this machine.

use portcullis_lattice::{Effect, Effects, Reach};

use crate::Use;

use super::arguments::{Argument, Order, divide};
use super::place::{self, base_name};
use super::program::{Run, operand_places, takes_from};
use super::stream::Stream;
use super::walk::Walk;

const VALUES: &[&str] =
    &["-t", "--target-directory", "-S", "--suffix", "-m", "--mode", "-o", "--owner", "-g", "--group"];

impl Walk<'_> {
    /// A program that copies, moves or links.
    pub(super) fn copier(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "cp" | "gcp" | "mv" | "gmv" | "ln" | "install" | "link" | "ditto" => self.copies(run),
            "tee" => {
                let divided = divide(run.arguments, Order::Mixed, &takes_from(&[]));
                for file in &divided.operands {
                    let places = self.written(file);
                    self.delivered(run.stdin.clone(), places);
                }
                return Some(run.stdin.clone());
            }
            "dd" => return Some(self.dd(run)),
            _ => return None,
        }
        Some(Stream::default())
    }

    fn copies(&mut self, run: &Run<'_>) {
        let divided = divide(run.arguments, Order::Mixed, &takes_from(VALUES));
        if run.name == "install" && divided.has(&["-d", "--directory"]) {
            let places = self.all_places(&divided.operands, Reach::One);
            self.changed(places);
            return;
        }
        let moves = matches!(run.name, "mv" | "gmv");
        let recursive =
            moves || run.name == "ditto" || divided.has(&["-r", "-R", "-a", "--recursive", "--archive"]);
        let reach = if recursive { Reach::Subtree } else { Reach::One };
        let effects =
            if moves { Effects::only(Effect::Write).with(Effect::Del) } else { Effect::Write.into() };
        let mut sources = divided.operands.clone();
        let (target, is_directory) = match divided.values(&["-t", "--target-directory"]).into_iter().next() {
            Some(target) => (target, true),
            None => match sources.pop() {
                Some(target) => (target, false),
                None => return,
            },
        };
        if sources.is_empty() {
            // `ln -s target` makes a link of the same name here; anything else is an error.
            sources.push(target.clone());
            self.pairs(&sources, &Argument::plain("."), (true, reach), effects);
            return;
        }
        let is_directory = is_directory || sources.len() > 1;
        self.pairs(&sources, &target, (is_directory, reach), effects);
    }

    fn pairs(
        &mut self,
        sources: &[Argument],
        target: &Argument,
        (is_directory, reach): (bool, Reach),
        effects: Effects,
    ) {
        for source in sources {
            let inputs = operand_places(self, source, reach);
            let outputs = self.target(source, target, is_directory, reach);
            self.copied(inputs, outputs, effects);
        }
    }

    /// Where a source lands: in the target if that is a directory, else at the target.
    pub(super) fn target(
        &mut self,
        source: &Argument,
        target: &Argument,
        is_directory: bool,
        reach: Reach,
    ) -> Vec<Use> {
        let into = is_directory || target.text.ends_with('/') || matches!(target.text.as_str(), "." | "..");
        let outputs = operand_places(self, target, reach);
        let name = source.is_known().then(|| base_name(&source.text)).flatten();
        match (into, name, outputs.as_slice()) {
            (true, Some(name), [output]) if output.name.starts_with('/') && *output != place::any_file() => {
                let reach = if source.has_glob { Reach::Subtree } else { reach };
                self.files(&output.name, name, reach)
            }
            (true, None, _) => super::program::below(&outputs),
            _ => outputs,
        }
    }

    fn dd(&mut self, run: &Run<'_>) -> Stream {
        let mut stream = run.stdin.clone();
        let mut outputs = None;
        for argument in run.arguments {
            if let Some(file) = argument.text.strip_prefix("if=") {
                stream = Stream::of(self.readable(&argument.with_text(file)));
            } else if let Some(file) = argument.text.strip_prefix("of=") {
                outputs = Some(self.written(&argument.with_text(file)));
            }
        }
        match outputs {
            Some(outputs) => {
                self.delivered(stream, outputs);
                Stream::default()
            }
            None => stream,
        }
    }
}
