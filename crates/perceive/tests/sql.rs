//! SQL: cases with reasons, the facts of ConsentBench, and what holds for any text.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads cases and starts threads with small stacks")]

use std::collections::BTreeSet;
use std::path::Path;

use portcullis_lattice::{Pattern, Reach, Realm, Realms, Resource};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::sql::{self, Dialect, Folder, Reading};
use portcullis_perceive::{Deed, Use, riskiest};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    sql: String,
    dialect: Option<String>,
    folder: Option<String>,
    deeds: Vec<String>,
    #[serde(default)]
    doubts: Vec<String>,
    why: String,
}

#[test]
fn every_case_is_read_as_its_reason_says() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/sql.toml")).unwrap();
    let cases: Cases = toml::from_str(&text).unwrap();
    assert!(cases.case.len() >= 120, "{} cases", cases.case.len());
    let mut wrong = Vec::new();
    for case in &cases.case {
        assert!(!case.why.is_empty(), "{} has no reason", case.sql);
        let dialect = case.dialect.as_deref().map(|hint| Dialect::from_hint(hint).unwrap());
        let reading = sql::read(&case.sql, dialect, Folder(case.folder.as_deref()), &NoLinks);
        let found: BTreeSet<String> = reading.deeds.iter().map(written).collect();
        let doubts: BTreeSet<String> = reading.doubts.iter().map(|doubt| format!("{doubt:?}")).collect();
        let right =
            found == case.deeds.iter().cloned().collect() && doubts == case.doubts.iter().cloned().collect();
        if !right {
            wrong.push(format!(
                "{}\n   wanted {:?} {:?}\n   found  {found:?} {doubts:?}",
                case.sql, case.deeds, case.doubts
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), cases.case.len(), wrong.join("\n"));
}

/// `write, del: db:orders -> db:archive`
fn written(deed: &Deed) -> String {
    let side = |uses: &[Use]| uses.iter().map(use_written).collect::<Vec<_>>().join(", ");
    format!("{}: {} -> {}", deed.effects, side(&deed.inputs), side(&deed.outputs))
}

fn use_written(one: &Use) -> String {
    match one.reach {
        Reach::One => one.name.clone(),
        Reach::Names => format!("{} (names)", one.name),
        Reach::Subtree => format!("{} (all)", one.name),
    }
}

#[test]
fn the_facts_of_consentbench_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let (mut steps, mut wrong) = (0, Vec::new());
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let trace: Value = serde_json::from_str(line).unwrap();
            let external: Vec<Pattern> = strings(&trace["session"]["external"])
                .iter()
                .filter_map(|text| Pattern::parse(text).ok())
                .collect();
            for step in trace["steps"].as_array().unwrap() {
                let Some(sql) = step["args"]["sql"].as_str() else { continue };
                steps += 1;
                let server = step["tool"].as_str().unwrap().split('.').next().unwrap();
                let reading = sql::read(sql, Dialect::from_hint(server), Folder(None), &NoLinks);
                let realm_of = |name: &str| match name {
                    "ctxt" => Realm::Context,
                    path if path.starts_with('/') => Realm::Local,
                    name if external.iter().any(|pattern| pattern.to_string() == name) => Realm::External,
                    _ => Realm::Internal,
                };
                let found = facts(&riskiest(&reading.deeds, realm_of).unwrap());
                let effects = strings(&step["effects"]).into_iter().collect();
                let wanted = (side(&step["in"]), side(&step["out"]), effects);
                if found != wanted {
                    wrong.push(format!("{sql}\n   wanted {wanted:?}\n   found  {found:?}"));
                }
            }
        }
    }
    assert!(steps > 90, "{steps} steps");
    assert!(wrong.is_empty(), "{} of {steps} wrong\n{}", wrong.len(), wrong.join("\n"));
}

type Facts = (BTreeSet<String>, BTreeSet<String>, BTreeSet<String>);

fn facts(deed: &Deed) -> Facts {
    let names = |uses: &[Use]| uses.iter().map(|one| one.name.clone()).collect();
    let effects = deed.effects.iter().map(|effect| effect.name().to_string()).collect();
    (names(&deed.inputs), names(&deed.outputs), effects)
}

fn side(location: &Value) -> BTreeSet<String> {
    let named = strings(&location["resource"]);
    if named.is_empty() { BTreeSet::from(["ctxt".to_string()]) } else { named.into_iter().collect() }
}

fn strings(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map(ToString::to_string);
    match value.as_array() {
        Some(list) => list.iter().map(|value| text(value).unwrap()).collect(),
        None => text(value).into_iter().collect(),
    }
}

const DIALECTS: [Option<Dialect>; 13] = [
    None,
    Some(Dialect::Postgres),
    Some(Dialect::MySql),
    Some(Dialect::Sqlite),
    Some(Dialect::MsSql),
    Some(Dialect::BigQuery),
    Some(Dialect::Snowflake),
    Some(Dialect::DuckDb),
    Some(Dialect::ClickHouse),
    Some(Dialect::Redshift),
    Some(Dialect::Databricks),
    Some(Dialect::Oracle),
    Some(Dialect::Generic),
];

