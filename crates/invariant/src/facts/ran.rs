//! The commands of a call, as actions and rules ask for them.

use portcullis_perceive::shell::Command;

use super::commands::{plain_words, script_words, stands_for};
use crate::action::{CommandForm, PartForm};
use crate::names;

/// A command, with what is asked about it again and again.
pub(super) struct Ran<'c> {
    pub(super) command: &'c Command,
    /// The bit of its program.
    pub(super) mark: u64,
    /// Words of its program's name, or of the script that it runs.
    script: String,
    /// Whether its next words say what to do.
    is_told: bool,
}

/// Whether the next words of a program say what to do.
fn is_runner(program: &str) -> bool {
    matches!(
        program,
        "make"
            | "npm"
            | "pnpm"
            | "yarn"
            | "bun"
            | "just"
            | "task"
            | "rake"
            | "cap"
            | "fab"
            | "inv"
            | "invoke"
            | "gradle"
            | "gradlew"
            | "mvn"
            | "poetry"
            | "uv"
            | "cargo"
            | "composer"
            | "nx"
            | "turbo"
            | "deno"
            | "tox"
            | "nox"
            | "mage"
            | "bazel"
            | "hatch"
            | "pdm"
            | "rails"
            | "mix"
            | "ant"
            | "sbt"
            | "php"
            | "dotnet"
            | "go"
    )
}

/// Whether a program has subcommands, whose names are words of what is done.
fn has_subcommands(program: &str) -> bool {
    matches!(
        program,
        "git"
            | "docker"
            | "podman"
            | "kubectl"
            | "helm"
            | "terraform"
            | "tofu"
            | "gh"
            | "glab"
            | "aws"
            | "gcloud"
            | "az"
            | "heroku"
            | "fly"
            | "flyctl"
            | "vercel"
            | "netlify"
            | "systemctl"
            | "service"
            | "apt"
            | "apt-get"
            | "dnf"
            | "yum"
            | "brew"
            | "pip"
            | "pip3"
            | "pipx"
            | "conda"
            | "gem"
            | "bundle"
            | "npx"
            | "docker-compose"
            | "ansible"
            | "vault"
            | "firebase"
            | "supabase"
            | "wrangler"
            | "stripe"
            | "pulumi"
            | "cdk"
            | "alembic"
            | "prisma"
            | "flyway"
            | "liquibase"
            | "launchctl"
            | "snap"
    )
}

impl<'c> Ran<'c> {
    pub(super) fn of(command: &'c Command) -> Ran<'c> {
        let program = command.program.as_deref();
        Ran {
            command,
            mark: program.map_or(0, names::mark),
            script: script_words(command),
            is_told: program.is_some_and(|program| is_runner(program) || has_subcommands(program)),
        }
    }

    /// The words of a command that say what it does: the program, its subcommands, its options.
    pub(super) fn tell(&self, tell: &mut dyn FnMut(&str)) {
        names::split(&self.script).for_each(&mut *tell);
        let program = self.command.program.as_deref().unwrap_or_default();
        let mut tell = |word: &str| {
            if !word.is_empty() {
                tell(word);
            }
        };
        tell(program);
        if let Some(other) = stands_for(self.command) {
            tell(other);
        }
        // `pip3` is pip.
        if let Some(name) = program.strip_suffix('3').filter(|name| name.len() > 1) {
            tell(name);
        }
        if self.is_told {
            let depth = if program == "git" { 1 } else { 2 };
            let plain = plain_words(self.command).into_iter().take(depth);
            for word in plain.filter(|word| !word.contains(char::is_whitespace)) {
                names::split(&names::joined(word)).for_each(&mut tell);
                tell(&word.to_lowercase());
            }
        }
        for word in self.command.words.iter().flatten().filter(|word| word.starts_with('-')) {
            let option = word.split('=').next().unwrap_or(word);
            match option.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
                true => tell(&option.to_lowercase()),
                false => tell(option),
            }
        }
        for letter in self.command.words.iter().flatten().flat_map(|word| short_options(word)) {
            let mut option = [0; 2];
            tell(flag(letter, &mut option));
        }
    }

