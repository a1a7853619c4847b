//! Programs that run another command: they never hide it.

use portcullis_lattice::Effect;

use super::arguments::{Argument, Divided, Order, divide};
use super::finding::Doubt;
use super::program::{Run, takes_from};
use super::stream::Stream;
use super::tables;
use super::walk::Walk;

/// A program whose operands, after the first few, are a command.
struct Wrapper {
    name: &'static str,
    /// Options that take a value.
    values: &'static [&'static str],
    /// Operands before the command.
    before: usize,
}

const fn wrapper(name: &'static str, values: &'static [&'static str], before: usize) -> Wrapper {
    Wrapper { name, values, before }
}

const SUDO: &[&str] =
    &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U", "-D", "-R", "--user", "--group", "--chdir"];
const STRACE: &[&str] = &["-e", "-o", "-p", "-s", "-u", "-E", "-P", "-I", "-S", "-a", "-b", "-O", "-X"];

const WRAPPERS: &[Wrapper] = &[
    wrapper("sudo", SUDO, 0),
    wrapper("doas", &["-u", "-C"], 0),
    wrapper("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    wrapper("gtimeout", &["-k", "-s", "--kill-after", "--signal"], 1),
    wrapper("nice", &["-n", "--adjustment"], 0),
    wrapper("ionice", &["-c", "-n", "-p", "-P", "-u", "--class", "--classdata"], 0),
    wrapper("stdbuf", &["-i", "-o", "-e", "--input", "--output", "--error"], 0),
    wrapper("time", &["-f", "-o", "--format", "--output"], 0),
    wrapper("builtin", &[], 0),
    wrapper("exec", &["-a"], 0),
    wrapper("chroot", &["--userspec", "--groups"], 1),
    wrapper("unshare", &["-S", "-G", "-R", "-w", "--setuid", "--setgid", "--root", "--wd", "--map-user"], 0),
    wrapper("nsenter", &["-t", "-S", "-G", "--target"], 0),
    wrapper("flock", &["-w", "-E", "-c", "--timeout", "--wait", "--command"], 1),
    wrapper("strace", STRACE, 0),
    wrapper("ltrace", STRACE, 0),
    wrapper("chrt", &["-T", "-P", "-D"], 1),
    wrapper("taskset", &["-p"], 1),
    wrapper("numactl", &["-m", "-N", "-C", "-p", "-i"], 0),
    wrapper("caffeinate", &["-t", "-w"], 0),
    wrapper("proxychains", &["-f"], 0),
    wrapper("proxychains4", &["-f"], 0),
    wrapper("torsocks", &["-u", "-p", "-a", "-P"], 0),
    wrapper("faketime", &["-f"], 1),
    wrapper("fakeroot", &["-l", "-s", "-i", "-u", "-b"], 0),
    wrapper("setarch", &[], 1),
    wrapper("linux64", &[], 0),
    wrapper("linux32", &[], 0),
    wrapper("prlimit", &["-p", "--pid"], 0),
    wrapper("firejail", &[], 0),
    wrapper("dbus-run-session", &["--config-file"], 0),
    wrapper("busybox", &[], 0),
    wrapper("toybox", &[], 0),
    wrapper("winpty", &[], 0),
    wrapper("rlwrap", &["-f", "-H", "-s"], 0),
    wrapper("unbuffer", &[], 0),
    wrapper("pkexec", &["--user"], 0),
    wrapper("runuser", &["-u", "-g", "-G"], 0),
    wrapper("setpriv", &["--reuid", "--regid", "--groups"], 0),
    wrapper("cgexec", &["-g"], 0),
];

impl Walk<'_> {
    /// A program that runs another command.
    pub(super) fn wrapper(&mut self, run: &Run<'_>) -> Option<Stream> {
        if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == run.name) {
            let divided = divide(run.arguments, Order::OperandsLast, &takes_from(wrapper.values));
            return Some(self.wrapped(wrapper, &divided, run.stdin.clone()));
        }
        match run.name {
            "env" => Some(self.env(run)),
            "command" => Some(self.command_builtin(run)),
            "nohup" | "setsid" | "systemd-run" | "daemonize" | "start-stop-daemon" | "disown" => {
                let values =
                    takes_from(&["-u", "-p", "-E", "--unit", "--property", "--uid", "--gid", "--setenv"]);
                let divided = divide(run.arguments, Order::OperandsLast, &values);
                let stdin = run.stdin.clone();
                Some(self.background(|walk| walk.run(&divided.operands, stdin)))
            }
            "watch" | "entr" | "parallel" => Some(self.joined(run)),
            "script" => Some(self.script_program(run)),
            "su" => Some(self.other_user(run)),
            "tmux" | "screen" | "at" | "batch" => Some(self.terminal(run)),
            _ => None,
        }
    }

    fn wrapped(&mut self, wrapper: &Wrapper, divided: &Divided, stdin: Stream) -> Stream {
        for (option, directory) in [("sudo", "-D"), ("sudo", "--chdir"), ("unshare", "--wd")] {
            if wrapper.name == option && divided.has(&[directory]) {
                self.shell.workdir = None;
            }
        }
        if wrapper.name == "chroot" {
            self.doubt(Doubt::UnknownDirectory);
        }
        if wrapper.name == "flock"
            && let [script] = divided.values(&["-c", "--command"]).as_slice()
        {
            return self.code(script, &[], stdin);
        }
        let outputs = divided.values(&["-o", "--output"]);
        if matches!(wrapper.name, "strace" | "ltrace" | "time") {
            for output in outputs {
                let places = self.written(&output);
                self.changed(places);
            }
        }
        let command = divided.operands.get(wrapper.before..).unwrap_or_default();
        let command = skip_assignments(self, command);
        if command.is_empty() {
            // `sudo -s` and `chroot dir` alone are shells.
            let opens_shell = divided.has(&["-s", "-i", "--shell", "--login", "-R"])
                || matches!(wrapper.name, "chroot" | "unshare" | "nsenter");
            return if opens_shell { self.shell_input(stdin) } else { Stream::default() };
        }
        self.run(&command, stdin)
    }

    fn env(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-u", "-C", "-S", "-P", "--unset", "--chdir", "--split-string"]);
        let divided = divide(run.arguments, Order::OperandsLast, &values);
        for directory in divided.values(&["-C", "--chdir"]) {
            self.change_directory(&directory, self.resolver);
        }
        let command = skip_assignments(self, &divided.operands);
        if let [text] = divided.values(&["-S", "--split-string"]).as_slice() {
            return self.code(text, &command, run.stdin.clone());
        }
        // Without a command `env` shows the environment, which may hold anything.
        if command.is_empty() {
            return Stream::of(self.workdir_uses());
        }
        self.run(&command, run.stdin.clone())
    }

    fn command_builtin(&mut self, run: &Run<'_>) -> Stream {
        let divided = divide(run.arguments, Order::OperandsLast, &takes_from(&[]));
        if divided.has(&["-v", "-V"]) {
            return Stream::default();
        }
        self.run(&divided.operands, run.stdin.clone())
    }

    /// Programs that hand their operands to a shell as one text.
    fn joined(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-n", "--interval", "-j", "--jobs", "-a", "-I", "-N", "--colsep", "-S"]);
        let divided = divide(run.arguments, Order::OperandsLast, &values);
        let command: Vec<Argument> =
            divided.operands.iter().take_while(|operand| !operand.text.starts_with(":::")).cloned().collect();
        if run.name == "parallel" || run.name == "entr" {
            self.worst(Doubt::ComputedCommand);
        }
        self.code_of_words(&command, run.stdin.clone())
    }

    fn script_program(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-c", "--command", "-I", "-O", "-B", "-T", "-m"]);
        let divided = divide(run.arguments, Order::Mixed, &values);
        let mut output = match divided.values(&["-c", "--command"]).as_slice() {
            [script] => self.code(script, &[], run.stdin.clone()),
            _ => self.shell_input(run.stdin.clone()),
        };
        let mut operands = divided.operands.iter();
        if let Some(log) = operands.next() {
            let places = self.written(log);
            self.delivered(output.clone(), places);
        }
        // On other systems the command follows the file.
        let rest: Vec<Argument> = operands.cloned().collect();
        if !rest.is_empty() {
            output.join(self.run(&rest, Stream::default()));
        }
        output
    }

    fn other_user(&mut self, run: &Run<'_>) -> Stream {
        let divided =
            divide(run.arguments, Order::Mixed, &takes_from(&["-c", "--command", "-s", "-g", "-G"]));
        match divided.values(&["-c", "--command"]).as_slice() {
            [script] => self.code(script, &[], run.stdin.clone()),
            _ => self.shell_input(run.stdin.clone()),
        }
    }

    /// Terminals that live on, and jobs for later.
    fn terminal(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-s", "-n", "-c", "-L", "-S", "-t", "-f", "-x", "-y", "-e", "-q", "-p"]);
        let mut arguments = run.arguments;
        let mut starts = run.name != "tmux";
        if let ("tmux", Some((first, rest))) = (run.name, arguments.split_first()) {
            match first.text.as_str() {
                "ls" | "list-sessions" | "list-windows" | "list-panes" | "capture-pane" | "has-session"
                | "has" => {
                    return Stream::of(self.workdir_uses());
                }
                "new" | "new-session" | "new-window" | "neww" | "split-window" | "splitw" => {
                    arguments = rest;
                    starts = true;
                }
                _ => {}
            }
        }
        if matches!(run.name, "screen") && run.arguments.iter().any(|argument| argument.text == "-ls") {
            return Stream::of(self.workdir_uses());
        }
        if !starts {
            self.worst(Doubt::HelperProgram);
            return Stream::default();
        }
        let divided = divide(arguments, Order::OperandsLast, &values);
        let is_job = matches!(run.name, "at" | "batch");
        let stdin = run.stdin.clone();
        self.background(|walk| {
            if is_job {
                walk.shell_input(stdin)
            } else {
                walk.code_of_words(&divided.operands, Stream::default())
            }
        })
    }

    /// Words that a shell joins and reads again.
    pub(super) fn code_of_words(&mut self, words: &[Argument], stdin: Stream) -> Stream {
        let mut text = Argument::default();
        for word in words {
            if !text.text.is_empty() {
                text.text.push(' ');
            }
            text.text.push_str(&word.text);
            text.join_origin(word);
        }
        if text.text.is_empty() { Stream::default() } else { self.code(&text, &[], stdin) }
    }

    /// A text that a shell runs, with its positional parameters.
    pub(super) fn code(&mut self, text: &Argument, parameters: &[Argument], stdin: Stream) -> Stream {
        if text.text.contains(super::stream::UNKNOWN) {
            self.worst(Doubt::ComputedCommand);
        }
        if !text.sources.is_empty() {
            self.deed(text.sources.clone(), Vec::new(), Effect::Exec.into());
        }
        let before = self.shell.clone();
        for (position, parameter) in parameters.iter().enumerate() {
            self.shell.variables.insert(position.to_string(), parameter.clone());
        }
        let output = self.script(&text.text, stdin);
        self.shell = before;
        output
    }
}

/// Leaves out `NAME=value` before a command, and looks at what they set.
fn skip_assignments(walk: &mut Walk<'_>, words: &[Argument]) -> Vec<Argument> {
    let is_assignment = |word: &&Argument| {
        word.text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        })
    };
    let count = words.iter().take_while(is_assignment).count();
    for word in words.iter().take(count) {
        let (name, value) = word.text.split_once('=').unwrap_or_default();
        if let Some(record) = &mut walk.record {
            record.pass(name, &word.with_text(value));
        }
        if tables::loads_code(name) && !tables::is_harmless_helper(value) {
            walk.worst(Doubt::LoaderVariable);
        }
    }
    words.get(count..).unwrap_or_default().to_vec()
}
