//! Over the bound, labels become less precise and never fewer.

use portcullis_lattice::Reach;
use portcullis_perceive::Use;
use portcullis_taint::Labels;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::world::{after, any_use, label, one, read, session, tree};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lifting_never_loses_a_label(events in session(), bound in 4_usize..12, asked in vec(any_use(), 12)) {
        let (wide, narrow) = (Labels::with_bound(100_000), Labels::with_bound(bound));
        let (wide, narrow) = (after(&events, wide), after(&events, narrow));
        prop_assert!(narrow.count() <= bound, "{} names, and the bound is {}", narrow.count(), bound);
        prop_assert!(wide.context().taint().is_subset(narrow.context().taint()));
        for used in asked {
            let (before, after) = (read(&wide, used.clone()), read(&narrow, used.clone()));
            prop_assert!(before.is_subset(after), "{:?}: {:?} was {:?}", used, after, before);
        }
    }
}

#[test]
fn the_most_crowded_folder_is_lifted_first() {
    let mut labels = Labels::with_bound(8);
    ["/p/a", "/p/b", "/p/c", "/p/d", "/p/e", "/q/a", "/q/b", "db:orders"]
        .iter()
        .for_each(|name| label(&mut labels, 1, one(name)));
    assert!(read(&labels, one("/p/z")).is_empty(), "eight names fit");
    label(&mut labels, 2, one("mailto:ann@acme.com"));
    assert!(!read(&labels, one("/p/z")).is_empty(), "five names in one folder became one label");
    assert!(read(&labels, one("/q/z")).is_empty() && read(&labels, one("db:customers")).is_empty());
    assert_eq!(labels.count(), 5);
}

#[test]
fn whole_schemes_come_last_and_files_stay_apart_from_the_rest() {
    let mut labels = Labels::with_bound(4);
    for scheme in 'a'..='z' {
        label(&mut labels, 1, one(&format!("{scheme}{scheme}:x")));
    }
    assert!(labels.count() <= 4);
    assert!(!read(&labels, one("other:y")).is_empty(), "everything that is no file is one label");
    assert!(read(&labels, one("/p/a")).is_empty(), "no file was ever labelled");
    label(&mut labels, 2, one("/p/a"));
    assert!(!read(&labels, one("/p/a")).is_empty());
}

#[test]
fn a_name_too_long_to_keep_labels_what_contains_it() {
    let mut labels = Labels::new();
    let long = format!("/p/{}/{}", "x".repeat(800), "y".repeat(800));
    label(&mut labels, 1, one(&long));
    assert!(!read(&labels, one(&long)).is_empty());
    assert!(read(&labels, one("/p/a")).is_empty());
    let endless = format!("https://h/{}", "z".repeat(5000));
    label(&mut labels, 1, Use::new(endless.clone(), Reach::Subtree));
    assert!(!read(&labels, one(&endless)).is_empty());
    assert!(read(&labels, tree("/p")).is_subset(read(&labels, tree("/"))));
}
