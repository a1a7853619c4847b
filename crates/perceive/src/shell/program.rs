//! Which program a command runs, and what it does.

use portcullis_lattice::{Effect, Effects, Reach};

use crate::Use;

use super::arguments::{Argument, Divided, Order, Takes, divide};
use super::details::plain_expression;
use super::finding::Doubt;
use super::place;
use super::stream::{FOUND, Stream, UNKNOWN, merge};
use super::tables::{self, Does, Spec};
use super::walk::Walk;

/// So many words may a command have.
const MAX_WORDS: usize = 1024;

/// A command as it is run: its name without directory, its arguments and its standard input.
pub(super) struct Run<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a [Argument],
    pub(super) stdin: Stream,
}

impl Walk<'_> {
    /// Runs expanded words as a command.
    pub(super) fn run(&mut self, words: &[Argument], stdin: Stream) -> Stream {
        let Some((command, arguments)) = words.split_first() else { return Stream::default() };
        self.begin_command(command, arguments, &stdin);
        let mut output = self.run_words(command, arguments, stdin);
        self.end_command(&mut output);
        output
    }

    fn run_words(&mut self, command: &Argument, arguments: &[Argument], stdin: Stream) -> Stream {
        if !self.enter() {
            return Stream::default();
        }
        if arguments.len() >= MAX_WORDS {
            self.worst(Doubt::TooLarge);
            self.leave();
            return Stream::default();
        }
        let output = self.run_named(command, arguments, stdin);
        self.tell_unused(arguments, &output);
        self.leave();
        output
    }

    /// Content that went into an argument goes somewhere, even if the program's deeds do not say where.
    fn tell_unused(&mut self, arguments: &[Argument], output: &Stream) {
        for argument in arguments.iter().filter(|argument| !argument.is_process) {
            let flows_on = |used: &Use| output.sources.contains(used) || self.is_told(used);
            let unused: Vec<Use> = argument.sources.iter().filter(|used| !flows_on(used)).cloned().collect();
            self.shows(unused);
        }
    }

    fn run_named(&mut self, command: &Argument, arguments: &[Argument], stdin: Stream) -> Stream {
        if !command.is_known() || (command.has_glob && command.text != "[") || command.text.is_empty() {
            return self.computed(command, stdin);
        }
        if let Some(body) = self.functions.get(&command.text).cloned() {
            let unset = Argument::plain(&UNKNOWN.to_string());
            for position in 1..10 {
                let value = arguments.get(position - 1).unwrap_or(&unset).clone();
                self.shell.variables.insert(position.to_string(), value);
            }
            return self.redirected(&body.0, body.1.as_ref(), stdin);
        }
        if let Some(alias) = self.shell.aliases.get(&command.text).cloned() {
            // An alias may be on or off: both are walked.
            self.alias_commands(&command.text, &alias, arguments);
            let record = self.record.take();
            let output = self.script(&alias, Stream::default());
            self.record = record;
            self.shown(output);
        }
        let (directory, name) = command
            .text
            .rsplit_once('/')
            .map_or((None, command.text.as_str()), |(directory, name)| (Some(directory), name));
        match directory {
            Some(directory) if !tables::is_system_directory(directory) => self.local_program(command, stdin),
            _ => self.dispatch(&Run { name, arguments, stdin }),
        }
    }

    /// A name that the shell computes: what it runs came from somewhere.
    fn computed(&mut self, command: &Argument, stdin: Stream) -> Stream {
        self.worst(Doubt::ComputedCommand);
        let mut inputs = command.sources.clone();
        if command.text.contains(FOUND) {
            inputs = self.places(command, Reach::One);
        }
        if !inputs.is_empty() {
            self.deed(inputs, Vec::new(), Effect::Exec.into());
        }
        self.shown(stdin);
        self.program_output()
    }

    /// A program that is named by its path.
    fn local_program(&mut self, command: &Argument, stdin: Stream) -> Stream {
        let inputs = self.places(command, Reach::One);
        self.executed(inputs, stdin)
    }

    fn dispatch(&mut self, run: &Run<'_>) -> Stream {
        let makers = self.inner_commands(run);
        let mut output = self.dispatched(run);
        output.makers.join(&makers);
        output
    }

    fn dispatched(&mut self, run: &Run<'_>) -> Stream {
        let special = [
            Walk::wrapper,
            Walk::builtin,
            Walk::interpreter,
            Walk::editor,
            Walk::search,
            Walk::copier,
            Walk::transfer,
            Walk::remote,
            Walk::version_control,
            Walk::archiver,
            Walk::package_manager,
            Walk::container,
        ];
        for try_one in special {
            if let Some(output) = try_one(self, run) {
                return output;
            }
        }
        match tables::spec(run.name) {
            Some(spec) => self.tabled(spec, run),
            None => {
                self.doubt(Doubt::UnknownProgram);
                let inputs = self.workdir_uses();
                self.executed(inputs, run.stdin.clone())
            }
        }
    }

    /// Code is run: from these places, into the context.
    pub(super) fn executed(&mut self, inputs: Vec<Use>, stdin: Stream) -> Stream {
        self.shown(stdin);
        self.deed(inputs.clone(), Vec::new(), Effect::Exec.into());
        Stream { made_by_program: true, ..Stream::of(inputs) }
    }

    /// Code of the working directory is run.
    pub(super) fn executed_here(&mut self, stdin: Stream) -> Stream {
        let inputs = self.workdir_uses();
        self.executed(inputs, stdin)
    }

    fn program_output(&mut self) -> Stream {
        Stream { made_by_program: true, ..Stream::of(self.workdir_uses()) }
    }

    /// Divides the arguments of a program by what its table says of its options.
    pub(super) fn divided(&self, spec: &Spec, arguments: &[Argument]) -> Divided {
        divide(arguments, Order::Mixed, &|name| spec.takes(name))
    }

    fn tabled(&mut self, spec: &Spec, run: &Run<'_>) -> Stream {
        let divided = self.divided(spec, run.arguments);
        if spec.plus_runs && divided.operands.iter().any(|operand| operand.text.starts_with('+')) {
            self.worst(Doubt::HelperProgram);
        }
        if spec.runs.iter().any(|name| divided.has_like(name)) {
            self.worst(Doubt::HelperProgram);
        }
        let mut sources = self.option_places(&divided, &spec.reads);
        let mut written = self.option_places(&divided, &spec.writes);
        let mut operands = spec.places_of(&divided);
        if spec.writes_second && operands.len() > 1 {
            let second = operands.remove(1);
            merge(&mut written, self.written(&second));
        }
        let reach =
            if spec.subtree.iter().any(|name| divided.has(&[name])) { Reach::Subtree } else { Reach::One };
        let edits = spec.edits.iter().any(|name| divided.has(&[name]));
        let does = if edits { Does::Write } else { spec.does };
        let output = match does {
            Does::Read => self.reads(spec, &operands, reach, &divided, run),
            Does::List => self.lists(spec, &operands),
            Does::Write => {
                let places = self.all_places(&operands, reach);
                self.changed(places);
                Stream::default()
            }
            Does::Delete => {
                let places = self.all_places(&operands, reach);
                self.deleted(places);
                Stream::default()
            }
            Does::Run => self.executed_here(run.stdin.clone()),
            Does::RunOperand => {
                let script = operands.first().map(|first| self.places(first, Reach::One));
                let inputs = script.unwrap_or_else(|| self.workdir_uses());
                self.executed(inputs, run.stdin.clone())
            }
            Does::Spawn => {
                let inputs = self.workdir_uses();
                self.deed(inputs, Vec::new(), Effect::Spawn.into());
                Stream::default()
            }
            Does::Print => printed(run.arguments),
            Does::Status => Stream::of(self.workdir_uses()),
            Does::Nothing => Stream::default(),
        };
        if written.is_empty() {
            if sources.is_empty() {
                return output;
            }
            let mut output = output;
            merge(&mut sources, std::mem::take(&mut output.sources));
            return Stream { sources, ..output };
        }
        // In place (`sort -o f f`) the content is only put in order.
        let mut stream = output;
        merge(&mut stream.sources, sources);
        stream.sources.retain(|used| !written.contains(used));
        self.delivered(stream, written);
        Stream::default()
    }

    fn reads(
        &mut self,
        spec: &Spec,
        operands: &[Argument],
        reach: Reach,
        divided: &Divided,
        run: &Run<'_>,
    ) -> Stream {
        let mut places = Vec::new();
        for operand in operands {
            if operand.text == "-" {
                merge(&mut places, run.stdin.sources.clone());
                continue;
            }
            merge(&mut places, operand_places(self, operand, reach));
        }
        if operands.is_empty()
            && (spec.default_workdir || (spec.default_if_subtree && reach == Reach::Subtree))
        {
            let here = self.workdir_uses();
            merge(&mut places, here.into_iter().map(|used| Use { reach, ..used }).collect());
        } else if operands.is_empty() {
            let mut stream = run.stdin.clone();
            stream.text = None;
            stream.open = true;
            if !spec.keeps_names {
                stream.names.clear();
            }
            return stream;
        }
        let mut stream = Stream::of(places);
        let names: Vec<&str> = spec.selects.iter().map(String::as_str).collect();
        let values = divided.values(&names);
        let patterns: Vec<String> = values
            .iter()
            .filter(|pattern| !pattern.text.starts_with('!'))
            .map(|pattern| plain_expression(&pattern.text))
            .collect();
        if spec.names_with.iter().any(|name| divided.has(&[name])) {
            stream.names = self.selected(below(&stream.sources), &patterns);
        } else {
            stream.sources = self.selected(stream.sources, &patterns);
        }
        stream
    }

    fn lists(&mut self, spec: &Spec, operands: &[Argument]) -> Stream {
        let mut places = self.all_places(operands, Reach::Names);
        if operands.is_empty() {
            places =
                self.workdir_uses().into_iter().map(|used| Use { reach: Reach::Names, ..used }).collect();
        }
        for used in &mut places {
            used.reach = Reach::Names;
        }
        let names = if spec.bare_names && !operands.is_empty() { Vec::new() } else { below(&places) };
        Stream { names, ..Stream::of(places) }
    }

    /// The places that operands name, each once.
    pub(super) fn all_places(&mut self, operands: &[Argument], reach: Reach) -> Vec<Use> {
        let mut places = Vec::new();
        for operand in operands {
            merge(&mut places, operand_places(self, operand, reach));
        }
        places
    }

    fn option_places(&mut self, divided: &Divided, names: &[String]) -> Vec<Use> {
        if names.is_empty() {
            return Vec::new();
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let values: Vec<Argument> =
            divided.values(&names).into_iter().filter(|value| value.text != "-").collect();
        self.all_places(&values, Reach::One)
    }

    /// Places are written by the agent.
    pub(super) fn changed(&mut self, places: Vec<Use>) {
        if !places.is_empty() {
            self.deed(Vec::new(), places, Effect::Write.into());
        }
    }

    /// Places are destroyed.
    pub(super) fn deleted(&mut self, places: Vec<Use>) {
        if !places.is_empty() {
            self.deed(places.clone(), places, Effect::Del.into());
        }
    }

    /// Content is copied from places to places.
    pub(super) fn copied(&mut self, inputs: Vec<Use>, outputs: Vec<Use>, effects: Effects) {
        if !outputs.is_empty() {
            self.deed(inputs, outputs, effects);
        }
    }
}

