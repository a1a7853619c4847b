//! Programs in which agents run, by their names.

use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use super::ancestry::Process;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    programs: Vec<String>,
    packages: Vec<String>,
    interpreters: Vec<String>,
    variables: Vec<String>,
    first: Vec<String>,
}

static KNOWN: LazyLock<Result<Known, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/agent-hosts.toml")).map_err(|error| error.to_string())
});

/// Whether agents run in it. If the list itself cannot be read, everything may be such a program.
pub(super) fn is_host(process: &Process) -> bool {
    let Ok(known) = &*KNOWN else { return true };
    let names = [
        Some(process.name.as_str()),
        process.program.as_deref(),
        process.arguments.first().map(|name| &**name),
    ];
    let is_named = |name: &str| {
        let name = plain(name);
        known.programs.iter().any(|program| match name.strip_prefix(program.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with(" helper") || rest.starts_with("-helper"),
            None => false,
        })
    };
    names.into_iter().flatten().any(is_named)
        || runs(known, process).any(|script| {
            is_named(script) || known.packages.iter().any(|package| script.contains(package.as_str()))
        })
}

/// The scripts that an interpreter may be running: its arguments that are no options.
fn runs<'p>(known: &Known, process: &'p Process) -> impl Iterator<Item = &'p str> + use<'p> {
    let own = process.program.as_deref().or(process.arguments.first().map(|name| &**name)).map(plain);
    // `python3.12` is one too.
    let is_interpreter = own.is_some_and(|own| {
        let family = own.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        known.interpreters.iter().any(|interpreter| *interpreter == own || interpreter == family)
    });
    let arguments = process.arguments.iter().skip(1).filter(|argument| !argument.starts_with('-')).take(3);
    arguments.map(|argument| &**argument).filter(move |_| is_interpreter)
}

/// A variable that hosts set for what their agents run.
pub(super) fn mark(process: &Process) -> Option<&str> {
    let known = KNOWN.as_ref().ok()?;
    let is_mark = |variable: &&String| known.variables.contains(variable);
    process.variables.iter().find(is_mark).map(|variable| &**variable)
}

/// Whether everything descends from it.
pub(super) fn is_first(process: &Process) -> bool {
    let is_named = KNOWN.as_ref().is_ok_and(|known| known.first.contains(&plain(&process.name)));
    is_named && (process.id == 1 || process.parent == 1)
}

/// The name of a program without where it lies and what it is written in, in small letters.
pub(super) fn plain(name: &str) -> String {
    let name = Path::new(name).file_name().map_or_else(|| name.into(), |name| name.to_string_lossy());
    let name = name.strip_suffix(" (deleted)").unwrap_or(&name).to_lowercase();
    let ends = [".exe", ".js", ".mjs", ".cjs", ".py", ".appimage"];
    ends.iter().find_map(|end| name.strip_suffix(end)).map_or(name.clone(), str::to_owned)
}
