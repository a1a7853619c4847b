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