/// The places that an operand names, or the content of a process substitution.
pub(super) fn operand_places(walk: &mut Walk<'_>, operand: &Argument, reach: Reach) -> Vec<Use> {
    if operand.is_process || operand.text.starts_with("/dev/") {
        return walk.readable(operand);
    }
    walk.places(operand, reach)
}

/// The same places with everything below them.
pub(super) fn below(places: &[Use]) -> Vec<Use> {
    places.iter().map(|used| Use::new(used.name.clone(), Reach::Subtree)).collect()
}

/// What `echo` and `printf` write.
fn printed(arguments: &[Argument]) -> Stream {
    let words: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    let words = if words.first().is_some_and(|first| matches!(*first, "-n" | "-e" | "-ne" | "-en")) {
        words.get(1..).unwrap_or_default()
    } else {
        &words
    };
    let text = words.join(" ");
    // Formats and escapes are not carried out: such a text is not known.
    let known = !text.contains(['%', '\\', UNKNOWN, FOUND]);
    let mut sources = Vec::new();
    arguments.iter().for_each(|argument| merge(&mut sources, argument.sources.clone()));
    Stream { text: Some(if known { text } else { UNKNOWN.to_string() }), ..Stream::of(sources) }
}

/// Options that take nothing but what is listed.
pub(super) fn takes_from<'t>(values: &'t [&'t str]) -> impl Fn(&str) -> Takes + 't {
    move |name| if values.contains(&name) { Takes::Value } else { Takes::Nothing }
}

/// Whether an argument names a place beyond this machine by a URL.
pub(super) fn is_url(text: &str) -> bool {
    text.contains("://") && !text.starts_with("file://") && !text.starts_with('/')
}

/// The root, for programs that work on the whole machine.
pub(super) fn root() -> Vec<Use> {
    vec![place::any_file()]
}
