//! Facts about command lines and SQL.

use portcullis_datalog::{PredicateId, Value};
use portcullis_perceive::Doubt;
use portcullis_perceive::shell::Command;
use portcullis_perceive::sql::{Limit, Statement, StatementKind};

use super::measures::Measures;
use super::{CallFacts, Circumstances};
use crate::names;
use crate::schema::Ids;

/// Facts about a SQL statement.
#[derive(Clone, Debug)]
pub(crate) struct StatementFacts {
    pub(crate) kind: &'static str,
    is_whole: bool,
    is_query: bool,
    limit: Limit,
}

pub(super) fn add<'c>(facts: &mut CallFacts<'c>, call: &Circumstances<'c>) {
    facts.is_unread = call.perception.doubts.iter().any(|doubt| match doubt {
        Doubt::Shell(doubt) => doubt.hides_commands(),
        Doubt::Sql(doubt) => doubt.hides_statements(),
        Doubt::NoObject
        | Doubt::UnknownArgument(_)
        | Doubt::UnknownTool(_)
        | Doubt::Missing(_)
        | Doubt::Unreadable { .. }
        | Doubt::UnknownPage => false,
    });
    let particulars = call.perception.particulars.as_ref();
    for command in super::commands_of(call) {
        facts.programs.push(stands_for(command).or(command.program.as_deref().map(without_version)));
        branches_of(command, facts);
        facts.is_everything |= is_everything(command);
    }
    let statements = particulars.map_or(&[][..], |particulars| &particulars.statements);
    facts.statements.extend(statements.iter().map(statement));
    add_named(facts, call);
}

/// Branches and databases that arguments and names say.
fn add_named(facts: &mut CallFacts<'_>, call: &Circumstances<'_>) {
    let is_writing = facts.flows.iter().any(super::resources::FlowFacts::is_writing);
    if is_writing {
        // The name of a repository ends in its branch; files inside are details.
        let outputs = call.perception.acts.iter().flat_map(|act| &act.deed.outputs);
        for output in outputs.filter(|output| super::resources::kind(&output.name) == "repository") {
            let tail = output.name.split_once(':').map_or("", |(_, tail)| tail);
            if let Some(branch) = tail.splitn(3, '/').nth(2) {
                facts.branches.push(Some(branch.trim_end_matches("/**").to_owned()));
            }
        }
        for (name, value) in facts.arguments.texts() {
            let is_target =
                || names::has(name, &["branch"]) && !names::has(name, &["from", "source", "head", "start"]);
            if name == "base" || is_target() {
                facts.branches.push(Some(value.trim_start_matches("refs/heads/").to_owned()));
            }
        }
    }
    if call.interest.databases {
        facts.databases = databases(&facts.arguments);
        for table in facts.things.iter().filter(|thing| thing.kind == "table") {
            if let Some((schema, _)) = table.name.trim_start_matches("db:").split_once('.') {
                facts.databases.push(schema.to_owned());
            }
        }
    }
    facts.is_everything |= facts.did_add_all();
}

/// Words of arguments that say which database, or what else holds tables, is meant.
const HOLDERS: &[&str] = &[
    "database",
    "db",
    "schema",
    "environment",
    "env",
    "dataset",
    "cluster",
    "connection",
    "namespace",
    "project",
    "instance",
    "stage",
    "workspace",
];

/// The databases that arguments name.
pub(super) fn databases(arguments: &super::arguments::Arguments<'_>) -> Vec<String> {
    let names = arguments.texts().filter(|(name, _)| {
        names::has(name, HOLDERS) && !name.ends_with("query") && !name.ends_with("statement")
    });
    let named = names.map(|(_, value)| value.to_lowercase());
    // "/environments/production/on": what follows the holder in a path is its name.
    let paths = arguments.texts().filter(|(name, _)| names::has(name, &["path"]));
    let held = paths.flat_map(|(_, value)| {
        let segments: Vec<&str> = value.split('/').collect();
        let pairs = segments.windows(2).filter_map(|pair| match pair {
            [holder, name] => {
                HOLDERS.contains(&names::stem(&holder.to_lowercase()).as_str()).then(|| name.to_lowercase())
            }
            _ => None,
        });
        pairs.filter(|name| !name.is_empty()).collect::<Vec<_>>()
    });
    named.chain(held).collect()
}

impl CallFacts<'_> {
    fn did_add_all(&self) -> bool {
        self.arguments
            .texts()
            .any(|(name, value)| name == "file" && matches!(value, "." | "*" | "-A" | "--all" | "./"))
    }
}

/// The program that another one runs: `python3 -m pytest` is pytest.
pub(super) fn stands_for(command: &Command) -> Option<&str> {
    let program = command.program.as_deref()?;
    if !matches!(program, "python" | "python3") {
        return None;
    }
    let mut words = command.words.iter();
    words.find(|word| word.as_deref() == Some("-m"))?;
    words.next()?.as_deref()
}

/// `python3.12` is python3.
fn without_version(program: &str) -> &str {
    let Some((name, version)) = program.split_once('.') else { return program };
    let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_numbered = name.ends_with(|letter: char| letter.is_ascii_digit());
    if is_version && is_numbered { name } else { program }
}

/// The words behind a program that are no options.
pub(super) fn plain_words(command: &Command) -> Vec<&str> {
    if is_git(command) {
        return git_words(command).into_iter().filter(|word| !word.starts_with('-')).collect();
    }
    command.words.iter().filter_map(|word| word.as_deref()).filter(|word| !word.starts_with('-')).collect()
}

fn is_git(command: &Command) -> bool {
    command.program.as_deref() == Some("git")
}

