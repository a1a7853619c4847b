//! What a call does in words: of its tool's name, its commands and its arguments.

use std::collections::BTreeSet;

use portcullis_datalog::Truth;
use portcullis_perceive::shell::Command;

use super::commands::{plain_words, script_words};
use super::{CallFacts, Circumstances, PastCircumstances};
use crate::action::{Action, Actions};
use crate::names;

/// Programs whose next words say what to do.
const RUNNERS: &[&str] = &[
    "make", "npm", "pnpm", "yarn", "bun", "just", "task", "rake", "cap", "fab", "inv", "invoke", "gradle",
    "gradlew", "mvn", "poetry", "uv", "cargo", "composer", "nx", "turbo", "deno", "tox", "nox", "mage",
    "bazel", "hatch", "pdm", "rails", "mix", "ant", "sbt", "php", "dotnet", "go",
];

/// Programs that have subcommands, whose names are words of what is done.
const TOOLS: &[&str] = &[
    "git",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "tofu",
    "gh",
    "glab",
    "aws",
    "gcloud",
    "az",
    "heroku",
    "fly",
    "flyctl",
    "vercel",
    "netlify",
    "systemctl",
    "service",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "brew",
    "pip",
    "pip3",
    "pipx",
    "conda",
    "gem",
    "bundle",
    "npx",
    "docker-compose",
    "ansible",
    "vault",
    "firebase",
    "supabase",
    "wrangler",
    "stripe",
    "pulumi",
    "cdk",
    "alembic",
    "prisma",
    "flyway",
    "liquibase",
    "launchctl",
    "snap",
];

/// Commands that rules spell out and that the call runs.
pub(super) fn add_spelled(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    let commands = call.perception.particulars.as_ref().map_or(&[][..], |particulars| &particulars.commands);
    for spelled in &call.interest.spelled {
        if commands.iter().any(|command| is_spelled(spelled, command)) && !facts.did.contains(spelled) {
            facts.did.push(spelled.clone());
        }
    }
}

pub(super) fn add(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    let Ok(actions) = Actions::built_in() else {
        facts.is_unread = true;
        return;
    };
    let mut did: BTreeSet<String> = BTreeSet::new();
    let mut words = names::words(call.tool);
    // Words that are actions are decided with all that belongs to them.
    let asks_for = |word: &str| call.interest.asks_for(word);
    let is_plain = |word: &String| asks_for(word) && !actions.iter().any(|action| action.name == *word);
    did.extend(words.iter().filter(|word| is_plain(word)).cloned());
    words.extend(names::words(call.server));
    let commands = call.perception.particulars.as_ref().map_or(&[][..], |particulars| &particulars.commands);
    for command in commands {
        did.extend(command_words(command).into_iter().filter(|word| asks_for(word)));
    }
    let shell = !commands.is_empty();
    let is_shown =
        |action: &&Action| action.deed.is_empty() || !action.tools.is_empty() || !action.commands.is_empty();
    for action in call.interest.bearing(actions).filter(is_shown) {
        if shows(action, facts, call, &words, commands, shell) {
            did.insert(action.name.clone());
        }
    }
    for action in call.interest.bearing(actions) {
        if action.not.iter().any(|other| did.contains(other)) {
            did.remove(&action.name);
        }
    }
    facts.did = did.into_iter().collect();
    facts.about = about(call.tool, commands).into_iter().collect();
}

