//! Programs that search for files and do something with what they find, and `xargs`.

use portcullis_lattice::Reach;

use crate::Use;

use super::arguments::{Argument, Order, Takes, divide};
use super::details::{find_patterns, plain_expression};
use super::finding::Doubt;
use super::program::{Run, below, takes_from};
use super::stream::{FOUND, Stream, UNKNOWN};
use super::walk::Walk;

/// What a search was told to do with what it finds.
#[derive(Default)]
struct Actions {
    commands: Vec<Vec<Argument>>,
    writes: Vec<Argument>,
    deletes: bool,
    prints: bool,
}

impl Walk<'_> {
    /// A search, or `xargs`.
    pub(super) fn search(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "find" | "gfind" => Some(self.find(run)),
            "fd" | "fdfind" => Some(self.fd(run)),
            "xargs" | "gxargs" => Some(self.xargs(run)),
            _ => None,
        }
    }

    fn find(&mut self, run: &Run<'_>) -> Stream {
        let mut rest = run.arguments;
        while let Some((first, more)) = rest.split_first() {
            let is_flag = matches!(first.text.as_str(), "-H" | "-L" | "-P") || first.text.starts_with("-O");
            if !is_flag {
                break;
            }
            rest = more;
        }
        let ends =
            |word: &Argument| word.text.starts_with('-') || matches!(word.text.as_str(), "(" | "!" | ",");
        let count = rest.iter().take_while(|word| !ends(word)).count();
        let (starts, expression) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        let places = self.starting_places(starts);
        if expression.iter().any(|word| word.text == "-files0-from") {
            self.doubt(Doubt::UnnamedOperand);
            self.shows(super::program::root());
        }
        let actions = find_actions(expression);
        if expression.iter().any(|word| word.text == format!("{UNKNOWN}")) {
            // An unquoted variable may hold actions.
            self.worst(Doubt::UnnamedOperand);
        }
        let mut patterns = find_patterns(expression);
        if patterns.is_empty() && actions.deletes && expression.len() > 1 {
            // Something else chooses what is deleted (`-mtime +7`), so what remains cannot be told.
            patterns.push("*".to_owned());
        }
        self.act(actions, places, &patterns)
    }

    fn starting_places(&mut self, starts: &[Argument]) -> Vec<Use> {
        let mut places = self.all_places(starts, Reach::Names);
        if starts.is_empty() {
            places = self.workdir_uses();
        }
        places.iter_mut().for_each(|used| used.reach = Reach::Names);
        places
    }

    /// Does what a search is told with what it finds; the patterns say what that is.
    fn act(&mut self, actions: Actions, places: Vec<Use>, patterns: &[String]) -> Stream {
        let found = self.selected(below(&places), patterns);
        for file in &actions.writes {
            let written = self.written(file);
            self.copied(places.clone(), written, portcullis_lattice::Effect::Write.into());
        }
        if actions.deletes {
            self.deleted(found.clone());
        }
        let mut output = Stream::default();
        let before = std::mem::replace(&mut self.shell.found, found.clone());
        for command in &actions.commands {
            output.join(self.run(command, Stream::default()));
        }
        self.shell.found = before;
        let silent = actions.deletes || !actions.commands.is_empty() || !actions.writes.is_empty();
        if actions.prints || !silent {
            output.join(Stream { names: found, ..Stream::of(places) });
        }
        output
    }

    fn fd(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&[
            "-e",
            "-t",
            "-d",
            "-E",
            "-S",
            "-o",
            "-c",
            "-j",
            "--extension",
            "--type",
            "--exclude",
            "--max-depth",
        ]);
        let action = run
            .arguments
            .iter()
            .position(|word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
        let (before, command) =
            run.arguments.split_at_checked(action.unwrap_or(run.arguments.len())).unwrap_or_default();
        let divided = divide(before, Order::Mixed, &values);
        let starts = divided.operands.get(1..).unwrap_or_default();
        let places = self.starting_places(starts);
        let mut actions = Actions::default();
        if let Some((_, command)) = command.split_first() {
            let mut command = substituted(command, "{}");
            if !command.iter().any(|word| word.text.contains(FOUND)) {
                command.push(Argument::plain(&FOUND.to_string()));
            }
            actions.commands.push(command);
        }
        let endings = divided.values(&["-e", "--extension"]);
        let mut patterns: Vec<String> = endings.iter().map(|ending| format!("*.{}", ending.text)).collect();
        patterns.extend(divided.operands.first().map(|pattern| plain_expression(&pattern.text)));
        self.act(actions, places, &patterns)
    }

    fn xargs(&mut self, run: &Run<'_>) -> Stream {
        let takes = |name: &str| match name {
            "-I" | "-n" | "-P" | "-L" | "-d" | "-E" | "-s" | "-a" | "-J" | "-R" => Takes::Value,
            "--max-args" | "--max-procs" | "--replace" | "--delimiter" | "--arg-file" | "--max-lines" => {
                Takes::Value
            }
            "-i" | "-l" | "-e" => Takes::Optional,
            _ => Takes::Nothing,
        };
        let divided = divide(run.arguments, Order::OperandsLast, &takes);
        let mut command = divided.operands.clone();
        if command.is_empty() {
            command.push(Argument::plain("echo"));
        }
        let stdin = match divided.values(&["-a", "--arg-file"]).first() {
            Some(file) => self.read_from(file),
            None => run.stdin.clone(),
        };
        let mark = divided.values(&["-I", "-J", "--replace"]).first().map(|mark| mark.text.clone());
        let mark = mark.or_else(|| divided.has(&["-i"]).then(|| "{}".to_owned()));
        // With a mark every line is one operand, else every word.
        let operands = match mark {
            Some(_) => arguments_from(&stdin, |text| text.lines().map(str::trim_start).collect()),
            None => arguments_from(&stdin, |text| text.split_whitespace().collect()),
        };
        let before = std::mem::replace(&mut self.shell.found, stdin.names.clone());
        let output = match mark {
            None => {
                command.extend(operands);
                self.run(&command, Stream::default())
            }
            Some(mark) => {
                let mut output = Stream::default();
                for operand in operands {
                    let words: Vec<Argument> =
                        command.iter().map(|word| replaced(word, &mark, &operand)).collect();
                    output.join(self.run(&words, Stream::default()));
                }
                output
            }
        };
        self.shell.found = before;
        output
    }
}

