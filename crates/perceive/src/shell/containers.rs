//! Containers, clusters and services.

use portcullis_lattice::{Effect, Reach};

use super::arguments::{Argument, Order, divide};
use super::program::{Run, takes_from};
use super::stream::Stream;
use super::walk::Walk;

const DOCKER_SHOWS: &[&str] = &[
    "ps", "images", "logs", "inspect", "stats", "version", "info", "top", "port", "diff", "events",
    "history", "search", "ls", "list", "config", "df",
];
const KUBE_SHOWS: &[&str] = &[
    "get",
    "describe",
    "logs",
    "top",
    "version",
    "explain",
    "api-resources",
    "api-versions",
    "cluster-info",
    "diff",
    "events",
];
const SERVICE_SHOWS: &[&str] = &[
    "status",
    "is-active",
    "is-enabled",
    "is-failed",
    "list-units",
    "list-unit-files",
    "list-timers",
    "list-sockets",
    "list-dependencies",
    "show",
    "cat",
    "get-default",
];
pub(super) const RUN_VALUES: &[&str] = &[
    "-v",
    "--volume",
    "--mount",
    "-p",
    "--publish",
    "-e",
    "--env",
    "--name",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "--network",
    "--restart",
    "--entrypoint",
    "-l",
    "--label",
    "--env-file",
    "-m",
    "--memory",
    "--cpus",
    "--hostname",
    "-h",
    "--platform",
    "--cap-add",
    "--device",
    "--add-host",
    "--log-driver",
    "--log-opt",
    "--gpus",
    "--ulimit",
    "--tmpfs",
    "--pull",
    "--security-opt",
];

impl Walk<'_> {
    /// A program that drives containers, clusters or services.
    pub(super) fn container(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "docker" | "podman" | "nerdctl" => Some(self.docker(run.arguments, run.stdin.clone())),
            "docker-compose" | "podman-compose" => Some(self.compose(run.arguments, run.stdin.clone())),
            "kubectl" | "oc" | "k9s" => Some(self.shows_or_runs(run, KUBE_SHOWS)),
            "systemctl" | "rc-service" | "initctl" => Some(self.shows_or_runs(run, SERVICE_SHOWS)),
            "service" => {
                let shows = run
                    .arguments
                    .last()
                    .is_some_and(|last| matches!(last.text.as_str(), "status" | "--status-all"));
                Some(self.status_if(shows, run.stdin.clone()))
            }
            "crontab" => {
                let lists = run.arguments.iter().any(|argument| argument.text == "-l");
                if lists {
                    return Some(Stream::of(self.workdir_uses()));
                }
                let inputs = run.stdin.sources.clone();
                let inputs = if inputs.is_empty() { self.workdir_uses() } else { inputs };
                self.deed(inputs, Vec::new(), Effect::Spawn.into());
                Some(Stream::default())
            }
            _ => None,
        }
    }

    fn status_if(&mut self, shows: bool, stdin: Stream) -> Stream {
        if shows { Stream::of(self.workdir_uses()) } else { self.executed_here(stdin) }
    }

    fn shows_or_runs(&mut self, run: &Run<'_>, shows: &[&str]) -> Stream {
        let values = takes_from(&[
            "-n",
            "--namespace",
            "--context",
            "--cluster",
            "-H",
            "--host",
            "-M",
            "--kubeconfig",
            "-t",
            "-p",
        ]);
        let divided = divide(run.arguments, Order::Mixed, &values);
        let verb = divided.operands.first();
        let only_shows = verb.is_none_or(|verb| shows.contains(&verb.text.as_str()));
        self.status_if(only_shows, run.stdin.clone())
    }

    fn docker(&mut self, arguments: &[Argument], stdin: Stream) -> Stream {
        let values = takes_from(&["-H", "--host", "-c", "--context", "--config", "-l", "--log-level"]);
        let divided = divide(arguments, Order::OperandsLast, &values);
        let Some((verb, rest)) = divided.operands.split_first() else {
            return Stream::of(self.workdir_uses());
        };
        match verb.text.as_str() {
            "compose" => self.compose(rest, stdin),
            "container" | "image" | "volume" | "network" | "system" | "context" | "node" | "stack" => {
                self.docker(rest, stdin)
            }
            "run" | "create" => self.started(rest, stdin),
            "start" | "restart" | "unpause" => {
                let inputs = self.workdir_uses();
                self.deed(inputs, Vec::new(), Effect::Spawn.into());
                Stream::default()
            }
            "exec" => self.started(rest, stdin),
            shown if DOCKER_SHOWS.contains(&shown) => Stream::of(self.workdir_uses()),
            _ => self.executed_here(stdin),
        }
    }

    /// A container runs code; what is mounted is in its reach.
    fn started(&mut self, arguments: &[Argument], stdin: Stream) -> Stream {
        let divided = divide(arguments, Order::OperandsLast, &takes_from(RUN_VALUES));
        for mount in divided.values(&["-v", "--volume", "--mount"]) {
            let source = mount_source(&mount.text);
            if source.starts_with(['/', '.', '~']) || !mount.is_known() {
                let places = self.places(&mount.with_text(source), Reach::Subtree);
                self.copied(places.clone(), places, Effect::Write.into());
            }
        }
        if divided.has(&["-d", "--detach"]) {
            let inputs = self.workdir_uses();
            self.deed(inputs, Vec::new(), Effect::Spawn.into());
            return Stream::default();
        }
        self.executed_here(stdin)
    }

    fn compose(&mut self, arguments: &[Argument], stdin: Stream) -> Stream {
        let values = takes_from(&[
            "-f",
            "--file",
            "-p",
            "--project-name",
            "--profile",
            "--env-file",
            "--project-directory",
        ]);
        let divided = divide(arguments, Order::OperandsLast, &values);
        let Some((verb, rest)) = divided.operands.split_first() else {
            return Stream::of(self.workdir_uses());
        };
        let detached = rest.iter().any(|word| matches!(word.text.as_str(), "-d" | "--detach" | "--wait"));
        match verb.text.as_str() {
            shown if DOCKER_SHOWS.contains(&shown) => Stream::of(self.workdir_uses()),
            "up" | "run" | "exec" if detached => {
                let inputs = self.workdir_uses();
                self.deed(inputs, Vec::new(), Effect::Spawn.into());
                Stream::default()
            }
            "start" | "restart" | "unpause" => {
                let inputs = self.workdir_uses();
                self.deed(inputs, Vec::new(), Effect::Spawn.into());
                Stream::default()
            }
            _ => self.executed_here(stdin),
        }
    }
}

/// The host's side of a mount: `source:target` or `type=bind,source=…`.
fn mount_source(text: &str) -> &str {
    let keyed =
        text.split(',').find_map(|part| part.strip_prefix("source=").or_else(|| part.strip_prefix("src=")));
    keyed.unwrap_or_else(|| text.split(':').next().unwrap_or(text))
}
