//! How many jobs a command runs at once.

use portcullis_perceive::shell::Command;

use super::Circumstances;
use super::measures::Measures;

/// A job that runs beside others.
const JOB: &str = "parallel job";

/// Programs that have an option for it.
const BUILDERS: &[&str] = &[
    "make", "gmake", "cmake", "ninja", "cargo", "ctest", "pytest", "scons", "bazel", "meson", "xargs",
    "parallel", "go", "mvn", "gradle", "rake", "jest", "stack", "cabal", "nproc", "b2", "waf", "samu",
];

const OPTIONS: &[&str] =
    &["-j", "--jobs", "--parallel", "-P", "--max-workers", "--workers", "-T", "-n", "-w", "--threads"];

/// A copy of a service that runs beside others.
const REPLICA: &str = "replica";

pub(super) fn add(call: &Circumstances<'_>, measures: &mut Measures<'_>) {
    if measures.asks_in(REPLICA) {
        super::commands_of(call).iter().for_each(|command| replicas(command, measures));
    }
    if !measures.asks_in(JOB) {
        return;
    }
    for command in super::commands_of(call) {
        let program = command.program.as_deref().unwrap_or_default();
        if BUILDERS.contains(&program) {
            jobs(program, command, measures);
        }
        // What the variable says counts for every make below.
        for (name, value) in &command.assignments {
            if matches!(name.as_str(), "MAKEFLAGS" | "CMAKE_BUILD_PARALLEL_LEVEL" | "CARGO_BUILD_JOBS") {
                let digits = value.as_deref().unwrap_or_default().trim_start_matches("-j").trim();
                measures.add(JOB, digits.parse().ok());
            }
        }
    }
}

/// How many copies of a service a command asks for: `--replicas=4`, `--scale web=4`, `web=4`.
fn replicas(command: &Command, measures: &mut Measures<'_>) {
    const PROGRAMS: &[&str] =
        &["kubectl", "oc", "docker", "docker-compose", "podman", "heroku", "helm", "fly"];
    if !command.program.as_deref().is_some_and(|program| PROGRAMS.contains(&program)) {
        return;
    }
    let words: Vec<&str> = command.words.iter().flatten().map(String::as_str).collect();
    let scales = words.iter().any(|word| matches!(*word, "scale" | "ps:scale" | "--scale"));
    for (at, word) in words.iter().enumerate() {
        let is_option = |name: &str| {
            let name = name.trim_start_matches('-').to_lowercase();
            matches!(name.as_str(), "replicas" | "max" | "replica-count") || name.ends_with("replicacount")
        };
        match word.rsplit_once('=') {
            Some((name, digits)) if is_option(name) || scales => measures.add(REPLICA, digits.parse().ok()),
            None if word.starts_with("--") && is_option(word) => {
                measures.add(REPLICA, words.get(at + 1).and_then(|digits| digits.parse().ok()));
            }
            _ => {}
        }
    }
}

/// The jobs that the options of a command ask for; unknown where one of them gives no number.
fn jobs(program: &str, command: &Command, measures: &mut Measures<'_>) {
    let own = |option: &str| match option {
        "-n" | "-w" => matches!(program, "pytest" | "jest"),
        "-P" => program == "xargs",
        "-T" => program == "mvn",
        _ => true,
    };
    let mut words = command.words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(word) = word else { continue };
        let found = OPTIONS.iter().filter(|option| own(option)).find_map(|option| {
            let rest = word.strip_prefix(option)?;
            let is_long = option.starts_with("--");
            match rest {
                "" => Some(None),
                rest if is_long => rest.strip_prefix('=').map(Some),
                rest => rest.starts_with(|letter: char| letter.is_ascii_digit()).then_some(Some(rest)),
            }
        });
        match found {
            Some(Some(digits)) => measures.add(JOB, digits.parse().ok()),
            Some(None) => {
                let next = words.peek().and_then(|next| next.as_deref());
                measures.add(JOB, next.and_then(|next| next.parse().ok()));
            }
            None => {}
        }
    }
}
