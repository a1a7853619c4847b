//! Commands inside commands that no deed follows: on other machines, in containers, in packages. They are walked only to
//! be taken down.

use super::arguments::{Argument, Order, divide};
use super::command::Host;
use super::containers::RUN_VALUES;
use super::interpreters::module_of;
use super::place;
use super::program::{Run, takes_from};
use super::remote::SSH_VALUES;
use super::stream::{Makers, Stream, UNKNOWN};
use super::walk::Walk;

/// Where what a runner runs is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In this very place.
    Here,
    /// In a container or the like on this machine.
    Apart,
    /// On a machine that the words do not name.
    Elsewhere,
}

/// A program that runs a command behind some of its own words.
struct Runner {
    names: &'static [&'static str],
    /// The words before the command, one of these; an empty one for none.
    verbs: &'static [&'static str],
    /// Options that take a value.
    values: &'static [&'static str],
    /// Options whose value is a text for a shell.
    scripts: &'static [&'static str],
    /// Operands between the words and the command.
    before: usize,
    place: Place,
}

const fn runner(
    names: &'static [&'static str],
    verbs: &'static [&'static str],
    values: &'static [&'static str],
) -> Runner {
    Runner { names, verbs, values, scripts: &[], before: 0, place: Place::Here }
}

const NPM: &[&str] =
    &["-p", "--package", "-w", "--workspace", "--prefix", "-C", "--filter", "--dir", "--cwd"];
const UV: &[&str] = &[
    "--from",
    "--with",
    "-p",
    "--python",
    "--extra",
    "--group",
    "--project",
    "--directory",
    "--env-file",
    "--index",
    "--index-url",
    "--with-requirements",
    "--with-editable",
    "-w",
];
const CONDA: &[&str] = &["-n", "--name", "-p", "--prefix", "--cwd"];
const KUBE: &[&str] = &[
    "-n",
    "--namespace",
    "-c",
    "--container",
    "--context",
    "--cluster",
    "--kubeconfig",
    "-f",
    "--image",
    "--env",
];
const COMPOSE: &[&str] = &[
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
    "--env-file",
    "--project-directory",
    "-e",
    "--env",
    "-u",
    "--user",
    "-w",
    "--workdir",
    "--index",
    "--name",
    "-v",
    "--volume",
    "--entrypoint",
];

const RUNNERS: &[Runner] = &[
    Runner { scripts: &["-c", "--call"], ..runner(&["npx", "bunx", "pnpx"], &[""], NPM) },
    Runner { scripts: &["-c", "--call"], ..runner(&["npm"], &["exec", "x"], NPM) },
    Runner { scripts: &["-c", "--shell-mode"], ..runner(&["pnpm", "yarn"], &["exec", "dlx"], NPM) },
    runner(&["bun"], &["x"], NPM),
    runner(&["uvx"], &[""], UV),
    runner(&["uv"], &["run", "tool run"], UV),
    runner(&["pipx"], &["run"], &["--spec", "--python", "--pip-args", "--index-url"]),
    runner(
        &["poetry", "pdm", "hatch", "rye", "pipenv"],
        &["run"],
        &["-C", "--directory", "-p", "--project", "-e"],
    ),
    runner(&["conda", "mamba", "micromamba"], &["run"], CONDA),
    runner(&["bundle", "bundler"], &["exec"], &["--gemfile"]),
    runner(&["mise", "asdf", "pyenv", "rbenv"], &["exec", "x"], &["-c", "--command", "-C", "--cd"]),
    runner(
        &["doppler", "infisical", "op"],
        &["run"],
        &["-p", "--project", "-c", "--config", "--env", "--env-file"],
    ),
    Runner { before: 1, ..runner(&["direnv", "aws-vault", "chamber"], &["exec"], &["-d", "--duration"]) },
    Runner { scripts: &["--run", "--command"], ..runner(&["nix-shell"], &[""], &["-p", "-I", "-A"]) },
    Runner {
        before: 1,
        place: Place::Elsewhere,
        ..runner(&["kubectl", "oc"], &["exec", "run", "debug"], KUBE)
    },
    Runner {
        before: 1,
        place: Place::Apart,
        ..runner(&["docker-compose", "podman-compose"], &["exec", "run"], COMPOSE)
    },
    Runner {
        before: 1,
        place: Place::Apart,
        ..runner(&["docker", "podman", "nerdctl"], &["compose exec", "compose run"], COMPOSE)
    },
    Runner {
        before: 1,
        place: Place::Apart,
        ..runner(&["lxc", "incus"], &["exec"], &["--env", "--user", "--cwd"])
    },
    Runner { scripts: &["-c", "--command"], place: Place::Elsewhere, ..runner(&["vagrant"], &["ssh"], &[]) },
    Runner {
        scripts: &["--command"],
        place: Place::Elsewhere,
        ..runner(
            &["gcloud"],
            &["compute ssh", "alpha compute ssh", "beta compute ssh"],
            &["--zone", "--project"],
        )
    },
    Runner { place: Place::Elsewhere, ..runner(&["heroku"], &["run", "run:detached"], &["-a", "--app"]) },
    Runner {
        scripts: &["-C", "--command"],
        place: Place::Elsewhere,
        ..runner(&["fly", "flyctl"], &["ssh console"], &["-a", "--app", "-s"])
    },
];

