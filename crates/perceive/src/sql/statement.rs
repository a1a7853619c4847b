//! What a statement is for: which of the tables it names it changes or destroys.

use portcullis_lattice::{Effect, Effects};
use sqlparser::ast::{
    AlterTable, AlterTableOperation, CopySource, CopyTarget, CreateTable, Expr, Function, ObjectName,
    ObjectType, Query, RenameTableNameKind, Set, SetExpr, Statement, TableFactor, UtilityOption, Value,
};

use super::file::Files;
use super::names::Namer;
use super::reading::{deed, everything};
use super::{Doubt, catalogue, context};
use crate::deed::{Deed, Use};

mod change;

/// The part of a statement that its own words tell, before what is inside is walked.
#[derive(Default)]
pub(super) struct Role {
    /// Tables that are changed, from whatever is read.
    pub(super) writes: Vec<Use>,
    /// Tables that are destroyed or emptied.
    pub(super) deletes: Vec<Use>,
    /// What is read besides what the walk finds.
    pub(super) reads: Vec<Use>,
    /// What happens however the rest goes.
    pub(super) deeds: Vec<Deed>,
    /// Why there may be more.
    pub(super) doubts: Vec<Doubt>,
    /// Places in the tree that name targets and are not read.
    pub(super) targets: Vec<*const TableFactor>,
    /// What is done to `writes` besides writing.
    pub(super) effects: Effects,
    /// Whether what is read is shown.
    pub(super) shows: bool,
    /// Whether rows of the targets are given back.
    pub(super) returns: bool,
    /// Whether it is a query, perhaps around a change.
    pub(super) is_query: bool,
    /// Whether it is only planned and not run.
    pub(super) only_plans: bool,
    /// Whether what is read counts for the statement around.
    pub(super) passes_on: bool,
}

impl Role {
    /// The same statement, explained and not run: its tables are looked at.
    pub(super) fn planned(self) -> Role {
        let mut reads = self.reads;
        reads.extend(self.writes);
        reads.extend(self.deletes);
        Role { reads, targets: self.targets, only_plans: true, passes_on: true, ..Role::default() }
    }

    fn shown() -> Role {
        Role { shows: true, ..Role::default() }
    }

    /// Nothing but a statement of what is done.
    fn does(deed: Deed) -> Role {
        Role { deeds: vec![deed], shows: true, ..Role::default() }
    }

    fn writes(targets: impl IntoIterator<Item = Use>) -> Role {
        Role { writes: targets.into_iter().collect(), ..Role::default() }
    }

    fn deletes(targets: impl IntoIterator<Item = Use>) -> Role {
        Role { deletes: targets.into_iter().collect(), ..Role::default() }
    }

    fn runs(doubt: Doubt) -> Role {
        let deed = deed([context()], [everything()], Effect::Exec);
        Role { deeds: vec![deed], doubts: vec![doubt], shows: true, ..Role::default() }
    }

    /// Something about the whole database is changed: roles, rights, settings.
    fn administers(doubts: Vec<Doubt>) -> Role {
        Role { doubts, ..Role::does(deed([context()], [everything()], Effect::Write)) }
    }
}

/// What the words of a statement tell.
pub(super) fn role(statement: &Statement, namer: Namer, files: Files<'_>) -> Role {
    match statement {
        Statement::Query(query) => query_role(query),
        Statement::Insert(insert) => change::insert(insert, namer),
        Statement::Update(update) => change::update(update, namer),
        Statement::Delete(delete) => change::delete(delete, namer),
        Statement::Merge(merge) => change::merge(merge, namer),
        Statement::Truncate(truncate) => {
            Role::deletes(truncate.table_names.iter().map(|target| namer.table(&target.name)))
        }
        Statement::Drop { object_type, names, .. } => drop_role(*object_type, names, namer),
        Statement::Explain { analyze, options, .. } => {
            let runs = *analyze || options.as_deref().is_some_and(analyzes);
            Role { shows: true, only_plans: !runs, ..Role::default() }
        }
        Statement::Prepare { .. } => Role::shown(),
        Statement::Copy { source, to, target, .. } => copy_role(source, *to, target, namer, files),
        Statement::Call(function) => call_role(function, namer),
        Statement::Execute { name, .. } => match name {
            Some(name) => call_name(name, namer),
            None => Role::runs(Doubt::HiddenCode),
        },
        Statement::Set(set) => set_role(set),
        statement => definition_role(statement, namer, files)
            .or_else(|| session_role(statement, namer, files))
            // What is not known here may do anything.
            .unwrap_or_else(|| Role::runs(Doubt::HiddenCode)),
    }
}

