//! Migrations.

use super::*;

const TWO: &[&str] = &["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y; INSERT INTO a VALUES (1, 2)"];

fn count(connection: &Connection) -> i64 {
    connection.query_row("SELECT count(*) FROM a", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_file_is_brought_from_any_form_to_the_newest_and_stays_there() {
    for old in 0..=2 {
        let mut connection = Connection::open_in_memory().unwrap();
        apply(&mut connection, &TWO[..old]).unwrap();
        assert_eq!(version(&connection), Ok(old as u32));
        for _ in 0..2 {
            apply(&mut connection, TWO).unwrap();
            assert_eq!((version(&connection), count(&connection)), (Ok(2), 1));
        }
    }
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, &TWO[..1]).unwrap();
    let failing = [TWO[0], "INSERT INTO a VALUES (1); DROP TABLE none"];
    assert!(matches!(apply(&mut connection, &failing), Err(MigrationError::Store(_))));
    assert_eq!((version(&connection), count(&connection)), (Ok(1), 0));
}

#[test]
fn a_newer_form_is_refused() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, TWO).unwrap();
    let refused = apply(&mut connection, &TWO[..1]);
    assert_eq!(refused, Err(MigrationError::Newer { found: 2, known: 1 }));
    assert_eq!(count(&connection), 1);
}

#[test]
fn a_file_of_the_newest_form_says_so_where_commits_look() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, &MIGRATIONS[..1]).unwrap();
    let text =
        "INSERT INTO state (one, chain, sequence, hash, policy) VALUES (1, zeroblob(16), 0, zeroblob(32), 0)";
    connection.execute(text, []).unwrap();
    migrate(&mut connection).unwrap();
    let form: u32 = connection.query_row("SELECT form FROM state", [], |row| row.get(0)).unwrap();
    assert_eq!((form, version(&connection)), (newest(), Ok(newest())));
}

#[test]
fn entries_of_the_first_form_are_still_those_of_their_session() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, &MIGRATIONS[..1]).unwrap();
    let text = "INSERT INTO sessions (id, workspace, user, host, started, last_seen, version, step)
            VALUES ('a', 'w', 'u', 'h', 0, 0, 0, 0), ('b', 'w', 'u', 'i', 0, 0, 0, 0), ('c', 'w', 'u', 'j', 0, 0, 0, 0);
        INSERT INTO audit (sequence, time, session, kind, body, previous, hash)
            SELECT value, 0, CASE value % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' END, 'k', '{}', zeroblob(32), zeroblob(32)
            FROM json_each('[1,2,3,4,5,6,7]')";
    connection.execute_batch(text).unwrap();
    migrate(&mut connection).unwrap();
    let mut found = connection.prepare("SELECT first_entry, last_entry FROM sessions ORDER BY id").unwrap();
    let found = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let found: Vec<(Option<u64>, Option<u64>)> = found.map(Result::unwrap).collect();
    assert_eq!(found, [(Some(3), Some(6)), (Some(1), Some(7)), (None, None)]);
}

#[test]
fn pins_of_the_first_form_are_still_there_in_the_second() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, &MIGRATIONS[..1]).unwrap();
    let text = "INSERT INTO pins (server, tool, hash, definition, state, approved, approver)
        VALUES ('s', 't', zeroblob(32), '{}', 'pinned', 1, 'u')";
    connection.execute(text, []).unwrap();
    migrate(&mut connection).unwrap();
    let kept = connection.query_row("SELECT tool, particulars FROM pins", [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    });
    assert_eq!(kept.unwrap(), ("t".to_owned(), "{}".to_owned()));
}

#[test]
fn what_the_second_form_trusted_is_still_trusted_in_the_third() {
    let mut connection = Connection::open_in_memory().unwrap();
    apply(&mut connection, &MIGRATIONS[..2]).unwrap();
    let text = "INSERT INTO signers (key, public, name, allowance, trust, since, said_by)
            VALUES ('k', '{}', 'acme', '{}', 'trusted', 1, 'u');
        INSERT INTO state (one, chain, sequence, hash, policy) VALUES (1, zeroblob(16), 0, zeroblob(32), 5)";
    connection.execute_batch(text).unwrap();
    migrate(&mut connection).unwrap();
    let kept = connection.query_row("SELECT key, trust, form, policy FROM signers, state", [], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, u32>(2)?, row.get::<_, u64>(3)?))
    });
    assert_eq!(kept.unwrap(), ("k".to_owned(), "trusted".to_owned(), 3, 5));
}