impl Walk<'_> {
    /// Takes down the commands inside one whose deeds do not follow them, if commands are taken down at all; gives those
    /// whose output it passes on.
    pub(super) fn inner_commands(&mut self, run: &Run<'_>) -> Makers {
        if self.record.is_none() {
            return Makers::default();
        }
        match run.name {
            "ssh" | "mosh" | "autossh" => self.over_there(run),
            "docker" | "podman" | "nerdctl" if self.container_verb(run).is_some() => self.in_container(run),
            "crontab" if !run.arguments.iter().any(|word| word.text == "-l") => {
                self.unseen(&run.stdin);
                Makers::default()
            }
            _ => match RUNNERS.iter().find_map(|runner| Some((runner, runner.behind_verb(run)?))) {
                Some((runner, rest)) => self.runner(runner, &rest, run),
                None => self.module(run),
            },
        }
    }

    /// The commands of an alias, the last of which gets the arguments.
    pub(super) fn alias_commands(&mut self, name: &str, alias: &str, arguments: &[Argument]) {
        if self.record.is_none() {
            return;
        }
        let mut text = alias.to_owned();
        for argument in arguments {
            text.push(' ');
            match argument.is_known() {
                true => text.push_str(&format!("'{}'", argument.text.replace('\'', "'\\''"))),
                false => text.push(UNKNOWN),
            }
        }
        self.aside(None, |walk| {
            // Its own name means no alias inside it.
            walk.shell.aliases.remove(name);
            walk.script(&text, Stream::default())
        });
    }

    /// A command on the machine that the words name: a text for the shell there.
    fn over_there(&mut self, run: &Run<'_>) -> Makers {
        let divided = divide(run.arguments, Order::OperandsLast, &takes_from(SSH_VALUES));
        let Some((host, rest)) = divided.operands.split_first() else { return Makers::default() };
        let more = divide(rest, Order::OperandsLast, &takes_from(SSH_VALUES));
        let stdin = run.stdin.clone();
        self.aside(Some(host_of(host)), |walk| match more.operands.as_slice() {
            [] => walk.read_there(stdin),
            words => walk.code_of_words(words, stdin),
        })
    }

    /// A shell somewhere else that reads commands from its standard input.
    fn read_there(&mut self, stdin: Stream) -> Stream {
        match &stdin.text {
            Some(text) => self.script(text, Stream::default()),
            None => {
                if stdin.open {
                    self.unseen(&stdin);
                }
                Stream::default()
            }
        }
    }

    fn container_verb(&self, run: &Run<'_>) -> Option<Vec<Argument>> {
        let values = takes_from(&["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"]);
        let mut operands = divide(run.arguments, Order::OperandsLast, &values).operands;
        if operands.first().is_some_and(|first| first.text == "container") {
            operands.remove(0);
        }
        let (verb, rest) = operands.split_first()?;
        matches!(verb.text.as_str(), "run" | "create" | "exec").then(|| rest.to_vec())
    }

    /// A command in a container: words for no shell.
    fn in_container(&mut self, run: &Run<'_>) -> Makers {
        let Some(rest) = self.container_verb(run) else { return Makers::default() };
        let divided = divide(&rest, Order::OperandsLast, &takes_from(RUN_VALUES));
        let mut words = divided.values(&["--entrypoint"]);
        words.extend(divided.operands.iter().skip(1).cloned());
        self.pass_variables(&divided.values(&["-e", "--env"]));
        let stdin = run.stdin.clone();
        let host = self.host_now();
        self.aside(Some(host), |walk| walk.run(&words, stdin))
    }

    fn pass_variables(&mut self, settings: &[Argument]) {
        let Some(record) = &mut self.record else { return };
        for setting in settings {
            if let Some((name, value)) = setting.text.split_once('=') {
                record.pass(name, &setting.with_text(value));
            }
        }
    }

    fn runner(&mut self, runner: &Runner, rest: &[Argument], run: &Run<'_>) -> Makers {
        let takes = [runner.values, runner.scripts].concat();
        let divided = divide(rest, Order::OperandsLast, &takes_from(&takes));
        let scripts = divided.values(runner.scripts);
        let behind = divided.operands.get(runner.before..).unwrap_or_default();
        // What stands between may be followed by options again, and by the mark that ends them.
        let mut words = match runner.before {
            0 => behind.to_vec(),
            _ => divide(behind, Order::OperandsLast, &takes_from(&takes)).operands,
        };
        if let (Some(first), Place::Here) = (words.first_mut(), runner.place) {
            *first = without_version(first);
        }
        self.pass_variables(&divided.values(&["-e", "--env"]));
        let host = match runner.place {
            Place::Here => None,
            Place::Apart => Some(self.host_now()),
            Place::Elsewhere => Some(Host::Unknown),
        };
        let stdin = run.stdin.clone();
        self.aside(host, |walk| {
            let mut output = Stream::default();
            for script in &scripts {
                output.join(walk.code(script, &[], stdin.clone()));
            }
            if scripts.is_empty() {
                output.join(walk.run(&words, stdin));
            }
            output
        })
    }

    /// `python -m module`: the module is a program. Those that install are walked with all that they do.
    fn module(&mut self, run: &Run<'_>) -> Makers {
        let Some((module, rest)) = module_of(run) else { return Makers::default() };
        if super::interpreters::is_installer(&module) {
            return Makers::default();
        }
        let words: Vec<Argument> = std::iter::once(module).chain(rest.iter().cloned()).collect();
        let stdin = run.stdin.clone();
        self.aside(None, |walk| walk.run(&words, stdin))
    }
}

