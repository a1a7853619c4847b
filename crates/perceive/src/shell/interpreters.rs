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
        let values = values_of(run.name)?;
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
            None => {
                // As far as the text is known, so are the commands in it.
                if let Some(text) = stdin.text.clone() {
                    self.aside(None, |walk| walk.script(&text, Stream::default()));
                }
                self.input_run(stdin)
            }
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
        if divided.has(&["-m"]) {
            return match module_of(run).filter(|(module, _)| is_installer(module)) {
                Some((module, rest)) => {
                    let words: Vec<Argument> = std::iter::once(module).chain(rest.iter().cloned()).collect();
                    self.run(&words, run.stdin.clone())
                }
                None => self.executed_here(run.stdin.clone()),
            };
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

/// Those options of an interpreter that take a value; its version may stand behind its name.
fn values_of(program: &str) -> Option<&'static [&'static str]> {
    let versionless = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let known = INTERPRETERS.iter().find(|(name, _)| *name == program || *name == versionless);
    known.map(|(_, values)| *values)
}

/// Whether a module of Python installs packages.
pub(super) fn is_installer(module: &Argument) -> bool {
    matches!(module.text.as_str(), "pip" | "pip3" | "pipx" | "uv")
}

/// The module that Python runs, and its arguments: all that stands behind it.
pub(super) fn module_of<'a>(run: &Run<'a>) -> Option<(Argument, &'a [Argument])> {
    let values = values_of(run.name)?;
    if !run.name.starts_with("py") && !run.name.starts_with("ipy") {
        return None;
    }
    let mut rest = run.arguments;
    while let Some((option, more)) = rest.split_first() {
        let letters = option.text.strip_prefix('-').filter(|letters| !letters.is_empty())?;
        rest = more;
        if letters.starts_with('-') {
            continue;
        }
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            if !values.contains(&name.as_str()) {
                continue;
            }
            let attached = letters.get(at + letter.len_utf8()..).filter(|value| !value.is_empty());
            let value = match attached {
                Some(value) => option.with_text(value),
                None => {
                    let (value, more) = rest.split_first()?;
                    rest = more;
                    value.clone()
                }
            };
            match letter {
                'm' => return Some((value, rest)),
                'c' => return None,
                _ => break,
            }
        }
    }
    None
}
