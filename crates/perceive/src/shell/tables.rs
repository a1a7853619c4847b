//! Tables of programs, as data: what their options and operands mean.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::arguments::{Argument, Divided, Takes};

/// What a program does with its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Does {
    /// Shows their content, or what comes in.
    Read,
    /// Shows names.
    List,
    /// Writes or changes them.
    Write,
    /// Destroys them.
    Delete,
    /// Runs code of the working directory.
    Run,
    /// Runs the first operand.
    RunOperand,
    /// Leaves something running.
    Spawn,
    /// Shows its arguments.
    Print,
    /// Shows something about the machine.
    Status,
    /// Nothing that matters.
    Nothing,
}

/// What the table says of one or several programs that are alike.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    names: Vec<String>,
    pub(super) does: Does,
    /// So many operands at the front are no places.
    #[serde(default)]
    skip: usize,
    /// Options that stand in for the skipped operand.
    #[serde(default)]
    skip_unless: Vec<String>,
    /// Options that take a value.
    #[serde(default)]
    values: Vec<String>,
    /// Options whose value is a place that is read.
    #[serde(default)]
    pub(super) reads: Vec<String>,
    /// Options whose value is a place that is written.
    #[serde(default)]
    pub(super) writes: Vec<String>,
    /// Options with which it runs something of the caller's choice.
    #[serde(default)]
    pub(super) runs: Vec<String>,
    /// Options that reach below the operands.
    #[serde(default)]
    pub(super) subtree: Vec<String>,
    /// Options with which it writes its operands.
    #[serde(default)]
    pub(super) edits: Vec<String>,
    /// Options whose value is a pattern of the files that it shows.
    #[serde(default)]
    pub(super) selects: Vec<String>,
    /// Options with which it prints names of what it found.
    #[serde(default)]
    pub(super) names_with: Vec<String>,
    /// Without operands it works on the working directory.
    #[serde(default)]
    pub(super) default_workdir: bool,
    /// Without operands, and with an option of `subtree`, it works on the working directory.
    #[serde(default)]
    pub(super) default_if_subtree: bool,
    /// Names that come in go out again.
    #[serde(default)]
    pub(super) keeps_names: bool,
    /// Operands that begin with `+` are commands of its own.
    #[serde(default)]
    pub(super) plus_runs: bool,
    /// Its second operand is written.
    #[serde(default)]
    pub(super) writes_second: bool,
    /// Options that take two values, neither of them a place.
    #[serde(default)]
    pairs: Vec<String>,
    /// The names it prints are relative to its operands.
    #[serde(default)]
    pub(super) bare_names: bool,
}

impl Spec {
    /// What an option takes.
    pub(super) fn takes(&self, name: &str) -> Takes {
        let lists = [&self.values, &self.reads, &self.writes, &self.runs, &self.selects, &self.pairs];
        let listed = lists.iter().any(|list| list.iter().any(|option| option == name));
        if listed { Takes::Value } else { Takes::Nothing }
    }

    /// The operands that are places.
    pub(super) fn places_of(&self, divided: &Divided) -> Vec<Argument> {
        let stands_in = self.skip_unless.iter().any(|name| divided.has(&[name]));
        let paired = divided.options.iter().filter(|given| self.pairs.contains(&given.name)).count();
        let skip = if stands_in { self.skip.saturating_sub(1) } else { self.skip };
        divided.operands.iter().skip(skip + paired).cloned().collect()
    }
}

