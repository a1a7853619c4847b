//! Programs that carry a little language: `sed`, `awk`, and editors with commands.

use portcullis_lattice::Reach;

use super::arguments::{Argument, Divided, Order, Takes, divide};
use super::finding::Doubt;
use super::program::{Run, takes_from};
use super::stream::{FOUND, Stream, UNKNOWN, merge};
use super::walk::Walk;

/// What a little program does beside transforming what it reads.
#[derive(Default)]
struct Script {
    /// Files that it writes.
    writes: Vec<String>,
    /// Files that it reads.
    reads: Vec<String>,
    /// Whether it runs commands, or cannot be read.
    runs: bool,
}

impl Walk<'_> {
    /// An editor, for streams or for files.
    pub(super) fn editor(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "sed" | "gsed" => Some(self.sed(run)),
            "awk" | "gawk" | "mawk" | "nawk" => Some(self.awk(run)),
            "vi" | "vim" | "nvim" | "ex" | "view" | "ed" | "emacs" | "nano" | "pico" | "micro" => {
                Some(self.visual(run))
            }
            _ => None,
        }
    }

    fn sed(&mut self, run: &Run<'_>) -> Stream {
        let takes = |name: &str| match name {
            "-e" | "-f" | "-l" | "--expression" | "--file" | "--line-length" => Takes::Value,
            "-i" => Takes::Optional,
            _ => Takes::Nothing,
        };
        let divided = divide(run.arguments, Order::Mixed, &takes);
        let mut scripts = divided.values(&["-e", "--expression"]);
        let mut operands = divided.operands.clone();
        if scripts.is_empty() && !divided.has(&["-f", "--file"]) && !operands.is_empty() {
            scripts.push(operands.remove(0));
        }
        let files = divided.values(&["-f", "--file"]);
        if !files.is_empty() {
            self.worst(Doubt::HelperProgram);
        }
        let edits = divided.has(&["-i", "--in-place"]);
        self.little_program(scripts.iter().map(sed_script).collect(), &operands, edits, run.stdin.clone())
    }

    fn awk(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&[
            "-F",
            "-v",
            "-f",
            "-i",
            "-l",
            "-E",
            "--file",
            "--assign",
            "--field-separator",
            "--include",
        ]);
        let divided = divide(run.arguments, Order::OperandsLast, &values);
        let loads = ["-f", "-i", "-l", "-E", "--file", "--include", "--load", "--exec"];
        let mut operands = divided.operands.clone();
        let mut scripts = Vec::new();
        let files = divided.values(&["-f", "--file", "-E"]);
        if divided.has(&loads) {
            let inputs = self.all_places(&files, Reach::One);
            self.deed(inputs, Vec::new(), portcullis_lattice::Effect::Exec.into());
        }
        if files.is_empty() && !operands.is_empty() {
            scripts.push(operands.remove(0));
        }
        operands.retain(|operand| !operand.text.contains('=') || operand.text.contains('/'));
        self.little_program(scripts.iter().map(awk_script).collect(), &operands, false, run.stdin.clone())
    }

    fn little_program(
        &mut self,
        scripts: Vec<Script>,
        operands: &[Argument],
        edits: bool,
        stdin: Stream,
    ) -> Stream {
        let mut places = self.all_places(operands, Reach::One);
        let mut output = if operands.is_empty() {
            Stream { text: None, names: Vec::new(), ..stdin }
        } else {
            Stream::of(places.clone())
        };
        output.open = true;
        for script in scripts {
            if script.runs {
                self.worst(Doubt::HelperProgram);
            }
            for file in script.reads {
                let read = self.readable(&Argument::plain(&file));
                merge(&mut output.sources, read);
            }
            for file in script.writes {
                let written = self.written(&Argument::plain(&file));
                self.delivered(output.clone(), written);
            }
        }
        if edits {
            places.retain(|used| !used.name.is_empty());
            self.changed(places);
            return Stream::default();
        }
        output
    }

    /// A screen editor changes its files; its commands can do anything.
    fn visual(&mut self, run: &Run<'_>) -> Stream {
        let values: &[&str] = match run.name {
            "emacs" => &["-l", "-f", "--eval", "--load"],
            "nano" | "pico" | "micro" | "ed" => &[],
            _ => &["-c", "-S", "-s", "-u", "-U", "-w", "-W", "--cmd", "-T", "-i"],
        };
        let divided: Divided = divide(run.arguments, Order::Mixed, &takes_from(values));
        let commands = ["-c", "-S", "-s", "-u", "-U", "--cmd", "-l", "--eval", "--load", "-f", "-w", "-W"];
        let plus = divided.operands.iter().any(|operand| operand.text.starts_with('+'));
        if divided.has(&commands) || plus || run.stdin.open {
            self.worst(Doubt::HelperProgram);
        }
        let files: Vec<Argument> =
            divided.operands.iter().filter(|operand| !operand.text.starts_with('+')).cloned().collect();
        let places = self.all_places(&files, Reach::One);
        self.changed(places);
        Stream::default()
    }
}

