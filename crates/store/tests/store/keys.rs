//! The key file.

use std::fs;
use std::sync::Barrier;

use portcullis_store::{Key, KeyError};

#[test]
fn a_key_is_made_once_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/key");
    let hash = Key::open_or_create(&path).unwrap().hash("argument", b"value");
    assert_eq!(Key::open_or_create(&path).unwrap().hash("argument", b"value"), hash);
    assert_eq!(fs::read(&path).unwrap().len(), 32);
    assert_ne!(Key::open_or_create(&folder.path().join("other")).unwrap().hash("argument", b"value"), hash);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o7777, 0o700);
    }
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn racing_processes_get_one_key() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/key");
        let start = Barrier::new(4);
        let one = || {
            start.wait();
            Key::open_or_create(&path).unwrap().hash("argument", b"value")
        };
        let hashes: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(hashes.iter().all(|hash| *hash == hashes[0]));
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_no_key_is_refused_and_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    for bytes in [vec![], vec![1; 31], vec![1; 33], vec![1; 4_000]] {
        fs::write(&path, &bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let refused = Key::open_or_create(&path).unwrap_err();
        assert!(matches!(refused, KeyError::Size { .. }), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    fs::write(&path, [1; 32]).unwrap();
    for mode in [0o644, 0o660, 0o604] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let refused = Key::open_or_create(&path).unwrap_err();
        assert!(matches!(refused, KeyError::TooOpen { mode: found, .. } if found == mode), "{refused}");
        assert!(refused.to_string().contains("chmod 600"), "{refused}");
    }
    let refused = Key::open_or_create(folder.path()).unwrap_err();
    assert!(matches!(refused, KeyError::File { .. } | KeyError::TooOpen { .. }), "{refused}");
}

#[test]
fn a_keyed_hash_is_hmac_sha_256_over_parts_with_their_lengths() {
    // Computed with another implementation from the description in `docs/store.md`.
    let key = Key::new([0x0b; 32]);
    assert_eq!(key.hash("argument", b"hunter2").to_string(), HASHED);
    let derived: String = key.derive("fingerprints").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(derived, DERIVED);
    // Nothing runs into its neighbour.
    assert_ne!(key.hash("a", b"bc"), key.hash("ab", b"c"));
    assert_ne!(key.hash("a", b"b"), Key::new([0x0c; 32]).hash("a", b"b"));
    assert_eq!(format!("{key:?}"), "Key(…)");
}

const HASHED: &str = "c0aa04284b59b28cae43103029fe189e200539f1f0bd06bc8eef4895b1d957d9";
const DERIVED: &str = "884674ba116e53848f4ea9b1351ef1c70639abdef124ac9f7eb499d444d23a86";
