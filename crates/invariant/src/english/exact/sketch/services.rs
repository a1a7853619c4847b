//! What runs and must go on running, or must not be started: services and containers, by their names or all of them.

use super::{DENYING, OPEN, Rules, Sketch, did, has, is_literal, is_one, line_has, refused};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::Test;

const STOPPING: &[&str] =
    &["stop", "restart", "kill", "terminate", "reload", "bounce", "shut", "reboot", "down", "pause"];
const STARTING: &[&str] = &["start", "launch", "spin", "run", "up"];
const CONTAINERS: &[&str] = &["container", "containers", "docker", "compose", "podman"];
const SERVICES: &[&str] = &["service", "services", "daemon", "daemons", "systemd"];
const GOING_ON: &[&str] = &[
    "keep|keeps running|up|going",
    "stay|stays|remain up|running|alive|online",
    "has|have to keep|stay|run",
];

/// Words around the name of a service.
const AROUND: &[&str] = &[
    "the",
    "a",
    "an",
    "any",
    "all",
    "our",
    "my",
    "it",
    "them",
    "one",
    "must",
    "may",
    "should",
    "can",
    "be",
    "is",
    "are",
    "to",
    "has",
    "have",
    "keep",
    "keeps",
    "running",
    "up",
    "stay",
    "stays",
    "and",
    "or",
    "of",
    "on",
    "this",
    "that",
    "ever",
    "by",
    "you",
    "hands",
    "get",
    "gets",
    "do",
    "does",
    "alive",
    "online",
    "going",
    "please",
    "server",
    "process",
    "processes",
    "job",
    "jobs",
    "task",
    "tasks",
    "worker",
    "program",
    "programs",
    "database",
    "instance",
    "cluster",
    "box",
    "machine",
    "node",
    "system",
    "everything",
    "anything",
    "just",
    "look",
    "week",
    "month",
    "day",
    "weekend",
    "it's",
    "today",
    "here",
    "now",
    "end",
    "in",
    "for",
    "with",
    "yourself",
    "while",
];

impl Exact<'_> {
    /// A ban on stopping or starting what runs.
    pub(super) fn sketched_services(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !self.hand.runs_commands()
            || sketch.has(OPEN)
            || sketch.has(&["only", "background", "detached", "pod", "privileged", "host", "network", "socket"])
            // "containers with --x" are not all containers.
            || sketch.tokens.iter().any(|token| token.shape == Shape::Flag)
        {
            return None;
        }
        let verbs = |list: &[&str]| sketch.denying().any(|part| has(part, list));
        let stops = verbs(STOPPING) || (sketch.has(STOPPING) && sketch.says(GOING_ON));
        let starts = verbs(STARTING) && !sketch.says(GOING_ON);
        let (services, containers) = (sketch.has(SERVICES), sketch.has(CONTAINERS));
        let name = self.service_sketched(sketch);
        if !(stops || (starts && containers)) || !(services || containers || name.is_some()) {
            return None;
        }
        let mut acts = Vec::new();
        if stops && (services || name.is_some()) {
            acts.extend(["change service", "restart", "kill", "stop container"]);
        }
        if stops && containers {
            acts.extend(["stop container", "restart", "kill"]);
        }
        if starts && containers {
            acts.push("start container");
        }
        if starts && services {
            acts.push("change service");
        }
        acts.sort_unstable();
        acts.dedup();
        let mut tests = self.sketched_time(sketch)?;
        tests.extend(name.map(|name| vec![name]).unwrap_or_default());
        Some(refused(did(&acts), tests))
    }

    /// The name of a service: the one word that nothing else explains, in a part that says what must not happen to it.
    fn service_sketched(&self, sketch: &Sketch<'_>) -> Option<Test> {
        if sketch.has(SERVICES) && !sketch.says(&["the .. service"]) {
            return None;
        }
        let speaks = |part: &&[Token]| has(part, STOPPING) || super::says(part, GOING_ON);
        let is_name = |token: &&Token| {
            token.shape == Shape::Word
                && !AROUND.contains(&token.low.as_str())
                && !is_one(token, DENYING)
                && !is_one(token, STOPPING)
                && !is_one(token, STARTING)
                && !is_one(token, SERVICES)
                && !is_one(token, CONTAINERS)
        };
        let parts: Vec<&[Token]> = sketch.parts.iter().copied().filter(speaks).collect();
        if parts.iter().flat_map(|part| part.iter()).any(is_literal) {
            return None;
        }
        let mut names: Vec<&Token> = parts.iter().flat_map(|part| part.iter()).filter(is_name).collect();
        names.dedup_by(|one, other| one.low == other.low);
        match names.as_slice() {
            [name] if !self.lexicon.knows(name) => Some(line_has(std::slice::from_ref(&name.low))),
            _ => None,
        }
    }
}