/// Statements that make, change or destroy objects of the database.
fn definition_role(statement: &Statement, namer: Namer, files: Files<'_>) -> Option<Role> {
    let role = match statement {
        Statement::CreateTable(create) => create_table(create, namer, files),
        Statement::CreateView(create) => Role::writes(
            [namer.table(&create.name)].into_iter().chain(create.to.iter().map(|to| namer.table(to))),
        ),
        Statement::AlterView { name, .. } => Role::writes([namer.table(name)]),
        Statement::CreateIndex(create) => Role::writes([namer.table(&create.table_name)]),
        Statement::AlterIndex { name, .. } => Role::writes([namer.object(name)]),
        Statement::AlterTable(alter) => alter_table(alter, namer),
        Statement::RenameTable(renames) => {
            let moves = renames.iter().map(|one| (namer.table(&one.old_name), namer.table(&one.new_name)));
            Role { deeds: moves.map(|(old, new)| renamed(old, new)).collect(), ..Role::default() }
        }
        Statement::CreateSequence { name, .. } | Statement::CreateType { name, .. } => {
            Role::writes([namer.object(name)])
        }
        Statement::Comment { object_name, .. } => Role::writes([namer.table(object_name)]),
        Statement::CreateFunction(create) => installs(namer.object(&create.name)),
        Statement::CreateProcedure { name, .. } | Statement::CreateMacro { name, .. } => {
            installs(namer.object(name))
        }
        Statement::CreateTrigger(create) => installs(namer.table(&create.table_name)),
        Statement::DropFunction(dropped) => {
            Role::deletes(dropped.func_desc.iter().map(|function| namer.object(&function.name)))
        }
        Statement::DropProcedure { proc_desc, .. } => {
            Role::deletes(proc_desc.iter().map(|procedure| namer.object(&procedure.name)))
        }
        Statement::DropTrigger(dropped) => Role::deletes([namer.object(&dropped.trigger_name)]),
        Statement::DropExtension(_) | Statement::DropDomain(_) => Role::deletes([everything()]),
        Statement::CreateSchema { .. } | Statement::CreateDatabase { .. } | Statement::CreateDomain(_) => {
            Role::administers(Vec::new())
        }
        Statement::Analyze(analyze) => table_or_all(analyze.table_name.as_ref(), namer),
        Statement::Vacuum(vacuum) => table_or_all(vacuum.table_name.as_ref(), namer),
        Statement::OptimizeTable { name, .. } => Role::writes([namer.table(name)]),
        _ => return None,
    };
    Some(role)
}

/// Statements about rights, sessions and the server itself.
fn session_role(statement: &Statement, namer: Namer, files: Files<'_>) -> Option<Role> {
    let role = match statement {
        Statement::Grant(_)
        | Statement::Deny(_)
        | Statement::Revoke(_)
        | Statement::CreateRole(_)
        | Statement::AlterRole { .. }
        | Statement::CreateUser(_)
        | Statement::AlterUser(_)
        | Statement::CreatePolicy(_)
        | Statement::AlterPolicy(_)
        | Statement::DropPolicy(_)
        | Statement::Kill { .. }
        | Statement::Flush { .. }
        | Statement::Reset(_)
        | Statement::NOTIFY { .. } => Role::administers(Vec::new()),
        Statement::Use(_) => Role::administers(vec![Doubt::Elsewhere]),
        statement if is_about_the_session(statement) => Role::shown(),
        // Which query a cursor belongs to was said before, perhaps in another call.
        Statement::Fetch { .. } => Role { reads: vec![everything()], ..Role::shown() },
        Statement::ExplainTable { table_name, .. } => {
            Role { reads: vec![namer.table(table_name)], ..Role::shown() }
        }
        statement if lists_names(statement) => Role { reads: vec![catalogue()], ..Role::shown() },
        Statement::ShowProcessList { .. } => Role { reads: vec![everything()], ..Role::shown() },
        Statement::Pragma { name, value, .. } => pragma(&namer.parts(name), value.is_some()),
        Statement::AttachDatabase { database_file_name, .. } => attach(literal(database_file_name), files),
        Statement::AttachDuckDBDatabase { database_path, .. } => attach(Some(&database_path.value), files),
        Statement::LoadData { inpath, table_name, .. } => Role {
            reads: files.place(inpath).into_iter().collect(),
            ..Role::writes([namer.table(table_name)])
        },
        Statement::Directory { path, .. } => match files.place(path) {
            Some(place) => Role::writes([place]),
            None => Role::runs(Doubt::SomeFile),
        },
        _ => return None,
    };
    Some(role)
}