    /// Whether a command has this form: a program and the words behind it, in this order.
    pub(super) fn fits(&self, form: &CommandForm) -> bool {
        let command = self.command;
        let Some(program) = command.program.as_deref() else { return false };
        match &form.programs {
            Some(programs) if !programs.iter().any(|own| own == program) => return false,
            Some(_) => {}
            // Either the program itself is called so, or it runs what is called so.
            None if form.parts.iter().all(|part| names::has(&self.script, &[&part.text])) => return true,
            None if !self.is_told => return false,
            None => {}
        }
        let plain = plain_words(command);
        let mut at = 0;
        form.parts.iter().all(|part| match part.form {
            PartForm::Next => {
                while plain.get(at).is_some_and(|word| is_option_value(word, command)) {
                    at += 1;
                }
                let is_next = part.names.iter().any(|name| plain.get(at).is_some_and(|word| word == name));
                at += usize::from(is_next);
                is_next || part.names.iter().any(|name| name.starts_with('-') && has_flag(command, name))
            }
            PartForm::Option => part.names.iter().any(|flag| has_flag(command, flag)),
            PartForm::Plus => command.words.iter().flatten().any(|word| word.starts_with('+')),
            PartForm::Any => {
                at += 1;
                true
            }
            PartForm::Word => {
                let reach = if program == "git" && at == 0 { 1 } else { 3 };
                let is_any = form.programs.is_none();
                let is_piece =
                    |word: &str, name: &str| word.split([':', '-', '_']).any(|piece| piece == name);
                let found = plain.iter().skip(at).take(reach).position(|word| {
                    part.names.iter().any(|name| word == name || (is_any && is_piece(word, name)))
                });
                match found {
                    Some(found) => {
                        at += found + 1;
                        true
                    }
                    None => part.names.iter().any(|name| name.starts_with('-') && has_flag(command, name)),
                }
            }
        })
    }
}

/// The letters of short options, as in `-la`.
fn short_options(word: &str) -> impl Iterator<Item = char> {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    letters.chars().filter(char::is_ascii_alphabetic)
}

/// A short option of one letter, which is ASCII.
fn flag(letter: char, option: &mut [u8; 2]) -> &str {
    *option = [b'-', u8::try_from(letter).unwrap_or(b'-')];
    std::str::from_utf8(option).unwrap_or_default()
}

/// Whether a command is one that a rule spells out: the program, then words in this order, and every option.
pub(super) fn is_spelled(spelled: &str, command: &Command) -> bool {
    let mut parts = spelled.split(' ');
    if parts.next() != command.program.as_deref() {
        return false;
    }
    let mut plain = plain_words(command).into_iter();
    parts.all(|part| match part.strip_prefix('-') {
        Some(_) if part.starts_with("--") => has_flag(command, part),
        // For `rm` these are one and the same.
        Some("r" | "R") if command.program.as_deref() == Some("rm") => {
            ["-r", "-R", "--recursive"].iter().any(|flag| has_flag(command, flag))
        }
        Some(letters) => {
            letters.chars().all(|letter| has_flag(command, &format!("-{letter}"))) || has_flag(command, part)
        }
        None => plain.any(|word| word == part),
    })
}

/// Whether a word belongs to an option in front of it that says where: `-n relay`.
fn is_option_value(word: &str, command: &Command) -> bool {
    const TAKING: &[&str] = &[
        "-n",
        "--namespace",
        "--context",
        "-H",
        "--host",
        "-f",
        "--file",
        "-p",
        "--project-name",
        "--kubeconfig",
        "--profile",
        "--cluster",
        "--region",
        "--prefix",
        "-C",
        "--project-directory",
    ];
    let words: Vec<&str> = command.words.iter().flatten().map(String::as_str).collect();
    words.windows(2).any(|pair| matches!(pair, [option, value] if *value == word && TAKING.contains(option)))
}

/// Whether an option is there, alone or among short ones.
fn has_flag(command: &Command, flag: &str) -> bool {
    let short = flag.strip_prefix('-').filter(|rest| rest.len() == 1 && !rest.starts_with('-'));
    command.words.iter().flatten().any(|word| {
        word == flag
            || word.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
            || short.is_some_and(|letter| {
                word.starts_with('-')
                    && !word.starts_with("--")
                    && word.get(1..).is_some_and(|rest| rest.contains(letter))
            })
    })
}
