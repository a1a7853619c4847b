//! Any text at all as SQL: it always has a reading, and what a likely dialect sees is not lost where none is given.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{Realms, Resource};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::sql::{self, Dialect, Folder, Reading};

const DIALECTS: [Dialect; 12] = [
    Dialect::Postgres,
    Dialect::MySql,
    Dialect::Sqlite,
    Dialect::MsSql,
    Dialect::BigQuery,
    Dialect::Snowflake,
    Dialect::DuckDb,
    Dialect::ClickHouse,
    Dialect::Redshift,
    Dialect::Databricks,
    Dialect::Oracle,
    Dialect::Generic,
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let folder = Folder(Some("/srv/db"));
    let dialect = DIALECTS[usize::from(*first) % DIALECTS.len()];
    check(&sql::read(&text, Some(dialect), folder, &NoLinks));
    let any = sql::read(&text, None, folder, &NoLinks);
    check(&any);
    // A comment in front sends plain text to the grammars, which must see the same in it.
    assert_eq!(any, sql::read(&format!("/**/{text}"), None, folder, &NoLinks), "with and without a grammar");
    for likely in [Dialect::Postgres, Dialect::MySql, Dialect::Sqlite, Dialect::Generic] {
        let one = sql::read(&text, Some(likely), folder, &NoLinks);
        assert_eq!(one, sql::read(&format!("/**/{text}"), Some(likely), folder, &NoLinks), "{likely:?}");
        // A dialect that cannot read the text, or finds nothing in it, leaves it to the others.
        if one.doubts.iter().any(|doubt| matches!(doubt, sql::Doubt::Unreadable | sql::Doubt::TooDeep)) {
            continue;
        }
        let names_something =
            one.deeds.iter().any(|deed| deed.inputs.iter().any(|input| input.name != "db:*"));
        for deed in one.deeds.iter().filter(|_| names_something) {
            assert!(any.deeds.contains(deed), "{deed:?} is lost in {text:?}");
        }
    }
});

fn check(reading: &Reading) {
    assert!(!reading.deeds.is_empty());
    for deed in &reading.deeds {
        assert!(!deed.effects.is_empty());
        for one in deed.inputs.iter().chain(&deed.outputs) {
            Resource::new(&one.name, one.reach, Realms::NETWORK).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
