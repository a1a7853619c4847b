//! The walk along links, against a real disk: what the system finds is what was named.
#![allow(
    clippy::disallowed_methods,
    reason = "the analyser is compared with a disk; it does not see one itself"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use portcullis_perceive::paths::{self, Base, Case, Family, Found};
use proptest::prelude::*;
use proptest::sample::select;

/// A folder with folders and links, some that lead back, out, on to others, and round in a circle.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("a/b/c")).unwrap();
        fs::create_dir_all(folder.join("d/b")).unwrap();
        symlink("..", folder.join("a/up")).unwrap();
        symlink(folder.join("d"), folder.join("a/far")).unwrap();
        symlink("../../d/./", folder.join("a/b/out")).unwrap();
        symlink("../a//b/c", folder.join("d/deep")).unwrap();
        symlink("deep/..", folder.join("d/chain")).unwrap();
        symlink("round", folder.join("d/round")).unwrap();
        fs::canonicalize(folder).unwrap()
    })
}

fn read_link(place: &str) -> Found {
    match fs::read_link(place) {
        Ok(target) => Found::Link(target.to_str().unwrap().to_owned()),
        Err(_) => Found::Plain,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_system_opens_is_what_was_named(
        parts in prop::collection::vec(
            select(&["a", "b", "c", "d", "up", "far", "out", "deep", "chain", "round", "..", ".", ""][..]), 1..9),
    ) {
        let text = format!("./{}", parts.join("/"));
        let folder = folder();
        let base = Base {
            folder: folder.to_str().unwrap(), home: None, family: Family::Unix, case: Case::Kept,
        };
        let named = paths::name(&text, &base, &read_link);
        // Where the system finds nothing there is nothing to compare with.
        if let Ok(real) = fs::canonicalize(folder.join(&text)) {
            prop_assert_eq!(named.unwrap().name, real.to_str().unwrap(), "{}", text);
        }
    }
}
