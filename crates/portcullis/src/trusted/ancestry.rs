//! From whom this process descends.

use super::known::{is_first, is_host, mark, plain};
use super::{Descent, Distrust};
use crate::whose;

/// So many generations are looked at.
const MOST_GENERATIONS: usize = 512;
/// What guards servers.
const OWN_PROGRAM: &str = "portcullis";

/// A process, as far as it tells whether an agent runs in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Process {
    pub(super) id: u32,
    pub(super) parent: u32,
    /// As session keys name it: with the time at which it began.
    pub(super) key: String,
    /// What it calls itself.
    pub(super) name: String,
    /// The file that it runs.
    pub(super) program: Option<String>,
    /// Its command line; nothing where that is not shown.
    pub(super) arguments: Vec<String>,
    /// Names of variables that it was started with; nothing where they are not shown.
    pub(super) variables: Vec<String>,
}

/// Why it is not known from whom a process descends.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Unseen {
    #[error("this system does not show its processes in /proc")]
    NoProcesses,
    #[error("process {0} is not shown, or has just ended")]
    Hidden(u32),
    #[error("there are too many generations")]
    TooMany,
}

/// Whoever knows processes.
pub(super) trait Processes {
    /// A process that runs now.
    fn process(&self, id: u32) -> Result<Process, Unseen>;
}

/// The processes of this machine.
pub(super) struct System;

/// Makes sure that a process does not descend from an agent: not from a host of an open session, not from a guarded server,
/// not from a known program in which agents run.
pub(super) fn examine(
    processes: &impl Processes,
    own: u32,
    hosts: &[(String, String)],
) -> Result<(), Distrust> {
    let mut process = processes.process(own)?;
    let found = |process: &Process, what| Distrust::Descends {
        id: process.id,
        name: portcullis_lattice::words::shown(&process.name),
        what,
    };
    for generation in 0..MOST_GENERATIONS {
        let what = match generation {
            // This process is what it is; only where it was started from counts.
            0 => mark(&process).map(|variable| Descent::Marked(variable.to_owned())),
            _ => descent(&process, hosts),
        };
        if let Some(what) = what {
            return Err(found(&process, what));
        }
        // The first of all has no parent, or one in another world of processes.
        if process.parent == 0 || process.id == 1 {
            return Ok(());
        }
        process = processes.process(process.parent)?;
    }
    Err(Unseen::TooMany.into())
}

fn descent(process: &Process, hosts: &[(String, String)]) -> Option<Descent> {
    // What has lost its parent becomes a child of the first process: as a host that means nothing.
    if is_first(process) {
        return None;
    }
    // A key without a time of beginning names the process all the same.
    let alone = format!("pid:{}", process.id);
    let session = hosts.iter().find(|(host, _)| *host == process.key || *host == alone);
    if let Some((_, session)) = session {
        return Some(Descent::HostOf(session.clone()));
    }
    if guards(process) {
        return Some(Descent::Guard);
    }
    if is_host(process) {
        return Some(Descent::Host);
    }
    mark(process).map(|variable| Descent::Marked(variable.to_owned()))
}

/// Whether it is `portcullis run` or `portcullis serve`.
fn guards(process: &Process) -> bool {
    let names = [Some(&process.name), process.program.as_ref(), process.arguments.first()];
    let is_own = names.into_iter().flatten().any(|name| plain(name) == OWN_PROGRAM);
    let command = process.arguments.iter().skip(1).find(|argument| !argument.starts_with('-'));
    is_own && command.is_none_or(|command| ["run", "serve"].contains(&command.as_str()))
}

#[cfg(target_os = "linux")]
impl Processes for System {
    fn process(&self, id: u32) -> Result<Process, Unseen> {
        let file = |name: &str| format!("/proc/{id}/{name}");
        if !std::path::Path::new("/proc/self/stat").exists() {
            return Err(Unseen::NoProcesses);
        }
        let status = std::fs::read(file("stat")).map_err(|_| Unseen::Hidden(id))?;
        let status = String::from_utf8_lossy(&status);
        let (before, fields) = status.rsplit_once(')').ok_or(Unseen::Hidden(id))?;
        let parent = fields.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
        // What belongs to others does not show these; its name is enough then.
        let words = |name: &str| -> Vec<String> {
            let text = std::fs::read(file(name)).unwrap_or_default();
            let words = text.split(|byte| *byte == 0).filter(|word| !word.is_empty());
            words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
        };
        let variable = |word: String| word.split_once('=').map(|(name, _)| name.to_owned());
        Ok(Process {
            id,
            parent: parent.ok_or(Unseen::Hidden(id))?,
            key: whose::process_key(id),
            name: before.split_once('(').map_or(String::new(), |(_, name)| name.to_owned()),
            program: std::fs::read_link(file("exe")).ok().map(|path| path.to_string_lossy().into_owned()),
            arguments: words("cmdline"),
            variables: words("environ").into_iter().filter_map(variable).collect(),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Processes for System {
    fn process(&self, _: u32) -> Result<Process, Unseen> {
        Err(Unseen::NoProcesses)
    }
}

#[cfg(test)]
mod tests;