/// The same for a call of the past: what it did for certain. Says whether it may have done more that a rule asks for.
pub(super) fn add_past(facts: &mut CallFacts<'_>, past: &PastCircumstances<'_>) -> bool {
    let Ok(actions) = Actions::built_in() else { return true };
    let untold = past.untold;
    if untold.code || untold.delegates {
        return true;
    }
    let asks_for = |word: &str| past.interest.asks_for(word);
    let mut words = names::words(past.tool);
    let is_plain = |word: &String| asks_for(word) && !actions.iter().any(|action| action.name == *word);
    let mut did: BTreeSet<String> = words.iter().filter(|word| is_plain(word)).cloned().collect();
    words.extend(names::words(&past.call.server.name));
    let shown: Vec<(&Action, Truth)> =
        actions.iter().map(|action| (action, shows_past(action, facts, past, &words))).collect();
    let may_be =
        |name: &String| shown.iter().any(|(other, truth)| other.name == *name && *truth != Truth::No);
    let mut is_open = false;
    for (action, truth) in shown.iter().filter(|(action, _)| asks_for(&action.name)) {
        match truth {
            Truth::No => {}
            Truth::Yes if !action.not.iter().any(may_be) => drop(did.insert(action.name.clone())),
            Truth::Yes | Truth::Unknown => is_open = true,
        }
    }
    facts.did = did.into_iter().collect();
    facts.about = about(past.tool, &[]).into_iter().collect();
    is_open
}

/// Whether an action shows in the flows, in the name of the tool or of an argument, where there are no commands. Values of
/// arguments may show it too.
fn shows_past(
    action: &Action,
    facts: &CallFacts<'_>,
    past: &PastCircumstances<'_>,
    words: &[String],
) -> Truth {
    let is_writing = facts.flows.iter().any(super::resources::FlowFacts::is_writing);
    let is_shown = action.deed.is_empty() || !action.tools.is_empty() || !action.commands.is_empty();
    if !is_shown
        || (action.writing && !is_writing)
        || action.not_words.iter().any(|word| words.contains(word))
    {
        return Truth::No;
    }
    let by_tool =
        action.tools.iter().any(|set| set.split(' ').all(|word| words.iter().any(|own| own == word)));
    if by_tool || shows_in_flows(action, facts) {
        return Truth::Yes;
    }
    let named: Vec<String> = past.arguments.iter().flat_map(|name| names::words(name)).collect();
    let may_name = |sets: &[String]| {
        !sets.is_empty() && (past.untold.nested || sets.iter().any(|word| named.contains(word)))
    };
    let may_choose = !action.choices.is_empty() && (past.untold.nested || !past.arguments.is_empty());
    let may_mark = action.is_marked() && (past.untold.nested || !past.arguments.is_empty());
    if may_mark
        || may_name(&action.given)
        || may_name(&action.given_true)
        || may_choose
        || !action.elements.is_empty()
    {
        return Truth::Unknown;
    }
    Truth::No
}

/// What a tool is about: the last word of its name that is no verb. Of a command: what its subcommand is about.
fn about(tool: &str, commands: &[Command]) -> Option<String> {
    const VERBS: &[&str] = &[
        "create", "update", "delete", "get", "list", "add", "remove", "set", "search", "send", "post",
        "read", "write", "edit", "insert", "query", "find", "patch", "put", "fetch", "drop", "upload",
        "download", "move", "copy", "run", "execute", "close", "open", "many", "one", "all", "to", "by",
        "bulk", "batch",
    ];
    if !commands.is_empty() {
        return None;
    }
    names::words(tool).into_iter().rev().find(|word| !VERBS.contains(&word.as_str()))
}