/// A registry of packages and the programs that install from it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manager {
    pub(super) names: Vec<String>,
    pub(super) registry: String,
    /// Subcommands that install what they name.
    pub(super) install: Vec<String>,
    /// Subcommands that only show something.
    #[serde(default)]
    pub(super) show: Vec<String>,
    /// Subcommands that send the working directory to the registry.
    #[serde(default)]
    pub(super) publish: Vec<String>,
    /// Options that take a value.
    #[serde(default)]
    pub(super) values: Vec<String>,
    /// Its first operand is a package whose program it runs; it is fetched unless it is there.
    #[serde(default)]
    pub(super) runs_first: bool,
    /// Without a subcommand it installs.
    #[serde(default)]
    pub(super) installs_by_itself: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: Vec<Spec>,
    #[serde(default)]
    manager: Vec<Manager>,
    #[serde(default)]
    loads_code: Vec<String>,
    #[serde(default)]
    loads_code_prefix: Vec<String>,
    #[serde(default)]
    harmless_helper: Vec<String>,
    #[serde(default)]
    system_directory: Vec<String>,
    /// Programs that are told in code.
    #[serde(default)]
    in_code: Vec<String>,
}

#[derive(Debug, Default)]
struct Tables {
    programs: BTreeMap<String, usize>,
    managers: BTreeMap<String, usize>,
    file: File,
    error: Option<String>,
}

const FILES: [&str; 4] = [
    include_str!("tables/readers.toml"),
    include_str!("tables/changers.toml"),
    include_str!("tables/runners.toml"),
    include_str!("tables/names.toml"),
];

/// A table that cannot be read leaves every program unknown, which is the worst case, and fails a test.
static TABLES: LazyLock<Tables> =
    LazyLock::new(|| load().unwrap_or_else(|error| Tables { error: Some(error), ..Tables::default() }));

fn load() -> Result<Tables, String> {
    let mut tables = Tables::default();
    for text in FILES {
        let mut file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        tables.file.program.append(&mut file.program);
        tables.file.manager.append(&mut file.manager);
        tables.file.loads_code.append(&mut file.loads_code);
        tables.file.loads_code_prefix.append(&mut file.loads_code_prefix);
        tables.file.harmless_helper.append(&mut file.harmless_helper);
        tables.file.system_directory.append(&mut file.system_directory);
        tables.file.in_code.append(&mut file.in_code);
    }
    for (at, spec) in tables.file.program.iter().enumerate() {
        for name in &spec.names {
            enlist(&mut tables.programs, name, at)?;
        }
    }
    for (at, manager) in tables.file.manager.iter().enumerate() {
        for name in &manager.names {
            enlist(&mut tables.managers, name, at)?;
        }
    }
    Ok(tables)
}

fn enlist(index: &mut BTreeMap<String, usize>, name: &str, at: usize) -> Result<(), String> {
    match index.insert(name.to_owned(), at) {
        None => Ok(()),
        Some(_) => Err(format!("`{name}` is told twice")),
    }
}

/// What the table says of a program.
pub(super) fn spec(name: &str) -> Option<&'static Spec> {
    TABLES.programs.get(name).and_then(|at| TABLES.file.program.get(*at))
}

/// The package manager with this name.
pub(super) fn manager(name: &str) -> Option<&'static Manager> {
    TABLES.managers.get(name).and_then(|at| TABLES.file.manager.get(*at))
}

/// Whether a variable decides which code programs load.
pub(super) fn loads_code(name: &str) -> bool {
    let file = &TABLES.file;
    file.loads_code.iter().any(|known| known == name)
        || file.loads_code_prefix.iter().any(|prefix| name.starts_with(prefix.as_str()))
}

/// Whether a helper program is one that only shows what it is given.
pub(super) fn is_harmless_helper(value: &str) -> bool {
    TABLES.file.harmless_helper.iter().any(|known| known == value)
}

/// Whether programs in a directory are those of the system.
pub(super) fn is_system_directory(directory: &str) -> bool {
    TABLES.file.system_directory.iter().any(|known| known == directory)
}

/// How many programs are known by name.
pub fn known_programs() -> usize {
    TABLES.programs.len() + TABLES.managers.len() + TABLES.file.in_code.len()
}

/// Whether a program is known by its name.
pub fn knows_program(name: &str) -> bool {
    TABLES.programs.contains_key(name)
        || TABLES.managers.contains_key(name)
        || TABLES.file.in_code.iter().any(|own| own == name)
}

/// Why the tables could not be read, if they could not.
pub fn tables_error() -> Option<&'static str> {
    TABLES.error.as_deref()
}
