//! What a call does in words: of its tool's name, its commands and its arguments.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use portcullis_datalog::Truth;
use portcullis_perceive::shell::Command;

use super::ran::{Ran, is_spelled};
use super::resources::FlowFacts;
use super::{CallFacts, Called, Circumstances, PastCircumstances};
use crate::action::{Action, Actions, CommandForm, Shown, Words};
use crate::names;

/// Commands that rules spell out and that the call runs.
pub(super) fn add_spelled(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    let commands = super::commands_of(call);
    for spelled in &call.interest.spelled {
        if commands.iter().any(|command| is_spelled(spelled, command)) && !facts.did.contains(spelled) {
            facts.did.push(spelled.clone());
        }
    }
}

pub(super) fn add(facts: &mut CallFacts<'_>, call: &Circumstances<'_>, called: &Called) {
    let Ok(actions) = Actions::built_in() else {
        facts.is_unread = true;
        return;
    };
    let mut did: BTreeSet<String> = BTreeSet::new();
    // Words that are actions are decided with all that belongs to them.
    let is_plain = |word: &&str| call.interest.asks_for(word) && !actions.has(word);
    did.extend(names::split(called.tool()).filter(is_plain).map(str::to_owned));
    let commands: Vec<Ran<'_>> = super::commands_of(call).iter().map(Ran::of).collect();
    for command in &commands {
        command.tell(&mut |word| {
            if call.interest.asks_for(word) {
                did.insert(word.to_owned());
            }
        });
    }
    // The shell that runs a command line is a program too.
    let shells = facts.arguments.choices().filter(|(name, _)| *name == "shell");
    let shells = shells.filter_map(|(_, path)| path.rsplit(' ').next());
    did.extend(shells.filter(|word| call.interest.asks_for(word)).map(str::to_owned));
    let scene = Scene::of(facts, call, called, &commands);
    for (action, shown) in call.interest.bearing(actions).filter(|(_, shown)| shown.is_shown) {
        if scene.shows(action, shown) {
            did.insert(action.name.clone());
        }
    }
    if !did.is_empty() {
        for (action, _) in call.interest.bearing(actions) {
            if action.not.iter().any(|other| did.contains(other)) {
                did.remove(&action.name);
            }
        }
    }
    facts.did = did.into_iter().collect();
    // Where there are commands, the tool is about whatever they do.
    facts.about = commands.is_empty().then(|| about(called.tool())).flatten().into_iter().collect();
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
    let is_plain = |word: &String| asks_for(word) && !actions.has(word);
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
    facts.about = about(&names::joined(past.tool)).into_iter().collect();
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
    let is_writing = facts.flows.iter().any(FlowFacts::is_writing);
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
    // Which method a request had is a value, and values are not recorded.
    let may_ask = !action.methods.is_empty() && (past.untold.nested || !past.arguments.is_empty());
    if may_mark
        || may_ask
        || may_name(&action.given)
        || may_name(&action.given_true)
        || may_choose
        || !action.elements.is_empty()
    {
        return Truth::Unknown;
    }
    Truth::No
}

/// What a tool is about: the last of its words that is no verb.
pub(crate) fn about(tool: &str) -> Option<String> {
    const VERBS: &[&str] = &[
        "create", "update", "delete", "get", "list", "add", "remove", "set", "search", "send", "post",
        "read", "write", "edit", "insert", "query", "find", "patch", "put", "fetch", "drop", "upload",
        "download", "move", "copy", "run", "execute", "close", "open", "many", "one", "all", "to", "by",
        "bulk", "batch",
    ];
    tool.rsplit(' ').find(|word| !word.is_empty() && !VERBS.contains(word)).map(str::to_owned)
}

/// What actions are looked for in, found out once for all of them.
struct Scene<'s, 'c> {
    facts: &'s CallFacts<'c>,
    call: &'s Circumstances<'c>,
    commands: &'s [Ran<'c>],
    /// The words of the tool and of its server.
    words: Words<'s>,
    /// The bits of all programs.
    programs: u64,
    is_writing: bool,
    /// Whether the tool clicks on something.
    is_clicking: bool,
    /// What is ticked, once somebody asks.
    ticked: OnceCell<Vec<String>>,
}