/// Transactions, variables and branches: what is inside a branch is walked by itself.
fn is_about_the_session(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::StartTransaction { .. }
            | Statement::Commit { .. }
            | Statement::Rollback { .. }
            | Statement::Savepoint { .. }
            | Statement::ReleaseSavepoint { .. }
            | Statement::Deallocate { .. }
            | Statement::Discard { .. }
            | Statement::LISTEN { .. }
            | Statement::UNLISTEN { .. }
            | Statement::Lock(_)
            | Statement::LockTables { .. }
            | Statement::UnlockTables
            | Statement::Close { .. }
            | Statement::If(_)
            | Statement::Case(_)
            | Statement::While(_)
            | Statement::Print(_)
            | Statement::Return(_)
            | Statement::Raise(_)
            | Statement::RaisError { .. }
            | Statement::Throw(_)
            | Statement::Declare { .. }
            | Statement::Open(_)
            | Statement::Assert { .. }
    )
}

fn lists_names(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::ShowTables { .. }
            | Statement::ShowColumns { .. }
            | Statement::ShowCreate { .. }
            | Statement::ShowDatabases { .. }
            | Statement::ShowSchemas { .. }
            | Statement::ShowViews { .. }
            | Statement::ShowVariable { .. }
            | Statement::ShowVariables { .. }
            | Statement::ShowStatus { .. }
            | Statement::ShowFunctions { .. }
            | Statement::ShowCollation { .. }
            | Statement::ShowCharset(_)
            | Statement::ShowCatalogs { .. }
            | Statement::ShowObjects(_)
    )
}

fn query_role(query: &Query) -> Role {
    let shows = match &*query.body {
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => false,
        SetExpr::Select(_)
        | SetExpr::Query(_)
        | SetExpr::SetOperation { .. }
        | SetExpr::Values(_)
        | SetExpr::Table(_) => true,
    };
    Role { shows, is_query: true, ..Role::default() }
}

/// `EXPLAIN (ANALYZE)`, unless it is switched off.
fn analyzes(options: &[UtilityOption]) -> bool {
    let is_off =
        |argument: &Expr| matches!(argument.to_string().to_lowercase().as_str(), "false" | "off" | "0");
    options.iter().any(|option| {
        option.name.value.eq_ignore_ascii_case("analyze") && !option.arg.as_ref().is_some_and(is_off)
    })
}

fn drop_role(kind: ObjectType, dropped: &[ObjectName], namer: Namer) -> Role {
    let target = |name: &ObjectName| match kind {
        ObjectType::Schema => super::names::schema(&namer.parts(name).join(".")),
        ObjectType::Database | ObjectType::Role | ObjectType::User => everything(),
        ObjectType::Table | ObjectType::View | ObjectType::MaterializedView => namer.table(name),
        _ => namer.object(name),
    };
    Role::deletes(dropped.iter().map(target))
}

fn create_table(create: &CreateTable, namer: Namer, files: Files<'_>) -> Role {
    let mut role = Role::writes([namer.table(&create.name)]);
    role.writes.extend(create.partition_of.iter().map(|parent| namer.table(parent)));
    role.reads.extend(create.clone.iter().map(|source| namer.table(source)));
    for location in create.location.iter().chain(&create.base_location) {
        match files.place(location) {
            Some(place) => role.reads.push(place),
            None => role.doubts.push(Doubt::SomeFile),
        }
    }
    if create.or_replace {
        role.effects = role.effects.with(Effect::Del);
    }
    role
}

fn alter_table(alter: &AlterTable, namer: Namer) -> Role {
    let table = namer.table(&alter.name);
    let mut role = Role::writes([table.clone()]);
    for operation in &alter.operations {
        match operation {
            AlterTableOperation::RenameTable { table_name } => {
                let (RenameTableNameKind::As(new) | RenameTableNameKind::To(new)) = table_name;
                role.deeds.push(renamed(table.clone(), namer.table(new)));
                role.writes.clear();
            }
            AlterTableOperation::DropColumn { .. } | AlterTableOperation::DropPartitions { .. } => {
                role.deeds.push(deed([table.clone()], [table.clone()], Effect::Del));
            }
            AlterTableOperation::SwapWith { table_name } => role.writes.push(namer.table(table_name)),
            _ => {}
        }
    }
    role
}

fn renamed(old: Use, new: Use) -> Deed {
    deed([old], [new], Effects::only(Effect::Write).with(Effect::Del))
}

/// Code that will run later, when nobody asks.
fn installs(target: Use) -> Role {
    let deed = deed([context()], [target], Effects::only(Effect::Write).with(Effect::Exec));
    Role { doubts: vec![Doubt::HiddenCode], passes_on: true, ..Role::does(deed) }
}