impl Runner {
    /// The words behind one of the verbs, if it is there.
    fn behind_verb(&self, run: &Run<'_>) -> Option<Vec<Argument>> {
        if !self.names.contains(&run.name) {
            return None;
        }
        self.verbs.iter().find_map(|verb| {
            let mut rest = run.arguments.to_vec();
            for part in verb.split_whitespace() {
                let takes = [self.values, self.scripts].concat();
                let operands = divide(&rest, Order::OperandsLast, &takes_from(&takes)).operands;
                let (first, more) = operands.split_first()?;
                if first.text != part {
                    return None;
                }
                rest = more.to_vec();
            }
            Some(rest)
        })
    }
}

/// The name of the machine that a word means.
fn host_of(word: &Argument) -> Host {
    let name = if word.is_known() { place::ssh_host(&word.text).name } else { String::new() };
    match name.strip_prefix("ssh://") {
        Some(host) => Host::Named(host.to_owned()),
        None => Host::Unknown,
    }
}

/// A package without its version; a leading `@` belongs to its name.
fn without_version(package: &Argument) -> Argument {
    let scope = usize::from(package.text.starts_with('@'));
    let end = package.text.get(scope..).and_then(|name| name.find(['@', '=']));
    match end.and_then(|end| package.text.get(..scope + end)) {
        Some(name) => package.with_text(name),
        None => package.clone(),
    }
}