/// Reads a script of `sed`.
fn sed_script(script: &Argument) -> Script {
    let mut found = Script { runs: script.text.contains([UNKNOWN, FOUND]), ..Script::default() };
    let mut letters = script.text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' | ';' | '{' | '}' | '0'..='9' | '$' | ',' | '~' | '+' | '!' | 'I' | 'M' => {}
            '/' => skip_part(&mut letters, '/'),
            '\\' => {
                if let Some(delimiter) = letters.next() {
                    skip_part(&mut letters, delimiter);
                }
            }
            's' | 'y' => substitution(&mut letters, &mut found),
            'w' | 'W' => found.writes.push(line(&mut letters)),
            'r' | 'R' => found.reads.push(line(&mut letters)),
            'a' | 'i' | 'c' | '#' => {
                line(&mut letters);
            }
            ':' | 'b' | 't' | 'T' => while letters.next_if(|next| !";\n}".contains(*next)).is_some() {},
            'q' | 'Q' | 'l' | 'L' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z'
            | '=' | 'F' => {}
            _ => found.runs = true,
        }
    }
    found
}

type Letters<'t> = std::iter::Peekable<std::str::Chars<'t>>;

fn substitution(letters: &mut Letters<'_>, found: &mut Script) {
    let Some(delimiter) = letters.next() else { return };
    skip_part(letters, delimiter);
    skip_part(letters, delimiter);
    while let Some(flag) = letters.next_if(|next| !";\n} ".contains(*next)) {
        match flag {
            'e' => found.runs = true,
            'w' => {
                found.writes.push(line(letters));
                return;
            }
            'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
            _ => found.runs = true,
        }
    }
}

/// Skips to the end of a part, past escapes. A delimiter inside brackets ends it for some programs and not for others;
/// taking it as the end shows more commands, never fewer letters of them.
fn skip_part(letters: &mut Letters<'_>, delimiter: char) {
    while let Some(letter) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == delimiter {
            return;
        }
    }
}

fn line(letters: &mut Letters<'_>) -> String {
    let mut text = String::new();
    while let Some(letter) = letters.next_if(|next| *next != '\n') {
        text.push(letter);
    }
    text.trim().to_owned()
}

/// Reads a program of `awk`: strings and patterns are skipped, pipes and calls of the system run something.
fn awk_script(script: &Argument) -> Script {
    let mut found = Script { runs: script.text.contains([UNKNOWN, FOUND]), ..Script::default() };
    let mut letters = script.text.chars().peekable();
    let mut word = String::new();
    let mut statement = String::new();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        if letter.is_ascii_alphanumeric() || letter == '_' || letter == '@' {
            word.push(letter);
        } else {
            found.runs |= word.starts_with('@');
            word.clear();
        }
        found.runs |= matches!(word.as_str(), "system" | "getline");
        match letter {
            '"' => skip_part(&mut letters, '"'),
            '/' if !(before.is_ascii_alphanumeric() || ")]$_".contains(before)) => {
                skip_part(&mut letters, '/')
            }
            '|' if letters.next_if_eq(&'|').is_none() => found.runs = true,
            '>' if letters.next_if_eq(&'=').is_none() => awk_redirect(&mut letters, &statement, &mut found),
            ';' | '{' | '}' | '\n' => statement.clear(),
            _ => statement.push(letter),
        }
        if !letter.is_whitespace() {
            before = letter;
        }
    }
    found
}

/// A `>` after `print` names a file; elsewhere it compares.
fn awk_redirect(letters: &mut Letters<'_>, statement: &str, found: &mut Script) {
    if !statement.contains("print") {
        return;
    }
    letters.next_if_eq(&'>');
    while letters.next_if(|next| next.is_whitespace()).is_some() {}
    if letters.next_if_eq(&'"').is_none() {
        found.runs = true;
        return;
    }
    let mut name = String::new();
    while let Some(letter) = letters.next_if(|next| *next != '"') {
        name.push(letter);
    }
    letters.next();
    found.writes.push(name);
}
