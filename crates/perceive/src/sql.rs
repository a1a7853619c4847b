//! SQL: which tables and files a text reads, changes and destroys, and whether it runs code.
//!
//! The text is read by a real grammar. Where the dialect is unknown every likely one reads it, and what any of them
//! sees counts: a comment for one database is code for another. What no grammar reads may do anything.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar's types have hundreds of variants; what is not named here is a leaf or the worst case"
)]

mod condition;
mod file;
mod functions;
mod names;
mod outline;
mod plain;
mod reading;
mod rewrite;
mod size;
mod statement;
mod walk;

use std::collections::BTreeSet;

use portcullis_lattice::{Effect, Reach};

pub use file::Folder;
pub use outline::{Limit, Statement, StatementKind};
pub use reading::{Doubt, Reading};

use crate::deed::Use;
use crate::paths::Resolver;
use crate::sql::file::Files;
use crate::sql::reading::{deed, everything};
use crate::sql::walk::Walk;
use sqlparser::ast::Visit;
use sqlparser::dialect::Dialect as Grammar;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer};

/// How deep the parser may go; it counts a statement, a query and an expression as a level each.
const PARSER_DEPTH: usize = 20;

/// Which database a text is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// PostgreSQL and what speaks its wire protocol.
    Postgres,
    /// MySQL and MariaDB.
    MySql,
    /// SQLite.
    Sqlite,
    /// Microsoft SQL Server.
    MsSql,
    /// Google BigQuery.
    BigQuery,
    /// Snowflake.
    Snowflake,
    /// DuckDB.
    DuckDb,
    /// ClickHouse.
    ClickHouse,
    /// Amazon Redshift.
    Redshift,
    /// Databricks and Spark.
    Databricks,
    /// Oracle.
    Oracle,
    /// No database in particular.
    Generic,
}

impl Dialect {
    /// Those that are tried where nothing says which database it is.
    const LIKELY: [Dialect; 4] = [Dialect::Postgres, Dialect::MySql, Dialect::Sqlite, Dialect::Generic];

    /// The dialect that a server's name or a connection's scheme tells, as in `postgres` or `mysql-prod`.
    /// The last word that names a database counts.
    pub fn from_hint(hint: &str) -> Option<Dialect> {
        let lower = hint.to_ascii_lowercase();
        let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.rev().find_map(|word| match word.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
            "postgres" | "postgresql" | "pg" | "psql" | "neon" | "supabase" | "cockroachdb" | "timescale" => {
                Some(Dialect::Postgres)
            }
            "mysql" | "mariadb" | "planetscale" | "tidb" => Some(Dialect::MySql),
            "sqlite" | "libsql" | "turso" => Some(Dialect::Sqlite),
            "mssql" | "sqlserver" | "tsql" => Some(Dialect::MsSql),
            "bigquery" => Some(Dialect::BigQuery),
            "snowflake" => Some(Dialect::Snowflake),
            "duckdb" | "motherduck" => Some(Dialect::DuckDb),
            "clickhouse" => Some(Dialect::ClickHouse),
            "redshift" => Some(Dialect::Redshift),
            "databricks" | "spark" => Some(Dialect::Databricks),
            "oracle" => Some(Dialect::Oracle),
            _ => None,
        })
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Postgres => "PostgreSQL",
            Dialect::MySql => "MySQL",
            Dialect::Sqlite => "SQLite",
            Dialect::MsSql => "SQL Server",
            Dialect::BigQuery => "BigQuery",
            Dialect::Snowflake => "Snowflake",
            Dialect::DuckDb => "DuckDB",
            Dialect::ClickHouse => "ClickHouse",
            Dialect::Redshift => "Redshift",
            Dialect::Databricks => "Databricks",
            Dialect::Oracle => "Oracle",
            Dialect::Generic => "standard SQL",
        }
    }

    fn grammar(self) -> Box<dyn Grammar> {
        use sqlparser::dialect as grammars;
        match self {
            Dialect::Postgres => Box::new(grammars::PostgreSqlDialect {}),
            Dialect::MySql => Box::new(grammars::MySqlDialect {}),
            Dialect::Sqlite => Box::new(grammars::SQLiteDialect {}),
            Dialect::MsSql => Box::new(grammars::MsSqlDialect {}),
            Dialect::BigQuery => Box::new(grammars::BigQueryDialect {}),
            Dialect::Snowflake => Box::new(grammars::SnowflakeDialect {}),
            Dialect::DuckDb => Box::new(grammars::DuckDbDialect {}),
            Dialect::ClickHouse => Box::new(grammars::ClickHouseDialect {}),
            Dialect::Redshift => Box::new(grammars::RedshiftSqlDialect {}),
            Dialect::Databricks => Box::new(grammars::DatabricksDialect {}),
            Dialect::Oracle => Box::new(grammars::OracleDialect {}),
            Dialect::Generic => Box::new(grammars::GenericDialect {}),
        }
    }
}

