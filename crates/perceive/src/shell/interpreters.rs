//! Shells and interpreters: what they run is known only if it is shell.

use portcullis_lattice::Reach;

use super::arguments::{Argument, Order, divide};
use super::finding::Doubt;
use super::program::{Run, takes_from};
use super::stream::{FOUND, Stream, UNKNOWN};
use super::walk::Walk;

const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish"];

/// Interpreters, and those of their options that take a value.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("python", &["-c", "-m", "-W", "-X"]),
    ("perl", &["-e", "-E", "-I", "-M", "-m", "-x"]),
    ("ruby", &["-e", "-I", "-r", "-E", "-C"]),
    ("node", &["-e", "-p", "-r", "--eval", "--print", "--require", "--import", "--loader"]),
    ("nodejs", &["-e", "-p", "-r", "--eval", "--require"]),
    ("php", &["-r", "-f", "-d", "-c", "-S", "-t"]),
    ("lua", &["-e", "-l"]),
    ("Rscript", &["-e"]),
    ("julia", &["-e", "-E", "-L"]),
    ("osascript", &["-e", "-l"]),
    ("tclsh", &[]),
    ("expect", &["-c", "-f"]),
    ("pwsh", &["-c", "-Command", "-File"]),
    ("powershell", &["-c", "-Command", "-File"]),
    ("guile", &["-c", "-e", "-l", "-s"]),
    ("ts-node", &["-e", "-p", "-P"]),
    ("tsx", &["-e", "-p"]),
    ("groovy", &["-e"]),
    ("java", &["-cp", "-classpath", "--class-path", "-p", "-m"]),
    ("ipython", &["-c", "-m"]),
    ("pypy", &["-c", "-m"]),
];

impl Walk<'_> {
    /// A shell or an interpreter.
    pub(super) fn interpreter(&mut self, run: &Run<'_>) -> Option<Stream> {
        if SHELLS.contains(&run.name) {
            return Some(self.nested_shell(run));
        }
        let versionless = run.name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let (_, values) = INTERPRETERS.iter().find(|(name, _)| *name == run.name || *name == versionless)?;
        if let [only] = run.arguments
            && matches!(only.text.as_str(), "--version" | "-V" | "--help")
        {
            return Some(Stream::of(self.workdir_uses()));
        }
        Some(self.foreign_code(run, values))
    }

    fn nested_shell(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-o", "-O", "+o", "+O", "--rcfile", "--init-file"]);
        let divided = divide(run.arguments, Order::OperandsLast, &values);
        if divided.has(&["--rcfile", "--init-file"]) {
            self.worst(Doubt::HelperProgram);
        }
        if divided.has(&["-c"]) {
            let Some((script, parameters)) = divided.operands.split_first() else { return Stream::default() };
            return self.code(script, parameters, run.stdin.clone());
        }
        match divided.operands.first() {
            Some(script) if !divided.has(&["-s"]) => {
                let inputs = self.script_places(script);
                self.executed(inputs, run.stdin.clone())
            }
            _ => self.shell_input(run.stdin.clone()),
        }
    }

    /// A shell that reads its commands from its standard input.
    pub(super) fn shell_input(&mut self, stdin: Stream) -> Stream {
        let readable = stdin.text.clone().filter(|text| !text.contains([UNKNOWN, FOUND]));
        match readable {
            Some(text) => self.script(&text, Stream::default()),
            None => self.input_run(stdin),
        }
    }

    /// Code comes in by the standard input: what it came from is run.
    fn input_run(&mut self, stdin: Stream) -> Stream {
        let inputs = if stdin.sources.is_empty() || stdin.made_by_program {
            self.workdir_uses()
        } else {
            stdin.sources
        };
        self.executed(inputs, Stream::default())
    }

    fn script_places(&mut self, script: &Argument) -> Vec<crate::Use> {
        let places = super::program::operand_places(self, script, Reach::One);
        if places.is_empty() { self.workdir_uses() } else { places }
    }

    fn foreign_code(&mut self, run: &Run<'_>, values: &[&str]) -> Stream {
        let divided = divide(run.arguments, Order::OperandsLast, &takes_from(values));
        if let [module, ..] = divided.values(&["-m"]).as_slice() {
            if matches!(module.text.as_str(), "pip" | "pip3" | "pipx" | "uv") {
                let mut words = vec![module.clone()];
                words.extend(divided.operands.iter().cloned());
                return self.run(&words, run.stdin.clone());
            }
            return self.executed_here(run.stdin.clone());
        }
        let inline = ["-c", "-e", "-E", "-r", "-p", "--eval", "--print", "-Command", "-S"];
        let has_code = divided.has(&inline)
            && values.iter().any(|value| inline.contains(value) && divided.has(&[value]));
        if has_code {
            for code in divided.values(&inline) {
                self.shows(code.sources);
            }
            return self.executed_here(run.stdin.clone());
        }
        let file = divided.values(&["-f", "-s", "-File"]).into_iter().next();
        match file.or_else(|| divided.operands.first().cloned()) {
            Some(script) if script.text == "-" => self.input_run(run.stdin.clone()),
            Some(script) => {
                let inputs = self.script_places(&script);
                self.executed(inputs, run.stdin.clone())
            }
            None => self.input_run(run.stdin.clone()),
        }
    }
}
