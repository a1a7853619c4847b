//! Statements that change rows: which of the tables they name is the target.

use portcullis_lattice::Effect;
use sqlparser::ast::{
    AssignmentTarget, Delete, FromTable, Insert, Merge, MergeAction, OutputClause, TableFactor, TableObject,
    TableWithJoins, Update, UpdateTableFromKind,
};

use super::Role;
use crate::deed::Use;
use crate::sql::names::Namer;
use crate::sql::reading::{deed, everything};

/// A table as one statement knows it.
struct Known<'a> {
    /// What the statement calls it: its alias, else its last word.
    called: String,
    table: Use,
    factor: &'a TableFactor,
}

fn known<'a>(tables: impl IntoIterator<Item = &'a TableWithJoins>, namer: Namer) -> Vec<Known<'a>> {
    let factors = tables.into_iter().flat_map(|table| {
        core::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation))
    });
    let known = factors.filter_map(|factor| {
        let TableFactor::Table { name, alias, .. } = factor else { return None };
        let alias = alias.as_ref().map(|alias| namer.ident(&alias.name));
        let called = alias.or_else(|| namer.parts(name).pop())?;
        Some(Known { called, table: namer.table(name), factor })
    });
    known.collect()
}

impl Role {
    /// The target that a word means, and where it stands; a word that means none is a table itself.
    fn aim(&mut self, word: &str, known: &[Known<'_>]) -> Option<Use> {
        let meant = known.iter().find(|one| one.called == word)?;
        self.targets.push(meant.factor);
        Some(meant.table.clone())
    }
}

/// Whether rows go back to whoever asked. What `OUTPUT … INTO` fills gets a copy of the rows.
fn give_back(role: &mut Role, has_returning: bool, output: Option<&OutputClause>) {
    role.returns = has_returning || output.is_some();
    if let Some(OutputClause::Output { into_table: Some(_), .. }) = output {
        let rows: Vec<Use> = role.writes.iter().chain(&role.deletes).cloned().collect();
        // Table variables are as common there as tables, and which it is cannot be told.
        role.deeds.push(deed(rows, [everything()], Effect::Write));
    }
}

pub(super) fn insert(insert: &Insert, namer: Namer) -> Role {
    let mut role = Role::default();
    match &insert.table {
        TableObject::TableName(name) => role.writes.push(namer.table(name)),
        // Writing through a function or a query: the walk sees what they name, but not what is changed.
        TableObject::TableFunction(_) | TableObject::TableQuery(_) => role.writes.push(everything()),
    }
    let when = insert.multi_table_when_clauses.iter().flat_map(|clause| &clause.into_clauses);
    let otherwise = insert.multi_table_else_clause.iter().flatten();
    let more = insert.multi_table_into_clauses.iter().chain(when).chain(otherwise);
    role.writes.extend(more.map(|clause| namer.table(&clause.table_name)));
    if insert.overwrite {
        role.effects = role.effects.with(Effect::Del);
    }
    give_back(&mut role, insert.returning.is_some(), insert.output.as_ref());
    role
}

pub(super) fn update(update: &Update, namer: Namer) -> Role {
    let mut role = Role::default();
    let from = match &update.from {
        Some(UpdateTableFromKind::BeforeSet(tables) | UpdateTableFromKind::AfterSet(tables)) => {
            tables.as_slice()
        }
        None => &[],
    };
    let joined = known([&update.table], namer);
    if update.table.joins.is_empty() {
        // `UPDATE o SET … FROM orders o` changes orders.
        let elsewhere = known(from, namer);
        let target = joined.first().and_then(|target| role.aim(&target.called, &elsewhere));
        role.targets.push(&update.table.relation);
        role.writes.push(target.or_else(|| Some(joined.first()?.table.clone())).unwrap_or_else(everything));
    } else {
        // `UPDATE a JOIN b SET a.x = b.y` changes a; an unqualified column may be of any of them.
        let words: Vec<Option<String>> =
            update.assignments.iter().flat_map(|one| qualifiers(&one.target, namer)).collect();
        for word in words {
            let targets: Vec<&Known<'_>> = match &word {
                Some(word) => joined.iter().filter(|one| one.called == *word).collect(),
                None => joined.iter().collect(),
            };
            role.writes.extend(targets.iter().map(|one| one.table.clone()));
            role.targets.extend(targets.iter().map(|one| core::ptr::from_ref(one.factor)));
        }
        if role.writes.is_empty() {
            role.writes.push(everything());
        }
    }
    give_back(&mut role, update.returning.is_some(), update.output.as_ref());
    role
}

/// The table that each assigned column is qualified with, if any.
fn qualifiers(target: &AssignmentTarget, namer: Namer) -> Vec<Option<String>> {
    let columns = match target {
        AssignmentTarget::ColumnName(column) => core::slice::from_ref(column),
        AssignmentTarget::Tuple(columns) => columns.as_slice(),
    };
    columns.iter().map(|column| namer.parts(column).iter().rev().nth(1).cloned()).collect()
}

pub(super) fn delete(delete: &Delete, namer: Namer) -> Role {
    let mut role = Role::default();
    let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
    let all = known(from.iter().chain(delete.using.iter().flatten()), namer);
    for name in &delete.tables {
        let target = namer.word(name).and_then(|word| role.aim(&word, &all));
        role.deletes.push(target.unwrap_or_else(|| namer.table(name)));
    }
    if delete.tables.is_empty() {
        for table in from {
            let TableFactor::Table { name, .. } = &table.relation else {
                role.deletes.push(everything());
                continue;
            };
            // `DELETE FROM o USING orders o` deletes from orders.
            let using = known(delete.using.iter().flatten(), namer);
            let meant = namer.word(name).and_then(|word| role.aim(&word, &using));
            role.deletes.push(meant.unwrap_or_else(|| namer.table(name)));
            role.targets.push(&table.relation);
        }
    }
    give_back(&mut role, delete.returning.is_some(), delete.output.as_ref());
    role
}

pub(super) fn merge(merge: &Merge, namer: Namer) -> Role {
    let mut role = Role::default();
    role.writes.push(match &merge.table {
        TableFactor::Table { name, .. } => namer.table(name),
        _ => everything(),
    });
    role.targets.push(&merge.table);
    if merge.clauses.iter().any(|clause| matches!(clause.action, MergeAction::Delete { .. })) {
        role.effects = role.effects.with(Effect::Del);
    }
    give_back(&mut role, false, merge.output.as_ref());
    role
}