/// The arguments that `xargs` makes of what it reads.
fn arguments_from(stdin: &Stream, parts: fn(&str) -> Vec<&str>) -> Vec<Argument> {
    let argument =
        |text: &str| Argument { text: text.to_owned(), makers: stdin.makers.clone(), ..Argument::default() };
    if !stdin.names.is_empty() {
        return vec![argument(&FOUND.to_string())];
    }
    let known = stdin.text.as_ref().filter(|text| !text.contains([UNKNOWN, FOUND]));
    match known {
        Some(text) => parts(text).into_iter().take(64).map(argument).collect(),
        None => vec![Argument { sources: stdin.sources.clone(), ..argument(&UNKNOWN.to_string()) }],
    }
}

fn replaced(word: &Argument, mark: &str, operand: &Argument) -> Argument {
    if mark.is_empty() || !word.text.contains(mark) {
        return word.clone();
    }
    let mut word = word.with_text(&word.text.replace(mark, &operand.text));
    word.join_origin(operand);
    word
}

fn substituted(words: &[Argument], mark: &str) -> Vec<Argument> {
    words.iter().map(|word| word.with_text(&word.text.replace(mark, &FOUND.to_string()))).collect()
}

fn find_actions(expression: &[Argument]) -> Actions {
    let mut actions = Actions::default();
    let mut words = expression.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let mut command = Vec::new();
                for word in words.by_ref() {
                    let ends = word.text == ";" || (word.text == "+" && !command.is_empty());
                    if ends {
                        break;
                    }
                    command.push(word.clone());
                }
                actions.commands.push(substituted(&command, "{}"));
            }
            "-delete" => actions.deletes = true,
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => actions.writes.extend(words.next().cloned()),
            "-print" | "-print0" | "-printf" | "-ls" => actions.prints = true,
            _ => {}
        }
    }
    actions
}
