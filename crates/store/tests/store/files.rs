//! The file: who may read it, what is refused and left alone, and what happens when it is damaged.

use std::fs;
use std::path::Path;
use std::sync::Barrier;

use portcullis_store::{Commit, Durability, OpenError, Options, SqliteStore, Store, StoreError};
use rusqlite::Connection;

use crate::sqlite::{SqlitePlace, options};
use crate::suite::{Place, at, audit, entry, join};

fn open(path: &Path) -> Result<SqliteStore, OpenError> {
    SqliteStore::open(path, options())
}

/// What is in a folder, with the bytes of each file.
fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.map(|path| (path.clone(), fs::read(&path).unwrap())).collect();
    found.sort();
    found
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[cfg(unix)]
#[test]
fn folders_and_files_are_for_their_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/newer/store.db");
    let store = open(&path).unwrap();
    join(&store, "editor");
    for (name, expected) in [
        ("new", 0o700),
        ("new/newer", 0o700),
        ("new/newer/store.db", 0o600),
        ("new/newer/store.db-wal", 0o600),
        ("new/newer/store.db-shm", 0o600),
    ] {
        assert_eq!(mode(&folder.path().join(name)), expected, "{name}");
    }
    drop(store);
    let left: Vec<_> = contents(path.parent().unwrap()).into_iter().map(|(path, _)| path).collect();
    assert_eq!(left, [path]);
}

#[cfg(unix)]
#[test]
fn a_store_that_others_may_read_or_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let place = SqlitePlace::fresh();
    drop(place.open());
    for mode in [0o640, 0o604, 0o620, 0o666] {
        fs::set_permissions(place.file(), fs::Permissions::from_mode(mode)).unwrap();
        let refused = open(&place.file()).err().unwrap();
        assert!(matches!(refused, OpenError::TooOpen { mode: found, .. } if found == mode), "{refused}");
        assert!(refused.to_string().contains("chmod 600"), "{refused}");
    }
    fs::set_permissions(place.file(), fs::Permissions::from_mode(0o600)).unwrap();
    open(&place.file()).unwrap();
}

#[test]
fn what_is_no_store_is_refused_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        only_for_owner(&path);
        path
    };
    let other = folder.path().join("other.db");
    let database = Connection::open(&other).unwrap();
    database.execute_batch("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('a')").unwrap();
    drop(database);
    only_for_owner(&other);
    // Another program's database with a change that its owner has yet to fold in.
    let unfinished = folder.path().join("unfinished.db");
    let database = Connection::open(&unfinished).unwrap();
    database.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE songs (title TEXT)").unwrap();
    only_for_owner(&unfinished);
    let cases = [
        (write("empty", b""), "no store of Portcullis"),
        (write("short", b"SQLite format 3\0"), "a database of another program"),
        (write("text", &b"dear diary, ".repeat(100)), "no store of Portcullis"),
        (other, "a database of another program"),
        (unfinished, "a database of another program"),
    ];
    let before = contents(folder.path());
    for (path, expected) in cases {
        let refused = open(&path).err().unwrap();
        assert!(matches!(refused, OpenError::NotAStore { what, .. } if what == expected), "{refused}");
        assert!(refused.to_string().contains("left as it is"), "{refused}");
    }
    assert_eq!(contents(folder.path()), before);
    drop(database);
    let refused = open(folder.path()).err().unwrap();
    assert!(matches!(refused, OpenError::NotAStore { what: "no file", .. }), "{refused}");
}

