//! The statements of a text, one by one: their kind, and what their outermost clauses say.

use sqlparser::ast::{
    self, CopySource, Expr, Fetch, GrantObjects, LimitClause, PipeOperator, Query, Select, SelectItem,
    SetExpr, TopQuantity, Value,
};

use super::condition::restricts;

/// A statement that a text runs or installs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The tables that it names anywhere inside, those that it changes first, as in `db:<table>` but without `db:`. A `*`
    /// stands for any table. The catalogue is none.
    pub tables: Vec<String>,
    /// Whether a condition chooses the rows, for a query of tables, an update or a deletion: in each branch of a union. A
    /// condition that holds for every row, or that asks nothing about the row, chooses none.
    pub has_where: Option<bool>,
    /// How many rows there are at most.
    pub limit: Limit,
    /// Whether its outermost query asks for all columns.
    pub has_star: bool,
}

/// What a statement does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum StatementKind {
    /// Asks for rows, and may put them into a new table (`SELECT … INTO`).
    Select,
    /// Puts rows into a table, perhaps in the place of others.
    Insert,
    /// Changes rows.
    Update,
    /// Deletes rows.
    Delete,
    /// Puts in, changes and deletes rows as they match.
    Merge,
    /// Empties tables.
    Truncate,
    /// Destroys something that was created.
    Drop,
    /// Makes something: a table, a view, a function, a role.
    Create,
    /// Changes or renames something that was created.
    Alter,
    /// Moves rows between tables and files.
    Copy,
    /// Gives rights.
    Grant,
    /// Takes rights away.
    Revoke,
    /// Begins or ends a transaction.
    Transaction,
    /// Plans another statement. That one is listed beside it only if it is run.
    Explain,
    /// Runs a procedure or a prepared statement.
    Call,
    /// Changes a setting.
    Set,
    /// Shows what there is.
    Show,
    /// Something else.
    #[default]
    Other,
}

/// How many rows a statement is about at most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Limit {
    /// Any number.
    #[default]
    Absent,
    /// So many.
    Rows(u64),
    /// There is a limit, but the text does not say which.
    Unknown,
}

impl Limit {
    /// The limit that a number in the text sets.
    pub(super) fn of_number(text: &str) -> Limit {
        text.parse().map_or(Limit::Unknown, Limit::Rows)
    }
}

/// What the outermost clauses of a statement say; its tables come later. Nothing for a query that only leads to a change,
/// which is a statement itself.
pub(super) fn outline(statement: &ast::Statement) -> Option<Statement> {
    let mut told = Statement { kind: kind(statement), ..Statement::default() };
    match statement {
        ast::Statement::Query(query) if changes(&query.body) => return None,
        ast::Statement::Query(query) => {
            told.has_where = query_restricts(query);
            told.take_query(query);
        }
        ast::Statement::Insert(insert) => insert.source.iter().for_each(|query| told.take_query(query)),
        ast::Statement::CreateTable(create) => create.query.iter().for_each(|query| told.take_query(query)),
        ast::Statement::CreateView(create) => told.take_query(&create.query),
        ast::Statement::Copy { source: CopySource::Query(query), .. } => told.take_query(query),
        ast::Statement::Update(update) => {
            told.has_where = Some(update.selection.as_ref().is_some_and(restricts));
            told.limit = update.limit.as_ref().map_or(Limit::Absent, number);
        }
        ast::Statement::Delete(delete) => {
            told.has_where = Some(delete.selection.as_ref().is_some_and(restricts));
            told.limit = delete.limit.as_ref().map_or(Limit::Absent, number);
        }
        _ => {}
    }
    Some(told)
}

/// Tables that a statement names and that are no part of what it is seen to do.
pub(super) fn named_aside(statement: &ast::Statement) -> &[ast::ObjectName] {
    let objects = match statement {
        ast::Statement::Copy { source: CopySource::Table { table_name, .. }, .. } => {
            return core::slice::from_ref(table_name);
        }
        ast::Statement::Grant(grant) => grant.objects.as_ref(),
        ast::Statement::Revoke(revoke) => revoke.objects.as_ref(),
        _ => None,
    };
    match objects {
        Some(GrantObjects::Tables(tables)) => tables,
        _ => &[],
    }
}

impl Statement {
    fn take_query(&mut self, query: &Query) {
        self.limit = limit(query);
        self.has_star = has_star(&query.body);
    }
}

fn changes(body: &SetExpr) -> bool {
    matches!(body, SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_))
}

/// Whether conditions choose the rows of a query, if it is one of tables.
fn query_restricts(query: &Query) -> Option<bool> {
    let is_piped = |one: &PipeOperator| matches!(one, PipeOperator::Where { expr } if restricts(expr));
    match body_restricts(&query.body) {
        Some(false) => Some(query.pipe_operators.iter().any(is_piped)),
        known => known,
    }
}

