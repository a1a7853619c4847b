//! SQL and the statements in it, as data, and what holds for all of them.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test tells all that is wrong, then panics")]

use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::sql::{self, Dialect, Folder, Limit, Reading, Statement, StatementKind};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    sql: String,
    /// A hint, as a server's name gives it.
    dialect: Option<String>,
    /// One line for each statement.
    statements: Vec<String>,
    why: String,
}

fn read(text: &str, dialect: Option<Dialect>) -> (Reading, Vec<Statement>) {
    sql::read_with_statements(text, dialect, Folder(None), &NoLinks)
}

/// `delete orders, users ; where ; limit 5 ; star`.
fn told(statement: &Statement) -> String {
    let mut told = format!("{:?}", statement.kind).to_lowercase();
    if !statement.tables.is_empty() {
        told.push_str(&format!(" {}", statement.tables.join(", ")));
    }
    match statement.has_where {
        Some(true) => told.push_str(" ; where"),
        Some(false) => told.push_str(" ; no where"),
        None => {}
    }
    match statement.limit {
        Limit::Absent => {}
        Limit::Rows(rows) => told.push_str(&format!(" ; limit {rows}")),
        Limit::Unknown => told.push_str(" ; limit ?"),
    }
    if statement.has_star {
        told.push_str(" ; star");
    }
    told
}