impl<'s, 'c> Scene<'s, 'c> {
    fn of(
        facts: &'s CallFacts<'c>,
        call: &'s Circumstances<'c>,
        called: &'s Called,
        commands: &'s [Ran<'c>],
    ) -> Scene<'s, 'c> {
        Scene {
            facts,
            call,
            commands,
            words: Words::of(called.all()),
            programs: commands.iter().fold(0, |programs, command| programs | command.mark),
            is_writing: facts.flows.iter().any(FlowFacts::is_writing),
            is_clicking: names::has(called.tool(), &["click", "tap", "press", "check"]),
            ticked: OnceCell::new(),
        }
    }

    fn shows(&self, action: &Action, shown: &Shown) -> bool {
        // Most actions show in names alone, and most names have none of their words.
        let may_be_tool = self.commands.is_empty() && shown.tool_marks & self.words.marks != 0;
        if shown.is_named_only && !may_be_tool && shown.programs & self.programs == 0 {
            return false;
        }
        let is_other = || action.not_words.iter().any(|word| self.words.has(word));
        if (action.writing && !self.is_writing) || (shown.not_marks & self.words.marks != 0 && is_other()) {
            return false;
        }
        let by_tool = || self.commands.is_empty() && shown.tools.iter().any(|set| set.is_in(self.words));
        let is_among = shown.among.is_empty() || shown.among.iter().any(|set| set.is_in(self.words));
        by_tool()
            || (is_among && super::marks::shows(shown, self.facts, self.call))
            || action.methods.iter().any(|method| self.asks_by(method))
            || self.runs(shown)
            || (is_among
                && action.given.iter().any(|word| self.facts.arguments.given().any(|own| own == word)))
            || self.chooses(action)
            || self.states(action)
            || shows_in_flows(action, self.facts)
            || (action.piped && self.is_piped())
            || self.clicks(action)
    }

    /// Whether a command shows it.
    fn runs(&self, shown: &Shown) -> bool {
        let fits = |form: &CommandForm| {
            let mut likely = self.commands.iter().filter(|command| form.marks & command.mark != 0);
            likely.any(|command| command.fits(form))
        };
        shown.programs & self.programs != 0 && shown.commands.iter().any(fits)
    }

    /// Whether a server is asked by this method.
    fn asks_by(&self, method: &str) -> bool {
        let is_it = |own: &str| own.eq_ignore_ascii_case(method);
        let is_stated = |name: &str| matches!(name, "method" | "http method");
        self.commands.iter().filter_map(|ran| super::spoken::method(ran.command)).any(|own| is_it(&own))
            || self.facts.arguments.choices().any(|(name, value)| is_stated(name) && is_it(value))
    }

    /// Whether an argument that is true, or a short value, shows it.
    fn chooses(&self, action: &Action) -> bool {
        let choices = || self.facts.arguments.choices();
        action.given_true.iter().any(|word| choices().any(|(name, value)| name == word && value == "true"))
            || action
                .choices
                .iter()
                .any(|choice| choices().any(|(name, value)| value == choice && is_choice(name)))
    }

    /// Whether a SQL statement shows it.
    fn states(&self, action: &Action) -> bool {
        let statements = &self.facts.statements;
        action.statements.iter().any(|kind| statements.iter().any(|statement| statement.kind == kind))
    }

    /// Whether a program that runs what it reads is fed from the network.
    fn is_piped(&self) -> bool {
        let commands = super::commands_of(self.call);
        commands.iter().any(|command| is_piped(command, commands))
    }

    /// Whether something is clicked whose label says it.
    fn clicks(&self, action: &Action) -> bool {
        if action.elements.is_empty() {
            return false;
        }
        let says = |text: &str| action.elements.iter().any(|element| crate::filters::says(text, element));
        let ticked = || self.ticked.get_or_init(|| super::marks::ticked(self.call.arguments));
        (self.is_clicking && self.facts.arguments.texts().any(|(_, text)| says(text)))
            || ticked().iter().any(|text| says(text))
    }
}

/// Whether an action shows in what the call does to what.
fn shows_in_flows(action: &Action, facts: &CallFacts<'_>) -> bool {
    (!action.effect.is_empty() && facts.flows.iter().any(|flow| flow.has_effect(&action.effect)))
        || (!action.sends.is_empty() && sends(facts, &action.sends))
        || (!action.writes.is_empty() && sends(facts, &action.writes))
        || (action.engines && asks_engine(facts))
        || (action.uploads && uploads(facts))
        || (action.renames && super::names::renames(facts))
        || (action.grows && super::names::only_adds(facts))
        || (action.endings && super::names::changes_ending(facts))
        || (action.relocates && super::names::relocates(facts))
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