fn table_or_all(table: Option<&ObjectName>, namer: Namer) -> Role {
    Role::writes([table.map_or_else(everything, |name| namer.table(name))])
}

fn copy_role(source: &CopySource, to: bool, target: &CopyTarget, namer: Namer, files: Files<'_>) -> Role {
    let table = match source {
        CopySource::Table { table_name, .. } => Some(namer.table(table_name)),
        CopySource::Query(_) => None,
    };
    let CopyTarget::File { filename } = target else {
        let is_program = matches!(target, CopyTarget::Program { .. });
        return match (table, is_program) {
            (_, true) => Role::runs(Doubt::HiddenCode),
            (Some(table), false) if !to => Role::writes([table]),
            (table, false) => Role { reads: table.into_iter().collect(), ..Role::shown() },
        };
    };
    let Some(file) = files.place(filename) else { return Role::runs(Doubt::SomeFile) };
    match table {
        Some(table) if !to => Role { reads: vec![file], ..Role::writes([table]) },
        table => Role { reads: table.into_iter().collect(), ..Role::writes([file]) },
    }
}

fn call_role(function: &Function, namer: Namer) -> Role {
    call_name(&function.name, namer)
}

/// A stored procedure is code; what it does cannot be seen.
fn call_name(name: &ObjectName, namer: Namer) -> Role {
    let last = namer.parts(name).pop().unwrap_or_default().to_lowercase();
    if last.starts_with("xp_") || last.starts_with("sp_") {
        return Role::runs(Doubt::HiddenCode);
    }
    let run = deed([namer.object(name)], [context()], Effect::Exec);
    Role { doubts: vec![Doubt::HiddenCode], ..Role::does(run) }
}

/// Settings that say how results look and how long to wait.
const HARMLESS_SETTINGS: &str = "
    statement_timeout lock_timeout timezone time_zone datestyle intervalstyle client_encoding work_mem
    extra_float_digits application_name nocount rowcount ansi_nulls transaction_isolation
    idle_in_transaction_session_timeout enable_seqscan random_page_cost max_execution_time names
    default_transaction_read_only lc_time lc_time_names group_concat_max_len";

fn set_role(set: &Set) -> Role {
    match set {
        Set::SetTimeZone { .. }
        | Set::SetNames { .. }
        | Set::SetNamesDefault {}
        | Set::SetTransaction { .. } => Role::shown(),
        Set::SingleAssignment { variable, .. } => {
            let name = variable.to_string().to_lowercase();
            let is_own = name.starts_with('@') && !name.starts_with("@@");
            if is_own || HARMLESS_SETTINGS.split_whitespace().any(|one| one == name) {
                Role::shown()
            } else {
                Role::administers(vec![Doubt::Elsewhere])
            }
        }
        Set::ParenthesizedAssignments { .. }
        | Set::MultipleAssignments { .. }
        | Set::SetSessionAuthorization(_)
        | Set::SetSessionParam(_)
        | Set::SetRole { .. } => Role::administers(vec![Doubt::Elsewhere]),
    }
}

/// Pragmas that only show, even when given a table.
const SHOWING_PRAGMAS: &str = "
    table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list database_list
    collation_list function_list module_list pragma_list compile_options integrity_check quick_check
    foreign_key_check show_tables storage_info data_version";

fn pragma(parts: &[String], has_value: bool) -> Role {
    let name = parts.last().map_or("", String::as_str);
    if !has_value || SHOWING_PRAGMAS.split_whitespace().any(|one| one == name) {
        let changes = matches!(name, "optimize" | "wal_checkpoint" | "incremental_vacuum" | "shrink_memory");
        if !changes {
            return Role { reads: vec![catalogue()], ..Role::shown() };
        }
    }
    Role::administers(Vec::new())
}

/// The file becomes part of the database, is made if it does not exist, and brings tables of any name.
fn attach(file: Option<&str>, files: Files<'_>) -> Role {
    if file.is_some_and(|file| matches!(file, "" | ":memory:")) {
        return Role::administers(Vec::new());
    }
    let Some(place) = file.and_then(|file| files.place(file)) else { return Role::runs(Doubt::SomeFile) };
    let deeds =
        vec![deed([place.clone()], [context()], Effect::Read), deed([context()], [place], Effect::Write)];
    Role { deeds, doubts: vec![Doubt::Elsewhere], shows: true, ..Role::default() }
}

fn literal(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => Some(text),
            _ => None,
        },
        Expr::Identifier(ident) => Some(&ident.value),
        _ => None,
    }
}