#[test]
fn texts_have_the_statements_that_the_cases_say() {
    let cases: Cases = toml::from_str(include_str!("cases/statements.toml")).unwrap();
    assert!(cases.case.len() >= 40, "{} cases", cases.case.len());
    let mut wrong = 0;
    for case in &cases.case {
        let dialect = case.dialect.as_deref().map(|hint| Dialect::from_hint(hint).unwrap());
        let (reading, statements) = read(&case.sql, dialect);
        let found: Vec<String> = statements.iter().map(told).collect();
        if found != case.statements {
            wrong += 1;
            println!(
                "`{}` ({})\n  wanted {:?}\n  found  {found:?} {:?}",
                case.sql, case.why, case.statements, reading.doubts
            );
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.case.len());
}

const DIALECTS: [Option<Dialect>; 6] = [
    Some(Dialect::Postgres),
    Some(Dialect::MySql),
    Some(Dialect::Sqlite),
    Some(Dialect::MsSql),
    Some(Dialect::Generic),
    None,
];

/// Nothing changes by asking, and where nothing is told a doubt says so.
fn check(text: &str) {
    for dialect in DIALECTS {
        let (reading, statements) = read(text, dialect);
        assert_eq!(reading, sql::read(text, dialect, Folder(None), &NoLinks), "{dialect:?}: {text}");
        let is_said = reading.doubts.iter().any(|doubt| doubt.hides_statements());
        let has_deeds =
            reading.deeds.iter().any(|deed| deed.effects != portcullis_lattice::Effect::Read.into());
        assert!(!statements.is_empty() || is_said || !has_deeds, "{dialect:?}: {text}");
    }
}

#[test]
fn statements_change_no_deed_of_any_case() {
    #[derive(Deserialize)]
    struct Texts {
        case: Vec<Text>,
    }
    #[derive(Deserialize)]
    struct Text {
        sql: String,
    }
    for text in [include_str!("cases/sql.toml"), include_str!("cases/statements.toml")] {
        let texts: Texts = toml::from_str(text).unwrap();
        texts.case.iter().for_each(|text| check(&text.sql));
    }
}

/// Statements that every dialect here reads alike, with what is told of them.
const ALONE: &[(&str, &str)] = &[
    ("SELECT * FROM t", "select t ; no where ; star"),
    ("SELECT a FROM t WHERE b = 1 LIMIT 3", "select t ; where ; limit 3"),
    ("DELETE FROM t", "delete t ; no where"),
    ("DELETE FROM t WHERE a = 1 OR 2 = 2", "delete t ; no where"),
    ("UPDATE t SET a = 1 WHERE b IN (SELECT c FROM u)", "update t, u ; where"),
    ("INSERT INTO t SELECT a FROM u", "insert t, u"),
    ("DROP TABLE t", "drop t"),
    ("TRUNCATE TABLE t", "truncate t"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_has_the_statements_of_its_parts(
        parts in prop::collection::vec(prop::sample::select(ALONE), 1..6),
        dialect in prop::sample::select(vec![Dialect::Postgres, Dialect::MySql, Dialect::Generic]),
        space in prop::sample::select(vec![";", " ; ", ";\n-- next\n", ";/* DELETE FROM x; */"]),
    ) {
        let text = parts.iter().map(|(sql, _)| *sql).collect::<Vec<_>>().join(space);
        let found: Vec<String> = read(&text, Some(dialect)).1.iter().map(told).collect();
        let wanted: Vec<&str> = parts.iter().map(|(_, told)| *told).collect();
        prop_assert_eq!(found, wanted, "{}", text);
    }

    /// What holds for every row chooses none, whatever stands around it.
    #[test]
    fn an_idle_condition_is_no_condition(
        idle in prop::sample::select(vec![
            "1 = 1", "TRUE", "'x' = 'x'", "a = a", "2 > 1", "1 <> 2", "NOT FALSE", "NOT 1 = 2", "a LIKE '%'", "1",
        ]),
        other in prop::sample::select(vec!["b = 1", "c IN (1, 2)", "d IS NULL", "1 = 1"]),
        form in 0..6,
    ) {
        let condition = match form {
            0 => idle.to_owned(),
            1 => format!("({idle})"),
            2 => format!("{other} OR {idle}"),
            3 => format!("{idle} OR {other}"),
            4 => format!("({idle}) AND ({idle})"),
            _ => format!("NOT (NOT ({idle}))"),
        };
        for text in [
            format!("DELETE FROM t WHERE {condition}"),
            format!("UPDATE t SET a = 1 WHERE {condition}"),
            format!("SELECT a FROM t WHERE {condition}"),
        ] {
            for dialect in [Some(Dialect::Postgres), Some(Dialect::MySql), None] {
                let (_, statements) = read(&text, dialect);
                prop_assert!(statements.iter().all(|one| one.has_where == Some(false)), "{}: {:?}", text, statements);
                prop_assert!(!statements.is_empty(), "{}", text);
            }
        }
    }

    #[test]
    fn statements_of_any_text_change_no_deed(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn statements_of_any_mixture_change_no_deed(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14),
    ) {
        check(&pieces.concat());
    }
}

const PIECES: &[&str] = &[
    "SELECT ",
    "* ",
    "a ",
    "FROM ",
    "t ",
    "WHERE ",
    "1 = 1 ",
    "b = 2 ",
    "OR ",
    "AND ",
    "NOT ",
    "LIMIT 5 ",
    "TOP 3 ",
    "DELETE ",
    "UPDATE ",
    "SET a = 1 ",
    "INSERT INTO ",
    "VALUES (1) ",
    "; ",
    "WITH x AS (",
    ") ",
    "( ",
    "RETURNING * ",
    "EXPLAIN ",
    "ANALYZE ",
    "UNION ",
    "DROP TABLE ",
    "TRUNCATE ",
    "IN (",
    "EXISTS (",
    "LIKE '%' ",
    "-- ",
    "/*! ",
    "*/ ",
    "'",
    "\"",
    ", ",
    "FETCH FIRST 2 ROWS ONLY ",
    "OFFSET 1 ",
    "$1 ",
    "? ",
    "COPY ",
    "TO STDOUT ",
    "MERGE INTO ",
    "USING u ",
    "ON a = b ",
    "GRANT ALL ON ",
    "TO bob ",
    "BEGIN; ",
    "COMMIT; ",
    "IF ",
    "END ",
    "CALL f() ",
];

#[test]
fn kinds_are_told_by_default_as_something_else() {
    assert_eq!(StatementKind::default(), StatementKind::Other);
    assert_eq!(Statement::default().limit, Limit::Absent);
}