/// There is always a deed, and every name is one that the lattice takes.
fn check(reading: &Reading) {
    assert!(!reading.deeds.is_empty());
    for deed in &reading.deeds {
        assert!(!deed.effects.is_empty() && !deed.inputs.is_empty() && !deed.outputs.is_empty());
        for one in deed.inputs.iter().chain(&deed.outputs) {
            Resource::new(&one.name, one.reach, Realms::NETWORK).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

fn is_worst(reading: &Reading) -> bool {
    reading.deeds.iter().any(|deed| written(deed) == "exec: ctxt -> db:* (all)")
}

/// Runs on the smallest stack that a thread gets by default, so that depth is found out.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn what_is_too_much_ends_in_the_worst_case() {
    on_a_small_stack(|| {
        let megabyte = 1 << 20;
        let deep = 1_000;
        let texts = [
            format!("SELECT '{}'", "x".repeat(megabyte)),
            format!("SELECT {}1", "1+".repeat(megabyte / 2)),
            format!("SELECT {}1", "1+".repeat(100_000)),
            format!("SELECT {}1", "-".repeat(100_000)),
            format!("SELECT {}1", "NOT ".repeat(10_000)),
            format!("SELECT {}1{}", "(".repeat(deep), ")".repeat(deep)),
            format!("SELECT * FROM {}t{}", "(".repeat(deep), ")".repeat(deep)),
            format!("SELECT * FROM {}t{}", "(SELECT * FROM ".repeat(deep), ") x".repeat(deep)),
            format!("SELECT {}1{}", "CASE WHEN ".repeat(deep), " THEN 1 END".repeat(deep)),
            format!("SELECT {}1{}", "ARRAY[".repeat(deep), "]".repeat(deep)),
            format!("SELECT 1 {}", "UNION SELECT 1 ".repeat(10_000)),
            format!("SELECT a{}", "::int".repeat(10_000)),
            format!("SELECT a{}", "[1]".repeat(10_000)),
            format!("SELECT a{}", " IS NULL".repeat(10_000)),
            format!("{} DELETE FROM t", "EXPLAIN ".repeat(deep)),
            "BEGIN ".repeat(deep),
            "/*".repeat(100_000),
        ];
        for text in texts {
            for dialect in DIALECTS {
                let reading = sql::read(&text, dialect, Folder(None), &NoLinks);
                check(&reading);
                assert!(is_worst(&reading), "{dialect:?} {}", &text[..40]);
            }
        }
    });
}

#[test]
fn what_is_just_small_enough_is_walked_on_a_small_stack() {
    on_a_small_stack(|| {
        let texts = [
            format!("SELECT {}1", "1+".repeat(290)),
            format!("SELECT 1 {}", "UNION SELECT 1 ".repeat(140)),
            format!("SELECT a{}", "::int".repeat(140)),
            format!("SELECT {}1{}", "(1+".repeat(8), ")".repeat(8)),
            format!("SELECT * FROM {}t{}", "(".repeat(8), ")".repeat(8)),
            format!("SELECT * FROM {}t{}", "(SELECT * FROM ".repeat(8), ") x".repeat(8)),
            format!("SELECT {}1{}", "f((".repeat(4), "))".repeat(4)),
            format!("SELECT {}1{}", "CASE WHEN ".repeat(16), " THEN 1 END".repeat(16)),
            format!("SELECT {}1", "NOT ".repeat(16)),
            format!("INSERT INTO t VALUES {}(1)", "(1),".repeat(20_000)),
        ];
        for text in texts {
            for dialect in DIALECTS {
                check(&sql::read(&text, dialect, Folder(None), &NoLinks));
            }
        }
    });
}

fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "SELECT",
        "FROM",
        "WHERE",
        "t",
        "\"T\"",
        "(",
        ")",
        ",",
        ";",
        "INSERT INTO",
        "VALUES",
        "DELETE",
        "WITH x AS (",
        "UPDATE",
        "SET a = 1",
        "'/etc/passwd'",
        "DROP TABLE",
        "/*!",
        "*/",
        "--",
        "\n",
        "1",
        "+",
        "x",
        "*",
        "RETURNING *",
        "COPY",
        "TO",
        "EXPLAIN ANALYZE",
        "JOIN",
        "ON",
        "AS",
        "UNION",
        "CREATE TABLE",
        "$$",
        "EXEC",
        "`",
        "[",
        "]",
        ".",
        "pg_read_file(",
        "INTO",
        "USING",
        "MERGE INTO",
        "WHEN MATCHED THEN",
        "CALL",
        "@v",
        "TABLE",
        "LATERAL",
        "''",
    ]);
    prop::collection::vec(words, 0..24).prop_map(|words| words.join(" "))
}

/// Statements that are read alike wherever they stand.
fn statements() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "SELECT * FROM a",
        "INSERT INTO b SELECT * FROM a",
        "DELETE FROM c",
        "DROP TABLE d",
        "UPDATE e SET x = 1",
        "WITH a AS (SELECT * FROM f) SELECT * FROM a",
        "TRUNCATE TABLE g",
        "CREATE TABLE h AS SELECT * FROM i",
        "SELECT my_function()",
        "GRANT SELECT ON j TO k",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_reading(text in any::<String>(), at in 0..DIALECTS.len()) {
        check(&sql::read(&text, DIALECTS[at], Folder(None), &NoLinks));
    }

    #[test]
    fn almost_sql_has_a_reading(text in pieces(), at in 0..DIALECTS.len()) {
        check(&sql::read(&text, DIALECTS[at], Folder(Some("/srv/db")), &NoLinks));
    }

    #[test]
    fn another_statement_takes_no_deed_away(
        texts in prop::collection::vec(statements(), 1..4),
        harmless in prop::sample::select(vec!["SELECT 1", "SELECT * FROM z", "COMMIT", "-- nothing\nSELECT 2"]),
        first in any::<bool>(),
    ) {
        let alone = texts.join(";\n");
        let both = if first { format!("{harmless};\n{alone}") } else { format!("{alone};\n{harmless}") };
        let before = sql::read(&alone, Some(Dialect::Postgres), Folder(None), &NoLinks);
        let after = sql::read(&both, Some(Dialect::Postgres), Folder(None), &NoLinks);
        for deed in &before.deeds {
            prop_assert!(after.deeds.contains(deed), "{deed:?} is gone");
        }
    }
}