fn only_for_owner(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[test]
fn a_store_of_a_newer_form_is_refused_and_left_as_it_is() {
    let place = SqlitePlace::fresh();
    audit::write(&place.open(), 1);
    let raw = Connection::open(place.file()).unwrap();
    raw.execute_batch("PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(raw);
    let before = fs::read(place.file()).unwrap();
    let refused = open(&place.file()).err().unwrap();
    assert!(matches!(refused, OpenError::Newer { found: 7, known: 3, .. }), "{refused}");
    assert!(refused.to_string().contains("newer version"), "{refused}");
    assert_eq!(fs::read(place.file()).unwrap(), before);
}

#[test]
fn a_process_that_is_older_than_the_form_writes_no_more() {
    let place = SqlitePlace::fresh();
    let store = place.open();
    audit::write(&store, 1);
    Connection::open(place.file())
        .unwrap()
        .execute_batch("PRAGMA user_version = 4; UPDATE state SET form = 4")
        .unwrap();
    let refused = store.commit(Commit::at(at(0)).entry(entry("{}")));
    assert_eq!(refused, Err(StoreError::Newer { found: 4, known: 3 }.into()));
    assert_eq!(store.head().unwrap().sequence, 1);
}

#[test]
fn a_store_without_what_protects_its_log_is_refused() {
    let place = SqlitePlace::fresh();
    drop(place.open());
    Connection::open(place.file()).unwrap().execute_batch("DROP TRIGGER audit_is_not_changed").unwrap();
    let refused = open(&place.file()).err().unwrap();
    assert!(matches!(refused, OpenError::Store { error: StoreError::Damaged(_), .. }), "{refused}");
}

#[test]
fn a_damaged_file_gives_errors_and_never_other_entries() {
    let place = SqlitePlace::fresh();
    let written = {
        let store = place.open();
        audit::write(&store, 200);
        store.entries(&portcullis_store::EntryFilter::default()).unwrap()
    };
    let whole = fs::read(place.file()).unwrap();
    let mut found = 0;
    // A page of rubbish in each place in turn.
    for page in 0..whole.len() / 4096 {
        let mut damaged = whole.clone();
        damaged[page * 4096 + if page == 0 { 100 } else { 0 }..(page + 1) * 4096].fill(0xa5);
        fs::write(place.file(), &damaged).unwrap();
        let Ok(store) = open(&place.file()) else {
            found += 1;
            continue;
        };
        let noticed = match store.entries(&portcullis_store::EntryFilter::default()) {
            Ok(entries) => {
                assert!(entries == written, "entries are others after damage of page {page}");
                store.check().map_or(true, |found| !found.is_empty())
            }
            Err(error) => {
                assert!(matches!(error, StoreError::Damaged(_)), "{error}");
                true
            }
        };
        found += usize::from(noticed);
    }
    // Rubbish in a page that is in use is noticed, and a fresh file has no other pages.
    assert_eq!(found, whole.len() / 4096);
    fs::write(place.file(), &whole).unwrap();
    assert_eq!(open(&place.file()).unwrap().check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_file_that_was_cut_off_is_noticed() {
    let place = SqlitePlace::fresh();
    audit::write(&place.open(), 200);
    let whole = fs::read(place.file()).unwrap();
    fs::write(place.file(), &whole[..whole.len() - 3 * 4096]).unwrap();
    let noticed = match open(&place.file()) {
        Ok(store) => {
            store.verify(None, &mut |_| {}).is_err() || store.check().is_ok_and(|found| !found.is_empty())
        }
        Err(error) => matches!(error, OpenError::Store { error: StoreError::Damaged(_), .. }),
    };
    assert!(noticed);
}

#[test]
fn racing_processes_create_one_store() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/store.db");
        let start = Barrier::new(4);
        let chains: Vec<_> = std::thread::scope(|scope| {
            let one = || {
                start.wait();
                let store = open(&path).unwrap();
                store.commit(Commit::at(at(0)).entry(entry("{}"))).unwrap();
                store.chain().unwrap()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(chains.iter().all(|chain| *chain == chains[0]));
        assert_eq!(open(&path).unwrap().head().unwrap().sequence, 4);
        assert_eq!(contents(path.parent().unwrap()).len(), 1);
    }
}

#[test]
fn a_store_that_somebody_else_holds_is_busy_and_works_again_afterwards() {
    let place = SqlitePlace::fresh();
    drop(place.open());
    let impatient = Options { patience: std::time::Duration::from_millis(20), ..options() };
    let store = SqliteStore::open(&place.file(), impatient).unwrap();
    let holder = Connection::open(place.file()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.commit(Commit::at(at(0)).entry(entry("{}")));
    assert_eq!(refused, Err(StoreError::Busy.into()));
    // Who reads is not held up.
    assert_eq!(store.head().unwrap().sequence, 0);
    holder.execute_batch("ROLLBACK").unwrap();
    store.commit(Commit::at(at(0)).entry(entry("{}"))).unwrap();
}

#[test]
fn a_store_is_there_when_it_is_opened_again_in_any_mode() {
    let place = SqlitePlace::fresh();
    for (durability, sequence) in [(Durability::Power, 1), (Durability::Process, 2), (Durability::Power, 3)] {
        let store = SqliteStore::open(&place.file(), Options { durability, ..options() }).unwrap();
        let committed = store.commit(Commit::at(at(0)).entry(entry("{}"))).unwrap();
        assert_eq!(committed.entries[0].sequence, sequence);
    }
    assert_eq!(Options::default().durability, Durability::Power);
}

#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_to_is_told() {
    let refused = open(Path::new("/proc/portcullis/store.db")).err().unwrap();
    assert!(matches!(refused, OpenError::File { deed: "given a folder", .. }), "{refused}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = open(&folder.path().join("file/store.db")).err().unwrap();
    assert!(matches!(refused, OpenError::File { .. }), "{refused}");
}

#[test]
fn a_name_that_sqlite_would_read_as_an_address_is_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file:store.db?mode=memory");
    audit::write(&open(&path).unwrap(), 2);
    assert_eq!(open(&path).unwrap().head().unwrap().sequence, 2);
    assert!(path.is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_store_of_a_process_takes_no_locks_from_the_first() {
    use std::os::unix::fs::MetadataExt;
    let place = SqlitePlace::fresh();
    let first = place.open();
    join(&first, "editor");
    let file = format!(":{} ", fs::metadata(place.file()).unwrap().ino());
    let process = format!(" {} ", std::process::id());
    let is_locked = || {
        let locks = fs::read_to_string("/proc/locks").unwrap();
        let ours = |line: &&str| line.contains("POSIX") && line.contains(&process) && line.contains(&file);
        locks.lines().any(|line| ours(&line))
    };
    assert!(is_locked());
    let second = place.open();
    drop(second);
    assert!(is_locked());
    // This is what would happen if the file were read by hand.
    drop(fs::File::open(place.file()).unwrap());
    assert!(!is_locked());
}