/// Reads a text of one or several statements. Without a dialect, what any likely database would make of it counts. The
/// resolver says which of the files that it names are links.
///
/// There is always at least one deed: text that only looks at the database itself (`SELECT 1`) reads its catalogue.
pub fn read(text: &str, dialect: Option<Dialect>, folder: Folder<'_>, resolver: &dyn Resolver) -> Reading {
    match plain::read(text, dialect) {
        Some(reading) => reading,
        None => read_by_grammars(text, dialect, Files { folder, resolver }, None),
    }
}

/// The same, and every statement of the text: those of a batch, those that change something inside others, and those that
/// are explained by being run. Where several databases read different ones, there are all of them. Statements may be
/// missing only where a doubt says so (`Doubt::hides_statements`).
pub fn read_with_statements(
    text: &str,
    dialect: Option<Dialect>,
    folder: Folder<'_>,
    resolver: &dyn Resolver,
) -> (Reading, Vec<Statement>) {
    if let Some((reading, statement)) = plain::read_with_statement(text, dialect) {
        return (reading, vec![statement]);
    }
    let mut statements = Vec::new();
    let reading = read_by_grammars(text, dialect, Files { folder, resolver }, Some(&mut statements));
    (reading, statements)
}

fn read_by_grammars(
    text: &str,
    dialect: Option<Dialect>,
    files: Files<'_>,
    mut statements: Option<&mut Vec<Statement>>,
) -> Reading {
    let mut reading = Reading::default();
    let candidates = match &dialect {
        Some(dialect) => core::slice::from_ref(dialect),
        None => Dialect::LIKELY.as_slice(),
    };
    let mut failures = Reading::default();
    let mut is_read = false;
    for candidate in candidates {
        let told = statements.is_some().then(Vec::new);
        match read_as(text, *candidate, files, told) {
            Ok((one, told)) => {
                is_read = true;
                reading.join(one);
                if let (Some(statements), Some(told)) = (&mut statements, told) {
                    join_statements(statements, told);
                }
            }
            Err(one) => failures.join(one),
        }
    }
    if !is_read {
        reading.join(failures);
    }
    if reading.deeds.is_empty() {
        reading.add(deed([catalogue()], [context()], Effect::Read));
    }
    reading
}

/// Adds what another database reads, unless it is the same.
fn join_statements(statements: &mut Vec<Statement>, others: Vec<Statement>) {
    if statements.is_empty() {
        *statements = others;
    } else if *statements != others {
        let known: BTreeSet<Statement> = statements.iter().cloned().collect();
        statements.extend(others.into_iter().filter(|other| !known.contains(other)));
    }
}

/// What the text does as one dialect reads it, and its statements if they are asked for; the error is the worst case.
fn read_as(
    text: &str,
    dialect: Dialect,
    files: Files<'_>,
    told: Option<Vec<Statement>>,
) -> Result<(Reading, Option<Vec<Statement>>), Reading> {
    if text.len() > size::LONGEST_TEXT {
        return Err(unreadable(Doubt::TooLong, &[], files));
    }
    let grammar = dialect.grammar();
    let tokens = Tokenizer::new(&*grammar, text).tokenize_with_location();
    let Ok(tokens) = tokens else { return Err(unreadable(Doubt::Unreadable, &[], files)) };
    if size::is_too_deep(tokens.iter().map(|token| &token.token)) {
        return Err(unreadable(Doubt::TooDeep, &tokens, files));
    }
    let parser = Parser::new(&*grammar).with_recursion_limit(PARSER_DEPTH);
    let mut known = rewrite::without_like_clauses(tokens.clone());
    if dialect == Dialect::Sqlite || dialect == Dialect::DuckDb {
        known = rewrite::with_quoted_pragma(known);
    }
    if matches!(dialect, Dialect::Postgres | Dialect::Redshift | Dialect::Generic) {
        known = rewrite::without_only(known);
    }
    let Ok(statements) = parser.with_tokens_with_locations(known).parse_statements() else {
        return Err(unreadable(Doubt::Unreadable, &tokens, files));
    };
    let mut walk = Walk::new(dialect, files, told);
    for statement in &statements {
        let _ = statement.visit(&mut walk);
        walk.end_statement();
    }
    Ok(walk.finish())
}

/// The worst case: anything may be run anywhere, and every file that is named may be read and written.
fn unreadable(doubt: Doubt, tokens: &[TokenWithSpan], files: Files<'_>) -> Reading {
    let mut reading = Reading::default();
    reading.doubt(doubt);
    reading.add(deed([context()], [everything()], Effect::Exec));
    for token in tokens {
        let (Token::SingleQuotedString(text) | Token::DoubleQuotedString(text)) = &token.token else {
            continue;
        };
        let looks_like_a_file = text.starts_with(['/', '~']) || text.contains("://");
        if let (true, Some(place)) = (looks_like_a_file, files.place(text)) {
            reading.add(deed([place.clone()], [context()], Effect::Read));
            reading.add(deed([context()], [place], Effect::Write));
        }
    }
    reading
}

fn context() -> Use {
    Use::context()
}

/// The catalogue: names of tables and columns, nothing of what they hold.
fn catalogue() -> Use {
    Use::new("db:*", Reach::Names)
}