fn body_restricts(body: &SetExpr) -> Option<bool> {
    match body {
        SetExpr::Select(select) if select.from.is_empty() => None,
        SetExpr::Select(select) => {
            let conditions = select.selection.iter().chain(&select.prewhere);
            Some(conditions.into_iter().any(restricts))
        }
        SetExpr::Query(query) => query_restricts(query),
        SetExpr::SetOperation { left, right, .. } => match (body_restricts(left), body_restricts(right)) {
            (Some(left), Some(right)) => Some(left && right),
            (one, other) => one.or(other),
        },
        SetExpr::Table(_) => Some(false),
        _ => None,
    }
}

fn has_star(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => {
            let is_star = |item: &SelectItem| {
                matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
            };
            // `FROM t` alone, where that is a query, asks for all columns.
            select.projection.iter().any(is_star) || select.projection.is_empty() && !select.from.is_empty()
        }
        SetExpr::Query(query) => has_star(&query.body),
        SetExpr::SetOperation { left, right, .. } => has_star(left) || has_star(right),
        SetExpr::Table(_) => true,
        _ => false,
    }
}

fn limit(query: &Query) -> Limit {
    let clause = query.limit_clause.as_ref().map(|clause| match clause {
        LimitClause::LimitOffset { limit_by, .. } if !limit_by.is_empty() => Limit::Unknown,
        LimitClause::LimitOffset { limit, .. } => limit.as_ref().map_or(Limit::Absent, number),
        LimitClause::OffsetCommaLimit { limit, .. } => number(limit),
    });
    let piped = query.pipe_operators.iter().rev().find_map(|operator| match operator {
        PipeOperator::Limit { expr, .. } => Some(number(expr)),
        _ => None,
    });
    let inside = || match &*query.body {
        SetExpr::Select(select) => top(select),
        SetExpr::Query(query) => limit(query),
        _ => Limit::Absent,
    };
    let own = [clause, query.fetch.as_ref().map(fetched), piped].into_iter().flatten();
    own.rev().find(|limit| *limit != Limit::Absent).unwrap_or_else(inside)
}

fn fetched(fetch: &Fetch) -> Limit {
    match &fetch.quantity {
        _ if fetch.percent || fetch.with_ties => Limit::Unknown,
        Some(quantity) => number(quantity),
        None => Limit::Rows(1),
    }
}

fn top(select: &Select) -> Limit {
    let Some(top) = &select.top else { return Limit::Absent };
    match &top.quantity {
        _ if top.percent || top.with_ties => Limit::Unknown,
        Some(TopQuantity::Constant(rows)) => Limit::Rows(*rows),
        Some(TopQuantity::Expr(expression)) => number(expression),
        None => Limit::Unknown,
    }
}

/// The limit that an expression sets; `NULL` sets none.
fn number(expression: &Expr) -> Limit {
    match expression {
        Expr::Nested(inner) => number(inner),
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) => Limit::of_number(text),
            Value::Null => Limit::Absent,
            _ => Limit::Unknown,
        },
        _ => Limit::Unknown,
    }
}

fn kind(statement: &ast::Statement) -> StatementKind {
    match statement {
        ast::Statement::Query(_) => StatementKind::Select,
        ast::Statement::Insert(_) | ast::Statement::LoadData { .. } => StatementKind::Insert,
        ast::Statement::Update(_) => StatementKind::Update,
        ast::Statement::Delete(_) => StatementKind::Delete,
        ast::Statement::Merge(_) => StatementKind::Merge,
        ast::Statement::Truncate(_) => StatementKind::Truncate,
        ast::Statement::RenameTable(_) => StatementKind::Alter,
        ast::Statement::Copy { .. } | ast::Statement::CopyIntoSnowflake { .. } => StatementKind::Copy,
        ast::Statement::Unload { .. } | ast::Statement::ExportData(_) => StatementKind::Copy,
        ast::Statement::Grant(_) => StatementKind::Grant,
        ast::Statement::Revoke(_) | ast::Statement::Deny(_) => StatementKind::Revoke,
        ast::Statement::StartTransaction { .. }
        | ast::Statement::Commit { .. }
        | ast::Statement::Rollback { .. }
        | ast::Statement::Savepoint { .. }
        | ast::Statement::ReleaseSavepoint { .. } => StatementKind::Transaction,
        ast::Statement::Explain { .. } => StatementKind::Explain,
        ast::Statement::ExplainTable { .. } => StatementKind::Show,
        ast::Statement::Call(_) | ast::Statement::Execute { .. } => StatementKind::Call,
        ast::Statement::Set(_) | ast::Statement::Reset(_) | ast::Statement::Use(_) => StatementKind::Set,
        statement => kind_by_word(&statement.to_string()),
    }
}

/// The kind that the first word of a statement tells, for the many kinds of objects.
fn kind_by_word(text: &str) -> StatementKind {
    match text.split_whitespace().next().unwrap_or_default() {
        "CREATE" => StatementKind::Create,
        "ALTER" => StatementKind::Alter,
        "DROP" => StatementKind::Drop,
        "SHOW" => StatementKind::Show,
        _ => StatementKind::Other,
    }
}