/// The words of a git command from its subcommand on.
fn git_words(command: &Command) -> Vec<&str> {
    let mut words = command.words.iter().filter_map(|word| word.as_deref());
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if rest.is_empty() && matches!(word, "-C" | "-c" | "--git-dir" | "--work-tree") {
            words.next();
        } else if !(rest.is_empty() && word.starts_with('-')) {
            rest.push(word);
        }
    }
    rest
}

fn branches_of(command: &Command, facts: &mut CallFacts<'_>) {
    if !is_git(command) {
        return;
    }
    // A word that is not known may be any branch.
    if command.words.iter().any(Option::is_none) {
        facts.branches.push(None);
    }
    let words = git_words(command);
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let target = |refspec: &str| {
        let refspec = refspec.trim_start_matches('+');
        let target = refspec.rsplit_once(':').map_or(refspec, |(_, target)| target);
        target.trim_start_matches("refs/heads/").to_owned()
    };
    match words.first().copied() {
        Some("push") => {
            let everything = words.iter().any(|word| matches!(*word, "--all" | "--mirror"));
            match plain.get(2..).filter(|refspecs| !refspecs.is_empty()) {
                Some(refspecs) if !everything => {
                    // `HEAD` is whatever is checked out.
                    facts.branches.extend(
                        refspecs.iter().map(|refspec| Some(target(refspec)).filter(|name| name != "HEAD")),
                    );
                }
                _ => facts.branches.push(None),
            }
        }
        Some("checkout" | "switch")
            if words.iter().any(|word| matches!(*word, "-b" | "-B" | "-c" | "-C" | "--create")) =>
        {
            facts.branches.extend(plain.get(1).map(|name| Some((*name).to_owned())));
        }
        Some("branch") => facts.branches.extend(plain.get(1).map(|name| Some((*name).to_owned()))),
        _ => {}
    }
}

fn is_everything(command: &Command) -> bool {
    if !is_git(command) {
        return false;
    }
    let words = git_words(command);
    match words.first().copied() {
        Some("add" | "stage") => words
            .iter()
            .skip(1)
            .any(|word| matches!(*word, "." | "-A" | "--all" | "*" | "-u" | "--update" | ":/" | "./")),
        Some("commit") => words.iter().any(|word| {
            *word == "--all" || (word.starts_with('-') && !word.starts_with("--") && word.contains('a'))
        }),
        _ => false,
    }
}

fn statement(statement: &Statement) -> StatementFacts {
    StatementFacts {
        kind: statement_kind(statement.kind),
        is_whole: statement.has_where == Some(false)
            && matches!(statement.kind, StatementKind::Update | StatementKind::Delete)
            || statement.kind == StatementKind::Truncate,
        is_query: statement.kind == StatementKind::Select,
        limit: statement.limit,
    }
}

fn statement_kind(kind: StatementKind) -> &'static str {
    match kind {
        StatementKind::Select => "select",
        StatementKind::Insert => "insert",
        StatementKind::Update => "update",
        StatementKind::Delete => "delete",
        StatementKind::Merge => "merge",
        StatementKind::Truncate => "truncate",
        StatementKind::Drop => "drop",
        StatementKind::Create => "create",
        StatementKind::Alter => "alter",
        StatementKind::Copy => "copy",
        StatementKind::Grant => "grant",
        StatementKind::Revoke => "revoke",
        StatementKind::Transaction => "transaction",
        StatementKind::Explain => "explain",
        StatementKind::Call => "call",
        StatementKind::Set => "set",
        StatementKind::Show => "show",
        StatementKind::Other => "other",
    }
}

impl StatementFacts {
    pub(super) fn fill<'a>(&'a self, number: i64, ids: &Ids, add: &mut dyn FnMut(PredicateId, &[Value<'a>])) {
        let statement = Value::Number(number);
        add(ids.statement, &[statement, Value::Text(self.kind)]);
        if self.is_whole {
            add(ids.without_where, &[statement]);
        }
        if self.is_query && self.limit == Limit::Absent {
            add(ids.unlimited, &[statement]);
        }
    }

    pub(super) fn measure(&self, measures: &mut Measures<'_>) {
        if !self.is_query {
            return;
        }
        let rows = match self.limit {
            // As many as there are.
            Limit::Absent => Some(i64::MAX),
            Limit::Rows(rows) => Some(i64::try_from(rows).unwrap_or(i64::MAX)),
            Limit::Unknown => None,
        };
        ["row", "result"].iter().for_each(|unit| measures.add(unit, rows));
    }
}

/// Words of a program's name, or of the script that it runs: `./deploy.sh`, `bash scripts/deploy.sh`.
pub(super) fn script_words(command: &Command) -> String {
    let Some(program) = command.program.as_deref() else { return String::new() };
    let mut words = names::joined(program.split('.').next().unwrap_or(program));
    if is_interpreter(program)
        && let Some(script) = plain_words(command).first()
        && !command.words.iter().any(|word| word.as_deref() == Some("-c"))
    {
        let name = script.rsplit('/').next().unwrap_or(script);
        let script = names::joined(name.split('.').next().unwrap_or(name));
        if !words.is_empty() && !script.is_empty() {
            words.push(' ');
        }
        words.push_str(&script);
    }
    words
}

fn is_interpreter(program: &str) -> bool {
    matches!(
        program,
        "bash"
            | "sh"
            | "zsh"
            | "dash"
            | "python"
            | "python3"
            | "node"
            | "ruby"
            | "perl"
            | "php"
            | "deno"
            | "bun"
            | "source"
            | "."
    )
}