/// The words of a command that say what it does: the program, its subcommands, its options.
fn command_words(command: &Command) -> Vec<String> {
    let mut words = script_words(command);
    let program = command.program.as_deref().unwrap_or_default();
    words.push(program.to_owned());
    words.extend(super::commands::stands_for(command));
    // `pip3` is pip.
    words.extend(program.strip_suffix('3').filter(|name| name.len() > 1).map(str::to_owned));
    let plain = plain_words(command);
    if RUNNERS.contains(&program) || TOOLS.contains(&program) {
        let depth = if program == "git" { 1 } else { 2 };
        for word in plain.iter().take(depth).filter(|word| !word.contains(char::is_whitespace)) {
            words.extend(names::words(word));
            words.push((*word).to_lowercase());
        }
    }
    words.extend(
        command
            .words
            .iter()
            .flatten()
            .filter(|word| word.starts_with('-'))
            .map(|word| word.split('=').next().unwrap_or(word).to_lowercase()),
    );
    for word in command.words.iter().flatten().filter(|word| word.starts_with('-') && !word.starts_with("--"))
    {
        words.extend(
            word.chars()
                .skip(1)
                .filter(|letter| letter.is_ascii_alphabetic())
                .map(|letter| format!("-{letter}")),
        );
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a command is one that a rule spells out: the program, then words in this order, and every option.
fn is_spelled(spelled: &str, command: &Command) -> bool {
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

fn shows(
    action: &Action,
    facts: &CallFacts<'_>,
    call: &Circumstances<'_>,
    words: &[String],
    commands: &[Command],
    shell: bool,
) -> bool {
    let is_writing = facts.flows.iter().any(super::resources::FlowFacts::is_writing);
    let by_tool = !shell
        && (!action.writing || is_writing)
        && !action.not_words.iter().any(|word| words.contains(word))
        && action.tools.iter().any(|set| set.split(' ').all(|word| words.iter().any(|own| own == word)));
    let may = (!action.writing || is_writing) && !action.not_words.iter().any(|word| words.contains(word));
    if !may {
        return false;
    }
    let is_among = super::marks::is_among(action, words);
    by_tool
        || (is_among && super::marks::shows(action, facts, call, commands))
        || action.commands.iter().any(|pattern| commands.iter().any(|command| fits(pattern, command)))
        || (is_among && action.given.iter().any(|word| facts.arguments.given.contains(word)))
        || action
            .given_true
            .iter()
            .any(|word| facts.arguments.choices.iter().any(|(name, value)| name == word && value == "true"))
        || action.choices.iter().any(|choice| {
            facts.arguments.choices.iter().any(|(name, value)| value == choice && is_choice(name))
        })
        || action
            .statements
            .iter()
            .any(|kind| facts.statements.iter().any(|statement| statement.kind == kind))
        || shows_in_flows(action, facts)
        || (action.piped && commands.iter().any(|command| is_piped(command, commands)))
        || clicks(action, facts, call)
}

/// Whether an action shows in what the call does to what.
fn shows_in_flows(action: &Action, facts: &CallFacts<'_>) -> bool {
    (!action.effect.is_empty() && facts.flows.iter().any(|flow| flow.has_effect(&action.effect)))
        || (!action.sends.is_empty() && sends(facts, &action.sends))
        || (!action.writes.is_empty() && sends(facts, &action.writes))
        || (action.engines && asks_engine(facts))
        || (action.uploads && uploads(facts))
}

/// Arguments that choose, as opposed to those that name or tell something.
fn is_choice(name: &str) -> bool {
    const TELLING: &[&str] = &[
        "id",
        "name",
        "title",
        "label",
        "content",
        "text",
        "body",
        "query",
        "message",
        "summary",
        "subject",
        "description",
        "path",
        "url",
        "command",
    ];
    name.starts_with("sub ") || !name.split(' ').any(|word| TELLING.contains(&word))
}

/// Whether something goes to things of a kind.
fn sends(facts: &CallFacts<'_>, kind: &str) -> bool {
    facts
        .flows
        .iter()
        .filter(|flow| flow.has_effect("write"))
        .any(|flow| flow.outputs().any(|name| super::resources::kind(name) == kind))
}

/// Search engines, by the hosts of their interfaces.
fn asks_engine(facts: &CallFacts<'_>) -> bool {
    const ENGINES: &[&str] = &[
        "https://api.tavily.com",
        "https://api.search.brave.com",
        "https://www.google.com/search",
        "https://duckduckgo.com",
        "https://www.bing.com/search",
        "https://api.exa.ai",
        "https://serpapi.com",
        "https://html.duckduckgo.com",
    ];
    facts.flows.iter().any(|flow| {
        flow.inputs()
            .chain(flow.outputs())
            .any(|name| ENGINES.iter().any(|engine| crate::filters::inside(name, engine)))
    })
}

/// Whether a program that runs what it reads is fed from the network.
fn is_piped(command: &Command, commands: &[Command]) -> bool {
    const SHELLS: &[&str] = &[
        "sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "ruby", "perl", "php",
        "source", ".", "eval", "sudo",
    ];
    let runs = command.program.as_deref().is_none_or(|program| SHELLS.contains(&program));
    runs && command.fed_by.iter().any(|at| is_fetched(*at, commands, 8))
}

/// Whether something comes from the network, perhaps through other programs.
fn is_fetched(at: usize, commands: &[Command], depth: usize) -> bool {
    commands.get(at).is_some_and(|command| {
        command.fetches || (depth > 0 && command.fed_by.iter().any(|at| is_fetched(*at, commands, depth - 1)))
    })
}

/// Whether a file goes to the network.
fn uploads(facts: &CallFacts<'_>) -> bool {
    facts.flows.iter().filter(|flow| flow.has_effect("write")).any(|flow| {
        flow.inputs().any(|name| name.starts_with('/'))
            && flow.outputs().any(|name| matches!(super::resources::kind(name), "page" | "host"))
    })
}

/// Whether something is clicked whose label says it.
fn clicks(action: &Action, facts: &CallFacts<'_>, call: &Circumstances<'_>) -> bool {
    if action.elements.is_empty() {
        return false;
    }
    let says = |text: &str| action.elements.iter().any(|element| crate::filters::says(text, element));
    let clicks = names::words(call.tool)
        .iter()
        .any(|word| matches!(word.as_str(), "click" | "tap" | "press" | "check"));
    (clicks && facts.arguments.texts.iter().any(|(_, text)| says(text)))
        || super::marks::ticked(call.arguments).iter().any(|text| says(text))
}

/// Whether a command has the form of a pattern: a program and the words behind it, in this order.
fn fits(pattern: &str, command: &Command) -> bool {
    let Some(program) = command.program.as_deref() else { return false };
    let mut parts = pattern.split(' ');
    let Some(programs) = parts.next() else { return false };
    let parts: Vec<&str> = parts.collect();
    if programs == "*" {
        // Either the program itself is called so, or it runs what is called so.
        let named = parts.iter().all(|part| script_words(command).iter().any(|word| word == part));
        if named {
            return true;
        }
        if !RUNNERS.contains(&program) && !TOOLS.contains(&program) {
            return false;
        }
    } else if !programs.split('|').any(|own| own == program) {
        return false;
    }
    let plain = plain_words(command);
    let mut at = 0;
    parts.iter().all(|part| match *part {
        // The very next word, or an option in its place.
        _ if part.starts_with('^') => {
            let mut names = part.trim_start_matches('^').split('|');
            while plain.get(at).is_some_and(|word| is_option_value(word, command)) {
                at += 1;
            }
            let is_next = names.clone().any(|name| plain.get(at).is_some_and(|word| *word == name));
            at += usize::from(is_next);
            is_next || names.any(|name| name.starts_with('-') && has_flag(command, name))
        }
        _ if part.starts_with('-') => part.split('|').any(|flag| has_flag(command, flag)),
        "+" => command.words.iter().flatten().any(|word| word.starts_with('+')),
        "*" => {
            at += 1;
            true
        }
        _ => {
            let names: Vec<&str> = part.split('|').collect();
            let reach = if program == "git" && at == 0 { 1 } else { 3 };
            let found = plain.iter().skip(at).take(reach).position(|word| {
                names.iter().any(|name| {
                    word == name || word.split([':', '-', '_']).any(|piece| piece == *name && programs == "*")
                })
            });
            let by_flag = names.iter().any(|name| name.starts_with('-') && has_flag(command, name));
            match found {
                Some(found) => {
                    at += found + 1;
                    true
                }
                None => by_flag,
            }
        }
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
